//! What is known about the federation at one moment: everything a strategy may see, dated, with its gaps.

use crate::money::MicroDollars;
use crate::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use crate::ratio::Ratio;
use crate::resources::Resources;
use crate::signal::Readings;
use crate::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One observation of the whole federation. Possibly incomplete, never silently so: what is missing is in `gaps`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When the world was in this state, not when the snapshot arrived.
    pub taken_at: Timestamp,
    pub clusters: BTreeMap<ClusterName, ClusterView>,
    pub workloads: BTreeMap<WorkloadRef, WorkloadView>,
    pub gaps: Vec<Gap>,
}

/// One cluster as observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterView {
    /// Usable by workloads on ready nodes: what the nodes offer minus what the system on them takes.
    pub capacity: Resources,
    /// Requests of pods that have a node.
    pub allocated: Resources,
    /// Requests of all pods, with or without a node; may exceed the capacity.
    pub requested: Resources,
    /// Pods that wait for a node.
    pub pods_pending: u32,
    /// Whether something in the cluster adds nodes for pending pods by itself.
    pub autoscaled: bool,
    pub pools: BTreeMap<PoolName, PoolView>,
    pub nodes: BTreeMap<NodeName, NodeView>,
    /// What is measured about it.
    #[serde(default, skip_serializing_if = "Readings::is_empty")]
    pub signals: Readings,
}

impl ClusterView {
    pub fn cpu_load(&self) -> Ratio {
        Ratio::of(self.allocated.cpu.0, self.capacity.cpu.0)
    }

    pub fn memory_load(&self) -> Ratio {
        Ratio::of(self.allocated.memory.0, self.capacity.memory.0)
    }

    /// The fuller of CPU and memory.
    pub fn load(&self) -> Ratio {
        self.allocated.load_of(self.capacity)
    }

    /// The share of pods that are pending.
    pub fn pending_share(&self) -> Ratio {
        Ratio::of(u64::from(self.pods_pending), self.requested.pods)
    }

    /// How many pods of this size the nodes could still take, node by node, counting only free room.
    pub fn room_for(&self, each: Resources) -> u64 {
        self.nodes.values().filter(|node| node.schedulable).map(|node| node.free().how_many(each)).sum()
    }

    /// What the cluster could offer if every pool grew to its maximum.
    pub fn capacity_at_maximum(&self) -> Resources {
        let growth =
            |pool: &PoolView| pool.node_capacity.times(u64::from(pool.maximum.saturating_sub(pool.nodes)));
        self.pools.values().map(growth).fold(self.capacity, |sum, more| sum + more)
    }
}

/// A set of equal nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolView {
    /// Nodes that are ready.
    pub nodes: u32,
    /// Nodes that were asked for and are not ready yet.
    pub booting: u32,
    pub minimum: u32,
    pub maximum: u32,
    /// Usable by workloads on one node.
    pub node_capacity: Resources,
    pub price_per_hour: MicroDollars,
    /// How long a new node usually takes to become ready.
    pub boot_time: Period,
}

/// One node as observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeView {
    pub pool: PoolName,
    pub capacity: Resources,
    pub allocated: Resources,
    /// Ready and not cordoned.
    pub schedulable: bool,
    /// What is measured about it.
    #[serde(default, skip_serializing_if = "Readings::is_empty")]
    pub signals: Readings,
}

impl NodeView {
    pub fn free(&self) -> Resources {
        self.capacity.minus(self.allocated)
    }
}

/// One workload as observed, with all its placements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadView {
    /// What one pod requests; `pods` is 1.
    pub each: Resources,
    /// Replicas that should run in the whole federation.
    pub replicas: u32,
    pub placements: BTreeMap<ClusterName, PlacementView>,
    pub priority: i32,
    /// Whether its owner lets it be moved.
    pub movable: bool,
    /// Whether an action on it is under way.
    pub moving: bool,
    pub created_at: Timestamp,
    pub last_moved_at: Option<Timestamp>,
    /// Who else sets its replicas and would undo what is set, such as an autoscaler with its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaled_by: Option<String>,
    /// The mark by which a tool that follows a repository says that it owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// How many of its pods may be disrupted now, in the cluster where the fewest may; nothing where nobody set a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disruptions_allowed: Option<u32>,
    /// What is measured about it.
    #[serde(default, skip_serializing_if = "Readings::is_empty")]
    pub signals: Readings,
}

impl WorkloadView {
    /// The cluster that holds most replicas; the first in name order wins a tie.
    pub fn home(&self) -> Option<&ClusterName> {
        let best = self.placements.values().map(|placement| placement.replicas).max()?;
        self.placements.iter().find(|(_, placement)| placement.replicas == best).map(|(name, _)| name)
    }

    pub fn pods_pending(&self) -> u32 {
        self.placements.values().map(|placement| placement.pods_pending).sum()
    }
}

/// A workload's share in one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacementView {
    /// Replicas that should run here.
    pub replicas: u32,
    /// Pods that exist here, pending ones and ones that are ending included.
    pub pods: u32,
    pub pods_pending: u32,
    pub pods_ready: u32,
    /// Since when at least one of the pods here has been pending.
    pub pending_since: Option<Timestamp>,
}

/// Something that could not be observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    pub subject: GapSubject,
    pub reason: String,
    /// The last time it was known.
    pub known_at: Option<Timestamp>,
}

/// What a gap is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapSubject {
    Cluster(ClusterName),
    Workload(WorkloadRef),
    /// Somebody who is asked about the federation, by name: `karmada`, `prometheus`.
    Source(String),
}

impl Snapshot {
    /// The gap that hides this cluster, if there is one.
    pub fn gap_of_cluster(&self, cluster: &ClusterName) -> Option<&Gap> {
        self.gaps.iter().find(|gap| matches!(&gap.subject, GapSubject::Cluster(name) if name == cluster))
    }
}
