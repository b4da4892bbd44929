//! What was scraped about one thing, and what of it can be read by now.

use model::signal::{Milli, Reading};
use model::time::{Period, Timestamp};
use std::collections::VecDeque;

/// Scrapes that are kept even if they are older than every window: the oldest serves as the start of an average.
const FEWEST: usize = 2;

/// The scrapes of one value, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    scrapes: VecDeque<Scrape>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scrape {
    at: Timestamp,
    readable_at: Timestamp,
    integral: u128,
    value: Milli,
}

impl Track {
    /// Notes a scrape that can be read from `readable_at` on, and forgets what no average needs any more.
    pub fn note(
        &mut self,
        at: Timestamp,
        readable_at: Timestamp,
        integral: u128,
        value: Milli,
        keep: Period,
    ) {
        self.scrapes.push_back(Scrape { at, readable_at, integral, value });
        while self.scrapes.len() > FEWEST && at.since(self.scrapes[1].at) > keep {
            self.scrapes.pop_front();
        }
    }

    /// The newest average that can be read: over `window`, or over the time since the scrape before it if that is longer.
    /// The first scrape of all has no time before it and gives the value of its moment.
    pub fn read(&self, now: Timestamp, window: Period) -> Option<Reading> {
        let readable = |scrape: &&Scrape| scrape.readable_at <= now;
        let newest = self.scrapes.iter().filter(readable).max_by_key(|scrape| scrape.at)?;
        let before = |scrape: &&Scrape| scrape.at < newest.at && readable(scrape);
        let long_ago = |scrape: &&Scrape| newest.at.since(scrape.at) >= window;
        let start = self.scrapes.iter().filter(before).rfind(long_ago);
        let start = start.or_else(|| self.scrapes.iter().find(before));
        let value = start.map_or(newest.value, |start| newest.average_since(start));
        Some(Reading { value, at: newest.at })
    }
}

impl Scrape {
    fn average_since(&self, start: &Self) -> Milli {
        let passed = u128::from(self.at.since(start.at).as_millis()).max(1);
        let change = self.integral.saturating_sub(start.integral);
        Milli(u64::try_from(change / passed).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Gauge;
    use super::*;

    const WINDOW: Period = Period::from_secs(30);
    const KEEP: Period = Period::from_secs(120);

    /// Scrapes at whole seconds of a value that is 10 until 60 s and 40 after; each is readable after its lag.
    fn track(scrapes: &[(u64, u64)]) -> Track {
        let mut gauge = Gauge::default();
        gauge.set(Timestamp::EPOCH, Milli(10));
        let mut track = Track::default();
        for (at, lag) in scrapes {
            let at = Timestamp::EPOCH + Period::from_secs(*at);
            if at.as_millis() >= 60_000 && gauge.value() == Milli(10) {
                gauge.set(Timestamp(60_000), Milli(40));
            }
            track.note(at, at + Period::from_secs(*lag), gauge.integral(at), gauge.value(), KEEP);
        }
        track
    }

    fn read(track: &Track, now: u64) -> Option<(u64, u64)> {
        let reading = track.read(Timestamp::EPOCH + Period::from_secs(now), WINDOW)?;
        Some((reading.value.0, reading.at.as_millis() / 1_000))
    }

    #[test]
    fn a_value_is_seen_late_and_averaged() {
        let track = track(&[(15, 5), (30, 5), (45, 5), (60, 5), (75, 5), (90, 5)]);
        let expected = [(19, None), (20, Some((10, 15))), (64, Some((10, 45))), (65, Some((10, 60)))];
        for (now, reading) in expected {
            assert_eq!(read(&track, now), reading, "at {now} s");
        }
        assert_eq!(read(&track, 80), Some((25, 75)), "half of the window was before the change");
        assert_eq!(read(&track, 95), Some((40, 90)));
    }

    #[test]
    fn a_lost_scrape_makes_the_window_longer() {
        let track = track(&[(15, 0), (75, 0)]);
        assert_eq!(read(&track, 75), Some((17, 75)), "45 s at 10 and 15 s at 40");
    }

    #[test]
    fn a_scrape_that_overtakes_another_is_not_taken_back() {
        let track = track(&[(15, 0), (30, 60), (45, 0)]);
        assert_eq!(read(&track, 50).unwrap().1, 45);
        assert_eq!(read(&track, 95).unwrap().1, 45);
    }

    #[test]
    fn old_scrapes_are_forgotten() {
        let every_second: Vec<_> = (0..1_000).map(|at| (at, 0)).collect();
        assert!(track(&every_second).scrapes.len() <= 123);
    }
}
