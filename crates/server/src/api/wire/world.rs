//! The federation as it was last observed.

use crate::live::history::cost_per_hour;
use model::names::{ClusterName, WorkloadRef};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{ClusterView, NodeView, PlacementView, PoolView, WorkloadView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cluster in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterItem {
    pub name: String,
    /// Usable by workloads on ready nodes, in cores and bytes.
    pub capacity: Amounts,
    /// Requests of pods that have a node.
    pub allocated: Amounts,
    /// Requests of all pods.
    pub requested: Amounts,
    /// The fuller of CPU and memory.
    pub load: f64,
    pub pods_pending: u32,
    pub nodes: usize,
    pub nodes_booting: u32,
    pub autoscaled: bool,
    pub cost_per_hour: f64,
    /// Why it could not be seen, if it could not, and the last time it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<u64>,
    /// Measured signals by name.
    pub signals: BTreeMap<String, SignalItem>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Amounts {
    pub cpu_cores: f64,
    pub memory_bytes: u64,
    pub pods: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalItem {
    pub value: f64,
    /// When it was true, in the federation's own time.
    pub at: u64,
}

/// A cluster with its pools and nodes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterDetail {
    #[serde(flatten)]
    pub cluster: ClusterItem,
    pub pools: Vec<PoolItem>,
    pub node_list: Vec<NodeItem>,
    pub observed_at: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolItem {
    pub name: String,
    pub nodes: u32,
    pub booting: u32,
    pub minimum: u32,
    pub maximum: u32,
    pub node_capacity: Amounts,
    pub price_per_hour: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeItem {
    pub name: String,
    pub pool: String,
    pub capacity: Amounts,
    pub allocated: Amounts,
    pub schedulable: bool,
}

/// A workload with its placements.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadItem {
    /// `deployment/default/frontend`.
    pub workload: String,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    pub each: Amounts,
    pub replicas: u32,
    pub pods_pending: u32,
    pub placements: Vec<PlacementItem>,
    pub priority: i32,
    pub movable: bool,
    pub moving: bool,
    pub created_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_moved_at: Option<u64>,
    pub signals: BTreeMap<String, SignalItem>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementItem {
    pub cluster: String,
    pub replicas: u32,
    pub pods: u32,
    pub pods_pending: u32,
    pub pods_ready: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadPage {
    pub items: Vec<WorkloadItem>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    pub as_of: u64,
}

impl From<Resources> for Amounts {
    fn from(resources: Resources) -> Self {
        Self {
            cpu_cores: resources.cpu.0 as f64 / 1000.0,
            memory_bytes: resources.memory.0,
            pods: resources.pods,
        }
    }
}

fn signals(readings: &Readings) -> BTreeMap<String, SignalItem> {
    let item = |(signal, reading): (model::signal::Signal, model::signal::Reading)| {
        let name = serde_json::to_value(signal).ok().and_then(|name| name.as_str().map(str::to_owned));
        (name.unwrap_or_default(), SignalItem { value: reading.value.as_f64(), at: reading.at.0 })
    };
    readings.iter().map(item).collect()
}

impl ClusterItem {
    pub fn new(name: &ClusterName, view: &ClusterView) -> Self {
        Self {
            name: name.to_string(),
            capacity: view.capacity.into(),
            allocated: view.allocated.into(),
            requested: view.requested.into(),
            load: view.load().as_f64(),
            pods_pending: view.pods_pending,
            nodes: view.nodes.len(),
            nodes_booting: view.pools.values().map(|pool| pool.booting).sum(),
            autoscaled: view.autoscaled,
            cost_per_hour: cost_per_hour(view),
            hidden_because: None,
            last_seen_at: None,
            signals: signals(&view.signals),
        }
    }
}

impl ClusterDetail {
    pub fn new(cluster: ClusterItem, view: &ClusterView, observed_at: u64) -> Self {
        let pool = |(name, pool): (&model::names::PoolName, &PoolView)| PoolItem {
            name: name.to_string(),
            nodes: pool.nodes,
            booting: pool.booting,
            minimum: pool.minimum,
            maximum: pool.maximum,
            node_capacity: pool.node_capacity.into(),
            price_per_hour: pool.price_per_hour.as_dollars_float(),
        };
        let node = |(name, node): (&model::names::NodeName, &NodeView)| NodeItem {
            name: name.to_string(),
            pool: node.pool.to_string(),
            capacity: node.capacity.into(),
            allocated: node.allocated.into(),
            schedulable: node.schedulable,
        };
        let (pools, nodes) = (view.pools.iter().map(pool).collect(), view.nodes.iter().map(node).collect());
        Self { cluster, pools, node_list: nodes, observed_at }
    }
}

impl WorkloadItem {
    pub fn new(name: &WorkloadRef, view: &WorkloadView) -> Self {
        let placement = |(cluster, placement): (&ClusterName, &PlacementView)| PlacementItem {
            cluster: cluster.to_string(),
            replicas: placement.replicas,
            pods: placement.pods,
            pods_pending: placement.pods_pending,
            pods_ready: placement.pods_ready,
        };
        Self {
            workload: name.to_string(),
            kind: name.kind().as_str().to_owned(),
            namespace: name.namespace().to_owned(),
            name: name.name().to_owned(),
            each: view.each.into(),
            replicas: view.replicas,
            pods_pending: view.pods_pending(),
            placements: view.placements.iter().map(placement).collect(),
            priority: view.priority,
            movable: view.movable,
            moving: view.moving,
            created_at: view.created_at.0,
            last_moved_at: view.last_moved_at.map(|at| at.0),
            signals: signals(&view.signals),
        }
    }
}
