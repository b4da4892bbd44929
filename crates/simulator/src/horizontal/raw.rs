//! An autoscaler as a person writes it, in the field names of `autoscaling/v2`. Nothing here is trusted until
//! [`super::check`] has turned it into a [`super::HorizontalSpec`]. The doc comments are the descriptions in the
//! published schema.
//!
//! `scaleTargetRef` is left out: the file that holds an autoscaler says which workload it belongs to.

use model::quantity::Quantity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Scales a workload by what is measured (a HorizontalPodAutoscaler's spec without `scaleTargetRef`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawHorizontal {
    /// Never fewer replicas than this; 1 if absent. 0 needs an Object or External metric.
    #[schemars(range(max = 1_000_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_replicas: Option<u32>,
    /// Never more replicas than this.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_replicas: u32,
    /// What to follow; the metric that asks for the most replicas wins. 80 % of the requested CPU if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<RawMetric>,
    /// How fast replicas may change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behavior: Option<RawBehavior>,
}

/// One metric: its type, and under the key of that type what exactly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawMetric {
    #[serde(rename = "type")]
    pub kind: RawMetricType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<RawResourceSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_resource: Option<RawContainerResourceSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<RawPodsSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<RawObjectSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<RawExternalSource>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawMetricType {
    Resource,
    ContainerResource,
    Pods,
    Object,
    External,
}

/// A resource of whole pods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawResourceSource {
    /// For instance cpu or memory.
    #[schemars(length(min = 1))]
    pub name: String,
    pub target: RawTarget,
}

/// A resource of one container in each pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawContainerResourceSource {
    /// For instance cpu or memory.
    #[schemars(length(min = 1))]
    pub name: String,
    #[schemars(extend("x-drover-parse" = "name"))]
    pub container: String,
    pub target: RawTarget,
}

/// A metric that every pod has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPodsSource {
    pub metric: RawMetricIdentifier,
    pub target: RawTarget,
}

/// A metric of one other object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawObjectSource {
    pub described_object: RawObjectReference,
    pub metric: RawMetricIdentifier,
    pub target: RawTarget,
}

/// A metric that belongs to no object of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawExternalSource {
    pub metric: RawMetricIdentifier,
    pub target: RawTarget,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawObjectReference {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_version: Option<String>,
    #[schemars(length(min = 1))]
    pub kind: String,
    #[schemars(length(min = 1))]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawMetricIdentifier {
    #[schemars(length(min = 1))]
    pub name: String,
    /// Chooses among series of the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<RawSelector>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawSelector {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<RawRequirement>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawRequirement {
    #[schemars(length(min = 1))]
    pub key: String,
    pub operator: RawOperator,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawOperator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

/// What a metric should be: the type, and under its key the number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawTarget {
    #[serde(rename = "type")]
    pub kind: RawTargetType,
    /// Per cent of what the pods request.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_utilization: Option<u32>,
    /// The value for one pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_value: Option<Quantity>,
    /// The value for the whole workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawTargetType {
    Utilization,
    Value,
    AverageValue,
}

/// How fast replicas may change; what is absent has Kubernetes' defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawBehavior {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_up: Option<RawScalingRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_down: Option<RawScalingRules>,
}

/// The rules of one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawScalingRules {
    /// So many seconds the most careful recommendation is followed; 0 upwards and 300 downwards if absent.
    #[schemars(range(max = 3600))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stabilization_window_seconds: Option<u32>,
    /// Which policy counts: the one with the largest change, the smallest, or none at all; Max if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select_policy: Option<RawSelectPolicy>,
    /// Limits of the change in a period; 4 pods or 100 % in 15 s upwards and 100 % in 15 s downwards if absent.
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policies: Option<Vec<RawPolicy>>,
    /// How far a metric may be from its target before anything happens; the cluster's 0.1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Quantity>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawSelectPolicy {
    Max,
    Min,
    Disabled,
}

/// At most this change in any such period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RawPolicy {
    #[serde(rename = "type")]
    pub kind: RawPolicyType,
    #[schemars(range(min = 1, max = 1_000_000))]
    pub value: u32,
    #[schemars(range(min = 1, max = 1800))]
    pub period_seconds: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawPolicyType {
    Pods,
    Percent,
}
