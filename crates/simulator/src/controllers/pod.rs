//! What every controller sees of a pod.

use model::time::{Period, Timestamp};

/// The owner's dense number of a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PodKey(pub u32);

/// The owner's dense number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeKey(pub u32);

/// Where a pod is in its life. The order is the order of deletion: pods that have got less far go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PodPhase {
    Pending,
    Unknown,
    Running,
    Succeeded,
    Failed,
}

/// One pod, as far as controllers care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PodView {
    pub key: PodKey,
    /// Breaks ties without favouring old or new pods; give pods numbers that do not follow their creation.
    pub uid: u64,
    pub node: Option<NodeKey>,
    pub phase: PodPhase,
    /// Since when the pod is ready; nothing while it is not.
    pub ready_since: Option<Timestamp>,
    pub created: Timestamp,
    /// Deletion was asked for, the pod is still there.
    pub deleting: bool,
    /// The most restarts of any of its containers.
    pub restarts: u32,
    /// The annotation `controller.kubernetes.io/pod-deletion-cost`, 0 if absent.
    pub deletion_cost: i32,
}

impl PodView {
    /// Its containers have ended for good.
    pub fn is_finished(&self) -> bool {
        matches!(self.phase, PodPhase::Succeeded | PodPhase::Failed)
    }

    /// Counts as a replica: neither finished nor on its way out.
    pub fn is_active(&self) -> bool {
        !self.is_finished() && !self.deleting
    }

    /// Still runs, but deletion was asked for.
    pub fn is_terminating(&self) -> bool {
        !self.is_finished() && self.deleting
    }

    pub fn is_ready(&self) -> bool {
        self.ready_since.is_some()
    }

    /// Has been ready for at least `min_ready`.
    pub fn is_available(&self, min_ready: Period, now: Timestamp) -> bool {
        self.available_from(min_ready).is_some_and(|moment| moment <= now)
    }

    /// When the pod becomes available if it stays ready.
    pub fn available_from(&self, min_ready: Period) -> Option<Timestamp> {
        self.ready_since.map(|since| since + min_ready)
    }
}

/// The next moment at which one of the pods that are ready now becomes available.
pub fn next_availability<'a>(
    pods: impl IntoIterator<Item = &'a PodView>,
    min_ready: Period,
    now: Timestamp,
) -> Option<Timestamp> {
    let active = pods.into_iter().filter(|pod| pod.is_active());
    active.filter_map(|pod| pod.available_from(min_ready)).filter(|moment| *moment > now).min()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A running, ready pod on node 0, everything else zero.
    pub(crate) fn running(key: u32) -> PodView {
        PodView {
            key: PodKey(key),
            uid: u64::from(key),
            node: Some(NodeKey(0)),
            phase: PodPhase::Running,
            ready_since: Some(Timestamp::EPOCH),
            created: Timestamp::EPOCH,
            deleting: false,
            restarts: 0,
            deletion_cost: 0,
        }
    }

    #[test]
    fn available_means_ready_long_enough() {
        let check = |ready_since: Option<u64>, min_ready, now, available| {
            let pod = PodView { ready_since: ready_since.map(Timestamp), ..running(1) };
            let got = pod.is_available(Period(min_ready), Timestamp(now));
            assert_eq!(got, available, "{ready_since:?} {min_ready} {now}");
        };
        check(None, 0, 100, false);
        check(Some(100), 0, 100, true);
        check(Some(100), 10, 109, false);
        check(Some(100), 10, 110, true);
    }

    #[test]
    fn next_availability_is_the_earliest_still_to_come() {
        let pod = |key, since: Option<u64>| PodView { ready_since: since.map(Timestamp), ..running(key) };
        let pods = [pod(1, Some(0)), pod(2, Some(50)), pod(3, Some(70)), pod(4, None)];
        let check = |now, expected: Option<u64>| {
            assert_eq!(
                next_availability(&pods, Period(100), Timestamp(now)),
                expected.map(Timestamp),
                "{now}"
            );
        };
        check(100, Some(150));
        check(150, Some(170));
        check(170, None);
    }
}
