//! The one connection that changes something.

use super::edition::{Editions, Topic};
use super::port::connection::{Connection, Session, Transaction};
use super::port::error::Error;
use super::unit::{self, Purpose, Unit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;
use std::time::Duration;

/// How another connection is had when the one there is turns out to be lost.
pub(super) struct Again<'a> {
    pub(super) open: &'a dyn Fn() -> Result<Box<dyn Session>, Error>,
    /// Waited before each further attempt, while others have their turn.
    pub(super) pauses: &'a [Duration],
}

pub(super) struct Writer {
    session: Mutex<Box<dyn Session>>,
    /// Whether the database answered when somebody last wanted to write.
    reachable: AtomicBool,
    /// The thread that writes at the moment. Without it, a `write` inside a `write` would wait for itself for ever.
    holder: Mutex<Option<ThreadId>>,
    editions: Editions,
}

impl Writer {
    pub(super) fn new(session: Box<dyn Session>) -> Self {
        Self {
            session: Mutex::new(session),
            reachable: AtomicBool::new(true),
            holder: Mutex::default(),
            editions: Editions::default(),
        }
    }

    /// Lets `work` change something, and keeps it if `work` succeeds.
    pub(super) fn write<T, E: From<Error>>(
        &self,
        again: &Again<'_>,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut turn = self.begin(again)?;
        let mut unit = Unit::begun(&mut **turn.session, Purpose::Write);
        let result = work(&mut unit)?;
        let touched = unit.touched();
        let committed = unit.commit();
        // Also when it failed: a server that was lost may have kept it.
        self.editions.changed(&touched);
        committed?;
        Ok(result)
    }

    pub(super) fn edition(&self, topic: Topic) -> u64 {
        self.editions.of(topic)
    }

    /// For a database with a single connection.
    pub(super) fn read<T>(
        &self,
        mut work: impl FnMut(&mut dyn Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut turn = self.turn()?;
        let mut unit = Unit::begin(&mut **turn.session, Purpose::Read)?;
        work(&mut unit)
    }

    /// Lets `work` use the connection outside a transaction.
    pub(super) fn with_session<T>(
        &self,
        work: impl FnOnce(&mut dyn Session) -> Result<T, Error>,
    ) -> Result<T, Error> {
        work(&mut **self.turn()?.session)
    }

    /// Begins a transaction. A connection that is lost by then was asked nothing yet, so that another one can take its place.
    fn begin(&self, again: &Again<'_>) -> Result<Turn<'_>, Error> {
        let mut outcome = self.attempt(again);
        for pause in again.pauses {
            if !outcome.as_ref().is_err_and(Error::may_pass) {
                break;
            }
            drop(outcome);
            super::readers::wait(*pause);
            outcome = self.attempt(again);
        }
        outcome
    }

    fn attempt(&self, again: &Again<'_>) -> Result<Turn<'_>, Error> {
        let mut turn = self.turn()?;
        let mut begun = unit::begin(&mut **turn.session, Purpose::Write);
        if begun.as_ref().is_err_and(Error::is_lost) {
            self.reachable.store(false, Ordering::Release);
            *turn.session = (again.open)()?;
            // Somebody else may have written meanwhile.
            self.editions.changed(&Topic::ALL);
            begun = unit::begin(&mut **turn.session, Purpose::Write);
        }
        begun?;
        self.reachable.store(true, Ordering::Release);
        Ok(turn)
    }

    /// Whether something could be written now. Does not wait: whoever writes at the moment has reached the database.
    pub(super) fn is_reachable(&self) -> bool {
        let asked = match self.session.try_lock() {
            Ok(mut session) => session.query("SELECT 1 AS one", &[]).map(drop),
            Err(TryLockError::Poisoned(session)) => {
                session.into_inner().query("SELECT 1 AS one", &[]).map(drop)
            }
            Err(TryLockError::WouldBlock) => Ok(()),
        };
        if asked.is_err() {
            self.reachable.store(false, Ordering::Release);
        }
        self.reachable.load(Ordering::Acquire)
    }

    fn turn(&self) -> Result<Turn<'_>, Error> {
        let me = std::thread::current().id();
        if *self.holder() == Some(me) {
            return Err(Error::Nested);
        }
        // After a panic the unit has rolled back, so the connection is fit for use.
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        *self.holder() = Some(me);
        Ok(Turn { writer: self, session })
    }

    fn holder(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Turn<'writer> {
    writer: &'writer Writer,
    session: MutexGuard<'writer, Box<dyn Session>>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.writer.holder() = None;
    }
}
