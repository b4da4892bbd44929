//! The one connection that changes something.

use super::edition::{Editions, Topic};
use super::port::connection::{Connection, Session, Transaction};
use super::port::error::Error;
use super::unit::{Purpose, Unit};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

pub(super) struct Writer {
    session: Mutex<Box<dyn Session>>,
    /// The thread that writes at the moment. Without it, a `write` inside a `write` would wait for itself for ever.
    holder: Mutex<Option<ThreadId>>,
    editions: Editions,
}

impl Writer {
    pub(super) fn new(session: Box<dyn Session>) -> Self {
        Self { session: Mutex::new(session), holder: Mutex::default(), editions: Editions::default() }
    }

    /// Lets `work` change something, and keeps it if `work` succeeds.
    pub(super) fn write<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut turn = self.turn()?;
        let mut unit = Unit::begin(&mut **turn.session, Purpose::Write)?;
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

    /// Puts another connection in the place of one that is lost; one that works stays.
    pub(super) fn replace(
        &self,
        open: impl FnOnce() -> Result<Box<dyn Session>, Error>,
    ) -> Result<(), Error> {
        let mut turn = self.turn()?;
        if turn.session.is_lost() {
            *turn.session = open()?;
            // Another desk may have written meanwhile.
            self.editions.changed(&Topic::ALL);
        }
        Ok(())
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
