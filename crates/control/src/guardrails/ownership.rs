//! Others have a say too: autoscalers, repositories and disruption budgets. Nothing is done against them unless a person granted it.

use super::{Ground, Owner, Refusal};
use model::action::Action;
use model::snapshot::WorkloadView;

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
    let disrupts = action.is_relocation() && !ground.undoing && view.pods_pending() == 0;
    let is_granted = ground.config.despite.contains(&Owner::Budget);
    if disrupts && view.disruptions_allowed == Some(0) && !is_granted {
        return Err(Refusal::NoDisruptionAllowed { workload: workload.clone() });
    }
    Ok(())
}

fn subject<'a>(
    ground: &'a Ground<'_>,
    action: &'a Action,
) -> Option<(&'a model::names::WorkloadRef, &'a WorkloadView)> {
    let workload = action.workload()?;
    Some((workload, ground.snapshot.workloads.get(workload)?))
}
