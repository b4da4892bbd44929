//! The loop itself: one input in, the effects it causes out. A pure function of its inputs.

use crate::agent::Agent;
use crate::checkpoint::{Remembered, Unfit};
use crate::freezes::Freezes;
use crate::guardrails::{GuardrailConfig, MoveLog, sight};
use crate::policy::{Modes, Policy};
use crate::question::Answer;
use crate::rejections::Rejections;
use crate::review_desk::{Expiry, ReviewDesk, ReviewMode};
use crate::sift::{Proposer, Sieve, Sifted};
use crate::strategy::{Outcome, View};
use crate::supply::{StrategyMaker, SuppliedAgent, Supply};
use crate::world::{Applied, Effect, Explanation, Input};
use model::action::Action;
use model::names::AgentName;
use model::order::{Mode, ModeSetting, StandingFreeze};
use model::prediction::Prediction;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::Stage;
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
    #[serde(default, skip_serializing_if = "Policy::is_default")]
    pub policy: Policy,
}

/// The state between two inputs.
pub struct ControlLoop {
    /// The guardrails in it are those in force.
    pub(crate) config: LoopConfig,
    /// The guardrails that the run began with.
    pub(crate) limits: GuardrailConfig,
    pub(crate) supply: Supply,
    pub(crate) maker: Option<StrategyMaker>,
    pub(crate) agents: Vec<Member>,
    pub(crate) desk: ReviewDesk,
    pub(crate) moves: MoveLog,
    pub(crate) rejections: Rejections,
    pub(crate) modes: Modes,
    pub(crate) freezes: Freezes,
    pub(crate) records: BTreeMap<AgentName, TrackRecord>,
    pub(crate) history: VecDeque<Arc<Snapshot>>,
    pub(crate) next_observation: Timestamp,
    pub(crate) next_batch: u64,
    pub(crate) next_id: u64,
    /// With which waiting plan the next look at what may pass by now begins.
    pub(crate) next_look: Option<RecommendationId>,
}

/// How an agent's predictions turned out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackRecord {
    pub predicted: u64,
    pub inside: u64,
}

/// What was done in the last hour of what is limited by the hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Workloads that were moved, whoever wanted it.
    pub moves: u32,
    /// Plans that passed without a person, by the agent that wanted them.
    pub passed: BTreeMap<AgentName, u32>,
}

/// An agent and what the loop keeps for it.
pub(crate) struct Member {
    pub(crate) agent: Agent,
    pub(crate) due_at: Timestamp,
    /// The number of its question that waits for an answer. Deciding again, when it is due, withdraws the question.
    pub(crate) asked: Option<u64>,
    /// As what it was supplied; nothing if the run began with it.
    pub(crate) supplied: Option<SuppliedAgent>,
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
            .map(|agent| Member { due_at: agent.cadence.first_at, agent, asked: None, supplied: None })
            .collect();
        let next_observation = config.first_observation_at;
        Self {
            modes: Modes::new(&config.review, &config.policy),
            freezes: Freezes::default(),
            records: BTreeMap::new(),
            limits: config.guardrails.clone(),
            supply: Supply::default(),
            maker: None,
            config,
            agents,
            desk: ReviewDesk::default(),
            moves: MoveLog::default(),
            rejections: Rejections::default(),
            history: VecDeque::new(),
            next_observation,
            next_batch: 1,
            next_id: 1,
            next_look: None,
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
        let ends = self.desk.next_expiry().into_iter().chain(self.freezes.next_end());
        ends.fold(self.next_observation, Timestamp::min)
    }

    /// How many recommendations stand or ended at each stage.
    pub fn recommendation_counts(&self) -> BTreeMap<Stage, u64> {
        self.desk.counts()
    }

    /// What people froze.
    pub fn freezes(&self) -> &[StandingFreeze] {
        self.freezes.standing()
    }

    /// Who answers where nothing else is set, and what is set.
    pub fn modes(&self) -> (&Mode, &[ModeSetting]) {
        (self.modes.otherwise(), self.modes.settings())
    }

    /// How much was done in the last hour of what is limited by the hour.
    pub fn spent(&self, now: Timestamp) -> Spent {
        let mut passed = BTreeMap::new();
        for agent in self.modes.recent(now) {
            *passed.entry(agent.clone()).or_default() += 1;
        }
        Spent { moves: self.moves.in_last_hour(now) as u32, passed }
    }

    /// How well each agent's predictions turned out.
    pub const fn track_records(&self) -> &BTreeMap<AgentName, TrackRecord> {
        &self.records
    }

    /// Open recommendations with their actions and stages.
    pub const fn desk(&self) -> &ReviewDesk {
        &self.desk
    }

    /// What agents look back on, oldest first.
    pub fn history(&self) -> impl Iterator<Item = &Arc<Snapshot>> {
        self.history.iter()
    }

    /// What is kept for each agent; nothing while one of them cannot say what it remembers.
    pub(crate) fn remembered(&self) -> Option<BTreeMap<AgentName, Remembered>> {
        let kept = |member: &Member| {
            let memory = member.agent.strategy.memory()?;
            let remembered = Remembered { due_at: member.due_at, asked: member.asked, memory };
            Some((member.agent.name.clone(), remembered))
        };
        self.agents.iter().map(kept).collect()
    }

    /// Every agent goes on where one of its name was.
    pub(crate) fn recall(&mut self, mut kept: BTreeMap<AgentName, Remembered>) -> Result<(), Unfit> {
        for member in &mut self.agents {
            let Remembered { due_at, asked, memory } = kept.remove(&member.agent.name).ok_or(Unfit)?;
            if !member.agent.strategy.recall(memory) {
                return Err(Unfit);
            }
            (member.due_at, member.asked) = (due_at, asked);
        }
        if kept.is_empty() { Ok(()) } else { Err(Unfit) }
    }

    /// The newest observation.
    pub fn latest(&self) -> Option<&Arc<Snapshot>> {
        self.history.back()
    }

    /// Takes one input and says what is to be done.
    pub fn handle(&mut self, now: Timestamp, input: &Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        // A late answer is told that it is late, so it is looked at before its subject ends.
        if let Input::Reviewed(review) = input {
            self.reviewed(now, review, &mut effects);
        }
        effects.extend(self.desk.expire(now));
        self.thaw(now, &mut effects);
        match input {
            Input::WakeUp => self.observe_if_due(now, &mut effects),
            Input::Observed(snapshot) => self.observed(now, snapshot, &mut effects),
            Input::Answered { agent, answer } => self.answered(now, agent, answer, &mut effects),
            Input::Reviewed(_) => {}
            Input::Proposed(proposal) => self.proposed(now, proposal, &mut effects),
            Input::Ordered(order) => self.ordered(now, order, &mut effects),
            Input::Inherited(legacy) => self.inherited(now, legacy, &mut effects),
            Input::Supplied(supply) => self.supplied(now, supply, &mut effects),
            Input::Predicted { id, prediction } => self.predicted(now, *id, prediction, &mut effects),
            Input::Scored { agent, predicted, inside, .. } => {
                let record = self.records.entry(agent.clone()).or_default();
                record.predicted += u64::from(*predicted);
                record.inside += u64::from(*inside);
            }
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
        self.let_decide(now, effects);
        self.pass_what_may_now(now, effects);
    }

    /// Lets every agent decide that is due.
    fn let_decide(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
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
        let waits = |member: &Member| member.asked == Some(answer.number) && member.agent.name == *agent;
        let asked = self.agents.iter().position(waits);
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
        let sight = sight(&self.config.guardrails, &shown(&snapshot));
        let committed: Vec<Action> = committed.filter(|action| agent.scope.concerns(action)).collect();
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
        *asked = match &decision.outcome {
            Outcome::Ask(question) => Some(question.number),
            _ => None,
        };
        let (drafts, held) = match decision.outcome {
            Outcome::Ask(question) => return effects.push(Effect::Ask { agent: name, question }),
            Outcome::Recommend(drafts) => (drafts, None),
            Outcome::Hold(reason) => (Vec::new(), Some(reason)),
        };
        let agent = &self.agents[index].agent;
        let proposer = Proposer {
            name: &agent.name,
            scope: &agent.scope,
            every: agent.cadence.every,
            person: None,
            undoes: None,
        };
        let sifted = self.sieve(now, proposer, &snapshot).sift(drafts);
        self.take_numbers(&sifted);
        let explanation = Explanation {
            agent: name.clone(),
            batch: self.next_batch,
            submitted: sifted.accepted.len() as u32,
            kept: sifted.kept.len() as u32,
            held,
            unmet: decision.unmet,
            refused: sifted.refused,
            disregarded: decision.disregarded,
            instead: decision.instead,
        };
        self.next_batch += 1;
        effects.push(Effect::Explain(explanation));
        effects.extend(self.end_former(&name, &sifted.accepted, &sifted.kept));
        let ids = self.lay_on_desk(sifted.accepted, effects);
        self.ask(now, &ids, effects);
    }

    pub(crate) fn sieve<'a>(
        &'a self,
        now: Timestamp,
        proposer: Proposer<'a>,
        snapshot: &'a Snapshot,
    ) -> Sieve<'a> {
        Sieve {
            now,
            snapshot,
            proposer,
            desk: &self.desk,
            moves: &self.moves,
            rejections: &self.rejections,
            freezes: self.freezes.standing(),
            config: &self.config,
            batch: self.next_batch,
            next_id: self.next_id,
        }
    }

    /// What the agent proposed before and does not now ends.
    pub(crate) fn end_former(
        &mut self,
        name: &AgentName,
        accepted: &[Recommendation],
        kept: &[RecommendationId],
    ) -> Vec<Effect> {
        match self.config.expiry {
            Expiry::NextBatch => self.desk.expire_batch(name),
            Expiry::Lifetime { .. } => self.desk.supersede(name, accepted, kept),
        }
    }

    /// The numbers of what was accepted are taken.
    pub(crate) const fn take_numbers(&mut self, sifted: &Sifted) {
        self.next_id += sifted.accepted.len() as u64;
    }

    pub(crate) fn lay_on_desk(
        &mut self,
        accepted: Vec<Recommendation>,
        effects: &mut Vec<Effect>,
    ) -> Vec<RecommendationId> {
        let ids = accepted.iter().map(|new| new.id).collect();
        effects.extend(accepted.into_iter().map(|recommendation| self.desk.submit(recommendation)));
        ids
    }

    /// Asks for a prediction where one is wanted; otherwise rules and grants decide at once.
    pub(crate) fn ask(&mut self, now: Timestamp, new: &[RecommendationId], effects: &mut Vec<Effect>) {
        if self.config.policy.predict && !new.is_empty() {
            effects.push(Effect::Predict { ids: new.to_vec() });
        }
        for id in new {
            self.pass_without_person(now, *id, effects);
        }
    }

    fn predicted(
        &mut self,
        now: Timestamp,
        id: RecommendationId,
        prediction: &Arc<Prediction>,
        effects: &mut Vec<Effect>,
    ) {
        self.desk.predicted(id, prediction);
        if self.desk.stage(id) == Some(Stage::Pending) {
            self.pass_without_person(now, id, effects);
        }
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
