//! Who answers: nobody, people, rules, or grants.

use super::decisions::order_refused;
use super::freezes::{ScopeWord, extent, reason};
use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, delete, get, put};
use crate::api::extract::{Body, Query};
use crate::api::known;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::Modes;
use crate::desk::Desk;
use crate::live::Now;
use axum::extract::State;
use control::world::{Effect, Input};
use model::names::AgentName;
use model::order::{Command, Extent, Grant, Mode, ModeSetting, Order};
use model::risk::Risk;
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/modes", "getModes", show)
            .does("Who answers where")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<Modes>(),
        put("/api/v1/modes", "setMode", set)
            .does("Say who answers for an agent or in a part of the federation")
            .needs(Right::Administer)
            .narrowed()
            .body::<ModeWish>()
            .answers::<Modes>()
            .may_refuse(&[Kind::Conflict, Kind::NotReady]),
        delete("/api/v1/modes", "clearMode", clear)
            .does("Take back who answers for an agent or in a part; what holds without it holds again")
            .needs(Right::Administer)
            .narrowed()
            .query::<ModeName>()
            .answers::<Modes>()
            .may_refuse(&[Kind::Malformed, Kind::Validation, Kind::NotFound, Kind::Conflict, Kind::NotReady]),
    ]
}

/// A year, in seconds.
const LONGEST_GRANT: u64 = 31_536_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ModeWish {
    mode: ModeWord,
    scope: ScopeWord,
    name: Option<String>,
    /// Whose recommendations; everybody's by default.
    agent: Option<String>,
    #[schemars(length(min = 1, max = 2000))]
    reason: String,
    /// With auto, which needs it: the highest risk that passes.
    highest_risk: Option<RiskWord>,
    /// With auto: replicas, or nodes of a pool, that one action may change.
    replicas: Option<u32>,
    /// With auto: actions of one agent within an hour. It needs this or `seconds`.
    #[schemars(range(max = 1000))]
    per_hour: Option<u32>,
    /// With auto: for how many seconds of the federation's own time. It needs this or `perHour`.
    #[schemars(range(min = 1, max = 31_536_000))]
    seconds: Option<u64>,
}

/// Which mode is meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModeName {
    scope: ScopeWord,
    name: Option<String>,
    /// Whose recommendations; left out for a mode that counts for everybody's.
    agent: Option<String>,
    #[schemars(length(min = 1, max = 2000))]
    reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ModeWord {
    Observe,
    Human,
    Rules,
    Auto,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RiskWord {
    Low,
    Medium,
    High,
}

impl ModeWish {
    fn mode(&self, now: &Now) -> Result<Mode, Problem> {
        let limits = Grant {
            highest_risk: self.highest_risk.map(|word| match word {
                RiskWord::Low => Risk::Low,
                RiskWord::Medium => Risk::Medium,
                RiskWord::High => Risk::High,
            }),
            replicas: self.replicas,
            per_hour: self.per_hour,
            until: self.seconds.map(|seconds| now.at + Period::from_secs(seconds)),
        };
        self.must_be_limited(&limits)?;
        Ok(match self.mode {
            ModeWord::Observe => Mode::Observe,
            ModeWord::Human => Mode::Human,
            ModeWord::Rules => Mode::Rules,
            ModeWord::Auto => Mode::Auto { limits },
        })
    }

    /// A grant says which risk passes, and has an end or a pace: nobody is asked any more who would notice that it was meant otherwise.
    fn must_be_limited(&self, limits: &Grant) -> Result<(), Problem> {
        let is_auto = self.mode == ModeWord::Auto;
        let detail = if is_auto { "Say how far this goes." } else { "Only mode auto has limits." };
        let too_long = self.seconds.is_some_and(|seconds| !(1..=LONGEST_GRANT).contains(&seconds));
        let wrong = [
            (
                !is_auto && *limits != Grant::default(),
                "mode",
                "only auto has limits",
                "write auto, or take the limits away",
            ),
            (too_long, "seconds", "for how long, up to a year", "a number from 1 to 31536000"),
            (
                self.per_hour.is_some_and(|most| most > Grant::MOST_PER_HOUR),
                "perHour",
                "so many are no pace",
                "a number up to 1000",
            ),
            (
                is_auto && limits.highest_risk.is_none(),
                "highestRisk",
                "auto needs the highest risk that passes",
                "low, medium or high",
            ),
            (
                is_auto && !limits.is_bounded(),
                "seconds",
                "auto needs an end or a pace",
                "seconds, for instance 28800, or perHour, for instance 4",
            ),
        ];
        let found = wrong.into_iter().filter(|(is_wrong, ..)| *is_wrong);
        let problem = found
            .fold(Problem::new(Kind::Validation, detail), |problem, (_, field, message, proposal)| {
                problem.with_proposal(field, message, proposal)
            });
        if problem.errors.is_empty() { Ok(()) } else { Err(problem) }
    }
}

fn modes(now: &Now, caller: &Caller) -> Modes {
    let sight = caller.sight();
    let seen = now.snapshot.as_deref();
    let settings = now.modes.iter().filter(|setting| sight.extent(&setting.scope, seen));
    let settings = settings.map(Into::into).collect();
    let usual = ModeSetting { agent: None, scope: Extent::Everything, mode: now.mode.clone() };
    let limits = matches!(usual.mode, Mode::Auto { .. }).then(|| (&usual).into());
    Modes { otherwise: now.mode.as_str().to_owned(), limits, settings, notes: Vec::new() }
}

async fn show(State(desk): State<Desk>, caller: Caller) -> Json<Modes> {
    Json(modes(&desk.now(), &caller))
}

/// An agent as a request names it.
fn agent(name: Option<&str>) -> Result<Option<AgentName>, Problem> {
    name.map(AgentName::new).transpose().map_err(|error| {
        Problem::new(Kind::Validation, error.to_string()).with_field("agent", "the name of an agent")
    })
}

async fn set(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<ModeWish>,
) -> Result<Json<Modes>, Problem> {
    let agent = agent(wish.agent.as_deref())?;
    let scope = extent(wish.scope, wish.name.as_deref())?;
    caller.must_reach_extent(&scope)?;
    must_meet(&scope, agent.as_ref())?;
    let notes = known::part(&desk, &caller, &scope, agent.as_ref()).await?;
    let setting = ModeSetting { agent, scope, mode: wish.mode(&desk.now())? };
    let modes = order(&desk, &caller, &wish.reason, Command::SetMode { setting }).await?;
    Ok(Json(Modes { notes, ..modes }))
}

/// Recommendations of one agent are never those of another.
fn must_meet(scope: &Extent, agent: Option<&AgentName>) -> Result<(), Problem> {
    match (scope, agent) {
        (Extent::Agent(one), Some(other)) if one != other => {
            let message = format!("no recommendation is of {one} and of {other}");
            let problem = Problem::new(Kind::Validation, format!("This can never count: {message}."));
            Err(problem.with_proposal("agent", message, format!("leave it out, or write {one}")))
        }
        _ => Ok(()),
    }
}

async fn clear(
    State(desk): State<Desk>,
    caller: Caller,
    Query(wish): Query<ModeName>,
) -> Result<Json<Modes>, Problem> {
    let agent = agent(wish.agent.as_deref())?;
    let scope = extent(wish.scope, wish.name.as_deref())?;
    caller.must_reach_extent(&scope)?;
    // What was set for a name that is gone can still be taken back.
    order(&desk, &caller, &wish.reason, Command::ClearMode { agent, scope }).await.map(Json)
}

/// Has an order about modes carried out, and shows who answers from then on.
async fn order(desk: &Desk, caller: &Caller, why: &str, what: Command) -> Result<Modes, Problem> {
    let order = Order { by: caller.name.clone(), reason: reason(why)?, what };
    let outcome = desk.office().take(Input::Ordered(order), None, None).await?;
    let refusal = outcome.step.effects.iter().find_map(|effect| match effect {
        Effect::RefuseOrder { refusal } => Some(order_refused(refusal)),
        _ => None,
    });
    refusal.map_or_else(|| Ok(modes(&desk.now(), caller)), Err)
}
