//! The port both worlds fill in, and the closed sets of what flows in and out of the loop.

use crate::guardrails::Refusal;
use crate::review_desk::{Approved, ReviewRefusal};
use crate::strategy::{Answer, HoldReason, Question, UnmetLimit};
use model::names::AgentName;
use model::recommendation::{Draft, Recommendation, RecommendationId};
use model::review::{Review, Stage};
use model::snapshot::Snapshot;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that can happen to the loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The time the loop asked to be woken has come.
    WakeUp,
    Observed(Arc<Snapshot>),
    Answered {
        agent: AgentName,
        answer: Answer,
    },
    Reviewed(Review),
    Applied {
        id: RecommendationId,
        outcome: Applied,
    },
}

/// What became of an approved action, as seen in the world, never as requested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Applied {
    /// The target was seen in the wanted state.
    Done,
    /// It was not seen done; the reason says how far it came.
    Failed { reason: String },
    /// It was begun, did not succeed, and the former state was restored.
    RolledBack { reason: String },
}

/// Everything the loop can want from the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    Observe,
    Ask {
        agent: AgentName,
        question: Question,
    },
    /// What an agent decided and what the guardrails made of it, for the audit and for people.
    Explain(Explanation),
    Submit(Recommendation),
    /// A recommendation changed its stage.
    Settle {
        id: RecommendationId,
        stage: Stage,
        reason: SettleReason,
    },
    /// A review had no effect, and why.
    RefuseReview {
        id: RecommendationId,
        refusal: ReviewRefusal,
    },
    Apply(Approved),
}

/// One decision of one agent, doing nothing included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    pub agent: AgentName,
    pub batch: u64,
    /// How many recommendations were submitted.
    pub submitted: u32,
    /// How many asked for what already waits on the desk and so kept that place.
    pub kept: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub held: Option<HoldReason>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unmet: Vec<UnmetLimit>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused: Vec<RefusedDraft>,
}

/// A draft that the guardrails did not let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedDraft {
    pub draft: Draft,
    pub refusal: Refusal,
}

/// Why a recommendation changed its stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum SettleReason {
    ApprovedByReviewer,
    RejectedByReviewer,
    /// Nobody answered within its lifetime.
    LifetimeOver,
    /// A newer batch of the same agent arrived (the mode in which a batch ends what is unreviewed).
    NewBatch,
    /// The same agent now wants something else for the same thing.
    ReplacedBy {
        id: RecommendationId,
    },
    /// The same agent no longer recommends it.
    NoLongerRecommended,
    /// The world moved while the reviewer thought.
    RefusedWhenActing {
        refusal: Refusal,
    },
    Started,
    Observed {
        outcome: Applied,
    },
}

/// A world: the simulated one or the real one. Nothing above this trait knows which.
pub trait World {
    type Error;

    /// The next thing that happens; `WakeUp` when nothing does before `deadline`; nothing at the end of the world.
    fn next_input(&mut self, deadline: Timestamp) -> Result<Option<(Timestamp, Input)>, Self::Error>;

    /// Starts an effect. Its result comes back later as an input.
    fn start(&mut self, effect: Effect) -> Result<(), Self::Error>;
}
