//! The only place of this crate that reads a clock, and the bridge between wall time and the time of the run.

use model::time::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wall(pub(crate) i64);

impl Wall {
    #[expect(
        clippy::disallowed_methods,
        reason = "real clusters live in real time; this is where it is learnt"
    )]
    pub(crate) fn now() -> Self {
        Self(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64))
    }

    /// How many milliseconds have passed since then, at least none.
    pub(crate) fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// Milliseconds of a clock that nobody sets, since this was first asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tick(pub(crate) u64);

impl Tick {
    #[expect(clippy::disallowed_methods, reason = "how long something lasts is learnt here")]
    pub(crate) fn now() -> Self {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(BEGIN.elapsed().as_millis() as u64)
    }

    /// How many milliseconds have passed since then, at least none.
    pub(crate) const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// When the run began: what is older than the run happened at its beginning, as far as the run is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin(pub(crate) Wall);

impl Origin {
    pub(crate) fn timestamp(self, wall: Wall) -> Timestamp {
        Timestamp(wall.since(self.0))
    }
}

/// The origin as it was last told. Whoever polls says what time of the run it is; nobody has to agree on a clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunClock(Arc<AtomicI64>);

impl RunClock {
    pub(crate) fn told(&self, now: Timestamp) {
        let run = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        self.0.store(Wall::now().0.saturating_sub(run), Ordering::Relaxed);
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin(Wall(self.0.load(Ordering::Relaxed)))
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.origin().timestamp(Wall::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_the_run_happened_at_its_beginning() {
        let origin = Origin(Wall(1_000));
        assert_eq!(origin.timestamp(Wall(1_500)), Timestamp(500));
        assert_eq!(origin.timestamp(Wall(400)), Timestamp(0));
    }
}
