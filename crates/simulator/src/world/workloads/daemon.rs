//! DaemonSets: one pod on every node that takes it.

use super::{Site, Wanted};
use crate::controllers::daemon_set::{self, Command, DaemonPod, DaemonSetSpec, FailedPods, NodeFit};
use crate::controllers::pod::NodeKey;
use crate::kube::{
    Affinity, NodeAffinity, NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};
use crate::scenario::PodTemplate;
use crate::scheduler::NodeId;
use crate::world::nodes::NodeRecord;
use crate::world::pods::PodKey;
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(super) struct DaemonPods {
    failed: FailedPods,
    /// Each pod with the node it was made for and the revision it was made from.
    pods: BTreeMap<PodKey, (NodeKey, u64)>,
}

impl DaemonPods {
    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        self.pods.retain(|key, _| site.get(*key).is_some());
        let nodes: Vec<NodeKey> = site.cluster.node_ids().map(|id| NodeKey(id.index() as u32)).collect();
        let fits = fits(wanted, site, &nodes);
        let views = self.views(wanted, site);
        let fit = |node: NodeKey| fits.get(&node).copied().unwrap_or(NodeFit::Refuses);
        let now = site.now();
        let step = daemon_set::sync(&DaemonSetSpec::default(), &nodes, fit, &views, &mut self.failed, now);
        for command in step.commands {
            self.carry_out(command, wanted, site);
        }
        step.wake
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        let mut pods: Vec<PodKey> = self.pods.keys().copied().collect();
        let left = site.stop_all(&mut pods);
        self.pods.retain(|key, _| site.get(*key).is_some());
        left
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.pods.keys().copied().collect()
    }

    fn views(&self, wanted: &Wanted<'_>, site: &Site<'_>) -> Vec<DaemonPod> {
        let known = self.pods.iter().filter_map(|(key, made)| Some((site.get(*key)?, made)));
        known
            .map(|(record, (node, revision))| DaemonPod {
                pod: record.view(),
                node: *node,
                updated: *revision == wanted.revision,
            })
            .collect()
    }

    fn carry_out(&mut self, command: Command, wanted: &Wanted<'_>, site: &mut Site<'_>) {
        match command {
            Command::Create { node } => {
                let id = site
                    .cluster
                    .node_ids()
                    .find(|id| id.index() as u32 == node.0)
                    .expect("the node was shown");
                let name = site.cluster.node(id).expect("a listed node exists").name.to_string();
                let template = Arc::new(pinned(wanted.template, &name));
                let interned = site.intern(&template);
                let key = site.create(0, node.0, interned, &template);
                self.pods.insert(key, (node, wanted.revision));
            }
            Command::Delete { pod } => {
                let key = site.key(pod);
                site.stop(key);
            }
        }
    }
}

/// Where the pods belong. A node that is being drained keeps what it has until the drain stops it, and one that cannot be
/// reached keeps it for ever, as daemon pods tolerate that.
fn fits(wanted: &Wanted<'_>, site: &mut Site<'_>, nodes: &[NodeKey]) -> BTreeMap<NodeKey, NodeFit> {
    let id = site.intern(wanted.template);
    let ids: Vec<NodeId> = site.cluster.node_ids().collect();
    let fit = |site: &mut Site<'_>, node: NodeId| {
        let keeps = |record: &NodeRecord| record.is_draining() || record.unreachable;
        if site.cluster.node(node).is_some_and(keeps) {
            NodeFit::Keeps
        } else {
            site.cluster.daemon_fit(id, node)
        }
    };
    nodes.iter().copied().zip(ids).map(|(key, node)| (key, fit(site, node))).collect()
}

/// The template for one node: a required affinity to the node's name, as upstream writes it.
fn pinned(template: &PodTemplate, node: &str) -> PodTemplate {
    let mut pinned = template.clone();
    let requirement = NodeSelectorRequirement {
        key: "metadata.name".to_owned(),
        operator: NodeSelectorOperator::In,
        values: vec![node.to_owned()],
    };
    let term = NodeSelectorTerm { match_fields: vec![requirement], ..NodeSelectorTerm::default() };
    let affinity = pinned.pod.spec.affinity.get_or_insert_with(Affinity::default);
    let node_affinity = affinity.node_affinity.get_or_insert_with(NodeAffinity::default);
    node_affinity.required = Some(NodeSelector { node_selector_terms: vec![term] });
    pinned
}
