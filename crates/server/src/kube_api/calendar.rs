//! Virtual time as dates, and dates as virtual time again.

use model::calendar::Date;
use model::time::Timestamp;
use simulator::kube;

/// Which date the beginning of the scenario has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calendar {
    start_ms: i64,
}

impl Calendar {
    /// Whole seconds, because objects carry no more: two moments of the same virtual second are written alike in every run.
    pub(super) const fn starting(wall_ms: i64) -> Self {
        Self { start_ms: wall_ms - wall_ms.rem_euclid(1_000) }
    }

    /// `2026-11-16T16:30:05Z`
    pub(super) fn date(self, at: Timestamp) -> String {
        let (day, clock) = self.split(at);
        format!("{day}T{clock}Z")
    }

    /// `2026-11-16T16:30:05.250000Z`
    pub(super) fn precise_date(self, at: Timestamp) -> String {
        let (day, clock) = self.split(at);
        format!("{day}T{clock}.{:03}000Z", self.wall_ms(at).rem_euclid(1_000))
    }

    /// The moment that a date stands for.
    pub(super) fn moment(self, date: &str) -> Option<i64> {
        date.parse::<kube::Timestamp>().ok().map(|parsed| parsed.0 - self.start_ms)
    }

    fn wall_ms(self, at: Timestamp) -> i64 {
        self.start_ms.saturating_add_unsigned(at.0)
    }

    fn split(self, at: Timestamp) -> (Date, String) {
        let seconds = self.wall_ms(at).div_euclid(1_000);
        let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let clock = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
        (Date::of_day(day), clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_become_dates_and_moments_again() {
        let calendar = Calendar::starting(1_709_202_600_250);
        assert_eq!(calendar.date(Timestamp(0)), "2024-02-29T10:30:00Z");
        assert_eq!(calendar.precise_date(Timestamp(61_007)), "2024-02-29T10:31:01.007000Z");
        assert_eq!(calendar.moment("2024-02-29T10:31:01Z"), Some(61_000));
        assert_eq!(calendar.moment("now"), None);
    }
}
