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
    /// Where messages go, without a query.
    pub url: String,
    /// Kinds of events; all if there are none.
    pub events: Vec<String>,
    /// Whether the desk's file still names it.
    pub active: bool,
    /// Events that are still to be told.
    pub waiting: i64,
    /// Told since it was first named.
    pub delivered: i64,
    /// Given up, after the last try or for their age.
    pub dead: i64,
    /// What went wrong the last time that something did, and when, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error_wall: Option<i64>,
    /// When a message was last taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_success_wall: Option<i64>,
}

impl WebhookItem {
    pub fn new(hook: &Webhook, counts: &BTreeMap<(String, String), i64>) -> Self {
        let count =
            |state: &str| counts.get(&(hook.id.clone(), state.to_owned())).copied().unwrap_or_default();
        Self {
            name: hook.id.clone(),
            url: hook.url.clone(),
            events: hook.events.read("a list of events").unwrap_or_default(),
            active: hook.disabled_wall_ms.is_none(),
            waiting: count(deliveries::WAITING),
            delivered: hook.delivered,
            dead: count(deliveries::DEAD),
            last_error: hook.last_error.clone(),
            last_error_wall: hook.failed_wall_ms,
            last_success_wall: hook.succeeded_wall_ms,
        }
    }
}

/// A message that was put on its way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestMessage {
    /// The `Webhook-Id` that it carries; the list of deliveries says what became of it.
    pub id: String,
}

/// One event on its way to one webhook.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryItem {
    /// The `Webhook-Id` of its messages.
    pub id: String,
    /// The entry of the record that it tells of.
    pub seq: i64,
    #[serde(rename = "type")]
    pub kind: String,
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
            id: delivery.id,
            seq: delivery.seq,
            kind: delivery.kind,
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
