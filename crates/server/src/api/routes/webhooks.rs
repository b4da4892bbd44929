//! Who is told what happens, what could not be told, and telling it again. Whom to tell stands in the desk's file and nowhere else.

use crate::access::{Caller, Right, record};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get, post};
use crate::api::extract::{Names, Query, page_length};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{DeliveryItem, DeliveryPage, TestMessage, WebhookItem};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::tables::{deliveries, journal, webhooks};
use crate::webhooks::{Moment, News, Topic, note_one};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/webhooks", "listWebhooks", list)
            .does("Who is told what happens, and how that goes")
            .needs(Right::Audit)
            .answers::<Vec<WebhookItem>>(),
        post("/api/v1/webhooks/{name}/test", "testWebhook", test)
            .does("Send one of them a message that only shows whether messages arrive")
            .needs(Right::Administer)
            .answers_with::<TestMessage>(202),
        get("/api/v1/webhooks/{name}/deliveries", "listDeliveries", show)
            .does("What one of them was told or is to be told, newest first")
            .needs(Right::Audit)
            .query::<DeliveryQuery>()
            .answers::<DeliveryPage>(),
        post("/api/v1/webhooks/{name}/deliveries/{id}/retry", "retryDelivery", again)
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
    let limit = page_length(query.limit, 100, 500)?;
    let wrong = |_| Problem::new(Kind::Malformed, "The cursor is not one of ours; begin again without one.");
    let below = query.cursor.as_deref().map_or(Ok((i64::MAX, 0)), place).map_err(wrong)?;
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
    let next_cursor = rows.last().filter(|_| more).map(|row| format!("{}-{}", row.seq, row.part));
    Ok(Json(DeliveryPage { items: rows.into_iter().map(DeliveryItem::from).collect(), next_cursor }))
}

/// The place in the list that a cursor means.
fn place(text: &str) -> Result<(i64, i64), std::num::ParseIntError> {
    let (seq, part) = text.split_once('-').unwrap_or((text, ""));
    Ok((seq.parse()?, part.parse()?))
}

fn nobody(name: &str) -> Problem {
    Problem::not_found(format_args!("webhook {name:?}"))
}

async fn again(
    State(desk): State<Desk>,
    caller: Caller,
    Names((name, id)): Names<(String, String)>,
) -> Result<StatusCode, Problem> {
    let nothing = || Problem::not_found(format_args!("delivery {id:?} to {name:?} that was given up"));
    let (delivery, hook) = (id.clone(), name.clone());
    let revived = desk
        .record(move |transaction| {
            let now = wall_ms();
            if !deliveries::revive(transaction, &hook, &delivery, now)? {
                return Ok(false);
            }
            let body = json!({ "delivery": delivery });
            record::note(transaction, now, "delivery.retried", (&caller.actor(), &hook), &body)?;
            Ok(true)
        })
        .await?;
    ring(&desk, &name);
    if revived { Ok(StatusCode::NO_CONTENT) } else { Err(nothing()) }
}

/// There is something to do for a courier.
fn ring(desk: &Desk, name: &str) {
    if let Some(recipient) = desk.outbox().named(name) {
        recipient.bell.notify_one();
    }
}

async fn test(
    State(desk): State<Desk>,
    caller: Caller,
    Names(name): Names<String>,
) -> Result<(StatusCode, Json<TestMessage>), Problem> {
    // Only whoever the file names now has a courier and a secret.
    desk.outbox().named(&name).ok_or_else(|| nobody(&name))?;
    let hook = name.clone();
    let id = desk
        .record(move |transaction| {
            let (wall_ms, actor) = (wall_ms(), caller.actor());
            record::note(transaction, wall_ms, "webhook.tested", (&actor, &hook), &json!({}))?;
            let news = News { topic: Topic::Tested, data: json!({ "webhook": hook, "by": actor }) };
            let (end, at) = (journal::head(transaction)?, Moment { run: None, at_ms: 0, wall_ms });
            note_one(transaction, &hook, end, 0, at, &news)
        })
        .await?;
    ring(&desk, &name);
    Ok((StatusCode::ACCEPTED, Json(TestMessage { id })))
}
