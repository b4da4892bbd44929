//! Stopping things, and letting them go on.

use super::decisions::{check_words, order_refused};
use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get, post};
use crate::api::extract::{Body, Names};
use crate::api::known;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{FreezeAnswer, FreezeItem};
use crate::desk::Desk;
use axum::extract::State;
use axum::http::StatusCode;
use control::world::{Effect, Input, OrderRefusal};
use model::names::{AgentName, ClusterName, WorkloadRef, check_name};
use model::order::{Command, Extent, FreezeId, Order};
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;

/// A year, in seconds.
const LONGEST_FREEZE: u64 = 31_536_000;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/freezes", "listFreezes", list)
            .does("What stands still now")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<Vec<FreezeItem>>(),
        post("/api/v1/freezes", "freeze", freeze)
            .does("Stop everything, a cluster, a namespace, a workload or an agent")
            .needs(Right::Steer)
            .narrowed()
            .body::<FreezeWish>()
            .answers_with::<FreezeAnswer>(201)
            .may_refuse(&[Kind::Conflict, Kind::NotReady]),
        post("/api/v1/freezes/{id}/lift", "liftFreeze", lift)
            .does("Let it go on; what was granted to rules there goes back to people")
            .needs(Right::Administer)
            .narrowed()
            .body::<Reason>()
            .may_refuse(&[Kind::NotFound, Kind::Conflict, Kind::NotReady]),
    ]
}

/// A part of the federation, as requests name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ScopeWord {
    Everything,
    Cluster,
    Namespace,
    Workload,
    Agent,
}

/// Reads a part of the federation.
pub(super) fn extent(scope: ScopeWord, name: Option<&str>) -> Result<Extent, Problem> {
    let wrong = |message: String| Problem::new(Kind::Validation, message.clone()).with_field("name", message);
    if scope == ScopeWord::Everything {
        return match name {
            None => Ok(Extent::Everything),
            Some(_) => Err(wrong("everything has no name; leave it out".to_owned())),
        };
    }
    let name = name.ok_or_else(|| wrong("say which one".to_owned()))?;
    let refused = |error: &dyn std::fmt::Display| wrong(error.to_string());
    Ok(match scope {
        ScopeWord::Everything => Extent::Everything,
        ScopeWord::Cluster => Extent::Cluster(ClusterName::new(name).map_err(|error| refused(&error))?),
        ScopeWord::Namespace => {
            check_name(name).map_err(|error| refused(&error))?;
            Extent::Namespace(name.to_owned())
        }
        ScopeWord::Workload => {
            Extent::Workload(name.parse::<WorkloadRef>().map_err(|error| refused(&error))?)
        }
        ScopeWord::Agent => Extent::Agent(AgentName::new(name).map_err(|error| refused(&error))?),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FreezeWish {
    scope: ScopeWord,
    /// Which cluster, namespace, workload (namespace/name) or agent.
    name: Option<String>,
    /// Why; everybody sees it.
    #[schemars(length(min = 1, max = 2000))]
    reason: String,
    /// For how many seconds of the federation's own time; until somebody lifts it by default.
    #[schemars(range(min = 1, max = 31_536_000))]
    seconds: Option<u64>,
}

impl FreezeWish {
    fn length(&self) -> Result<Option<Period>, Problem> {
        if self.seconds.is_some_and(|seconds| !(1..=LONGEST_FREEZE).contains(&seconds)) {
            let problem = Problem::new(Kind::Validation, "A freeze lasts from a second to a year.");
            let proposal = format!("write a number from 1 to {LONGEST_FREEZE}, or leave it out");
            return Err(problem.with_proposal("seconds", "for how long, up to a year", proposal));
        }
        Ok(self.seconds.map(Period::from_secs))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    #[schemars(length(min = 1, max = 2000))]
    pub(super) reason: String,
}

/// A reason that says something.
pub(super) fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    check_words("reason", Some(text))?;
    if text.is_empty() {
        return Err(Problem::new(Kind::Validation, "Say why.").with_field("reason", "it is empty"));
    }
    Ok(text.to_owned())
}

async fn list(State(desk): State<Desk>, caller: Caller) -> Json<Vec<FreezeItem>> {
    let (now, sight) = (desk.now(), caller.sight());
    let seen = now.snapshot.as_deref();
    Json(now.freezes.iter().filter(|freeze| sight.extent(&freeze.scope, seen)).map(Into::into).collect())
}

async fn freeze(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<FreezeWish>,
) -> Result<(StatusCode, Json<FreezeAnswer>), Problem> {
    let scope = extent(wish.scope, wish.name.as_deref())?;
    caller.must_reach_extent(&scope)?;
    let notes = known::part(&desk, &caller, &scope, None).await?;
    let until = wish.length()?.map(|length| desk.now().at + length);
    let order = Order {
        by: caller.name.clone(),
        reason: reason(&wish.reason)?,
        what: Command::Freeze { scope, until },
    };
    let outcome = desk.office().take(Input::Ordered(order), None, None).await?;
    for effect in &outcome.step.effects {
        match effect {
            Effect::Freeze(freeze) => {
                return Ok((StatusCode::CREATED, Json(FreezeAnswer { freeze: freeze.into(), notes })));
            }
            Effect::RefuseOrder { refusal } => return Err(order_refused(refusal)),
            _ => {}
        }
    }
    Err(Problem::internal(&"a freeze was ordered and nothing came of it"))
}

async fn lift(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
    Body(wish): Body<Reason>,
) -> Result<StatusCode, Problem> {
    let freeze: FreezeId = text.parse().map_err(|_| Problem::not_found(format_args!("freeze {text:?}")))?;
    // What the board does not show yet might lie outside the caller's part: nobody lifts what nobody could look at.
    let now = desk.now();
    let standing = now.freezes.iter().find(|standing| standing.id == freeze);
    let seen = now.snapshot.as_deref();
    let standing = standing.filter(|standing| caller.sight().extent(&standing.scope, seen));
    let standing = standing.ok_or_else(|| order_refused(&OrderRefusal::NotFrozen))?;
    caller.must_reach_extent(&standing.scope)?;
    let order =
        Order { by: caller.name.clone(), reason: reason(&wish.reason)?, what: Command::Unfreeze { freeze } };
    let outcome = desk.office().take(Input::Ordered(order), None, None).await?;
    let refusal = outcome.step.effects.iter().find_map(|effect| match effect {
        Effect::RefuseOrder { refusal } => Some(order_refused(refusal)),
        _ => None,
    });
    refusal.map_or(Ok(StatusCode::NO_CONTENT), Err)
}
