//! What a hint may look at: a node or a pod as it was before and as it is after a change.

use super::Changes;
use crate::kube::Taint;
use crate::scheduler::nodes::{NodeId, NodeResources, OtherResources, PodId};
use crate::scheduler::state::ClusterState;
use crate::scheduler::symbol::{Labels, Symbol};
use crate::scheduler::template::{Requests, TemplateId};

/// A node at one moment. Taken before an update, it outlives the update.
#[derive(Clone, Debug)]
pub struct NodeFacts {
    pub(super) name: Option<Symbol>,
    pub(super) labels: Labels,
    pub(super) taints: Vec<Taint>,
    pub(super) is_unschedulable: bool,
    pub(super) resources: NodeResources,
    pub(super) allocatable_ephemeral: i64,
    pub(super) others: OtherResources,
}

/// A pod at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodFacts {
    pub pod: PodId,
    pub template: TemplateId,
    pub is_bound: bool,
    /// Room is kept for it on a node.
    pub is_nominated: bool,
}

/// The pod a hint is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub pod: PodId,
    pub template: TemplateId,
}

/// An object that came (no `old`), went (no `new`) or became another.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    Node { old: Option<&'a NodeFacts>, new: Option<&'a NodeFacts> },
    Pod { old: Option<PodFacts>, new: Option<PodFacts> },
}

impl ClusterState {
    /// The node as it is now.
    pub fn node_facts(&self, node: NodeId) -> NodeFacts {
        let details = &self.nodes.details[node.index()];
        let gate = self.nodes.gates[node.index()];
        NodeFacts {
            name: details.name,
            labels: details.labels.clone(),
            taints: self.taints(gate.taints).to_vec(),
            is_unschedulable: gate.unschedulable,
            resources: self.nodes.resources[node.index()],
            allocatable_ephemeral: details.ephemeral.allocatable,
            others: details.allocatable_others.clone(),
        }
    }
}

impl Change<'_> {
    /// What kinds of change this is, for the queue.
    pub fn kinds(&self, state: &ClusterState) -> Changes {
        match *self {
            Self::Node { old: None, new: Some(_) } => Changes::NODE_ADDED,
            Self::Node { old: Some(_), new: None } => Changes::NODE_DELETED,
            Self::Node { old: Some(old), new: Some(new) } => node_update(old, new),
            Self::Pod { old: None, new: Some(_) } => Changes::POD_ADDED,
            Self::Pod { old: Some(_), new: None } => Changes::POD_DELETED,
            Self::Pod { old: Some(old), new: Some(new) } => pod_update(old, new, state),
            Self::Node { old: None, new: None } | Self::Pod { old: None, new: None } => Changes::NONE,
        }
    }
}

fn node_update(old: &NodeFacts, new: &NodeFacts) -> Changes {
    let was_freed = old.is_unschedulable && !new.is_unschedulable;
    [
        (old.allocatable() != new.allocatable() || old.others != new.others, Changes::NODE_ALLOCATABLE),
        (old.labels != new.labels, Changes::NODE_LABELS),
        (old.taints != new.taints || was_freed, Changes::NODE_TAINTS),
    ]
    .into_iter()
    .filter(|(is_so, _)| *is_so)
    .fold(Changes::NONE, |all, (_, kind)| all | kind)
}

fn pod_update(old: PodFacts, new: PodFacts, state: &ClusterState) -> Changes {
    let (old, new) = (state.template(old.template), state.template(new.template));
    [
        (old.labels != new.labels, Changes::POD_LABELS),
        (is_less(&new.occupied, &old.occupied), Changes::POD_SCALED_DOWN),
        (old.has_gates && !new.has_gates, Changes::POD_GATES_REMOVED),
        (old.tolerations.len() != new.tolerations.len(), Changes::POD_TOLERATIONS),
    ]
    .into_iter()
    .filter(|(is_so, _)| *is_so)
    .fold(Changes::NONE, |all, (_, kind)| all | kind)
}

/// Whether any amount went down.
fn is_less(new: &Requests, old: &Requests) -> bool {
    let other =
        |resource| new.others.iter().find(|(name, _)| *name == resource).map_or(0, |(_, amount)| *amount);
    new.cpu < old.cpu
        || new.memory < old.memory
        || new.ephemeral < old.ephemeral
        || old.others.iter().any(|&(resource, amount)| other(resource) < amount)
}

impl NodeFacts {
    fn allocatable(&self) -> [i64; 4] {
        let resources = &self.resources;
        [
            resources.allocatable_cpu,
            resources.allocatable_memory,
            self.allocatable_ephemeral,
            resources.allocatable_pods,
        ]
    }
}
