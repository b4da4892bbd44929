//! What the autoscaler looks at: plain data about one cluster, lent for one scan.

use crate::kube;
use crate::scheduler::{ClusterState, NodeId, PodId, TemplateId};
use model::money::MicroDollars;
use model::time::Timestamp;

/// A node group's place in [`ClusterView::groups`]; the same in every scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupId(pub u32);

impl GroupId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A disruption budget's place in [`ClusterView::budgets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BudgetId(pub u32);

impl BudgetId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes of one kind that can be ordered and returned.
#[derive(Clone, Copy, Debug)]
pub struct GroupView<'a> {
    pub name: &'a str,
    /// What the next nodes look like, those that boot included, in the order in which they come and over and over: one
    /// for each zone. Never empty; name and host name label are set for each.
    pub templates: &'a [kube::Node],
    /// Daemons of the cluster; those that fit run on every new node.
    pub daemons: &'a [TemplateId],
    /// Nodes that are there or ordered, without those being removed.
    pub target: u32,
    pub minimum: u32,
    pub maximum: u32,
    /// When each node that is not ready yet was ordered.
    pub booting: &'a [Timestamp],
    pub price_per_hour: MicroDollars,
    /// For [`super::Expander::Priority`].
    pub priority: Option<i32>,
}

impl GroupView<'_> {
    /// What all new nodes have in common.
    pub(crate) fn template(&self) -> &kube::Node {
        self.template_of(0)
    }

    /// What the node of this number looks like, counted from the first that boots.
    pub(crate) fn template_of(&self, number: usize) -> &kube::Node {
        &self.templates[number % self.templates.len()]
    }
}

/// A removal under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removing {
    Empty,
    Draining,
}

/// A node that is there. Nodes that boot for the first time are in [`GroupView::booting`] instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeView {
    pub node: NodeId,
    /// Nothing for a node that is not the autoscaler's to remove.
    pub group: Option<GroupId>,
    /// What was remembered before belongs to another node that had the same number.
    pub created: Timestamp,
    pub ready: bool,
    pub removing: Option<Removing>,
    /// The annotation `scale-down-disabled`.
    pub scale_down_disabled: bool,
}

/// Pods of one shape and one owner that found no node. Pods that were promised a node are not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingPods {
    pub template: TemplateId,
    /// The caller's number for the owner, to tell groups apart; it decides nothing here.
    pub controller: Option<u32>,
    pub count: u32,
    pub priority: i32,
    /// When the oldest of them was made.
    pub oldest: Timestamp,
}

/// Who would make a pod again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodOwner {
    Nobody,
    Controller,
    Daemon,
    /// The node itself.
    Mirror,
}

/// What decides whether a placed pod can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodTraits {
    pub owner: PodOwner,
    /// In the namespace `kube-system`.
    pub system: bool,
    pub local_storage: bool,
    /// The annotation `safe-to-evict`.
    pub safe_to_evict: Option<bool>,
    /// The disruption budget that covers it; at most one, since eviction refuses a pod with two.
    pub budget: Option<BudgetId>,
    pub created: Timestamp,
    /// Was told to stop; whoever replaces it has been asked to.
    pub stopping: bool,
    /// Should have stopped long ago: its grace period and 30 s more are over.
    pub overdue_to_stop: bool,
}

/// One cluster at one moment.
#[derive(Clone, Copy)]
pub struct ClusterView<'a> {
    pub state: &'a ClusterState,
    pub groups: &'a [GroupView<'a>],
    /// Every node in `state`.
    pub nodes: &'a [NodeView],
    pub unschedulable: &'a [PendingPods],
    /// Asked only about pods on nodes that might be removed.
    pub pod: &'a dyn Fn(PodId) -> PodTraits,
    /// Disruptions each budget allows now.
    pub budgets: &'a [u32],
    /// No pod has this number or a larger one.
    pub unused_pods_from: PodId,
}

impl ClusterView<'_> {
    pub(crate) fn group(&self, id: GroupId) -> &GroupView<'_> {
        &self.groups[id.index()]
    }

    /// False for pods that were only placed in thought.
    pub(crate) fn exists(&self, pod: PodId) -> bool {
        pod < self.unused_pods_from
    }

    pub(crate) fn group_ids(&self) -> impl Iterator<Item = GroupId> + use<> {
        (0..self.groups.len()).map(|index| GroupId(index as u32))
    }
}
