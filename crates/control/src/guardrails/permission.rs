//! Owners can opt a workload out of being relocated.

use super::{Ground, Refusal};
use model::action::Action;

pub(super) fn opted_in(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let Some(workload) = action.workload().filter(|_| action.is_relocation()) else { return Ok(()) };
    match ground.snapshot.workloads.get(workload) {
        Some(view) if !view.movable => Err(Refusal::OptedOut { workload: workload.clone() }),
        _ => Ok(()),
    }
}
