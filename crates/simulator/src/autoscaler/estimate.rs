//! How many new nodes of a group waiting pods need: first fit, largest pods first.

use super::scratch::{Scratch, Shape};
use super::view::GroupView;
use crate::kube;
use crate::scheduler::{ClusterState, NodeId, TemplateId};

/// Pods that are alike and wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) shape: Shape,
    pub(super) count: u32,
}

/// New nodes and what they carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Estimate {
    /// New nodes up to the last that got pods: zones have their turn, whether their node is needed or not.
    pub(super) nodes: u32,
    /// How many of each kind of waiting pods have a place.
    pub(super) placed: Vec<u32>,
}

/// Nodes being filled.
struct Packing<'s, 'a> {
    scratch: &'s mut Scratch<'a>,
    group: &'s GroupView<'s>,
    nodes: Vec<NodeId>,
    /// By node.
    used: Vec<bool>,
    limit: usize,
    /// Where the search among all new nodes goes on: upstream starts behind the last hit, so pods spread over them.
    next: usize,
}

/// Packs `waiting` onto at most `limit` new nodes of `group` and takes them away again.
pub(super) fn estimate(
    scratch: &mut Scratch<'_>,
    group: &GroupView<'_>,
    waiting: &[Waiting],
    limit: u32,
) -> Estimate {
    let first_pod = scratch.next_pod();
    let (estimate, nodes) = pack(scratch, group, waiting, limit);
    scratch.take_back(&nodes, first_pod);
    estimate
}

/// Packs pods and leaves the new nodes, which it returns, in the copy.
fn pack(
    scratch: &mut Scratch<'_>,
    group: &GroupView<'_>,
    waiting: &[Waiting],
    limit: u32,
) -> (Estimate, Vec<NodeId>) {
    let order = largest_first(scratch.state(), group.template(), waiting);
    let mut packing =
        Packing { scratch, group, nodes: Vec::new(), used: Vec::new(), limit: limit as usize, next: 0 };
    let mut placed = vec![0; waiting.len()];
    for index in order {
        let on_earlier = packing.fill_new_nodes(waiting[index]);
        let rest = Waiting { count: waiting[index].count - on_earlier, ..waiting[index] };
        placed[index] = on_earlier + packing.add_nodes(rest);
    }
    let nodes = packing.used.iter().rposition(|used| *used).map_or(0, |last| last as u32 + 1);
    (Estimate { nodes, placed }, packing.nodes)
}

/// Indices by the sum of CPU and memory shares of the node, largest first; equals keep their order.
fn largest_first(state: &ClusterState, node: &kube::Node, waiting: &[Waiting]) -> Vec<usize> {
    let share = |amount: i64, resource: &str| {
        let whole = node.status.allocatable.get(resource).unwrap_or(0);
        if whole > 0 { amount as f64 / whole as f64 } else { 0.0 }
    };
    let size = |template: TemplateId| {
        let requests = &state.template(template).requests;
        share(requests.cpu, kube::CPU) + share(requests.memory, kube::MEMORY)
    };
    let sizes: Vec<f64> = waiting.iter().map(|one| size(one.shape.template)).collect();
    let mut order: Vec<usize> = (0..waiting.len()).collect();
    order.sort_by(|one, other| sizes[*other].total_cmp(&sizes[*one]));
    order
}

impl Packing<'_, '_> {
    /// Places pods on nodes already added, until one finds no place: the next, being alike, would find none either.
    fn fill_new_nodes(&mut self, waiting: Waiting) -> u32 {
        for placed in 0..waiting.count {
            let Ok(Some(at)) = self.scratch.first_fit(waiting.shape, &self.nodes, self.next) else {
                return placed;
            };
            self.next = (at + 1) % self.nodes.len();
            self.put(waiting.shape, at);
        }
        waiting.count
    }

    /// Places pods on the last node and adds another whenever it is full, up to the limit.
    fn add_nodes(&mut self, waiting: Waiting) -> u32 {
        for placed in 0..waiting.count {
            while !self.fits_last(waiting.shape) {
                // A pod that an empty node of every zone refuses would be refused by any other too. An empty one may
                // refuse, for example where a zone must not get more pods. It stays for the next kind.
                let empty = self.used.iter().rev().take_while(|used| !**used).count();
                if empty >= self.group.templates.len() || self.nodes.len() >= self.limit {
                    return placed;
                }
                let number = self.group.booting.len() + self.nodes.len();
                self.nodes.push(self.scratch.add_node(self.group, number));
                self.used.push(false);
            }
            self.put(waiting.shape, self.nodes.len() - 1);
        }
        waiting.count
    }

    fn fits_last(&mut self, shape: Shape) -> bool {
        self.nodes.last().is_some_and(|node| self.scratch.fits(shape, *node).is_ok())
    }

    fn put(&mut self, shape: Shape, at: usize) {
        self.scratch.place(shape, self.nodes[at]);
        self.used[at] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Cluster, Group, replica};
    use super::*;
    use crate::scheduler::{PodDetails, PodId, Request, Scheduler};
    use model::time::Timestamp;
    use proptest::prelude::*;
    use serde_json::json;

    /// CPU in thousandths, memory in MiB, count.
    type Kind = (i64, i64, u32);

    fn waiting(cluster: &mut Cluster, kinds: &[Kind]) -> Vec<Waiting> {
        let mut one = |&(cpu, memory, count): &Kind| Waiting {
            shape: Shape { template: cluster.template(cpu, memory), priority: 0 },
            count,
        };
        kinds.iter().map(&mut one).collect()
    }

    fn run(cluster: &Cluster, waiting: &[Waiting], limit: u32) -> (u32, Vec<u32>) {
        cluster.view(|view| {
            let mut scratch = Scratch::new(view);
            let found = estimate(&mut scratch, &view.groups[0], waiting, limit);
            assert_eq!(scratch.state().node_count(), cluster.nodes.len(), "new nodes are taken away again");
            (found.nodes, found.placed)
        })
    }

    #[test]
    fn pods_of_a_size_need_so_many_nodes_of_4_cores_and_16_gib() {
        let rows: [(&[Kind], u32, u32, &[u32]); 12] = [
            (&[(1000, 1024, 0)], 1000, 0, &[0]),
            (&[(1000, 1024, 1)], 1000, 1, &[1]),
            (&[(1000, 1024, 4)], 1000, 1, &[4]),
            (&[(1000, 1024, 5)], 1000, 2, &[5]),
            (&[(1500, 1024, 10)], 1000, 5, &[10]),
            // Memory decides.
            (&[(100, 9000, 7)], 1000, 7, &[7]),
            // 110 pods on a node.
            (&[(1, 1, 111)], 1000, 2, &[111]),
            // Small pods fill what large ones leave.
            (&[(1000, 1024, 4), (3000, 1024, 4)], 1000, 4, &[4, 4]),
            // Too large for any node, and it does not stand in the way of others.
            (&[(5000, 1024, 3), (1000, 1024, 2)], 1000, 1, &[0, 2]),
            // The limit leaves some waiting; smaller pods still fill the nodes there are.
            (&[(3000, 1024, 5), (1000, 1024, 5)], 2, 2, &[2, 2]),
            (&[(4000, 1024, 2000)], 1000, 1000, &[1000]),
            (&[(1000, 1024, 4)], 0, 0, &[0]),
        ];
        for (kinds, limit, nodes, placed) in rows {
            let mut cluster = Cluster::new(vec![Group::new("g", 4000, 16_384)]);
            let waiting = waiting(&mut cluster, kinds);
            assert_eq!(run(&cluster, &waiting, limit), (nodes, placed.to_vec()), "{kinds:?}");
        }
    }

    #[test]
    fn daemons_take_their_part_of_every_new_node() {
        let mut cluster = Cluster::new(vec![Group::new("g", 4000, 16_384)]);
        let daemon = cluster.template(500, 100);
        let elsewhere = cluster.special_template(3000, 100, json!({ "nodeSelector": { "disk": "fast" } }));
        cluster.groups[0].daemons = vec![daemon, elsewhere];
        let waiting = waiting(&mut cluster, &[(1000, 100, 6)]);
        assert_eq!(run(&cluster, &waiting, 10), (2, vec![6]));
    }

    #[test]
    fn nodes_come_zone_by_zone() {
        let zone = "topology.kubernetes.io/zone";
        let mut group = Group::new("g", 4000, 16_384);
        group.in_zones(&["a", "b", "c"]);
        let rows: [(&str, u32, u32, u32, u32); 6] = [
            ("a", 4, 10, 1, 4),
            // The turn is a's first, so two nodes bring one in b.
            ("b", 4, 10, 2, 4),
            ("c", 1, 10, 3, 1),
            ("a", 5, 10, 4, 5),
            ("c", 1, 2, 0, 0),
            ("d", 1, 10, 0, 0),
        ];
        for (name, count, limit, nodes, placed) in rows {
            let mut cluster = Cluster::new(vec![group.clone()]);
            let template = cluster.special_template(1000, 100, json!({ "nodeSelector": { (zone): name } }));
            let waiting = [Waiting { shape: Shape { template, priority: 0 }, count }];
            assert_eq!(run(&cluster, &waiting, limit), (nodes, vec![placed]), "{count} pods for {name}");
        }
        // A node that boots has had its turn.
        let mut cluster = Cluster::new(vec![group]);
        cluster.groups[0].booting = vec![Timestamp::EPOCH];
        let template = cluster.special_template(1000, 100, json!({ "nodeSelector": { (zone): "b" } }));
        let waiting = [Waiting { shape: Shape { template, priority: 0 }, count: 1 }];
        assert_eq!(run(&cluster, &waiting, 10), (1, vec![1]));
    }

    #[test]
    fn real_filters_decide_what_fits_together() {
        let apart = json!({ "affinity": { "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [{
                "labelSelector": { "matchLabels": { "app": "a" } }, "topologyKey": "kubernetes.io/hostname",
            }],
        }}});
        let mut cluster = Cluster::new(vec![Group::new("g", 4000, 16_384)]);
        let template = cluster.special_template(100, 100, apart);
        let waiting = [Waiting { shape: Shape { template, priority: 0 }, count: 3 }];
        assert_eq!(run(&cluster, &waiting, 10), (3, vec![3]));
    }

    /// Lets the scheduler, which scores, place pods; returns how many find no place.
    fn left_over(cluster: &mut Cluster, template: TemplateId, count: u32) -> u32 {
        let mut scheduler = Scheduler::default();
        let first = cluster.traits.len() as u32;
        let mut placed = 0;
        for pod in (first..first + count).map(PodId) {
            let request = Request { pod, template, priority: 0, nominated: None };
            if let Ok(found) = scheduler.schedule(Timestamp::EPOCH, &mut cluster.state, &request, &mut |_| 0)
            {
                cluster.state.assign(pod, template, found.node, PodDetails::default());
                placed += 1;
            }
        }
        count - placed
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Pods that are alike: the estimate is exact, and the scheduler places all of them on the new nodes.
        #[test]
        fn estimated_nodes_suffice_for_the_scheduler(
            cpu in 1_i64..4000, memory in 1_i64..16_384, count in 1_u32..60, daemon in 0_i64..2000,
        ) {
            let mut cluster = Cluster::new(vec![Group::new("g", 6000, 18_432)]);
            let daemon_template = cluster.template(daemon, 64);
            cluster.groups[0].daemons = vec![daemon_template];
            let waiting = waiting(&mut cluster, &[(cpu, memory, count)]);
            let (nodes, placed) = run(&cluster, &waiting, 1000);
            let on_a_node = ((6000 - daemon) / cpu).min((18_432 - 64) / memory).min(109) as u32;
            prop_assert_eq!((nodes, placed), (count.div_ceil(on_a_node), vec![count]));
            for _ in 0..nodes {
                let node = cluster.add_node(0);
                cluster.run(daemon_template, node, replica());
            }
            prop_assert_eq!(left_over(&mut cluster, waiting[0].shape.template, count), 0);
        }

        /// Mixed pods: all of them are on the new nodes, and no node has more than it can take.
        #[test]
        fn estimated_nodes_suffice_for_mixed_pods(
            kinds in prop::collection::vec((1_i64..4000, 1_i64..16_384, 1_u32..12), 1..6),
        ) {
            let mut cluster = Cluster::new(vec![Group::new("g", 4000, 16_384)]);
            let waiting = waiting(&mut cluster, &kinds);
            let want: Vec<u32> = kinds.iter().map(|kind| kind.2).collect();
            let sum = |part: fn(&Kind) -> i64| kinds.iter().map(|kind| part(kind) * i64::from(kind.2)).sum::<i64>();
            let (found, cpu, memory, is_over) = cluster.view(|view| {
                let mut scratch = Scratch::new(view);
                let (found, nodes) = pack(&mut scratch, &view.groups[0], &waiting, 1000);
                let resources: Vec<_> = nodes.iter().map(|node| *scratch.state().node_resources(*node)).collect();
                let over = resources.iter().any(|one| {
                    one.requested_cpu > one.allocatable_cpu || one.requested_memory > one.allocatable_memory
                });
                let cpu: i64 = resources.iter().map(|one| one.requested_cpu).sum();
                let memory: i64 = resources.iter().map(|one| one.requested_memory).sum();
                (found, cpu, memory, over)
            });
            prop_assert_eq!(found.placed, want);
            prop_assert!(!is_over);
            prop_assert_eq!((cpu, memory), (sum(|kind| kind.0), sum(|kind| kind.1 << 20)));
        }
    }
}
