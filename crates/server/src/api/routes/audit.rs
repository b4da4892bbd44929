//! The record: read, checked, taken away.

use crate::access::Right;
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Query, page_length};
use crate::api::problem::Problem;
use crate::api::wire::{AuditEntry, AuditPage};
use crate::desk::Desk;
use crate::storage::tables::journal::{self, Filter, Verification};
use crate::storage::tables::page::Direction;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Entries that are read at a time for an export.
const CHUNK: u32 = 500;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/audit", "listAudit", list)
            .does("Entries of the record")
            .needs(Right::Audit)
            .query::<AuditQuery>()
            .answers::<AuditPage>(),
        get("/api/v1/audit/verification", "verifyAudit", verify)
            .does("Whether every entry is what it was when it was written")
            .needs(Right::Audit)
            .answers::<VerificationItem>()
            .slow(),
        get("/api/v1/audit/export", "exportAudit", export)
            .does("The whole record, one JSON line per entry")
            .needs(Right::Audit)
            .sends("application/x-ndjson"),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AuditQuery {
    /// Who: person:anna, agent:keep-headroom, world …
    actor: Option<String>,
    /// One or several kinds, with commas: reviewed,ordered
    kind: Option<String>,
    /// What it was done to: R-42 …
    subject: Option<String>,
    run: Option<String>,
    /// Written at this moment or later, in milliseconds since 1970.
    from: Option<i64>,
    /// Written before this moment, in milliseconds since 1970.
    until: Option<i64>,
    /// Oldest first.
    ascending: Option<bool>,
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    cursor: Option<String>,
}

async fn list(State(desk): State<Desk>, Query(query): Query<AuditQuery>) -> Result<Json<AuditPage>, Problem> {
    let limit = page_length(query.limit, 100, 500)?;
    let kinds = query.kind.iter().flat_map(|text| text.split(',')).map(|kind| kind.trim().to_owned());
    let filter = Filter {
        actor: query.actor,
        kinds: kinds.collect(),
        subject: query.subject,
        run: query.run,
        wall_from_ms: query.from,
        wall_until_ms: query.until,
        ..Filter::default()
    };
    let ascending = query.ascending == Some(true);
    let direction = if ascending { Direction::Ascending } else { Direction::Descending };
    let page = desk
        .read(move |connection| journal::list(connection, &filter, direction, query.cursor.as_deref(), limit))
        .await?;
    let items = page.rows.into_iter().map(AuditEntry::from).collect();
    Ok(Json(AuditPage { items, total: page.total, next_cursor: page.next }))
}

/// What a check of the record found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VerificationItem {
    intact: bool,
    entries: i64,
    /// The hash that vouches for everything; note it somewhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// The first entry that is not what it was, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<String>,
}

async fn verify(State(desk): State<Desk>) -> Result<Json<VerificationItem>, Problem> {
    let found = desk.read(|connection| journal::verify(connection, 1, i64::MAX, &mut |_| {})).await?;
    Ok(Json(match found {
        Verification::Intact { entries, end } => VerificationItem {
            intact: true,
            entries,
            hash: Some(end.hash.to_string()),
            broken_at: None,
            finding: None,
        },
        Verification::Broken { seq, finding } => VerificationItem {
            intact: false,
            entries: seq - 1,
            hash: None,
            broken_at: Some(seq),
            finding: Some(finding),
        },
    }))
}

/// Sends the record piece by piece, up to where it ended when somebody asked.
async fn export(State(desk): State<Desk>) -> Response {
    let end = desk.end();
    let pieces = futures_util::stream::try_unfold((desk, 0), move |(desk, after)| async move {
        if after >= end {
            return Ok::<_, std::io::Error>(None);
        }
        let entries = desk.read(move |connection| journal::after(connection, after, CHUNK)).await;
        let entries = entries.map_err(|problem| std::io::Error::other(problem.detail))?;
        let entries: Vec<_> = entries.into_iter().filter(|entry| entry.seq <= end).collect();
        let Some(last) = entries.last().map(|entry| entry.seq) else { return Ok(None) };
        Ok(Some((lines(entries), (desk, last))))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(pieces)).into_response()
}

fn lines(entries: Vec<journal::Entry>) -> Bytes {
    let mut text = Vec::new();
    for entry in entries {
        let line = AuditEntry::from(entry);
        if serde_json::to_writer(&mut text, &line).is_ok() {
            text.push(b'\n');
        }
    }
    text.into()
}
