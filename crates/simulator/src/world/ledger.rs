//! How many pods were placed and finished, and a number that stands for all placements: two runs that agree in it placed
//! the same pods on the same nodes at the same moments.

use super::pods::{Owner, scrambled};
use crate::scheduler::NodeId;
use model::time::Timestamp;

/// Placements since the start. The fingerprint is no proof against somebody who wants to deceive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub placed: u64,
    pub finished: u64,
    pub fingerprint: u64,
}

impl Ledger {
    pub(super) fn note(&mut self, owner: Owner, node: NodeId, at: Timestamp) {
        self.placed += 1;
        let pod = u64::from(owner.workload) << 32 | u64::from(owner.ordinal);
        for part in [pod, u64::from(owner.set) << 32 | node.index() as u64, at.as_millis()] {
            self.fingerprint = scrambled(self.fingerprint ^ part);
        }
    }

    /// Both together; the order matters.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            placed: self.placed + other.placed,
            finished: self.finished + other.finished,
            fingerprint: scrambled(self.fingerprint) ^ other.fingerprint,
        }
    }
}
