//! Kinds of cluster changes, and which plugin listens to which of them.

use crate::scheduler::status::{Plugin, PluginSet};
use std::ops::{BitOr, BitOrAssign};

/// A set of kinds of changes. One update of an object may be several of them at once.
///
/// Changes nobody listens to (annotations, conditions, …) have no kind: their set is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes(u16);

impl Changes {
    pub const NONE: Self = Self(0);
    pub const NODE_ADDED: Self = Self(1);
    pub const NODE_DELETED: Self = Self(1 << 1);
    pub const NODE_ALLOCATABLE: Self = Self(1 << 2);
    pub const NODE_LABELS: Self = Self(1 << 3);
    /// Taints changed, or the node was cordoned off no more.
    pub const NODE_TAINTS: Self = Self(1 << 4);
    /// A pod was bound to a node.
    pub const POD_ADDED: Self = Self(1 << 5);
    /// A bound or nominated pod went away.
    pub const POD_DELETED: Self = Self(1 << 6);
    pub const POD_LABELS: Self = Self(1 << 7);
    /// A request of a pod went down or away.
    pub const POD_SCALED_DOWN: Self = Self(1 << 8);
    pub const POD_TOLERATIONS: Self = Self(1 << 9);
    /// The last scheduling gate of a pod was removed.
    pub const POD_GATES_REMOVED: Self = Self(1 << 10);

    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Changes {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Changes {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// The changes after which `plugin` is asked again about a pod it rejected.
pub fn listens_to(plugin: Plugin) -> Changes {
    match plugin {
        Plugin::SchedulingGates => Changes::POD_GATES_REMOVED,
        Plugin::NodeName => Changes::NODE_ADDED,
        Plugin::NodeUnschedulable | Plugin::TaintToleration => {
            Changes::NODE_ADDED | Changes::NODE_TAINTS | Changes::POD_TOLERATIONS
        }
        Plugin::NodeAffinity => Changes::NODE_ADDED | Changes::NODE_LABELS,
        Plugin::NodePorts => Changes::NODE_ADDED | Changes::POD_DELETED,
        Plugin::NodeResourcesFit => {
            Changes::NODE_ADDED | Changes::NODE_ALLOCATABLE | Changes::POD_DELETED | Changes::POD_SCALED_DOWN
        }
        Plugin::PodTopologySpread => {
            Changes::NODE_ADDED
                | Changes::NODE_DELETED
                | Changes::NODE_LABELS
                | Changes::NODE_TAINTS
                | Changes::POD_ADDED
                | Changes::POD_DELETED
                | Changes::POD_LABELS
                | Changes::POD_TOLERATIONS
        }
        Plugin::InterPodAffinity => {
            Changes::NODE_ADDED
                | Changes::NODE_LABELS
                | Changes::POD_ADDED
                | Changes::POD_DELETED
                | Changes::POD_LABELS
        }
        Plugin::NodeResourcesBalancedAllocation | Plugin::ImageLocality => Changes::NONE,
    }
}

/// Those of `plugins` that listen to any of `changes`.
pub fn listening_to(plugins: PluginSet, changes: Changes) -> PluginSet {
    plugins.iter().filter(|plugin| listens_to(*plugin).intersects(changes)).collect()
}
