//! The recommendations of the run that goes on, in memory: lists of it are asked for all the time, and a database that somebody writes
//! to reads everything anew for each of them.

use crate::storage::tables::page::Page;
use crate::storage::tables::recommendations::{self, Filter, Item, Shelf, Sort};
use crate::storage::{Connection, Error};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

/// Which rows of which run.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) run: String,
    pub(crate) filter: Filter,
    pub(crate) sort: Sort,
    pub(crate) after: Option<String>,
    pub(crate) limit: u32,
}

impl Question {
    fn in_database(&self, connection: &mut dyn Connection) -> Result<Page<Item>, Error> {
        let Self { run, filter, sort, after, limit } = self;
        recommendations::list(connection, run, filter, *sort, after.as_deref(), *limit)
    }

    fn on(&self, shelf: &Shelf) -> Result<Page<Item>, Error> {
        shelf.page(&self.filter, self.sort, self.after.as_deref(), self.limit)
    }
}

/// A shelf that is kept up to date by whoever asks.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    kept: RwLock<Option<Kept>>,
    /// Held by the one who reads on for everybody.
    reading: Mutex<()>,
}

#[derive(Debug)]
struct Kept {
    /// Everything up to this edition is on the shelf.
    edition: u64,
    shelf: Shelf,
}

impl Kept {
    fn has(&self, run: &str, edition: u64) -> bool {
        self.shelf.run() == run && self.edition >= edition
    }
}

impl Shelves {
    /// The answer to a question about the run that goes on, if nothing has to be read for it.
    pub(crate) fn page_at_hand(
        &self,
        (current, edition): (&str, u64),
        question: &Question,
    ) -> Option<Result<Page<Item>, Error>> {
        let kept = self.kept();
        let kept = kept.as_ref().filter(|kept| kept.has(current, edition) && question.run == current)?;
        kept.shelf.is_whole().then(|| question.on(&kept.shelf))
    }

    /// Answers a question about the run that goes on from memory, and about any other from the database. The edition must have been
    /// asked for before the connection was taken.
    pub(crate) fn page(
        &self,
        connection: &mut dyn Connection,
        (current, edition): (&str, u64),
        question: &Question,
    ) -> Result<Page<Item>, Error> {
        if question.run != current {
            return question.in_database(connection);
        }
        self.catch_up(connection, current, edition)?;
        match &*self.kept() {
            Some(kept) if kept.shelf.run() == current && kept.shelf.is_whole() => question.on(&kept.shelf),
            _ => question.in_database(connection),
        }
    }

    fn catch_up(&self, connection: &mut dyn Connection, run: &str, edition: u64) -> Result<(), Error> {
        if self.has(run, edition) {
            return Ok(());
        }
        let _one = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have read it meanwhile.
        if self.has(run, edition) {
            return Ok(());
        }
        let begun = |kept: Option<&Kept>| kept.is_some_and(|kept| kept.shelf.run() == run);
        let changes = match self.kept().as_ref() {
            Some(kept) if begun(Some(kept)) => kept.shelf.changes(connection)?,
            _ => Shelf::new(run).changes(connection)?,
        };
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if !begun(kept.as_ref()) {
            *kept = Some(Kept { edition, shelf: Shelf::new(run) });
        }
        if let Some(kept) = kept.as_mut() {
            kept.shelf.take(changes);
            kept.edition = edition;
        }
        Ok(())
    }

    fn has(&self, run: &str, edition: u64) -> bool {
        self.kept().as_ref().is_some_and(|kept| kept.has(run, edition))
    }

    fn kept(&self) -> RwLockReadGuard<'_, Option<Kept>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}
