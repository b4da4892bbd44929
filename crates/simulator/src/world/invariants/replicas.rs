//! The pods of a placement add up to what it should have.

use super::ensure;
use crate::controllers::int_or_percent::Rounding;
use crate::scenario::{ControllerSpec, WorkloadSpec};
use crate::world::SimulatedWorld;
use crate::world::cluster::Cluster;
use crate::world::pods::{Phase, PodRecord};
use crate::world::workloads::Placement;
use std::collections::BTreeSet;

type Case<'a> = (&'a WorkloadSpec, &'a Cluster, &'a Placement, Vec<&'a PodRecord>);

/// At any moment: never more than the surge allows, never fewer than the rollout may take away.
pub(super) fn within_rollout(world: &SimulatedWorld) -> Result<(), String> {
    cases(world).try_for_each(|(spec, cluster, placement, pods)| {
        let active: Vec<&PodRecord> = pods.into_iter().filter(|pod| is_active(pod)).collect();
        let (count, wanted) = (active.len() as u32, placement.replicas);
        let right = match &spec.controller {
            ControllerSpec::Deployment { max_surge, max_unavailable } => {
                let surge = max_surge.of(wanted, Rounding::Up);
                let missing = max_unavailable.of(wanted, Rounding::Down);
                // Upstream lets one be missing when both bounds come to nothing, or no rollout could go on.
                let missing = if surge == 0 { missing.max(1) } else { missing };
                count <= wanted + surge && count + missing >= wanted
            }
            ControllerSpec::ReplicaSet => count == wanted,
            // Bare pods are never taken away: nobody counts them.
            ControllerSpec::StatefulSet | ControllerSpec::DaemonSet | ControllerSpec::Pod => {
                has_distinct_numbers(&active)
            }
            ControllerSpec::Job { completions } => count <= wanted.min(*completions),
            ControllerSpec::CronJob { .. } => true,
        };
        ensure(right, || describe(spec, cluster, placement, &active))
    })
}

/// When every pod is ready and none is leaving, a rollout has nothing to wait for: it must be over.
pub(super) fn at_rest(world: &SimulatedWorld) -> Result<(), String> {
    cases(world).try_for_each(|(spec, cluster, placement, pods)| {
        let counted = matches!(
            spec.controller,
            ControllerSpec::Deployment { .. } | ControllerSpec::ReplicaSet | ControllerSpec::StatefulSet
        );
        let rests = pods.iter().all(|pod| pod.phase == Phase::Ready);
        let right = !counted || !rests || pods.len() as u32 == placement.replicas;
        ensure(right, || describe(spec, cluster, placement, &pods))
    })
}

/// Every placement that is not leaving, with its pods.
fn cases(world: &SimulatedWorld) -> impl Iterator<Item = Case<'_>> {
    let all = world.spec.workloads.iter().zip(world.workloads.iter());
    let all = all.flat_map(|(spec, workload)| workload.placements.iter().map(move |entry| (spec, entry)));
    let staying = all.filter(|(_, (_, placement))| !placement.leaving);
    staying.map(|(spec, (index, placement))| {
        let cluster = &world.clusters[*index];
        let pods = placement.pods().into_iter().filter_map(|key| cluster.pods.get(key)).collect();
        (spec, cluster, placement, pods)
    })
}

const fn is_active(pod: &PodRecord) -> bool {
    matches!(pod.phase, Phase::Waiting | Phase::Starting | Phase::Ready)
}

fn has_distinct_numbers(pods: &[&PodRecord]) -> bool {
    let numbers: BTreeSet<u32> = pods.iter().map(|pod| pod.owner.ordinal).collect();
    numbers.len() == pods.len()
}

fn describe(spec: &WorkloadSpec, cluster: &Cluster, placement: &Placement, pods: &[&PodRecord]) -> String {
    let phases: Vec<Phase> = pods.iter().map(|pod| pod.phase).collect();
    format!("{} in {} should have {}: {phases:?}", spec.reference, cluster.name, placement.replicas)
}
