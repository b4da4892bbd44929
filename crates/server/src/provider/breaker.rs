//! A server that fails again and again is left alone for a while; then one call tries whether it is back.

use model::time::Period;
use serde::Serialize;
use std::time::Duration;

/// Lets calls pass, or not.
#[derive(Debug)]
pub(super) struct Breaker {
    /// So many failures in a row are too many.
    failures: u32,
    rest: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Duration,
    },
    /// One call is on its way. If nothing is heard of it until then, another may try.
    Probing {
        until: Duration,
    },
}

/// How it stands, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BreakerState {
    /// Calls pass; so many failed in a row.
    Closed { failures: u32 },
    /// Nothing passes for so long.
    Open { remaining: Period },
    /// One call tries.
    Probing,
}

impl Breaker {
    pub(super) const fn new(failures: u32, rest: Duration) -> Self {
        Self { failures, rest, state: State::Closed { failures: 0 } }
    }

    /// Whether a call may be made now; otherwise, for how long none may.
    pub(super) fn admit(&mut self, now: Duration) -> Result<(), Duration> {
        match self.state {
            State::Closed { .. } => Ok(()),
            State::Open { until } | State::Probing { until } if now < until => Err(until.saturating_sub(now)),
            State::Open { .. } | State::Probing { .. } => {
                self.state = State::Probing { until: now.saturating_add(self.rest) };
                Ok(())
            }
        }
    }

    /// The server answered, whatever it said.
    pub(super) const fn succeeded(&mut self) {
        self.state = State::Closed { failures: 0 };
    }

    pub(super) const fn failed(&mut self, now: Duration) {
        self.state = match self.state {
            State::Closed { failures } if failures + 1 < self.failures => {
                State::Closed { failures: failures + 1 }
            }
            // Begun before it opened: says nothing new.
            State::Open { until } => State::Open { until },
            State::Closed { .. } | State::Probing { .. } => {
                State::Open { until: now.saturating_add(self.rest) }
            }
        };
    }

    /// A call that was let through was not made after all.
    pub(super) const fn forgone(&mut self, now: Duration) {
        if let State::Probing { .. } = self.state {
            self.state = State::Open { until: now };
        }
    }

    pub(super) fn state(&self, now: Duration) -> BreakerState {
        match self.state {
            State::Closed { failures } => BreakerState::Closed { failures },
            State::Open { until } => BreakerState::Open {
                remaining: Period::from_millis(until.saturating_sub(now).as_millis() as u64),
            },
            State::Probing { .. } => BreakerState::Probing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    fn opened() -> Breaker {
        let mut breaker = Breaker::new(3, at(60));
        for second in 0..3 {
            breaker.admit(at(second)).unwrap();
            breaker.failed(at(second));
        }
        breaker
    }

    #[test]
    fn it_opens_after_enough_failures_in_a_row() {
        let mut breaker = Breaker::new(3, at(60));
        for _ in 0..10 {
            breaker.failed(at(0));
            breaker.failed(at(0));
            breaker.succeeded();
        }
        assert_eq!(breaker.admit(at(0)), Ok(()), "never three in a row");
        let mut breaker = opened();
        assert_eq!(breaker.admit(at(3)), Err(at(59)));
        assert_eq!(breaker.state(at(2)), BreakerState::Open { remaining: Period::from_secs(60) });
    }

    #[test]
    fn one_call_tries_whether_it_is_back() {
        let mut breaker = opened();
        assert_eq!(breaker.admit(at(62)), Ok(()));
        assert_eq!(breaker.state(at(62)), BreakerState::Probing);
        assert!(breaker.admit(at(63)).is_err(), "only one");
        breaker.failed(at(64));
        assert_eq!(breaker.admit(at(65)), Err(at(59)), "one failure is enough now");
        assert_eq!(breaker.admit(at(124)), Ok(()));
        breaker.succeeded();
        assert_eq!(breaker.state(at(125)), BreakerState::Closed { failures: 0 });
    }

    #[test]
    fn a_probe_that_is_never_heard_of_again_blocks_nobody_for_ever() {
        let mut breaker = opened();
        assert_eq!(breaker.admit(at(62)), Ok(()));
        assert_eq!(breaker.admit(at(122)), Ok(()));
        breaker.forgone(at(123));
        assert_eq!(breaker.admit(at(123)), Ok(()), "the next one may try at once");
    }

    #[test]
    fn failures_of_calls_begun_earlier_do_not_prolong_the_rest() {
        let mut breaker = opened();
        breaker.failed(at(50));
        assert_eq!(breaker.admit(at(62)), Ok(()));
    }
}
