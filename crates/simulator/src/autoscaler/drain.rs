//! Which pods of a node must move before it can go, and which of them may not.

use super::config::AutoscalerConfig;
use super::decisions::Blocking;
use super::view::{ClusterView, PodOwner, PodTraits};
use crate::scheduler::{ClusterState, NodeId, PlacedPod, PodId};
use model::time::Timestamp;

/// What a pod means for the removal of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Goes with the node.
    Stays,
    Moves,
    Blocks(Blocking),
}

/// Judges one pod by upstream's rules, in their order: the first that applies decides.
pub(super) fn judge(now: Timestamp, config: &AutoscalerConfig, pod: &PodTraits, budgets: &[u32]) -> Verdict {
    let block = Verdict::Blocks;
    if goes_with_the_node(pod) {
        return Verdict::Stays;
    }
    if pod.safe_to_evict == Some(true) {
        return Verdict::Moves;
    }
    if pod.owner == PodOwner::Nobody {
        return block(Blocking::NobodyReplacesIt);
    }
    let is_fresh = pod.created + config.system_pods_hold_for >= now;
    if pod.system && config.keep_system_pods && pod.budget.is_none() && is_fresh {
        return block(Blocking::SystemPod);
    }
    if pod.safe_to_evict == Some(false) {
        return block(Blocking::NotSafeToEvict);
    }
    if pod.local_storage && config.keep_local_storage {
        return block(Blocking::LocalStorage);
    }
    if pod.budget.is_some_and(|budget| budgets[budget.index()] == 0) {
        return block(Blocking::DisruptionBudget);
    }
    Verdict::Moves
}

/// Daemons and mirrors belong to the node; pods long overdue to stop need no other place.
fn goes_with_the_node(pod: &PodTraits) -> bool {
    matches!(pod.owner, PodOwner::Daemon | PodOwner::Mirror) || pod.overdue_to_stop
}

/// Pods on a node of `state` that must move, or the first that may not. `state` may be a copy in which pods were moved
/// and waiting pods placed in thought; the latter move freely. Expendable pods are simply lost.
pub(super) fn pods_to_move(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    state: &ClusterState,
    budgets: &[u32],
    node: NodeId,
) -> Result<Vec<PodId>, (PodId, Blocking)> {
    let mut moving = Vec::new();
    for &pod in state.pods_on(node) {
        let verdict = if is_expendable(config, state, pod) {
            Verdict::Stays
        } else if view.exists(pod) {
            judge(now, config, &(view.pod)(pod), budgets)
        } else {
            Verdict::Moves
        };
        match verdict {
            Verdict::Stays => {}
            Verdict::Moves => moving.push(pod),
            Verdict::Blocks(because) => return Err((pod, because)),
        }
    }
    Ok(moving)
}

fn is_expendable(config: &AutoscalerConfig, state: &ClusterState, pod: PodId) -> bool {
    state.pod(pod).is_some_and(|placed| placed.details.priority < config.expendable_below)
}

/// Whether nothing on the node would have to move.
pub(super) fn is_empty(
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    state: &ClusterState,
    node: NodeId,
) -> bool {
    let stays = |pod: &PodId| {
        is_expendable(config, state, *pod) || (view.exists(*pod) && goes_with_the_node(&(view.pod)(*pod)))
    };
    state.pods_on(node).iter().all(stays)
}

/// Pods that a drain under way will set free, for which a controller will make new ones. For those that were told to stop
/// it has made them: they are among the pending pods, or have a node.
pub(super) fn pods_set_free<'a>(
    config: &'a AutoscalerConfig,
    view: &'a ClusterView<'_>,
    node: NodeId,
) -> impl Iterator<Item = &'a PlacedPod> {
    let moves = move |pod: &&PodId| {
        let traits = (view.pod)(**pod);
        let is_recreated = traits.owner == PodOwner::Controller && !traits.stopping;
        is_recreated && !is_expendable(config, view.state, **pod)
    };
    view.state.pods_on(node).iter().filter(moves).filter_map(|pod| view.state.pod(*pod))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{replica, seconds};
    use super::super::view::BudgetId;
    use super::*;

    #[test]
    fn rules_apply_in_their_order() {
        let (strict, hour) = (AutoscalerConfig::default(), 3600);
        let lax = AutoscalerConfig { keep_system_pods: false, keep_local_storage: false, ..strict.clone() };
        let (tight, wide) = (Some(BudgetId(0)), Some(BudgetId(1)));
        let pod = replica();
        let bare = PodTraits { owner: PodOwner::Nobody, ..pod };
        let system = PodTraits { system: true, ..pod };
        let stored = PodTraits { local_storage: true, ..pod };
        let rows = [
            (&strict, pod, Verdict::Moves),
            (
                &strict,
                PodTraits { owner: PodOwner::Daemon, safe_to_evict: Some(false), ..pod },
                Verdict::Stays,
            ),
            (&strict, PodTraits { owner: PodOwner::Mirror, ..pod }, Verdict::Stays),
            (&strict, PodTraits { overdue_to_stop: true, ..bare }, Verdict::Stays),
            (&strict, bare, Verdict::Blocks(Blocking::NobodyReplacesIt)),
            (&strict, PodTraits { safe_to_evict: Some(true), ..bare }, Verdict::Moves),
            (
                &strict,
                PodTraits { safe_to_evict: Some(false), ..pod },
                Verdict::Blocks(Blocking::NotSafeToEvict),
            ),
            (&strict, system, Verdict::Blocks(Blocking::SystemPod)),
            (&lax, system, Verdict::Moves),
            (&strict, PodTraits { budget: wide, ..system }, Verdict::Moves),
            (&strict, PodTraits { safe_to_evict: Some(true), ..system }, Verdict::Moves),
            (&strict, stored, Verdict::Blocks(Blocking::LocalStorage)),
            (&lax, stored, Verdict::Moves),
            (&strict, PodTraits { safe_to_evict: Some(true), ..stored }, Verdict::Moves),
            (&strict, PodTraits { budget: tight, ..pod }, Verdict::Blocks(Blocking::DisruptionBudget)),
            (&strict, PodTraits { budget: wide, ..pod }, Verdict::Moves),
            (&strict, PodTraits { budget: tight, safe_to_evict: Some(true), ..pod }, Verdict::Moves),
        ];
        for (config, pod, want) in rows {
            assert_eq!(judge(seconds(hour), config, &pod, &[0, 1]), want, "{pod:?}");
        }
        // A system pod holds its node for an hour.
        assert_eq!(judge(seconds(hour + 1), &strict, &system, &[]), Verdict::Moves);
    }
}
