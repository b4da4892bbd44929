//! Federations and actions as a few words each.
//!
//! ```text
//! cluster a 2x4                    two nodes of four cores in the pool "nodes", neither fewer nor more
//! cluster b 2x4 min=0 max=9 auto   its pool has bounds, and it grows by itself; also: booting=1, hidden
//! web 1 a=2                        two pods of one core in a, and two are wanted there
//! web 1 a=2+1 b=1/0                in a, two run and one waits; in b, one still runs though none is wanted
//! ```
//! A workload may also be `pinned`, `moving`, `hidden`, `moved=5:00`, `replicas=3` (in the whole federation; otherwise the sum) and
//! its name may say its kind and namespace. Pods that run go to the first node with room, in the order of the lines.

use super::moment;
use model::action::{Action, Spot};
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{
    ClusterView, Gap, GapSubject, NodeView, PlacementView, PoolView, Snapshot, WorkloadView,
};
use model::time::{Period, Timestamp};

const POOL: &str = "nodes";

/// The lines that are true now. A new line replaces the one about the same thing.
#[derive(Clone, Default)]
pub(crate) struct World {
    lines: Vec<String>,
}

impl World {
    pub(crate) fn new(text: &str) -> Self {
        let mut world = Self::default();
        text.lines().filter(|line| !line.trim().is_empty()).for_each(|line| world.set(line));
        world
    }

    pub(crate) fn set(&mut self, line: &str) {
        let line = line.trim().to_owned();
        match self.lines.iter().position(|old| subject(old) == subject(&line)) {
            Some(index) => self.lines[index] = line,
            None => self.lines.push(line),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.lines.retain(|line| subject(line) != name);
    }

    pub(crate) fn snapshot(&self, taken_at: Timestamp) -> Snapshot {
        let mut snapshot = Snapshot { taken_at, ..Snapshot::default() };
        for line in &self.lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["cluster", ..] => add_cluster(&mut snapshot, &words[1..]),
                _ => add_workload(&mut snapshot, &words),
            }
        }
        snapshot
    }
}

fn subject(line: &str) -> &str {
    let line = line.strip_prefix("cluster ").unwrap_or(line);
    line.split_whitespace().next().unwrap()
}

fn option<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn number(words: &[&str], key: &str, otherwise: u32) -> u32 {
    option(words, key).map_or(otherwise, |text| text.parse().unwrap())
}

/// So many cores, as much memory in proportion, and one pod.
fn size(cores: u64) -> Resources {
    Resources::new(MilliCpu(cores * 1_000), Bytes(cores << 30), 1)
}

fn node_size(cores: u64) -> Resources {
    Resources { pods: 110, ..size(cores) }
}

pub(crate) fn cluster(text: &str) -> ClusterName {
    ClusterName::new(text).unwrap()
}

pub(crate) fn workload(text: &str) -> WorkloadRef {
    if text.contains('/') { text.parse().unwrap() } else { format!("default/{text}").parse().unwrap() }
}

fn pool(text: &str) -> PoolName {
    PoolName::new(text).unwrap()
}

fn gap(subject: GapSubject) -> Gap {
    Gap { subject, reason: "no answer".to_owned(), known_at: None }
}

fn add_cluster(snapshot: &mut Snapshot, words: &[&str]) {
    let (nodes, cores) = words[1].split_once('x').unwrap();
    let (nodes, capacity): (u32, _) = (nodes.parse().unwrap(), node_size(cores.parse().unwrap()));
    let view = PoolView {
        nodes,
        booting: number(words, "booting", 0),
        minimum: number(words, "min", nodes),
        maximum: number(words, "max", nodes),
        node_capacity: capacity,
        price_per_hour: "0.1".parse().unwrap(),
        boot_time: Period::from_secs(30),
    };
    let node = NodeView {
        pool: pool(POOL),
        capacity,
        allocated: Resources::default(),
        schedulable: true,
        signals: Readings::default(),
    };
    let names = (0..nodes).map(|index| NodeName::new(&format!("n{index}")).unwrap());
    let cluster_view = ClusterView {
        capacity: capacity.times(u64::from(nodes)),
        autoscaled: words.contains(&"auto"),
        pools: [(pool(POOL), view)].into(),
        nodes: names.map(|name| (name, node.clone())).collect(),
        ..ClusterView::default()
    };
    if words.contains(&"hidden") {
        snapshot.gaps.push(gap(GapSubject::Cluster(cluster(words[0]))));
    }
    snapshot.clusters.insert(cluster(words[0]), cluster_view);
}

fn add_workload(snapshot: &mut Snapshot, words: &[&str]) {
    let (name, each) = (workload(words[0]), size(words[1].parse().unwrap()));
    let mut view = WorkloadView {
        each,
        replicas: 0,
        placements: [].into(),
        priority: 0,
        movable: !words.contains(&"pinned"),
        moving: words.contains(&"moving"),
        created_at: Timestamp::EPOCH,
        last_moved_at: option(words, "moved").map(moment),
        scaled_by: option(words, "scaler").map(str::to_owned),
        repository: option(words, "repository").map(str::to_owned),
        disruptions_allowed: option(words, "budget").map(|count| count.parse().unwrap()),
        signals: Readings::default(),
    };
    for (at, pods) in words[2..].iter().filter_map(|word| word.split_once('=')) {
        if let Some(cluster_view) = snapshot.clusters.get_mut(&cluster(at)) {
            view.placements.insert(cluster(at), place(cluster_view, each, pods));
        }
    }
    let wanted = view.placements.values().map(|placement| placement.replicas).sum();
    view.replicas = number(words, "replicas", wanted);
    if words.contains(&"hidden") {
        snapshot.gaps.push(gap(GapSubject::Workload(name.clone())));
    }
    snapshot.workloads.insert(name, view);
}

fn place(cluster: &mut ClusterView, each: Resources, text: &str) -> PlacementView {
    let (pods, wanted) = text.split_once('/').map_or((text, None), |(pods, wanted)| (pods, Some(wanted)));
    let (running, waiting) = pods.split_once('+').unwrap_or((pods, "0"));
    let (running, waiting): (u32, u32) = (running.parse().unwrap(), waiting.parse().unwrap());
    for _ in 0..running {
        let node = cluster.nodes.values_mut().find(|node| each.fits_in(node.free()));
        node.expect("pods that run have room").allocated += each;
    }
    cluster.allocated += each.times(u64::from(running));
    cluster.requested += each.times(u64::from(running + waiting));
    cluster.pods_pending += waiting;
    PlacementView {
        replicas: wanted.map_or(running + waiting, |wanted| wanted.parse().unwrap()),
        pods: running + waiting,
        pods_pending: waiting,
        pods_ready: running,
        pending_since: (waiting > 0).then_some(Timestamp::EPOCH),
    }
}

/// `migrate web x2 a b`, `scale web a 2 3`, `resize a 1 2`, `resize a/other 1 2`, `move web a n0 n1`, `keep web a`.
pub(crate) fn action(text: &str) -> Action {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["migrate", name, replicas, from, to] => Action::Migrate {
            workload: workload(name),
            from: cluster(from),
            to: cluster(to),
            replicas: replicas.strip_prefix('x').unwrap().parse().unwrap(),
        },
        ["scale", name, at, from, to] => Action::Scale {
            workload: workload(name),
            cluster: cluster(at),
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        },
        ["resize", at, from, to] => {
            let (at, of) = at.split_once('/').unwrap_or((at, POOL));
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            Action::ResizePool { cluster: cluster(at), pool: pool(of), from, to }
        }
        ["move", name, at, from, to] => {
            let spot = |text| Spot::Node(NodeName::new(text).unwrap());
            Action::Move { workload: workload(name), cluster: cluster(at), from: spot(from), to: spot(to) }
        }
        ["keep", name, at] => Action::Hold { workload: workload(name), cluster: cluster(at) },
        _ => panic!("not an action: {text}"),
    }
}
