//! Memory of one container: its peak in each interval, the only number that says what it needs.

use super::histogram::DecayingHistogram;
use super::settings::Settings;
use model::quantity::Bytes;
use model::time::Timestamp;

/// Every peak counts the same before decay.
const PEAK_WEIGHT: f64 = 1.0;

/// The peak of the present interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryPeak {
    measured: u64,
    /// What a kill for lack of memory says it would have needed.
    estimated: u64,
    /// The end of the interval, and the time under which its peak is kept.
    end: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl MemoryPeak {
    /// Adds a measurement; one that is older than the last is refused.
    pub(super) fn add(
        &mut self,
        peaks: &mut DecayingHistogram,
        settings: &Settings,
        at: Timestamp,
        usage: Bytes,
    ) -> bool {
        if self.last.is_some_and(|last| at < last) {
            return false;
        }
        self.raise(peaks, settings, at, usage.0, false);
        true
    }

    /// Adds a kill: more than was requested or measured is needed. Estimates do not build on each other, or repeated
    /// kills would run away. One that is older than the last measurement by an interval is refused.
    pub(super) fn add_kill(
        &mut self,
        peaks: &mut DecayingHistogram,
        settings: &Settings,
        at: Timestamp,
        requested: Bytes,
    ) -> bool {
        if self.last.is_some_and(|last| at + settings.memory_interval < last) {
            return false;
        }
        let used = requested.0.max(self.measured);
        let scaled = (used as f64 * settings.oom_bump_ratio) as u64;
        self.raise(peaks, settings, at, used.saturating_add(settings.oom_min_bump.0).max(scaled), true);
        true
    }

    fn raise(
        &mut self,
        peaks: &mut DecayingHistogram,
        settings: &Settings,
        at: Timestamp,
        needed: u64,
        is_kill: bool,
    ) {
        self.last = Some(at);
        let end = self.end.unwrap_or(at);
        let peak = self.measured.max(self.estimated);
        let end = if at >= end {
            let interval = settings.memory_interval.as_millis().max(1);
            let passed = at.since(end).as_millis() / interval + 1;
            *self = Self { last: self.last, ..Self::default() };
            Timestamp::from_millis(end.as_millis().saturating_add(passed.saturating_mul(interval)))
        } else if peak != 0 && needed > peak {
            // Upstream takes a peak of nothing for no peak at all: it stays until the interval ends.
            peaks.subtract(peak as f64, PEAK_WEIGHT, end);
            end
        } else {
            return;
        };
        self.end = Some(end);
        peaks.add(needed as f64, PEAK_WEIGHT, end);
        *(if is_kill { &mut self.estimated } else { &mut self.measured }) = needed;
    }
}
