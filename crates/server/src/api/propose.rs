//! Putting plans on the desk for somebody outside it, and saying what became of each.

use super::problem::{Kind, Problem};
use crate::access::Caller;
use crate::desk::Desk;
use control::agent::Scope;
use control::guardrails::Refusal;
use control::ordering::PEOPLE;
use control::world::{Effect, Explanation, Input, OrderRefusal, Proposal};
use model::action::Action;
use model::names::AgentName;
use model::order::{Command, Order};
use model::recommendation::{Draft, RecommendationId};

/// What became of a draft.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fate {
    /// It is on the desk, under a new number.
    Accepted(RecommendationId),
    /// It was on the desk already and stays there. The number is gone if it was answered at the same moment.
    Kept(Option<RecommendationId>),
    Refused(OrderRefusal),
    /// It lies outside the part of the federation that whoever proposes may touch.
    OutOfReach,
}

/// Proposes in the name of an agent. One fate per draft, in their order, and the number of the batch.
pub(crate) async fn as_agent(
    desk: &Desk,
    agent: AgentName,
    scope: &Scope,
    drafts: Vec<Draft>,
    complete: bool,
) -> Result<(u64, Vec<Fate>), Problem> {
    let actions: Vec<Action> = drafts.iter().map(|draft| draft.action.clone()).collect();
    must_differ(&actions)?;
    let within = drafts.into_iter().filter(|draft| scope.allows(&draft.action)).collect();
    let proposal = Proposal { agent: agent.clone(), drafts: within, complete };
    let outcome = desk.office().take(Input::Proposed(proposal), None, None).await?;
    let effects = &outcome.step.effects;
    let explained = effects.iter().find_map(|effect| match effect {
        Effect::Explain(explanation) => Some(explanation),
        _ => None,
    });
    let explained = explained.ok_or_else(|| {
        Problem::new(Kind::NotReady, "Nothing was observed yet; try again in a moment.").after(1)
    })?;
    let waiting = waiting(desk, agent).await?;
    let fate = |action: &Action| {
        if scope.allows(action) { fate(action, effects, explained, &waiting) } else { Fate::OutOfReach }
    };
    Ok((explained.batch, actions.iter().map(fate).collect()))
}

/// What a draft became is found by its action, so no two may be the same.
fn must_differ(actions: &[Action]) -> Result<(), Problem> {
    let mut order: Vec<usize> = (0..actions.len()).collect();
    order.sort_by_key(|index| &actions[*index]);
    let twins = order.windows(2).find(|pair| actions[pair[0]] == actions[pair[1]]);
    let Some([first, second]) = twins else { return Ok(()) };
    let message = format!("it is the same as drafts[{first}]");
    let problem = Problem::new(Kind::Validation, format!("drafts[{second}]: {message}; send it once."));
    Err(problem.with_field(format!("drafts[{second}].action"), message))
}

fn fate(
    action: &Action,
    effects: &[Effect],
    explained: &Explanation,
    waiting: &[(RecommendationId, Action)],
) -> Fate {
    let submitted = effects.iter().find_map(|effect| match effect {
        Effect::Submit(new) if new.action == *action => Some(Fate::Accepted(new.id)),
        _ => None,
    });
    let refused = || {
        let found = explained.refused.iter().find(|refused| refused.draft.action == *action)?;
        Some(Fate::Refused(OrderRefusal::Refused { refusal: found.refusal.clone() }))
    };
    submitted.or_else(refused).unwrap_or_else(|| Fate::Kept(place(waiting, action)))
}

fn place(waiting: &[(RecommendationId, Action)], action: &Action) -> Option<RecommendationId> {
    waiting.iter().find(|(_, known)| known == action).map(|(id, _)| *id)
}

/// What waits for an answer in the name of an agent.
async fn waiting(desk: &Desk, agent: AgentName) -> Result<Vec<(RecommendationId, Action)>, Problem> {
    Ok(desk.office().ask(move |office| office.engine().control().desk().awaiting(&agent)).await?)
}

/// Proposes a plan of a person.
pub(crate) async fn as_person(
    desk: &Desk,
    caller: &Caller,
    action: Action,
    undoes: Option<RecommendationId>,
    reason: String,
) -> Result<Fate, Problem> {
    if !caller.scope.allows(&action) {
        return Ok(Fate::OutOfReach);
    }
    let what = Command::Propose { action: action.clone(), undoes };
    let order = Order { by: caller.name.clone(), reason, what };
    let outcome = desk.office().take(Input::Ordered(order), None, None).await?;
    for effect in &outcome.step.effects {
        match effect {
            Effect::Submit(new) => return Ok(Fate::Accepted(new.id)),
            Effect::RefuseOrder { refusal: OrderRefusal::Refused { refusal: Refusal::NothingObserved } } => {
                return Err(Problem::new(Kind::NotReady, "Nothing was observed yet; try again in a moment."));
            }
            Effect::RefuseOrder { refusal } => return Ok(Fate::Refused(refusal.clone())),
            _ => {}
        }
    }
    let people = AgentName::new(PEOPLE).map_err(|error| Problem::internal(&error))?;
    Ok(Fate::Kept(place(&waiting(desk, people).await?, &action)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::names::ClusterName;

    #[test]
    fn the_same_action_twice_is_named() {
        let hold = |name: &str| Action::Hold {
            workload: format!("default/{name}").parse().expect("a workload"),
            cluster: ClusterName::new("a").expect("a name"),
        };
        assert!(must_differ(&[hold("a"), hold("b"), hold("c")]).is_ok());
        assert!(must_differ(&[]).is_ok());
        let problem = must_differ(&[hold("b"), hold("a"), hold("b")]).expect_err("twins");
        assert_eq!(problem.errors[0].field, "drafts[2].action");
        assert!(problem.errors[0].message.contains("drafts[0]"), "{}", problem.errors[0].message);
    }
}
