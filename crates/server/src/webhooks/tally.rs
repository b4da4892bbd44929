//! How telling goes, counted since the desk was opened.

use std::sync::atomic::{AtomicU64, Ordering};

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Delivered,
    /// To be tried again.
    Failed,
    /// Given up.
    Dead,
}

impl Outcome {
    pub(crate) const ALL: [Self; 3] = [Self::Delivered, Self::Failed, Self::Dead];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Dead => "dead",
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    outcomes: [AtomicU64; 3],
    waiting: AtomicU64,
}

impl Tally {
    pub(super) fn add(&self, outcome: Outcome, count: u64) {
        self.outcomes[outcome as usize].fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn count(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize].load(Ordering::Relaxed)
    }

    pub(super) fn set_waiting(&self, waiting: u64) {
        self.waiting.store(waiting, Ordering::Relaxed);
    }

    /// As of the courier's last round.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }
}
