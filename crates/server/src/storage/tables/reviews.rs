//! Answers of reviewers. Each stays as it was given.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::record::{insert, record, select};
use crate::storage::port::value::values;
use model::hash::ContentHash;

record! {
    /// What somebody said about a recommendation.
    pub struct Review in "reviews" {
        pub run: String,
        pub recommendation: i64,
        /// The entry of the journal that recorded it.
        pub seq: i64,
        pub reviewer: String,
        pub verdict: String,
        pub note: Option<String>,
        /// The plan that the reviewer saw.
        pub plan_hash: ContentHash,
        pub at_ms: i64,
        pub wall_ms: i64,
    }
}

pub fn append(transaction: &mut dyn Transaction, review: &Review) -> Result<(), Error> {
    insert(transaction, review)
}

/// The answers to a recommendation, oldest first.
pub fn of(connection: &mut dyn Connection, run: &str, recommendation: i64) -> Result<Vec<Review>, Error> {
    select(connection, "WHERE run = $1 AND recommendation = $2 ORDER BY seq", values![run, recommendation])
}

/// The latest answers of a reviewer, newest first.
pub fn by(connection: &mut dyn Connection, reviewer: &str, limit: u32) -> Result<Vec<Review>, Error> {
    let rest = "WHERE reviewer = $1 ORDER BY wall_ms DESC, seq DESC LIMIT $2";
    select(connection, rest, values![reviewer, i64::from(limit)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::{journal, recommendations};
    use crate::testing::on_both;

    fn review(seq: i64, reviewer: &str) -> Review {
        Review {
            run: "a".into(),
            recommendation: 1,
            seq,
            reviewer: reviewer.into(),
            verdict: "approve".into(),
            note: Some("Fits the weekend.".into()),
            plan_hash: ContentHash::of_bytes(b"plan"),
            at_ms: 10 * seq,
            wall_ms: 1_000 + seq,
        }
    }

    #[test]
    fn answers_are_kept_in_their_order() {
        on_both(|database| {
            recommendations::tests::fill(database, &[recommendations::tests::item(1)])?;
            database.write(|transaction| {
                journal::append_all(transaction, &[journal::tests::entry(1), journal::tests::entry(2)])?;
                append(transaction, &review(2, "anna"))?;
                append(transaction, &review(1, "bert"))
            })?;
            let found = database.read(|connection| of(connection, "a", 1))?;
            assert_eq!(found, [review(1, "bert"), review(2, "anna")]);
            assert_eq!(database.read(|connection| by(connection, "anna", 5))?, [review(2, "anna")]);
            let unknown = Review { recommendation: 9, ..review(1, "anna") };
            let refused = database.write(|transaction| append(transaction, &unknown));
            assert!(matches!(refused, Err(Error::Rule { .. })), "{refused:?}");
            Ok(())
        });
    }
}
