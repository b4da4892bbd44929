//! Dry runs on the cluster state itself: pods are taken off their node, and all are back in the end.

use super::Trial;
use crate::scheduler::nodes::{NodeId, PodId};
use crate::scheduler::state::{ClusterState, PlacedPod};
use crate::scheduler::status::Rejection;
use std::collections::BTreeMap;

/// One node of the cluster during a dry run; `fits` are the filters.
pub(super) struct NodeTrial<'a, Fits> {
    state: &'a mut ClusterState,
    node: NodeId,
    fits: Fits,
    removed: BTreeMap<PodId, PlacedPod>,
}

impl<'a, Fits> NodeTrial<'a, Fits> {
    pub(super) fn new(state: &'a mut ClusterState, node: NodeId, fits: Fits) -> Self {
        Self { state, node, fits, removed: BTreeMap::new() }
    }

    /// Puts everybody back.
    pub(super) fn undo(self) {
        for (pod, placed) in self.removed {
            self.state.assign(pod, placed.template, placed.node, placed.details);
        }
    }
}

impl<Fits> Trial for NodeTrial<'_, Fits>
where
    Fits: FnMut(&mut ClusterState, NodeId) -> Result<(), Rejection>,
{
    type Rejection = Rejection;

    fn remove(&mut self, pod: PodId) {
        let placed = self.state.unassign(pod).expect("a pod on the node is placed");
        self.removed.insert(pod, placed);
    }

    fn put_back(&mut self, pod: PodId) {
        let placed = self.removed.remove(&pod).expect("only removed pods are put back");
        self.state.assign(pod, placed.template, placed.node, placed.details);
    }

    fn fits(&mut self) -> Result<(), Rejection> {
        (self.fits)(self.state, self.node)
    }
}
