//! From what the caches hold to a snapshot. Pure: the same facts at the same moment give the same snapshot.
//!
//! The fields mean what they mean in the simulator. What belongs to the nodes themselves (DaemonSets, and pods of namespaces that
//! are not shown) is taken off the nodes' capacity and counts nowhere else.

use super::cache::Pulse;
use super::cluster::MemberSeen;
use super::facts::{NodeFact, PodFact, PodOwner, WorkloadFact};
use super::karmada::KarmadaSeen;
use super::measured::{Measured, Measurements, Value, Values};
use crate::clock::{Origin, Wall};
use crate::settings::{DEFAULT_POOL, Settings};
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::resources::Resources;
use model::signal::Signal;
use model::snapshot::{
    ClusterView, Gap, GapSubject, NodeView, PlacementView, PoolView, Snapshot, WorkloadView,
};
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A pod younger than this may be missing in measurements: metrics-server needs two scrapes, Prometheus a window.
const MEASURED_AFTER_MS: u64 = 120_000;

/// Nodes usually take so long where nobody says otherwise.
const USUAL_BOOT_TIME: Period = Period::from_minutes(2);

/// Who adds nodes by itself, by the name of what runs it.
const AUTOSCALERS: [&str; 2] = ["cluster-autoscaler", "karpenter"];

/// The label that says what kind of machine a node is.
const INSTANCE_TYPE: &str = "node.kubernetes.io/instance-type";

/// Everything a snapshot is made of.
pub(crate) struct FederationSeen {
    pub(crate) members: BTreeMap<ClusterName, MemberSeen>,
    /// Clusters that did not answer just now, and what was said instead.
    pub(crate) silent: BTreeMap<ClusterName, String>,
    pub(crate) karmada: Option<KarmadaSeen>,
    pub(crate) measured: Measurements,
    /// What could not be measured, and why, by who was asked: `prometheus`.
    pub(crate) unmeasured: BTreeMap<String, String>,
    /// What is being changed at the moment.
    pub(crate) moving: BTreeSet<WorkloadRef>,
    /// When workloads were moved by this process.
    pub(crate) moved_at: BTreeMap<WorkloadRef, Timestamp>,
}

/// When it is, and when the run began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) now: Wall,
    pub(crate) origin: Origin,
}

pub(crate) fn snapshot(seen: &FederationSeen, settings: &Settings, moment: Moment) -> Snapshot {
    let known = seen.members.iter().filter(|(_, member)| member.pulse.in_sync_since.is_some());
    let nothing = Measured::default();
    let mut clusters = BTreeMap::new();
    let mut workloads = BTreeMap::new();
    for (name, member) in known {
        let measured = seen.measured.get(name).unwrap_or(&nothing);
        clusters.insert(name.clone(), cluster_view(name, member, measured, settings, moment));
        gather(&mut workloads, name, member, measured, settings, moment);
    }
    let mut snapshot = Snapshot {
        taken_at: moment.origin.timestamp(moment.now),
        clusters,
        workloads: workloads
            .into_iter()
            .map(|(reference, found)| {
                let view = found.view(&reference, seen, moment);
                (reference, view)
            })
            .collect(),
        gaps: Vec::new(),
    };
    snapshot.gaps = gaps(seen, &snapshot, settings, moment);
    snapshot
}

fn gaps(seen: &FederationSeen, snapshot: &Snapshot, settings: &Settings, moment: Moment) -> Vec<Gap> {
    let clusters = seen.members.iter().map(|(name, member)| {
        let silent = seen.silent.get(name);
        gap(GapSubject::Cluster(name.clone()), &member.pulse, silent, settings, moment)
    });
    let unmeasured = seen.unmeasured.iter().map(|(source, reason)| {
        Some(Gap { subject: GapSubject::Source(source.clone()), reason: reason.clone(), known_at: None })
    });
    let mut gaps: Vec<Gap> = clusters.chain(unmeasured).flatten().collect();
    if let Some(karmada) = &seen.karmada {
        gaps.extend(karmada_gaps(karmada, snapshot, settings, moment));
    }
    gaps
}

/// Without Karmada it is not known where workloads are meant to be and who sets their number: nothing is decided about those that it
/// places, and about any while it is not known which those are.
fn karmada_gaps(karmada: &KarmadaSeen, snapshot: &Snapshot, settings: &Settings, moment: Moment) -> Vec<Gap> {
    let source = GapSubject::Source("karmada".to_owned());
    let Some(gap) = gap(source, &karmada.pulse, None, settings, moment) else { return Vec::new() };
    let is_known = karmada.pulse.in_sync_since.is_some();
    let placed = snapshot.workloads.keys().filter(|name| !is_known || karmada.replicas.contains_key(*name));
    let reason = format!("Karmada is not seen: {}", gap.reason);
    let hidden = placed.map(|name| Gap {
        subject: GapSubject::Workload(name.clone()),
        reason: reason.clone(),
        known_at: gap.known_at,
    });
    let hidden: Vec<Gap> = hidden.collect();
    [vec![gap], hidden].concat()
}

/// Whoever does not answer or was not heard for long is a gap, never empty.
fn gap(
    subject: GapSubject,
    pulse: &Pulse,
    silent: Option<&String>,
    settings: &Settings,
    moment: Moment,
) -> Option<Gap> {
    let age = pulse.heard_at.map(|heard| moment.now.since(heard));
    let reason = match (silent.or(pulse.trouble.as_ref()), pulse.in_sync_since, age) {
        (Some(trouble), _, _) => trouble.clone(),
        (None, None, _) => "it was not fully listed yet".to_owned(),
        (None, _, Some(age)) if age > settings.timeouts.stale.as_millis() => {
            format!("it was last heard {} s ago", age / 1_000)
        }
        _ => return None,
    };
    let known_at = pulse.in_sync_since.and(pulse.heard_at).map(|heard| moment.origin.timestamp(heard));
    Some(Gap { subject, reason, known_at })
}

/// Whether a pod belongs to the node it is on.
fn is_overhead(pod: &PodFact, settings: &Settings) -> bool {
    pod.owner == PodOwner::DaemonSet || !settings.shows(&pod.namespace)
}

fn cluster_view(
    name: &ClusterName,
    member: &MemberSeen,
    measured: &Measured,
    settings: &Settings,
    moment: Moment,
) -> ClusterView {
    let mut overhead: BTreeMap<&str, Resources> = BTreeMap::new();
    let mut taken: BTreeMap<&str, Resources> = BTreeMap::new();
    let (mut requested, mut pods_pending) = (Resources::default(), 0);
    let alive = || member.pods.iter().filter(|pod| !pod.over);
    for pod in alive() {
        let of_node = is_overhead(pod, settings);
        if let Some(node) = &pod.node {
            *if of_node { &mut overhead } else { &mut taken }.entry(node).or_default() += pod.requests;
        }
        if !of_node {
            requested += pod.requests;
            pods_pending += u32::from(pod.is_pending());
        }
    }
    let nodes = node_views(member, &overhead, &taken, measured, settings, moment);
    let ready =
        || member.nodes.iter().filter(|node| node.ready).filter_map(|node| nodes.get(node.name.as_str()));
    let sum =
        |part: fn(&NodeView) -> Resources| ready().map(part).fold(Resources::default(), |sum, one| sum + one);
    let (capacity, allocated) = (sum(|node| node.capacity), sum(|node| node.allocated));
    ClusterView {
        capacity,
        allocated,
        requested,
        pods_pending,
        autoscaled: is_autoscaled(member),
        pools: pool_views(name, member, &nodes, settings),
        nodes: nodes.into_iter().filter_map(|(name, view)| Some((NodeName::new(name).ok()?, view))).collect(),
        signals: whole_readings(member, measured).readings(moment.origin),
    }
}

fn node_views<'a>(
    member: &'a MemberSeen,
    overhead: &BTreeMap<&str, Resources>,
    taken: &BTreeMap<&str, Resources>,
    measured: &Measured,
    settings: &Settings,
    moment: Moment,
) -> BTreeMap<&'a str, NodeView> {
    let of = |amounts: &BTreeMap<&str, Resources>, name: &str| amounts.get(name).copied().unwrap_or_default();
    let view = |node: &'a Arc<NodeFact>| {
        let signals = measured.nodes.get(&node.name).map(|values| values.readings(moment.origin));
        let view = NodeView {
            pool: pool_of(node, settings),
            capacity: node.allocatable.minus(of(overhead, &node.name)),
            allocated: of(taken, &node.name),
            schedulable: node.ready && !node.cordoned,
            signals: signals.unwrap_or_default(),
        };
        (node.name.as_str(), view)
    };
    member.nodes.iter().map(view).collect()
}

/// The first label that names a pool and whose value can be a name.
pub(crate) fn pool_of(node: &NodeFact, settings: &Settings) -> PoolName {
    let mut labelled = settings.pools_by.iter().filter_map(|label| node.labels.get(label));
    let named = labelled.find_map(|value| PoolName::new(&value.to_lowercase()).ok());
    named.unwrap_or_else(|| PoolName::new(DEFAULT_POOL).expect("a fixed word is a name"))
}

fn pool_views(
    cluster: &ClusterName,
    member: &MemberSeen,
    views: &BTreeMap<&str, NodeView>,
    settings: &Settings,
) -> BTreeMap<PoolName, PoolView> {
    let mut pools: BTreeMap<PoolName, Vec<&NodeFact>> = BTreeMap::new();
    for node in &member.nodes {
        pools.entry(pool_of(node, settings)).or_default().push(node);
    }
    for set in settings.pools.iter().filter(|set| set.cluster.as_ref() == Some(cluster)) {
        pools.entry(set.pool.clone()).or_default();
    }
    let view = |(name, nodes): (PoolName, Vec<&NodeFact>)| {
        let view = pool_view(cluster, &name, &nodes, views, settings);
        (name, view)
    };
    pools.into_iter().map(view).collect()
}

fn pool_view(
    cluster: &ClusterName,
    name: &PoolName,
    nodes: &[&NodeFact],
    views: &BTreeMap<&str, NodeView>,
    settings: &Settings,
) -> PoolView {
    let set = settings.pool(cluster, name);
    let ready = nodes.iter().filter(|node| node.ready).count() as u32;
    let booting = nodes.len() as u32 - ready;
    // Nobody can ask for a node of a pool about which nothing is set.
    let maximum = set.and_then(|set| set.maximum).unwrap_or(ready + booting);
    let typical = nodes.iter().filter(|node| node.ready).find_map(|node| views.get(node.name.as_str()));
    let listed = nodes.iter().find_map(|node| settings.prices.get(node.labels.get(INSTANCE_TYPE)?));
    PoolView {
        nodes: ready,
        booting,
        minimum: set.and_then(|set| set.minimum).unwrap_or(0).min(maximum),
        maximum,
        node_capacity: typical.map(|view| view.capacity).unwrap_or_default(),
        price_per_hour: set.and_then(|set| set.price_per_hour).or(listed.copied()).unwrap_or_default(),
        boot_time: set
            .and_then(|set| set.boot_time)
            .or_else(|| seen_boot_time(nodes))
            .unwrap_or(USUAL_BOOT_TIME),
    }
}

/// The middle of the times from a node's creation to its being ready, as long as they are plausible for a first boot.
fn seen_boot_time(nodes: &[&NodeFact]) -> Option<Period> {
    let boot = |node: &&NodeFact| Some(node.ready_since?.since(node.created_at));
    let mut times: Vec<u64> = nodes.iter().filter_map(boot).filter(|time| *time <= 3_600_000).collect();
    times.sort_unstable();
    times.get(times.len() / 2).map(|time| Period(*time))
}

fn is_autoscaled(member: &MemberSeen) -> bool {
    let runs = |fact: &Arc<WorkloadFact>| {
        fact.ready > 0 && AUTOSCALERS.iter().any(|name| fact.reference.name().contains(name))
    };
    member.workloads.iter().any(runs)
}

/// What is measured of the whole, or the sum over all ready nodes when every one is known.
fn whole_readings(member: &MemberSeen, measured: &Measured) -> Values {
    let mut values = measured.whole.clone();
    let ready: Vec<&str> =
        member.nodes.iter().filter(|node| node.ready).map(|node| node.name.as_str()).collect();
    for signal in [Signal::CpuUsage, Signal::MemoryUsage, Signal::PowerWatts] {
        let known = ready.iter().map(|name| measured.nodes.get(*name).and_then(|node| node.get(signal)));
        if values.get(signal).is_none()
            && let Some(sum) = sum_of_all(known)
        {
            values.note(signal, sum);
        }
    }
    values
}

/// The sum, as old as its oldest part; nothing if there are no parts or one is missing.
fn sum_of_all(mut parts: impl Iterator<Item = Option<Value>>) -> Option<Value> {
    let first = parts.next()??;
    parts.try_fold(first, |sum, part| {
        part.map(|part| Value { value: sum.value + part.value, at: sum.at.min(part.at) })
    })
}

/// One workload, as far as it was found.
struct Found {
    each: Resources,
    movable: bool,
    priority: i32,
    created_at: Wall,
    scaled_by: Option<String>,
    repository: Option<String>,
    budget: Option<u32>,
    placements: BTreeMap<ClusterName, PlacementView>,
    values: Vec<Values>,
}

impl Found {
    /// Of several clusters, the tightest budget counts and the first owner is told.
    fn note_owners(&mut self, cluster: &ClusterName, fact: &WorkloadFact, member: &MemberSeen) {
        let scaler = member.autoscalers.iter().find(|one| one.workload == fact.reference);
        let scaler = scaler.map(|one| format!("HorizontalPodAutoscaler {} in {cluster}", one.name));
        self.scaled_by = self.scaled_by.take().or(scaler);
        self.repository = self.repository.take().or_else(|| fact.repository.clone());
        let namespace = fact.reference.namespace();
        let covering = member.budgets.iter().filter(|one| one.covers(namespace, &fact.pod_labels));
        self.budget = covering.map(|one| one.allowed).chain(self.budget).min();
    }

    fn view(self, reference: &WorkloadRef, seen: &FederationSeen, moment: Moment) -> WorkloadView {
        let karmada = seen.karmada.as_ref();
        let moving = seen.moving.contains(reference);
        // Each server allows two thousand million, so that three could say more than fits.
        let placed =
            self.placements.values().map(|placement| placement.replicas).fold(0, u32::saturating_add);
        // While it moves it is there twice; the template says how many are meant.
        let template = karmada.and_then(|karmada| karmada.replicas.get(reference)).filter(|_| moving);
        let created_at =
            karmada.and_then(|karmada| karmada.created_at.get(reference)).unwrap_or(&self.created_at);
        let written = karmada.and_then(|karmada| karmada.moved_at.get(reference));
        // What is divided over more clusters than a move has ends cannot be moved by Karmada without taking a share away first.
        let scheduled = karmada.and_then(|karmada| karmada.scheduled.get(reference));
        let is_divided =
            scheduled.is_some_and(|clusters| clusters.values().filter(|count| **count > 0).count() > 2);
        let written = written.map(|at| moment.origin.timestamp(*at));
        WorkloadView {
            each: self.each,
            replicas: template.copied().unwrap_or(placed),
            placements: self.placements,
            priority: self.priority,
            movable: self.movable && !is_divided,
            scaled_by: self.scaled_by.or_else(|| karmada?.autoscalers.get(reference).cloned()),
            repository: self.repository,
            disruptions_allowed: self.budget,
            moving,
            created_at: moment.origin.timestamp(*created_at),
            last_moved_at: written.max(seen.moved_at.get(reference).copied()),
            signals: combined(&self.values).readings(moment.origin),
        }
    }
}

/// Over clusters, amounts are added; of response times the slowest counts, since nobody says how many answers there were.
fn combined(parts: &[Values]) -> Values {
    let mut values = Values::default();
    for signal in Signal::ALL {
        let known: Vec<Value> = parts.iter().filter_map(|part| part.get(signal)).collect();
        let Some(at) = known.iter().map(|value| value.at).min() else { continue };
        let is_latency = matches!(
            signal,
            Signal::LatencyMean | Signal::LatencyP50 | Signal::LatencyP95 | Signal::LatencyP99
        );
        let numbers = known.iter().map(|value| value.value);
        let value = if is_latency { numbers.fold(0.0, f64::max) } else { numbers.sum() };
        values.note(signal, Value { value, at });
    }
    values
}

fn gather(
    workloads: &mut BTreeMap<WorkloadRef, Found>,
    cluster: &ClusterName,
    member: &MemberSeen,
    measured: &Measured,
    settings: &Settings,
    moment: Moment,
) {
    let mut pods: BTreeMap<(&str, &PodOwner), Vec<&PodFact>> = BTreeMap::new();
    for pod in member.pods.iter().filter(|pod| !pod.over) {
        pods.entry((&pod.namespace, &pod.owner)).or_default().push(pod);
    }
    for fact in member.workloads.iter().filter(|fact| settings.shows(fact.reference.namespace())) {
        let owner = PodOwner::Workload(fact.reference.kind(), fact.reference.name().to_owned());
        let own = pods.get(&(fact.reference.namespace(), &owner)).map(Vec::as_slice).unwrap_or_default();
        let found = workloads.entry(fact.reference.clone()).or_insert_with(|| Found {
            each: fact.each,
            movable: true,
            priority: 0,
            created_at: fact.created_at,
            scaled_by: None,
            repository: None,
            budget: None,
            placements: BTreeMap::new(),
            values: Vec::new(),
        });
        found.movable &= fact.movable;
        found.note_owners(cluster, fact, member);
        found.created_at = found.created_at.min(fact.created_at);
        found.priority = own.iter().map(|pod| pod.priority).max().unwrap_or(found.priority);
        found.placements.insert(cluster.clone(), placement(fact, own, moment));
        found.values.push(workload_values(fact, own, measured, moment));
    }
}

fn placement(fact: &WorkloadFact, pods: &[&PodFact], moment: Moment) -> PlacementView {
    let pending = || pods.iter().filter(|pod| pod.is_pending());
    PlacementView {
        replicas: if fact.ending { 0 } else { fact.replicas },
        pods: pods.len() as u32,
        pods_pending: pending().count() as u32,
        pods_ready: pods.iter().filter(|pod| pod.ready).count() as u32,
        pending_since: pending().map(|pod| moment.origin.timestamp(pod.created_at)).min(),
    }
}

/// What is measured of the workload itself, and the sums over its ready pods where every one is known.
fn workload_values(fact: &WorkloadFact, pods: &[&PodFact], measured: &Measured, moment: Moment) -> Values {
    let key = (fact.reference.namespace().to_owned(), fact.reference.name().to_owned());
    let mut values = measured.workloads.get(&key).cloned().unwrap_or_default();
    for signal in [Signal::CpuUsage, Signal::MemoryUsage, Signal::RequestsPerSecond, Signal::PowerWatts] {
        let of = |pod: &PodFact| measured.pods.get(&(pod.namespace.clone(), pod.name.clone()))?.get(signal);
        let expected = |pod: &&&PodFact| {
            pod.ready && (moment.now.since(pod.created_at) > MEASURED_AFTER_MS || of(pod).is_some())
        };
        let known = pods.iter().filter(expected).map(|pod| of(pod));
        if values.get(signal).is_none()
            && let Some(sum) = sum_of_all(known)
        {
            values.note(signal, sum);
        }
    }
    values
}
