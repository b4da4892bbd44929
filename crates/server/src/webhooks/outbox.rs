//! Writing news into the outbox, in the transaction of what they tell of, and waking the couriers once that is kept.

use super::news::News;
use super::tally::Tally;
use super::{Topic, Webhook};
use crate::clock;
use crate::storage::tables::deliveries::{self, Note};
use crate::storage::tables::journal::Appended;
use crate::storage::{Error, Transaction};
use serde_json::json;
use std::sync::Arc;
use tokio::sync::Notify;

/// Whom the desk tells. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox(Arc<[Recipient]>);

/// One of them.
#[derive(Debug)]
pub(crate) struct Recipient {
    pub(crate) hook: Webhook,
    /// Rung when there may be something to do.
    pub(crate) bell: Notify,
    pub(crate) tally: Tally,
}

/// When something happened that news tell of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) run: Option<&'a str>,
    /// The federation's own time.
    pub(crate) at_ms: i64,
    pub(crate) wall_ms: i64,
}

impl Outbox {
    pub(crate) fn new(hooks: Vec<Webhook>) -> Self {
        let recipient = |hook| Recipient { hook, bell: Notify::new(), tally: Tally::default() };
        Self(hooks.into_iter().map(recipient).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Recipient> {
        self.0.iter()
    }

    /// One of them by its name.
    pub(crate) fn named(&self, name: &str) -> Option<&Recipient> {
        self.0.iter().find(|known| known.hook.name == name)
    }

    /// Notes news for everybody who wants them. `end` is the entry that they tell of.
    pub(crate) fn note(
        &self,
        transaction: &mut dyn Transaction,
        end: Appended,
        moment: Moment<'_>,
        news: &[News],
    ) -> Result<(), Error> {
        for (part, news) in (0..).zip(news) {
            let wanted = self.0.iter().filter(|known| known.hook.wants(news.topic));
            for known in wanted {
                note_one(transaction, &known.hook.name, end, part, moment, news)?;
            }
        }
        Ok(())
    }

    /// After the transaction was kept.
    pub(crate) fn ring(&self, topics: impl IntoIterator<Item = Topic>) {
        for topic in topics {
            self.0.iter().filter(|known| known.hook.wants(topic)).for_each(|known| known.bell.notify_one());
        }
    }
}

/// Notes one piece of news for one webhook, and returns its id.
pub(crate) fn note_one(
    transaction: &mut dyn Transaction,
    webhook: &str,
    end: Appended,
    part: i64,
    at: Moment<'_>,
    news: &News,
) -> Result<String, Error> {
    // Numbers begin anew with a new database; with a piece of the entry's hash, no two messages have the same id.
    let id = format!("{}-{part}-{}", end.seq, end.hash.short());
    let kind = news.topic.kind();
    let body = json!({
        "id": id,
        "type": kind,
        "time": clock::moment(at.wall_ms),
        "seq": end.seq,
        "run": at.run,
        "atMs": at.at_ms,
        "data": news.data,
    });
    let body = body.to_string();
    let note = Note { seq: end.seq, part, id: &id, kind: &kind, body: &body };
    deliveries::enqueue(transaction, webhook, note, at.wall_ms)?;
    Ok(id)
}
