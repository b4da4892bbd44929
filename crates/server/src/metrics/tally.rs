//! What happened in a run, counted step by step. A run that is taken up again is counted again from its beginning.

use super::histogram::Histogram;
use super::text::{Kind, Page};
use crate::office::engine::Step;
use control::guardrails::Refusal;
use control::review_desk::ReviewDesk;
use control::world::{Effect, Explanation, Input};
use model::action::Action;
use model::names::{AgentName, ClusterName};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Reviewer, Stage};
use model::risk::Risk;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// From a glance to a morning.
const BOUNDS: [f64; 10] = [1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3_600.0, 14_400.0];

/// Counts of one run.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    open: BTreeMap<RecommendationId, Open>,
    settled: BTreeMap<(AgentName, Risk, Stage), u64>,
    answered: BTreeMap<(Risk, Stage), Histogram>,
    carried_out: BTreeMap<Stage, u64>,
    moves: BTreeMap<(ClusterName, ClusterName), u64>,
    decisions: BTreeMap<(AgentName, &'static str), u64>,
    refusals: BTreeMap<(AgentName, String), u64>,
}

/// Something that is not over yet.
#[derive(Debug)]
struct Open {
    agent: AgentName,
    risk: Risk,
    action: Action,
    stage: Stage,
    since_wall_ms: i64,
}

impl Tally {
    /// Counts a step that was written down at a time on the wall.
    pub(crate) fn observe(&self, step: &Step, wall_ms: i64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for effect in &step.effects {
            match effect {
                Effect::Explain(decision) => counts.decided(decision),
                Effect::Submit(new) => counts.submitted(new, wall_ms),
                Effect::Settle { id, stage, .. } => counts.settled(*id, *stage, &step.input, wall_ms),
                _ => {}
            }
        }
    }

    /// Begins with what waits or is under way in a run that goes on from a checkpoint and began at a time on the wall. What was over
    /// by then is not counted any more.
    pub(crate) fn remind(&self, desk: &ReviewDesk, began_wall_ms: i64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (open, stage) in desk.open() {
            counts.submitted(open, began_wall_ms.saturating_add(open.raised_at.0 as i64));
            counts.stands(open.id, stage);
        }
    }

    pub(super) fn write(&self, page: &mut Page) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(page);
    }
}

impl Counts {
    fn decided(&mut self, decision: &Explanation) {
        let result = match (decision.submitted, decision.kept, &decision.held) {
            (1.., _, _) => "recommended",
            // It asked for what waited already.
            (0, 1.., _) => "kept",
            (0, 0, Some(_)) => "held",
            (0, 0, None) => "refused",
        };
        *self.decisions.entry((decision.agent.clone(), result)).or_default() += 1;
        for refused in &decision.refused {
            let rule = rule(&refused.refusal);
            *self.refusals.entry((decision.agent.clone(), rule)).or_default() += 1;
        }
    }

    fn submitted(&mut self, new: &Recommendation, since_wall_ms: i64) {
        let open = Open {
            agent: new.agent.clone(),
            risk: new.risk.risk,
            action: new.action.clone(),
            stage: Stage::Pending,
            since_wall_ms,
        };
        self.open.insert(new.id, open);
    }

    fn stands(&mut self, id: RecommendationId, stage: Stage) {
        if let Some(open) = self.open.get_mut(&id) {
            open.stage = stage;
        }
    }

    fn settled(&mut self, id: RecommendationId, stage: Stage, input: &Input, wall_ms: i64) {
        let Some(open) = self.open.get_mut(&id) else { return };
        open.stage = stage;
        let by_person = matches!(input, Input::Reviewed(review)
            if review.recommendation == id && matches!(review.reviewer, Reviewer::Person(_)));
        if by_person && matches!(stage, Stage::Approved | Stage::Rejected) {
            let seconds = (wall_ms - open.since_wall_ms).max(0) as f64 / 1000.0;
            self.answered.entry((open.risk, stage)).or_insert_with(|| Histogram::new(&BOUNDS)).add(seconds);
        }
        if stage.is_final() {
            self.over(id, stage);
        }
    }

    fn over(&mut self, id: RecommendationId, stage: Stage) {
        let Some(Open { agent, risk, action, .. }) = self.open.remove(&id) else { return };
        *self.settled.entry((agent, risk, stage)).or_default() += 1;
        if matches!(stage, Stage::Applied | Stage::Failed | Stage::RolledBack) {
            *self.carried_out.entry(stage).or_default() += 1;
        }
        if let (Stage::Applied, Action::Migrate { from, to, .. }) = (stage, action) {
            *self.moves.entry((from, to)).or_default() += 1;
        }
    }

    fn write(&self, page: &mut Page) {
        let mut family = page.family(
            "drover_recommendations_total",
            Kind::Counter,
            "Recommendations of this run that are over, by how they ended.",
        );
        for ((agent, risk, stage), count) in &self.settled {
            let labels = [("agent", agent.as_str()), ("risk", risk.as_str()), ("outcome", stage.as_str())];
            family.sample(&labels, *count as f64);
        }
        let mut family = page.family(
            "drover_recommendations_pending",
            Kind::Gauge,
            "Recommendations that wait for an answer.",
        );
        for risk in Risk::ALL {
            let waits = |open: &&Open| open.stage == Stage::Pending && open.risk == risk;
            family.sample(&[("risk", risk.as_str())], self.open.values().filter(waits).count() as f64);
        }
        let mut family = page.family(
            "drover_decision_latency_seconds",
            Kind::Histogram,
            "Real time from a recommendation to the answer of a person.",
        );
        for ((risk, stage), histogram) in &self.answered {
            family.histogram(&[("risk", risk.as_str()), ("outcome", stage.as_str())], histogram);
        }
        self.write_outcomes(page);
        self.write_agents(page);
    }

    fn write_outcomes(&self, page: &mut Page) {
        let help = "What was carried out in this run, by how it ended.";
        let mut family = page.family("drover_executions_total", Kind::Counter, help);
        for stage in [Stage::Applied, Stage::Failed, Stage::RolledBack] {
            let count = self.carried_out.get(&stage).copied().unwrap_or_default();
            family.sample(&[("result", stage.as_str())], count as f64);
        }
        let mut family = page.family(
            "drover_workload_moves_total",
            Kind::Counter,
            "Migrations that succeeded in this run.",
        );
        for ((from, to), count) in &self.moves {
            family.sample(&[("from", from.as_str()), ("to", to.as_str())], *count as f64);
        }
    }

    fn write_agents(&self, page: &mut Page) {
        let help = "Decisions of agents in this run: recommended something new, kept what waited already, held, or refused by guardrails.";
        let mut family = page.family("drover_agent_decisions_total", Kind::Counter, help);
        for ((agent, result), count) in &self.decisions {
            family.sample(&[("agent", agent.as_str()), ("result", result)], *count as f64);
        }
        let help = "Drafts that a guardrail did not let through, by the reason.";
        let mut family = page.family("drover_guardrail_refusals_total", Kind::Counter, help);
        for ((agent, rule), count) in &self.refusals {
            family.sample(&[("agent", agent.as_str()), ("rule", rule)], *count as f64);
        }
    }
}

/// The word that the record uses for a reason.
fn rule(refusal: &Refusal) -> String {
    let value = serde_json::to_value(refusal).unwrap_or_default();
    value["because"].as_str().unwrap_or("unknown").to_owned()
}
