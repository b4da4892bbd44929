//! How the clusters stood over time.

use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Query;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::HistoryItem;
use crate::desk::Desk;
use axum::extract::State;
use model::names::ClusterName;
use model::time::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

/// As many as a chart has pixels.
const USUAL_POINTS: usize = 300;
const MOST_POINTS: usize = 2_000;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/history", "getHistory", history)
            .does("How the clusters stood over time in the run that goes on now")
            .needs(Right::SeeWorld)
            .narrowed()
            .query::<HistoryQuery>()
            .answers::<HistoryItem>(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// From this moment on, in milliseconds of the federation's own time; its beginning by default.
    from: Option<u64>,
    /// Up to this moment; now by default.
    to: Option<u64>,
    /// Only this cluster; all of them by default.
    cluster: Option<String>,
    /// How many at most; 300 by default.
    #[schemars(range(min = 2, max = 2000))]
    points: Option<usize>,
}

async fn history(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<HistoryItem>, Problem> {
    let points @ 2..=MOST_POINTS = query.points.unwrap_or(USUAL_POINTS) else {
        let detail = format!("points is a number from 2 to {MOST_POINTS}.");
        return Err(Problem::new(Kind::Malformed, detail).with_field("points", "out of range"));
    };
    let from = query.from.map_or(Timestamp::EPOCH, Timestamp);
    let to = query.to.map_or(Timestamp::MAX, Timestamp);
    let (points, sight) = (desk.history().between(from, to, points), caller.sight());
    let wanted = |cluster: &ClusterName| query.cluster.as_deref().is_none_or(|name| name == cluster.as_str());
    Ok(Json(HistoryItem::of(&points, |cluster| wanted(cluster) && sight.cluster(cluster))))
}
