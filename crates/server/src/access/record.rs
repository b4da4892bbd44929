//! What the record tells about access: who was let in, by whom and until when, and never a secret.

use crate::storage::tables::journal::{self, NewEntry};
use crate::storage::{Error, JsonText, Transaction};
use serde::Serialize;

/// Adds an entry that belongs to no run. It has a time on the wall and none of its own.
pub(crate) fn note(
    transaction: &mut dyn Transaction,
    wall_ms: i64,
    kind: &str,
    (actor, subject): (&str, &str),
    body: &impl Serialize,
) -> Result<(), Error> {
    let entry = NewEntry {
        run: None,
        at_ms: 0,
        wall_ms,
        kind: kind.to_owned(),
        actor: actor.to_owned(),
        subject: subject.to_owned(),
        body: JsonText::of(body),
    };
    journal::append(transaction, &entry).map(drop)
}
