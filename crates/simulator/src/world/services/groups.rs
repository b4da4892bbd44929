//! Which replicas are ready, and how much each can do: replicas on equal terms form one group.

use super::Scene;
use super::ways::Ways;
use crate::scheduler::NodeId;
use crate::service::{Group, Profile};
use crate::world::cluster::Cluster;
use crate::world::pods::{Phase, PodKey, PodRecord};
use model::time::Period;
use std::collections::BTreeMap;

/// Equal replicas in one cluster.
#[derive(Clone, Debug)]
pub(super) struct ReadyGroup {
    pub(super) group: Group,
    pub(super) cluster: usize,
    pub(super) pods: Vec<PodKey>,
}

/// What makes replicas equal; its bits are the key under which their requests are kept from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Terms {
    cluster: usize,
    pool: usize,
    cold: bool,
    millicores: u64,
}

impl Terms {
    const fn key(self) -> u64 {
        (self.cluster as u64) << 44 | (self.pool as u64) << 36 | (self.cold as u64) << 35 | self.millicores
    }
}

/// All ready replicas of the scene's workload, and where demand goes.
pub(super) fn collect(scene: &Scene<'_>, profile: &Profile) -> (Vec<ReadyGroup>, Ways) {
    let mut members: BTreeMap<Terms, Vec<PodKey>> = BTreeMap::new();
    let mut ready = vec![0_u64; scene.clusters.len()];
    for (index, placement) in scene.workload.placements.iter() {
        let cluster = &scene.clusters[*index];
        for record in placement.pods().into_iter().filter_map(|key| cluster.pods.get(key)) {
            if let Some(terms) = terms(scene, cluster, record, profile) {
                members.entry(terms).or_default().push(record.key);
                ready[*index] += 1;
            }
        }
    }
    let ways = Ways::of(scene, &ready);
    let groups = members
        .into_iter()
        .map(|(terms, pods)| ready_group(scene, terms, pods, ready[terms.cluster], &ways))
        .collect();
    (groups, ways)
}

/// None for a replica that serves nobody.
fn terms(scene: &Scene<'_>, cluster: &Cluster, record: &PodRecord, profile: &Profile) -> Option<Terms> {
    let (Phase::Ready, Some(node), Some(since)) = (record.phase, record.node, record.ready_since) else {
        return None;
    };
    let host = cluster.node(node).filter(|host| !host.crashed)?;
    Some(Terms {
        cluster: cluster.index,
        pool: host.pool,
        cold: profile.is_cold(scene.now.since(since)),
        millicores: usable(cluster, record, node, host.pool),
    })
}

/// What a replica can use when everybody on its host is busy: its part by requests, as the kernel shares CPU, never more than
/// its limit.
fn usable(cluster: &Cluster, record: &PodRecord, node: NodeId, pool: usize) -> u64 {
    let host = cluster.pools[pool].spec.host.cpu.0;
    let requested = cluster.state.node_resources(node).requested_cpu.max(1) as u64;
    let own = record.spec.each.cpu.0;
    let part = u128::from(host) * u128::from(own.max(1)) / u128::from(requested.max(own.max(1)));
    let limit = record.spec.cpu_limit.map_or(host, |limit| limit.0);
    (part as u64).max(own).min(limit).min(host)
}

fn ready_group(
    scene: &Scene<'_>,
    terms: Terms,
    pods: Vec<PodKey>,
    in_cluster: u64,
    ways: &Ways,
) -> ReadyGroup {
    let pool = &scene.clusters[terms.cluster].pools[terms.pool].spec;
    let group = Group {
        key: terms.key(),
        replicas: pods.len() as u32,
        cores: terms.millicores as f64 / 1_000.0,
        speed: pool.host.speed.as_f64(),
        network_seconds: ways.latency_seconds(scene.network, terms.cluster, pool.name.as_str()),
        cold: terms.cold,
        weight: ways.share(terms.cluster) / in_cluster.max(1) as f64,
    };
    ReadyGroup { group, cluster: terms.cluster, pods }
}

/// What became of the replicas of a group.
#[derive(Default)]
pub(super) struct Fates {
    /// How many stop, by the time they get to finish.
    pub(super) leave: BTreeMap<Period, u32>,
    /// How many go on in another group, by its key.
    pub(super) change: BTreeMap<u64, u32>,
}

pub(super) fn fates(scene: &Scene<'_>, old: &ReadyGroup, next: &[ReadyGroup]) -> Fates {
    let mut fates = Fates::default();
    let near: Vec<&ReadyGroup> = next.iter().filter(|group| group.cluster == old.cluster).collect();
    if near.iter().any(|group| group.group.key == old.group.key && group.pods == old.pods) {
        return fates;
    }
    let pods =
        |group: &&ReadyGroup| -> Vec<_> { group.pods.iter().map(|pod| (*pod, group.group.key)).collect() };
    let keys: BTreeMap<PodKey, u64> = near.iter().flat_map(pods).collect();
    for pod in &old.pods {
        match keys.get(pod) {
            Some(key) if *key == old.group.key => {}
            Some(key) => *fates.change.entry(*key).or_default() += 1,
            None => *fates.leave.entry(grace(scene, old.cluster, *pod)).or_default() += 1,
        }
    }
    fates
}

/// How long a replica that is no longer ready can still work.
fn grace(scene: &Scene<'_>, cluster: usize, pod: PodKey) -> Period {
    let record = scene.clusters[cluster].pods.get(pod);
    let stopping = record.filter(|record| record.phase == Phase::Stopping && !record.lost);
    stopping.map_or(Period::ZERO, |record| record.spec.stop_time.typical())
}
