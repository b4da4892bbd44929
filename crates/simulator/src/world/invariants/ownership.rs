//! No pod is lost, doubled or forgotten.

use super::ensure;
use crate::world::SimulatedWorld;
use crate::world::agenda::Event;
use crate::world::pods::{Phase, PodKey, PodRecord};
use std::collections::BTreeMap;

/// Every listed pod exists once and is its lister's; every pod that nobody lists is on its way out.
pub(super) fn one_owner(world: &SimulatedWorld) -> Result<(), String> {
    let mut owners: BTreeMap<(usize, PodKey), usize> = BTreeMap::new();
    for (number, workload) in world.workloads.iter().enumerate() {
        for (index, placement) in workload.placements.iter() {
            for key in placement.pods() {
                let name = || {
                    format!("{} in {}", world.spec.workloads[number].reference, world.clusters[*index].name)
                };
                ensure(owners.insert((*index, key), number).is_none(), || {
                    format!("{}: {key:?} twice", name())
                })?;
                let record = world.clusters[*index].pods.get(key);
                let record = record.ok_or_else(|| format!("{}: {key:?} does not exist", name()))?;
                ensure(record.owner.workload as usize == number, || {
                    format!("{}: {key:?} belongs to workload {}", name(), record.owner.workload)
                })?;
            }
        }
    }
    for (index, cluster) in world.clusters.iter().enumerate() {
        let orphan =
            |pod: &&PodRecord| pod.phase != Phase::Stopping && !owners.contains_key(&(index, pod.key));
        if let Some(pod) = cluster.pods.iter().find(orphan) {
            return Err(format!("nobody owns {pod:?} in {}", cluster.name));
        }
    }
    Ok(())
}

/// A placement that leaves, or whose workload is deleted, has only pods that stop.
pub(super) fn leaving_pods_stop(world: &SimulatedWorld) -> Result<(), String> {
    for (spec, workload) in world.spec.workloads.iter().zip(world.workloads.iter()) {
        for (index, placement) in workload.placements.iter() {
            let name = || format!("{} in {}", spec.reference, world.clusters[*index].name);
            ensure(workload.exists || placement.leaving, || format!("{} outlives its workload", name()))?;
            let pods = placement.pods().into_iter().filter_map(|key| world.clusters[*index].pods.get(key));
            let stays = pods.into_iter().any(|pod| pod.phase != Phase::Stopping);
            ensure(!placement.leaving || !stays, || format!("{} leaves, but not all its pods do", name()))?;
        }
    }
    Ok(())
}

/// A pod on a dead node waits for the node. Any other that starts or stops has exactly one event that ends this; so has a pod that runs for a given time.
pub(super) fn something_follows(world: &SimulatedWorld) -> Result<(), String> {
    let mut planned: BTreeMap<(usize, PodKey, u32), [u32; 3]> = BTreeMap::new();
    for event in world.agenda.planned() {
        let (place, kind) = match event {
            Event::PodReady { cluster, pod, life } => ((*cluster, *pod, *life), 0),
            Event::PodFinished { cluster, pod, life } => ((*cluster, *pod, *life), 1),
            Event::PodGone { cluster, pod, life } => ((*cluster, *pod, *life), 2),
            _ => continue,
        };
        planned.entry(place).or_default()[kind] += 1;
    }
    for (index, cluster) in world.clusters.iter().enumerate() {
        for pod in cluster.pods.iter() {
            let ends = world.spec.workloads[pod.owner.workload as usize].run_time.is_some();
            let [ready, finished, gone] =
                planned.get(&(index, pod.key, pod.life)).copied().unwrap_or_default();
            let crashed = pod.node.and_then(|node| cluster.node(node)).is_some_and(|node| node.crashed);
            let holds_room = pod.is_placed();
            ensure(pod.lost == (crashed && holds_room), || format!("lost is wrong: {pod:?}"))?;
            let right = match pod.phase {
                _ if pod.lost => ready == 0 && finished == 0 && gone == 0,
                Phase::Waiting | Phase::Succeeded => gone == 0 && ready == 0 && finished == 0,
                Phase::Starting => ready == 1 && gone == 0,
                Phase::Ready => finished == u32::from(ends) && gone == 0,
                Phase::Stopping => gone == 1,
            };
            ensure(right, || format!("ready {ready}, finished {finished}, gone {gone} planned for {pod:?}"))?;
        }
    }
    Ok(())
}
