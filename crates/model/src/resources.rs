//! Amounts of CPU, memory and pod slots that belong together.

use crate::quantity::{Bytes, MilliCpu};
use crate::ratio::Ratio;
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// CPU, memory and pods of a node, a cluster or a set of pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    pub cpu: MilliCpu,
    pub memory: Bytes,
    pub pods: u64,
}

impl Resources {
    pub const fn new(cpu: MilliCpu, memory: Bytes, pods: u64) -> Self {
        Self { cpu, memory, pods }
    }

    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self {
            cpu: MilliCpu(self.cpu.0.saturating_mul(count)),
            memory: Bytes(self.memory.0.saturating_mul(count)),
            pods: self.pods.saturating_mul(count),
        }
    }

    /// What is left after taking `other`, at least nothing.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            cpu: MilliCpu(self.cpu.0.saturating_sub(other.cpu.0)),
            memory: Bytes(self.memory.0.saturating_sub(other.memory.0)),
            pods: self.pods.saturating_sub(other.pods),
        }
    }

    pub fn fits_in(self, room: Self) -> bool {
        self.cpu <= room.cpu && self.memory <= room.memory && self.pods <= room.pods
    }

    /// How many times `each` fits; a dimension that `each` does not use does not limit.
    pub fn how_many(self, each: Self) -> u64 {
        let times = |room: u64, need: u64| room.checked_div(need).unwrap_or(u64::MAX);
        times(self.cpu.0, each.cpu.0)
            .min(times(self.memory.0, each.memory.0))
            .min(times(self.pods, each.pods))
    }

    /// The same share of CPU and memory; pod slots are not limited by a load limit.
    #[must_use]
    pub fn share(self, ratio: Ratio) -> Self {
        Self {
            cpu: MilliCpu(ratio.share_of(self.cpu.0)),
            memory: Bytes(ratio.share_of(self.memory.0)),
            pods: self.pods,
        }
    }

    /// The fuller of CPU and memory when these amounts are used out of `capacity`.
    pub fn load_of(self, capacity: Self) -> Ratio {
        Ratio::of(self.cpu.0, capacity.cpu.0).max(Ratio::of(self.memory.0, capacity.memory.0))
    }
}

impl Add for Resources {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cpu: MilliCpu(self.cpu.0.saturating_add(other.cpu.0)),
            memory: Bytes(self.memory.0.saturating_add(other.memory.0)),
            pods: self.pods.saturating_add(other.pods),
        }
    }
}

impl AddAssign for Resources {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(cpu: u64, memory: u64, pods: u64) -> Resources {
        Resources::new(MilliCpu(cpu), Bytes(memory), pods)
    }

    #[test]
    fn eight_core_node_holds_seven_one_core_pods() {
        let usable = amounts(7_650, 15_822, 110);
        assert_eq!(usable.how_many(amounts(1_000, 2_048, 1)), 7);
        assert_eq!(usable.how_many(amounts(0, 0, 1)), 110);
        assert!(amounts(7_000, 14_336, 7).fits_in(usable));
        assert_eq!(amounts(7_000, 0, 7).load_of(usable).to_string(), "91.5 %");
    }
}
