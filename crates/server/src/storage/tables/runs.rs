//! Runs: one per time that the loop was started, simulated or real.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert, record, select};
use crate::storage::port::value::values;
use model::hash::ContentHash;

pub const SIMULATED: &str = "simulated";
pub const REAL: &str = "real";

record! {
    /// One run of the loop.
    pub struct Run in "runs" {
        pub id: String,
        /// [`SIMULATED`] or [`REAL`].
        pub kind: String,
        /// The name of the scenario.
        pub scenario: String,
        /// The hash of the scenario's text.
        pub scenario_hash: ContentHash,
        /// A number without a sign, as text: it is a name, and twice as large as a signed integer can be.
        pub seed: String,
        /// Which build decided.
        pub build: String,
        /// The header of the run's journal.
        pub header: JsonText,
        pub started_wall_ms: i64,
        pub ended_wall_ms: Option<i64>,
        pub status: String,
        /// The last entry of the journal that belongs to this run; 0 before the first.
        pub last_seq: i64,
    }
}

/// Enters a run; [`Error::Duplicate`] when its id is taken.
pub fn create(transaction: &mut dyn Transaction, run: &Run) -> Result<(), Error> {
    insert(transaction, run)
}

pub fn get(connection: &mut dyn Connection, id: &str) -> Result<Option<Run>, Error> {
    find(connection, "WHERE id = $1", values![id])
}

/// The newest runs first.
pub fn newest(connection: &mut dyn Connection, limit: u32) -> Result<Vec<Run>, Error> {
    select(connection, "ORDER BY started_wall_ms DESC, id DESC LIMIT $1", values![i64::from(limit)])
}

/// Notes how far the run's journal goes. Returns whether there is such a run.
pub fn reach(transaction: &mut dyn Transaction, id: &str, last_seq: i64) -> Result<bool, Error> {
    let sql = "UPDATE runs SET last_seq = $2 WHERE id = $1";
    Ok(transaction.execute(sql, values![id, last_seq])? == 1)
}

/// Notes how the run stands, and when it ended if it did.
pub fn set_status(
    transaction: &mut dyn Transaction,
    id: &str,
    status: &str,
    ended_wall_ms: Option<i64>,
) -> Result<bool, Error> {
    let sql = "UPDATE runs SET status = $2, ended_wall_ms = $3 WHERE id = $1";
    Ok(transaction.execute(sql, values![id, status, ended_wall_ms])? == 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::on_both;

    pub(crate) fn run(id: &str) -> Run {
        Run {
            id: id.to_owned(),
            kind: SIMULATED.to_owned(),
            scenario: "three-waves".to_owned(),
            scenario_hash: ContentHash::of_bytes(b"a scenario"),
            seed: u64::MAX.to_string(),
            build: "0.1.0".to_owned(),
            header: JsonText::of(&["header"]),
            started_wall_ms: 1_000,
            ended_wall_ms: None,
            status: "running".to_owned(),
            last_seq: 0,
        }
    }

    #[test]
    fn a_run_is_entered_once_and_followed() {
        on_both(|database| {
            let later = Run { started_wall_ms: 2_000, ..run("b") };
            database.write(|transaction| {
                create(transaction, &run("a"))?;
                create(transaction, &later)
            })?;
            let again = database.write(|transaction| create(transaction, &run("a")));
            assert!(matches!(again, Err(Error::Duplicate { .. })), "{again:?}");
            database.write(|transaction| {
                assert!(reach(transaction, "a", 7)?);
                assert!(set_status(transaction, "a", "ended", Some(5_000))?);
                assert!(!reach(transaction, "none", 7)?);
                Ok(())
            })?;
            let ended = Run { ended_wall_ms: Some(5_000), status: "ended".into(), last_seq: 7, ..run("a") };
            let newest = database.read(|connection| newest(connection, 10))?;
            assert_eq!(newest, [later.clone(), ended]);
            assert_eq!(database.read(|connection| get(connection, "none"))?, None);
            Ok(())
        });
    }

    #[test]
    fn only_known_kinds_are_entered() {
        on_both(|database| {
            let odd = Run { kind: "imagined".to_owned(), ..run("a") };
            let refused = database.write(|transaction| create(transaction, &odd));
            assert!(matches!(refused, Err(Error::Rule { .. })), "{refused:?}");
            Ok(())
        });
    }
}
