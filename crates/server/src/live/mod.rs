//! What is true now, and what happens next, for everybody who watches.

mod event;
pub mod history;
mod hub;
mod reel;
mod turns;

pub use event::{About, Event, FAMILIES, Touched, events_of};
pub use history::History;
pub use hub::{Hub, Subscription};
pub use reel::{Announcement, Reel, Told, told_after};
pub(crate) use turns::Turns;

use crate::access::Departed;
use control::control_loop::{Spent, TrackRecord};
use control::guardrails::GuardrailConfig;
use lab::run::AgentHeader;
use model::names::AgentName;
use model::order::{Extent, Mode, ModeSetting, StandingFreeze};
use model::snapshot::Snapshot;
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The state of the desk at one moment. It is replaced as a whole, so that a reader never sees half of a change.
#[derive(Clone, Debug)]
pub struct Now {
    pub run: String,
    /// Whether there are real clusters behind it.
    pub is_real: bool,
    /// The federation's own time.
    pub at: Timestamp,
    /// When this was true, in milliseconds since 1970.
    pub wall_ms: i64,
    pub paused: bool,
    /// Whether the world has come to its end.
    pub ended: bool,
    /// Virtual seconds in a real one, as wanted and as they are now.
    pub speed: f64,
    pub speed_while_waiting: Option<f64>,
    pub factor: f64,
    /// The last entry of the journal.
    pub seq: i64,
    pub waiting: usize,
    pub under_way: usize,
    pub snapshot: Option<Arc<Snapshot>>,
    /// What was observed and is not any more.
    pub departed: Arc<Departed>,
    pub freezes: Vec<StandingFreeze>,
    pub mode: Mode,
    pub modes: Vec<ModeSetting>,
    pub records: BTreeMap<AgentName, TrackRecord>,
    /// How much of what is limited by the hour is used up.
    pub spent: Spent,
    /// Agents that objects beside the desk brought.
    pub supplied: Vec<AgentHeader>,
    /// What every plan is held to.
    pub guardrails: GuardrailConfig,
}

impl Now {
    /// Who answers where nothing is set for a part: what people set for everything, or what the desk's file says.
    pub fn mode_of_everything(&self) -> &Mode {
        let is_general =
            |setting: &&ModeSetting| setting.agent.is_none() && setting.scope == Extent::Everything;
        match self.modes.iter().find(is_general).map_or(&self.mode, |setting| &setting.mode) {
            // A grant that has ended leaves people to answer.
            Mode::Auto { limits } if limits.until.is_some_and(|until| until <= self.at) => &Mode::Human,
            mode => mode,
        }
    }
}

/// The place where the newest state is found.
#[derive(Debug)]
pub struct Board(RwLock<Arc<Now>>);

impl Board {
    pub fn new(now: Now) -> Self {
        Self(RwLock::new(Arc::new(now)))
    }

    pub fn read(&self) -> Arc<Now> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn write(&self, now: Now) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(now);
    }
}
