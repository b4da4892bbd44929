//! One SQLite connection, and what its complaints mean.

use super::BUSY_TIMEOUT;
use crate::storage::port::connection::{Connection, Dialect, Session, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::row::Row;
use crate::storage::port::value::Value;
use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use rusqlite::{ErrorCode, ToSql, ffi, params_from_iter};
use std::sync::Arc;

/// Where units of work begin and end. Said with each of them, so they stay prepared.
const BORDERS: [&str; 4] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];

pub(super) struct SqliteSession {
    connection: rusqlite::Connection,
    place: String,
}

impl SqliteSession {
    pub(super) fn new(connection: rusqlite::Connection, place: &str) -> Self {
        Self { connection, place: place.to_owned() }
    }

    /// Sets or asks something about the connection itself; most of these answer, and nobody needs the answer.
    pub(super) fn pragma(&self, text: &str) -> Result<(), Error> {
        let sql = format!("PRAGMA {text}");
        self.connection.execute_batch(&sql).map_err(|error| self.translated(&sql, error))
    }

    /// SQLite opens a file for reading when it may not write it, and says so only here.
    pub(super) fn check_writable(&self) -> Result<(), Error> {
        match self.connection.is_readonly("main") {
            Ok(false) => Ok(()),
            Ok(true) => {
                Err(Error::ReadOnly { place: self.place.clone(), problem: "permission denied".into() })
            }
            Err(error) => Err(self.translated("open", error)),
        }
    }

    fn translated(&self, statement: &str, error: rusqlite::Error) -> Error {
        translated(&self.place, statement, error)
    }

    fn rows(&self, sql: &str, values: &[Value]) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(&with_numbers(sql))?;
        let columns: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
        let mut answer = statement.query(params_from_iter(values))?;
        let mut rows = Vec::new();
        while let Some(row) = answer.next()? {
            let values = (0..columns.len()).map(|index| row.get_ref(index)).collect::<Result<Vec<_>, _>>()?;
            let values = values.into_iter().map(value).collect::<rusqlite::Result<_>>()?;
            rows.push(Row::new(columns.clone(), values));
        }
        Ok(rows)
    }
}

impl Connection for SqliteSession {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
        let values = checked(values)?;
        self.rows(sql, &values).map_err(|error| self.translated(sql, error))
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }
}

impl Transaction for SqliteSession {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        let values = checked(values)?;
        let run = || self.connection.prepare_cached(&with_numbers(sql))?.execute(params_from_iter(&values));
        run().map(|changed| changed as u64).map_err(|error| self.translated(sql, error))
    }
}

impl Session for SqliteSession {
    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        let done = if BORDERS.contains(&sql) {
            self.connection.prepare_cached(sql).and_then(|mut border| border.execute([])).map(drop)
        } else {
            self.connection.execute_batch(sql)
        };
        done.map_err(|error| self.translated(sql, error))
    }

    fn is_lost(&self) -> bool {
        false
    }
}

fn checked(values: &[Value]) -> Result<Vec<Value>, Error> {
    values.iter().map(Value::checked).collect()
}

/// `$1` as SQLite writes it, `?1`: it takes `$1` for a name and counts names in the order in which they occur.
fn with_numbers(sql: &str) -> String {
    if !sql.contains('\'') {
        return sql.replace('$', "?");
    }
    let mut quoted = false;
    let plain = |character| {
        quoted ^= character == '\'';
        if character == '$' && !quoted { '?' } else { character }
    };
    sql.chars().map(plain).collect()
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Stored::Null),
            Self::Integer(integer) => ToSqlOutput::Owned(Stored::Integer(*integer)),
            Self::Real(real) => ToSqlOutput::Owned(Stored::Real(*real)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

fn value(stored: ValueRef<'_>) -> rusqlite::Result<Value> {
    Ok(match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => Value::Integer(integer),
        ValueRef::Real(real) => Value::Real(real),
        ValueRef::Text(_) => Value::Text(stored.as_str()?.to_owned()),
        ValueRef::Blob(_) => return Err(rusqlite::types::FromSqlError::InvalidType.into()),
    })
}

/// What a complaint of SQLite means for whoever asked.
pub(super) fn translated(place: &str, statement: &str, error: rusqlite::Error) -> Error {
    let place = place.to_owned();
    let message = error.to_string();
    let Some((code, extended)) = error.sqlite_error().map(|error| (error.code, error.extended_code)) else {
        return Error::Statement { statement: statement.to_owned(), source: error.into() };
    };
    match code {
        ErrorCode::NotADatabase => Error::NotADatabase { place },
        ErrorCode::DatabaseCorrupt => Error::Damaged { place, finding: message },
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => {
            Error::ReadOnly { place, problem: message }
        }
        ErrorCode::DiskFull => Error::Full { source: error.into() },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            Error::Busy { seconds: BUSY_TIMEOUT.as_secs() }
        }
        ErrorCode::ConstraintViolation if is_duplicate(extended) => Error::Duplicate { source: error.into() },
        ErrorCode::ConstraintViolation => Error::Rule { rule: message, source: error.into() },
        _ => Error::Statement { statement: statement.to_owned(), source: error.into() },
    }
}

const fn is_duplicate(extended_code: i32) -> bool {
    matches!(extended_code, ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_UNIQUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_keep_their_numbers() {
        for (written, expected) in [
            ("a = $2 AND b = $1", "a = ?2 AND b = ?1"),
            ("a = '$1' AND b = $1", "a = '$1' AND b = ?1"),
            ("a = 'it''s $1' OR $12", "a = 'it''s $1' OR ?12"),
        ] {
            assert_eq!(with_numbers(written), expected);
        }
    }
}
