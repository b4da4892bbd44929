//! What the agents wanted and what became of it, collected from the same stream the journal is written from.

use crate::wording;
use control::guardrails::Refusal;
use control::review_desk::ReviewRefusal;
use control::strategy::{HoldReason, LimitKind};
use control::world::{Effect, Explanation, Input, RefusedDraft, SettleReason};
use model::action::Action;
use model::impact::Impact;
use model::names::{AgentName, ClusterName};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Review, Reviewer, Stage};
use model::time::Timestamp;
use std::collections::BTreeMap;

/// Everything a report says about decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    lives: BTreeMap<RecommendationId, Life>,
    decisions: u64,
    holds: Vec<Hold>,
    /// Where in `holds` an agent's latest decision is, while it keeps holding.
    holding: BTreeMap<AgentName, usize>,
    refused: BTreeMap<&'static str, RefusedKind>,
    unmet: BTreeMap<(ClusterName, LimitKind), Unmet>,
    refused_reviews: Vec<RefusedReview>,
}

/// The life of one recommendation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    pub id: RecommendationId,
    pub batch: u64,
    pub agent: AgentName,
    pub action: Action,
    /// The agent's reason, one sentence.
    pub summary: String,
    pub expected: Impact,
    pub raised_at: Timestamp,
    /// When a reviewer said yes or no.
    pub answered_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub stage: Stage,
    /// Why it stands where it stands; nothing while it waits for an answer.
    pub reason: Option<String>,
    /// Who answered; nothing for a rule whose approval was refused before it could act.
    pub reviewer: Option<Reviewer>,
    pub note: Option<String>,
}

/// Decisions of one agent in a row that recommended nothing for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub agent: AgentName,
    pub reason: HoldReason,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    pub count: u64,
}

/// All drafts that were refused for one kind of reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedKind {
    pub kind: &'static str,
    pub count: u64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// The first of them.
    pub action: Action,
    pub refusal: Refusal,
}

/// A limit that no set of moves could restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub cluster: ClusterName,
    pub limit: LimitKind,
    /// As last given; numbers in it may change from decision to decision.
    pub reason: String,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    pub count: u64,
}

/// An answer that had no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedReview {
    pub at: Timestamp,
    pub id: RecommendationId,
    pub refusal: ReviewRefusal,
}

impl Timeline {
    /// Takes what the journal takes: an input and the effects it caused.
    pub fn observe(&mut self, now: Timestamp, input: &Input, effects: &[Effect]) {
        let review = match input {
            Input::Reviewed(review) => Some(review),
            _ => None,
        };
        for effect in effects {
            match effect {
                Effect::Explain(explanation) => self.explained(now, explanation),
                Effect::Submit(recommendation) => self.submitted(recommendation),
                Effect::Settle { id, stage, reason } => self.settled(now, *id, *stage, reason, review),
                Effect::Apply(approved) => {
                    if let Some(life) = self.lives.get_mut(&approved.recommendation().id) {
                        life.reviewer = Some(approved.reviewer().clone());
                    }
                }
                Effect::RefuseReview { id, refusal } => {
                    self.refused_reviews.push(RefusedReview { at: now, id: *id, refusal: refusal.clone() });
                }
                _ => {}
            }
        }
    }

    /// All recommendations, in the order they were raised.
    pub fn recommendations(&self) -> impl ExactSizeIterator<Item = &Life> {
        self.lives.values()
    }

    /// How often any agent came to a decision, doing nothing included.
    pub const fn decisions(&self) -> u64 {
        self.decisions
    }

    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// Refused drafts by kind, in the order of their kinds' names.
    pub fn refused(&self) -> impl ExactSizeIterator<Item = &RefusedKind> {
        self.refused.values()
    }

    /// Limits that could not be met, by cluster.
    pub fn unmet(&self) -> impl ExactSizeIterator<Item = &Unmet> {
        self.unmet.values()
    }

    pub fn refused_reviews(&self) -> &[RefusedReview] {
        &self.refused_reviews
    }

    fn explained(&mut self, now: Timestamp, explanation: &Explanation) {
        self.decisions += 1;
        for unmet in &explanation.unmet {
            let key = (unmet.cluster.clone(), unmet.limit);
            let entry = self.unmet.entry(key).or_insert_with(|| Unmet {
                cluster: unmet.cluster.clone(),
                limit: unmet.limit,
                reason: String::new(),
                first_at: now,
                last_at: now,
                count: 0,
            });
            entry.last_at = now;
            entry.count += 1;
            entry.reason.clone_from(&unmet.reason);
        }
        explanation.refused.iter().for_each(|refused| self.draft_refused(now, refused));
        self.held(now, &explanation.agent, explanation.held.as_ref());
    }

    fn draft_refused(&mut self, now: Timestamp, refused: &RefusedDraft) {
        let kind = wording::refusal_kind(&refused.refusal);
        let entry = self.refused.entry(kind).or_insert_with(|| RefusedKind {
            kind,
            count: 0,
            first_at: now,
            last_at: now,
            action: refused.draft.action.clone(),
            refusal: refused.refusal.clone(),
        });
        entry.last_at = now;
        entry.count += 1;
    }

    fn held(&mut self, now: Timestamp, agent: &AgentName, reason: Option<&HoldReason>) {
        let Some(reason) = reason else {
            self.holding.remove(agent);
            return;
        };
        let latest = self.holding.get(agent).map(|index| &mut self.holds[*index]);
        if let Some(hold) = latest.filter(|hold| hold.reason == *reason) {
            hold.last_at = now;
            hold.count += 1;
            return;
        }
        self.holding.insert(agent.clone(), self.holds.len());
        let (agent, reason) = (agent.clone(), reason.clone());
        self.holds.push(Hold { agent, reason, first_at: now, last_at: now, count: 1 });
    }

    fn submitted(&mut self, recommendation: &Recommendation) {
        let life = Life {
            id: recommendation.id,
            batch: recommendation.batch,
            agent: recommendation.agent.clone(),
            action: recommendation.action.clone(),
            summary: recommendation.because.summary.clone(),
            expected: recommendation.expected.clone(),
            raised_at: recommendation.raised_at,
            answered_at: None,
            started_at: None,
            ended_at: None,
            stage: Stage::Pending,
            reason: None,
            reviewer: None,
            note: None,
        };
        self.lives.insert(recommendation.id, life);
    }

    fn settled(
        &mut self,
        now: Timestamp,
        id: RecommendationId,
        stage: Stage,
        reason: &SettleReason,
        review: Option<&Review>,
    ) {
        let Some(life) = self.lives.get_mut(&id) else { return };
        life.stage = stage;
        life.reason = Some(wording::settled(reason));
        if matches!(stage, Stage::Approved | Stage::Rejected) {
            life.answered_at = Some(now);
            if let Some(review) = review.filter(|review| review.recommendation == id) {
                life.reviewer = Some(review.reviewer.clone());
                life.note.clone_from(&review.note);
            }
        }
        if stage == Stage::Applying {
            life.started_at = Some(now);
        }
        if stage.is_final() {
            life.ended_at = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::three_waves::{self, at};
    use control::agent::{Agent, Cadence, Scope};
    use control::control_loop::{ControlLoop, LoopConfig};
    use control::guardrails::GuardrailConfig;
    use control::review_desk::{Expiry, ReviewMode};
    use control::strategy::{Decision, Strategy, View};
    use model::names::{PoolName, ReviewerName};
    use model::order::Grant;
    use model::recommendation::{Draft, Rationale};
    use model::snapshot::{ClusterView, PoolView, Snapshot};
    use model::time::Period;
    use std::sync::Arc;

    #[test]
    fn lives_have_their_times_and_their_end() {
        let timeline = three_waves::timeline();
        let lives: Vec<&Life> = timeline.recommendations().collect();
        assert_eq!(lives.len(), 7);
        let first = lives[0];
        assert_eq!((first.raised_at, first.answered_at), (at(135), Some(at(139))));
        assert_eq!((first.started_at, first.ended_at), (Some(at(139)), Some(at(147))));
        let stages: Vec<Stage> = lives.iter().skip(3).map(|life| life.stage).collect();
        assert_eq!(stages, [Stage::Applied, Stage::Applied, Stage::Rejected, Stage::Pending]);
        assert_eq!((lives[5].started_at, lives[5].ended_at), (None, Some(at(261))));
        assert!(lives[5].note.is_some() && lives[6].reviewer.is_none());
    }

    #[test]
    fn equal_holds_in_a_row_are_one_and_a_recommendation_ends_the_row() {
        let timeline = three_waves::timeline();
        let holds: Vec<_> =
            timeline.holds().iter().map(|hold| (hold.first_at, hold.last_at, hold.count)).collect();
        assert_eq!(holds, [(at(15), at(75), 2), (at(195), at(195), 1)]);
        assert_eq!(timeline.decisions(), 5);
    }

    #[test]
    fn refused_drafts_are_counted_by_kind() {
        let timeline = three_waves::timeline();
        let kinds: Vec<_> = timeline.refused().map(|refused| (refused.kind, refused.count)).collect();
        assert_eq!(kinds, [("would break the load limit", 2)]);
        assert_eq!(timeline.unmet().len(), 1);
        assert_eq!(timeline.refused_reviews().len(), 1);
    }

    /// Adds a node to the only pool, once.
    struct GrowOnce(bool);

    impl Strategy for GrowOnce {
        fn decide(&mut self, _: &View<'_>) -> Decision {
            let grow = Action::ResizePool { cluster: name("member1"), pool: pool(), from: 2, to: 3 };
            let draft = Draft { action: grow, because: Rationale::default() };
            let drafts = if std::mem::replace(&mut self.0, true) { Vec::new() } else { vec![draft] };
            Decision::recommend(drafts, HoldReason::WithinLimits)
        }
    }

    fn name(text: &str) -> ClusterName {
        ClusterName::new(text).unwrap()
    }

    fn pool() -> PoolName {
        PoolName::new("workers").unwrap()
    }

    fn automatic_loop() -> ControlLoop {
        let config = LoopConfig {
            observe_every: Period::from_secs(30),
            first_observation_at: Timestamp::EPOCH,
            guardrails: GuardrailConfig {
                max_snapshot_age: Period::from_secs(60),
                max_load: None,
                max_pending: None,
                cool_down: Period::ZERO,
                moves_per_hour: None,
                freezes: Vec::new(),
                despite: std::collections::BTreeSet::new(),
            },
            review: ReviewMode::Auto {
                rule: ReviewerName::new("granted").unwrap(),
                limits: Grant::default(),
            },
            policy: control::policy::Policy::default(),
            expiry: Expiry::NextBatch,
        };
        let agent = Agent {
            name: AgentName::new("grow").unwrap(),
            cadence: Cadence { every: Period::from_secs(30), first_at: Timestamp::EPOCH },
            lookback: Period::ZERO,
            scope: Scope::default(),
            strategy: Box::new(GrowOnce(false)),
        };
        ControlLoop::new(config, vec![agent])
    }

    fn seen(seconds: u64) -> Input {
        let workers = PoolView {
            nodes: 2,
            booting: 0,
            minimum: 1,
            maximum: 5,
            node_capacity: model::resources::Resources::default(),
            price_per_hour: model::money::MicroDollars(268_800),
            boot_time: Period::from_secs(60),
        };
        let cluster = ClusterView { pools: BTreeMap::from([(pool(), workers)]), ..ClusterView::default() };
        let clusters = BTreeMap::from([(name("member1"), cluster)]);
        Input::Observed(Arc::new(Snapshot { taken_at: at(seconds), clusters, ..Snapshot::default() }))
    }

    #[test]
    fn the_real_loop_tells_it_all() {
        let (mut control, mut timeline) = (automatic_loop(), Timeline::default());
        let outcome = control::world::Applied::RolledBack { reason: "no quota".to_owned() };
        let inputs =
            [(0, seen(0)), (20, Input::Applied { id: RecommendationId(1), outcome }), (30, seen(30))];
        for (seconds, input) in inputs {
            let effects = control.handle(at(seconds), &input);
            timeline.observe(at(seconds), &input, &effects);
        }
        let life = timeline.recommendations().next().unwrap();
        assert_eq!(life.reviewer, Some(Reviewer::Rule(ReviewerName::new("granted").unwrap())));
        assert_eq!(
            (life.answered_at, life.started_at, life.ended_at),
            (Some(at(0)), Some(at(0)), Some(at(20)))
        );
        assert_eq!(
            (life.stage, life.reason.as_deref()),
            (Stage::RolledBack, Some("It was undone: no quota"))
        );
        assert_eq!(timeline.holds().len(), 1);
        assert_eq!(
            timeline.stage_counts(),
            crate::summary::StageCounts::of(&control.recommendation_counts())
        );
    }
}
