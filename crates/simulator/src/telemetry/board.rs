//! Everything that is measured about one thing: the true values, and what was scraped of them.

use super::{Gauge, Track};
use model::signal::{Milli, Readings, Signal};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// The signals of one thing. A signal that was never set is not scraped and not read: unknown is not zero.
#[derive(Clone, Debug, Default)]
pub struct Board {
    dials: BTreeMap<Signal, Dial>,
}

#[derive(Clone, Debug, Default)]
struct Dial {
    gauge: Gauge,
    track: Track,
}

impl Board {
    /// The true value from now on.
    pub fn set(&mut self, now: Timestamp, signal: Signal, value: Milli) {
        self.dials.entry(signal).or_default().gauge.set(now, value);
    }

    /// The true value at this moment.
    pub fn value(&self, signal: Signal) -> Option<Milli> {
        self.dials.get(&signal).map(|dial| dial.gauge.value())
    }

    /// Scrapes all signals now; they can be read from `readable_at` on. Scrapes are kept for `keep`.
    pub fn scrape(&mut self, now: Timestamp, readable_at: Timestamp, keep: Period) {
        for Dial { gauge, track } in self.dials.values_mut() {
            track.note(now, readable_at, gauge.integral(now), gauge.value(), keep);
        }
    }

    /// What can be read now, averaged over `window`.
    pub fn read(&self, now: Timestamp, window: Period) -> Readings {
        let readings = self.dials.iter();
        readings.filter_map(|(signal, dial)| Some((*signal, dial.track.read(now, window)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_set_is_unknown() {
        let mut board = Board::default();
        board.set(Timestamp(0), Signal::CpuUsage, Milli(500));
        board.scrape(Timestamp(1_000), Timestamp(2_000), Period::from_secs(60));
        assert!(board.read(Timestamp(1_999), Period::from_secs(15)).is_empty());
        let readings = board.read(Timestamp(2_000), Period::from_secs(15));
        assert_eq!(readings.get(Signal::CpuUsage).map(|reading| reading.value), Some(Milli(500)));
        assert_eq!(readings.get(Signal::Users), None);
        assert_eq!(board.value(Signal::Users), None);
    }
}
