//! One unit of work on a connection: everything in it is kept together, or nothing is.

use super::edition::Topic;
use super::port::connection::{Connection, Dialect, Session, Transaction};
use super::port::error::Error;
use super::port::row::Row;
use super::port::value::Value;

/// What a unit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    Write,
}

impl Purpose {
    const fn beginning(self, dialect: Dialect) -> &'static str {
        match (self, dialect) {
            (Self::Read, Dialect::Sqlite) | (Self::Write, Dialect::Postgres) => "BEGIN",
            // Takes the write lock now, not in the middle of the work when it might be too late.
            (Self::Write, Dialect::Sqlite) => "BEGIN IMMEDIATE",
            // Several questions about one moment, as SQLite answers them anyway.
            (Self::Read, Dialect::Postgres) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }
}

/// Tells the database that a unit begins.
pub(super) fn begin(session: &mut dyn Session, purpose: Purpose) -> Result<(), Error> {
    session.batch(purpose.beginning(session.dialect()))
}

/// Rolls back when it is dropped before it was committed, also when the work panics.
pub(super) struct Unit<'session> {
    session: &'session mut dyn Session,
    purpose: Purpose,
    /// PostgreSQL gives up a transaction at its first failing statement, and then answers COMMIT with a silent rollback.
    /// SQLite would go on. Here both give up, aloud.
    doomed: bool,
    open: bool,
    /// What the statements so far have changed.
    touched: Vec<Topic>,
}

impl<'session> Unit<'session> {
    pub(super) fn begin(session: &'session mut dyn Session, purpose: Purpose) -> Result<Self, Error> {
        begin(session, purpose)?;
        Ok(Self::begun(session, purpose))
    }

    /// On a connection that [`begin`] was called on.
    pub(super) fn begun(session: &'session mut dyn Session, purpose: Purpose) -> Self {
        Self { session, purpose, doomed: false, open: true, touched: Vec::new() }
    }

    pub(super) fn commit(mut self) -> Result<(), Error> {
        if self.doomed {
            return Err(Error::Doomed);
        }
        let result = self.session.batch("COMMIT");
        self.open = result.is_err();
        result.map_err(|error| match error {
            Error::Lost { source, .. } => Error::Lost {
                consequence: "whether the last change was kept is not known, so read it before you try again",
                source,
            },
            other => other,
        })
    }

    /// What is not as it was after this unit.
    pub(super) fn touched(&self) -> Vec<Topic> {
        self.touched.clone()
    }

    /// Statements that change something may answer as well, so all of them are looked at.
    fn note_topics(&mut self, sql: &str) {
        if self.purpose == Purpose::Write && !sql.starts_with("SELECT") {
            self.touched.extend(Topic::ALL.into_iter().filter(|topic| topic.is_changed_by(sql)));
        }
    }

    fn noted<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        self.doomed |= result.is_err();
        result
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        if self.open {
            // Fails when the database has rolled back by itself or is gone; either way nothing was kept.
            let _ = self.session.batch("ROLLBACK");
        }
    }
}

impl Connection for Unit<'_> {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
        self.note_topics(sql);
        let result = self.session.query(sql, values);
        self.noted(result)
    }

    fn dialect(&self) -> Dialect {
        self.session.dialect()
    }
}

impl Transaction for Unit<'_> {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        self.note_topics(sql);
        let result = self.session.execute(sql, values);
        self.noted(result)
    }
}
