//! A value that changes at moments, with its integral: enough to give the exact average over any time since a scrape.

use model::signal::Milli;
use model::time::Timestamp;

/// The true course of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    value: Milli,
    since: Timestamp,
    /// Thousandths times milliseconds until `since`.
    integral: u128,
}

impl Gauge {
    pub const fn value(&self) -> Milli {
        self.value
    }

    /// From `now` on the value is another. Time does not run backwards: an earlier `now` changes only the value.
    pub fn set(&mut self, now: Timestamp, value: Milli) {
        self.integral = self.integral(now);
        self.since = self.since.max(now);
        self.value = value;
    }

    /// The integral from the start until `now`, in thousandths times milliseconds.
    pub fn integral(&self, now: Timestamp) -> u128 {
        let passed = now.as_millis().saturating_sub(self.since.as_millis());
        self.integral + u128::from(self.value.0) * u128::from(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_follows_every_change() {
        let mut gauge = Gauge::default();
        gauge.set(Timestamp(1_000), Milli(5));
        gauge.set(Timestamp(3_000), Milli(1));
        assert_eq!(gauge.integral(Timestamp(3_000)), 10_000);
        assert_eq!(gauge.integral(Timestamp(4_000)), 11_000);
        assert_eq!(gauge.value(), Milli(1));
    }

    #[test]
    fn a_step_back_in_time_changes_no_past() {
        let mut gauge = Gauge::default();
        gauge.set(Timestamp(2_000), Milli(5));
        gauge.set(Timestamp(1_000), Milli(7));
        assert_eq!(gauge.integral(Timestamp(3_000)), 7_000);
    }
}
