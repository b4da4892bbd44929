//! No node holds more CPU, memory or pods than it has, counted from the pods.

use super::ensure;
use crate::scheduler::NodeId;
use crate::world::SimulatedWorld;
use crate::world::cluster::Cluster;
use model::resources::Resources;

pub(super) fn within_nodes(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for id in cluster.node_ids() {
            let record = cluster.node(id).ok_or("a known node has no record")?;
            let (used, capacity) = (used_on(cluster, id), cluster.pools[record.pool].spec.node_capacity);
            ensure(used.fits_in(capacity), || {
                format!("{} in {}: {used:?} of {capacity:?}", record.name, cluster.name)
            })?;
        }
    }
    Ok(())
}

/// What the pods on a node request together.
pub(super) fn used_on(cluster: &Cluster, node: NodeId) -> Resources {
    let here = cluster.pods.iter().filter(|pod| pod.is_placed() && pod.node == Some(node));
    here.fold(Resources::default(), |sum, pod| sum + pod.spec.each)
}
