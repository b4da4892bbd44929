//! Requests that carry a key: whoever sends one twice gets the first answer twice, and it is done once.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert_new, record, select};
use crate::storage::port::value::values;
use model::hash::ContentHash;

record! {
    /// A request and, when it is done, its answer.
    pub struct Request in "idempotency" {
        pub subject: String,
        pub request_key: String,
        /// Of everything that the request asks for.
        pub request_hash: ContentHash,
        pub status: Option<i64>,
        pub headers: Option<JsonText>,
        /// Of the answer. Before there is one, the number of the entry that tells what was done, if something was.
        pub body: Option<String>,
        pub created_wall_ms: i64,
    }
}

/// Whose key it is, and what they call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub subject: String,
    pub request_key: String,
}

/// An answer as it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    pub status: i64,
    pub headers: JsonText,
    pub body: String,
}

/// What a request with a key turns out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// The first one: do it, then [`finish`] or [`release`].
    New,
    /// The same one is under way.
    Running,
    /// It was done; this was the answer.
    Done(Response),
    /// The key was used for something else.
    Different,
}

/// Claims a key for a request of somebody.
pub fn claim(
    transaction: &mut dyn Transaction,
    key: &Key,
    request_hash: ContentHash,
    wall_ms: i64,
) -> Result<Claim, Error> {
    let request = Request {
        subject: key.subject.clone(),
        request_key: key.request_key.clone(),
        request_hash,
        status: None,
        headers: None,
        body: None,
        created_wall_ms: wall_ms,
    };
    if insert_new(transaction, &request)? {
        return Ok(Claim::New);
    }
    let found = get(transaction, key)?;
    Ok(found.map_or(Claim::Running, |found| found.answer_to(request_hash)))
}

impl Request {
    fn answer_to(self, request_hash: ContentHash) -> Claim {
        if self.request_hash != request_hash {
            return Claim::Different;
        }
        match (self.status, self.headers, self.body) {
            (Some(status), Some(headers), Some(body)) => Claim::Done(Response { status, headers, body }),
            _ => Claim::Running,
        }
    }
}

fn get(connection: &mut dyn Connection, key: &Key) -> Result<Option<Request>, Error> {
    let Key { subject, request_key } = key;
    let values = values![subject.as_str(), request_key.as_str()];
    find(connection, "WHERE subject = $1 AND request_key = $2", values)
}

/// Keeps the answer to a claimed request.
pub fn finish(transaction: &mut dyn Transaction, key: &Key, response: &Response) -> Result<(), Error> {
    let sql =
        "UPDATE idempotency SET status = $3, headers = $4, body = $5 WHERE subject = $1 AND request_key = $2";
    let (Key { subject, request_key }, Response { status, headers, body }) = (key, response.clone());
    transaction.execute(sql, values![subject.as_str(), request_key.as_str(), status, headers, body]).map(drop)
}

/// Notes, in the transaction that does what was asked for, which entry of the record tells of it: from then on the key never does it
/// again, whatever becomes of the answer.
pub fn mark(transaction: &mut dyn Transaction, key: &Key, seq: i64) -> Result<(), Error> {
    let sql = "UPDATE idempotency SET body = $3 WHERE subject = $1 AND request_key = $2 AND status IS NULL";
    let Key { subject, request_key } = key;
    transaction.execute(sql, values![subject.as_str(), request_key.as_str(), seq.to_string()]).map(drop)
}

/// What is answered where something was done, as this entry tells, and its answer is not there.
pub type Lost<'a> = &'a dyn Fn(&str) -> Response;

/// Gives a claimed key back if nothing was done.
pub fn release(transaction: &mut dyn Transaction, key: &Key, lost: Lost<'_>) -> Result<(), Error> {
    let Some(request) = get(transaction, key)? else { return Ok(()) };
    settle(transaction, &request, lost)
}

/// Does that with all claimed keys: for a desk that starts, when nothing can be under way.
pub fn release_all(transaction: &mut dyn Transaction, lost: Lost<'_>) -> Result<(), Error> {
    let claimed: Vec<Request> = select(transaction, "WHERE status IS NULL", &[])?;
    claimed.iter().try_for_each(|request| settle(transaction, request, lost))
}

fn settle(transaction: &mut dyn Transaction, request: &Request, lost: Lost<'_>) -> Result<(), Error> {
    let key = Key { subject: request.subject.clone(), request_key: request.request_key.clone() };
    if let (None, Some(entry)) = (request.status, &request.body) {
        return finish(transaction, &key, &lost(entry));
    }
    let sql = "DELETE FROM idempotency WHERE subject = $1 AND request_key = $2 AND status IS NULL";
    transaction.execute(sql, values![key.subject, key.request_key]).map(drop)
}

/// Forgets requests from before a moment, and says how many that were.
pub fn delete_older_than(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<u64, Error> {
    transaction.execute("DELETE FROM idempotency WHERE created_wall_ms < $1", values![wall_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn named(subject: &str, key: &str) -> Key {
        Key { subject: subject.to_owned(), request_key: key.to_owned() }
    }

    #[test]
    fn a_key_leads_to_one_request_and_one_answer() {
        on_both(|database| {
            let hash = |text: &str| ContentHash::of_bytes(text.as_bytes());
            let ask = |subject: &str, key: &str, text: &str| {
                database.write(|transaction| claim(transaction, &named(subject, key), hash(text), 10))
            };
            let lost = |entry: &str| Response {
                status: 409,
                headers: JsonText::of(&[("", ""); 0]),
                body: format!("see {entry}"),
            };
            let response =
                Response { status: 201, headers: JsonText::of(&[("etag", "1")]), body: "{}".into() };
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::New);
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Running);
            assert_eq!(ask("bert", "k", "approve 1")?, Claim::New, "keys belong to whoever sends them");
            assert_eq!(ask("anna", "k", "approve 2")?, Claim::Different);
            database.write(|transaction| finish(transaction, &named("anna", "k"), &response))?;
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Done(response.clone()));
            assert_eq!(ask("anna", "k", "approve 2")?, Claim::Different);
            database.write(|transaction| {
                release(transaction, &named("anna", "k"), &lost)?;
                release(transaction, &named("bert", "k"), &lost)
            })?;
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Done(response), "what is done stays done");
            assert_eq!(ask("bert", "k", "approve 1")?, Claim::New);
            for (person, done) in [("carl", true), ("dora", true), ("emma", false)] {
                assert_eq!(ask(person, "k", "freeze")?, Claim::New);
                if done {
                    database.write(|transaction| mark(transaction, &named(person, "k"), 7))?;
                }
                assert_eq!(ask(person, "k", "freeze")?, Claim::Running);
            }
            database.write(|transaction| release(transaction, &named("carl", "k"), &lost))?;
            database.write(|transaction| release_all(transaction, &lost))?;
            assert_eq!(ask("carl", "k", "freeze")?, Claim::Done(lost("7")), "it was done");
            assert_eq!(ask("dora", "k", "freeze")?, Claim::Done(lost("7")), "it was done");
            assert_eq!(ask("emma", "k", "freeze")?, Claim::New, "nothing was done");
            database.write(|transaction| {
                assert_eq!(delete_older_than(transaction, 10)?, 0);
                assert_eq!(delete_older_than(transaction, 11)?, 4);
                Ok(())
            })
        });
    }
}
