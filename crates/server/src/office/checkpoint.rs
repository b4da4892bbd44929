//! What the loop knows, kept now and then in a run on real clusters: such a run goes on from there after an interruption, and the
//! observations before it may go.
//!
//! An approval that was given is part of it, so an entry of the record names its hash: nobody changes it unseen.

use super::engine::Engine;
use super::record;
use super::work::Office;
use crate::storage::tables::checkpoints::{self, Checkpoint as Row};
use crate::storage::tables::journal::{self, NewEntry};
use crate::storage::tables::snapshots;
use crate::storage::{Connection, Error, JsonText, Transaction};
use control::checkpoint::Checkpoint;
use model::hash::ContentHash;
use model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The kind of the entry that names a checkpoint.
const KIND: &str = "checkpoint";

/// What is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    control: Checkpoint,
    /// The observations that agents look back on, oldest first.
    history: Vec<ContentHash>,
}

/// Where a run goes on.
pub(super) struct Found {
    pub(super) seq: i64,
    body: Body,
    history: Vec<Arc<Snapshot>>,
}

impl Found {
    /// Gives a fresh engine what the former one knew. Returns whether it understood.
    pub(super) fn restore(self, engine: &mut Engine) -> bool {
        engine.restore(self.body.control, self.history)
    }
}

/// The checkpoint of a run, if there is one that the record knows. With none, or with one that is not what it was, the run is taken
/// again from its beginning, as far as its observations are still there.
pub(super) fn find(connection: &mut dyn Connection, run: &str) -> Result<Option<Found>, Error> {
    let Some(row) = checkpoints::get(connection, run)? else { return Ok(None) };
    let hash = ContentHash::of_bytes(row.body.as_str().as_bytes());
    let named = journal::get(connection, row.seq)?.is_some_and(|entry| {
        let told: Value = entry.body.read("an entry").unwrap_or_default();
        entry.kind == KIND && entry.run.as_deref() == Some(run) && told["hash"] == hash.to_string()
    });
    let Some(body) = row.body.read::<Body>("a checkpoint").ok().filter(|_| named) else { return Ok(None) };
    let mut history = Vec::new();
    for hash in &body.history {
        let seen = snapshots::get(connection, *hash)?;
        let Some(seen) = seen.and_then(|seen| seen.body.read("a snapshot").ok()) else { return Ok(None) };
        history.push(Arc::new(seen));
    }
    Ok(Some(Found { seq: row.seq, body, history }))
}

impl Office {
    /// Keeps what the loop knows, and returns the observations that it needs to go on; nothing while an agent cannot say what it
    /// remembers.
    pub(super) fn keep_checkpoint(&mut self) -> Result<Option<Vec<ContentHash>>, Error> {
        let control = self.engine.control();
        let Some(checkpoint) = control.checkpoint() else { return Ok(None) };
        let name = |seen: &Arc<Snapshot>| record::snapshot_name(seen);
        let body = Body { control: checkpoint, history: control.history().map(name).collect() };
        let text = JsonText::of(&body);
        let (at_ms, wall_ms) = (self.engine.now().0 as i64, (self.wall)());
        let end = self
            .database
            .write_patiently(|transaction| write(transaction, &self.run, &text, (at_ms, wall_ms)))?;
        self.reached(end);
        Ok(Some(body.history))
    }
}

fn write(
    transaction: &mut dyn Transaction,
    run: &str,
    text: &JsonText,
    (at_ms, wall_ms): (i64, i64),
) -> Result<i64, Error> {
    let hash = ContentHash::of_bytes(text.as_str().as_bytes());
    let entry = NewEntry {
        run: Some(run.to_owned()),
        at_ms,
        wall_ms,
        kind: KIND.to_owned(),
        actor: "desk".to_owned(),
        subject: run.to_owned(),
        body: JsonText::of(&json!({ "hash": hash })),
        via: None,
    };
    let end = record::note(transaction, &entry)?;
    checkpoints::put(transaction, &Row { run: run.to_owned(), seq: end.seq, body: text.clone() })?;
    checkpoints::keep_only(transaction, run)?;
    Ok(end.seq)
}
