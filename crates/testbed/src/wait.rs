//! Waiting for other processes: always with a deadline, and with what was seen last when it passes.

use crate::error::Error;
use std::thread;
use std::time::{Duration, Instant};

/// Short against anything that is waited for, long against what a look costs.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// What a look at something unfinished found.
pub(crate) enum Look<T> {
    Done(T),
    NotYet(String),
    /// Waiting longer would not help.
    Never(Error),
}

/// Looks until it is done, hopeless or too late.
pub(crate) fn until<T>(
    what: &str,
    patience: Duration,
    mut look: impl FnMut() -> Look<T>,
) -> Result<T, Error> {
    let stopwatch = Stopwatch::start();
    loop {
        let seen = match look() {
            Look::Done(value) => return Ok(value),
            Look::Never(error) => return Err(error),
            Look::NotYet(seen) => seen,
        };
        if stopwatch.elapsed() >= patience {
            return Err(Error::Late { what: what.to_owned(), seconds: patience.as_secs(), seen });
        }
        pause(BETWEEN_LOOKS);
    }
}

#[expect(clippy::disallowed_methods, reason = "other processes have to get somewhere first")]
pub(crate) fn pause(time: Duration) {
    thread::sleep(time);
}

/// How long something took.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "real processes take real time")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_returned_and_what_is_hopeless_is_not_waited_for() {
        let mut looks = 0;
        let found = until("three looks", Duration::from_mins(1), || {
            looks += 1;
            if looks == 3 { Look::Done(looks) } else { Look::NotYet(looks.to_string()) }
        });
        assert_eq!(found.unwrap(), 3);
        let hopeless: Result<(), Error> =
            until("nothing", Duration::from_mins(1), || Look::Never(Error::NoPrometheus));
        assert!(matches!(hopeless, Err(Error::NoPrometheus)));
    }

    #[test]
    fn too_late_says_what_was_seen_last() {
        let late: Result<(), Error> = until("spring", Duration::ZERO, || Look::NotYet("snow".to_owned()));
        assert_eq!(late.unwrap_err().to_string(), "spring did not happen within 0 s; last seen: snow");
    }
}
