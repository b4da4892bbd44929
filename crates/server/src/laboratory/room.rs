//! The laboratory as handlers see it. It hands work to a thread of its own, which is there only while there is something to do.

use super::archive::{self, Archive, Left};
use super::book::{self, Book, Entry, Job, MOST_WAITING};
use super::findings::Findings;
use super::news::News;
use super::shelf::Shelf;
use super::worker;
use crate::api::wire::{ComparisonDetail, ComparisonItem};
use crate::clock::wall_ms;
use crate::storage::tables::comparisons::Comparison;
use lab::experiment::runner::Progress;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Scenarios, and comparisons made with them. When it is dropped, what runs is given up.
pub(crate) struct Laboratory {
    room: Arc<Room>,
    places: Arc<Semaphore>,
}

/// What handlers and the worker share.
pub(super) struct Room {
    shelf: Shelf,
    book: Mutex<Book>,
    edition: watch::Sender<u64>,
    archive: Archive,
}

/// What is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    Comparison,
    /// There is such a comparison, but nothing came of it, or not yet.
    Results,
}

/// How a comparison goes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// It waits or runs, and stops.
    Cancelled,
    /// It is over, and is not kept any longer.
    Forgotten,
}

impl Laboratory {
    /// A laboratory with what an earlier desk left in the archive.
    pub(crate) fn new(shelf: Shelf, archive: Archive, former: &[Comparison]) -> Self {
        let book = Mutex::new(Book::with(former.iter().filter_map(archive::read)));
        let room = Room { shelf, book, edition: watch::Sender::new(0), archive };
        Self { room: Arc::new(room), places: Arc::new(Semaphore::new(MOST_WAITING)) }
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.room.shelf
    }

    /// A place among those who wait; nothing if all are taken.
    pub(crate) fn take_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Starts a comparison under a number that no other has had, and returns its name.
    pub(crate) fn start(&self, entry: Entry) -> String {
        let number = entry.number;
        if self.room.write(|book| book.enter(entry)) {
            self.set_to_work();
        }
        book::id(number)
    }

    fn set_to_work(&self) {
        let room = Arc::clone(&self.room);
        let thread = std::thread::Builder::new().name("laboratory".to_owned());
        if let Err(error) = thread.spawn(move || worker::work(&room)) {
            let why = format!("No thread could be started: {error}.");
            self.room.write(|book| book.give_up(&why, wall_ms()));
        }
    }

    /// Newest first.
    pub(crate) fn items(&self) -> Vec<ComparisonItem> {
        self.room.read().items()
    }

    pub(crate) fn detail(&self, id: &str) -> Option<ComparisonDetail> {
        let number = book::number(id)?;
        let (comparison, findings) = {
            let book = self.room.read();
            let found = book.get(number)?;
            (found.item.clone(), found.findings.clone())
        };
        Some(ComparisonDetail { comparison, results: findings.map(|findings| findings.results.clone()) })
    }

    /// What a comparison showed.
    pub(crate) fn findings(&self, id: &str) -> Result<Arc<Findings>, Absent> {
        let number = book::number(id).ok_or(Absent::Comparison)?;
        let book = self.room.read();
        book.get(number).ok_or(Absent::Comparison)?.findings.clone().ok_or(Absent::Results)
    }

    /// How it would go away now; nothing if there is no such comparison.
    pub(crate) fn leaving(&self, id: &str) -> Option<Leaving> {
        let book = self.room.read();
        let found = book.get(book::number(id)?)?;
        Some(if found.is_over() { Leaving::Forgotten } else { Leaving::Cancelled })
    }

    /// Lets it go, and says what is left of it for the archive.
    pub(crate) fn dismiss(&self, id: &str, leaving: Leaving) -> Option<Left> {
        let number = book::number(id)?;
        self.room.write(|book| {
            match leaving {
                Leaving::Cancelled => book.cancel(number, wall_ms()),
                Leaving::Forgotten => book.forget(number),
            }
            Some(Left::of(number, book.get(number)))
        })
    }

    /// What changes from now on.
    pub(crate) fn news(&self) -> News {
        News::new(self.room.edition.subscribe())
    }

    /// Comparisons that changed behind an edition.
    pub(crate) fn changes(&self, behind: u64) -> Vec<ComparisonItem> {
        self.room.read().changes(behind)
    }
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        self.room.write(|book| book.close(wall_ms()));
    }
}

impl Room {
    fn read(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the book, and tells watchers if that is news.
    fn write<T>(&self, change: impl FnOnce(&mut Book) -> T) -> T {
        let mut book = self.read();
        let done = change(&mut book);
        let edition = book.edition();
        self.edition.send_if_modified(|told| std::mem::replace(told, edition) != edition);
        done
    }

    pub(super) fn next(&self) -> Option<Job> {
        self.write(Book::next)
    }

    pub(super) fn advance(&self, number: u64, progress: Progress) {
        self.write(|book| book.advance(number, progress));
    }

    /// Ends one that runs. It is kept first, so that whoever sees that it is done finds it after a restart, too.
    pub(super) fn end(&self, number: u64, outcome: Result<Findings, String>) {
        let Some(ended) = self.read().ending(number, outcome, wall_ms()) else { return };
        self.archive.keep(&Left::row(number, &ended.item, ended.findings.as_deref()));
        let is_ended = self.write(|book| book.end(number, ended));
        if !is_ended {
            // Somebody cancelled it while it was being kept.
            let left = Left::of(number, self.read().get(number));
            self.archive.keep(&left);
        }
    }
}
