//! What services did for their clients.

use super::{rounded, rounded_option};
use model::energy::Microjoules;
use serde::{Deserialize, Serialize};
use simulator::world::{ElasticityTotals, ServiceTotals};

/// One service over the whole run. Requests are expected values, so they need not be whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServiceMeters {
    #[serde(serialize_with = "rounded")]
    pub requests: f64,
    #[serde(serialize_with = "rounded")]
    pub completed: f64,
    #[serde(serialize_with = "rounded")]
    pub time_outs: f64,
    /// Refused because too many waited.
    #[serde(serialize_with = "rounded")]
    pub queue_full: f64,
    /// Refused because no replica was ready, or none could be reached.
    #[serde(serialize_with = "rounded")]
    pub nobody_ready: f64,
    /// Lost with the replica that worked on them.
    #[serde(serialize_with = "rounded")]
    pub broken: f64,
    #[serde(serialize_with = "rounded")]
    pub downtime_s: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_mean_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p50_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p95_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p99_ms: f64,
    /// The share of time, and of requests, for which the objective was missed.
    #[serde(serialize_with = "rounded")]
    pub objective_missed_time_ratio: f64,
    #[serde(serialize_with = "rounded")]
    pub objective_missed_request_ratio: f64,
    /// The share of time in which replicas used more than nine tenths of what they request.
    #[serde(serialize_with = "rounded")]
    pub overloaded_time_ratio: f64,
    #[serde(serialize_with = "rounded")]
    pub core_hours: f64,
    #[serde(serialize_with = "rounded")]
    pub replica_hours: f64,
    pub replicas_max: u32,
    pub replica_changes: u64,
    pub elasticity: ElasticityMeters,
    /// Its part of what its hosts drew.
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub energy_kwh: Option<f64>,
}

/// How closely ready replicas followed needed ones, in per cent; jitter in changes per hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElasticityMeters {
    #[serde(serialize_with = "rounded")]
    pub under_provisioning_accuracy: f64,
    #[serde(serialize_with = "rounded")]
    pub over_provisioning_accuracy: f64,
    #[serde(serialize_with = "rounded")]
    pub under_provisioning_time: f64,
    #[serde(serialize_with = "rounded")]
    pub over_provisioning_time: f64,
    #[serde(serialize_with = "rounded")]
    pub instability: f64,
    #[serde(serialize_with = "rounded")]
    pub jitter_per_hour: f64,
}

impl From<&ServiceTotals> for ServiceMeters {
    fn from(totals: &ServiceTotals) -> Self {
        Self {
            requests: totals.requests,
            completed: totals.completed,
            time_outs: totals.time_outs,
            queue_full: totals.queue_full,
            nobody_ready: totals.nobody_ready,
            broken: totals.broken,
            downtime_s: totals.downtime.as_seconds_float(),
            latency_mean_ms: totals.latency_mean_ms,
            latency_p50_ms: totals.latency_p50_ms,
            latency_p95_ms: totals.latency_p95_ms,
            latency_p99_ms: totals.latency_p99_ms,
            objective_missed_time_ratio: totals.objective_missed_time,
            objective_missed_request_ratio: totals.objective_missed_requests,
            overloaded_time_ratio: totals.overloaded_time,
            core_hours: totals.core_hours,
            replica_hours: totals.replica_hours,
            replicas_max: totals.replicas_max,
            replica_changes: totals.replica_changes,
            elasticity: ElasticityMeters::from(&totals.elasticity),
            energy_kwh: totals.energy.map(Microjoules::as_kilowatt_hours_float),
        }
    }
}

impl From<&ElasticityTotals> for ElasticityMeters {
    fn from(totals: &ElasticityTotals) -> Self {
        Self {
            under_provisioning_accuracy: totals.under_provisioning_accuracy,
            over_provisioning_accuracy: totals.over_provisioning_accuracy,
            under_provisioning_time: totals.under_provisioning_time,
            over_provisioning_time: totals.over_provisioning_time,
            instability: totals.instability,
            jitter_per_hour: totals.jitter_per_hour,
        }
    }
}
