//! Comparisons of the laboratory: what somebody started, and what came of it.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{put as put_record, record, select};
use crate::storage::port::value::values;

/// The state of one that is not over. How far it is stands nowhere: whoever is interrupted begins again.
pub const UNDER_WAY: &str = "waiting";

record! {
    /// One comparison.
    pub struct Comparison in "comparisons" {
        pub number: i64,
        /// [`UNDER_WAY`], or how it ended.
        pub state: String,
        /// What lists show of it.
        pub item: JsonText,
        /// What it showed, as the API tells it.
        pub results: Option<JsonText>,
        /// What `drover compare --json` prints.
        pub document: Option<String>,
        /// Names and drawings.
        pub figures: Option<JsonText>,
    }
}

/// Enters a comparison, or how it stands now.
pub fn put(transaction: &mut dyn Transaction, comparison: &Comparison) -> Result<(), Error> {
    put_record(transaction, comparison, &["number"])
}

/// Returns whether there was one.
pub fn remove(transaction: &mut dyn Transaction, number: i64) -> Result<bool, Error> {
    Ok(transaction.execute("DELETE FROM comparisons WHERE number = $1", values![number])? == 1)
}

/// Removes all but the newest of those that are over, and says how many that were.
pub fn keep_newest(transaction: &mut dyn Transaction, count: usize) -> Result<u64, Error> {
    let sql = "DELETE FROM comparisons WHERE state <> $1 AND number NOT IN \
               (SELECT number FROM comparisons WHERE state <> $1 ORDER BY number DESC LIMIT $2)";
    transaction.execute(sql, values![UNDER_WAY, count as i64])
}

/// All of them, oldest first.
pub fn all(connection: &mut dyn Connection) -> Result<Vec<Comparison>, Error> {
    select(connection, "ORDER BY number", &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn comparison(number: i64, state: &str) -> Comparison {
        let is_done = state == "done";
        Comparison {
            number,
            state: state.to_owned(),
            item: JsonText::of(&number),
            results: is_done.then(|| JsonText::of(&[0.1])),
            document: is_done.then(|| "{\n  \"ü\": '1'\n}".to_owned()),
            figures: is_done.then(|| JsonText::of(&[("name", "<svg/>")])),
        }
    }

    #[test]
    fn the_newest_that_are_over_stay_and_whatever_is_under_way() {
        on_both(|database| {
            database.write(|transaction| {
                for (number, state) in
                    [(1, "waiting"), (2, "done"), (3, "failed"), (4, "done"), (5, "waiting")]
                {
                    put(transaction, &comparison(number, state))?;
                }
                put(transaction, &comparison(5, "cancelled"))?;
                assert_eq!(keep_newest(transaction, 2)?, 2);
                Ok(())
            })?;
            let kept = [comparison(1, "waiting"), comparison(4, "done"), comparison(5, "cancelled")];
            assert_eq!(database.read(all)?, kept);
            database.write(|transaction| {
                assert!(remove(transaction, 4)? && !remove(transaction, 4)?);
                Ok(())
            })
        });
    }
}
