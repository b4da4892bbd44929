//! The outbox: what webhooks are still to be told. Written in the same transaction as the entry that it tells of, so that nothing is
//! forgotten when the desk is killed; told at least once, and given up after some tries or some time.

use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::record::{insert_new, record, select};
use crate::storage::port::value::{Value, values};
use std::collections::BTreeMap;

/// With pauses that double from half a minute, the last try is more than an hour after the first.
pub const MOST_TRIES: i64 = 8;
/// Somebody who was away for longer has missed more than a list of old messages can mend, and the list must end somewhere.
pub const LONGEST_WAIT_MS: i64 = 24 * 3_600_000;
/// What a server says when it refuses can be a page; its begin is enough.
const LONGEST_ERROR: usize = 500;

pub const WAITING: &str = "waiting";
pub const DELIVERED: &str = "delivered";
/// Given up.
pub const DEAD: &str = "dead";

record! {
    /// One event on its way to one webhook.
    pub struct Delivery in "deliveries" {
        pub webhook: String,
        /// The entry of the journal that it tells of.
        pub seq: i64,
        /// Which event of the entry it is, from 0.
        pub part: i64,
        /// By this a receiver recognises a second message about the same.
        pub id: String,
        pub kind: String,
        /// Exactly what is sent.
        pub body: String,
        pub noted_wall_ms: i64,
        /// How often it was tried.
        pub attempt: i64,
        pub next_wall_ms: i64,
        /// [`WAITING`], [`DELIVERED`] or [`DEAD`].
        pub state: String,
        pub last_error: Option<String>,
        pub changed_wall_ms: i64,
    }
}

/// An event before it is on its way.
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    pub seq: i64,
    pub part: i64,
    pub id: &'a str,
    pub kind: &'a str,
    pub body: &'a str,
}

/// Puts an event on its way. The same one twice is told once.
pub fn enqueue(
    transaction: &mut dyn Transaction,
    webhook: &str,
    note: Note<'_>,
    wall_ms: i64,
) -> Result<(), Error> {
    let delivery = Delivery {
        webhook: webhook.to_owned(),
        seq: note.seq,
        part: note.part,
        id: note.id.to_owned(),
        kind: note.kind.to_owned(),
        body: note.body.to_owned(),
        noted_wall_ms: wall_ms,
        attempt: 0,
        next_wall_ms: wall_ms,
        state: WAITING.to_owned(),
        last_error: None,
        changed_wall_ms: wall_ms,
    };
    insert_new(transaction, &delivery).map(drop)
}

/// The oldest that is due for a webhook.
pub fn due(connection: &mut dyn Connection, webhook: &str, wall_ms: i64) -> Result<Option<Delivery>, Error> {
    let rest = "WHERE webhook = $1 AND state = 'waiting' AND next_wall_ms <= $2 ORDER BY seq, part LIMIT 1";
    Ok(select(connection, rest, values![webhook, wall_ms])?.pop())
}

/// Counts an attempt before it is made. It is due again at `again_wall_ms`, whatever becomes of whoever makes it.
pub fn begin(
    transaction: &mut dyn Transaction,
    delivery: &Delivery,
    wall_ms: i64,
    again_wall_ms: i64,
) -> Result<(), Error> {
    let sql = "UPDATE deliveries SET attempt = attempt + 1, next_wall_ms = $4, changed_wall_ms = $5 \
               WHERE webhook = $1 AND seq = $2 AND part = $3 AND state = 'waiting'";
    let Delivery { webhook, seq, part, .. } = delivery;
    let values = values![webhook.as_str(), *seq, *part, again_wall_ms, wall_ms];
    transaction.execute(sql, values).map(drop)
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
pub fn delivered(transaction: &mut dyn Transaction, delivery: &Delivery, wall_ms: i64) -> Result<(), Error> {
    let Delivery { webhook, seq, part, .. } = delivery;
    let sql = "UPDATE deliveries SET state = 'delivered', last_error = NULL, changed_wall_ms = $4 \
               WHERE webhook = $1 AND seq = $2 AND part = $3 AND state = 'waiting'";
    transaction.execute(sql, values![webhook.as_str(), *seq, *part, wall_ms])?;
    let sql = "UPDATE webhooks SET delivered = delivered + 1, succeeded_wall_ms = $2 WHERE id = $1";
    transaction.execute(sql, values![webhook.as_str(), wall_ms]).map(drop)
}

/// Notes that a webhook could not be told. It is tried again when its turn comes, or given up after the last try. Returns whether it
/// was given up.
pub fn failed(
    transaction: &mut dyn Transaction,
    delivery: &Delivery,
    error: &str,
    wall_ms: i64,
) -> Result<bool, Error> {
    let error: String = error.chars().filter(|character| *character != '\0').take(LONGEST_ERROR).collect();
    let Delivery { webhook, seq, part, .. } = delivery;
    let sql = "UPDATE webhooks SET last_error = $2, failed_wall_ms = $3 WHERE id = $1";
    transaction.execute(sql, values![webhook.as_str(), error.as_str(), wall_ms])?;
    let sql = "UPDATE deliveries SET last_error = $4, changed_wall_ms = $5, \
               state = CASE WHEN attempt >= $6 THEN 'dead' ELSE 'waiting' END \
               WHERE webhook = $1 AND seq = $2 AND part = $3 AND state = 'waiting' RETURNING state";
    let values = values![webhook.as_str(), *seq, *part, error.as_str(), wall_ms, MOST_TRIES];
    let row = at_most_one(transaction.query(sql, values)?)?;
    Ok(row.map(|row| row.get::<String>("state")).transpose()?.as_deref() == Some(DEAD))
}

/// Gives up what has waited since before a moment, and says how many that were.
pub fn give_up_older_than(
    transaction: &mut dyn Transaction,
    webhook: &str,
    noted_before_ms: i64,
    wall_ms: i64,
) -> Result<u64, Error> {
    let sql = "UPDATE deliveries SET state = 'dead', changed_wall_ms = $3, \
               last_error = COALESCE(last_error, 'it waited for too long') \
               WHERE webhook = $1 AND state = 'waiting' AND noted_wall_ms < $2";
    transaction.execute(sql, values![webhook, noted_before_ms, wall_ms])
}

/// Begins anew with what was given up. Returns whether it was.
pub fn revive(
    transaction: &mut dyn Transaction,
    webhook: &str,
    id: &str,
    wall_ms: i64,
) -> Result<bool, Error> {
    let sql = "UPDATE deliveries SET state = 'waiting', attempt = 0, noted_wall_ms = $3, next_wall_ms = $3, \
               changed_wall_ms = $3 WHERE webhook = $1 AND id = $2 AND state = 'dead'";
    Ok(transaction.execute(sql, values![webhook, id, wall_ms])? == 1)
}

/// Deliveries of a webhook below a place, newest first; of one state if one is named.
pub fn before(
    connection: &mut dyn Connection,
    webhook: &str,
    state: Option<&str>,
    (seq, part): (i64, i64),
    limit: u32,
) -> Result<Vec<Delivery>, Error> {
    let mut conditions = Conditions::default();
    conditions.all_of("webhook = ?", [Value::from(webhook)]);
    conditions.perhaps("state = ?", state);
    conditions.all_of("(seq, part) < (?, ?)", [Value::Integer(seq), Value::Integer(part)]);
    let places = conditions.parameter(Value::Integer(i64::from(limit)));
    let rest = format!("{} ORDER BY seq DESC, part DESC LIMIT {places}", conditions.clause());
    select(connection, &rest, conditions.values())
}

/// Forgets what was delivered or given up before these moments, and says how many that were.
pub fn forget(
    transaction: &mut dyn Transaction,
    delivered_before_ms: i64,
    dead_before_ms: i64,
) -> Result<u64, Error> {
    let sql = "DELETE FROM deliveries WHERE (state = 'delivered' AND changed_wall_ms < $1) \
               OR (state = 'dead' AND changed_wall_ms < $2)";
    transaction.execute(sql, values![delivered_before_ms, dead_before_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Database;
    use crate::storage::tables::{journal, runs, webhooks};
    use crate::testing::on_both;

    fn note(seq: i64, part: i64, id: &str) -> Note<'_> {
        Note { seq, part, id, kind: "mode.set", body: "{}" }
    }

    /// Two webhooks that are both to be told three events of two entries.
    fn fill(database: &Database) -> Result<(), Error> {
        database.write(|transaction| {
            runs::create(transaction, &runs::tests::run("a"))?;
            let entries: Vec<_> = (1..=2).map(journal::tests::entry).collect();
            journal::append_all(transaction, &entries)?;
            for hook in ["x", "y"] {
                webhooks::create(transaction, &webhooks::tests::webhook(hook))?;
                for (seq, part, id) in [(1, 0, "1-0"), (2, 0, "2-0"), (2, 1, "2-1")] {
                    enqueue(transaction, hook, note(seq, part, id), 100)?;
                }
            }
            enqueue(transaction, "x", note(1, 0, "again"), 900)
        })
    }

    fn next(database: &Database, hook: &str, at: i64) -> Result<Option<Delivery>, Error> {
        let found = database.read(|connection| due(connection, hook, at))?;
        if let Some(delivery) = &found {
            database.write(|transaction| begin(transaction, delivery, at, at + 50))?;
        }
        Ok(found)
    }

    fn all(database: &Database, state: Option<&str>) -> Result<Vec<Delivery>, Error> {
        database.read(|connection| before(connection, "x", state, (i64::MAX, 0), 10))
    }

    #[test]
    fn each_webhook_takes_its_own_in_their_order() {
        on_both(|database| {
            fill(database)?;
            let turn = || database.read(|connection| next_turn(connection, "x"));
            assert_eq!((next(database, "x", 99)?, turn()?), (None, Some(100)));
            let mut taken = Vec::new();
            while let Some(delivery) = next(database, "x", 100)? {
                taken.push(delivery.id);
            }
            assert_eq!((taken, turn()?), (vec!["1-0".into(), "2-0".into(), "2-1".into()], Some(150)));
            let left = all(database, None)?;
            database.write(|transaction| {
                delivered(transaction, &left[0], 120)?;
                assert!(!failed(transaction, &left[1], "connection refused", 125)?);
                Ok(())
            })?;
            assert_eq!(next(database, "x", 150)?.map(|it| (it.id, it.attempt)), Some(("1-0".into(), 1)));
            let hook = database.read(|connection| webhooks::get(connection, "x"))?.expect("it is there");
            assert_eq!((hook.delivered, hook.succeeded_wall_ms), (1, Some(120)));
            assert_eq!(
                (hook.last_error.as_deref(), hook.failed_wall_ms),
                (Some("connection refused"), Some(125))
            );
            let counted = database.read(counts)?;
            let of = |hook: &str, state: &str| counted.get(&(hook.to_owned(), state.to_owned())).copied();
            assert_eq!((of("x", DELIVERED), of("x", WAITING), of("y", WAITING)), (Some(1), Some(2), Some(3)));
            let page = database.read(|connection| before(connection, "x", None, (2, 1), 1))?;
            assert_eq!(page[0].id, "2-0");
            database.write(|transaction| webhooks::remove(transaction, "y"))?;
            assert_eq!(database.read(|connection| due(connection, "y", i64::MAX))?, None);
            Ok(())
        });
    }

    #[test]
    fn after_the_last_try_it_is_given_up_until_somebody_asks() {
        on_both(|database| {
            fill(database)?;
            for attempt in 1..=MOST_TRIES {
                let newest = all(database, None)?.remove(0);
                let dead = database.write(|transaction| {
                    begin(transaction, &newest, attempt, attempt)?;
                    failed(transaction, &newest, &"no\0 ".repeat(400), attempt)
                })?;
                assert_eq!(dead, attempt == MOST_TRIES);
            }
            let dead = all(database, Some(DEAD))?;
            assert_eq!((dead.len(), dead[0].id.as_str(), dead[0].attempt), (1, "2-1", MOST_TRIES));
            assert_eq!(dead[0].last_error.as_ref().map(String::len), Some(500));
            assert!(database.write(|transaction| revive(transaction, "x", "2-1", 9_999))?);
            assert!(!database.write(|transaction| revive(transaction, "x", "2-1", 9_999))?);
            let revived = all(database, None)?.remove(0);
            assert_eq!((revived.attempt, revived.state.as_str()), (0, WAITING));
            Ok(())
        });
    }

    #[test]
    fn what_waits_for_too_long_is_given_up_and_what_is_over_goes() {
        on_both(|database| {
            fill(database)?;
            let give_up =
                |before| database.write(|transaction| give_up_older_than(transaction, "x", before, 200));
            assert_eq!((give_up(100)?, give_up(101)?), (0, 3));
            assert!(all(database, Some(DEAD))?[0].last_error.is_some());
            let first = database.read(|connection| due(connection, "y", 100))?.expect("it is due");
            database.write(|transaction| delivered(transaction, &first, 200))?;
            let forget = |told, dead| database.write(|transaction| forget(transaction, told, dead));
            assert_eq!((forget(200, 200)?, forget(201, 0)?, forget(0, 201)?), (0, 1, 3));
            Ok(())
        });
    }
}
