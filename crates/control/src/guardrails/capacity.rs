//! Every pod that is moved or added finds a node, together with all that is approved or under way.

use super::{Ground, Refusal, known, known_pool};
use crate::projection::ProjectedCluster;
use model::action::Action;
use model::names::ClusterName;

pub(super) fn fits(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Migrate { to, .. } => no_new_waiting(ground, to),
        Action::Scale { cluster, from, to, .. } if to > from => no_new_waiting(ground, cluster),
        Action::ResizePool { cluster, pool, from, to } => {
            let view = known_pool(ground, cluster, pool)?;
            if *to < view.minimum || *to > view.maximum {
                let (minimum, maximum) = (view.minimum, view.maximum);
                return Err(Refusal::OutsidePoolBounds { minimum, maximum, wanted: *to });
            }
            if to < from { no_new_waiting(ground, cluster) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// Pods may wait only for nodes that the cluster will add by itself.
fn no_new_waiting(ground: &Ground<'_>, cluster: &ClusterName) -> Result<(), Refusal> {
    let before = known(ground, &ground.before.clusters, cluster)?;
    let after = known(ground, &ground.after.clusters, cluster)?;
    let more = after.pods_waiting().saturating_sub(before.pods_waiting());
    if more == 0 || can_grow_to(after) {
        return Ok(());
    }
    // A pool that shrinks brings no pods, but those that lose their node look for room all the same.
    let pods = after.requested.pods.saturating_sub(before.requested.pods).max(more);
    Err(Refusal::NoRoom { cluster: cluster.clone(), pods, room: pods.saturating_sub(more) })
}

fn can_grow_to(after: &ProjectedCluster) -> bool {
    after.autoscaled && after.requested.fits_in(after.reachable_capacity())
}
