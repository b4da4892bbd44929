//! What a step means for the lists that people read: recommendations as they stand now.

use super::engine::Step;
use super::record::{orderer, reviewer};
use crate::storage::tables::executions::{self, Execution};
use crate::storage::tables::recommendations::{self, Documents, Item, Whole};
use crate::storage::tables::{freezes, modes, reviews};
use crate::storage::{Connection, Error, JsonText, Transaction};
use control::world::{Effect, Input};
use model::action::Action;
use model::execution::TimedStep;
use model::order::{FreezeId, ModeSetting, StandingFreeze};
use model::prediction::{Measure, Prediction, Subject};
use model::recommendation::{NotIntact, Recommendation, RecommendationId};
use model::review::{Review, Stage};
use model::risk::Risk;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};

/// An answer as the list keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReview {
    /// Who, with what kind of reviewer it is: `person:anna`.
    pub by: String,
    pub verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub at: Timestamp,
    pub wall_ms: i64,
}

/// Brings the lists up to date with a step.
pub fn update(
    transaction: &mut dyn Transaction,
    run: &str,
    step: &Step,
    (seq, wall_ms): (i64, i64),
) -> Result<(), Error> {
    let lists = &mut Lists { transaction, run, step, seq, wall_ms };
    if let Input::Predicted { id, prediction } = &step.input {
        lists.predicted(*id, prediction)?;
    }
    step.effects.iter().try_for_each(|effect| lists.effect(effect))
}

struct Lists<'a> {
    transaction: &'a mut dyn Transaction,
    run: &'a str,
    step: &'a Step,
    seq: i64,
    wall_ms: i64,
}

impl Lists<'_> {
    fn effect(&mut self, effect: &Effect) -> Result<(), Error> {
        match effect {
            Effect::Submit(new) => self.submitted(new),
            Effect::Settle { id, stage, reason } => {
                let outcome = JsonText::of(reason);
                self.change(*id, |whole, step| {
                    whole.item.stage = *stage;
                    whole.documents.outcome = Some(outcome);
                    if stage.is_final() {
                        whole.item.settled_at_ms = Some(step.at.0 as i64);
                    }
                })?;
                if is_answer(effect) {
                    self.answered(*id)?;
                }
                if stage.is_final() { self.ended(*id, *stage) } else { Ok(()) }
            }
            Effect::Apply(approved) => self.begun(approved.recommendation()),
            Effect::Freeze(freeze) => self.frozen(freeze),
            Effect::Unfreeze { id, by } => {
                let (id, by) = (self.freeze_key(*id), by.as_ref().map_or("time", |by| by.as_str()));
                freezes::lift(self.transaction, &id, self.step.at.0 as i64, by).map(drop)
            }
            Effect::SetMode(setting) => self.mode_set(setting),
            Effect::ClearMode { agent, scope } => {
                let agent = agent.as_ref().map(ToString::to_string).unwrap_or_default();
                modes::remove(self.transaction, &agent, &scope.to_string()).map(drop)
            }
            Effect::Defer { id, until, expires_at } => {
                self.change(*id, |whole, _| {
                    whole.item.deferred_until_ms = Some(until.0 as i64);
                    whole.item.expires_at_ms = expires_at.0 as i64;
                })?;
                self.answered(*id)
            }
            Effect::Endorse { id, .. } => self.answered(*id),
            _ => Ok(()),
        }
    }

    fn submitted(&mut self, new: &Recommendation) -> Result<(), Error> {
        recommendations::put_whole(self.transaction, &entered(self.run, new)).map(drop)
    }

    fn change(&mut self, id: RecommendationId, change: impl FnOnce(&mut Whole, &Step)) -> Result<(), Error> {
        let Some(mut whole) = find(self.transaction, self.run, id)? else { return Ok(()) };
        change(&mut whole, self.step);
        if let Input::Reviewed(review) = &self.step.input {
            whole.item.changed_by = reviewer(&review.reviewer);
        }
        recommendations::put_whole(self.transaction, &whole).map(drop)
    }

    /// Keeps an answer that had an effect. What a rule answered is part of the step in which it did.
    fn answered(&mut self, id: RecommendationId) -> Result<(), Error> {
        let Some(kept) = kept_review(self.step, self.wall_ms, id) else { return Ok(()) };
        let Some(mut whole) = find(self.transaction, self.run, id)? else { return Ok(()) };
        let documents = &mut whole.documents;
        let mut all: Vec<KeptReview> =
            documents.reviews.as_ref().map_or(Ok(Vec::new()), |text| text.read("a list of reviews"))?;
        let review = reviews::Review {
            run: self.run.to_owned(),
            recommendation: id.0 as i64,
            seq: self.seq,
            reviewer: kept.by.clone(),
            verdict: kept.verdict.clone(),
            note: kept.note.clone(),
            plan_hash: whole.item.plan_hash,
            at_ms: kept.at.0 as i64,
            wall_ms: kept.wall_ms,
        };
        reviews::append(self.transaction, &review)?;
        all.push(kept);
        documents.reviews = Some(JsonText::of(&all));
        recommendations::put_whole(self.transaction, &whole).map(drop)
    }

    fn begun(&mut self, recommendation: &Recommendation) -> Result<(), Error> {
        let execution = Execution {
            run: self.run.to_owned(),
            recommendation: recommendation.id.0 as i64,
            stage: Stage::Applying.as_str().to_owned(),
            begun_at_ms: self.step.at.0 as i64,
            ended_at_ms: None,
            steps: JsonText::of::<[TimedStep]>(&[]),
            score: None,
            rollback_of: recommendation.undoes.map(|id| id.0 as i64),
        };
        executions::put(self.transaction, &execution)
    }

    /// What was carried out has come to its end; what was never begun has nothing to end.
    fn ended(&mut self, id: RecommendationId, stage: Stage) -> Result<(), Error> {
        let Some(mut execution) = executions::get(self.transaction, self.run, id.0 as i64)? else {
            return Ok(());
        };
        stage.as_str().clone_into(&mut execution.stage);
        execution.ended_at_ms = Some(self.step.at.0 as i64);
        executions::put(self.transaction, &execution)
    }

    /// Freezes are numbered anew in each run.
    fn freeze_key(&self, id: FreezeId) -> String {
        format!("{}/{id}", self.run)
    }

    fn frozen(&mut self, freeze: &StandingFreeze) -> Result<(), Error> {
        let (scope_kind, scope_value) = crate::api::wire::scope(&freeze.scope);
        let row = freezes::Freeze {
            id: self.freeze_key(freeze.id),
            scope_kind,
            scope_value: scope_value.unwrap_or_default(),
            reason: freeze.reason.clone(),
            frozen_by: freeze.by.to_string(),
            since_ms: freeze.since.0 as i64,
            until_ms: freeze.until.map(|until| until.0 as i64),
            lifted_at_ms: None,
            lifted_by: None,
        };
        freezes::create(self.transaction, &row)
    }

    fn mode_set(&mut self, setting: &ModeSetting) -> Result<(), Error> {
        let changed_by = match &self.step.input {
            Input::Ordered(order) => orderer(&order.by),
            _ => "desk".to_owned(),
        };
        let row = modes::Mode {
            agent: setting.agent.as_ref().map(ToString::to_string).unwrap_or_default(),
            scope: setting.scope.to_string(),
            mode: setting.mode.as_str().to_owned(),
            settings: JsonText::of(setting),
            changed_by,
            changed_wall_ms: self.wall_ms,
        };
        modes::put(self.transaction, &row)
    }

    fn predicted(&mut self, id: RecommendationId, prediction: &Prediction) -> Result<(), Error> {
        self.change(id, |whole, _| foretell(whole, prediction))
    }
}

/// Whether somebody's answer had this effect.
pub(super) const fn is_answer(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Settle { stage: Stage::Approved | Stage::Rejected, .. }
            | Effect::Defer { .. }
            | Effect::Endorse { .. }
    )
}

/// The answer that a step is, or has in it.
pub(super) fn kept_review(step: &Step, wall_ms: i64, id: RecommendationId) -> Option<KeptReview> {
    let at = step.at;
    if let Input::Reviewed(Review { recommendation, verdict, reviewer: who, note, .. }) = &step.input
        && *recommendation == id
    {
        let (by, verdict) = (reviewer(who), verdict_name(verdict).to_owned());
        return Some(KeptReview { by, verdict, note: note.clone(), at, wall_ms });
    }
    let rule = step.effects.iter().find_map(|effect| match effect {
        Effect::Apply(approved) if approved.recommendation().id == id => Some(approved.reviewer()),
        _ => None,
    })?;
    Some(KeptReview { by: reviewer(rule), verdict: "approve".to_owned(), note: None, at, wall_ms })
}

/// How an answer is called.
pub const fn verdict_name(verdict: &model::review::Verdict) -> &'static str {
    use model::review::Verdict;
    match verdict {
        Verdict::Approve => "approve",
        Verdict::Reject => "reject",
        Verdict::Defer { .. } => "defer",
    }
}

/// A recommendation of a run by its number.
pub fn find(
    connection: &mut dyn Connection,
    run: &str,
    id: RecommendationId,
) -> Result<Option<Whole>, Error> {
    recommendations::whole(connection, run, id.0 as i64)
}

/// A benefit, and the interval in which it should land.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Benefit {
    mean: f64,
    low: f64,
    high: f64,
}

/// What was predicted stands on a recommendation.
pub(super) fn foretell(Whole { item, documents }: &mut Whole, prediction: &Prediction) {
    let benefit = benefit(prediction);
    documents.prediction = Some(JsonText::of(prediction));
    item.predicted = 1;
    item.benefit = benefit.map(|benefit| benefit.mean);
    item.benefit_low = benefit.map(|benefit| benefit.low);
    item.benefit_high = benefit.map(|benefit| benefit.high);
}

/// Pods that do not have to wait for a node, on average over the look ahead.
fn benefit(prediction: &Prediction) -> Option<Benefit> {
    let fewer = &prediction.alone.get(Measure::PendingPods, &Subject::Federation)?.difference;
    // Subtracted and not negated, so that none is 0 and not -0. The upper bound of what waits is the lower bound of the gain.
    Some(Benefit {
        mean: 0.0 - fewer.mean.as_f64(),
        low: 0.0 - fewer.high.as_f64(),
        high: 0.0 - fewer.low.as_f64(),
    })
}

/// Risks in the order in which lists sort them.
pub const fn risk_number(risk: Risk) -> i64 {
    match risk {
        Risk::Low => 1,
        Risk::Medium => 2,
        Risk::High => 3,
    }
}

/// The name of a risk by the number that lists sort it by.
pub fn risk_name(number: i64) -> &'static str {
    Risk::ALL.into_iter().find(|risk| risk_number(*risk) == number).unwrap_or(Risk::High).as_str()
}

/// What a list shows of a recommendation and never changes. A new column has to be named here, on one side or the other.
fn fixed(item: &Item) -> impl PartialEq + '_ {
    let Item {
        run,
        id,
        agent,
        kind,
        action,
        workload,
        namespace,
        from_cluster,
        to_cluster,
        risk,
        raised_at_ms,
        plan_hash,
        reason,
        // These change.
        version: _,
        stage: _,
        expires_at_ms: _,
        settled_at_ms: _,
        deferred_until_ms: _,
        benefit: _,
        benefit_low: _,
        benefit_high: _,
        changed_by: _,
        predicted: _,
    } = item;
    let place = (workload, namespace, from_cluster, to_cluster);
    ((run, id, agent, kind, action), place, (risk, raised_at_ms, plan_hash, reason))
}

/// Whether two rows show the same, as far as it never changes.
pub(super) fn show_the_same(one: &Item, other: &Item) -> bool {
    fixed(one) == fixed(other)
}

/// Writes what never changes anew.
pub(super) fn restore(item: &mut Item, right: Item) {
    *item = Item {
        version: item.version,
        stage: item.stage,
        expires_at_ms: item.expires_at_ms,
        settled_at_ms: item.settled_at_ms,
        deferred_until_ms: item.deferred_until_ms,
        benefit: item.benefit,
        benefit_low: item.benefit_low,
        benefit_high: item.benefit_high,
        changed_by: std::mem::take(&mut item.changed_by),
        predicted: item.predicted,
        ..right
    };
}

/// The plan of a recommendation, or what is wrong with it if somebody changed it by hand.
pub fn intact(Whole { item, documents }: &Whole) -> Result<Recommendation, &'static str> {
    let plan = Recommendation::read_intact(documents.body.as_str()).map_err(|why| match why {
        NotIntact::Unreadable => "the plan cannot be read",
        NotIntact::Changed => "the plan does not fit its hash",
    })?;
    if show_the_same(&shown(&item.run, &plan), item) { Ok(plan) } else { Err("the list shows another plan") }
}

/// A new recommendation as lists show it.
fn shown(run: &str, new: &Recommendation) -> Item {
    let (kind, from, to) = match &new.action {
        Action::Migrate { from, to, .. } => ("migrate", from, Some(to)),
        Action::Move { cluster, .. } => ("move", cluster, Some(cluster)),
        Action::Scale { cluster, .. } => ("scale", cluster, Some(cluster)),
        Action::ResizePool { cluster, .. } => ("resize_pool", cluster, Some(cluster)),
        Action::Hold { cluster, .. } => ("hold", cluster, None),
    };
    Item {
        run: run.to_owned(),
        id: new.id.0 as i64,
        version: 1,
        stage: Stage::Pending,
        agent: new.agent.to_string(),
        kind: kind.to_owned(),
        action: new.action.to_string(),
        workload: new.action.workload().map(ToString::to_string),
        namespace: new.action.workload().map(|workload| workload.namespace().to_owned()),
        from_cluster: Some(from.to_string()),
        to_cluster: to.map(ToString::to_string),
        risk: risk_number(new.risk.risk),
        raised_at_ms: new.raised_at.0 as i64,
        expires_at_ms: new.expires_at.0 as i64,
        settled_at_ms: None,
        deferred_until_ms: None,
        plan_hash: new.hash,
        benefit: None,
        benefit_low: None,
        benefit_high: None,
        reason: new.because.summary.clone(),
        changed_by: new
            .planned_by
            .as_ref()
            .map_or_else(|| format!("agent:{}", new.agent), |by| format!("person:{by}")),
        predicted: 0,
    }
}

pub(super) fn entered(run: &str, new: &Recommendation) -> Whole {
    let item = shown(run, new);
    let documents = Documents {
        run: run.to_owned(),
        id: item.id,
        body: JsonText::of(new),
        assessment: Some(JsonText::of(&new.risk)),
        prediction: None,
        reviews: None,
        outcome: None,
    };
    Whole { item, documents }
}
