//! The course of the clusters over time: one list of moments, and a list of values as long for everything that is shown.

use crate::live::history::{Moment, Point};
use model::names::ClusterName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The clusters over time, in the federation's own time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    /// Moments, in milliseconds since the beginning of the run.
    pub at: Vec<u64>,
    pub clusters: Vec<ClusterCourse>,
}

/// One cluster; a value is null where it was not seen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterCourse {
    pub name: String,
    /// Cores.
    pub capacity_cpu: Vec<Option<f64>>,
    pub allocated_cpu: Vec<Option<f64>>,
    pub requested_cpu: Vec<Option<f64>>,
    pub used_cpu: Vec<Option<f64>>,
    /// Bytes.
    pub capacity_memory: Vec<Option<f64>>,
    pub allocated_memory: Vec<Option<f64>>,
    pub requested_memory: Vec<Option<f64>>,
    pub used_memory: Vec<Option<f64>>,
    pub pods_pending: Vec<Option<f64>>,
    pub nodes: Vec<Option<f64>>,
    /// Dollars.
    pub cost_per_hour: Vec<Option<f64>>,
    pub watts: Vec<Option<f64>>,
}

impl HistoryItem {
    /// The clusters that whoever asks may see.
    pub fn of(points: &[Arc<Point>], sees: impl Fn(&ClusterName) -> bool) -> Self {
        let names = points.iter().flat_map(|point| point.clusters.keys()).filter(|name| sees(name));
        let names: BTreeSet<&ClusterName> = names.collect();
        Self {
            at: points.iter().map(|point| point.at.0).collect(),
            clusters: names.into_iter().map(|name| ClusterCourse::of(name, points)).collect(),
        }
    }
}

impl ClusterCourse {
    fn of(name: &ClusterName, points: &[Arc<Point>]) -> Self {
        let moments: Vec<Option<&Moment>> = points.iter().map(|point| point.clusters.get(name)).collect();
        let each = |value: fn(&Moment) -> Option<f64>| -> Vec<Option<f64>> {
            moments.iter().map(|moment| moment.and_then(value)).collect()
        };
        Self {
            name: name.to_string(),
            capacity_cpu: each(|moment| Some(moment.capacity.cpu.0 as f64 / 1000.0)),
            allocated_cpu: each(|moment| Some(moment.allocated.cpu.0 as f64 / 1000.0)),
            requested_cpu: each(|moment| Some(moment.requested.cpu.0 as f64 / 1000.0)),
            used_cpu: each(|moment| moment.used_cpu),
            capacity_memory: each(|moment| Some(moment.capacity.memory.0 as f64)),
            allocated_memory: each(|moment| Some(moment.allocated.memory.0 as f64)),
            requested_memory: each(|moment| Some(moment.requested.memory.0 as f64)),
            used_memory: each(|moment| moment.used_memory),
            pods_pending: each(|moment| Some(f64::from(moment.pods_pending))),
            nodes: each(|moment| Some(f64::from(moment.nodes))),
            cost_per_hour: each(|moment| Some(moment.cost_per_hour)),
            watts: each(|moment| moment.watts),
        }
    }
}
