//! Times and places in which nothing may be changed.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::record::{find, insert, record, select};
use crate::storage::port::value::values;
use model::order::Extent;
use serde_json::json;

record! {
    /// Somebody's word that a part of the federation is left alone.
    pub struct Freeze in "freezes" {
        pub id: String,
        /// What kind of thing is frozen, such as a cluster or a namespace.
        pub scope_kind: String,
        pub scope_value: String,
        pub reason: String,
        pub frozen_by: String,
        pub since_ms: i64,
        /// When it ends by itself.
        pub until_ms: Option<i64>,
        pub lifted_at_ms: Option<i64>,
        pub lifted_by: Option<String>,
    }
}

impl Freeze {
    /// The part of the federation that it stops.
    pub fn extent(&self) -> Option<Extent> {
        let kept = match self.scope_kind.as_str() {
            kind @ "everything" => json!({ "kind": kind }),
            kind => json!({ "kind": kind, "name": self.scope_value }),
        };
        serde_json::from_value(kept).ok()
    }
}

pub fn create(transaction: &mut dyn Transaction, freeze: &Freeze) -> Result<(), Error> {
    insert(transaction, freeze)
}

pub fn get(connection: &mut dyn Connection, id: &str) -> Result<Option<Freeze>, Error> {
    find(connection, "WHERE id = $1", values![id])
}

/// Ends a freeze early. Returns whether there was one to lift.
pub fn lift(transaction: &mut dyn Transaction, id: &str, at_ms: i64, by: &str) -> Result<bool, Error> {
    let sql = "UPDATE freezes SET lifted_at_ms = $2, lifted_by = $3 WHERE id = $1 AND lifted_at_ms IS NULL";
    Ok(transaction.execute(sql, values![id, at_ms, by])? == 1)
}

/// What is frozen at a moment, oldest first.
pub fn active(connection: &mut dyn Connection, at_ms: i64) -> Result<Vec<Freeze>, Error> {
    let rest = "WHERE since_ms <= $1 AND (until_ms IS NULL OR until_ms > $1) \
                AND (lifted_at_ms IS NULL OR lifted_at_ms > $1) ORDER BY since_ms, id";
    select(connection, rest, values![at_ms])
}

/// What nobody has lifted in a run, oldest first. Some of it may have ended by itself.
pub fn unlifted(connection: &mut dyn Connection, run: &str) -> Result<Vec<Freeze>, Error> {
    let rest = "WHERE id LIKE $1 AND lifted_at_ms IS NULL ORDER BY since_ms, id";
    select(connection, rest, values![format!("{run}/%")])
}

/// The latest, ended or not, newest first.
pub fn newest(connection: &mut dyn Connection, limit: u32) -> Result<Vec<Freeze>, Error> {
    select(connection, "ORDER BY since_ms DESC, id DESC LIMIT $1", values![i64::from(limit)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn freeze(id: &str, since_ms: i64, until_ms: Option<i64>) -> Freeze {
        Freeze {
            id: id.into(),
            scope_kind: "cluster".into(),
            scope_value: "north".into(),
            reason: "Sale on Friday.".into(),
            frozen_by: "anna".into(),
            since_ms,
            until_ms,
            lifted_at_ms: None,
            lifted_by: None,
        }
    }

    #[test]
    fn a_freeze_holds_from_its_begin_until_its_end_or_until_it_is_lifted() {
        on_both(|database| {
            database.write(|transaction| {
                create(transaction, &freeze("open", 10, None))?;
                create(transaction, &freeze("timed", 20, Some(30)))?;
                assert!(lift(transaction, "open", 40, "bert")?);
                assert!(!lift(transaction, "open", 50, "carl")?, "it was lifted already");
                assert!(!lift(transaction, "none", 50, "carl")?);
                Ok(())
            })?;
            for (at, expected) in
                [(9, &[][..]), (10, &["open"]), (20, &["open", "timed"]), (30, &["open"]), (40, &[])]
            {
                let found = database.read(|connection| active(connection, at))?;
                let ids: Vec<&str> = found.iter().map(|freeze| freeze.id.as_str()).collect();
                assert_eq!(ids, expected, "at {at}");
            }
            let lifted = database.read(|connection| get(connection, "open"))?.expect("it is there");
            assert_eq!((lifted.lifted_at_ms, lifted.lifted_by), (Some(40), Some("bert".into())));
            assert_eq!(database.read(|connection| newest(connection, 1))?, [freeze("timed", 20, Some(30))]);
            Ok(())
        });
    }

    #[test]
    fn what_nobody_has_lifted_is_told_by_run() {
        on_both(|database| {
            database.write(|transaction| {
                for id in ["run-1/F-1", "run-1/F-2", "run-11/F-1"] {
                    create(transaction, &freeze(id, 10, Some(30)))?;
                }
                lift(transaction, "run-1/F-1", 20, "bert")
            })?;
            let left = database.read(|connection| unlifted(connection, "run-1"))?;
            assert_eq!(left, [freeze("run-1/F-2", 10, Some(30))]);
            Ok(())
        });
    }
}
