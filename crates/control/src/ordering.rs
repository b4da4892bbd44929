//! What people order, and what others propose: everything that reaches the desk without an agent of the loop.

use crate::agent::Scope;
use crate::control_loop::ControlLoop;
use crate::freezes::MOST_FREEZES;
use crate::guardrails::Refusal;
use crate::policy::MOST_SETTINGS;
use crate::sift::{Proposer, Sifted};
use crate::world::{Effect, Explanation, OrderRefusal, Proposal};
use model::action::Action;
use model::hash::ContentHash;
use model::names::{AgentName, ClusterName, ReviewerName};
use model::order::{Command, Extent, FREEZE_OBJECT, FreezeId, ModeSetting, Order};
use model::recommendation::{Draft, Rationale, RecommendationId};
use model::review::{Review, Reviewer, Verdict};
use model::time::{Period, Timestamp};

/// The name under which people propose. No agent may have it.
pub const PEOPLE: &str = "people";

/// Words that the record uses for others than people and agents.
const WORDS: [&str; 5] = [PEOPLE, "auto", "desk", "nobody", "world"];

/// Whether a name is a word of the record, so that neither a person nor an agent may have it.
pub fn is_word(name: &str) -> bool {
    WORDS.contains(&name) || name.starts_with(FREEZE_OBJECT)
}

/// How often somebody outside the loop is taken to decide, where it matters.
const USUAL_CADENCE: Period = Period::from_minutes(1);

impl ControlLoop {
    pub(crate) fn ordered(&mut self, now: Timestamp, order: &Order, effects: &mut Vec<Effect>) {
        let Order { by, reason, what } = order;
        let done = match what {
            Command::Freeze { scope, until } => self.freeze(now, (scope, *until), by, reason, effects),
            Command::Unfreeze { freeze } => self.unfreeze(*freeze, by, effects),
            Command::SetMode { setting } => self.set_mode(now, setting, effects),
            Command::ClearMode { agent, scope } => self.clear_mode(now, (agent.as_ref(), scope), effects),
            Command::ChangeTarget { recommendation, hash, to } => {
                self.change_target(now, (*recommendation, *hash), to, order, effects)
            }
            Command::Propose { action, undoes } => {
                let because = Rationale { summary: reason.clone(), ..Rationale::default() };
                self.propose(now, by, Draft { action: action.clone(), because }, *undoes, effects).map(drop)
            }
            Command::Abort { recommendation } => self.abort(*recommendation, effects),
        };
        if let Err(refusal) = done {
            effects.push(Effect::RefuseOrder { refusal });
        }
    }

    fn freeze(
        &mut self,
        now: Timestamp,
        (scope, until): (&Extent, Option<Timestamp>),
        by: &ReviewerName,
        reason: &str,
        effects: &mut Vec<Effect>,
    ) -> Result<(), OrderRefusal> {
        if until.is_some_and(|until| until <= now) {
            return Err(OrderRefusal::EndsAtOnce);
        }
        if self.freezes.standing().len() as u32 >= MOST_FREEZES {
            return Err(OrderRefusal::TooMany { limit: MOST_FREEZES });
        }
        let freeze = self.freezes.add(scope.clone(), by.clone(), reason.to_owned(), (now, until));
        effects.push(Effect::Freeze(freeze));
        Ok(())
    }

    fn unfreeze(
        &mut self,
        id: FreezeId,
        by: &ReviewerName,
        effects: &mut Vec<Effect>,
    ) -> Result<(), OrderRefusal> {
        let freeze = self.freezes.lift(id).ok_or(OrderRefusal::NotFrozen)?;
        effects.push(Effect::Unfreeze { id, by: Some(by.clone()) });
        effects.extend(self.modes.return_to_people(&freeze.scope).into_iter().map(Effect::SetMode));
        Ok(())
    }

    /// Ends the freezes whose time is over.
    pub(crate) fn thaw(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        for freeze in self.freezes.ended(now) {
            effects.push(Effect::Unfreeze { id: freeze.id, by: None });
            effects.extend(self.modes.return_to_people(&freeze.scope).into_iter().map(Effect::SetMode));
        }
    }

    fn set_mode(
        &mut self,
        now: Timestamp,
        setting: &ModeSetting,
        effects: &mut Vec<Effect>,
    ) -> Result<(), OrderRefusal> {
        if self.modes.settings().len() >= MOST_SETTINGS && !self.modes.knows(setting) {
            return Err(OrderRefusal::TooMany { limit: MOST_SETTINGS as u32 });
        }
        self.modes.set(setting.clone());
        effects.push(Effect::SetMode(setting.clone()));
        self.pass_what_may(now, effects);
        Ok(())
    }

    fn clear_mode(
        &mut self,
        now: Timestamp,
        (agent, scope): (Option<&AgentName>, &Extent),
        effects: &mut Vec<Effect>,
    ) -> Result<(), OrderRefusal> {
        if !self.modes.clear(agent, scope) {
            return Err(OrderRefusal::NoSuchMode);
        }
        effects.push(Effect::ClearMode { agent: agent.cloned(), scope: scope.clone() });
        self.pass_what_may(now, effects);
        Ok(())
    }

    /// Who answers has changed: what waits may pass now.
    fn pass_what_may(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        for id in self.desk.waiting() {
            self.pass_without_person(now, id, effects);
        }
    }

    fn change_target(
        &mut self,
        now: Timestamp,
        (id, hash): (RecommendationId, ContentHash),
        to: &ClusterName,
        order: &Order,
        effects: &mut Vec<Effect>,
    ) -> Result<(), OrderRefusal> {
        let reviewer = Reviewer::Person(order.by.clone());
        let review = Review { recommendation: id, hash, verdict: Verdict::Reject, reviewer, note: None };
        self.desk.admits(now, &review).map_err(|refusal| OrderRefusal::Review { refusal })?;
        let old = self.desk.recommendation(id).ok_or(OrderRefusal::NotUnderWay)?;
        let Action::Migrate { workload, from, replicas, to: former } = &old.action else {
            return Err(OrderRefusal::NoTarget);
        };
        if former == to {
            return Err(OrderRefusal::Refused { refusal: Refusal::ChangesNothing });
        }
        let (workload, from, to, replicas) = (workload.clone(), from.clone(), to.clone(), *replicas);
        let action = Action::Migrate { workload, from, to, replicas };
        let summary =
            if order.reason.is_empty() { old.because.summary.clone() } else { order.reason.clone() };
        let because = Rationale { summary, ..old.because.clone() };
        let new = self.propose(now, &order.by, Draft { action, because }, None, effects)?;
        effects.push(self.desk.replace(id, new));
        Ok(())
    }

    /// Puts a person's plan on the desk, if the guardrails let it through.
    fn propose(
        &mut self,
        now: Timestamp,
        by: &ReviewerName,
        draft: Draft,
        undoes: Option<RecommendationId>,
        effects: &mut Vec<Effect>,
    ) -> Result<RecommendationId, OrderRefusal> {
        let refused = |refusal| OrderRefusal::Refused { refusal };
        let snapshot = self.history.back().cloned().ok_or_else(|| refused(Refusal::NothingObserved))?;
        let (name, scope) = (AgentName::new(PEOPLE).expect("a valid name"), Scope::default());
        let proposer =
            Proposer { name: &name, scope: &scope, every: USUAL_CADENCE, person: Some(by), undoes };
        let mut sifted = self.sieve(now, proposer, &snapshot).sift(vec![draft]);
        if let Some(first) = sifted.refused.pop() {
            return Err(refused(first.refusal));
        }
        self.take_numbers(&sifted);
        let kept = sifted.kept.first().copied();
        let id = sifted.accepted.first().map(|new| new.id).or(kept);
        let ids = self.lay_on_desk(sifted.accepted, effects);
        self.ask(now, &ids, effects);
        id.ok_or_else(|| refused(Refusal::ChangesNothing))
    }

    fn abort(&mut self, id: RecommendationId, effects: &mut Vec<Effect>) -> Result<(), OrderRefusal> {
        if !self.desk.abort(id) {
            return Err(OrderRefusal::NotUnderWay);
        }
        effects.push(Effect::Abort { id });
        Ok(())
    }

    /// Takes what an agent that runs elsewhere wants; the guardrails are the same for everybody.
    pub(crate) fn proposed(&mut self, now: Timestamp, proposal: &Proposal, effects: &mut Vec<Effect>) {
        let Some(snapshot) = self.history.back().cloned() else { return };
        let (name, scope) = (&proposal.agent, Scope::default());
        let proposer = Proposer { name, scope: &scope, every: USUAL_CADENCE, person: None, undoes: None };
        let sifted = self.sieve(now, proposer, &snapshot).sift(proposal.drafts.clone());
        self.take_numbers(&sifted);
        let Sifted { accepted, kept, refused } = sifted;
        effects.push(Effect::Explain(Explanation {
            agent: name.clone(),
            batch: self.next_batch,
            submitted: accepted.len() as u32,
            kept: kept.len() as u32,
            held: None,
            unmet: Vec::new(),
            refused,
            disregarded: Vec::new(),
            instead: None,
        }));
        self.next_batch += 1;
        if proposal.complete {
            effects.extend(self.end_former(name, &accepted, &kept));
        }
        let ids = self.lay_on_desk(accepted, effects);
        self.ask(now, &ids, effects);
    }
}
