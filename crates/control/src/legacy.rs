//! What a run takes over from the one before it that could not go on: whatever somebody stopped stays stopped.

use crate::control_loop::{ControlLoop, TrackRecord};
use crate::world::Effect;
use model::names::AgentName;
use model::order::{ModeSetting, StandingFreeze};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is taken over, and what is not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Legacy {
    /// The run before.
    pub from: String,
    /// What stood still, with its end in the time of the new run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub freezes: Vec<StandingFreeze>,
    /// Who answered where. A grant was given under other rules, so people answer there until somebody grants it anew.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ModeSetting>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<AgentName, TrackRecord>,
    /// What was being carried out and nobody follows any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}

impl Legacy {
    /// Whether nothing is taken over or left.
    pub fn is_empty(&self) -> bool {
        self.freezes.is_empty() && self.modes.is_empty() && self.records.is_empty() && self.left.is_empty()
    }
}

impl ControlLoop {
    pub(crate) fn inherited(&mut self, now: Timestamp, legacy: &Legacy, effects: &mut Vec<Effect>) {
        for StandingFreeze { scope, by, reason, until, .. } in legacy.freezes.iter().cloned() {
            effects.push(Effect::Freeze(self.freezes.add(scope, by, reason, (now, until))));
        }
        for setting in &legacy.modes {
            self.modes.set(setting.clone());
            effects.push(Effect::SetMode(setting.clone()));
        }
        self.records.clone_from(&legacy.records);
    }
}
