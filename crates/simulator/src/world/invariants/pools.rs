//! Pools agree with their nodes.

use super::ensure;
use crate::world::SimulatedWorld;
use crate::world::agenda::Event;

pub(super) fn counts(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for (index, pool) in cluster.pools.iter().enumerate() {
            let nodes =
                || cluster.node_ids().filter_map(|id| cluster.node(id)).filter(|node| node.pool == index);
            let draining = nodes().filter(|node| node.is_draining()).count();
            let ready = nodes().count() - draining;
            let comes = |event: &&Event| matches!(event, Event::NodeReady { cluster: at, pool } if (*at, *pool) == (cluster.index, index));
            let coming = world.agenda.planned().filter(comes).count();
            // Orders that were withdrawn are planned as well.
            let right = (ready, draining) == (pool.ready as usize, pool.draining as usize)
                && coming >= pool.booting.len();
            ensure(right, || {
                let counted = format!("{ready} ready, {draining} draining, {coming} coming");
                format!("{} in {}: {counted}, kept {pool:?}", pool.spec.name, cluster.name)
            })?;
        }
    }
    Ok(())
}

/// The size a pool is on its way to; nodes that drain are beyond it.
pub(super) fn bounds(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for pool in &cluster.pools {
            let (target, spec) = (pool.target(), &pool.spec);
            ensure((spec.minimum..=spec.maximum).contains(&target), || {
                let bounds = format!("{}..={}", spec.minimum, spec.maximum);
                format!("{} in {} goes to {target}, not within {bounds}", spec.name, cluster.name)
            })?;
        }
    }
    Ok(())
}
