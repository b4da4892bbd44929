//! The same addresses that WASP's services have, for an engine that was given a token.

use super::proposals::agent;
use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get, post};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::WaspAnswer;
use crate::desk::Desk;
use crate::wasp::{LARGEST_LIST, apply, list_of, metrics};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let take = |path, operation| {
        post(path, operation, take_list)
            .does("Take the list that WASP's engine sends: all that an agent wants now")
            .needs(Right::SpeakForAgent)
            .narrowed()
            .not_repeatable()
            .body::<Vec<WaspEntry>>()
            .takes_up_to(LARGEST_LIST)
            .slow()
            .answers::<WaspAnswer>()
            .may_refuse(&[Kind::Conflict, Kind::NotReady])
    };
    vec![
        take("/wasp/apply", "applyWaspList"),
        take("/apply", "applyList"),
        get("/wasp/metrics", "getWaspMetrics", show)
            .does("The newest snapshot as WASP's monitor shows it")
            .needs(Right::SeeWorld)
            .narrowed()
            .sends("application/json"),
    ]
}

/// A workload and where it should run. Older forms are read too.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it describes what the reader of WASP's files takes")]
struct WaspEntry {
    batch_id: Option<u64>,
    /// `namespace/name`.
    workload_id: String,
    /// deployment or job.
    kind: String,
    /// The number of a cluster in the order of the scenario, from 0.
    origin_cluster: Option<u64>,
    destination_cluster: u64,
    reason: Option<String>,
}

async fn take_list(
    State(desk): State<Desk>,
    caller: Caller,
    request: Request,
) -> Result<Json<WaspAnswer>, Problem> {
    let bytes = list_of(request).await?;
    apply(&desk, agent(&caller)?, &caller.scope, bytes).await.map(Json)
}

async fn show(State(desk): State<Desk>, caller: Caller) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], metrics(&desk, &caller.scope)).into_response()
}
