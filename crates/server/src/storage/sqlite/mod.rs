//! SQLite behind the port: a file beside the program, and the default.
//!
//! One writer and several readers share the file through its write-ahead log: reading never waits for writing. The writer waits
//! for the disk with every commit (`synchronous=FULL`), because what the desk has answered must survive a power failure.

mod lock;
mod session;

use super::port::connection::Session;
use super::port::error::Error;
use lock::Lock;
use rusqlite::{Connection, OpenFlags};
use session::{SqliteSession, translated};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a statement waits for another connection. Only checkpoints and copies of other programs hold locks at all.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Statements that stay prepared per connection: each table has fewer than ten, lists come in some shapes.
const CACHED_STATEMENTS: usize = 128;
/// What a reader keeps of the file, in KiB: the lists of a desk with some ten thousand recommendations. Read again from the system's
/// memory whenever something was written, page by page.
const READER_CACHE: u32 = 8 * 1024;

/// A database file that this process may write, because it holds the lock beside it.
pub(crate) struct SqliteFile {
    path: PathBuf,
    _lock: Lock,
}

impl SqliteFile {
    pub(crate) fn claim(path: &Path) -> Result<Self, Error> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Error::FolderMissing { folder: folder.to_owned() });
        }
        check_kind(path)?;
        Ok(Self { path: path.to_owned(), _lock: Lock::take(path)? })
    }

    pub(crate) fn open_writer(&self) -> Result<Box<dyn Session>, Error> {
        if !self.path.exists() {
            make(&self.path)?;
        }
        let session = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        session.check_writable()?;
        session.pragma("journal_mode = WAL")?;
        session.pragma("synchronous = FULL")?;
        // Has an effect on macOS only, where a plain fsync leaves the data in the drive's memory.
        session.pragma("fullfsync = ON")?;
        Ok(Box::new(session))
    }

    pub(crate) fn open_reader(&self) -> Result<Box<dyn Session>, Error> {
        let session = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        session.pragma(&format!("cache_size = -{READER_CACHE}"))?;
        Ok(Box::new(session))
    }
}

/// A database that ends with its connection.
pub(crate) fn open_memory() -> Result<Box<dyn Session>, Error> {
    let place = "sqlite::memory:";
    let connection = Connection::open_in_memory().map_err(|error| translated(place, "open", error))?;
    Ok(Box::new(prepared(connection, place)?))
}

/// Makes a database file that is never seen empty: SQLite would begin with a file of no bytes, and whoever is killed then would leave
/// one that cannot be told from a database that somebody emptied.
fn make(path: &Path) -> Result<(), Error> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let beginning = beside(".beginning");
    // What is left of an earlier attempt, and of a database that was removed: its log does not belong to the new one.
    for left in [&beginning, &beside(".beginning-journal"), &beside("-wal"), &beside("-shm")] {
        let _ = std::fs::remove_file(left);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    // Writes the first page and waits until it is on disk.
    connect(&beginning, flags)?.pragma("user_version = 0")?;
    let renamed = std::fs::rename(&beginning, path);
    renamed.map_err(|source| Error::File { attempt: "make", path: path.to_owned(), source })
}

/// A copy that nobody else knows about yet, to be filled.
pub(crate) fn open_copy(path: &Path) -> Result<Box<dyn Session>, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    Ok(Box::new(connect(path, flags)?))
}

/// A copy that is left as it is.
pub(crate) fn open_finished_copy(path: &Path) -> Result<Box<dyn Session>, Error> {
    std::fs::metadata(path).map_err(|source| Error::File {
        attempt: "open",
        path: path.to_owned(),
        source,
    })?;
    match connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
        // Where nothing can be written, the memory that connections share cannot be made. Without a log nobody else is there to
        // share it with.
        Err(Error::ReadOnly { .. }) if !beside(path, "-wal").exists() => Ok(Box::new(connect_alone(path)?)),
        session => Ok(Box::new(session?)),
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens a file that nobody changes, without anything beside it.
fn connect_alone(path: &Path) -> Result<SqliteSession, Error> {
    let name = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let address = PathBuf::from(format!("file:{name}?immutable=1"));
    connect(&address, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<SqliteSession, Error> {
    let place = path.display().to_string();
    // Each connection belongs to one thread at a time, so SQLite need not lock it as well.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(path, flags).map_err(|error| translated(&place, "open", error))?;
    prepared(connection, &place)
}

fn prepared(connection: Connection, place: &str) -> Result<SqliteSession, Error> {
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.busy_timeout(BUSY_TIMEOUT).map_err(|error| translated(place, "busy_timeout", error))?;
    let session = SqliteSession::new(connection, place);
    // The first statement that reads the file: here it turns out whether it is a database.
    session.pragma("schema_version")?;
    session.pragma("foreign_keys = ON")?;
    Ok(session)
}

fn check_kind(path: &Path) -> Result<(), Error> {
    let Ok(metadata) = path.metadata() else { return Ok(()) };
    let place = path.display().to_string();
    if metadata.is_dir() {
        return Err(Error::NotADatabase { place });
    }
    if metadata.is_file() && metadata.len() == 0 {
        return Err(Error::Empty { place });
    }
    // SQLite would write all the same when the superuser runs it; somebody meant this file to stay as it is.
    if metadata.permissions().readonly() {
        return Err(Error::ReadOnly { place, problem: "it is marked as read-only".into() });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
