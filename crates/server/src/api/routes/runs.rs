//! Runs that were, and what the federation looked like in them.

use crate::access::Right;
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Names, Query, page_length};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{RunPage, SnapshotItem};
use crate::desk::Desk;
use crate::storage::tables::{runs, snapshots};
use axum::extract::State;
use model::hash::ContentHash;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/runs", "listRuns", list)
            .does("Runs of this desk, newest first")
            .needs(Right::SeeDesk)
            .narrowed()
            .query::<RunQuery>()
            .answers::<RunPage>(),
        get("/api/v1/snapshots/{hash}", "getSnapshot", snapshot)
            .does("What the federation looked like, by the hash that the record names")
            .needs(Right::SeeWorld)
            .answers::<SnapshotItem>(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunQuery {
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

async fn list(State(desk): State<Desk>, Query(query): Query<RunQuery>) -> Result<Json<RunPage>, Problem> {
    let limit = page_length(query.limit, 100, 500)?;
    let page = desk.read(move |connection| runs::list(connection, query.cursor.as_deref(), limit)).await?;
    let items = page.rows.into_iter().map(Into::into).collect();
    Ok(Json(RunPage { items, total: page.total, next_cursor: page.next }))
}

/// Reads the name of something that is kept under its hash.
pub(super) fn hash(text: &str, what: &str) -> Result<ContentHash, Problem> {
    text.parse().map_err(|_| Problem::not_found(format_args!("{what} {text:?}")))
}

async fn snapshot(
    State(desk): State<Desk>,
    Names(text): Names<String>,
) -> Result<Json<SnapshotItem>, Problem> {
    let hash = hash(&text, "snapshot")?;
    let found = desk.read(move |connection| snapshots::get(connection, hash)).await?;
    let gone = || {
        Problem::new(Kind::NotFound, format!("Snapshot {text} is not kept, not any more, or not as it was."))
    };
    found.map(|kept| Json(kept.into())).ok_or_else(gone)
}
