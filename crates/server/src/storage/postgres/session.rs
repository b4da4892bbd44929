//! One PostgreSQL connection, and what its complaints mean.

use crate::storage::port::connection::{Connection, Dialect, Session, Transaction};
use crate::storage::port::error::{Error, with_causes};
use crate::storage::port::row::Row;
use crate::storage::port::value::Value;
use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Statements that stay prepared per connection: each table has fewer than ten, lists come in some shapes.
const CACHED_STATEMENTS: usize = 256;
/// How long the server's own limits let a statement wait; see the settings of a session.
const PATIENCE_SECONDS: u64 = 30;

pub(super) struct PostgresSession {
    client: Line,
    statements: BTreeMap<String, Statement>,
    place: String,
}

/// A connection that can be dropped anywhere. Closing it waits for the server, which must not happen on a thread that drives
/// asynchronous work, and a database may be dropped on any.
struct Line(Option<Client>);

impl Deref for Line {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for Line {
    fn deref_mut(&mut self) -> &mut Client {
        self.0.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let client = self.0.take();
        // If no thread can be had, the server closes the connection when the process ends.
        if let Ok(closing) = std::thread::Builder::new().spawn(move || drop(client)) {
            let _ = closing.join();
        }
    }
}

impl PostgresSession {
    pub(super) fn new(client: Client, place: &str) -> Self {
        Self { client: Line(Some(client)), statements: BTreeMap::new(), place: place.to_owned() }
    }

    fn prepared(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(|error| self.translated(sql, error))?;
        if self.statements.len() >= CACHED_STATEMENTS {
            // Rare enough that it does not matter which ones are prepared again.
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn translated(&self, statement: &str, error: postgres::Error) -> Error {
        translated(&self.place, statement, error, self.client.is_closed())
    }
}

impl Connection for PostgresSession {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
        let values = checked(values)?;
        let statement = self.prepared(sql)?;
        let answer = self.client.query(&statement, &references(&values));
        let answer = answer.map_err(|error| self.translated(sql, error))?;
        let columns: Arc<[String]> =
            statement.columns().iter().map(|column| column.name().to_owned()).collect();
        answer.iter().map(|row| Ok(Row::new(columns.clone(), row_values(row, sql)?))).collect()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }
}

impl Transaction for PostgresSession {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        let values = checked(values)?;
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, &references(&values)).map_err(|error| self.translated(sql, error))
    }
}

impl Session for PostgresSession {
    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| self.translated(sql, error))
    }

    fn is_lost(&self) -> bool {
        self.client.is_closed()
    }
}

fn checked(values: &[Value]) -> Result<Vec<Value>, Error> {
    values.iter().map(Value::checked).collect()
}

fn references(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn row_values(row: &postgres::Row, sql: &str) -> Result<Vec<Value>, Error> {
    let values = row.columns().iter().enumerate().map(|(index, column)| value(row, index, column.type_()));
    values
        .collect::<Result<_, _>>()
        .map_err(|error| Error::Statement { statement: sql.to_owned(), source: error.into() })
}

fn value(row: &postgres::Row, index: usize, kind: &Type) -> Result<Value, postgres::Error> {
    Ok(match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(index)?.map_or(Value::Null, Value::Integer),
        Type::INT4 => {
            row.try_get::<_, Option<i32>>(index)?.map_or(Value::Null, |it| Value::Integer(it.into()))
        }
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(index)?.map_or(Value::Null, Value::Real),
        // Anything else that is no text is refused by the driver, which names the column and its type.
        _ => row.try_get::<_, Option<String>>(index)?.map_or(Value::Null, Value::Text),
    })
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Integer(integer), &Type::INT8) => integer.to_sql(kind, out),
            (Self::Integer(integer), &Type::INT4) => i32::try_from(*integer)?.to_sql(kind, out),
            (Self::Integer(integer), &Type::FLOAT8) => (*integer as f64).to_sql(kind, out),
            (Self::Real(real), &Type::FLOAT8) => real.to_sql(kind, out),
            (Self::Text(text), kind) if <&str as ToSql>::accepts(kind) => text.to_sql(kind, out),
            (value, kind) => Err(format!("{} where the database expects {kind}", value.kind()).into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Which kinds fit depends on the value, so `to_sql` decides.
        true
    }

    to_sql_checked!();
}

/// What a complaint of PostgreSQL means for whoever asked.
fn translated(place: &str, statement: &str, error: postgres::Error, closed: bool) -> Error {
    let place = place.to_owned();
    let message = error.as_db_error().map_or_else(|| with_causes(&error), |found| found.message().to_owned());
    let code = error.code().cloned();
    let class: String = code.iter().flat_map(|code| code.code().chars()).take(2).collect();
    match (code, class.as_str()) {
        _ if closed || error.is_closed() => lost(error),
        (Some(SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW), _)
        | (_, "08") => lost(error),
        (Some(SqlState::UNIQUE_VIOLATION), _) => Error::Duplicate { source: error.into() },
        (_, "23") => Error::Rule { rule: message, source: error.into() },
        (Some(SqlState::DISK_FULL), _) => Error::Full { source: error.into() },
        (Some(SqlState::QUERY_CANCELED | SqlState::LOCK_NOT_AVAILABLE), _) => {
            Error::Busy { seconds: PATIENCE_SECONDS }
        }
        (Some(SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE), _) => {
            Error::ReadOnly { place, problem: message }
        }
        (Some(SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED), _) => {
            Error::Damaged { place, finding: message }
        }
        _ => Error::Statement { statement: statement.to_owned(), source: error.into() },
    }
}

fn lost(error: postgres::Error) -> Error {
    Error::Lost { consequence: "nothing of what was under way is kept", source: Some(error.into()) }
}
