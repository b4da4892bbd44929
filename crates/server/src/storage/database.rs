//! An open database: many threads read, one at a time writes, and no other desk writes beside them.

use super::backup;
use super::edition::Topic;
use super::integrity;
use super::migrations::{self, MIGRATIONS};
use super::port::connection::{Connection, Session, Transaction};
use super::port::error::Error;
use super::port::json::JsonText;
use super::port::location::Location;
use super::postgres::{Address, Server};
use super::readers::Readers;
use super::sqlite::{self, SqliteFile};
use super::tables::journal::{self, Verification};
use super::tables::settings;
use super::writer::{Again, Writer};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The desk's memory. Shared by all threads; closing it is dropping it.
pub struct Database {
    location: Location,
    /// None when there is only one connection. They go before the writer does: SQLite brings its log into the file when the last
    /// connection leaves, and only one that may write can do that. A file that is copied alone would lack what is in the log.
    readers: Option<Readers>,
    writer: Writer,
    /// Holds the lock, so it goes last.
    backend: Backend,
    /// The number of times that desks had opened it when this one did; none if whoever opened it is no desk.
    opened: OnceLock<i64>,
}

/// How often desks have opened a database.
const OPENED: &str = "desk.opened";

/// A person who waits for an answer does not wait longer for a server that is away.
const FOR_PEOPLE: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(400), Duration::from_millis(1_500)];

/// A desk would have to end without its database, so it waits a minute: a server is started again, or another one takes over, within
/// that.
const FOR_A_DESK: [Duration; 8] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1_500),
    Duration::from_secs(3),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(20),
    Duration::from_secs(20),
];

/// Where connections come from.
#[derive(Clone)]
enum Backend {
    Memory,
    File(Arc<SqliteFile>),
    Server(Arc<Server>),
}

impl Backend {
    fn new(location: &Location) -> Result<Self, Error> {
        Ok(match location {
            Location::Memory => Self::Memory,
            Location::File(path) => Self::File(Arc::new(SqliteFile::claim(path)?)),
            Location::Server(address) => Self::Server(Arc::new(Server::new(Address::clone(address)))),
        })
    }

    fn open_writer(&self) -> Result<Box<dyn Session>, Error> {
        match self {
            Self::Memory => sqlite::open_memory(),
            Self::File(file) => file.open_writer(),
            Self::Server(server) => server.open_writer(),
        }
    }

    fn readers(&self) -> Option<Readers> {
        match self.clone() {
            Self::Memory => None,
            Self::File(file) => Some(Readers::new(Box::new(move || file.open_reader()))),
            Self::Server(server) => Some(Readers::new(Box::new(move || server.open_reader()))),
        }
    }
}

/// A connection that may write to a database of whatever version.
#[cfg(test)]
pub(super) fn open_session(location: &Location) -> Result<Box<dyn Session>, Error> {
    Backend::new(location)?.open_writer()
}

impl Database {
    /// Whether a database can be opened for writing now; nothing in it is changed. A file that is not there would be made.
    pub fn reach(location: &Location) -> Result<(), Error> {
        Backend::new(location)?.open_writer().map(drop)
    }

    /// Opens or makes a database, brings it up to date and looks for damage.
    pub fn open(location: &Location) -> Result<Self, Error> {
        let place = location.to_string();
        let backend = Backend::new(location)?;
        let mut session = backend.open_writer()?;
        migrations::bring_up_to_date(&mut *session, &place, MIGRATIONS, &mut |_| {})?;
        integrity::check(&mut *session, &place)?;
        let readers = backend.readers();
        let (location, writer) = (location.clone(), Writer::new(session));
        Ok(Self { location, readers, writer, backend, opened: OnceLock::new() })
    }

    /// Says that a desk works with it from now on. Should the connection be lost it is found out whether another one did meanwhile.
    pub fn take_desk(&self) -> Result<(), Error> {
        let process = JsonText::of(&std::process::id());
        let opened = self.write(|transaction| settings::put(transaction, OPENED, &process))?;
        let _ = self.opened.set(opened);
        Ok(())
    }

    /// Another connection in the place of one that is lost. With it the lock was lost that keeps other desks away.
    fn connect_again(&self) -> Result<Box<dyn Session>, Error> {
        let place = self.location.to_string();
        let mut session = self.backend.open_writer()?;
        integrity::check(&mut *session, &place)?;
        let found = settings::get(&mut *session, OPENED)?.map(|setting| setting.version);
        if self.opened.get().is_some_and(|opened| found != Some(*opened)) {
            return Err(Error::TakenOver { place });
        }
        Ok(session)
    }

    /// Finds out whether the server is still there, and connects again if it is not. A file is always there.
    pub fn stay_connected(&self) -> Result<(), Error> {
        if matches!(self.backend, Backend::Server(_)) { self.write_patiently(|_| Ok(())) } else { Ok(()) }
    }

    /// Whether something could be written now.
    pub fn is_writable(&self) -> bool {
        self.writer.is_reachable()
    }

    pub const fn location(&self) -> &Location {
        &self.location
    }

    /// Asks questions whose answers are all about the same moment. `work` is called again when a server went away meanwhile, so it
    /// must do nothing but ask.
    pub fn read<T>(&self, work: impl FnMut(&mut dyn Connection) -> Result<T, Error>) -> Result<T, Error> {
        match &self.readers {
            Some(readers) => readers.read(work),
            None => self.writer.read(work),
        }
    }

    /// Changes something, alone. When this returns `Ok`, everything is kept, power failures included; otherwise nothing is. A connection
    /// that was lost before is replaced first; one that is lost in the middle is an error.
    pub fn write<T>(&self, work: impl FnOnce(&mut dyn Transaction) -> Result<T, Error>) -> Result<T, Error> {
        self.try_write(work)
    }

    /// Like [`write`](Self::write), but waits longer for a server that is away.
    pub fn write_patiently<T>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.writer.write(&Again { open: &|| self.connect_again(), pauses: &FOR_A_DESK }, work)
    }

    /// Like [`write`](Self::write), for work that has reasons of its own to keep nothing.
    pub fn try_write<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.writer.write(&Again { open: &|| self.connect_again(), pauses: &FOR_PEOPLE }, work)
    }

    /// Grows whenever something about a topic was written. What was read after asking for it counts as long as it stays.
    pub fn edition(&self, topic: Topic) -> u64 {
        self.writer.edition(topic)
    }

    /// Copies everything as it is at one moment into a new SQLite file, while others read and write. The file appears when it is
    /// complete and on disk. It can be opened as it is, or brought to any place with [`restore`](Self::restore).
    pub fn backup(&self, path: &Path) -> Result<(), Error> {
        backup::write_new(path, |partial| match &self.backend {
            Backend::Memory => self.writer.with_session(|session| backup::vacuum(session, partial)),
            Backend::File(file) => backup::vacuum(&mut *file.open_reader()?, partial),
            Backend::Server(_) => self.read(|connection| backup::dump(connection, partial)),
        })
    }

    /// Asks questions of a file that is left as it is and need not be writable: a copy, say. Nobody else may write to it meanwhile.
    pub fn read_copy<T>(
        path: &Path,
        work: impl FnOnce(&mut dyn Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        work(backup::open(path)?.connection())
    }

    /// Whether a file is a backup of ours, whole and undamaged.
    pub fn check_backup(path: &Path) -> Result<(), Error> {
        backup::open(path).map(drop)
    }

    /// Fills a new database from a backup, and opens it. A backup of an older version is brought up to date on the way.
    pub fn restore(backup: &Path, into: &Location) -> Result<Self, Error> {
        let mut source = backup::open(backup)?;
        let database = Self::open(into)?;
        let place = into.to_string();
        database.write(|transaction| backup::fill(transaction, source.connection(), &place))?;
        Ok(database)
    }

    /// Whether every entry of the record is what it was when it was written. Reads all of it, as the check of a file does anyway.
    pub fn check_record(&self) -> Result<(), Error> {
        match self.read(journal::verify_whole)? {
            Verification::Intact { .. } => Ok(()),
            Verification::Broken { seq, finding } => {
                Err(Error::Changed { place: self.location.to_string(), seq, finding })
            }
        }
    }

    /// Looks for damage again, while others read.
    pub fn check_integrity(&self) -> Result<(), Error> {
        let place = self.location.to_string();
        self.read(|connection| integrity::check(connection, &place))
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Database({})", self.location)
    }
}

#[cfg(test)]
mod tests;
