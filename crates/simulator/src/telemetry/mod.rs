//! How measurements reach those who decide: values are true all the time, scraped now and then, averaged over a window,
//! sometimes lost, and seen late. Results are never taken from here, only decisions are.

mod board;
mod gauge;
pub mod raw;
mod track;

pub use board::Board;
pub use gauge::Gauge;
pub use track::Track;

use crate::randomness::Stream;
use crate::scenario::Delay;
use model::ratio::Ratio;
use model::time::{Period, Timestamp};

/// How one cluster is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TelemetrySpec {
    /// The time between two scrapes.
    pub every: Period,
    /// From a scrape until its values can be read.
    pub lag: Delay,
    /// Values are averages over this long; over the time since the scrape before, if that is longer ago.
    pub window: Period,
    /// The share of scrapes that are lost.
    pub loss: Ratio,
    /// Whether nodes are shown one by one; sums over clusters always are.
    pub nodes: bool,
}

impl TelemetrySpec {
    /// How long scrapes are of use: for the window, and until the slowest of them has arrived.
    pub fn keep(&self) -> Period {
        self.window.saturating_add(self.lag.most()).saturating_add(self.every)
    }

    /// When a scrape made now can be read; never, if it is lost.
    pub fn scrape(&self, now: Timestamp, chance: &mut Stream) -> Option<Timestamp> {
        let lag = self.lag.draw(chance);
        let lost = chance.below(1_000_000) < self.loss.parts_per_million();
        (!lost).then(|| now + lag)
    }
}
