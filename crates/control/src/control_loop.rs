//! The loop itself: one input in, the effects it causes out. A pure function of its inputs.

use crate::agent::Agent;
use crate::guardrails::{self, Ground, GuardrailConfig, MoveLog, Refusal};
use crate::projection::Projection;
use crate::review_desk::{Expiry, ReviewDesk, ReviewMode};
use crate::sift::Sieve;
use crate::strategy::{Answer, Outcome, View};
use crate::world::{Applied, Effect, Explanation, Input};
use model::action::Action;
use model::hash::ContentHash;
use model::names::AgentName;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Review, Reviewer, Stage, Verdict};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// More snapshots than this are not kept, whatever look-back an agent asks for: a day of one per minute.
const MAX_HISTORY: usize = 1_440;

/// How the loop observes, guards and reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopConfig {
    pub observe_every: Period,
    pub first_observation_at: Timestamp,
    pub guardrails: GuardrailConfig,
    pub review: ReviewMode,
    pub expiry: Expiry,
}

/// The state between two inputs.
pub struct ControlLoop {
    config: LoopConfig,
    agents: Vec<Member>,
    desk: ReviewDesk,
    moves: MoveLog,
    history: VecDeque<Arc<Snapshot>>,
    next_observation: Timestamp,
    next_batch: u64,
    next_id: u64,
}

/// An agent and what the loop keeps for it.
struct Member {
    agent: Agent,
    due_at: Timestamp,
    /// Whether its question waits for an answer. Deciding again, when it is due, withdraws the question.
    asked: bool,
}

impl ControlLoop {
    pub fn new(config: LoopConfig, agents: Vec<Agent>) -> Self {
        assert!(config.observe_every.as_millis() > 0, "observing without pause would never let time pass");
        let mut names = BTreeSet::new();
        for agent in &agents {
            assert!(agent.cadence.every.as_millis() > 0, "{} would decide without pause", agent.name);
            assert!(names.insert(agent.name.clone()), "two agents are called {}", agent.name);
        }
        let agents = agents
            .into_iter()
            .map(|agent| Member { due_at: agent.cadence.first_at, agent, asked: false })
            .collect();
        let next_observation = config.first_observation_at;
        Self {
            config,
            agents,
            desk: ReviewDesk::default(),
            moves: MoveLog::default(),
            history: VecDeque::new(),
            next_observation,
            next_batch: 1,
            next_id: 1,
        }
    }

    /// The same loop with another desk, for instance a smaller one.
    #[must_use]
    pub fn with_desk(mut self, desk: ReviewDesk) -> Self {
        self.desk = desk;
        self
    }

    /// When the loop wants to be woken if nothing happens before.
    pub fn wake_at(&self) -> Timestamp {
        self.desk.next_expiry().map_or(self.next_observation, |expiry| expiry.min(self.next_observation))
    }

    /// How many recommendations stand or ended at each stage.
    pub fn recommendation_counts(&self) -> BTreeMap<Stage, u64> {
        self.desk.counts()
    }

    /// Takes one input and says what is to be done.
    pub fn handle(&mut self, now: Timestamp, input: &Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        // A late answer is told that it is late, so it is looked at before its subject ends.
        if let Input::Reviewed(review) = input {
            self.reviewed(now, review, &mut effects);
        }
        effects.extend(self.desk.expire(now));
        match input {
            Input::WakeUp => self.observe_if_due(now, &mut effects),
            Input::Observed(snapshot) => self.observed(now, snapshot, &mut effects),
            Input::Answered { agent, answer } => self.answered(now, agent, answer, &mut effects),
            Input::Reviewed(_) => {}
            Input::Applied { id, outcome } => self.applied(now, *id, outcome, &mut effects),
        }
        effects
    }

    fn observe_if_due(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if now < self.next_observation {
            return;
        }
        effects.push(Effect::Observe);
        self.next_observation = next_due(self.next_observation, self.config.observe_every, now);
    }

    fn observed(&mut self, now: Timestamp, snapshot: &Arc<Snapshot>, effects: &mut Vec<Effect>) {
        // A late snapshot must not replace what is known since. One from the future would never grow old and would keep
        // all others out; clocks that differ by less than what makes a snapshot stale are let pass.
        let late = self.history.back().is_some_and(|newest| newest.taken_at > snapshot.taken_at);
        if late || snapshot.taken_at.since(now) > self.config.guardrails.max_snapshot_age {
            return;
        }
        self.history.push_back(Arc::clone(snapshot));
        let lookback = self.agents.iter().map(|member| member.agent.lookback).max().unwrap_or_default();
        let old = |first: &Arc<Snapshot>| snapshot.taken_at.since(first.taken_at) > lookback;
        while self.history.len() > MAX_HISTORY || self.history.front().is_some_and(old) {
            self.history.pop_front();
        }
        for index in 0..self.agents.len() {
            let member = &mut self.agents[index];
            if now >= member.due_at {
                member.due_at = next_due(member.due_at, member.agent.cadence.every, now);
                self.deliberate(now, index, None, effects);
            }
        }
    }

    /// An answer that nobody waits for, any more or at all, changes nothing.
    fn answered(&mut self, now: Timestamp, agent: &AgentName, answer: &Answer, effects: &mut Vec<Effect>) {
        let asked = self.agents.iter().position(|member| member.asked && member.agent.name == *agent);
        if let Some(index) = asked {
            self.deliberate(now, index, Some(answer), effects);
        }
    }

    /// Lets one agent decide on the newest snapshot and puts what the guardrails allow on the desk.
    fn deliberate(
        &mut self,
        now: Timestamp,
        index: usize,
        answer: Option<&Answer>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(snapshot) = self.history.back().cloned() else { return };
        let committed = self.desk.committed().into_iter().map(|(_, action)| action);
        let Member { agent, asked, .. } = &mut self.agents[index];
        let awaiting: Vec<Action> =
            self.desk.awaiting(&agent.name).into_iter().map(|(_, action)| action).collect();
        let seen = |old: &&Arc<Snapshot>| snapshot.taken_at.since(old.taken_at) <= agent.lookback;
        let shown = |old: &Arc<Snapshot>| match agent.scope.sight(old) {
            Cow::Borrowed(_) => Arc::clone(old),
            Cow::Owned(part) => Arc::new(part),
        };
        let history: VecDeque<Arc<Snapshot>> = self.history.iter().filter(seen).map(shown).collect();
        let sight = shown(&snapshot);
        let committed: Vec<Action> = committed.filter(|action| agent.scope.allows(action)).collect();
        let view = View {
            now,
            snapshot: &sight,
            history: &history,
            committed: &committed,
            awaiting: &awaiting,
            answer,
        };
        let decision = agent.strategy.decide(&view);
        let name = agent.name.clone();
        *asked = matches!(decision.outcome, Outcome::Ask(_));
        let (drafts, held) = match decision.outcome {
            Outcome::Ask(question) => return effects.push(Effect::Ask { agent: name, question }),
            Outcome::Recommend(drafts) => (drafts, None),
            Outcome::Hold(reason) => (Vec::new(), Some(reason)),
        };
        let sifted = self.sieve(now, index, &snapshot).sift(drafts);
        self.next_id += sifted.accepted.len() as u64;
        let explanation = Explanation {
            agent: name,
            batch: self.next_batch,
            submitted: sifted.accepted.len() as u32,
            kept: sifted.kept.len() as u32,
            held,
            unmet: decision.unmet,
            refused: sifted.refused,
        };
        self.next_batch += 1;
        effects.push(Effect::Explain(explanation));
        self.submit(now, index, sifted.accepted, &sifted.kept, effects);
    }

    fn sieve<'a>(&'a self, now: Timestamp, index: usize, snapshot: &'a Snapshot) -> Sieve<'a> {
        Sieve {
            now,
            snapshot,
            agent: &self.agents[index].agent,
            desk: &self.desk,
            moves: &self.moves,
            config: &self.config,
            batch: self.next_batch,
            next_id: self.next_id,
        }
    }

    fn submit(
        &mut self,
        now: Timestamp,
        index: usize,
        accepted: Vec<Recommendation>,
        kept: &[RecommendationId],
        effects: &mut Vec<Effect>,
    ) {
        let name = &self.agents[index].agent.name;
        effects.extend(match self.config.expiry {
            Expiry::NextBatch => self.desk.expire_batch(name),
            Expiry::Lifetime { .. } => self.desk.supersede(name, &accepted, kept),
        });
        let reviews: Vec<(RecommendationId, ContentHash)> =
            accepted.iter().map(|new| (new.id, new.hash)).collect();
        effects.extend(accepted.into_iter().map(|recommendation| self.desk.submit(recommendation)));
        if let ReviewMode::Auto { rule } = self.config.review.clone() {
            for (recommendation, hash) in reviews {
                let reviewer = Reviewer::Rule(rule.clone());
                let review = Review { recommendation, hash, verdict: Verdict::Approve, reviewer, note: None };
                self.reviewed(now, &review, effects);
            }
        }
    }

    fn reviewed(&mut self, now: Timestamp, review: &Review, effects: &mut Vec<Effect>) {
        let id = review.recommendation;
        match self.desk.review(now, review) {
            Err(refusal) => return effects.push(Effect::RefuseReview { id, refusal }),
            Ok(effect) => effects.push(effect),
        }
        if review.verdict == Verdict::Approve {
            match self.still_allowed(now, id) {
                Ok(()) => effects.extend(self.begin(now, id, review.reviewer.clone())),
                Err(refusal) => effects.push(self.desk.refuse(id, refusal)),
            }
        }
    }

    /// The second look: the world has moved while the reviewer thought.
    fn still_allowed(&self, now: Timestamp, id: RecommendationId) -> Result<(), Refusal> {
        let snapshot = self.history.back().ok_or(Refusal::NothingObserved)?;
        let recommendation = self.desk.recommendation(id).expect("an approved recommendation is open");
        let others = self.desk.committed().into_iter().filter(|(other, _)| *other != id);
        let committed: Vec<_> = others.map(|(other, action)| (Some(other), action)).collect();
        let before = Projection::after(snapshot, committed.iter().map(|(_, action)| action));
        let mut after = before.clone();
        after.apply(&recommendation.action);
        let ground = Ground {
            now,
            snapshot,
            before: &before,
            after: &after,
            committed: &committed,
            moves: &self.moves,
            config: &self.config.guardrails,
        };
        guardrails::check(&ground, &recommendation.action)
    }

    fn begin(&mut self, now: Timestamp, id: RecommendationId, reviewer: Reviewer) -> [Effect; 2] {
        let action = self.desk.recommendation(id).map(|recommendation| recommendation.action.clone());
        if let Some(workload) =
            action.as_ref().filter(|action| action.is_relocation()).and_then(Action::workload)
        {
            self.moves.record(now, workload);
        }
        self.desk.begin(id, reviewer)
    }

    fn applied(&mut self, _: Timestamp, id: RecommendationId, outcome: &Applied, effects: &mut Vec<Effect>) {
        effects.extend(self.desk.finish(id, outcome));
    }
}

/// The first time of the row `due`, `due + every`, … that lies after `now`, where `due` does not.
fn next_due(due: Timestamp, every: Period, now: Timestamp) -> Timestamp {
    let passed = now.since(due).as_millis() / every.as_millis();
    due + every.saturating_mul(passed + 1)
}
