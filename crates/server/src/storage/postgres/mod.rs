//! PostgreSQL behind the port, for whoever has a server and people who run it.
//!
//! The writer's connection holds an advisory lock as long as it lives, so that a second desk on the same database is refused.
//! Connections keep prepared statements and that lock, so a pooler in between has to leave sessions whole.

mod address;
mod session;
mod tls;

use super::port::connection::{Connection, Session, Transaction};
use super::port::error::{Error, with_causes};
use super::port::value::values;
pub use address::Address;
pub(super) use address::without_password;
use postgres::NoTls;
use postgres::error::SqlState;
use session::PostgresSession;

/// The number of the lock, "drover" in ASCII: locks of other programs on the same database have other numbers.
const LOCK: i64 = 0x6472_6f76_6572;

/// A server needs a moment to notice that the desk before us has ended.
const LOCK_PATIENCE: &str = "2s";

/// A question that takes longer is given up. Our own take milliseconds; the check of a long journal asks many short ones.
const READER_SETTINGS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '10s'";

/// What was answered is on disk, even where the server's default is not to wait. The server finds out within a minute when the
/// desk's machine is gone, and gives the lock back.
const WRITER_SETTINGS: &str = "\
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'; \
    SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

/// A database on a server.
pub(crate) struct Server {
    address: Address,
}

impl Server {
    pub(crate) const fn new(address: Address) -> Self {
        Self { address }
    }

    pub(crate) fn open_writer(&self) -> Result<Box<dyn Session>, Error> {
        let mut session = self.connect()?;
        session.batch(WRITER_SETTINGS)?;
        self.lock(&mut session)?;
        Ok(Box::new(session))
    }

    pub(crate) fn open_reader(&self) -> Result<Box<dyn Session>, Error> {
        let mut session = self.connect()?;
        session.batch(READER_SETTINGS)?;
        Ok(Box::new(session))
    }

    fn connect(&self) -> Result<PostgresSession, Error> {
        let config = self.address.config();
        let client = match tls::connector(&self.address)? {
            Some(connector) => config.connect(connector),
            None => config.connect(NoTls),
        };
        let client = client.map_err(|error| self.refused(&error))?;
        Ok(PostgresSession::new(client, &self.address.to_string()))
    }

    fn lock(&self, session: &mut PostgresSession) -> Result<(), Error> {
        session.batch(&format!("SET lock_timeout = '{LOCK_PATIENCE}'"))?;
        match session.execute("SELECT pg_advisory_lock($1)", values![LOCK]) {
            Ok(_) => session.batch("SET lock_timeout = '10s'"),
            Err(Error::Busy { .. }) => {
                Err(Error::InUse { place: self.address.to_string(), holder: holder(session)? })
            }
            Err(other) => Err(other),
        }
    }

    fn refused(&self, error: &postgres::Error) -> Error {
        let database = self.address.config().get_dbname().unwrap_or("drover");
        let proposal = match error.code() {
            Some(code) if *code == SqlState::INVALID_CATALOG_NAME => {
                format!("; create it with: CREATE DATABASE {database}")
            }
            Some(code)
                if *code == SqlState::INVALID_PASSWORD
                    || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
            {
                "; check user and password".to_owned()
            }
            Some(_) => String::new(),
            None if error.to_string().contains("TLS") => {
                "; name the certificate of the server's authority with sslrootcert=<file>".to_owned()
            }
            None => "; check host and port, and that the server runs".to_owned(),
        };
        let problem = match error.as_db_error() {
            Some(found) => found.message().to_owned(),
            None => with_causes(error),
        };
        Error::Refused { place: self.address.to_string(), problem, proposal }
    }
}

/// Who has the lock, for the message alone: whoever may not look into the server's list gets no name.
fn holder(session: &mut PostgresSession) -> Result<String, Error> {
    let sql = "SELECT COALESCE(activity.application_name, '') AS name, \
               COALESCE(CAST(activity.client_addr AS TEXT), 'the same machine') AS origin \
               FROM pg_locks AS lock JOIN pg_stat_activity AS activity ON activity.pid = lock.pid \
               WHERE lock.locktype = 'advisory' AND lock.granted AND activity.datname = current_database() \
               AND (CAST(lock.classid AS BIGINT) << 32) + CAST(lock.objid AS BIGINT) = $1";
    let rows = session.query(sql, values![LOCK])?;
    let Some(row) = rows.first() else { return Ok(String::new()) };
    let (name, origin): (String, String) = (row.get("name")?, row.get("origin")?);
    Ok(format!(", {name:?} from {origin}"))
}

#[cfg(test)]
mod tests;
