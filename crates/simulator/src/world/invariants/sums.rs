//! Running totals equal what counting anew gives.

use super::capacity::used_on;
use super::ensure;
use crate::scheduler::{NodeId, PodId};
use crate::world::SimulatedWorld;
use crate::world::cluster::Cluster;
use crate::world::pods::Phase;
use model::resources::Resources;

pub(super) fn of_nodes(world: &SimulatedWorld) -> Result<(), String> {
    world.clusters.iter().try_for_each(nodes_of)
}

fn nodes_of(cluster: &Cluster) -> Result<(), String> {
    let known = cluster.node_ids().count();
    ensure(cluster.state.node_count() == known, || format!("{known} nodes are known in {}", cluster.name))?;
    for id in cluster.node_ids() {
        let (counted, kept) = (used_on(cluster, id), cluster.state.node_resources(id));
        let counted = [counted.cpu.0 as i64, counted.memory.0 as i64, counted.pods as i64];
        let kept = [kept.requested_cpu, kept.requested_memory, kept.pods];
        let name = cluster.state.node_name(id);
        ensure(counted == kept, || format!("{name} in {}: {counted:?}, kept {kept:?}", cluster.name))?;
        let mut listed: Vec<PodId> = cluster.state.pods_on(id).to_vec();
        listed.sort();
        let on_it = cluster.pods.iter().filter(|pod| pod.is_placed() && pod.node == Some(id));
        let on_it: Vec<PodId> = on_it.map(|pod| pod.key.id).collect();
        ensure(on_it == listed, || format!("{name} in {}: {on_it:?}, listed {listed:?}", cluster.name))?;
    }
    Ok(())
}

pub(super) fn of_clusters(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        let (capacity, allocated, requested, waiting) = recount(cluster);
        let sums = &cluster.sums;
        let same = (capacity, allocated, requested, waiting)
            == (sums.capacity, sums.allocated, sums.requested, sums.waiting);
        ensure(same, || {
            let counted = format!("{capacity:?} {allocated:?} {requested:?} {waiting}");
            format!("{}: counted {counted}, kept {sums:?}", cluster.name)
        })?;
    }
    Ok(())
}

fn recount(cluster: &Cluster) -> (Resources, Resources, Resources, u64) {
    // What the cluster takes for dead counts neither as room nor as taken.
    let nodes = cluster.node_ids().filter_map(|id| cluster.node(id)).filter(|node| !node.unreachable);
    let is_dead = |id: NodeId| cluster.node(id).is_some_and(|node| node.unreachable);
    let capacity =
        nodes.fold(Resources::default(), |sum, node| sum + cluster.pools[node.pool].spec.node_capacity);
    let (mut allocated, mut requested, mut waiting) = (Resources::default(), Resources::default(), 0);
    for pod in cluster.pods.iter() {
        if pod.is_placed() && !pod.node.is_some_and(is_dead) {
            allocated += pod.spec.each;
        }
        if pod.phase != Phase::Succeeded {
            requested += pod.spec.each;
        }
        waiting += u64::from(pod.phase == Phase::Waiting);
    }
    (capacity, allocated, requested, waiting)
}
