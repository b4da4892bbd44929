//! Plans from outside: agents that run elsewhere, and people with an idea of their own.

use super::decisions::order_refused;
use super::executions::way_back;
use super::freezes::reason;
use super::recommendations::id;
use crate::access::{Caller, Right, Role};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, post};
use crate::api::extract::Body;
use crate::api::problem::{Kind, Problem};
use crate::api::propose::{Fate, as_agent, as_person};
use crate::api::wire::{
    ActionWish, AlternativeWish, DraftOutcome, DraftResult, EvidenceWish, ProposalAnswer,
};
use crate::desk::Desk;
use axum::extract::State;
use model::action::Action;
use model::names::AgentName;
use model::recommendation::{Draft, Rationale};
use schemars::JsonSchema;
use serde::Deserialize;

/// Each draft is weighed against the whole federation. An agent that wants more at once sends it in parts, or wants too much.
const MOST_DRAFTS: usize = 200;

/// A person has thought about each.
const MOST_OF_A_PERSON: usize = 20;

/// Facts or alternatives of one draft: what somebody reads before they decide.
const MOST_REASONS: usize = 20;

/// A sentence for a person.
const LONGEST_REASON: usize = 2_000;

/// A name, a number with its unit.
const LONGEST_TEXT: usize = 200;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        post("/api/v1/recommendations", "propose", propose)
            .does("Put plans on the desk: an agent in its own name, a person in theirs")
            .needs(Right::Propose)
            .narrowed()
            .body::<ProposalWish>()
            .slow()
            .answers::<ProposalAnswer>()
            .may_refuse(&[Kind::NotFound, Kind::Conflict, Kind::NotReady]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposalWish {
    /// Up to 200 of an agent, up to 20 of a person; no two of the same.
    #[schemars(length(min = 1, max = 200))]
    drafts: Vec<DraftWish>,
    /// Of an agent: whether this is all it wants now, so that what it proposed before and does not repeat ends.
    #[serde(default)]
    complete: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DraftWish {
    action: ActionWish,
    /// Why, in a sentence for a person.
    #[schemars(length(min = 1, max = 2000))]
    reason: String,
    /// Of an agent: the facts it rests on.
    #[serde(default)]
    #[schemars(length(max = 20))]
    evidence: Vec<EvidenceWish>,
    /// Of an agent: what else it looked at.
    #[serde(default)]
    #[schemars(length(max = 20))]
    alternatives: Vec<AlternativeWish>,
    /// Of a person: the recommendation that it would take back, such as R-42. It was carried out, and the action leads exactly back.
    undoes: Option<String>,
}

fn wrong(field: String, message: impl Into<String>) -> Problem {
    let message = message.into();
    Problem::new(Kind::Validation, format!("{field}: {message}.")).with_field(field, message)
}

/// Whether a text can be shown to people as it is.
fn check_text(field: &str, text: &str, longest: usize) -> Result<(), Problem> {
    if text.chars().count() > longest {
        return Err(wrong(field.to_owned(), format!("at most {longest} characters")));
    }
    let odd = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if text.contains(odd) {
        return Err(wrong(field.to_owned(), "it holds control characters; leave them out"));
    }
    Ok(())
}

impl DraftWish {
    fn action(&self, place: &str) -> Result<Action, Problem> {
        self.action.action().map_err(|error| wrong(format!("{place}.action.{}", error.field), error.message))
    }

    fn check(&self, place: &str) -> Result<(), Problem> {
        check_text(&format!("{place}.reason"), &self.reason, LONGEST_REASON)?;
        if self.reason.trim().is_empty() {
            return Err(wrong(format!("{place}.reason"), "say why"));
        }
        if self.evidence.len().max(self.alternatives.len()) > MOST_REASONS {
            return Err(wrong(format!("{place}.evidence"), format!("at most {MOST_REASONS} of a kind")));
        }
        for fact in &self.evidence {
            let texts = [Some(&fact.subject), Some(&fact.signal), Some(&fact.value), fact.limit.as_ref()];
            let field = format!("{place}.evidence");
            texts.into_iter().flatten().try_for_each(|text| check_text(&field, text, LONGEST_TEXT))?;
        }
        for other in &self.alternatives {
            let field = format!("{place}.alternatives");
            check_text(&field, &other.option, LONGEST_TEXT)?;
            check_text(&field, &other.rejected_because, LONGEST_REASON)?;
        }
        Ok(())
    }

    fn draft(self, place: &str) -> Result<Draft, Problem> {
        self.check(place)?;
        if self.undoes.is_some() {
            return Err(wrong(format!("{place}.undoes"), "only people take something back"));
        }
        let action = self.action(place)?;
        let because = Rationale {
            summary: self.reason.trim().to_owned(),
            evidence: self.evidence.into_iter().map(Into::into).collect(),
            alternatives: self.alternatives.into_iter().map(Into::into).collect(),
            opinions: Vec::new(),
        };
        Ok(Draft { action, because })
    }
}

async fn propose(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<ProposalWish>,
) -> Result<Json<ProposalAnswer>, Problem> {
    let most = if caller.role == Role::Agent { MOST_DRAFTS } else { MOST_OF_A_PERSON };
    if wish.drafts.is_empty() || wish.drafts.len() > most {
        return Err(wrong("drafts".to_owned(), format!("1 to {most} of them")));
    }
    let answer = if caller.role == Role::Agent {
        of_agent(&desk, &caller, wish).await?
    } else {
        of_person(&desk, &caller, wish).await?
    };
    Ok(Json(answer))
}

/// The agent whose name a token carries.
pub(super) fn agent(caller: &Caller) -> Result<AgentName, Problem> {
    AgentName::new(caller.name.as_str()).map_err(|error| Problem::internal(&error))
}

async fn of_agent(desk: &Desk, caller: &Caller, wish: ProposalWish) -> Result<ProposalAnswer, Problem> {
    let drafts = wish.drafts.into_iter().enumerate();
    let drafts = drafts.map(|(index, draft)| draft.draft(&format!("drafts[{index}]")));
    let drafts: Vec<Draft> = drafts.collect::<Result<_, _>>()?;
    let (batch, fates) = as_agent(desk, agent(caller)?, &caller.scope, drafts, wish.complete).await?;
    Ok(ProposalAnswer { batch: Some(batch), results: fates.into_iter().map(result).collect() })
}

async fn of_person(desk: &Desk, caller: &Caller, wish: ProposalWish) -> Result<ProposalAnswer, Problem> {
    if wish.complete {
        return Err(wrong("complete".to_owned(), "people propose one plan after the other"));
    }
    // Everything is read before anything is proposed.
    let mut plans = Vec::with_capacity(wish.drafts.len());
    for (index, draft) in wish.drafts.iter().enumerate() {
        let place = format!("drafts[{index}]");
        draft.check(&place)?;
        if !draft.evidence.is_empty() || !draft.alternatives.is_empty() {
            return Err(wrong(format!("{place}.evidence"), "people say why in their reason"));
        }
        let (action, undoes) = (draft.action(&place)?, draft.undoes.as_deref().map(id).transpose()?);
        // The rules against churn do not stand in the way of taking something back, so nothing else may be called that.
        if let Some(undone) = undoes
            && way_back(desk, caller, undone).await? != action
        {
            let message =
                format!("this is not the way back of {undone}; leave it out, or have {undone} rolled back");
            return Err(wrong(format!("{place}.undoes"), message));
        }
        plans.push((action, undoes, reason(&draft.reason)?));
    }
    let mut results = Vec::with_capacity(plans.len());
    for (action, undoes, reason) in plans {
        results.push(result(as_person(desk, caller, action, undoes, reason).await?));
    }
    Ok(ProposalAnswer { batch: None, results })
}

fn result(fate: Fate) -> DraftResult {
    let (outcome, id, problem) = match fate {
        Fate::Accepted(id) => (DraftOutcome::Accepted, Some(id), None),
        Fate::Kept(id) => (DraftOutcome::Kept, id, None),
        Fate::Refused(refusal) => (DraftOutcome::Refused, None, Some(order_refused(&refusal))),
        Fate::OutOfReach => {
            let detail = "This lies outside the part of the federation that you may touch.";
            (DraftOutcome::Refused, None, Some(Problem::new(Kind::Forbidden, detail)))
        }
    };
    DraftResult { outcome, id: id.map(|id| id.to_string()), problem }
}
