//! How the tables talk to a database. Statements are written once, in what both databases understand.
//!
//! Parameters are `$1`, `$2`, …; types are `TEXT`, `BIGINT` and `DOUBLE PRECISION`; texts compare by their bytes.

use super::error::Error;
use super::row::Row;
use super::value::Value;

/// Which database answers. Only migrations, checks and transactions need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// Somebody who may ask. All answers of one `read` are about the same moment.
pub trait Connection {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error>;

    fn dialect(&self) -> Dialect;
}

/// Somebody who may change something. Either everything is kept or nothing.
pub trait Transaction: Connection {
    /// Runs a statement and says how many rows it changed.
    ///
    /// After a statement has failed, nothing of this transaction can be kept any more, on either database.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error>;
}

/// An open connection, before it is handed out as something smaller.
pub(crate) trait Session: Transaction + Send {
    /// Runs several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), Error>;

    /// Whether the server on the other side is gone.
    fn is_lost(&self) -> bool;
}

/// The only row, or none.
pub(crate) fn at_most_one(mut rows: Vec<Row>) -> Result<Option<Row>, Error> {
    match rows.len() {
        0 | 1 => Ok(rows.pop()),
        more => Err(Error::Column { column: "*".into(), problem: format!("expected one row, found {more}") }),
    }
}
