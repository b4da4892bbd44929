//! Whether this process may still write: a limit in time that whoever leads moves on, and that everybody checks directly before a
//! write.

use crate::clock::{Tick, Wall};
use model::time::Period;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// Open for good where nobody competes; otherwise open until a moment that is moved on with every renewal.
///
/// It closes by itself: no thread has to run for it. The clock that nobody sets stands still while a machine sleeps, and the other
/// one can be set back, so both have to say that there is time left.
#[derive(Clone, Debug, Default)]
pub struct Fence(Option<Arc<Bounds>>);

#[derive(Debug, Default)]
struct Bounds {
    tick: AtomicU64,
    wall: AtomicI64,
    /// Once shut it stays so.
    shut: AtomicBool,
}

/// A moment as both clocks tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) tick: Tick,
    pub(crate) wall: Wall,
}

impl Instance {
    pub(crate) fn now() -> Self {
        Self { tick: Tick::now(), wall: Wall::now() }
    }
}

impl Fence {
    /// Closed until somebody leads.
    pub(crate) fn closed() -> Self {
        Self(Some(Arc::default()))
    }

    /// Leaves time for so long after a moment.
    pub(crate) fn allow(&self, from: Instance, period: Period) {
        let Some(bounds) = &self.0 else { return };
        let length = period.as_millis();
        bounds.tick.store(from.tick.0.saturating_add(length), Ordering::SeqCst);
        bounds.wall.store(from.wall.0.saturating_add_unsigned(length), Ordering::SeqCst);
    }

    /// Nothing more, for ever.
    pub(crate) fn shut(&self) {
        if let Some(bounds) = &self.0 {
            bounds.shut.store(true, Ordering::SeqCst);
        }
    }

    /// Whether something may be written now.
    pub fn is_open(&self) -> bool {
        self.is_open_at(Instance::now())
    }

    fn is_open_at(&self, now: Instance) -> bool {
        let Some(bounds) = &self.0 else { return true };
        !bounds.shut.load(Ordering::SeqCst)
            && now.tick.0 < bounds.tick.load(Ordering::SeqCst)
            && now.wall.0 < bounds.wall.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u64, wall: i64) -> Instance {
        Instance { tick: Tick(tick), wall: Wall(wall) }
    }

    #[test]
    fn it_closes_by_itself_as_soon_as_one_of_the_clocks_says_so() {
        let fence = Fence::closed();
        assert!(!fence.is_open_at(at(0, 0)));
        fence.allow(at(100, 5_000), Period::from_millis(50));
        assert!(fence.is_open_at(at(149, 5_049)));
        assert!(!fence.is_open_at(at(150, 5_010)), "the steady clock says that it is over");
        assert!(!fence.is_open_at(at(110, 5_050)), "the machine slept");
    }

    #[test]
    fn once_shut_it_stays_shut() {
        let fence = Fence::closed();
        fence.shut();
        fence.allow(at(0, 0), Period::from_hours(1));
        assert!(!fence.is_open_at(at(1, 1)));
    }

    #[test]
    fn where_nobody_competes_it_is_open() {
        assert!(Fence::default().is_open());
    }
}
