//! What is being carried out: how far it has come, giving it up, and the way back.

use super::decisions::order_refused;
use super::freezes::{Reason, reason};
use super::recommendations::{describe, find, id, stages, tagged};
use crate::access::{Caller, Right, Sight};
use crate::api::answer::Json;
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, get, post};
use crate::api::extract::{Body, Names, Query, page_length};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{ExecutionItem, ExecutionPage, RecommendationDetail, StepItem};
use crate::desk::Desk;
use crate::storage::tables::executions::{self, Execution, Which};
use crate::storage::tables::recommendations;
use crate::storage::{Connection, Error, JsonText};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use control::world::{Effect, Input};
use model::action::Action;
use model::execution::TimedStep;
use model::order::{Command, Order};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::Stage;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/executions", "listExecutions", list)
            .does("What was carried out last, newest first")
            .needs(Right::SeeDesk)
            .narrowed()
            .query::<ExecutionQuery>()
            .answers::<ExecutionPage>(),
        get("/api/v1/executions/{id}", "getExecution", show)
            .does("How far one recommendation has been carried out")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<ExecutionItem>(),
        post("/api/v1/executions/{id}/abort", "abortExecution", abort)
            .does("Give it up; the world takes back what it can")
            .needs(Right::Steer)
            .narrowed()
            .body::<Reason>()
            .answers_with::<ExecutionItem>(202)
            .may_refuse(&[Kind::Conflict, Kind::NotReady]),
        post("/api/v1/executions/{id}/rollback", "rollBack", roll_back)
            .does("Propose the way back; it is approved like any other plan")
            .needs(Right::Steer)
            .narrowed()
            .body::<Reason>()
            .answers_with::<RecommendationDetail>(201)
            .carries(&[Carried::Tag, Carried::Location])
            .may_refuse(&[Kind::Conflict, Kind::PlanStale, Kind::PolicyDenied, Kind::Frozen, Kind::NotReady]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExecutionQuery {
    /// One or several, with commas: applying,failed
    stage: Option<String>,
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

/// An execution and the plan that is carried out.
type Row = (Execution, Recommendation);

fn item((execution, plan): &Row) -> Result<ExecutionItem, Problem> {
    let steps: Vec<TimedStep> = execution.steps.read("steps").map_err(Problem::from)?;
    let step = |step: &TimedStep| {
        let name = serde_json::to_value(step.step).ok().and_then(|name| name.as_str().map(str::to_owned));
        StepItem { at: step.at.0, step: name.unwrap_or_default() }
    };
    let score = execution.score.as_ref().map(|score| score.read("a score")).transpose();
    Ok(ExecutionItem {
        id: plan.id.to_string(),
        action: plan.action.to_string(),
        stage: execution.stage.clone(),
        begun_at: Some(execution.begun_at_ms),
        ended_at: execution.ended_at_ms,
        steps: steps.iter().map(step).collect(),
        score: score.map_err(Problem::from)?,
    })
}

async fn list(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<ExecutionQuery>,
) -> Result<Json<ExecutionPage>, Problem> {
    let limit = page_length(query.limit, 100, 500)?;
    let (run, sight, stages) = (desk.now().run.clone(), caller.sight(), stages(query.stage.as_deref())?);
    let (rows, total, next_cursor) = desk
        .read(move |connection| {
            let which = Which { run: &run, stages: &stages, within: &sight.within() };
            let page = executions::list(connection, &which, query.cursor.as_deref(), limit)?;
            let mut rows: Vec<Row> = Vec::with_capacity(page.rows.len());
            for execution in page.rows {
                if let Some(whole) = recommendations::whole(connection, &run, execution.recommendation)? {
                    let execution = narrowed(connection, &sight, execution)?;
                    rows.push((execution, whole.documents.body.read("a recommendation")?));
                }
            }
            Ok((rows, page.total, page.next))
        })
        .await?;
    let items = rows.iter().map(item).collect::<Result<_, _>>()?;
    Ok(Json(ExecutionPage { items, total, next_cursor }))
}

/// An execution without numbers about other parts of the federation.
fn narrowed(
    connection: &mut dyn Connection,
    sight: &Sight,
    mut execution: Execution,
) -> Result<Execution, Error> {
    if let Some(text) = execution.score.as_ref().filter(|_| !sight.is_whole()) {
        let score = sight.score(connection, &execution.run, text.read("a score")?)?;
        execution.score = Some(JsonText::of(&score));
    }
    Ok(execution)
}

async fn row(desk: &Desk, caller: &Caller, id: RecommendationId) -> Result<Row, Problem> {
    let (run, sight) = (desk.now().run.clone(), caller.sight());
    let found = desk
        .read(move |connection| {
            let Some(execution) = executions::get(connection, &run, id.0 as i64)? else { return Ok(None) };
            let whole = recommendations::whole(connection, &run, id.0 as i64)?;
            let whole = whole.filter(|whole| sight.place(&(&whole.item).into()));
            let Some(whole) = whole else { return Ok(None) };
            let execution = narrowed(connection, &sight, execution)?;
            Ok(Some((execution, whole.documents.body.read("a recommendation")?)))
        })
        .await?;
    found.ok_or_else(|| Problem::not_found(format_args!("execution of {id}")))
}

async fn show(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
) -> Result<Json<ExecutionItem>, Problem> {
    item(&row(&desk, &caller, id(&text)?).await?).map(Json)
}

async fn abort(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
    Body(wish): Body<Reason>,
) -> Result<(StatusCode, Json<ExecutionItem>), Problem> {
    let id = id(&text)?;
    caller.must_reach(&find(&desk, &caller, id).await?.item)?;
    let what = Command::Abort { recommendation: id };
    order(&desk, &caller, &wish, what).await?;
    Ok((StatusCode::ACCEPTED, Json(item(&row(&desk, &caller, id).await?)?)))
}

async fn roll_back(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
    Body(wish): Body<Reason>,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    let what = Command::Propose { action: way_back(&desk, &caller, id).await?, undoes: Some(id) };
    let effects = order(&desk, &caller, &wish, what).await?;
    let new = effects.iter().find_map(|effect| match effect {
        Effect::Submit(new) => Some(new.id),
        _ => None,
    });
    let new = new.ok_or_else(|| Problem::new(Kind::Conflict, "The same plan waits on the desk already."))?;
    let mut response = tagged(describe(&desk, &caller, new).await?).into_response();
    if response.status().is_success() {
        *response.status_mut() = StatusCode::CREATED;
        let place = HeaderValue::from_str(&format!("/api/v1/recommendations/{new}"));
        place
            .map(|place| response.headers_mut().insert(header::LOCATION, place))
            .map_err(|error| Problem::internal(&error))?;
    }
    Ok(response)
}

/// What takes back what was carried out.
pub(super) async fn way_back(desk: &Desk, caller: &Caller, id: RecommendationId) -> Result<Action, Problem> {
    let former = find(desk, caller, id).await?;
    caller.must_reach(&former.item)?;
    if former.item.stage != Stage::Applied {
        return Err(Problem::new(Kind::Conflict, "Only what was carried out can be taken back."));
    }
    let plan: Recommendation = former.documents.body.read("a recommendation").map_err(Problem::from)?;
    Ok(plan.action.inverse())
}

/// Gives an order and returns what it did.
async fn order(desk: &Desk, caller: &Caller, wish: &Reason, what: Command) -> Result<Vec<Effect>, Problem> {
    let order = Order { by: caller.name.clone(), reason: reason(&wish.reason)?, what };
    let outcome = desk.office().take(Input::Ordered(order), None, None).await?;
    let refusal = outcome.step.effects.iter().find_map(|effect| match effect {
        Effect::RefuseOrder { refusal } => Some(order_refused(refusal)),
        _ => None,
    });
    refusal.map_or(Ok(outcome.step.effects), Err)
}
