//! What became of approved recommendations, step by step.

use super::page::{Cursor, Page, cut, page_length};
use super::recommendations::Within;
use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, put as put_record, record, select};
use crate::storage::port::value::{Value, values};
use model::review::Stage;

record! {
    /// How a recommendation is or was carried out.
    pub struct Execution in "executions" {
        pub run: String,
        pub recommendation: i64,
        pub stage: String,
        pub begun_at_ms: i64,
        pub ended_at_ms: Option<i64>,
        pub steps: JsonText,
        /// What was promised against what was observed.
        pub score: Option<JsonText>,
        /// The recommendation that this one takes back.
        pub rollback_of: Option<i64>,
    }
}

/// Enters an execution, or how it stands now.
pub fn put(transaction: &mut dyn Transaction, execution: &Execution) -> Result<(), Error> {
    put_record(transaction, execution, &["run", "recommendation"])
}

pub fn get(
    connection: &mut dyn Connection,
    run: &str,
    recommendation: i64,
) -> Result<Option<Execution>, Error> {
    find(connection, "WHERE run = $1 AND recommendation = $2", values![run, recommendation])
}

/// What is still under way in a run, oldest first: a desk that starts again looks after these.
pub fn unfinished(connection: &mut dyn Connection, run: &str) -> Result<Vec<Execution>, Error> {
    let rest = "WHERE run = $1 AND ended_at_ms IS NULL ORDER BY begun_at_ms, recommendation";
    select(connection, rest, values![run])
}

/// The order of the list, for cursors.
const ORDER: &str = "newest first";

/// Which executions to show.
#[derive(Clone, Copy, Debug)]
pub struct Which<'a> {
    pub run: &'a str,
    /// Any of these; none means all stages.
    pub stages: &'a [Stage],
    /// The part of the federation that they touch.
    pub within: &'a Within,
}

impl Which<'_> {
    /// The clause, and the values of its parameters.
    fn clause(&self) -> (String, Conditions) {
        let mut conditions = self.within.conditions(self.run);
        let touching = format!("SELECT id FROM recommendations {}", conditions.clause());
        let stages: Vec<String> =
            self.stages.iter().map(|stage| conditions.parameter(Value::from(*stage))).collect();
        let standing =
            if stages.is_empty() { String::new() } else { format!("AND stage IN ({})", stages.join(", ")) };
        (format!("WHERE run = $1 AND recommendation IN ({touching}) {standing}"), conditions)
    }
}

/// A page of executions, newest first. `after` is the `next` of the page before.
pub fn list(
    connection: &mut dyn Connection,
    which: &Which<'_>,
    after: Option<&str>,
    limit: u32,
) -> Result<Page<Execution>, Error> {
    let (inside, mut conditions) = which.clause();
    let counted = connection
        .query(&format!("SELECT COUNT(*) AS total FROM executions {inside}"), conditions.values())?;
    let total = at_most_one(counted)?.map_or(Ok(0), |row| row.get("total"))?;
    let mut behind = String::new();
    if let Some(text) = after {
        let Cursor { value, id, .. } = Cursor::decode(text, ORDER)?;
        if !matches!(value, Value::Integer(_)) {
            return Err(Error::Cursor("it is not one of ours"));
        }
        let (begun, number) = (conditions.parameter(value), conditions.parameter(Value::Integer(id)));
        behind = format!("AND (begun_at_ms, recommendation) < ({begun}, {number})");
    }
    let length = page_length(limit);
    // One more than asked for tells whether there are more.
    let places = conditions.parameter(Value::Integer(length as i64 + 1));
    let rest = format!("{inside} {behind} ORDER BY begun_at_ms DESC, recommendation DESC LIMIT {places}");
    let mut rows: Vec<Execution> = select(connection, &rest, conditions.values())?;
    let more = cut(&mut rows, length);
    let next = rows.last().filter(|_| more).map(|last| {
        Cursor { order: ORDER.to_owned(), value: last.begun_at_ms.into(), id: last.recommendation }.encode()
    });
    Ok(Page { rows, total, next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::recommendations;
    use crate::testing::on_both;

    fn execution(recommendation: i64) -> Execution {
        Execution {
            run: "a".into(),
            recommendation,
            stage: "applying".into(),
            begun_at_ms: 10 * recommendation,
            ended_at_ms: None,
            steps: JsonText::of(&["drain"]),
            score: None,
            rollback_of: None,
        }
    }

    #[test]
    fn an_execution_is_followed_until_it_ends() {
        on_both(|database| {
            let items: Vec<_> = (1..=3).map(recommendations::tests::item).collect();
            recommendations::tests::fill(database, &items)?;
            let ended = Execution {
                ended_at_ms: Some(90),
                score: Some(JsonText::of(&0.5)),
                rollback_of: Some(1),
                ..execution(2)
            };
            database.write(|transaction| {
                (1..=3).try_for_each(|number| put(transaction, &execution(number)))?;
                put(transaction, &ended)
            })?;
            assert_eq!(database.read(|connection| get(connection, "a", 2))?, Some(ended.clone()));
            let open = database.read(|connection| unfinished(connection, "a"))?;
            assert_eq!(open, [execution(1), execution(3)]);
            let within = Within::default();
            let all = Which { run: "a", stages: &[], within: &within };
            let page =
                |after: Option<&str>, limit| database.read(|connection| list(connection, &all, after, limit));
            let first = page(None, 2)?;
            assert_eq!((first.rows, first.total), (vec![execution(3), ended], 3));
            let second = page(first.next.as_deref(), 2)?;
            assert_eq!((second.rows, second.next), (vec![execution(1)], None));
            assert!(matches!(page(Some("x"), 2), Err(Error::Cursor(_))));
            for (stages, expected) in [
                (&[Stage::Applying] as &[Stage], vec![3, 2, 1]),
                (&[Stage::Applied, Stage::Failed], vec![]),
                (&[Stage::Applied, Stage::Applying], vec![3, 2, 1]),
            ] {
                let which = Which { stages, ..all };
                let page = database.read(|connection| list(connection, &which, None, 5))?;
                let numbers: Vec<i64> = page.rows.iter().map(|row| row.recommendation).collect();
                assert_eq!((numbers, page.total), (expected.clone(), expected.len() as i64));
            }
            Ok(())
        });
    }
}
