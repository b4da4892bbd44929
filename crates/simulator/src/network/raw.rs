//! The network as a person writes it. The doc comments are the descriptions in the published schema.

use super::split::Fallback;
use model::latency::Latency;
use model::quantity::Bytes;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where demand comes from and how far it is to the clusters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawNetwork {
    /// Where clients are, by name.
    pub areas: BTreeMap<String, RawArea>,
    /// Round trips from areas to clusters, and between clusters.
    #[serde(default)]
    pub latency: Vec<RawLatency>,
    /// The round trip between an area and a cluster that `latency` does not name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Latency>,
    /// How demand is given to clusters, unless a workload says otherwise.
    #[serde(default)]
    pub traffic: RawTraffic,
    /// Times in which clusters cannot be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<RawPartition>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawArea {
    /// How much of the demand comes from here, compared with the other areas: 0.7 and 0.3, or 70 and 30.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub share: f64,
}

const fn one() -> f64 {
    1.0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLatency {
    /// An area or a cluster.
    pub from: String,
    /// A cluster, or one of its pools: cloud or cloud/workers. A pool of one node stands for a host.
    pub to: String,
    /// There and back, on average.
    pub round_trip: Latency,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter: Option<RawJitter>,
    /// How many bytes go through in a second; not limited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<Bytes>,
}

/// How much latencies vary.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawJitter {
    /// Evenly within so much more or less.
    Uniform(Latency),
    /// By a log-normal factor with mean one; the number is the standard deviation of its logarithm.
    LogNormal(#[schemars(range(min = 0.0, max = 3.0))] f64),
}

/// How demand is given to clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawTraffic {
    pub to: RawPolicy,
    /// What becomes of demand whose cluster cannot be reached or has no ready replica.
    pub when_unreachable: Fallback,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RawPolicy {
    /// To the nearest cluster with a ready replica.
    #[default]
    Nearest,
    /// By the number of ready replicas.
    ReadyReplicas,
    /// By a weight for each cluster; a cluster without one gets nothing.
    Weights(BTreeMap<String, u32>),
    /// All to one cluster.
    Cluster(String),
}

/// A time in which a cluster cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPartition {
    /// From where; from everywhere by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    pub cluster: String,
    pub from: Period,
    pub until: Period,
}
