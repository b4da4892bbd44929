//! Not too often, not too soon, not during a freeze: the rules against churn.

use super::{Ground, Refusal};
use model::action::Action;
use model::names::WorkloadRef;
use model::order::StandingFreeze;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

const HOUR: Period = Period::from_hours(1);

/// When which workload was relocated. Holds one entry per workload and the moves of the last hour.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MoveLog {
    last: BTreeMap<WorkloadRef, Timestamp>,
    recent: VecDeque<Timestamp>,
}

impl MoveLog {
    pub fn record(&mut self, now: Timestamp, workload: &WorkloadRef) {
        self.last.insert(workload.clone(), now);
        self.recent.push_back(now);
        while self.recent.front().is_some_and(|at| now.since(*at) > HOUR) {
            self.recent.pop_front();
        }
    }

    pub fn last_move(&self, workload: &WorkloadRef) -> Option<Timestamp> {
        self.last.get(workload).copied()
    }

    pub(crate) fn in_last_hour(&self, now: Timestamp) -> usize {
        self.recent.iter().filter(|at| now.since(**at) <= HOUR).count()
    }
}

/// What a person froze stands still whatever it is; planned windows only keep workloads where they are. Whoever stops everything because
/// something went wrong must still be able to take it back, so the exact way back is open to people.
pub(super) fn not_frozen(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    if ground.undoing {
        return Ok(());
    }
    let covers = |freeze: &&StandingFreeze| freeze.scope.covers(ground.agent, action);
    if let Some(freeze) = ground.freezes.iter().find(covers) {
        return Err(Refusal::Frozen { until: freeze.until, reason: freeze.reason.clone() });
    }
    if !action.is_relocation() {
        return Ok(());
    }
    let active =
        ground.config.freezes.iter().find(|freeze| freeze.from <= ground.now && ground.now < freeze.until);
    match active {
        Some(freeze) => Err(Refusal::Frozen { until: Some(freeze.until), reason: freeze.reason.clone() }),
        None => Ok(()),
    }
}

pub(super) fn cooled_down(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let paced = action.is_relocation() && !ground.undoing;
    let Some(workload) = action.workload().filter(|_| paced) else { return Ok(()) };
    let observed = ground.snapshot.workloads.get(workload).and_then(|view| view.last_moved_at);
    let last = ground.moves.last_move(workload).max(observed);
    match last.map(|at| at + ground.config.cool_down) {
        Some(until) if ground.now < until => Err(Refusal::CoolDown { workload: workload.clone(), until }),
        _ => Ok(()),
    }
}

/// Moves that were started, plus those accepted earlier in the same batch.
pub(super) fn within_rate(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    let paced = action.is_relocation() && !ground.undoing;
    let Some(limit) = ground.config.moves_per_hour.filter(|_| paced) else { return Ok(()) };
    let accepted =
        ground.committed.iter().filter(|(id, action)| id.is_none() && action.is_relocation()).count();
    let in_last_hour = (ground.moves.in_last_hour(ground.now) + accepted) as u32;
    if in_last_hour < limit { Ok(()) } else { Err(Refusal::TooManyMoves { in_last_hour, limit }) }
}
