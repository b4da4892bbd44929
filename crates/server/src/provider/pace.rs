//! How many requests go out in a minute.

use std::collections::VecDeque;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

/// Gives each request its moment: never more than so many in any minute, and none before a server that is overrun has rested.
#[derive(Debug)]
pub(super) struct Pace {
    per_minute: usize,
    /// When the last ones went or will go out, at most as many as go out in a minute.
    starts: VecDeque<Duration>,
    not_before: Duration,
}

impl Pace {
    pub(super) const fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute as usize, starts: VecDeque::new(), not_before: Duration::ZERO }
    }

    /// How long to wait for the next free moment, which is then taken; nothing if it comes after `latest`.
    pub(super) fn book(&mut self, now: Duration, latest: Duration) -> Option<Duration> {
        let full = self.starts.len() >= self.per_minute;
        let free = self.starts.front().filter(|_| full).map_or(now, |first| *first + MINUTE);
        let start = free.max(now).max(self.not_before);
        if start > latest {
            return None;
        }
        if full {
            self.starts.pop_front();
        }
        self.starts.push_back(start);
        Some(start.saturating_sub(now))
    }

    /// The server wants to be left alone until then.
    pub(super) fn hold(&mut self, until: Duration) {
        self.not_before = self.not_before.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    const NEVER: Duration = Duration::MAX;

    #[test]
    fn no_minute_has_more_than_its_share() {
        let mut pace = Pace::new(3);
        let starts: Vec<u64> =
            [0, 0, 10, 10, 20, 65, 65].map(|now| now + pace.book(at(now), NEVER).unwrap().as_secs()).to_vec();
        assert_eq!(starts, [0, 0, 10, 60, 60, 70, 120]);
        for (index, start) in starts.iter().enumerate().skip(3) {
            assert!(start - starts[index - 3] >= 60);
        }
    }

    #[test]
    fn a_moment_that_comes_too_late_is_not_taken() {
        let mut pace = Pace::new(1);
        assert_eq!(pace.book(at(0), at(30)), Some(at(0)));
        assert_eq!(pace.book(at(1), at(30)), None);
        assert_eq!(pace.book(at(1), at(60)), Some(at(59)));
    }

    #[test]
    fn a_server_that_is_overrun_rests() {
        let mut pace = Pace::new(100);
        pace.hold(at(20));
        pace.hold(at(10));
        assert_eq!(pace.book(at(5), NEVER), Some(at(15)));
        assert_eq!(pace.book(at(25), NEVER), Some(at(0)));
    }
}
