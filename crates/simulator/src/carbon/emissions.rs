//! Adds up emissions: power × time × intensity is summed exactly and divided once, when somebody asks for grams.

use super::trace::Trace;
use model::energy::{Micrograms, Milliwatts};
use model::time::Timestamp;

/// Microjoules × milligrams per kilowatt-hour in a microgram: 3.6 × 10^12 µJ in a kilowatt-hour, 1000 µg in a milligram.
const PER_MICROGRAM: u128 = 3_600_000_000;

/// What was emitted so far. The largest sum stands for 10^29 µg, beyond what [`Micrograms`] can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emissions {
    /// Milliwatts × milliseconds × milligrams per kilowatt-hour.
    sum: u128,
}

impl Emissions {
    /// Adds what a constant power emits from one moment to another.
    pub fn add(&mut self, power: Milliwatts, trace: &Trace, from: Timestamp, to: Timestamp) {
        let added = trace.integral(from, to).saturating_mul(u128::from(power.0));
        self.sum = self.sum.saturating_add(added);
    }

    /// Adds other emissions.
    pub const fn merge(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// What was added since an earlier state of the same sum.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self { sum: self.sum.saturating_sub(earlier.sum) }
    }

    /// The mass, rounded half up once.
    pub fn total(self) -> Micrograms {
        let rounded = self.sum.saturating_add(PER_MICROGRAM / 2) / PER_MICROGRAM;
        Micrograms(u64::try_from(rounded).unwrap_or(u64::MAX))
    }
}
