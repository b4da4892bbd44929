//! Small federations as a few lines of text, so that a case can be read at a glance and its answer worked out by hand.
//!
//! ```text
//! left 2 nodes                             2 nodes, neither fewer nor more, of 7650m and 15822Mi usable
//! right 1 nodes max=4 auto price=0.10      adds nodes by itself, up to 4
//! edge 2 nodes node=2000m/4Gi hidden       small nodes, and it cannot be observed
//! web 2x1000m/2Gi left                     2 pods of that size; also: pinned, moving, unseen, moved=55m
//! approved web right                       that it moves there is approved already
//! ```
//! Pods are placed node by node in the order of the lines; those that find no room are pending since the epoch.

use model::action::Action;
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{
    ClusterView, Gap, GapSubject, NodeView, PlacementView, PoolView, Snapshot, WorkloadView,
};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// An 8-CPU, 16-GiB node of WASP without what its system pods take.
const NODE: Resources = Resources::new(MilliCpu(7_650), Bytes(15_822 << 20), 110);
/// What such a node costs there per hour, in dollars.
const PRICE: &str = "0.2688";
/// When everybody looks: long after everything began.
pub(super) const NOW: Timestamp = Timestamp(3_600_000);
/// These lines are written by us; a test reads every one of them.
const OURS: &str = "the lines of a case are well formed";

/// A federation and what is approved in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Federation {
    pub snapshot: Snapshot,
    pub committed: Vec<Action>,
}

impl Federation {
    /// Reads the lines.
    pub(super) fn read(text: &str) -> Self {
        let snapshot = Snapshot { taken_at: NOW, ..Snapshot::default() };
        let mut federation = Self { snapshot, committed: Vec::new() };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words[0] == "approved" {
                federation.approve(workload(words[1]), cluster(words[2]));
            } else if words[2] == "nodes" {
                federation.add_cluster(&words);
            } else {
                federation.add_workload(&words);
            }
        }
        federation
    }

    fn approve(&mut self, workload: WorkloadRef, to: ClusterName) {
        let view = &self.snapshot.workloads[&workload];
        let from = view.home().expect(OURS).clone();
        let replicas = view.replicas;
        self.committed.push(Action::Migrate { workload, from, to, replicas });
    }

    fn add_cluster(&mut self, words: &[&str]) {
        let nodes: u32 = words[1].parse().expect(OURS);
        let each = option(words, "node").map_or(NODE, |text| Resources { pods: 110, ..size(text) });
        let pool = PoolName::new("nodes").expect(OURS);
        let view = PoolView {
            nodes,
            booting: 0,
            minimum: nodes,
            maximum: option(words, "max").map_or(nodes, |text| text.parse().expect(OURS)),
            node_capacity: each,
            price_per_hour: option(words, "price").unwrap_or(PRICE).parse().expect(OURS),
            boot_time: Period::from_secs(30),
        };
        let node = NodeView {
            pool: pool.clone(),
            capacity: each,
            allocated: Resources::default(),
            schedulable: true,
            signals: Readings::default(),
        };
        let name = |index: u32| NodeName::new(&format!("node-{index}")).expect(OURS);
        let view = ClusterView {
            capacity: each.times(u64::from(nodes)),
            autoscaled: words.contains(&"auto"),
            pools: BTreeMap::from([(pool, view)]),
            nodes: (1..=nodes).map(|index| (name(index), node.clone())).collect(),
            ..ClusterView::default()
        };
        if words.contains(&"hidden") {
            self.hide(GapSubject::Cluster(cluster(words[0])));
        }
        self.snapshot.clusters.insert(cluster(words[0]), view);
    }

    fn hide(&mut self, subject: GapSubject) {
        self.snapshot.gaps.push(Gap { subject, reason: "no answer".to_owned(), known_at: None });
    }

    fn add_workload(&mut self, words: &[&str]) {
        let (replicas, each) = words[1].split_once('x').expect(OURS);
        let (replicas, each) = (replicas.parse().expect(OURS), size(each));
        let home = cluster(words[2]);
        let placed = placed(self.snapshot.clusters.get_mut(&home).expect(OURS), each, replicas);
        let view = WorkloadView {
            each,
            replicas,
            placements: BTreeMap::from([(home, placed)]),
            priority: 0,
            movable: !words.contains(&"pinned"),
            moving: words.contains(&"moving"),
            created_at: Timestamp::EPOCH,
            last_moved_at: option(words, "moved").map(|text| Timestamp::EPOCH + text.parse().expect(OURS)),
            scaled_by: None,
            repository: None,
            disruptions_allowed: None,
            signals: Readings::default(),
        };
        if words.contains(&"unseen") {
            self.hide(GapSubject::Workload(workload(words[0])));
        }
        self.snapshot.workloads.insert(workload(words[0]), view);
    }

    /// The same under other names. Whoever renames keeps the order, or it is another federation.
    #[must_use]
    pub fn renamed(
        &self,
        cluster: &dyn Fn(usize, &ClusterName) -> ClusterName,
        workload: &dyn Fn(usize, &WorkloadRef) -> WorkloadRef,
    ) -> Self {
        let clusters: BTreeMap<&ClusterName, ClusterName> = (0..)
            .zip(self.snapshot.clusters.keys())
            .map(|(index, name)| (name, cluster(index, name)))
            .collect();
        let workloads: BTreeMap<&WorkloadRef, WorkloadRef> = (0..)
            .zip(self.snapshot.workloads.keys())
            .map(|(index, name)| (name, workload(index, name)))
            .collect();
        Names { clusters, workloads }.applied(self)
    }
}

/// New names by the old ones.
struct Names<'a> {
    clusters: BTreeMap<&'a ClusterName, ClusterName>,
    workloads: BTreeMap<&'a WorkloadRef, WorkloadRef>,
}

impl Names<'_> {
    fn applied(&self, federation: &Federation) -> Federation {
        let Snapshot { taken_at, clusters, workloads, gaps } = &federation.snapshot;
        let clusters = clusters.iter().map(|(name, view)| (self.clusters[name].clone(), view.clone()));
        let workloads = workloads.iter().map(|(name, view)| {
            let placements = view.placements.iter();
            let placements = placements.map(|(name, placed)| (self.clusters[name].clone(), *placed));
            let view = WorkloadView { placements: placements.collect(), ..view.clone() };
            (self.workloads[name].clone(), view)
        });
        let gaps = gaps.iter().map(|gap| Gap { subject: self.subject(&gap.subject), ..gap.clone() });
        Federation {
            snapshot: Snapshot {
                taken_at: *taken_at,
                clusters: clusters.collect(),
                workloads: workloads.collect(),
                gaps: gaps.collect(),
            },
            committed: federation.committed.iter().map(|action| self.action(action)).collect(),
        }
    }

    fn subject(&self, subject: &GapSubject) -> GapSubject {
        match subject {
            GapSubject::Cluster(name) => GapSubject::Cluster(self.clusters[name].clone()),
            GapSubject::Workload(name) => GapSubject::Workload(self.workloads[name].clone()),
            GapSubject::Source(name) => GapSubject::Source(name.clone()),
        }
    }

    fn action(&self, action: &Action) -> Action {
        match action {
            Action::Migrate { workload, from, to, replicas } => Action::Migrate {
                workload: self.workloads[workload].clone(),
                from: self.clusters[from].clone(),
                to: self.clusters[to].clone(),
                replicas: *replicas,
            },
            Action::ResizePool { cluster, pool, from, to } => Action::ResizePool {
                cluster: self.clusters[cluster].clone(),
                pool: pool.clone(),
                from: *from,
                to: *to,
            },
            other => other.clone(),
        }
    }
}

pub(super) fn cluster(text: &str) -> ClusterName {
    ClusterName::new(text).expect(OURS)
}

pub(super) fn workload(text: &str) -> WorkloadRef {
    format!("default/{text}").parse().expect(OURS)
}

fn option<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn size(text: &str) -> Resources {
    let (cpu, memory) = text.split_once('/').expect(OURS);
    Resources::new(cpu.parse().expect(OURS), memory.parse().expect(OURS), 1)
}

/// Places pods node by node; those that find no room are pending.
fn placed(cluster: &mut ClusterView, each: Resources, replicas: u32) -> PlacementView {
    let mut left = u64::from(replicas);
    cluster.requested += each.times(left);
    for node in cluster.nodes.values_mut() {
        let here = node.free().how_many(each).min(left);
        node.allocated += each.times(here);
        cluster.allocated += each.times(here);
        left -= here;
    }
    let pending = left as u32;
    cluster.pods_pending += pending;
    PlacementView {
        replicas,
        pods: replicas,
        pods_pending: pending,
        pods_ready: replicas - pending,
        pending_since: (pending > 0).then_some(Timestamp::EPOCH),
    }
}
