//! The port every way of deciding fills in.

use crate::question::{Answer, Fault, Question};
use model::action::Action;
use model::names::ClusterName;
use model::recommendation::Draft;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// Decides from what is known. Keeps no clock and no randomness of its own.
pub trait Strategy: Send {
    fn decide(&mut self, view: &View<'_>) -> Decision;

    /// What it would have to know to decide on as if nothing had happened in between; `null` if nothing. None while it cannot say, for
    /// instance because it waits for an answer; whoever never can is only ever rebuilt by deciding everything again.
    fn memory(&self) -> Option<Value> {
        None
    }

    /// Remembers what another one of the same configuration did. Returns whether it understood.
    fn recall(&mut self, _memory: Value) -> bool {
        false
    }
}

/// Everything a strategy may know at the moment it decides.
pub struct View<'a> {
    pub now: Timestamp,
    /// The newest observation.
    pub snapshot: &'a Snapshot,
    /// Observations within the agent's look-back, oldest first, the newest included.
    pub history: &'a VecDeque<Arc<Snapshot>>,
    /// Actions that are approved or under way: they will happen unless they fail.
    pub committed: &'a [Action],
    /// What this agent proposed and nobody answered yet. Proposing the same again keeps its place on the desk. What other
    /// agents proposed is not here: nobody has said yes to it, and it is theirs to keep.
    pub awaiting: &'a [Action],
    /// The answer to the question this strategy asked, when it asked one.
    pub answer: Option<&'a Answer>,
}

/// What a strategy came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub outcome: Outcome,
    /// Limits that no set of moves can restore, with the reason.
    pub unmet: Vec<UnmetLimit>,
    /// What models said and nobody took over, with the reason.
    pub disregarded: Vec<Fault>,
    /// Who decided because no model did.
    pub instead: Option<Instead>,
}

/// Somebody who decided where a model could not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// The name of a strategy, or `votes`.
    pub by: String,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Recommend(Vec<Draft>),
    Ask(Question),
    Hold(HoldReason),
}

impl Decision {
    pub const fn new(outcome: Outcome) -> Self {
        Self { outcome, unmet: Vec::new(), disregarded: Vec::new(), instead: None }
    }

    pub const fn hold(reason: HoldReason) -> Self {
        Self::new(Outcome::Hold(reason))
    }

    pub const fn ask(question: Question) -> Self {
        Self::new(Outcome::Ask(question))
    }

    /// Recommends the drafts, or holds for `otherwise` when there are none.
    pub fn recommend(drafts: Vec<Draft>, otherwise: HoldReason) -> Self {
        Self::new(if drafts.is_empty() { Outcome::Hold(otherwise) } else { Outcome::Recommend(drafts) })
    }

    #[must_use]
    pub fn with_unmet(mut self, unmet: Vec<UnmetLimit>) -> Self {
        self.unmet = unmet;
        self
    }
}

/// Why nothing is recommended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum HoldReason {
    /// This strategy never recommends anything: it is the baseline of comparisons.
    Baseline,
    /// Every cluster is within its limits.
    WithinLimits,
    /// What is already approved or under way will restore the limits.
    UnderWay { actions: u32 },
    /// A limit is broken, but no workload may be moved.
    NothingMovable,
    /// A limit is broken, and no other cluster has room.
    NoRoomElsewhere,
    /// The federation cannot be seen well enough to decide.
    CannotSee { gaps: u32 },
    /// There is only one cluster.
    NowhereToGo,
    /// Models looked at so many workloads or moves and leave everything as it is.
    Advised { considered: u32 },
    /// No model gave a usable answer, and the strategy that decided instead sees nothing to do.
    NoAdvice { why: String, instead: String },
}

/// A limit that is broken and that moving workloads alone cannot restore.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnmetLimit {
    pub limit: LimitKind,
    pub cluster: ClusterName,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    Load,
    Pending,
}
