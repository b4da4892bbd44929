//! No action brings a cluster above its limits on load and on pending pods.

use super::{Ground, Refusal, known};
use model::action::Action;
use model::names::ClusterName;
use model::ratio::Ratio;

pub(super) fn hold(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    // The way back leads to a state that was there before, limits or not.
    if ground.undoing {
        return Ok(());
    }
    match action {
        Action::Migrate { to, .. } => cluster_holds(ground, to),
        Action::Scale { cluster, from, to, .. } if to > from => cluster_holds(ground, cluster),
        Action::ResizePool { cluster, from, to, .. } if to < from => cluster_holds(ground, cluster),
        _ => Ok(()),
    }
}

fn cluster_holds(ground: &Ground<'_>, cluster: &ClusterName) -> Result<(), Refusal> {
    let after = known(ground, &ground.after.clusters, cluster)?;
    let load_after = after.requested.load_of(after.reachable_capacity());
    if let Some(limit) = ground.config.max_load.filter(|limit| load_after > *limit) {
        return Err(Refusal::LoadLimit { cluster: cluster.clone(), load_after, limit });
    }
    let pending_after = if after.autoscaled { Ratio::ZERO } else { after.pending_share() };
    match ground.config.max_pending.filter(|limit| pending_after > *limit) {
        Some(limit) => Err(Refusal::PendingLimit { cluster: cluster.clone(), pending_after, limit }),
        None => Ok(()),
    }
}
