//! Those who recommend: inside the desk and from outside.

use crate::access::{Caller, Right, Role};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Names;
use crate::api::problem::Problem;
use crate::api::routes::decided::Search;
use crate::api::wire::{AgentDetail, AgentItem, BudgetItem};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::live::Now;
use crate::storage::tables::recommendations::{self, Within};
use crate::storage::tables::tokens;
use crate::storage::{Connection, Error};
use axum::extract::State;
use control::ordering::PEOPLE;
use lab::run::AgentHeader;
use model::names::AgentName;
use model::order::{Extent, ModeSetting};
use std::collections::{BTreeMap, BTreeSet};

/// Decisions that are shown with an agent; there is a list of all of them.
const DECISIONS: usize = 20;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/agents", "listAgents", list)
            .does("Everybody who recommends, and what became of it in this run")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<Vec<AgentItem>>(),
        get("/api/v1/agents/{name}", "getAgent", show)
            .does("One agent with its parameters and last decisions")
            .needs(Right::SeeDesk)
            .answers::<AgentDetail>(),
    ]
}

/// What the lists know about agents.
struct Known {
    counts: BTreeMap<String, BTreeMap<String, i64>>,
    /// Agents that have a token.
    outside: BTreeSet<String>,
}

impl Known {
    fn read(connection: &mut dyn Connection, run: &str, within: &Within) -> Result<Self, Error> {
        let now = wall_ms();
        let counts =
            recommendations::counts_by_agent(connection, run, within)?.into_iter().map(|(agent, stages)| {
                (agent, stages.into_iter().map(|(stage, total)| (stage.as_str().to_owned(), total)).collect())
            });
        let counts = counts.collect();
        let counting = |token: &tokens::Token| {
            token.role == Role::Agent.as_str()
                && token.revoked_wall_ms.is_none()
                && token.expires_wall_ms.is_none_or(|end| end > now)
        };
        let outside = tokens::all(connection)?.into_iter().filter(counting).map(|token| token.name).collect();
        Ok(Self { counts, outside })
    }
}

/// Those of the desk's files, and those that objects beside it brought.
fn inside<'a>(desk: &'a Desk, now: &'a Now) -> impl Iterator<Item = &'a AgentHeader> {
    desk.header().agents.iter().chain(&now.supplied)
}

fn header<'a>(desk: &'a Desk, now: &'a Now, name: &str) -> Option<&'a AgentHeader> {
    inside(desk, now).find(|agent| agent.name.as_str() == name)
}

/// The names of everybody who recommends or could, people not among them.
pub(in crate::api) async fn names(desk: &Desk) -> Result<BTreeSet<String>, Problem> {
    let now = desk.now();
    let run = now.run.clone();
    let known = desk.read(move |connection| Known::read(connection, &run, &Within::default())).await?;
    Ok(known_names(desk, &now, &known))
}

fn known_names(desk: &Desk, now: &Now, known: &Known) -> BTreeSet<String> {
    let inside = inside(desk, now).map(|agent| agent.name.to_string());
    let outside = desk.residents().outside.iter().map(ToString::to_string);
    let others = known.outside.iter().chain(known.counts.keys()).cloned();
    let recorded = now.records.keys().map(ToString::to_string);
    inside.chain(outside).chain(others).chain(recorded).filter(|name| name != PEOPLE).collect()
}

fn all(desk: &Desk, now: &Now, known: &Known) -> Vec<AgentItem> {
    known_names(desk, now, known).into_iter().map(|name| item(desk, now, known, &name)).collect()
}

fn item(desk: &Desk, now: &Now, known: &Known, name: &str) -> AgentItem {
    let record = now.records.iter().find(|(agent, _)| agent.as_str() == name);
    let frozen = now.freezes.iter().any(|freeze| match &freeze.scope {
        Extent::Everything => true,
        Extent::Agent(agent) => agent.as_str() == name,
        _ => false,
    });
    AgentItem {
        frozen,
        recommendations: known.counts.get(name).cloned().unwrap_or_default(),
        track_record: record.map(Into::into),
        ..AgentItem::new(name, header(desk, now, name))
    }
}

async fn list(State(desk): State<Desk>, caller: Caller) -> Result<Json<Vec<AgentItem>>, Problem> {
    let now = desk.now();
    let (run, within) = (now.run.clone(), caller.sight().within());
    let known = desk.read(move |connection| Known::read(connection, &run, &within)).await?;
    Ok(Json(all(&desk, &now, &known)))
}

async fn show(State(desk): State<Desk>, Names(name): Names<String>) -> Result<Json<AgentDetail>, Problem> {
    let now = desk.now();
    let (run, wanted) = (now.run.clone(), name.clone());
    let (known, decisions) = desk
        .read(move |connection| {
            let known = Known::read(connection, &run, &Within::default())?;
            let search = Search { agent: &wanted, telling: false };
            Ok((known, search.newest(connection, &run, i64::MAX, DECISIONS)?.items))
        })
        .await?;
    let found = all(&desk, &now, &known).into_iter().find(|agent| agent.name == name);
    let agent = found.ok_or_else(|| Problem::not_found(format_args!("agent {name:?}")))?;
    let header = header(&desk, &now, &name);
    Ok(Json(AgentDetail {
        agent,
        scope: header.map(|header| (&header.scope).into()),
        lookback: header.map(|header| header.lookback.as_millis()),
        parameters: header.and_then(|header| serde_json::to_value(&header.decide).ok()),
        budgets: budgets(&now, &name),
        decisions,
    }))
}

/// What is limited by the hour and counts for an agent. A grant whose time is over lets nothing pass any more.
fn budgets(now: &Now, name: &str) -> Vec<BudgetItem> {
    let most = now.guardrails.moves_per_hour;
    let moves = most.map(|most| BudgetItem::moves(now.spent.moves, most));
    let passed = now.spent.passed.iter().find(|(agent, _)| agent.as_str() == name);
    let passed = passed.map_or(0, |(_, count)| *count);
    let settings = AgentName::new(name).map(|agent| settings(now, &agent)).unwrap_or_default();
    let grants = settings.iter().filter_map(|setting| BudgetItem::grant(setting, passed));
    let standing = |item: &BudgetItem| item.until.is_none_or(|until| now.at.0 < until);
    moves.into_iter().chain(grants.filter(standing)).collect()
}

/// What was set about an agent anywhere, and what counts otherwise unless something was set about it everywhere.
fn settings(now: &Now, agent: &AgentName) -> Vec<ModeSetting> {
    let own = Extent::Agent(agent.clone());
    let mut settings: Vec<ModeSetting> =
        now.modes.iter().filter(|setting| setting.meets(&own)).cloned().collect();
    let everywhere =
        |setting: &ModeSetting| setting.is_about(None, &Extent::Everything) || setting.is_about(None, &own);
    if !settings.iter().any(everywhere) {
        settings.push(ModeSetting { agent: None, scope: Extent::Everything, mode: now.mode.clone() });
    }
    settings
}
