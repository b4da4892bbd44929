//! An open database: many threads read, one at a time writes, and no other desk writes beside them.

use super::integrity;
use super::migrations::{self, MIGRATIONS};
use super::port::connection::{Connection, Transaction};
use super::port::error::Error;
use super::port::location::Location;
use super::readers::Readers;
use super::sqlite::{self, SqliteFile};
use super::writer::Writer;
use std::sync::Arc;

/// The desk's memory. Shared by all threads; closing it is dropping it.
pub struct Database {
    location: Location,
    writer: Writer,
    /// None when there is only one connection.
    readers: Option<Readers>,
}

impl Database {
    /// Opens or makes a database, brings it up to date and looks for damage.
    pub fn open(location: &Location) -> Result<Self, Error> {
        let place = location.to_string();
        let (mut session, readers) = match location {
            Location::Memory => (sqlite::open_memory()?, None),
            Location::File(path) => {
                let file = Arc::new(SqliteFile::claim(path)?);
                (file.open_writer()?, Some(Readers::new(Box::new(move || file.open_reader()))))
            }
            Location::Server(_) => return Err(Error::Unstorable("anything on a server yet")),
        };
        migrations::bring_up_to_date(&mut *session, &place, MIGRATIONS, &mut |_| {})?;
        integrity::check(&mut *session, &place)?;
        Ok(Self { location: location.clone(), writer: Writer::new(session), readers })
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

    /// Changes something, alone. When this returns `Ok`, everything is kept, power failures included; otherwise nothing is.
    pub fn write<T>(&self, work: impl FnOnce(&mut dyn Transaction) -> Result<T, Error>) -> Result<T, Error> {
        self.writer.write(work)
    }

    /// Like [`write`](Self::write), for work that has reasons of its own to keep nothing.
    pub fn try_write<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.writer.write(work)
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
