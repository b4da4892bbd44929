//! How well agents predicted so far, as sums, so that one more observation costs one row.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::record::{find, record, select};
use crate::storage::port::value::values;

record! {
    /// All predictions of one agent about one measure.
    pub struct TrackRecord in "track_records" {
        pub agent: String,
        pub measure: String,
        pub predictions: i64,
        /// How many turned out within what was promised.
        pub inside: i64,
        /// Observed minus predicted, so that a bias shows.
        pub error_sum: f64,
        pub absolute_error_sum: f64,
        pub changed_wall_ms: i64,
    }
}

impl TrackRecord {
    /// The part of predictions that came true; none before the first.
    pub fn coverage(&self) -> Option<f64> {
        (self.predictions > 0).then(|| self.inside as f64 / self.predictions as f64)
    }
}

/// One prediction that was seen to come true or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub inside: bool,
    /// Observed minus predicted.
    pub error: f64,
}

/// Adds an outcome to an agent's record.
pub fn add(
    transaction: &mut dyn Transaction,
    agent: &str,
    measure: &str,
    outcome: Outcome,
    wall_ms: i64,
) -> Result<(), Error> {
    let sql = "INSERT INTO track_records \
               (agent, measure, predictions, inside, error_sum, absolute_error_sum, changed_wall_ms) \
               VALUES ($1, $2, 1, $3, $4, $5, $6) ON CONFLICT (agent, measure) DO UPDATE SET \
               predictions = track_records.predictions + 1, inside = track_records.inside + excluded.inside, \
               error_sum = track_records.error_sum + excluded.error_sum, \
               absolute_error_sum = track_records.absolute_error_sum + excluded.absolute_error_sum, \
               changed_wall_ms = excluded.changed_wall_ms";
    let Outcome { inside, error } = outcome;
    transaction
        .execute(sql, values![agent, measure, i64::from(inside), error, error.abs(), wall_ms])
        .map(drop)
}

pub fn get(
    connection: &mut dyn Connection,
    agent: &str,
    measure: &str,
) -> Result<Option<TrackRecord>, Error> {
    find(connection, "WHERE agent = $1 AND measure = $2", values![agent, measure])
}

pub fn all(connection: &mut dyn Connection) -> Result<Vec<TrackRecord>, Error> {
    select(connection, "ORDER BY agent, measure", &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn outcomes_add_up() {
        on_both(|database| {
            for (inside, error) in [(true, 0.5), (false, -2.0), (true, 0.25)] {
                database
                    .write(|transaction| add(transaction, "planner", "cost", Outcome { inside, error }, 7))?;
            }
            let found = database.read(|connection| get(connection, "planner", "cost"))?.expect("a record");
            assert_eq!((found.predictions, found.inside), (3, 2));
            assert_eq!((found.error_sum, found.absolute_error_sum), (-1.25, 2.75));
            assert_eq!(found.coverage(), Some(2.0 / 3.0));
            assert_eq!(database.read(all)?, [found]);
            Ok(())
        });
    }
}
