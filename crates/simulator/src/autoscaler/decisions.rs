//! What a scan decides, and why it decides nothing more.

use super::config::Expander;
use super::view::GroupId;
use crate::scheduler::{NodeId, PodId, PodRejection, Rejection};
use model::time::Timestamp;

/// The outcome of one scan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    pub increase: Vec<Increase>,
    /// Orders that took too long; the caller withdraws them.
    pub give_up: Vec<GiveUp>,
    pub remove: Vec<Removal>,
    pub explanations: Explanations,
}

/// Nodes to order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Increase {
    pub group: GroupId,
    pub by: u32,
    pub reason: IncreaseReason,
}

/// What spoke for an increase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncreaseReason {
    /// Waiting pods that have a place on the new nodes.
    pub pods: u32,
    /// Groups that could have helped, this one included.
    pub options: u32,
    /// What left this option alone; nothing if it was the only one from the start.
    pub chosen_by: Option<Expander>,
}

/// The nodes of a group that did not become ready in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GiveUp {
    pub group: GroupId,
    pub nodes: u32,
}

/// A node to drain and remove.
#[derive(Clone, Debug, PartialEq)]
pub struct Removal {
    pub node: NodeId,
    pub group: GroupId,
    pub reason: RemovalReason,
    /// Pods to evict first; none if the node is empty but for daemons.
    pub evict: Vec<PodId>,
}

/// What spoke for a removal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RemovalReason {
    pub utilisation: f64,
    pub unneeded_since: Timestamp,
}

/// Why nothing else was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanations {
    pub halted: Option<Unhealthy>,
    /// In the order of the pending pods of the view; empty if nothing was done about them.
    pub pending: Vec<PendingOutcome>,
    /// Why no node is removed in this scan, whatever the nodes are like.
    pub scale_down_held: Option<Hold>,
    /// Nodes that are not removed; empty if scale-down was not looked at.
    pub kept: Vec<(NodeId, Kept)>,
}

/// Too many nodes are not ready to trust what is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unhealthy {
    pub unready: u32,
    pub nodes: u32,
}

/// What becomes of pending pods that are alike. The counts add up to theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingOutcome {
    /// Have a place on nodes that are there or booting.
    pub fit_already: u32,
    /// Have a place on the nodes ordered now.
    pub helped: u32,
    pub not_helped: u32,
    /// Why the rest was not helped.
    pub reason: Option<NoHelp>,
}

/// Why pods trigger no scale-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoHelp {
    /// Their priority is too low.
    Expendable,
    /// Even the oldest pod is so young that more are expected.
    TooNew,
    /// The cluster has as many nodes as it may.
    MaxNodesTotal,
    /// Some group would take them, but another option came first; the next scan looks again.
    Later,
    /// The pod is refused by any node.
    PodRefused(PodRejection),
    /// Every group for its reason.
    NoGroup(Vec<(GroupId, GroupRefusal)>),
}

/// Why a group does not help a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupRefusal {
    AtMaximum,
    BackedOff {
        until: Timestamp,
    },
    /// A new, empty node refuses the pod.
    NodeRefuses(Rejection),
    /// A new node takes such a pod, but not as many as there are, or not after larger ones: a limit was reached.
    LimitReached,
}

/// Why nothing is removed for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    Disabled,
    /// Nodes were added in this scan; unneeded nodes were not even looked for.
    ScalingUp,
    /// New pods are waiting.
    FreshPods,
    AfterAdd {
        until: Timestamp,
    },
    AfterDelete {
        until: Timestamp,
    },
    AfterFailure {
        until: Timestamp,
    },
}

/// Why a node stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept {
    NotAutoscaled,
    BeingRemoved,
    GroupAtMinimum,
    ScaleDownDisabled,
    NotUnderutilised {
        utilisation: f64,
    },
    /// It could not be emptied a short while ago.
    RecentlyUnremovable {
        until: Timestamp,
    },
    /// As many unneeded nodes are known as can be removed in time.
    NotLookedAt,
    PodBlocks {
        pod: PodId,
        because: Blocking,
    },
    /// The pod fits on no other node.
    NoPlace {
        pod: PodId,
    },
    /// Unneeded, but not for long enough.
    UnneededSince(Timestamp),
    /// Unneeded for long enough, but see [`Explanations::scale_down_held`].
    Held,
    /// Unneeded for long enough, but as many nodes as allowed are being removed.
    Queued,
}

/// Why a pod may not be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    NobodyReplacesIt,
    SystemPod,
    NotSafeToEvict,
    LocalStorage,
    DisruptionBudget,
}
