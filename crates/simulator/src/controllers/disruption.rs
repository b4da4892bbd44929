//! Disruption budgets: how many pods of a workload may be evicted now, and whether one of them may.
//!
//! The caller counts. Upstream remembers granted evictions until it sees the pod stop; here a pod whose eviction is granted
//! is told to stop at the same moment and no longer counts as healthy, which comes to the same.

use super::int_or_percent::{IntOrPercent, Rounding};

/// What must stay when pods are evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisruptionBudget {
    /// So many pods stay healthy; a share is one of the replicas.
    MinAvailable(IntOrPercent),
    /// So many of the replicas may be missing.
    MaxUnavailable(IntOrPercent),
}

/// The pods a budget covers, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoveredPods {
    /// How many their controller should keep.
    pub replicas: u32,
    /// How many there are, in whatever state.
    pub existing: u32,
    /// Ready and not told to stop.
    pub healthy: u32,
}

/// What a budget needs to know about the pod to be evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodHealth {
    Ready,
    /// Runs, but is not ready.
    Unready,
    /// Has not begun to run, has ended, or was told to stop: nothing is lost with it.
    Idle,
}

impl DisruptionBudget {
    /// Whether it can be kept only for a controller that says how many replicas it should have.
    pub const fn needs_replicas(self) -> bool {
        !matches!(self, Self::MinAvailable(IntOrPercent::Count(_)))
    }

    /// How many pods should stay healthy. Shares are rounded up, those of missing pods as well.
    pub fn desired_healthy(self, replicas: u32) -> u32 {
        match self {
            Self::MinAvailable(least) => least.of(replicas, Rounding::Up),
            Self::MaxUnavailable(most) => replicas.saturating_sub(most.of(replicas, Rounding::Up)),
        }
    }

    /// How many healthy pods may go now. Nothing may while nothing is expected.
    pub fn allowed(self, pods: CoveredPods) -> u32 {
        let expected = if self.needs_replicas() { pods.replicas } else { pods.existing };
        if expected == 0 { 0 } else { pods.healthy.saturating_sub(self.desired_healthy(pods.replicas)) }
    }

    /// Whether an eviction is granted. A pod that is not ready may go while enough others are healthy.
    pub fn permits(self, pods: CoveredPods, pod: PodHealth) -> bool {
        let desired = self.desired_healthy(pods.replicas);
        let is_undisturbed = desired > 0 && pods.healthy >= desired;
        match pod {
            PodHealth::Idle => true,
            PodHealth::Unready if is_undisturbed => true,
            PodHealth::Unready | PodHealth::Ready => self.allowed(pods) > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DisruptionBudget::{MaxUnavailable, MinAvailable};
    use super::IntOrPercent::{Count, Percent};
    use super::*;

    const fn pods(replicas: u32, existing: u32, healthy: u32) -> CoveredPods {
        CoveredPods { replicas, existing, healthy }
    }

    #[test]
    fn healthy_pods_beyond_the_desired_may_go() {
        // The budget, its pods, how many should stay healthy, how many may go.
        let rows = [
            (MinAvailable(Count(1)), pods(1, 1, 1), 1, 0),
            (MinAvailable(Count(3)), pods(5, 5, 5), 3, 2),
            (MinAvailable(Count(3)), pods(5, 5, 2), 3, 0),
            // A number does not depend on the replicas.
            (MinAvailable(Count(1)), pods(0, 2, 2), 1, 1),
            (MinAvailable(Count(0)), pods(2, 2, 2), 0, 2),
            (MinAvailable(Count(0)), pods(0, 0, 0), 0, 0),
            // 28 per cent of ten pods are three, in upstream's tests, too.
            (MinAvailable(Percent(28)), pods(10, 10, 0), 3, 0),
            (MinAvailable(Percent(28)), pods(10, 10, 3), 3, 0),
            (MinAvailable(Percent(28)), pods(10, 10, 4), 3, 1),
            (MinAvailable(Percent(50)), pods(3, 3, 3), 2, 1),
            (MinAvailable(Percent(100)), pods(7, 7, 7), 7, 0),
            (MinAvailable(Percent(0)), pods(4, 4, 4), 0, 4),
            (MinAvailable(Percent(50)), pods(0, 2, 2), 0, 0),
            (MaxUnavailable(Count(1)), pods(5, 5, 5), 4, 1),
            (MaxUnavailable(Count(5)), pods(2, 2, 1), 0, 1),
            (MaxUnavailable(Count(0)), pods(3, 3, 3), 3, 0),
            // A rollout that has more pods than replicas leaves more of them to go.
            (MaxUnavailable(Count(1)), pods(4, 5, 5), 3, 2),
            (MaxUnavailable(Percent(30)), pods(10, 10, 7), 7, 0),
            (MaxUnavailable(Percent(30)), pods(7, 7, 7), 4, 3),
            (MaxUnavailable(Percent(1)), pods(1, 1, 1), 0, 1),
        ];
        for (budget, pods, desired, allowed) in rows {
            assert_eq!(budget.desired_healthy(pods.replicas), desired, "{budget:?} {pods:?}");
            assert_eq!(budget.allowed(pods), allowed, "{budget:?} {pods:?}");
        }
    }

    #[test]
    fn evictions_are_granted_by_health() {
        let budget = MinAvailable(Count(2));
        let rows = [
            // Pods, and whether one that is ready, unready or idle may go.
            (pods(3, 3, 3), [true, true, true]),
            (pods(3, 3, 2), [false, true, true]),
            (pods(3, 3, 1), [false, false, true]),
        ];
        for (pods, want) in rows {
            let permits =
                [PodHealth::Ready, PodHealth::Unready, PodHealth::Idle].map(|pod| budget.permits(pods, pod));
            assert_eq!(permits, want, "{pods:?}");
        }
        // With nothing desired, an unready pod needs room in the budget like any other.
        let lax = MinAvailable(Count(0));
        assert!(!lax.permits(pods(1, 1, 0), PodHealth::Unready));
        assert!(lax.permits(pods(2, 2, 1), PodHealth::Unready));
    }
}
