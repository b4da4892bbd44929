//! Who is told, and how that goes.

use crate::storage::tables::deliveries::{self, Delivery};
use crate::storage::tables::webhooks::Webhook;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Somebody who is told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookItem {
    pub name: String,
    /// Where messages go, without the path, which can be a secret.
    pub host: String,
    /// Kinds of events; all if there are none.
    pub events: Vec<String>,
    /// Whether the desk's file still names it.
    pub active: bool,
    /// Entries of the record that are still to be told.
    pub waiting: i64,
    /// Told within the last week.
    pub delivered: i64,
    /// Given up after the last try.
    pub dead: i64,
}

impl WebhookItem {
    pub fn new(hook: &Webhook, counts: &BTreeMap<(String, String), i64>) -> Self {
        let count =
            |state: &str| counts.get(&(hook.id.clone(), state.to_owned())).copied().unwrap_or_default();
        Self {
            name: hook.id.clone(),
            host: host(&hook.url),
            events: hook.events.read("a list of events").unwrap_or_default(),
            active: hook.disabled_wall_ms.is_none(),
            waiting: count(deliveries::WAITING),
            delivered: count(deliveries::DELIVERED),
            dead: count(deliveries::DEAD),
        }
    }
}

fn host(url: &str) -> String {
    let uri = url.parse::<axum::http::Uri>().ok();
    let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
    parts.map(|(scheme, authority)| format!("{scheme}://{authority}")).unwrap_or_default()
}

/// One entry of the record on its way to one webhook.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryItem {
    /// The entry of the record that is told.
    pub seq: i64,
    /// waiting, delivered or dead.
    pub state: String,
    /// How often it was tried.
    pub attempts: i64,
    /// While it waits: when it is tried next, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_wall: Option<i64>,
    /// What went wrong the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    pub changed_wall: i64,
}

impl From<Delivery> for DeliveryItem {
    fn from(delivery: Delivery) -> Self {
        let waits = delivery.state == deliveries::WAITING;
        Self {
            seq: delivery.seq,
            attempts: delivery.attempt,
            next_wall: waits.then_some(delivery.next_wall_ms),
            state: delivery.state,
            last_error: delivery.last_error,
            changed_wall: delivery.changed_wall_ms,
        }
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryPage {
    pub items: Vec<DeliveryItem>,
    /// To be given back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
