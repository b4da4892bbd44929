//! Requests that carry a key: whoever sends one twice gets the first answer twice, and it is done once.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert_new, record};
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
        pub body: Option<String>,
        pub created_wall_ms: i64,
    }
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
    subject: &str,
    request_key: &str,
    request_hash: ContentHash,
    wall_ms: i64,
) -> Result<Claim, Error> {
    let request = Request {
        subject: subject.to_owned(),
        request_key: request_key.to_owned(),
        request_hash,
        status: None,
        headers: None,
        body: None,
        created_wall_ms: wall_ms,
    };
    if insert_new(transaction, &request)? {
        return Ok(Claim::New);
    }
    let found = get(transaction, subject, request_key)?;
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

fn get(connection: &mut dyn Connection, subject: &str, request_key: &str) -> Result<Option<Request>, Error> {
    find(connection, "WHERE subject = $1 AND request_key = $2", values![subject, request_key])
}

/// Keeps the answer to a claimed request; best in the transaction that does what was asked for.
pub fn finish(
    transaction: &mut dyn Transaction,
    subject: &str,
    request_key: &str,
    response: &Response,
) -> Result<(), Error> {
    let sql =
        "UPDATE idempotency SET status = $3, headers = $4, body = $5 WHERE subject = $1 AND request_key = $2";
    let Response { status, headers, body } = response.clone();
    transaction.execute(sql, values![subject, request_key, status, headers, body]).map(drop)
}

/// Gives a claimed key back, because nothing was done.
pub fn release(transaction: &mut dyn Transaction, subject: &str, request_key: &str) -> Result<(), Error> {
    let sql = "DELETE FROM idempotency WHERE subject = $1 AND request_key = $2 AND status IS NULL";
    transaction.execute(sql, values![subject, request_key]).map(drop)
}

/// Gives all claimed keys back: for a desk that starts, when nothing can be under way.
pub fn release_all(transaction: &mut dyn Transaction) -> Result<u64, Error> {
    transaction.execute("DELETE FROM idempotency WHERE status IS NULL", &[])
}

/// Forgets requests from before a moment, and says how many that were.
pub fn delete_older_than(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<u64, Error> {
    transaction.execute("DELETE FROM idempotency WHERE created_wall_ms < $1", values![wall_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn a_key_leads_to_one_request_and_one_answer() {
        on_both(|database| {
            let hash = |text: &str| ContentHash::of_bytes(text.as_bytes());
            let ask = |subject: &str, key: &str, text: &str| {
                database.write(|transaction| claim(transaction, subject, key, hash(text), 10))
            };
            let response =
                Response { status: 201, headers: JsonText::of(&[("etag", "1")]), body: "{}".into() };
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::New);
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Running);
            assert_eq!(ask("bert", "k", "approve 1")?, Claim::New, "keys belong to whoever sends them");
            assert_eq!(ask("anna", "k", "approve 2")?, Claim::Different);
            database.write(|transaction| finish(transaction, "anna", "k", &response))?;
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Done(response.clone()));
            assert_eq!(ask("anna", "k", "approve 2")?, Claim::Different);
            database.write(|transaction| {
                release(transaction, "anna", "k")?;
                release(transaction, "bert", "k")
            })?;
            assert_eq!(ask("anna", "k", "approve 1")?, Claim::Done(response), "what is done stays done");
            assert_eq!(ask("bert", "k", "approve 1")?, Claim::New);
            database.write(|transaction| {
                assert_eq!(release_all(transaction)?, 1);
                assert_eq!(delete_older_than(transaction, 10)?, 0);
                assert_eq!(delete_older_than(transaction, 11)?, 1);
                Ok(())
            })
        });
    }
}
