//! What happens to an answer: who may give it, whether one is enough, and the second look before anything is begun.

use crate::control_loop::ControlLoop;
use crate::guardrails::{self, Finding, Ground, Refusal};
use crate::projection::Projection;
use crate::review_desk::ReviewRefusal;
use crate::risk;
use crate::rules::Facts;
use crate::rules::review_facts::{self, ReviewContext};
use crate::world::Effect;
use model::action::Action;
use model::names::ReviewerName;
use model::order::Mode;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Review, Reviewer, Stage, Verdict};
use model::time::{Period, Timestamp};

/// Nobody remembers for longer why a decision was put off.
pub const LONGEST_DEFERRAL: Period = Period::from_hours(24);

/// Plans that are looked at again on each observation. A look costs about what weighing a new draft costs, and an agent may send twice as
/// many drafts at once.
const MOST_LOOKS: usize = 100;

impl ControlLoop {
    pub(crate) fn reviewed(&mut self, now: Timestamp, review: &Review, effects: &mut Vec<Effect>) {
        let id = review.recommendation;
        if let Err(refusal) = self.may_answer(now, review) {
            return effects.push(Effect::RefuseReview { id, refusal });
        }
        match review.verdict {
            Verdict::Reject => {
                self.remember_no(now, review);
                effects.push(self.desk.reject(id));
            }
            Verdict::Defer { until } => effects.extend(self.desk.defer(id, until)),
            Verdict::Approve => self.approve(now, review, effects),
        }
    }

    fn remember_no(&mut self, now: Timestamp, review: &Review) {
        if let (Reviewer::Person(by), Some(plan)) =
            (&review.reviewer, self.desk.recommendation(review.recommendation))
        {
            self.rejections.record((now, self.config.policy.rest()), &plan.action, by.clone());
        }
    }

    /// Whether this answer would count now; what happens to it otherwise.
    pub fn may_answer(&self, now: Timestamp, review: &Review) -> Result<(), ReviewRefusal> {
        self.desk.admits(now, review)?;
        match review.verdict {
            Verdict::Reject => Ok(()),
            Verdict::Defer { until } => {
                let latest = now + LONGEST_DEFERRAL;
                let fits = until > now && until <= latest;
                if fits { Ok(()) } else { Err(ReviewRefusal::DeferredTooLong { latest }) }
            }
            Verdict::Approve => self.may_approve(now, review),
        }
    }

    fn may_approve(&self, now: Timestamp, review: &Review) -> Result<(), ReviewRefusal> {
        let id = review.recommendation;
        let recommendation = self.desk.recommendation(id).ok_or(ReviewRefusal::NotOpen)?;
        if self.mode_of(recommendation) == Mode::Observe {
            return Err(ReviewRefusal::ObserveOnly);
        }
        let Reviewer::Person(person) = &review.reviewer else { return Ok(()) };
        if recommendation.planned_by.as_ref() == Some(person) && !self.config.policy.own_plans {
            return Err(ReviewRefusal::OwnPlan);
        }
        if self.desk.endorsed_by(id).contains(person) {
            return Err(ReviewRefusal::SaidBefore);
        }
        match self.still_allowed(now, id) {
            Err(refusal) if refusal.may_pass() => Err(ReviewRefusal::NotNow { refusal }),
            _ => Ok(()),
        }
    }

    fn approve(&mut self, now: Timestamp, review: &Review, effects: &mut Vec<Effect>) {
        let id = review.recommendation;
        if let Reviewer::Person(person) = &review.reviewer {
            let needed = self.approvers_needed(now, id);
            if self.desk.endorsed_by(id).len() as u32 + 1 < needed {
                return effects.extend(self.desk.endorse(id, person.clone(), needed));
            }
        }
        effects.push(self.desk.approve(id));
        match self.still_allowed(now, id) {
            Ok(()) => effects.extend(self.begin(now, id, review.reviewer.clone())),
            Err(refusal) => effects.push(self.desk.refuse(id, refusal)),
        }
    }

    /// How many people have to say yes.
    pub fn approvers_needed(&self, now: Timestamp, id: RecommendationId) -> u32 {
        let policy = &self.config.policy;
        if policy.approvers.is_empty() {
            return 1;
        }
        // Without facts nobody can tell which rule fits, so all of them do.
        let most = policy.approvers.iter().map(|rule| rule.people).max();
        self.facts(now, id).map_or(most.unwrap_or(1), |facts| policy.people_needed(&facts))
    }

    /// What rules may ask about an open recommendation.
    fn facts(&self, now: Timestamp, id: RecommendationId) -> Option<Facts> {
        let plan = self.as_of_now(now, id)?;
        let context = ReviewContext {
            now,
            prediction: self.desk.prediction(id),
            record: self.records.get(&plan.agent).copied().unwrap_or_default(),
        };
        Some(review_facts::facts(&plan, self.history.back()?, &context))
    }

    /// A plan with what it would change now, on top of all that is approved or under way: those that pass one after the other count
    /// together, and of those that come to nothing nothing is left. Its risk is never less than the one it was made with.
    pub fn as_of_now(&self, now: Timestamp, id: RecommendationId) -> Option<Recommendation> {
        let plan = self.desk.recommendation(id)?;
        let (expected, risk) = self.on_the_ground(now, id, |ground, action| {
            let expected = ground.before.impact(ground.after, action);
            let risk = risk::assess(ground.snapshot, action, &expected);
            (expected, risk)
        })?;
        let risk = if risk.risk < plan.risk.risk { plan.risk.clone() } else { risk };
        Some(Recommendation { expected, risk, ..plan.clone() })
    }

    /// Who answers for a plan: the most careful mode that somebody set for it, or that of the loop.
    pub fn mode_of(&self, plan: &Recommendation) -> Mode {
        self.modes.of(&plan.agent, &plan.action)
    }

    /// Lets pass what rules and grants allow; the rest waits for a person, or for a better moment.
    pub(crate) fn pass_without_person(
        &mut self,
        now: Timestamp,
        id: RecommendationId,
        effects: &mut Vec<Effect>,
    ) {
        let Some(recommendation) = self.desk.recommendation(id) else { return };
        let Some(rule) = self.lets_pass(now, recommendation) else { return };
        let not_now = self.still_allowed(now, id).is_err_and(|refusal| refusal.may_pass());
        if not_now || self.approvers_needed(now, id) > 1 {
            return;
        }
        let (agent, hash) = (recommendation.agent.clone(), recommendation.hash);
        let (reviewer, verdict) = (Reviewer::Rule(rule), Verdict::Approve);
        self.reviewed(now, &Review { recommendation: id, hash, verdict, reviewer, note: None }, effects);
        if self.desk.stage(id) == Some(Stage::Applying) {
            self.modes.note_passed(now, &agent);
        }
    }

    /// Under whose name this passes without a person, if it does.
    fn lets_pass(&self, now: Timestamp, recommendation: &Recommendation) -> Option<ReviewerName> {
        if self.is_for_people(now, recommendation) {
            return None;
        }
        match self.mode_of(recommendation) {
            Mode::Observe | Mode::Human => None,
            Mode::Rules => {
                let facts = self.facts(now, recommendation.id)?;
                self.config.policy.passing(&facts).cloned()
            }
            Mode::Auto { limits } => {
                // Weighing a plan anew costs as much as a guardrail, so it is done where it decides.
                let anew = limits.highest_risk.and_then(|_| self.as_of_now(now, recommendation.id));
                let granted = self.modes.grants(now, anew.as_ref().unwrap_or(recommendation), &limits);
                granted.then(|| self.modes.granted_as().clone())
            }
        }
    }

    /// Whether no mode may answer: a person made the plan, or put it aside until later, or its prediction is not there yet.
    fn is_for_people(&self, now: Timestamp, plan: &Recommendation) -> bool {
        let put_aside = self.desk.deferred_until(plan.id).is_some_and(|until| now < until);
        let unpredicted = self.config.policy.predict && self.desk.prediction(plan.id).is_none();
        plan.planned_by.is_some() || put_aside || unpredicted
    }

    /// Looks again at what waits where something may pass: a rest may be over, or a window in which nothing moves. Each look weighs a
    /// plan against the whole federation, so there are few at a time; the next ones begin where these end.
    pub(crate) fn pass_what_may_now(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let may_pass =
            |plan: &Recommendation| !self.is_for_people(now, plan) && self.mode_of(plan).is_grant();
        let mut waiting = self.desk.waiting_where(may_pass);
        let next = waiting.partition_point(|id| Some(*id) < self.next_look);
        waiting.rotate_left(next);
        self.next_look = waiting.get(MOST_LOOKS).copied();
        for id in waiting.into_iter().take(MOST_LOOKS) {
            self.pass_without_person(now, id, effects);
        }
    }

    /// The second look: the world has moved while the reviewer thought.
    pub(crate) fn still_allowed(&self, now: Timestamp, id: RecommendationId) -> Result<(), Refusal> {
        self.on_the_ground(now, id, guardrails::check).unwrap_or(Err(Refusal::NothingObserved))
    }

    /// What every guardrail says about an open recommendation at the moment.
    pub fn findings(&self, now: Timestamp, id: RecommendationId) -> Option<Vec<Finding>> {
        self.on_the_ground(now, id, guardrails::all)
    }

    /// Looks at an open recommendation on top of all that is approved or under way.
    fn on_the_ground<T>(
        &self,
        now: Timestamp,
        id: RecommendationId,
        look: impl FnOnce(&Ground<'_>, &Action) -> T,
    ) -> Option<T> {
        let snapshot = self.history.back()?;
        let recommendation = self.desk.recommendation(id)?;
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
            freezes: self.freezes.standing(),
            agent: &recommendation.agent,
            undoing: recommendation.undoes.is_some(),
            config: &self.config.guardrails,
        };
        Some(look(&ground, &recommendation.action))
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
}
