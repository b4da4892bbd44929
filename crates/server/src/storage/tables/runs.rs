//! Runs: one per time that the loop was started, simulated or real.

use super::page::{Dated, Page, cut, page_length};
use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert, record, select};
use crate::storage::port::value::{Value, values};
use model::hash::ContentHash;

pub const SIMULATED: &str = "simulated";
pub const REAL: &str = "real";

/// The status of a run that goes on, or was interrupted.
pub const RUNNING: &str = "running";

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

/// A page of runs, newest first. `after` is the `next` of the page before.
pub fn list(connection: &mut dyn Connection, after: Option<&str>, limit: u32) -> Result<Page<Run>, Error> {
    let after = after.map(Dated::decode).transpose()?;
    let row = at_most_one(connection.query("SELECT COUNT(*) AS total FROM runs", &[])?)?;
    let total = row.map_or(Ok(0), |row| row.get("total"))?;
    let (length, mut conditions) = (page_length(limit), Conditions::default());
    if let Some(Dated { wall_ms, name }) = after {
        conditions.all_of("(started_wall_ms, id) < (?, ?)", [Value::Integer(wall_ms), Value::Text(name)]);
    }
    // One more than asked for tells whether there are more.
    let places = conditions.parameter(Value::Integer(length as i64 + 1));
    let rest = format!("{} ORDER BY started_wall_ms DESC, id DESC LIMIT {places}", conditions.clause());
    let mut rows: Vec<Run> = select(connection, &rest, conditions.values())?;
    let more = cut(&mut rows, length);
    let place = |run: &Run| Dated { wall_ms: run.started_wall_ms, name: run.id.clone() }.encode();
    let next = rows.last().filter(|_| more).map(place);
    Ok(Page { rows, total, next })
}

/// Notes how far the run's journal goes. Returns whether there is such a run.
pub fn reach(transaction: &mut dyn Transaction, id: &str, last_seq: i64) -> Result<bool, Error> {
    let sql = "UPDATE runs SET last_seq = $2 WHERE id = $1";
    Ok(transaction.execute(sql, values![id, last_seq])? == 1)
}

/// The last entry that any run knows of; 0 if there is none.
pub fn furthest(connection: &mut dyn Connection) -> Result<i64, Error> {
    let row = at_most_one(connection.query("SELECT COALESCE(MAX(last_seq), 0) AS last FROM runs", &[])?)?;
    row.map_or(Ok(0), |row| row.get("last"))
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
            status: RUNNING.to_owned(),
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
    fn pages_of_runs_go_on_behind_the_last_also_within_one_moment() {
        on_both(|database| {
            let runs = ["a", "b", "c", "d"].map(run);
            database.write(|transaction| runs.iter().try_for_each(|run| create(transaction, run)))?;
            let later = Run { started_wall_ms: 2_000, ..run("0") };
            database.write(|transaction| create(transaction, &later))?;
            let page = |after: Option<&str>| database.read(|connection| list(connection, after, 3));
            let names = |page: &Page<Run>| page.rows.iter().map(|run| run.id.clone()).collect::<Vec<_>>();
            let first = page(None)?;
            assert_eq!((names(&first), first.total), (vec!["0".into(), "d".into(), "c".into()], 5));
            let second = page(first.next.as_deref())?;
            assert_eq!((names(&second), second.next), (vec!["b".into(), "a".into()], None));
            assert!(matches!(page(Some("x")), Err(Error::Cursor(_))));
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
