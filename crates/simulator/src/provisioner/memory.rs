//! What the provisioner remembers: plain data, so that a cloned world has its own.

use super::config::ProvisionerConfig;
use super::disruption::{Method, Proposed};
use super::view::ProvisionerView;
use crate::scheduler::NodeId;
use model::time::Timestamp;
use std::collections::BTreeMap;

/// Memory of one cluster's provisioner.
#[derive(Clone, Debug, Default)]
pub struct ProvisionerMemory {
    /// Nodes that pods are meant for: when they were made, so that a later node with the same number is not spared,
    /// and until when.
    nominated: BTreeMap<NodeId, (Timestamp, Timestamp)>,
    /// A command that waits to be looked at again.
    pub(super) proposed: Option<Proposed>,
    /// When and on what a method last found nothing to do.
    found_nothing: BTreeMap<Method, Nothing>,
}

#[derive(Clone, Debug)]
struct Nothing {
    at: Timestamp,
    version: u64,
    candidates: Vec<NodeId>,
}

impl ProvisionerMemory {
    /// When the command that waits is looked at again.
    pub fn validates_at(&self) -> Option<Timestamp> {
        self.proposed.as_ref().map(|proposed| proposed.due)
    }

    pub(super) fn nominate(
        &mut self,
        now: Timestamp,
        config: &ProvisionerConfig,
        view: &ProvisionerView<'_>,
        nodes: impl Iterator<Item = NodeId>,
    ) {
        self.nominated.retain(|_, (_, until)| *until > now);
        let until = now + config.nomination_window();
        for node in nodes {
            if let Some(known) = view.cluster.nodes.iter().find(|one| one.node == node) {
                self.nominated.insert(node, (known.created, until));
            }
        }
    }

    /// Until when the node is spared because pods are meant for it.
    pub(super) fn nominated_until(
        &self,
        now: Timestamp,
        node: NodeId,
        created: Timestamp,
    ) -> Option<Timestamp> {
        let (of, until) = *self.nominated.get(&node)?;
        (of == created && until > now).then_some(until)
    }

    /// Whether the method looked at the same in vain a short while ago.
    pub(super) fn is_known_idle(
        &self,
        now: Timestamp,
        config: &ProvisionerConfig,
        method: Method,
        version: u64,
        candidates: &[NodeId],
    ) -> bool {
        let same = |known: &Nothing| known.version == version && known.candidates == candidates;
        let known = self.found_nothing.get(&method).filter(|known| same(known));
        known.is_some_and(|known| now.since(known.at) < config.recheck_after)
    }

    pub(super) fn note_idle(&mut self, at: Timestamp, method: Method, version: u64, candidates: Vec<NodeId>) {
        self.found_nothing.insert(method, Nothing { at, version, candidates });
    }
}
