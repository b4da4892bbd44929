//! Who is told what happens, what could not be told, and telling it again.

use crate::access::{Caller, Right, record};
use crate::api::endpoint::{Endpoint, get, post};
use crate::api::extract::{Names, Query};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{DeliveryItem, DeliveryPage, WebhookItem};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::tables::{deliveries, webhooks};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/webhooks", "listWebhooks", list)
            .does("Who is told what happens, and how that goes")
            .needs(Right::Administer)
            .answers::<Vec<WebhookItem>>(),
        get("/api/v1/webhooks/{name}/deliveries", "listDeliveries", show)
            .does("What one of them was told or is to be told, newest first")
            .needs(Right::Administer)
            .query::<DeliveryQuery>()
            .answers::<DeliveryPage>(),
        post("/api/v1/webhooks/{name}/deliveries/{seq}/retry", "retryDelivery", again)
            .does("Try again what was given up")
            .needs(Right::Administer),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeliveryQuery {
    /// waiting, delivered or dead; all by default.
    state: Option<DeliveryState>,
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum DeliveryState {
    Waiting,
    Delivered,
    Dead,
}

impl DeliveryState {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => deliveries::WAITING,
            Self::Delivered => deliveries::DELIVERED,
            Self::Dead => deliveries::DEAD,
        }
    }
}

async fn list(State(desk): State<Desk>) -> Result<Json<Vec<WebhookItem>>, Problem> {
    let (hooks, counts) =
        desk.read(|connection| Ok((webhooks::all(connection)?, deliveries::counts(connection)?))).await?;
    Ok(Json(hooks.iter().map(|hook| WebhookItem::new(hook, &counts)).collect()))
}

async fn show(
    State(desk): State<Desk>,
    Names(name): Names<String>,
    Query(query): Query<DeliveryQuery>,
) -> Result<Json<DeliveryPage>, Problem> {
    let limit @ 1..=500 = query.limit.unwrap_or(100) else {
        return Err(Problem::new(Kind::Malformed, "limit is a number from 1 to 500."));
    };
    let wrong = |_| Problem::new(Kind::Malformed, "The cursor is not one of ours; begin again without one.");
    let below = query.cursor.as_deref().map_or(Ok(i64::MAX), str::parse).map_err(wrong)?;
    let state = query.state.map(DeliveryState::as_str);
    let (hook, wanted) = (name.clone(), name.clone());
    let found = desk
        .read(move |connection| {
            // One more than asked for tells whether there are more.
            Ok((
                webhooks::get(connection, &hook)?,
                deliveries::before(connection, &wanted, state, below, limit + 1)?,
            ))
        })
        .await?;
    let (Some(_), mut rows) = found else { return Err(nobody(&name)) };
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next_cursor = rows.last().filter(|_| more).map(|row| row.seq.to_string());
    Ok(Json(DeliveryPage { items: rows.into_iter().map(DeliveryItem::from).collect(), next_cursor }))
}

fn nobody(name: &str) -> Problem {
    Problem::not_found(format_args!("webhook {name:?}"))
}

async fn again(
    State(desk): State<Desk>,
    caller: Caller,
    Names((name, seq)): Names<(String, String)>,
) -> Result<StatusCode, Problem> {
    let nothing =
        || Problem::not_found(format_args!("delivery of entry {seq:?} to {name:?} that was given up"));
    let (entry, hook) = (seq.parse::<i64>().map_err(|_| nothing())?, name.clone());
    let revived = desk
        .record(move |transaction| {
            let now = wall_ms();
            if !deliveries::revive(transaction, &hook, entry, now)? {
                return Ok(false);
            }
            let body = json!({ "entry": entry });
            record::note(transaction, now, "delivery.retried", (&caller.actor(), &hook), &body)?;
            Ok(true)
        })
        .await?;
    if revived { Ok(StatusCode::NO_CONTENT) } else { Err(nothing()) }
}
