//! Kinds of cluster changes, and which plugin listens to which of them.

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

/// A plugin that can keep a pod from being scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plugin {
    SchedulingGates,
    NodeUnschedulable,
    NodeName,
    TaintToleration,
    NodeAffinity,
    NodePorts,
    NodeResourcesFit,
    PodTopologySpread,
    InterPodAffinity,
    /// Holds a pod back while its own preemption is under way.
    DefaultPreemption,
}

impl Plugin {
    pub const ALL: [Self; 10] = [
        Self::SchedulingGates,
        Self::NodeUnschedulable,
        Self::NodeName,
        Self::TaintToleration,
        Self::NodeAffinity,
        Self::NodePorts,
        Self::NodeResourcesFit,
        Self::PodTopologySpread,
        Self::InterPodAffinity,
        Self::DefaultPreemption,
    ];

    /// The changes after which this plugin is asked again about a pod it rejected.
    pub fn listens_to(self) -> Changes {
        match self {
            Self::SchedulingGates => Changes::POD_GATES_REMOVED,
            Self::NodeName => Changes::NODE_ADDED,
            Self::NodeUnschedulable | Self::TaintToleration => {
                Changes::NODE_ADDED | Changes::NODE_TAINTS | Changes::POD_TOLERATIONS
            }
            Self::NodeAffinity => Changes::NODE_ADDED | Changes::NODE_LABELS,
            Self::NodePorts => Changes::NODE_ADDED | Changes::POD_DELETED,
            Self::NodeResourcesFit => {
                Changes::NODE_ADDED
                    | Changes::NODE_ALLOCATABLE
                    | Changes::POD_DELETED
                    | Changes::POD_SCALED_DOWN
            }
            Self::PodTopologySpread => {
                Changes::NODE_ADDED
                    | Changes::NODE_DELETED
                    | Changes::NODE_LABELS
                    | Changes::NODE_TAINTS
                    | Changes::POD_ADDED
                    | Changes::POD_DELETED
                    | Changes::POD_LABELS
                    | Changes::POD_TOLERATIONS
            }
            Self::InterPodAffinity => {
                Changes::NODE_ADDED
                    | Changes::NODE_LABELS
                    | Changes::POD_ADDED
                    | Changes::POD_DELETED
                    | Changes::POD_LABELS
            }
            Self::DefaultPreemption => Changes::POD_DELETED,
        }
    }
}

/// A set of plugins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PluginSet(u16);

impl PluginSet {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self((1 << Plugin::ALL.len()) - 1);

    pub fn insert(&mut self, plugin: Plugin) {
        self.0 |= 1 << plugin as u16;
    }

    pub fn contains(self, plugin: Plugin) -> bool {
        self.0 & (1 << plugin as u16) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Plugin> {
        Plugin::ALL.into_iter().filter(move |plugin| self.contains(*plugin))
    }

    /// The members that listen to any of `changes`.
    #[must_use]
    pub fn listening_to(self, changes: Changes) -> Self {
        self.iter().filter(|plugin| plugin.listens_to().intersects(changes)).collect()
    }
}

impl FromIterator<Plugin> for PluginSet {
    fn from_iter<Plugins: IntoIterator<Item = Plugin>>(plugins: Plugins) -> Self {
        let mut set = Self::EMPTY;
        plugins.into_iter().for_each(|plugin| set.insert(plugin));
        set
    }
}
