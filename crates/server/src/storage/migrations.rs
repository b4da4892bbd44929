//! How a database gets its tables: numbered steps, each kept whole or not at all, each with the hash of its text on record.
//!
//! A step is written once for both databases. What only one of them understands stands between `-- only sqlite` or `-- only
//! postgres` and `-- both`. A step that was released is never changed; a new one follows.

use super::port::connection::{Connection, Dialect, Session};
use super::port::error::Error;
use super::port::value::values;
use model::hash::ContentHash;

/// One step from a version of the database to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    pub number: i64,
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal,)*) => {
        &[$(Migration {
            number: $number,
            name: $name,
            text: include_str!(concat!("../../migrations/", $name, ".sql")),
        }),*]
    };
}

/// All steps, in their order.
pub const MIGRATIONS: &[Migration] = migrations! {
    1 "0001-journal",
    2 "0002-recommendations",
    3 "0003-desk",
    4 "0004-access",
    5 "0005-webhooks",
    6 "0006-models-and-settings",
    7 "0007-sessions",
    8 "0008-outbox",
    9 "0009-documents",
    10 "0010-changes",
    11 "0011-benefit-interval",
    12 "0012-comparisons",
    13 "0013-checkpoints",
    14 "0014-via",
};

/// The first table of every database; everything else is made by a migration.
const RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL)";

impl Migration {
    fn hash(&self) -> ContentHash {
        ContentHash::of_bytes(self.text.as_bytes())
    }

    /// The statements of this step for one database.
    fn statements(&self, dialect: Dialect) -> String {
        let own = match dialect {
            Dialect::Sqlite => "-- only sqlite",
            Dialect::Postgres => "-- only postgres",
        };
        let mut wanted = true;
        let mut lines = Vec::new();
        for line in self.text.lines() {
            match line.trim() {
                "-- both" => wanted = true,
                marker if marker.starts_with("-- only ") => wanted = marker == own,
                _ if wanted => lines.push(in_dialect(line, dialect)),
                _ => {}
            }
        }
        lines.join("\n")
    }
}

/// Texts compare by their bytes, as SQLite does it by itself. A PostgreSQL server compares as its operator's language wants it.
fn in_dialect(line: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite => line.to_owned(),
        Dialect::Postgres => line.replace(" TEXT", " TEXT COLLATE \"C\""),
    }
}

/// Applies what is missing. `place` is named in errors; `before_commit` sees each step before it is kept.
pub(crate) fn bring_up_to_date(
    session: &mut dyn Session,
    place: &str,
    known: &[Migration],
    before_commit: &mut dyn FnMut(&Migration),
) -> Result<(), Error> {
    let tables = tables(session)?;
    if !tables.is_empty() && !tables.iter().any(|table| table == "schema_migrations") {
        return Err(Error::Foreign { place: place.to_owned() });
    }
    session.batch(&in_dialect(RECORD, session.dialect()))?;
    let done = applied(session)?;
    check_history(&done, known, place)?;
    for migration in &known[done.len()..] {
        apply(session, migration, before_commit).map_err(|error| {
            // Leaves the connection usable; when it is not, the transaction is gone anyway.
            let _ = session.batch("ROLLBACK");
            Error::Migration {
                place: place.to_owned(),
                name: migration.name.to_owned(),
                source: error.into(),
            }
        })?;
    }
    Ok(())
}

fn apply(
    session: &mut dyn Session,
    migration: &Migration,
    before_commit: &mut dyn FnMut(&Migration),
) -> Result<(), Error> {
    session.batch("BEGIN")?;
    session.batch(&migration.statements(session.dialect()))?;
    session.execute(
        "INSERT INTO schema_migrations (number, name, hash) VALUES ($1, $2, $3)",
        values![migration.number, migration.name, migration.hash()],
    )?;
    before_commit(migration);
    session.batch("COMMIT")
}

/// A step as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    number: i64,
    name: String,
    hash: ContentHash,
}

/// All steps that this database has behind it.
pub(crate) fn applied(connection: &mut dyn Connection) -> Result<Vec<Applied>, Error> {
    let rows = connection.query("SELECT number, name, hash FROM schema_migrations ORDER BY number", &[])?;
    let read = |row: &super::Row| {
        Ok(Applied { number: row.get("number")?, name: row.get("name")?, hash: row.get("hash")? })
    };
    rows.iter().map(read).collect()
}

/// Whether the database went the way that this build knows.
pub(crate) fn check_history(done: &[Applied], known: &[Migration], place: &str) -> Result<(), Error> {
    let place = || place.to_owned();
    for (index, step) in done.iter().enumerate() {
        let Some(migration) = known.get(index) else {
            return Err(Error::Newer { place: place(), found: done.len() as i64, known: known.len() as i64 });
        };
        if (step.number, &step.name, step.hash)
            != (migration.number, &migration.name.to_owned(), migration.hash())
        {
            return Err(Error::MigrationDiffers {
                place: place(),
                number: migration.number,
                found: format!("{} ({})", step.name, step.hash.short()),
                known: format!("{} ({})", migration.name, migration.hash().short()),
            });
        }
    }
    Ok(())
}

/// The names of all tables, ours or not.
pub(crate) fn tables(connection: &mut dyn Connection) -> Result<Vec<String>, Error> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables \
             WHERE table_schema = current_schema() ORDER BY name"
        }
    };
    connection.query(sql, &[])?.iter().map(|row| row.get("name")).collect()
}

/// The columns of a table, in their order.
pub(crate) fn columns(connection: &mut dyn Connection, table: &str) -> Result<Vec<String>, Error> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "SELECT name FROM pragma_table_info($1) ORDER BY cid",
        Dialect::Postgres => {
            "SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns \
             WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    connection.query(sql, values![table])?.iter().map(|row| row.get("name")).collect()
}

#[cfg(test)]
mod tests;
