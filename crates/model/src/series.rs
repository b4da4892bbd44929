//! What was measured over time, cluster by cluster: filled in by a world's meters, read by reports.

use crate::energy::Milliwatts;
use crate::money::MicroDollars;
use crate::names::{ClusterName, WorkloadRef};
use crate::quantity::MilliCpu;
use crate::resources::Resources;
use crate::signal::Milli;
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
    /// CPU that is really used; not known where nothing is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_used: Option<MilliCpu>,
    /// What the nodes draw; not known where no power model is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Milliwatts>,
}

/// One service at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceSample {
    pub at: Timestamp,
    /// Requests per second that come if nobody has to wait.
    pub demand: Milli,
    /// Users, where demand is given by them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<Milli>,
    /// Requests answered in time, per second.
    pub throughput: Milli,
    /// Requests that fail or time out, per second.
    pub errors: Milli,
    pub latency_mean_ms: Milli,
    pub latency_p95_ms: Milli,
    pub replicas_ready: u32,
    /// The fewest replicas that keep their use below nine tenths of what they request.
    pub replicas_needed: u32,
    pub cpu_used: MilliCpu,
}

/// All samples of a run, oldest first within each cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The time between two samples.
    pub every: Period,
    pub clusters: Vec<(ClusterName, Vec<Sample>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<(WorkloadRef, Vec<ServiceSample>)>,
}
