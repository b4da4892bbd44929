//! What webhooks are still to be told. Written together with the journal, so that nothing is forgotten when the desk stops in
//! between; told at least once, and given up after some tries.

use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::record::{Record, insert_new, record, select};
use crate::storage::port::value::{Value, values};
use std::collections::BTreeMap;

/// With pauses that double from half a minute, the last try is more than an hour after the first.
pub const MOST_TRIES: i64 = 8;
/// What a server says when it refuses can be a page; its begin is enough.
const LONGEST_ERROR: usize = 500;

pub const WAITING: &str = "waiting";
pub const DELIVERED: &str = "delivered";
/// Given up.
pub const DEAD: &str = "dead";

record! {
    /// One entry of the journal on its way to one webhook.
    pub struct Delivery in "deliveries" {
        pub webhook: String,
        pub seq: i64,
        /// How often it was tried.
        pub attempt: i64,
        pub next_wall_ms: i64,
        /// [`WAITING`], [`DELIVERED`] or [`DEAD`].
        pub state: String,
        pub last_error: Option<String>,
        pub changed_wall_ms: i64,
    }
}

/// Puts an entry on its way. The same one twice is told once.
pub fn enqueue(
    transaction: &mut dyn Transaction,
    webhook: &str,
    seq: i64,
    wall_ms: i64,
) -> Result<(), Error> {
    let delivery = Delivery {
        webhook: webhook.to_owned(),
        seq,
        attempt: 0,
        next_wall_ms: wall_ms,
        state: WAITING.to_owned(),
        last_error: None,
        changed_wall_ms: wall_ms,
    };
    insert_new(transaction, &delivery).map(drop)
}

/// Takes what is due, oldest first, and counts the attempt. It is due again at `again_wall_ms`, in case whoever took it is not heard
/// of any more.
pub fn claim_due(
    transaction: &mut dyn Transaction,
    wall_ms: i64,
    again_wall_ms: i64,
    limit: u32,
) -> Result<Vec<Delivery>, Error> {
    let sql = format!(
        "UPDATE deliveries SET attempt = attempt + 1, next_wall_ms = $2, changed_wall_ms = $1 \
         WHERE (webhook, seq) IN (SELECT webhook, seq FROM deliveries \
         WHERE state = 'waiting' AND next_wall_ms <= $1 ORDER BY next_wall_ms, webhook, seq LIMIT $3) RETURNING {}",
        Delivery::COLUMNS.join(", ")
    );
    let rows = transaction.query(&sql, values![wall_ms, again_wall_ms, i64::from(limit)])?;
    let mut due: Vec<Delivery> = rows.iter().map(Delivery::from_row).collect::<Result<_, Error>>()?;
    due.sort_by(|one, other| (one.seq, &one.webhook).cmp(&(other.seq, &other.webhook)));
    Ok(due)
}

/// Takes the oldest that is due for one webhook, and counts the attempt. It is due again at `again_wall_ms`, like above.
pub fn claim_next(
    transaction: &mut dyn Transaction,
    webhook: &str,
    wall_ms: i64,
    again_wall_ms: i64,
) -> Result<Option<Delivery>, Error> {
    let sql = format!(
        "UPDATE deliveries SET attempt = attempt + 1, next_wall_ms = $3, changed_wall_ms = $2 \
         WHERE webhook = $1 AND seq IN (SELECT seq FROM deliveries \
         WHERE webhook = $1 AND state = 'waiting' AND next_wall_ms <= $2 ORDER BY seq LIMIT 1) RETURNING {}",
        Delivery::COLUMNS.join(", ")
    );
    let row = at_most_one(transaction.query(&sql, values![webhook, wall_ms, again_wall_ms])?)?;
    row.as_ref().map(Delivery::from_row).transpose()
}

/// When there is something to do for a webhook next; nothing if nothing waits.
pub fn next_turn(connection: &mut dyn Connection, webhook: &str) -> Result<Option<i64>, Error> {
    let sql = "SELECT MIN(next_wall_ms) AS next FROM deliveries WHERE webhook = $1 AND state = 'waiting'";
    at_most_one(connection.query(sql, values![webhook])?)?.map_or(Ok(None), |row| row.get("next"))
}

/// How many deliveries of each webhook are in each state.
pub fn counts(connection: &mut dyn Connection) -> Result<BTreeMap<(String, String), i64>, Error> {
    let sql = "SELECT webhook, state, COUNT(*) AS total FROM deliveries GROUP BY webhook, state";
    let rows = connection.query(sql, &[])?;
    rows.iter().map(|row| Ok(((row.get("webhook")?, row.get("state")?), row.get("total")?))).collect()
}

/// Notes that a webhook was told.
pub fn delivered(
    transaction: &mut dyn Transaction,
    webhook: &str,
    seq: i64,
    wall_ms: i64,
) -> Result<(), Error> {
    let sql = "UPDATE deliveries SET state = 'delivered', last_error = NULL, changed_wall_ms = $3 \
               WHERE webhook = $1 AND seq = $2 AND state = 'waiting'";
    transaction.execute(sql, values![webhook, seq, wall_ms]).map(drop)
}

/// Notes that a webhook could not be told. It is tried again at `next_wall_ms`, or given up after the last try.
pub fn failed(
    transaction: &mut dyn Transaction,
    webhook: &str,
    seq: i64,
    error: &str,
    wall_ms: i64,
    next_wall_ms: i64,
) -> Result<(), Error> {
    let sql = "UPDATE deliveries SET last_error = $3, changed_wall_ms = $4, next_wall_ms = $5, \
               state = CASE WHEN attempt >= $6 THEN 'dead' ELSE 'waiting' END \
               WHERE webhook = $1 AND seq = $2 AND state = 'waiting'";
    let error: String = error.chars().filter(|character| *character != '\0').take(LONGEST_ERROR).collect();
    transaction.execute(sql, values![webhook, seq, error, wall_ms, next_wall_ms, MOST_TRIES]).map(drop)
}

/// Begins anew with what was given up. Returns whether it was.
pub fn revive(
    transaction: &mut dyn Transaction,
    webhook: &str,
    seq: i64,
    wall_ms: i64,
) -> Result<bool, Error> {
    let sql = "UPDATE deliveries SET state = 'waiting', attempt = 0, next_wall_ms = $3, changed_wall_ms = $3 \
               WHERE webhook = $1 AND seq = $2 AND state = 'dead'";
    Ok(transaction.execute(sql, values![webhook, seq, wall_ms])? == 1)
}

/// Deliveries of a webhook, newest entry first.
pub fn of(connection: &mut dyn Connection, webhook: &str, limit: u32) -> Result<Vec<Delivery>, Error> {
    let rest = "WHERE webhook = $1 ORDER BY seq DESC LIMIT $2";
    select(connection, rest, values![webhook, i64::from(limit)])
}

/// Deliveries of a webhook below an entry, newest first; of one state if one is named.
pub fn before(
    connection: &mut dyn Connection,
    webhook: &str,
    state: Option<&str>,
    seq: i64,
    limit: u32,
) -> Result<Vec<Delivery>, Error> {
    let mut conditions = Conditions::default();
    conditions.all_of("webhook = ?", [Value::from(webhook)]);
    conditions.perhaps("state = ?", state);
    conditions.all_of("seq < ?", [Value::Integer(seq)]);
    let places = conditions.parameter(Value::Integer(i64::from(limit)));
    let rest = format!("{} ORDER BY seq DESC LIMIT {places}", conditions.clause());
    select(connection, &rest, conditions.values())
}

/// Forgets what was delivered before a moment, and says how many that were. What was given up stays until somebody looked.
pub fn delete_delivered_before(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<u64, Error> {
    let sql = "DELETE FROM deliveries WHERE state = 'delivered' AND changed_wall_ms < $1";
    transaction.execute(sql, values![wall_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Database;
    use crate::storage::tables::{journal, runs, webhooks};
    use crate::testing::on_both;

    /// Two webhooks that are both to be told three entries.
    fn fill(database: &Database) -> Result<(), Error> {
        database.write(|transaction| {
            runs::create(transaction, &runs::tests::run("a"))?;
            let entries: Vec<_> = (1..=3).map(journal::tests::entry).collect();
            journal::append_all(transaction, &entries)?;
            for id in ["x", "y"] {
                webhooks::create(transaction, &webhooks::tests::webhook(id))?;
                (1..=3).try_for_each(|seq| enqueue(transaction, id, seq, 100))?;
            }
            enqueue(transaction, "x", 1, 900)
        })
    }

    fn claim(database: &Database, at: i64) -> Result<Vec<(String, i64, i64)>, Error> {
        let due = database.write(|transaction| claim_due(transaction, at, at + 10, 4))?;
        Ok(due.into_iter().map(|delivery| (delivery.webhook, delivery.seq, delivery.attempt)).collect())
    }

    #[test]
    fn what_is_due_is_handed_out_once_and_again_when_nobody_answers() {
        on_both(|database| {
            fill(database)?;
            let row = |webhook: &str, seq, attempt| (webhook.to_owned(), seq, attempt);
            assert_eq!(claim(database, 99)?, []);
            assert_eq!(
                claim(database, 100)?,
                [row("x", 1, 1), row("y", 1, 1), row("x", 2, 1), row("x", 3, 1)]
            );
            assert_eq!(claim(database, 100)?, [row("y", 2, 1), row("y", 3, 1)]);
            database.write(|transaction| {
                delivered(transaction, "x", 1, 105)?;
                failed(transaction, "x", 2, "connection refused", 105, 500)
            })?;
            assert_eq!(
                claim(database, 110)?,
                [row("y", 1, 2), row("y", 2, 2), row("x", 3, 2), row("y", 3, 2)]
            );
            let found = database.read(|connection| of(connection, "x", 10))?;
            let states: Vec<(i64, &str)> = found.iter().map(|it| (it.seq, it.state.as_str())).collect();
            assert_eq!(states, [(3, WAITING), (2, WAITING), (1, DELIVERED)]);
            assert_eq!(found[1].last_error.as_deref(), Some("connection refused"));
            database.write(|transaction| {
                assert_eq!(delete_delivered_before(transaction, 106)?, 1);
                webhooks::remove(transaction, "y").map(drop)
            })?;
            assert_eq!(database.read(|connection| of(connection, "y", 10))?, []);
            Ok(())
        });
    }

    #[test]
    fn one_webhook_takes_its_own_in_their_order() {
        on_both(|database| {
            fill(database)?;
            let claim = |at| database.write(|transaction| claim_next(transaction, "x", at, at + 50));
            let next = || database.read(|connection| next_turn(connection, "x"));
            assert_eq!((claim(99)?, next()?), (None, Some(100)));
            let taken: Vec<Option<i64>> =
                (0..4).map(|_| claim(100).map(|it| it.map(|it| it.seq))).collect::<Result<_, Error>>()?;
            assert_eq!(taken, [Some(1), Some(2), Some(3), None]);
            assert_eq!(next()?, Some(150));
            database
                .write(|transaction| (1..=3).try_for_each(|seq| delivered(transaction, "x", seq, 120)))?;
            assert_eq!(next()?, None);
            let all = database.read(counts)?;
            let of = |hook: &str, state: &str| all.get(&(hook.to_owned(), state.to_owned())).copied();
            assert_eq!((of("x", DELIVERED), of("x", WAITING), of("y", WAITING)), (Some(3), None, Some(3)));
            let told = |state, below| {
                let found = database.read(|connection| before(connection, "x", state, below, 2));
                found.map(|found| found.into_iter().map(|it| it.seq).collect::<Vec<i64>>())
            };
            assert_eq!((told(None, i64::MAX)?, told(Some(DELIVERED), 2)?), (vec![3, 2], vec![1]));
            assert_eq!(told(Some(DEAD), i64::MAX)?, Vec::<i64>::new());
            Ok(())
        });
    }

    #[test]
    fn after_the_last_try_it_is_given_up_until_somebody_asks() {
        on_both(|database| {
            fill(database)?;
            let last = |database: &Database| {
                database.read(|connection| of(connection, "x", 1)).map(|found| found[0].clone())
            };
            for attempt in 1..=MOST_TRIES {
                let at = 1_000 * attempt;
                database.write(|transaction| {
                    claim_due(transaction, at, at + 10, 100)?;
                    failed(transaction, "x", 3, &"no\0 ".repeat(400), at, at + 500)
                })?;
            }
            let dead = last(database)?;
            assert_eq!((dead.attempt, dead.state.as_str()), (MOST_TRIES, DEAD));
            assert_eq!(dead.last_error.map(|error| error.len()), Some(500));
            let due = database.write(|transaction| claim_due(transaction, i64::MAX - 1, i64::MAX, 100))?;
            assert!(due.iter().all(|delivery| (delivery.webhook.as_str(), delivery.seq) != ("x", 3)));
            assert!(database.write(|transaction| revive(transaction, "x", 3, 9_999))?);
            assert_eq!((last(database)?.attempt, last(database)?.state.as_str()), (0, WAITING));
            Ok(())
        });
    }
}
