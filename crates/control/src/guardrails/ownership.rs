//! Others have a say too: autoscalers, repositories and disruption budgets. Nothing is done against them unless a person granted it.

use super::{Ground, GuardrailConfig, Owner, Refusal};
use model::action::Action;
use model::snapshot::{Snapshot, WorkloadView};
use std::sync::Arc;

/// A number that an autoscaler sets, or a definition that a repository keeps, would not stay as we leave it. Where a workload is placed
/// is not in its definition, so a migration is none of a repository's business here; a world that has to copy the definition refuses it
/// by itself.
pub(super) fn nobody_undoes(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let Some((workload, view)) = subject(ground, action) else { return Ok(()) };
    let is_granted = |owner: Owner| ground.config.despite.contains(&owner);
    let scales = matches!(action, Action::Scale { .. });
    if let Some(by) = view.scaled_by.as_ref().filter(|_| scales && !is_granted(Owner::Autoscaler)) {
        return Err(Refusal::ScaledByOther { workload: workload.clone(), by: by.clone() });
    }
    let rewrites = scales || matches!(action, Action::Move { .. });
    if let Some(mark) = view.repository.as_ref().filter(|_| rewrites && !is_granted(Owner::Repository)) {
        return Err(Refusal::OwnedByRepository { workload: workload.clone(), mark: mark.clone() });
    }
    Ok(())
}

/// Whoever forbids disruptions is asked before pods leave a place. Where pods wait for a node the budget is used up by that very
/// trouble, and a move may be what ends it.
pub(super) fn within_budget(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let Some((workload, view)) = subject(ground, action) else { return Ok(()) };
    if action.is_relocation() && !ground.undoing && is_held(ground.config, view) {
        return Err(Refusal::NoDisruptionAllowed { workload: workload.clone() });
    }
    Ok(())
}

fn is_held(config: &GuardrailConfig, view: &WorkloadView) -> bool {
    let is_granted = config.despite.contains(&Owner::Budget);
    view.disruptions_allowed == Some(0) && view.pods_pending() == 0 && !is_granted
}

/// What strategies are shown: what a budget holds where it is cannot be moved, so that they plan with something else.
pub(crate) fn sight(config: &GuardrailConfig, snapshot: &Arc<Snapshot>) -> Arc<Snapshot> {
    if !snapshot.workloads.values().any(|view| is_held(config, view)) {
        return Arc::clone(snapshot);
    }
    let mut seen = Snapshot::clone(snapshot);
    for view in seen.workloads.values_mut() {
        view.movable &= !is_held(config, view);
    }
    Arc::new(seen)
}

fn subject<'a>(
    ground: &'a Ground<'_>,
    action: &'a Action,
) -> Option<(&'a model::names::WorkloadRef, &'a WorkloadView)> {
    let workload = action.workload()?;
    Some((workload, ground.snapshot.workloads.get(workload)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Setup;
    use model::time::Timestamp;

    #[test]
    fn strategies_plan_without_what_a_budget_holds() {
        let setup =
            Setup::new("cluster a 2x4\nheld 1 a=2 budget=0\nfree 1 a=1 budget=1\nwaiting 1 a=1+1 budget=0");
        let snapshot = Arc::new(setup.world.snapshot(Timestamp(0)));
        let movable =
            |seen: &Snapshot| -> Vec<bool> { seen.workloads.values().map(|view| view.movable).collect() };
        let mut config = setup.config.guardrails;
        assert_eq!(movable(&sight(&config, &snapshot)), [true, false, true], "free, held, waiting");
        config.despite.insert(Owner::Budget);
        assert!(Arc::ptr_eq(&sight(&config, &snapshot), &snapshot));
    }
}
