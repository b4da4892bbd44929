//! Lives of pods: as traces, as what a scenario says of pods that no workload makes, and as times that are usual.

use model::life::PodLife;
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::time::{Period, Timestamp};
use simulator::traces::export::{self, PastPod};
use simulator::traces::{PodFormat, PodShape};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// When pods of a workload came to a cluster or were told to stop there.
pub(super) type Moments = BTreeMap<(WorkloadRef, ClusterName), BTreeSet<Timestamp>>;

pub(super) fn moments(lives: &[PodLife]) -> Moments {
    let mut moments = Moments::new();
    for life in lives {
        let Some(workload) = &life.workload else { continue };
        let known = moments.entry((workload.clone(), life.cluster.clone())).or_default();
        known.insert(life.arrived_at);
        known.extend(life.ended_at);
    }
    moments
}

/// How long pods usually took from their node to being ready, and from being told to stop to being gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) start: Option<Period>,
    pub(super) stop: Option<Period>,
}

pub(super) fn times(lives: &[PodLife]) -> Times {
    // What began before the recording began there is not known.
    let start = lives.iter().filter_map(|life| {
        let (placed, _) = life.placed.as_ref()?;
        (life.arrived_at > Timestamp::EPOCH).then_some(())?;
        life.ready_at?.checked_since(*placed)
    });
    let stop = lives.iter().filter(|life| !life.finished && life.placed.is_some());
    let stop = stop.filter_map(|life| life.gone_at?.checked_since(life.ended_at?));
    Times { start: middle(start), stop: middle(stop) }
}

fn middle(times: impl Iterator<Item = Period>) -> Option<Period> {
    let mut times: Vec<Period> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// All pods, cluster by cluster, each as a file.
pub(super) fn traces(lives: &[PodLife], until: Timestamp) -> Vec<(String, String)> {
    let all: Vec<&PodLife> = lives.iter().collect();
    let of = |(cluster, pods): (ClusterName, Vec<PastPod>)| {
        (format!("pods/{cluster}.csv"), export::write(PodFormat::Csv, &pods, until))
    };
    by_cluster(&all, |life| life.ended_at).into_iter().map(of).collect()
}

/// Pods that no workload makes, cluster by cluster, each as a file that the scenario names.
pub(super) fn others(lives: &[PodLife], until: Timestamp) -> Vec<(ClusterName, String, String)> {
    let others: Vec<&PodLife> = lives.iter().filter(|life| life.workload.is_none()).collect();
    let of = |(cluster, pods): (ClusterName, Vec<PastPod>)| {
        let path = format!("others/{cluster}.csv");
        (cluster, path, export::write(PodFormat::Csv, &pods, until))
    };
    // They stop at once in a replay, so they end when they were gone.
    by_cluster(&others, |life| life.gone_at).into_iter().map(of).collect()
}

fn by_cluster(
    lives: &[&PodLife],
    end: fn(&PodLife) -> Option<Timestamp>,
) -> BTreeMap<ClusterName, Vec<PastPod>> {
    let mut used = BTreeSet::new();
    let mut clusters: BTreeMap<ClusterName, Vec<PastPod>> = BTreeMap::new();
    for life in lives {
        let name = unique(&life.name, &mut used);
        clusters.entry(life.cluster.clone()).or_default().push(past(life, name, end(life)));
    }
    for pods in clusters.values_mut() {
        pods.sort_by(|one, other| (one.arrival, &one.name).cmp(&(other.arrival, &other.name)));
    }
    clusters
}

/// The name, or the name and the first number that makes it one of its own.
pub(super) fn unique(name: &str, used: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number: u64| format!("{name}-{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !used.contains(name));
    let free = free.unwrap_or_else(|| name.to_owned());
    used.insert(free.clone());
    free
}

fn past(life: &PodLife, name: String, end: Option<Timestamp>) -> PastPod {
    let shape = PodShape {
        cpu: life.requests.cpu,
        memory: life.requests.memory,
        priority: life.priority,
        ..PodShape::default()
    };
    PastPod {
        name,
        kind: life.workload.as_ref().map_or(WorkloadKind::Pod, WorkloadRef::kind),
        workload: life.workload.as_ref().map_or(&*life.name, |workload| workload.name()).to_owned(),
        arrival: life.arrived_at,
        start: life.placed.as_ref().map(|(at, _)| (*at).max(life.arrived_at)),
        end,
        finished: life.finished,
        node: life.placed.as_ref().map(|(_, node)| node.clone()),
        shape: Arc::new(shape),
    }
}
