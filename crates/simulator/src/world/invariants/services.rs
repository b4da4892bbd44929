//! No request is lost without being counted, and what is used and drawn adds up.

use super::ensure;
use crate::scheduler::NodeId;
use crate::world::SimulatedWorld;
use crate::world::cluster::Cluster;
use crate::world::pods::{Phase, PodRecord};
use crate::world::workloads::Workload;
use model::energy::Milliwatts;
use model::quantity::MilliCpu;

/// How far sums of many floating-point numbers may be apart, as a share.
const ROUNDING: f64 = 1e-6;

pub(super) fn requests_are_counted(world: &SimulatedWorld) -> Result<(), String> {
    for run in &world.services {
        let (counts, inside) = run.requests();
        let ends = counts.completed + counts.errors() + counts.time_outs + inside;
        let apart = (counts.arrivals - ends).abs();
        let name = || &world.spec.workloads[run.workload].reference;
        ensure(apart <= ROUNDING * (1.0 + counts.arrivals), || {
            format!("{}: {counts:?}, {inside} inside", name())
        })?;
        let all = [counts.arrivals, counts.completed, counts.errors(), counts.time_outs, inside];
        let sane = all.iter().all(|count| count.is_finite() && *count >= 0.0);
        ensure(sane, || format!("{}: {counts:?}, {inside} inside", name()))?;
    }
    Ok(())
}

pub(super) fn replicas_that_serve(world: &SimulatedWorld) -> Result<(), String> {
    for run in &world.services {
        let workload = &world.workloads[run.workload];
        let (served_by, ready) = (run.replicas(), ready_replicas(world, workload));
        let name = &world.spec.workloads[run.workload].reference;
        ensure(served_by == ready, || format!("{name} is served by {served_by}, and {ready} are ready"))?;
    }
    Ok(())
}

fn ready_replicas(world: &SimulatedWorld, workload: &Workload) -> u32 {
    let in_cluster = |(index, placement): (&usize, &crate::world::workloads::Placement)| {
        let cluster = &world.clusters[*index];
        let pods = placement.pods().into_iter().filter_map(|key| cluster.pods.get(key));
        pods.filter(|pod| pod.phase == Phase::Ready && is_alive(cluster, pod)).count() as u32
    };
    workload.placements.iter().map(in_cluster).sum()
}

fn is_alive(cluster: &Cluster, pod: &PodRecord) -> bool {
    pod.node.and_then(|id| cluster.node(id)).is_some_and(|node| !node.crashed)
}

pub(super) fn use_adds_up(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        let Some(usage) = &cluster.usage else { continue };
        let (mut cpu, mut power) = (0, 0);
        for id in cluster.node_ids() {
            let (counted, drawn) = (used_on(cluster, id), drawn_by(cluster, id));
            let kept = usage.node(id);
            let kept = (kept.cpu.value().0, kept.power.value().0);
            let name = cluster.state.node_name(id);
            ensure((counted, drawn.0) == kept, || {
                format!("{name} in {}: {counted} mCPU, {drawn:?}, kept {kept:?}", cluster.name)
            })?;
            (cpu, power) = (cpu + counted, power + drawn.0);
        }
        let booting: u64 =
            cluster.pools.iter().map(|pool| pool.spec.host.idle().0 * pool.booting.len() as u64).sum();
        let kept = (usage.cpu().value().0, cluster.power().0);
        ensure((cpu, power + booting) == kept, || {
            format!("{}: {cpu} mCPU, {power} and {booting} mW, kept {kept:?}", cluster.name)
        })?;
    }
    Ok(())
}

fn used_on(cluster: &Cluster, node: NodeId) -> u64 {
    let usage = cluster.usage.as_ref();
    let on_it = cluster.pods.iter().filter(|pod| pod.node == Some(node));
    on_it.filter_map(|pod| usage?.pod(pod.key.id)).map(|gauge| gauge.value().0).sum()
}

fn drawn_by(cluster: &Cluster, node: NodeId) -> Milliwatts {
    let record = cluster.node(node).filter(|record| !record.crashed);
    record.map_or(Milliwatts(0), |record| {
        cluster.pools[record.pool].spec.host.power(MilliCpu(used_on(cluster, node)))
    })
}
