//! A bounded set of connections that only read, lent to one thread at a time.

use super::port::connection::{Connection, Session};
use super::port::error::Error;
use super::unit::{Purpose, Unit};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many threads read at once. Queries take milliseconds, so more connections would only cost memory on both sides.
pub(crate) const LIMIT: usize = 8;
/// How long a reader waits for a connection before it says that the desk is overloaded.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// Pauses before a lost connection is tried again. A restarting server is back within seconds; a caller does not wait longer.
const BACK_OFF: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1_500),
    Duration::from_secs(3),
];

type Opener = dyn Fn() -> Result<Box<dyn Session>, Error> + Send + Sync;

pub(super) struct Readers {
    open: Box<Opener>,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Box<dyn Session>>,
    /// Idle ones and those that are lent.
    existing: usize,
}

impl Readers {
    pub(super) fn new(open: Box<Opener>) -> Self {
        Self { open, state: Mutex::default(), returned: Condvar::new() }
    }

    /// Lets `work` ask questions. When the server went away, a new connection is asked all of them again.
    pub(super) fn read<T>(
        &self,
        mut work: impl FnMut(&mut dyn Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut outcome = self.attempt(&mut work);
        for pause in BACK_OFF {
            if !outcome.as_ref().is_err_and(Error::may_pass) {
                break;
            }
            wait(pause);
            outcome = self.attempt(&mut work);
        }
        outcome
    }

    fn attempt<T>(&self, work: &mut impl FnMut(&mut dyn Connection) -> Result<T, Error>) -> Result<T, Error> {
        let mut lent = self.borrow()?;
        let session = lent.session.as_deref_mut().expect("a lent connection is there until it is returned");
        let mut unit = Unit::begin(session, Purpose::Read)?;
        work(&mut unit)
    }

    fn borrow(&self) -> Result<Lent<'_>, Error> {
        let full = |state: &mut State| state.idle.is_empty() && state.existing >= LIMIT;
        let waited = self.returned.wait_timeout_while(self.state(), PATIENCE, full);
        let (mut state, patience) = waited.unwrap_or_else(PoisonError::into_inner);
        if patience.timed_out() {
            return Err(Error::Busy { seconds: PATIENCE.as_secs() });
        }
        if let Some(session) = state.idle.pop() {
            return Ok(Lent { readers: self, session: Some(session) });
        }
        state.existing += 1;
        drop(state);
        // From here on the place is taken; an error gives it back.
        let mut lent = Lent { readers: self, session: None };
        lent.session = Some((self.open)()?);
        Ok(lent)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked, and a list of connections cannot be half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that goes back by itself, unless it is lost.
struct Lent<'readers> {
    readers: &'readers Readers,
    session: Option<Box<dyn Session>>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = self.readers.state();
        match self.session.take() {
            Some(session) if !session.is_lost() => state.idle.push(session),
            lost => {
                state.existing -= 1;
                if lost.is_some() {
                    // The others talked to the same server.
                    state.existing -= state.idle.len();
                    state.idle.clear();
                }
            }
        }
        drop(state);
        self.readers.returned.notify_one();
    }
}

#[expect(clippy::disallowed_methods, reason = "the server on the other side needs real time to come back")]
pub(super) fn wait(pause: Duration) {
    std::thread::sleep(pause);
}
