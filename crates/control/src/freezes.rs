//! What people froze: each freeze has a number, an owner, a reason and mostly an end.

use model::names::ReviewerName;
use model::order::{Extent, FreezeId, StandingFreeze};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};

/// More than this is a list that nobody oversees any more.
pub(crate) const MOST_FREEZES: u32 = 1_000;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Freezes {
    standing: Vec<StandingFreeze>,
    made: u64,
}

impl Freezes {
    pub(crate) fn standing(&self) -> &[StandingFreeze] {
        &self.standing
    }

    pub(crate) fn next_end(&self) -> Option<Timestamp> {
        self.standing.iter().filter_map(|freeze| freeze.until).min()
    }

    pub(crate) fn add(
        &mut self,
        scope: Extent,
        by: ReviewerName,
        reason: String,
        (since, until): (Timestamp, Option<Timestamp>),
    ) -> StandingFreeze {
        self.made += 1;
        let freeze = StandingFreeze { id: FreezeId(self.made), scope, by, reason, since, until };
        self.standing.push(freeze.clone());
        freeze
    }

    pub(crate) fn lift(&mut self, id: FreezeId) -> Option<StandingFreeze> {
        let place = self.standing.iter().position(|freeze| freeze.id == id)?;
        Some(self.standing.remove(place))
    }

    /// Takes those whose time is over.
    pub(crate) fn ended(&mut self, now: Timestamp) -> Vec<StandingFreeze> {
        let over = |freeze: &mut StandingFreeze| freeze.until.is_some_and(|until| until <= now);
        self.standing.extract_if(.., over).collect()
    }
}
