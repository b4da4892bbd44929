//! What the record tells about access: who was let in, by whom and until when, and never a secret.

use crate::attended;
use crate::storage::tables::journal::{self, NewEntry};
use crate::storage::{Error, JsonText, Transaction};
use serde::Serialize;

/// Adds an entry that belongs to no run. It has a time on the wall and none of its own, and names what whoever asked for it showed.
pub(crate) fn note(
    transaction: &mut dyn Transaction,
    wall_ms: i64,
    kind: &str,
    (actor, subject): (&str, &str),
    body: &impl Serialize,
) -> Result<(), Error> {
    note_via(transaction, wall_ms, kind, (actor, subject), (attended::via(), body))
}

/// The same for somebody who shows something in this very moment.
pub(crate) fn note_via(
    transaction: &mut dyn Transaction,
    wall_ms: i64,
    kind: &str,
    (actor, subject): (&str, &str),
    (via, body): (Option<String>, &impl Serialize),
) -> Result<(), Error> {
    let entry = NewEntry {
        run: None,
        at_ms: 0,
        wall_ms,
        kind: kind.to_owned(),
        actor: actor.to_owned(),
        subject: subject.to_owned(),
        body: JsonText::of(body),
        via,
    };
    journal::append(transaction, &entry).map(drop)
}
