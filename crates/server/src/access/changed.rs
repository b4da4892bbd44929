//! Tokens that somebody changed in the database. The record tells how each of them was made, so a desk that opens ends those that differ.

use super::record;
use crate::storage::tables::journal::{self, Entry, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::tables::sessions;
use crate::storage::tables::tokens::{self, Token};
use crate::storage::{Connection, Error, Transaction};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CREATED: &str = "token.created";
const REVOKED: &str = "token.revoked";

/// Entries that are read at a time.
const CHUNK: u32 = 500;

/// What the record tells of a token.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    name: String,
    role: String,
    scope: Value,
    expires_wall: Option<i64>,
}

impl Told {
    fn fits(&self, token: &Token) -> bool {
        let scope: Option<Value> = token.scope.read("a scope").ok();
        (&self.name, &self.role, self.expires_wall) == (&token.name, &token.role, token.expires_wall_ms)
            && scope.as_ref() == Some(&self.scope)
            && token.id == super::token::number(token.secret_hash)
    }
}

/// Whether a token is what the record says of it, for a desk at work: somebody may reach its tables meanwhile.
pub(super) fn is_as_told(connection: &mut dyn Connection, token: &Token) -> Result<bool, Error> {
    let kinds = vec![CREATED.to_owned(), REVOKED.to_owned()];
    let filter = Filter { kinds, subject: Some(token.id.clone()), ..Filter::default() };
    let newest = journal::list(connection, &filter, Direction::Descending, None, 1)?.rows.pop();
    let told = newest
        .filter(|entry| entry.kind == CREATED)
        .and_then(|entry| entry.body.read::<Told>("a token").ok());
    let is_right = told.is_some_and(|told| told.fits(token));
    if !is_right {
        let Token { id, name, .. } = token;
        crate::log::error(&format!(
            "token {id} of {name:?} is not what the record says; nobody is let in with it"
        ));
    }
    Ok(is_right)
}

/// Ends the tokens that count and are not what the record says of them, with every session that was opened with them.
pub(crate) fn end_changed(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<(), Error> {
    let told = told(transaction)?;
    let right = |token: &Token| told.get(&token.id).is_some_and(|told| told.fits(token));
    let counting = tokens::all(transaction)?.into_iter().filter(|token| token.counts(wall_ms));
    for token in counting.filter(|token| !right(token)).collect::<Vec<_>>() {
        crate::log::error(&format!(
            "token {} of {:?} is not what the record says; it does not count any more",
            token.id, token.name
        ));
        tokens::revoke(transaction, &token.id, wall_ms)?;
        let ended = sessions::end_all_with(transaction, &token.id)?;
        let body = json!({ "sessionsEnded": ended, "because": "it was not what the record says" });
        record::note(transaction, wall_ms, REVOKED, ("desk", &token.id), &body)?;
    }
    Ok(())
}

/// The tokens that were made and not ended.
fn told(connection: &mut dyn Connection) -> Result<BTreeMap<String, Told>, Error> {
    let filter = Filter { kinds: vec![CREATED.to_owned(), REVOKED.to_owned()], ..Filter::default() };
    let (mut all, mut after) = (BTreeMap::new(), None);
    loop {
        let page = journal::list(connection, &filter, Direction::Ascending, after.as_deref(), CHUNK)?;
        page.rows.into_iter().for_each(|entry| note(&mut all, entry));
        after = page.next;
        if after.is_none() {
            return Ok(all);
        }
    }
}

fn note(all: &mut BTreeMap<String, Told>, entry: Entry) {
    if entry.kind == REVOKED {
        all.remove(&entry.subject);
    } else if let Ok(told) = entry.body.read("a token") {
        all.insert(entry.subject, told);
    }
}
