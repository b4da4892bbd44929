//! A service as a person writes it. Nothing here is trusted until [`super::check`] has turned it into a
//! [`super::ServiceSpec`]. The doc comments are the descriptions in the published schema.

use super::profile::USUAL_QUEUE;
use crate::demand::RawDemand;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a workload serves: who asks, and what an answer costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawService {
    /// How much is asked for.
    pub demand: RawDemand,
    /// Core time of one request; either this or `requests_per_core` is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_per_request: Option<Period>,
    /// How many requests one core can answer per second, for requests that cost less than some milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_core: Option<f64>,
    /// Time of one request that is not CPU: disks, other services, batching.
    #[serde(default)]
    pub wait_per_request: Period,
    /// A client that has waited so long goes away; without it clients wait for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_out: Option<Period>,
    /// How many requests may wait in front of one replica.
    #[serde(default = "usual_queue")]
    pub queue: u64,
    /// How many requests one replica works on at the same time; as many as come by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub concurrency: Option<u32>,
    /// Standard deviation of the logarithm of a random factor on measured latencies: 0.2 is about twenty per cent.
    #[serde(default)]
    pub latency_noise: f64,
    /// Replicas that have just started are slower for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_start: Option<RawSlowStart>,
    /// How waiting is modelled.
    #[serde(default)]
    pub model: RawModel,
}

const fn usual_queue() -> u64 {
    USUAL_QUEUE
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawSlowStart {
    /// How many times the usual CPU time a request takes.
    pub factor: f64,
    /// For how long after becoming ready.
    #[serde(rename = "for")]
    pub length: Period,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawModel {
    /// Requests queue; open or closed follows from the demand.
    #[default]
    Queueing,
    /// Work is demand times cost up to the capacity; nothing waits.
    Fluid,
}
