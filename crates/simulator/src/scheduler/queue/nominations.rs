//! Which pending pods wait for which node, because preemption makes room for them there.

use super::{NodeId, PodId};
use std::collections::BTreeMap;

/// Nominated pods by node, in order of nomination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nominations {
    by_node: BTreeMap<NodeId, Vec<PodId>>,
    by_pod: BTreeMap<PodId, NodeId>,
}

impl Nominations {
    /// Nominates `pod` for `node`; a former nomination is replaced.
    pub fn nominate(&mut self, pod: PodId, node: NodeId) {
        self.withdraw(pod);
        self.by_pod.insert(pod, node);
        self.by_node.entry(node).or_default().push(pod);
    }

    /// Removes the nomination of `pod` and returns the node it was nominated for.
    pub fn withdraw(&mut self, pod: PodId) -> Option<NodeId> {
        let node = self.by_pod.remove(&pod)?;
        let pods = self.by_node.get_mut(&node).expect("both directions are kept together");
        pods.retain(|other| *other != pod);
        if pods.is_empty() {
            self.by_node.remove(&node);
        }
        Some(node)
    }

    pub fn node_of(&self, pod: PodId) -> Option<NodeId> {
        self.by_pod.get(&pod).copied()
    }

    pub fn pods_on(&self, node: NodeId) -> &[PodId] {
        self.by_node.get(&node).map_or(&[], Vec::as_slice)
    }

    pub fn is_empty(&self) -> bool {
        self.by_pod.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_nominated_for_one_node_at_a_time() {
        let (first, second) = (PodId(1), PodId(2));
        let (here, there) = (NodeId(10), NodeId(11));
        let mut nominations = Nominations::default();
        nominations.nominate(first, here);
        nominations.nominate(second, here);
        assert_eq!(nominations.pods_on(here), [first, second]);
        nominations.nominate(first, there);
        assert_eq!(nominations.pods_on(here), [second]);
        assert_eq!(nominations.node_of(first), Some(there));
        assert_eq!(nominations.withdraw(first), Some(there));
        assert_eq!(nominations.withdraw(first), None);
        assert_eq!(nominations.withdraw(second), Some(here));
        assert!(nominations.is_empty());
    }
}
