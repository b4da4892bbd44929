//! The review desk: the life of every recommendation, and the only maker of [`Approved`].
//!
//! It holds open recommendations only; settled ones are in the journal. It does not decide whether an action is still
//! sensible: that is the guardrails' work.
//!
//! Several agents share one desk, and none of them hides another's wish: proposals that exclude each other wait side by
//! side, and the first approval wins. While it is approved or under way, the other is refused as a conflict when somebody
//! approves it; afterwards the world is no longer in the state it starts from. A batch ends only what the same agent
//! left unreviewed.

use crate::guardrails::Refusal;
use crate::world::{Applied, Effect, SettleReason};
use model::action::Action;
use model::hash::ContentHash;
use model::names::{AgentName, ReviewerName};
use model::order::Grant;
use model::prediction::Prediction;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Review, Reviewer, Stage};
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Ten decisions of a thousand items each can wait; more than that nobody reviews.
pub const MAX_OPEN: u32 = 10_000;

/// When an unreviewed recommendation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Expiry {
    /// Each item has its own lifetime; an identical plan in a later batch keeps its place.
    Lifetime { period: Period },
    /// A new batch ends everything of the same agent that is unreviewed.
    NextBatch,
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum ReviewMode {
    /// Nobody: recommendations are shown and recorded, and none can be carried out.
    Observe,
    /// A person, real or simulated: recommendations wait.
    Human,
    /// What a rule names passes; a person answers the rest.
    Rules,
    /// A rule that a person granted approves everything within its limits that the guardrails let through.
    Auto {
        rule: ReviewerName,
        /// How far that goes; without an end only where no person is, in a laboratory.
        #[serde(default, skip_serializing_if = "Grant::is_unlimited")]
        limits: Grant,
    },
}

/// Proof that a reviewer said yes and that the guardrails still held. Nothing else can make one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Approved {
    recommendation: Recommendation,
    reviewer: Reviewer,
}

impl Approved {
    pub const fn recommendation(&self) -> &Recommendation {
        &self.recommendation
    }

    pub const fn reviewer(&self) -> &Reviewer {
        &self.reviewer
    }
}

/// Why a review has no effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum ReviewRefusal {
    /// No such recommendation is open: it never existed or is settled.
    NotOpen,
    /// It was answered already.
    AlreadyAnswered { stage: Stage },
    /// The reviewer saw another content than the one on the desk.
    ContentDiffers,
    /// Its lifetime was over.
    TooLate { expired_at: Timestamp },
    /// Who made a plan does not approve it.
    OwnPlan,
    /// The same person said yes before; somebody else has to.
    SaidBefore,
    /// Nothing is carried out in this part of the federation.
    ObserveOnly,
    /// The guardrails do not let it through at the moment; it stays on the desk.
    NotNow { refusal: Refusal },
    /// It cannot be put off for so long.
    DeferredTooLong { latest: Timestamp },
}

/// All open recommendations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewDesk {
    open: BTreeMap<RecommendationId, Entry>,
    settled: BTreeMap<Stage, u64>,
    max_open: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    recommendation: Recommendation,
    stage: Stage,
    /// Its own end, or a later one since it was put off.
    expires_at: Timestamp,
    /// Until when a person put it aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deferred_until: Option<Timestamp>,
    /// Who said yes where one is not enough.
    endorsed_by: Vec<ReviewerName>,
    prediction: Option<Arc<Prediction>>,
    /// Who said the yes with which it was begun.
    begun_by: Option<Reviewer>,
    /// Whether a person wants it taken back while it is under way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    aborting: bool,
}

impl Default for ReviewDesk {
    fn default() -> Self {
        Self::with_room_for(MAX_OPEN)
    }
}

impl ReviewDesk {
    /// A desk that holds at most so many open recommendations.
    pub const fn with_room_for(max_open: u32) -> Self {
        Self { open: BTreeMap::new(), settled: BTreeMap::new(), max_open }
    }

    pub const fn max_open(&self) -> u32 {
        self.max_open
    }

    /// Open recommendations that stay when a new batch of `agent` ends its former one.
    pub fn open_besides(&self, agent: &AgentName) -> usize {
        self.open.len() - self.pending().filter(|entry| entry.recommendation.agent == *agent).count()
    }

    /// How many recommendations stand or ended at each stage.
    pub fn counts(&self) -> BTreeMap<Stage, u64> {
        let mut counts = self.settled.clone();
        for entry in self.open.values() {
            *counts.entry(entry.stage).or_default() += 1;
        }
        counts
    }

    /// Actions that are approved or under way.
    pub fn committed(&self) -> Vec<(RecommendationId, Action)> {
        self.actions(|entry| matches!(entry.stage, Stage::Approved | Stage::Applying))
    }

    /// Actions of an agent that wait for an answer.
    pub fn awaiting(&self, agent: &AgentName) -> Vec<(RecommendationId, Action)> {
        self.actions(|entry| entry.stage == Stage::Pending && entry.recommendation.agent == *agent)
    }

    /// When the next unreviewed item ends.
    pub fn next_expiry(&self) -> Option<Timestamp> {
        self.pending().map(|entry| entry.expires_at).min()
    }

    pub fn pending_plan(&self, plan: ContentHash) -> Option<RecommendationId> {
        self.pending()
            .find(|entry| entry.recommendation.plan_key() == plan)
            .map(|entry| entry.recommendation.id)
    }

    pub(crate) fn submit(&mut self, recommendation: Recommendation) -> Effect {
        assert!(recommendation.is_intact(), "a recommendation is sealed before it is submitted");
        let entry = Entry {
            recommendation: recommendation.clone(),
            stage: Stage::Pending,
            expires_at: recommendation.expires_at,
            deferred_until: None,
            endorsed_by: Vec::new(),
            prediction: None,
            begun_by: None,
            aborting: false,
        };
        let former = self.open.insert(recommendation.id, entry);
        assert!(former.is_none(), "{} was submitted twice", recommendation.id);
        Effect::Submit(recommendation)
    }

    /// Ends what has outlived its lifetime.
    pub(crate) fn expire(&mut self, now: Timestamp) -> Vec<Effect> {
        let pending = self.pending().filter(|entry| entry.expires_at <= now);
        let over: Vec<RecommendationId> = pending.map(|entry| entry.recommendation.id).collect();
        over.into_iter().map(|id| self.settle(id, Stage::Expired, SettleReason::LifetimeOver)).collect()
    }

    /// Ends everything of `agent` that is unreviewed because its next batch arrived.
    pub(crate) fn expire_batch(&mut self, agent: &AgentName) -> Vec<Effect> {
        let all = self.pending_ids(|recommendation| recommendation.agent == *agent);
        all.into_iter().map(|id| self.settle(id, Stage::Expired, SettleReason::NewBatch)).collect()
    }

    /// Ends what `agent` proposed earlier and no longer does.
    pub(crate) fn supersede(
        &mut self,
        agent: &AgentName,
        batch: &[Recommendation],
        kept: &[RecommendationId],
    ) -> Vec<Effect> {
        let former = self.pending_ids(|old| old.agent == *agent && !kept.contains(&old.id));
        let settle = |id: RecommendationId| {
            let old = &self.open[&id].recommendation.action;
            let newer = batch.iter().find(|new| new.action.conflicts_with(old));
            let reason = newer
                .map_or(SettleReason::NoLongerRecommended, |new| SettleReason::ReplacedBy { id: new.id });
            (id, reason)
        };
        let reasons: Vec<_> = former.into_iter().map(settle).collect();
        reasons.into_iter().map(|(id, reason)| self.settle(id, Stage::Superseded, reason)).collect()
    }

    /// Whether an answer is about something that waits for one.
    pub(crate) fn admits(&self, now: Timestamp, review: &Review) -> Result<(), ReviewRefusal> {
        let entry = self.open.get(&review.recommendation).ok_or(ReviewRefusal::NotOpen)?;
        if entry.stage != Stage::Pending {
            return Err(ReviewRefusal::AlreadyAnswered { stage: entry.stage });
        }
        if entry.recommendation.hash != review.hash {
            return Err(ReviewRefusal::ContentDiffers);
        }
        let expired_at = entry.expires_at;
        if expired_at <= now {
            return Err(ReviewRefusal::TooLate { expired_at });
        }
        Ok(())
    }

    /// Ends or continues with a yes. An approved item still has to pass the guardrails before it is [`ReviewDesk::begin`]-ed.
    pub(crate) fn approve(&mut self, id: RecommendationId) -> Effect {
        self.settle(id, Stage::Approved, SettleReason::ApprovedByReviewer)
    }

    pub(crate) fn reject(&mut self, id: RecommendationId) -> Effect {
        self.settle(id, Stage::Rejected, SettleReason::RejectedByReviewer)
    }

    /// Ends a plan because a person made another one out of it.
    pub(crate) fn replace(&mut self, id: RecommendationId, by: RecommendationId) -> Effect {
        self.settle(id, Stage::Superseded, SettleReason::ReplacedBy { id: by })
    }

    /// Puts an answer off. It gets its whole lifetime again from then on.
    pub(crate) fn defer(&mut self, id: RecommendationId, until: Timestamp) -> Option<Effect> {
        let entry = self.open.get_mut(&id)?;
        let lifetime = entry.recommendation.expires_at.since(entry.recommendation.raised_at);
        entry.expires_at = entry.expires_at.max(until + lifetime);
        entry.deferred_until = Some(until);
        Some(Effect::Defer { id, until, expires_at: entry.expires_at })
    }

    /// Until when a person put it aside.
    pub(crate) fn deferred_until(&self, id: RecommendationId) -> Option<Timestamp> {
        self.open.get(&id)?.deferred_until
    }

    /// Notes a yes that is not enough alone.
    pub(crate) fn endorse(&mut self, id: RecommendationId, by: ReviewerName, needed: u32) -> Option<Effect> {
        let entry = self.open.get_mut(&id)?;
        entry.endorsed_by.push(by.clone());
        Some(Effect::Endorse { id, by, given: entry.endorsed_by.len() as u32, needed })
    }

    /// Who said yes so far.
    pub fn endorsed_by(&self, id: RecommendationId) -> &[ReviewerName] {
        self.open.get(&id).map_or(&[], |entry| &entry.endorsed_by)
    }

    pub(crate) fn predicted(&mut self, id: RecommendationId, prediction: &Arc<Prediction>) {
        if let Some(entry) = self.open.get_mut(&id) {
            entry.prediction = Some(Arc::clone(prediction));
        }
    }

    pub fn prediction(&self, id: RecommendationId) -> Option<&Prediction> {
        self.open.get(&id)?.prediction.as_deref()
    }

    /// All that wait for an answer, oldest first.
    pub fn waiting(&self) -> Vec<RecommendationId> {
        self.waiting_where(|_| true)
    }

    /// Those that wait for an answer and about which this holds, oldest first.
    pub(crate) fn waiting_where(&self, wanted: impl Fn(&Recommendation) -> bool) -> Vec<RecommendationId> {
        self.pending_ids(wanted)
    }

    pub fn stage(&self, id: RecommendationId) -> Option<Stage> {
        self.open.get(&id).map(|entry| entry.stage)
    }

    pub fn recommendation(&self, id: RecommendationId) -> Option<&Recommendation> {
        self.open.get(&id).map(|entry| &entry.recommendation)
    }

    /// Starts an approved item.
    pub(crate) fn begin(&mut self, id: RecommendationId, reviewer: Reviewer) -> [Effect; 2] {
        let settled = self.settle(id, Stage::Applying, SettleReason::Started);
        let entry = self.open.get_mut(&id).expect("it was settled a line above");
        entry.begun_by = Some(reviewer.clone());
        let recommendation = entry.recommendation.clone();
        [settled, Effect::Apply(Approved { recommendation, reviewer })]
    }

    /// Everything that waits or is under way, and how it stands.
    pub fn open(&self) -> impl Iterator<Item = (&Recommendation, Stage)> {
        self.open.values().map(|entry| (&entry.recommendation, entry.stage))
    }

    /// Everything that was begun and of which no end was seen, as it was approved.
    pub fn begun(&self) -> Vec<Approved> {
        let approved = |entry: &Entry| {
            let reviewer = entry.begun_by.clone().filter(|_| entry.stage == Stage::Applying)?;
            Some(Approved { recommendation: entry.recommendation.clone(), reviewer })
        };
        self.open.values().filter_map(approved).collect()
    }

    /// A person wants something taken back that is under way. Returns whether it is.
    pub(crate) fn abort(&mut self, id: RecommendationId) -> bool {
        let entry = self.open.get_mut(&id).filter(|entry| entry.stage == Stage::Applying);
        entry.map(|entry| entry.aborting = true).is_some()
    }

    /// What is under way and to be taken back: whoever goes on with it has to be told again.
    pub fn aborting(&self) -> impl Iterator<Item = RecommendationId> {
        let aborting = |entry: &&Entry| entry.aborting && entry.stage == Stage::Applying;
        self.open.values().filter(aborting).map(|entry| entry.recommendation.id)
    }

    /// Ends an approved item that the guardrails no longer allow.
    pub(crate) fn refuse(&mut self, id: RecommendationId, refusal: Refusal) -> Effect {
        self.settle(id, Stage::Failed, SettleReason::RefusedWhenActing { refusal })
    }

    /// Ends an item with what was observed. An outcome for something not under way is ignored: it was settled before.
    pub(crate) fn finish(&mut self, id: RecommendationId, outcome: &Applied) -> Option<Effect> {
        self.open.get(&id).filter(|entry| entry.stage == Stage::Applying)?;
        let stage = match outcome {
            Applied::Done => Stage::Applied,
            Applied::Failed { .. } => Stage::Failed,
            Applied::RolledBack { .. } => Stage::RolledBack,
        };
        Some(self.settle(id, stage, SettleReason::Observed { outcome: outcome.clone() }))
    }

    fn settle(&mut self, id: RecommendationId, stage: Stage, reason: SettleReason) -> Effect {
        let entry = self.open.get_mut(&id).expect("only open recommendations change their stage");
        assert!(entry.stage.may_become(stage), "{id} cannot go from {:?} to {stage:?}", entry.stage);
        entry.stage = stage;
        if stage.is_final() {
            self.open.remove(&id);
            *self.settled.entry(stage).or_default() += 1;
        }
        Effect::Settle { id, stage, reason }
    }

    fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.open.values().filter(|entry| entry.stage == Stage::Pending)
    }

    fn pending_ids(&self, wanted: impl Fn(&Recommendation) -> bool) -> Vec<RecommendationId> {
        let pending = self.pending().map(|entry| &entry.recommendation);
        pending
            .filter(|recommendation| wanted(recommendation))
            .map(|recommendation| recommendation.id)
            .collect()
    }

    fn actions(&self, wanted: impl Fn(&Entry) -> bool) -> Vec<(RecommendationId, Action)> {
        let entries = self.open.iter().filter(|(_, entry)| wanted(entry));
        entries.map(|(id, entry)| (*id, entry.recommendation.action.clone())).collect()
    }
}
