//! The port both worlds fill in, and the closed sets of what flows in and out of the loop.

use crate::guardrails::Refusal;
use crate::legacy::Legacy;
use crate::question::{Answer, Fault, Question};
use crate::review_desk::{Approved, ReviewRefusal};
use crate::strategy::{HoldReason, Instead, UnmetLimit};
use crate::supply::Supply;
use model::action::Action;
use model::execution::Progress;
use model::names::{AgentName, ReviewerName};
use model::order::{Extent, FreezeId, ModeSetting, Order, StandingFreeze};
use model::prediction::Prediction;
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
    /// Somebody outside the loop recommends something.
    Proposed(Proposal),
    /// A person wants something other than to answer.
    Ordered(Order),
    /// The run begins with what another one left.
    Inherited(Box<Legacy>),
    /// Which agents and limits are in force besides those that the run began with.
    Supplied(Arc<Supply>),
    /// What carrying out a recommendation would bring, as far as it can be reckoned.
    Predicted {
        id: RecommendationId,
        prediction: Arc<Prediction>,
    },
    /// How good the prediction for one recommendation turned out to be.
    Scored {
        id: RecommendationId,
        agent: AgentName,
        /// Measures that were predicted.
        predicted: u32,
        /// Measures that came out within the interval.
        inside: u32,
    },
    Applied {
        id: RecommendationId,
        outcome: Applied,
    },
}

/// What somebody outside the loop recommends: an agent that runs elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub agent: AgentName,
    pub drafts: Vec<Draft>,
    /// Whether it is all that the agent wants now: what it proposed before and does not repeat ends.
    pub complete: bool,
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
    /// A review was taken, and one more is needed.
    Endorse {
        id: RecommendationId,
        by: ReviewerName,
        given: u32,
        needed: u32,
    },
    /// An answer was put off: it is asked for again then, and waits longer.
    Defer {
        id: RecommendationId,
        until: Timestamp,
        expires_at: Timestamp,
    },
    /// These wait for a prediction before anybody is asked.
    Predict {
        ids: Vec<RecommendationId>,
    },
    Apply(Approved),
    /// Gives up what is being carried out.
    Abort {
        id: RecommendationId,
    },
    Freeze(StandingFreeze),
    /// A freeze ended, by a person or because its time was over.
    Unfreeze {
        id: FreezeId,
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<ReviewerName>,
    },
    SetMode(ModeSetting),
    /// What was said about this agent or this part does not hold any more.
    ClearMode {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentName>,
        scope: Extent,
    },
    /// An order had no effect, and why.
    RefuseOrder {
        refusal: OrderRefusal,
    },
}

/// Why an order has no effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum OrderRefusal {
    /// No such freeze stands.
    NotFrozen,
    /// Nobody has said anything about this agent or this part.
    NoSuchMode,
    /// Its end is not in the future.
    EndsAtOnce,
    /// So many freezes or settings are enough.
    TooMany { limit: u32 },
    /// The recommendation it is about cannot be changed like this.
    Review { refusal: ReviewRefusal },
    /// Only a migration has a target that can be changed.
    NoTarget,
    /// Only what is being carried out can be given up.
    NotUnderWay,
    /// The guardrails do not let the plan through.
    Refused { refusal: Refusal },
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
    /// What models said and the agent did not take over.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disregarded: Vec<Fault>,
    /// Who decided because no model did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instead: Option<Instead>,
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

/// A world that goes on by itself, whether anybody looks or not: real clusters. Its inputs are asked for and never waited for, its
/// course cannot be taken again, and what is under way there survives whoever began it.
///
/// Moments are those of the run: milliseconds since it began.
pub trait Outside: Send {
    /// The next thing that has happened there, if anything has.
    fn poll(&mut self, now: Timestamp) -> Option<Input>;

    /// What stands still at the desk; told before every poll. Whoever orders freezes there knows from it which ones hold.
    fn stands(&mut self, _freezes: &[StandingFreeze]) {}

    /// Which agents and limits are in force besides those that the run began with; told before every poll.
    fn in_force(&mut self, _supply: &Supply) {}

    /// Starts an effect. Its result comes back later as an input.
    fn start(&mut self, now: Timestamp, effect: &Effect);

    /// Goes on with an action that was approved, and perhaps begun, before this process was: whatever of it is already so is not done
    /// again. `known` are the steps that were written down.
    fn take_up(&mut self, now: Timestamp, approved: &Approved, known: &Progress);

    /// How far every action has come that was begun or taken up.
    fn progress(&self) -> Vec<Progress>;

    /// Somebody who can ask there whether an action would be taken, if anybody can.
    fn rehearsal(&self) -> Option<Arc<dyn Rehearsal>> {
        None
    }
}

/// Asks a world that goes on by itself what it would say to an action, and changes nothing there. It waits for the answer, so it is
/// not for the thread that polls.
pub trait Rehearsal: Send + Sync {
    fn rehearse(&self, action: &Action) -> Result<(), Objection>;
}

/// Why an action would not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// It would be refused; in the words of whoever refuses.
    Refused { reason: String },
    /// Nobody could be asked just now.
    NoAnswer { reason: String },
}
