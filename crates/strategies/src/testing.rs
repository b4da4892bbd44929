//! Federations as a few lines of text, and decisions as text, so that a test is a table.
//!
//! ```text
//! member1 2 nodes                          2 nodes, neither fewer nor more, of 7650m and 15822Mi usable
//! member2 10 nodes min=5 max=48 auto       may have 5 to 48 nodes and adds them by itself
//! web 2x1000m/2Gi member1 pinned           2 pods of that size, whose owner lets nobody move them
//! 80*job 2x1000m/2Gi member1               job-01 to job-80
//! ```
//! Pods are placed node by node in the order of the lines; those that find no room are pending since the epoch.

use control::strategy::{Decision, Outcome, View};
use model::action::Action;
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{
    ClusterView, Gap, GapSubject, NodeView, PlacementView, PoolView, Snapshot, WorkloadView,
};
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, VecDeque};

/// An 8-CPU, 16-GiB node of WASP without what its system pods take.
const NODE: Resources = Resources::new(MilliCpu(7_650), Bytes(15_822 << 20), 110);
const POOL: &str = "nodes";

pub(crate) fn name(text: &str) -> ClusterName {
    ClusterName::new(text).unwrap()
}

pub(crate) fn pool() -> PoolName {
    PoolName::new(POOL).unwrap()
}

pub(crate) fn workload(text: &str) -> WorkloadRef {
    format!("default/{text}").parse().unwrap()
}

pub(crate) fn federation(text: &str) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[2] == "nodes" {
            add_cluster(&mut snapshot, &words);
        } else {
            add_workloads(&mut snapshot, &words);
        }
    }
    snapshot
}

fn option<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn number(words: &[&str], key: &str, otherwise: u32) -> u32 {
    option(words, key).map_or(otherwise, |text| text.parse().unwrap())
}

fn add_cluster(snapshot: &mut Snapshot, words: &[&str]) {
    let nodes: u32 = words[1].parse().unwrap();
    let node = option(words, "node").map_or(NODE, |text| Resources { pods: 110, ..size(text) });
    let view = PoolView {
        nodes,
        booting: number(words, "booting", 0),
        minimum: number(words, "min", nodes),
        maximum: number(words, "max", nodes),
        node_capacity: node,
        price_per_hour: option(words, "price").unwrap_or("0.2688").parse().unwrap(),
        boot_time: Period::from_secs(30),
    };
    let mut cluster = ClusterView { autoscaled: words.contains(&"auto"), ..ClusterView::default() };
    cluster.pools.insert(pool(), view);
    set_nodes(&mut cluster, nodes);
    if words.contains(&"hidden") {
        let subject = GapSubject::Cluster(name(words[0]));
        snapshot.gaps.push(Gap { subject, reason: "no answer".to_owned(), known_at: None });
    }
    snapshot.clusters.insert(name(words[0]), cluster);
}

fn set_nodes(cluster: &mut ClusterView, count: u32) {
    let view = cluster.pools.get_mut(&pool()).unwrap();
    (view.nodes, view.booting) = (count, if count == view.nodes { view.booting } else { 0 });
    let capacity = view.node_capacity;
    cluster.capacity = capacity.times(u64::from(count));
    cluster.nodes = (0..count)
        .map(|index| {
            let node = NodeView {
                pool: pool(),
                capacity,
                allocated: Resources::default(),
                schedulable: true,
                signals: Readings::default(),
            };
            (NodeName::new(&format!("node-{index:03}")).unwrap(), node)
        })
        .collect();
}

fn size(text: &str) -> Resources {
    let (cpu, memory) = text.split_once('/').unwrap();
    Resources::new(cpu.parse().unwrap(), memory.parse().unwrap(), 1)
}

fn add_workloads(snapshot: &mut Snapshot, words: &[&str]) {
    let (count, stem) =
        words[0].split_once('*').map_or((1, words[0]), |(n, stem)| (n.parse().unwrap(), stem));
    let (replicas, each) = words[1].split_once('x').unwrap();
    let replicas: u32 = replicas.parse().unwrap();
    for index in 1..=count {
        let full = if count == 1 { stem.to_owned() } else { format!("{stem}-{index:02}") };
        let mut view = WorkloadView {
            each: size(each),
            replicas,
            placements: BTreeMap::new(),
            priority: number(words, "priority", 0) as i32,
            movable: !words.contains(&"pinned"),
            moving: false,
            created_at: Timestamp::EPOCH,
            last_moved_at: option(words, "moved").map(|text| Timestamp::EPOCH + text.parse().unwrap()),
            scaled_by: None,
            repository: None,
            disruptions_allowed: None,
            signals: Readings::default(),
        };
        let cluster = snapshot.clusters.get_mut(&name(words[2])).expect("the cluster comes first");
        view.placements.insert(name(words[2]), placed(cluster, view.each, replicas));
        snapshot.workloads.insert(workload(&full), view);
    }
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
    cluster.pods_pending += left as u32;
    let pending = left as u32;
    PlacementView {
        replicas,
        pods: replicas,
        pods_pending: pending,
        pods_ready: replicas - pending,
        pending_since: (pending > 0).then_some(Timestamp::EPOCH),
    }
}

/// The federation after the actions have happened, with all pods packed anew.
pub(crate) fn after(snapshot: &Snapshot, actions: &[Action]) -> Snapshot {
    let mut next = snapshot.clone();
    for action in actions {
        match action {
            Action::Migrate { workload, from, to, .. } => {
                let placements = &mut next.workloads.get_mut(workload).unwrap().placements;
                let left = placements.remove(from).unwrap();
                placements.entry(to.clone()).or_default().replicas += left.replicas;
            }
            Action::ResizePool { cluster, to, .. } => set_nodes(next.clusters.get_mut(cluster).unwrap(), *to),
            _ => unreachable!("no strategy here asks for {action}"),
        }
    }
    for cluster in next.clusters.values_mut() {
        let nodes = cluster.pools[&pool()].nodes;
        set_nodes(cluster, nodes);
        (cluster.allocated, cluster.requested) = Default::default();
        cluster.pods_pending = 0;
    }
    // Largest first, as the planner packs; the scheduler is not the subject here.
    let mut order: Vec<_> = next.workloads.values_mut().collect();
    order.sort_by_key(|view| std::cmp::Reverse((view.each.cpu, view.each.memory)));
    for view in order {
        for (cluster, placement) in &mut view.placements {
            *placement = placed(next.clusters.get_mut(cluster).unwrap(), view.each, placement.replicas);
        }
    }
    next
}

/// A moment with nothing committed and nothing awaiting.
pub(crate) struct Moment {
    pub(crate) now: Timestamp,
    pub(crate) committed: Vec<Action>,
    pub(crate) awaiting: Vec<Action>,
    pub(crate) history: VecDeque<std::sync::Arc<Snapshot>>,
}

impl Moment {
    pub(crate) fn at(text: &str) -> Self {
        let now = Timestamp::EPOCH + text.parse().unwrap();
        Self { now, committed: Vec::new(), awaiting: Vec::new(), history: VecDeque::new() }
    }

    pub(crate) fn view<'a>(&'a self, snapshot: &'a Snapshot) -> View<'a> {
        View {
            now: self.now,
            snapshot,
            history: &self.history,
            committed: &self.committed,
            awaiting: &self.awaiting,
            answer: None,
        }
    }
}

pub(crate) fn actions(decision: &Decision) -> Vec<Action> {
    match &decision.outcome {
        Outcome::Recommend(drafts) => drafts.iter().map(|draft| draft.action.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Moves to the same place in one line, pool sizes, or why nothing is done; then the limits that stay broken.
pub(crate) fn shown(decision: &Decision) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Outcome::Hold(reason) = &decision.outcome {
        lines.push(format!("hold: {reason:?}"));
    }
    let mut moves: BTreeMap<(ClusterName, ClusterName), Vec<String>> = BTreeMap::new();
    for action in actions(decision) {
        match action {
            Action::Migrate { workload, from, to, .. } => {
                moves.entry((from, to)).or_default().push(workload.name().to_owned());
            }
            Action::ResizePool { cluster, from, to, .. } => {
                lines.push(format!("{cluster}: {from} -> {to} nodes"));
            }
            other => lines.push(other.to_string()),
        }
    }
    for ((from, to), names) in moves {
        let shown = if names.len() > 6 { format!("{} workloads", names.len()) } else { names.join(" ") };
        lines.push(format!("{from} -> {to}: {shown}"));
    }
    for unmet in &decision.unmet {
        lines.push(format!("unmet {:?} of {}: {}", unmet.limit, unmet.cluster, unmet.reason));
    }
    lines.join("\n")
}
