//! What a step means to somebody who does not watch: a few kinds of events with the names of what they are about. Words that people and
//! agents wrote are not in them; whoever wants to read those asks the desk.

use crate::api::wire::scope;
use crate::office::engine::Step;
use crate::office::record::{orderer, reviewer};
use control::control_loop::ControlLoop;
use control::world::{Effect, Input};
use model::action::Action;
use model::names::{AgentName, ReviewerName};
use model::order::{Extent, FreezeId, Mode, ModeSetting, StandingFreeze};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Reviewer, Stage};
use model::time::Timestamp;
use serde_json::{Value, json};

/// What others can be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Created,
    /// A person has to decide.
    Waiting,
    Approved,
    Rejected,
    Expired,
    Superseded,
    Completed,
    Failed,
    RolledBack,
    FreezeSet,
    FreezeCleared,
    ModeSet,
    ModeCleared,
    /// Only whether messages arrive.
    Tested,
}

impl Topic {
    pub(crate) const ALL: [Self; 14] = [
        Self::Created,
        Self::Waiting,
        Self::Approved,
        Self::Rejected,
        Self::Expired,
        Self::Superseded,
        Self::Completed,
        Self::Failed,
        Self::RolledBack,
        Self::FreezeSet,
        Self::FreezeCleared,
        Self::ModeSet,
        Self::ModeCleared,
        Self::Tested,
    ];

    /// As the desk's file names it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Created => "recommendation.created",
            Self::Waiting => "recommendation.waiting",
            Self::Approved => "recommendation.approved",
            Self::Rejected => "recommendation.rejected",
            Self::Expired => "recommendation.expired",
            Self::Superseded => "recommendation.superseded",
            Self::Completed => "execution.completed",
            Self::Failed => "execution.failed",
            Self::RolledBack => "execution.rolledback",
            Self::FreezeSet => "freeze.set",
            Self::FreezeCleared => "freeze.cleared",
            Self::ModeSet => "mode.set",
            Self::ModeCleared => "mode.cleared",
            Self::Tested => "webhook.tested",
        }
    }

    /// As a message names it; the same as in the stream of events where both tell of it.
    pub(crate) fn kind(self) -> String {
        format!("io.drover.{}.v1", self.name())
    }

    /// Whether a word of the desk's file means this: its name, or the begin of it up to a dot.
    pub(crate) fn is_called(self, word: &str) -> bool {
        self.name().strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    const fn of_stage(stage: Stage) -> Option<Self> {
        Some(match stage {
            Stage::Approved => Self::Approved,
            Stage::Rejected => Self::Rejected,
            Stage::Expired => Self::Expired,
            Stage::Superseded => Self::Superseded,
            Stage::Applied => Self::Completed,
            Stage::Failed => Self::Failed,
            Stage::RolledBack => Self::RolledBack,
            Stage::Pending | Stage::Applying => return None,
        })
    }
}

/// Something to be told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct News {
    pub(crate) topic: Topic,
    pub(crate) data: Value,
}

fn news(topic: Topic, data: Value) -> News {
    News { topic, data }
}

/// What a step means to others, in order. `control` has taken the step already.
pub(crate) fn of_step(step: &Step, control: &ControlLoop) -> Vec<News> {
    let mut all: Vec<News> = step.effects.iter().filter_map(|effect| of_effect(step, effect)).collect();
    all.extend(asked(step).into_iter().filter_map(|id| waiting(control, step.at, id)));
    all
}

/// The same for recommendations that wait, and of which no prediction will come that would let people be asked.
pub(crate) fn asked_without_prediction(
    control: &ControlLoop,
    at: Timestamp,
    ids: &[RecommendationId],
) -> Vec<(RecommendationId, News)> {
    ids.iter().filter_map(|id| Some((*id, waiting(control, at, *id)?))).collect()
}

fn of_effect(step: &Step, effect: &Effect) -> Option<News> {
    Some(match effect {
        Effect::Submit(new) => news(Topic::Created, plan(new)),
        Effect::Settle { id, stage, .. } => {
            let data =
                json!({ "recommendation": id.to_string(), "stage": stage.as_str(), "by": by(step, *id) });
            news(Topic::of_stage(*stage)?, data)
        }
        Effect::Freeze(freeze) => news(Topic::FreezeSet, frozen(freeze)),
        Effect::Unfreeze { id, by } => news(Topic::FreezeCleared, thawed(*id, by.as_ref())),
        Effect::SetMode(setting) => news(Topic::ModeSet, mode_set(step, setting)),
        Effect::ClearMode { agent, scope } => {
            news(Topic::ModeCleared, mode_of_whom(step, agent.as_ref(), scope))
        }
        _ => return None,
    })
}

/// What a plan is about.
fn plan(new: &Recommendation) -> Value {
    let clusters: Vec<String> = new.action.clusters().into_iter().map(ToString::to_string).collect();
    json!({
        "recommendation": new.id.to_string(),
        "agent": new.agent.to_string(),
        "kind": kind(&new.action),
        "workload": new.action.workload().map(ToString::to_string),
        "clusters": clusters,
        "risk": new.risk.risk.as_str(),
        "planHash": new.hash.to_string(),
    })
}

const fn kind(action: &Action) -> &'static str {
    match action {
        Action::Migrate { .. } => "migrate",
        Action::Move { .. } => "move",
        Action::Scale { .. } => "scale",
        Action::ResizePool { .. } => "resize_pool",
        Action::Hold { .. } => "hold",
    }
}

/// Who answered, if a step is an answer or a rule gave one in it.
fn by(step: &Step, id: RecommendationId) -> Option<String> {
    let person = match &step.input {
        Input::Reviewed(review) if review.recommendation == id => Some(&review.reviewer),
        _ => None,
    };
    let rule = || {
        step.effects.iter().find_map(|effect| match effect {
            Effect::Apply(approved) if approved.recommendation().id == id => Some(approved.reviewer()),
            _ => None,
        })
    };
    person.or_else(rule).map(|who: &Reviewer| reviewer(who))
}

fn frozen(freeze: &StandingFreeze) -> Value {
    let (kind, name) = scope(&freeze.scope);
    json!({ "freeze": freeze.id.to_string(), "scope": kind, "name": name, "by": orderer(&freeze.by) })
}

fn thawed(id: FreezeId, by: Option<&ReviewerName>) -> Value {
    let by = by.map_or_else(|| "time".to_owned(), orderer);
    json!({ "freeze": id.to_string(), "by": by })
}

fn mode_set(step: &Step, setting: &ModeSetting) -> Value {
    let mut data = mode_of_whom(step, setting.agent.as_ref(), &setting.scope);
    data["mode"] = setting.mode.as_str().into();
    data
}

/// Whom a mode is about, and who changed it.
fn mode_of_whom(step: &Step, agent: Option<&AgentName>, extent: &Extent) -> Value {
    let (kind, name) = scope(extent);
    let by = match &step.input {
        Input::Ordered(order) => orderer(&order.by),
        _ => "desk".to_owned(),
    };
    json!({ "agent": agent.map(ToString::to_string), "scope": kind, "name": name, "by": by })
}

/// Recommendations about which a step asks people: new ones as soon as their prediction is there, or at once if none is wanted, and
/// those of which one yes is not enough.
fn asked(step: &Step) -> Vec<RecommendationId> {
    let later: Vec<RecommendationId> = step
        .effects
        .iter()
        .flat_map(|effect| if let Effect::Predict { ids } = effect { ids.as_slice() } else { &[] })
        .copied()
        .collect();
    let mut asked: Vec<RecommendationId> = match &step.input {
        Input::Predicted { id, .. } => vec![*id],
        _ => Vec::new(),
    };
    asked.extend(step.effects.iter().filter_map(|effect| match effect {
        Effect::Submit(new) if !later.contains(&new.id) => Some(new.id),
        Effect::Endorse { id, .. } => Some(*id),
        _ => None,
    }));
    asked
}

fn waiting(control: &ControlLoop, at: Timestamp, id: RecommendationId) -> Option<News> {
    let desk = control.desk();
    let plan = desk.recommendation(id).filter(|_| desk.stage(id) == Some(Stage::Pending))?;
    if control.mode_of(plan) == Mode::Observe {
        return None;
    }
    let data = json!({
        "recommendation": id.to_string(),
        "agent": plan.agent.to_string(),
        "risk": plan.risk.risk.as_str(),
        "planHash": plan.hash.to_string(),
        "expiresAtMs": plan.expires_at.0,
        "approversNeeded": control.approvers_needed(at, id),
        "approversGiven": desk.endorsed_by(id).len(),
    });
    Some(news(Topic::Waiting, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_a_name_of_its_own() {
        for (index, topic) in Topic::ALL.into_iter().enumerate() {
            assert!(topic.is_called(topic.name()));
            let room = topic.name().split('.').next().unwrap_or_default();
            assert!(topic.is_called(room) && !topic.is_called(&room[1..]) && !topic.is_called(""), "{room}");
            assert!(Topic::ALL[..index].iter().all(|earlier| earlier.name() != topic.name()));
        }
        assert_eq!(Topic::Created.kind(), "io.drover.recommendation.created.v1");
    }

    #[test]
    fn every_end_of_a_recommendation_is_told() {
        for stage in Stage::ALL {
            let told = Topic::of_stage(stage).is_some();
            assert_eq!(told, stage.is_final() || stage == Stage::Approved, "{stage:?}");
        }
    }
}
