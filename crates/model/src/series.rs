//! What was measured over time, cluster by cluster: filled in by a world's meters, read by reports.

use crate::money::MicroDollars;
use crate::names::ClusterName;
use crate::resources::Resources;
use crate::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};

/// One cluster at one moment. Everything but the cost is the state at that moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    pub at: Timestamp,
    /// Nodes that are ready.
    pub nodes: u32,
    /// Usable by workloads on ready nodes.
    pub capacity: Resources,
    /// Requests of pods that have a node.
    pub allocated: Resources,
    /// Requests of all pods, with or without a node; may exceed the capacity.
    pub requested: Resources,
    pub pods_pending: u32,
    pub pods_running: u32,
    /// What the cluster has cost since the start.
    pub cost: MicroDollars,
}

/// All samples of a run, oldest first within each cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The time between two samples.
    pub every: Period,
    pub clusters: Vec<(ClusterName, Vec<Sample>)>,
}
