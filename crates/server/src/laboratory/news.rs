//! Telling watchers how far comparisons are. That is no part of the record: whoever misses it asks, and nothing is lost.

use super::room::Laboratory;
use crate::access::Right;
use crate::api::wire::ComparisonItem;
use crate::live::{About, Event};
use serde_json::{Value, json};
use tokio::sync::watch;

/// Somebody who wants to hear of comparisons.
pub(crate) struct News {
    edition: watch::Receiver<u64>,
    seen: u64,
}

impl News {
    pub(super) fn new(edition: watch::Receiver<u64>) -> Self {
        let seen = *edition.borrow();
        Self { edition, seen }
    }

    /// Ready when something has changed. A laboratory that is closed has no news.
    pub(crate) async fn changed(&mut self) {
        let seen = self.seen;
        if self.edition.wait_for(|edition| *edition > seen).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// What has changed, in one event. A list without an entry means that one was forgotten.
    pub(crate) fn take(&mut self, laboratory: &Laboratory, wall_ms: i64, at_ms: i64) -> Event {
        let newest = *self.edition.borrow_and_update();
        let behind = std::mem::replace(&mut self.seen, newest);
        let comparisons: Vec<Value> = laboratory.changes(behind).iter().map(brief).collect();
        Event {
            specversion: "1.0",
            id: format!("laboratory-{newest}"),
            source: "drover",
            kind: "io.drover.laboratory.changed.v1",
            subject: String::new(),
            wall_ms,
            at_ms,
            data: json!({ "comparisons": comparisons }),
            right: Right::SeeDesk,
            about: About::Everything,
        }
    }
}

fn brief(item: &ComparisonItem) -> Value {
    json!({ "id": item.id, "state": item.state, "cells": item.cells })
}
