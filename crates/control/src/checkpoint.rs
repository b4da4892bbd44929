//! Everything the loop knows between two inputs as plain data, so that a long run goes on from there without being taken again from
//! its beginning.
//!
//! What was approved is part of it, so whoever keeps one keeps it as safe as the journal itself.

use crate::control_loop::{ControlLoop, TrackRecord};
use crate::freezes::Freezes;
use crate::guardrails::MoveLog;
use crate::policy::Modes;
use crate::rejections::Rejections;
use crate::review_desk::ReviewDesk;
use crate::supply::Supply;
use model::names::AgentName;
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of a loop, but for the snapshots that agents look back on: those are large, and kept elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    agents: BTreeMap<AgentName, Remembered>,
    /// What was in force besides what the run began with, and since when its agents may have decided.
    #[serde(default)]
    supply: Supply,
    desk: ReviewDesk,
    moves: MoveLog,
    #[serde(default)]
    rejections: Rejections,
    modes: Modes,
    freezes: Freezes,
    records: BTreeMap<AgentName, TrackRecord>,
    next_observation: Timestamp,
    next_batch: u64,
    next_id: u64,
    #[serde(default)]
    next_look: Option<RecommendationId>,
}

/// What the loop keeps for an agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Remembered {
    pub(crate) due_at: Timestamp,
    pub(crate) asked: Option<u64>,
    pub(crate) memory: Value,
}

/// A checkpoint was made by other agents, or by a build that remembers other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

impl ControlLoop {
    /// How things stand between two inputs; nothing while an agent cannot say what it remembers.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        Some(Checkpoint {
            agents: self.remembered()?,
            supply: self.supply().clone(),
            desk: self.desk.clone(),
            moves: self.moves.clone(),
            rejections: self.rejections.clone(),
            modes: self.modes.clone(),
            freezes: self.freezes.clone(),
            records: self.records.clone(),
            next_observation: self.next_observation,
            next_batch: self.next_batch,
            next_id: self.next_id,
            next_look: self.next_look,
        })
    }

    /// Goes on where a loop of the same configuration stood, with the snapshots that it looked back on.
    pub fn restore(&mut self, checkpoint: Checkpoint, history: Vec<Arc<Snapshot>>) -> Result<(), Unfit> {
        let Checkpoint {
            agents,
            supply,
            desk,
            moves,
            rejections,
            modes,
            freezes,
            records,
            next_observation,
            next_batch,
            next_id,
            next_look,
        } = checkpoint;
        // Whoever was supplied joins first, so that there is somebody to remember.
        self.supplied(next_observation, &supply, &mut Vec::new());
        self.recall(agents)?;
        (self.desk, self.moves, self.modes, self.freezes) = (desk, moves, modes, freezes);
        (self.records, self.history, self.rejections) = (records, history.into(), rejections);
        (self.next_observation, self.next_batch, self.next_id) = (next_observation, next_batch, next_id);
        self.next_look = next_look;
        Ok(())
    }
}
