//! What tests need: fresh databases of both kinds, and a language model that says what it is told. Also for the tests of other crates, with the feature `testing`.

pub mod hostile;
pub mod model_server;
pub mod postgres;

use crate::storage::port::connection::Dialect;
use crate::storage::port::error::with_causes;
use crate::storage::{Connection, Database, Error, Location, Transaction, Value};
use postgres::FreshDatabase;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs a test on a fresh database of each kind.
pub fn on_both(test: impl Fn(&Database) -> Result<(), Error>) {
    on_each(&FreshDatabase::with_tables(), |location| test(&Database::open(location)?));
}

/// Runs a test on a place for a database of each kind, where there is none yet.
pub fn on_each_location(test: impl Fn(&Location) -> Result<(), Error>) {
    on_each(&FreshDatabase::new(), test);
}

fn on_each(server: &FreshDatabase, test: impl Fn(&Location) -> Result<(), Error>) {
    let folder = Folder::new("both");
    let file = Location::File(folder.path().join("drover.db"));
    for location in [&file, server.location()] {
        if let Err(error) = test(location) {
            panic!("on {location}: {}", with_causes(&error));
        }
    }
}

/// Takes the guard off a table, as only its owner can.
pub fn without_triggers(transaction: &mut dyn Transaction, table: &str) -> Result<(), Error> {
    match transaction.dialect() {
        Dialect::Postgres => {
            transaction.execute(&format!("ALTER TABLE {table} DISABLE TRIGGER USER"), &[]).map(drop)
        }
        Dialect::Sqlite => {
            let sql = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = $1";
            for row in transaction.query(sql, &[table.into()])? {
                let name: String = row.get("name")?;
                transaction.execute(&format!("DROP TRIGGER {name}"), &[])?;
            }
            Ok(())
        }
    }
}

/// A folder of its own, gone when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("drover-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }

    /// The folder, for somebody else to remove.
    pub fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.0)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // Too late to complain: the test is over.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// How a database would answer a question.
pub fn plan(connection: &mut dyn Connection, sql: &str, values: &[Value]) -> Result<String, Error> {
    let (command, column) = match connection.dialect() {
        Dialect::Sqlite => ("EXPLAIN QUERY PLAN", "detail"),
        Dialect::Postgres => ("EXPLAIN", "QUERY PLAN"),
    };
    let rows = connection.query(&format!("{command} {sql}"), values)?;
    let lines: Vec<String> = rows.iter().map(|row| row.get(column)).collect::<Result<_, Error>>()?;
    Ok(lines.join("\n"))
}
