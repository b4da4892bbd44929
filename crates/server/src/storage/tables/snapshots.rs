//! Snapshots of the world, kept under the hash of their text. The journal names them; old ones may go.

use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, put as put_record, record};
use crate::storage::port::value::{Value, values};
use model::hash::ContentHash;

record! {
    /// What the world looked like at a moment of a run.
    pub struct Snapshot in "snapshots" {
        pub hash: ContentHash,
        pub run: String,
        pub taken_at_ms: i64,
        /// When it was last stored, for retention.
        pub stored_wall_ms: i64,
        pub body: JsonText,
    }
}

/// Keeps a snapshot and returns the name it can be had by. The same text twice is kept once.
pub fn put(
    transaction: &mut dyn Transaction,
    run: &str,
    taken_at_ms: i64,
    wall_ms: i64,
    body: &JsonText,
) -> Result<ContentHash, Error> {
    let hash = ContentHash::of_bytes(body.as_str().as_bytes());
    let snapshot =
        Snapshot { hash, run: run.to_owned(), taken_at_ms, stored_wall_ms: wall_ms, body: body.clone() };
    put_record(transaction, &snapshot, &["hash"])?;
    Ok(hash)
}

/// A snapshot by its name; nothing if it is not kept, or is not what it was.
pub fn get(connection: &mut dyn Connection, hash: ContentHash) -> Result<Option<Snapshot>, Error> {
    let found: Option<Snapshot> = find(connection, "WHERE hash = $1", values![hash])?;
    let is_intact = |kept: &Snapshot| ContentHash::of_bytes(kept.body.as_str().as_bytes()) == hash;
    if found.as_ref().is_some_and(|kept| !is_intact(kept)) {
        crate::log::error(&format!("somebody changed the snapshot {hash} in the database; it is not shown"));
    }
    Ok(found.filter(is_intact))
}

/// The names of all that are kept of a run, oldest first.
pub fn names(connection: &mut dyn Connection, run: &str) -> Result<Vec<ContentHash>, Error> {
    let sql = "SELECT hash FROM snapshots WHERE run = $1 ORDER BY taken_at_ms, hash";
    connection.query(sql, values![run])?.iter().map(|row| row.get("hash")).collect()
}

/// What stays, however old it is.
#[derive(Clone, Copy, Debug)]
pub enum Needed<'a> {
    /// Everything of a run.
    OfRun(&'a str),
    These(&'a [ContentHash]),
}

impl Needed<'_> {
    /// Only what is none of these.
    fn add_to(self, conditions: &mut Conditions) {
        match self {
            Self::OfRun(run) => conditions.all_of("run <> ?", [Value::from(run)]),
            Self::These(needed) => conditions.none_of("hash", needed.iter().map(|hash| Value::from(*hash))),
        }
    }
}

/// Removes what was stored before a moment and nobody needs, and says how many that were.
pub fn delete_older_than(
    transaction: &mut dyn Transaction,
    wall_ms: i64,
    needed: Needed<'_>,
) -> Result<u64, Error> {
    let mut conditions = Conditions::default();
    conditions.all_of("stored_wall_ms < ?", [Value::Integer(wall_ms)]);
    needed.add_to(&mut conditions);
    transaction.execute(&format!("DELETE FROM snapshots {}", conditions.clause()), conditions.values())
}

/// Removes all but the newest of a run, and says how many that were.
pub fn keep_newest(transaction: &mut dyn Transaction, run: &str, count: u32) -> Result<u64, Error> {
    let sql = "DELETE FROM snapshots WHERE run = $1 AND hash NOT IN \
               (SELECT hash FROM snapshots WHERE run = $1 ORDER BY taken_at_ms DESC, hash DESC LIMIT $2)";
    transaction.execute(sql, values![run, i64::from(count)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::runs;
    use crate::testing::on_both;

    #[test]
    fn snapshots_are_kept_by_content_and_forgotten_by_age_or_number() {
        on_both(|database| {
            let hashes = database.write(|transaction| {
                runs::create(transaction, &runs::tests::run("a"))?;
                (0..5)
                    .map(|number| put(transaction, "a", number, 100 + number, &JsonText::of(&number)))
                    .collect()
            });
            let hashes: Vec<ContentHash> = hashes?;
            let found = database.read(|connection| get(connection, hashes[3]))?.expect("it was stored");
            assert_eq!((found.taken_at_ms, found.body), (3, JsonText::of(&3)));
            database.write(|transaction| {
                assert_eq!(put(transaction, "a", 0, 200, &JsonText::of(&0))?, hashes[0]);
                assert_eq!(names(transaction, "a")?, hashes);
                let needed =
                    |transaction: &mut dyn Transaction, needed| delete_older_than(transaction, 102, needed);
                assert_eq!(needed(transaction, Needed::OfRun("a"))?, 0, "the run needs them all");
                assert_eq!(needed(transaction, Needed::These(&hashes))?, 0, "all of them are needed");
                assert_eq!(needed(transaction, Needed::These(&hashes[1..2]))?, 0, "this one is needed");
                assert_eq!(needed(transaction, Needed::These(&[]))?, 1, "the first was stored again");
                assert_eq!(keep_newest(transaction, "a", 2)?, 2);
                Ok(())
            })?;
            let left: Vec<bool> = database.read(|connection| {
                hashes.iter().map(|hash| get(connection, *hash).map(|found| found.is_some())).collect()
            })?;
            assert_eq!(left, [false, false, false, true, true]);
            Ok(())
        });
    }
}
