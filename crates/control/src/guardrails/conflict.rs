//! Only one action on the same thing at a time.

use super::{Ground, Refusal};
use model::action::Action;

pub(super) fn alone(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let other = ground.committed.iter().find(|(_, committed)| committed.conflicts_with(action));
    if let Some((with, _)) = other {
        return Err(Refusal::Conflict { with: *with });
    }
    let moving = |workload| ground.snapshot.workloads.get(workload).is_some_and(|view| view.moving);
    match action.workload() {
        Some(workload) if moving(workload) => Err(Refusal::Conflict { with: None }),
        _ => Ok(()),
    }
}
