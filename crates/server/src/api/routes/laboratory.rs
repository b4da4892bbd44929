//! The laboratory: starting simulations, and seeing what they show.

use crate::access::{Caller, Right, record};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, delete, get, post};
use crate::api::extract::{Body, Names};
use crate::api::problem::{FieldProblem, Kind, Problem};
use crate::api::wire::{
    ComparisonDetail, ComparisonItem, ComparisonWish, ScenarioItem, StartedComparison, StrategyItem,
};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::laboratory::{Absent, Entry, Findings, Leaving, MOST_WAITING, archive, check};
use crate::storage::tables::journal::{self, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::{Connection, Error};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::sync::Arc;
use strategies::catalogue::{ENTRIES, StrategyConfig};

const STARTED: &str = "comparison.started";

/// When somebody may ask again for a place.
const TRY_AGAIN_SECONDS: u64 = 30;

/// A drawing shows itself and does nothing: it loads nothing, runs nothing, and brings its own style.
const INERT: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(super) fn endpoints() -> Vec<Endpoint> {
    let mut all = shelf();
    all.extend(comparisons());
    all.extend(results());
    all
}

fn shelf() -> Vec<Endpoint> {
    vec![
        get("/api/v1/lab/scenarios", "listLabScenarios", scenarios)
            .does("Scenarios that can be tried, the one that runs here first")
            .needs(Right::SeeWorld)
            .answers::<Vec<ScenarioItem>>(),
        get("/api/v1/lab/strategies", "listLabStrategies", strategies)
            .does("Strategies that can be tried")
            .needs(Right::SeeWorld)
            .answers::<Vec<StrategyItem>>(),
    ]
}

fn comparisons() -> Vec<Endpoint> {
    vec![
        post("/api/v1/lab/comparisons", "startComparison", start)
            .does("Simulate strategies on the same scenario and seeds; a single one with one seed is simply a run")
            .needs(Right::Steer)
            .body::<ComparisonWish>()
            .answers_with::<StartedComparison>(202)
            .may_refuse(&[Kind::NotReady]),
        get("/api/v1/lab/comparisons", "listComparisons", list)
            .does("Comparisons since the desk was opened, newest first; the oldest that are over go")
            .needs(Right::SeeDesk)
            .answers::<Vec<ComparisonItem>>(),
        get("/api/v1/lab/comparisons/{id}", "getComparison", show)
            .does("One comparison, with its results when it is done")
            .needs(Right::SeeDesk)
            .answers::<ComparisonDetail>(),
        delete("/api/v1/lab/comparisons/{id}", "dismissComparison", dismiss)
            .does("Cancel a comparison that waits or runs, or forget one that is over")
            .needs(Right::Steer),
    ]
}

fn results() -> Vec<Endpoint> {
    vec![
        get("/api/v1/lab/comparisons/{id}/results", "getComparisonResults", document)
            .does("All numbers, byte for byte what `drover compare --json` prints")
            .needs(Right::SeeDesk)
            .sends("application/json")
            .may_refuse(&[Kind::Conflict]),
        get("/api/v1/lab/comparisons/{id}/figures/{name}", "getComparisonFigure", figure)
            .does("A drawing of what a comparison showed")
            .needs(Right::SeeDesk)
            .sends("image/svg+xml")
            .may_refuse(&[Kind::Conflict]),
    ]
}

async fn scenarios(State(desk): State<Desk>) -> Json<Vec<ScenarioItem>> {
    Json(desk.laboratory().shelf().items())
}

async fn strategies() -> Json<Vec<StrategyItem>> {
    // Those that ask models are compared from the command line, where it is said who answers.
    let offered = ENTRIES
        .iter()
        .filter(|entry| StrategyConfig::by_name(entry.name).is_ok_and(|config| !config.asks_models()));
    Json(offered.map(|entry| StrategyItem { name: entry.name, says: entry.description }).collect())
}

async fn start(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<ComparisonWish>,
) -> Result<(StatusCode, Json<StartedComparison>), Problem> {
    let laboratory = desk.laboratory();
    let order = check(&wish, laboratory.shelf()).map_err(refused)?;
    let place = laboratory.take_place().ok_or_else(full)?;
    let actor = caller.actor();
    let told = json!({
        "scenario": order.scenario(), "strategies": order.strategies(), "seeds": order.seeds(), "baseline": order.baseline(),
    });
    let entry = desk
        .record(move |transaction| {
            let (number, now) = (next_number(transaction)?, wall_ms());
            record::note(transaction, now, STARTED, (&actor, &format!("C-{number}")), &told)?;
            let entry = Entry { number, order, by: actor, wall_ms: now, place };
            archive::begin(transaction, &entry)?;
            Ok(entry)
        })
        .await?;
    let id = laboratory.start(entry);
    Ok((StatusCode::ACCEPTED, Json(StartedComparison { id })))
}

/// Comparisons are not kept for ever, but the record tells of all of them: no name comes twice.
fn next_number(connection: &mut dyn Connection) -> Result<u64, Error> {
    let filter = Filter { kinds: vec![STARTED.to_owned()], ..Filter::default() };
    let before = journal::list(connection, &filter, Direction::Descending, None, 1)?.total;
    Ok(before.unsigned_abs() + 1)
}

fn refused(errors: Vec<FieldProblem>) -> Problem {
    let lines: Vec<String> =
        errors.iter().map(|error| format!("{}: {}.", error.field, error.message)).collect();
    Problem { errors, ..Problem::new(Kind::Validation, lines.join(" ")) }
}

fn full() -> Problem {
    let detail = format!("{MOST_WAITING} comparisons wait already; cancel one of them, or try again later.");
    Problem::new(Kind::NotReady, detail).after(TRY_AGAIN_SECONDS)
}

async fn list(State(desk): State<Desk>) -> Json<Vec<ComparisonItem>> {
    Json(desk.laboratory().items())
}

fn missing(id: &str) -> Problem {
    let detail =
        format!("There is no comparison {id:?}, or not any more; start it again to see its results.");
    Problem::new(Kind::NotFound, detail)
}

async fn show(State(desk): State<Desk>, Names(id): Names<String>) -> Result<Json<ComparisonDetail>, Problem> {
    desk.laboratory().detail(&id).map(Json).ok_or_else(|| missing(&id))
}

async fn dismiss(
    State(desk): State<Desk>,
    caller: Caller,
    Names(id): Names<String>,
) -> Result<StatusCode, Problem> {
    let leaving = desk.laboratory().leaving(&id).ok_or_else(|| missing(&id))?;
    let kind = match leaving {
        Leaving::Cancelled => "comparison.cancelled",
        Leaving::Forgotten => "comparison.forgotten",
    };
    let who = (caller.actor(), id.clone());
    desk.record(move |transaction| record::note(transaction, wall_ms(), kind, (&who.0, &who.1), &json!({})))
        .await?;
    if let Some(left) = desk.laboratory().dismiss(&id, leaving) {
        desk.write(move |transaction| left.settle(transaction)).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

fn findings(desk: &Desk, id: &str) -> Result<Arc<Findings>, Problem> {
    desk.laboratory().findings(id).map_err(|absent| match absent {
        Absent::Comparison => missing(id),
        Absent::Results => Problem::new(Kind::Conflict, format!("{id} has no results; see how far it is.")),
    })
}

async fn document(State(desk): State<Desk>, Names(id): Names<String>) -> Result<Response, Problem> {
    let findings = findings(&desk, &id)?;
    let kind = (header::CONTENT_TYPE, "application/json");
    Ok(([kind], format!("{}\n", findings.document)).into_response())
}

async fn figure(
    State(desk): State<Desk>,
    Names((id, name)): Names<(String, String)>,
) -> Result<Response, Problem> {
    let findings = findings(&desk, &id)?;
    let found =
        findings.figure(&name).ok_or_else(|| Problem::not_found(format_args!("figure {name:?} of {id}")))?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CONTENT_SECURITY_POLICY, INERT),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, found.to_owned()).into_response())
}
