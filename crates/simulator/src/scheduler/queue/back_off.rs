//! How long a pod waits after a failed attempt, and in which order waiting pods come back.

use model::time::{Period, Timestamp};

/// Pods whose back-off ends within the same second are ordered by priority, and one flush empties the whole second;
/// so ends of back-off and flushes are both aligned to it.
pub const ORDERING_WINDOW: Period = Period::from_secs(1);

/// The first and the longest back-off. A longest back-off of zero switches waiting off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackOff {
    pub initial: Period,
    pub longest: Period,
}

impl Default for BackOff {
    /// kube-scheduler's `podInitialBackoffSeconds` and `podMaxBackoffSeconds`.
    fn default() -> Self {
        Self { initial: Period::from_secs(1), longest: Period::from_secs(10) }
    }
}

impl BackOff {
    /// The wait after the `failures`-th failure: doubled with each one, never above the longest.
    pub fn duration(self, failures: u32) -> Period {
        let Some(doublings) = failures.checked_sub(1) else { return Period::ZERO };
        let factor = 1_u64.checked_shl(doublings).unwrap_or(u64::MAX);
        self.initial.saturating_mul(factor).min(self.longest)
    }

    /// When the wait of a pod that failed at `failed_at` ends; nothing if it need not wait at all.
    pub fn end(self, failed_at: Timestamp, failures: u32) -> Option<Timestamp> {
        (failures > 0 && !self.longest.is_zero()).then(|| window_of(failed_at + self.duration(failures)))
    }
}

/// The start of the ordering window `time` lies in.
pub(super) fn window_of(time: Timestamp) -> Timestamp {
    Timestamp(time.0 - time.0 % ORDERING_WINDOW.0)
}

/// Whether a wait that ends at `end` still lasts. A pod waits until its whole window has passed.
pub(super) fn is_waiting(end: Option<Timestamp>, now: Timestamp) -> bool {
    end.is_some_and(|end| end >= window_of(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_double_up_to_the_longest() {
        let rows = [
            (1_000, 10_000, 0, 0),
            (1_000, 10_000, 1, 1_000),
            (1_000, 10_000, 2, 2_000),
            (1_000, 10_000, 3, 4_000),
            (1_000, 10_000, 4, 8_000),
            (1_000, 10_000, 5, 10_000),
            (1_000, 10_000, 16, 10_000),
            (1_000, 60_000, 6, 32_000),
            (1_000, 60_000, 7, 60_000),
            (1_000, 10_000, 64, 10_000),
            (1_000, 10_000, 65, 10_000),
            (1_000, 10_000, 10_000, 10_000),
        ];
        for (initial, longest, failures, want) in rows {
            let back_off = BackOff { initial: Period(initial), longest: Period(longest) };
            assert_eq!(
                back_off.duration(failures),
                Period(want),
                "initial {initial}, longest {longest}, {failures} failures"
            );
        }
    }

    #[test]
    fn ends_are_aligned_to_whole_seconds() {
        let rows = [
            (10_000, 1, Some(11_000)),
            (10_999, 1, Some(11_000)),
            (10_001, 3, Some(14_000)),
            (10_500, 9, Some(20_000)),
            (10_500, 0, None),
        ];
        for (failed_at, failures, want) in rows {
            let got = BackOff::default().end(Timestamp(failed_at), failures);
            assert_eq!(got, want.map(Timestamp), "{failed_at}, {failures} failures");
        }
        let switched_off = BackOff { longest: Period::ZERO, ..BackOff::default() };
        assert_eq!(switched_off.end(Timestamp(10_000), 3), None);
    }

    #[test]
    fn a_wait_lasts_until_its_window_has_passed() {
        let rows = [
            (Some(11_000), 10_999, true),
            (Some(11_000), 11_000, true),
            (Some(11_000), 11_999, true),
            (Some(11_000), 12_000, false),
            (None, 0, false),
        ];
        for (end, now, want) in rows {
            assert_eq!(is_waiting(end.map(Timestamp), Timestamp(now)), want, "end {end:?}, now {now}");
        }
    }
}
