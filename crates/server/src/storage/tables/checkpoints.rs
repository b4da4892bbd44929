//! What the loop of a run knew at an entry of its record. One for each run at most: the newest.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, put as put_record, record};
use crate::storage::port::value::values;

record! {
    /// The state of a loop.
    pub struct Checkpoint in "checkpoints" {
        pub run: String,
        /// The entry that names the hash of the text.
        pub seq: i64,
        pub body: JsonText,
    }
}

/// Keeps one in place of the former.
pub fn put(transaction: &mut dyn Transaction, checkpoint: &Checkpoint) -> Result<(), Error> {
    put_record(transaction, checkpoint, &["run"])
}

pub fn get(connection: &mut dyn Connection, run: &str) -> Result<Option<Checkpoint>, Error> {
    find(connection, "WHERE run = $1", values![run])
}

/// Removes those of all other runs, which are not gone on with any more.
pub fn keep_only(transaction: &mut dyn Transaction, run: &str) -> Result<u64, Error> {
    transaction.execute("DELETE FROM checkpoints WHERE run <> $1", values![run])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::runs;
    use crate::testing::on_both;

    #[test]
    fn the_newest_of_the_newest_run_stays() {
        on_both(|database| {
            let checkpoint =
                |run: &str, seq| Checkpoint { run: run.to_owned(), seq, body: JsonText::of(&seq) };
            database.write(|transaction| {
                for run in ["a", "b"] {
                    runs::create(transaction, &runs::tests::run(run))?;
                    put(transaction, &checkpoint(run, 1))?;
                }
                put(transaction, &checkpoint("b", 2))?;
                assert_eq!(keep_only(transaction, "b")?, 1);
                Ok(())
            })?;
            let found = |run: &'static str| database.read(move |connection| get(connection, run));
            assert_eq!((found("a")?, found("b")?), (None, Some(checkpoint("b", 2))));
            Ok(())
        });
    }
}
