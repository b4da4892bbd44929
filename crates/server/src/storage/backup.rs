//! Copies of a database, and databases from copies. A copy is always a SQLite file with our tables, wherever it comes from.

use super::integrity;
use super::migrations::{self, MIGRATIONS};
use super::port::connection::{Connection, Session, Transaction};
use super::port::error::Error;
use super::port::row::Row;
use super::port::value::{Value, values};
use super::sqlite;
use super::tables::journal::{self, Verification};
use super::tables::{self, Table};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Rows that are copied at a time: they are all in memory together, and PostgreSQL takes at most 65,535 values in a statement.
const CHUNK: usize = 200;

/// Makes a file that appears under its name only when it is complete, checked and on disk.
pub(super) fn write_new(path: &Path, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Error::FolderMissing { folder: folder.to_owned() });
    }
    if path.exists() {
        return Err(Error::Exists { path: path.to_owned() });
    }
    let partial = Partial::new(path);
    make(&partial.0)?;
    integrity::check(&mut *sqlite::open_finished_copy(&partial.0)?, &path.display().to_string())?;
    sync(&partial.0)?;
    fs::rename(&partial.0, path).map_err(|source| failed("rename", &partial.0, source))?;
    sync(folder)
}

/// A file on its way; what is left of it when something fails is removed.
struct Partial(PathBuf);

impl Partial {
    fn new(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push(".partial");
        let partial = Self(PathBuf::from(name));
        partial.remove();
        partial
    }

    /// Also what an earlier attempt left when it was cut off.
    fn remove(&self) {
        let mut journal = self.0.as_os_str().to_owned();
        journal.push("-journal");
        for path in [self.0.as_path(), Path::new(&journal)] {
            let _ = fs::remove_file(path);
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Waits until a file, or the list of a folder, is on disk.
fn sync(path: &Path) -> Result<(), Error> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|source| failed("write", path, source))
}

fn failed(attempt: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::File { attempt, path: path.to_owned(), source }
}

/// Lets SQLite copy itself.
pub(super) fn vacuum(session: &mut dyn Session, path: &Path) -> Result<(), Error> {
    session.execute("VACUUM INTO $1", values![path.to_string_lossy().as_ref()]).map(drop)
}

/// Copies a database into a new file, row by row.
pub(super) fn dump(source: &mut dyn Connection, path: &Path) -> Result<(), Error> {
    // When the server went away in the middle, this is a second attempt.
    let _ = fs::remove_file(path);
    let mut target = sqlite::open_copy(path)?;
    migrations::bring_up_to_date(&mut *target, &path.display().to_string(), MIGRATIONS, &mut |_| {})?;
    target.batch("BEGIN IMMEDIATE")?;
    copy(source, &mut *target)?;
    target.batch("COMMIT")
}

/// A backup that can be read from.
pub(super) struct Backup {
    session: Box<dyn Session>,
    /// A newer version of an old backup, gone when it is closed.
    _upgraded: Option<Partial>,
}

impl Backup {
    pub(super) fn connection(&mut self) -> &mut dyn Connection {
        &mut *self.session
    }
}

/// Opens a backup in today's version. The file itself is left as it is.
pub(super) fn open(path: &Path) -> Result<Backup, Error> {
    let place = path.display().to_string();
    let mut session = sqlite::open_finished_copy(path)?;
    if !migrations::tables(&mut *session)?.iter().any(|table| table == "schema_migrations") {
        return Err(Error::Foreign { place });
    }
    let done = migrations::applied(&mut *session)?;
    migrations::check_history(&done, MIGRATIONS, &place)?;
    if done.len() == MIGRATIONS.len() {
        integrity::check(&mut *session, &place)?;
        return Ok(Backup { session, _upgraded: None });
    }
    let upgraded = Partial::new(path);
    vacuum(&mut *session, &upgraded.0)?;
    let mut session = sqlite::open_copy(&upgraded.0)?;
    migrations::bring_up_to_date(&mut *session, &place, MIGRATIONS, &mut |_| {})?;
    integrity::check(&mut *session, &place)?;
    Ok(Backup { session, _upgraded: Some(upgraded) })
}

/// Copies a backup into an empty database, and checks the journal that arrived.
pub(super) fn fill(
    target: &mut dyn Transaction,
    source: &mut dyn Connection,
    place: &str,
) -> Result<(), Error> {
    for Table { name, .. } in tables::ALL {
        if !target.query(&format!("SELECT 1 AS found FROM {name} LIMIT 1"), &[])?.is_empty() {
            return Err(Error::NotEmpty { place: place.to_owned() });
        }
    }
    copy(source, target)?;
    match journal::verify(target, 1, i64::MAX, &mut |_| {})? {
        Verification::Intact { .. } => Ok(()),
        Verification::Broken { seq, finding } => Err(Error::Damaged {
            place: "in the backup".to_owned(),
            finding: format!("entry {seq} of the journal: {finding}"),
        }),
    }
}

/// Copies all rows of all tables. What the columns are called is for the target to say, which we made: a source may be a file in which
/// somebody wrote, and its words become no part of a statement.
fn copy(source: &mut dyn Connection, target: &mut dyn Transaction) -> Result<(), Error> {
    for table in tables::ALL {
        let columns = migrations::columns(target, table.name)?.join(", ");
        let mut last: Option<Row> = None;
        loop {
            let rows = next_rows(source, (table, &columns), last.as_ref())?;
            if rows.is_empty() {
                break;
            }
            insert(target, (table, &columns), &rows)?;
            last = rows.into_iter().next_back();
        }
    }
    Ok(())
}

/// Rows behind the last one, in the order of their key.
fn next_rows(
    source: &mut dyn Connection,
    (table, columns): (&Table, &str),
    last: Option<&Row>,
) -> Result<Vec<Row>, Error> {
    let key = table.key.join(", ");
    let behind: Vec<Value> = last.map_or(Ok(Vec::new()), |row| {
        table.key.iter().map(|column| row.value(column).cloned()).collect::<Result<_, Error>>()
    })?;
    let places: Vec<String> = (1..=behind.len()).map(|number| format!("${number}")).collect();
    let condition =
        if behind.is_empty() { String::new() } else { format!("WHERE ({key}) > ({})", places.join(", ")) };
    let sql = format!("SELECT {columns} FROM {} {condition} ORDER BY {key} LIMIT {CHUNK}", table.name);
    source.query(&sql, &behind)
}

fn insert(target: &mut dyn Transaction, (table, columns): (&Table, &str), rows: &[Row]) -> Result<(), Error> {
    let mut number = 0;
    let mut place = || {
        number += 1;
        format!("${number}")
    };
    let mut tuple =
        |row: &Row| format!("({})", row.values().iter().map(|_| place()).collect::<Vec<_>>().join(", "));
    let tuples: Vec<String> = rows.iter().map(&mut tuple).collect();
    let sql = format!("INSERT INTO {} ({columns}) VALUES {}", table.name, tuples.join(", "));
    let values: Vec<Value> = rows.iter().flat_map(|row| row.values().iter().cloned()).collect();
    target.execute(&sql, &values).map(drop)
}

#[cfg(test)]
mod tests;
