//! What the loop knows, kept now and then in a run on real clusters: such a run goes on from there after an interruption, and the
//! observations before it may go.
//!
//! An approval that was given is part of it, so an entry of the record names its hash: nobody changes it unseen.

use super::engine::Engine;
use super::record;
use super::watch::KeptWatches;
use super::work::Office;
use crate::access::Departed;
use crate::storage::tables::checkpoints::{self, Checkpoint as Row};
use crate::storage::tables::journal::{self, NewEntry};
use crate::storage::tables::snapshots;
use crate::storage::{Connection, Error, JsonText, Transaction};
use control::checkpoint::Checkpoint;
use model::hash::ContentHash;
use model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
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
    /// What is being measured; checkpoints of older versions do not tell.
    #[serde(default)]
    watches: KeptWatches,
    /// All workloads that were ever observed; checkpoints of older versions do not tell.
    #[serde(default)]
    known: Departed,
}

impl Body {
    /// Without the observations that were asked for, there is nothing to go on from.
    fn history(&self, seen: &Seen) -> Option<Vec<Arc<Snapshot>>> {
        self.history.iter().map(|name| seen.get(name).cloned()).collect()
    }

    fn observations(&self) -> impl Iterator<Item = ContentHash> {
        self.history.iter().copied().chain(self.watches.observations())
    }
}

/// Observations by the name under which they are kept.
type Seen = BTreeMap<ContentHash, Arc<Snapshot>>;

/// Where a run goes on.
pub(super) struct Found {
    pub(super) seq: i64,
    body: Body,
    history: Vec<Arc<Snapshot>>,
    seen: Seen,
}

impl Found {
    /// Gives a fresh engine what the former one knew. Returns whether it understood.
    pub(super) fn restore(self, engine: &mut Engine) -> bool {
        engine.restore(self.body.control, self.history, (self.body.watches, &self.seen), self.body.known)
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
    let seen = seen(connection, body.observations())?;
    let history = body.history(&seen);
    Ok(history.map(|history| Found { seq: row.seq, body, history, seen }))
}

/// Those of these observations that are still there.
fn seen(connection: &mut dyn Connection, names: impl Iterator<Item = ContentHash>) -> Result<Seen, Error> {
    let mut seen = Seen::new();
    for name in names {
        if !seen.contains_key(&name)
            && let Some(kept) =
                snapshots::get(connection, name)?.and_then(|kept| kept.body.read("a snapshot").ok())
        {
            seen.insert(name, Arc::new(kept));
        }
    }
    Ok(seen)
}

impl Office {
    /// Keeps what the loop knows and what is measured, and returns the observations that are needed to go on; nothing while an agent
    /// cannot say what it remembers.
    pub(super) fn keep_checkpoint(&mut self) -> Result<Option<Vec<ContentHash>>, Error> {
        let control = self.engine.control();
        let Some(checkpoint) = control.checkpoint() else { return Ok(None) };
        // Many watches saw the same last, and a name is as much work as the observation is large.
        let mut names = BTreeMap::new();
        let mut name = |seen: &Arc<Snapshot>| {
            *names.entry(Arc::as_ptr(seen)).or_insert_with(|| record::snapshot_name(seen))
        };
        let history = control.history().map(&mut name).collect();
        let (watches, known) = (self.engine.keep_watches(&mut name), self.engine.ever_seen());
        let body = Body { control: checkpoint, history, watches, known };
        let text = JsonText::of(&body);
        let (at_ms, wall_ms) = (self.engine.now().0 as i64, (self.wall)());
        let end = self
            .database
            .write_patiently(|transaction| write(transaction, &self.run, &text, (at_ms, wall_ms)))?;
        self.reached(end);
        Ok(Some(body.observations().collect()))
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
