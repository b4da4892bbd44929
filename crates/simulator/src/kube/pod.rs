//! A pod: what it asks for, where it may run, how it is ranked, and the little of its status that decides scheduling.

use super::{Affinity, LabelSelector, ObjectMeta, ResourceList, TaintEffect, Timestamp};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Pod {
    pub metadata: ObjectMeta,
    pub spec: PodSpec,
    pub status: PodStatus,
}

impl Pod {
    /// A pod without a priority ranks as 0.
    pub fn priority(&self) -> i32 {
        self.spec.priority.unwrap_or(0)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    #[serde(deserialize_with = "super::nullable")]
    pub containers: Vec<Container>,
    #[serde(deserialize_with = "super::nullable")]
    pub init_containers: Vec<Container>,
    pub overhead: ResourceList,
    pub resources: Option<ResourceRequirements>,
    pub node_name: String,
    #[serde(deserialize_with = "super::nullable")]
    pub node_selector: BTreeMap<String, String>,
    pub affinity: Option<Affinity>,
    #[serde(deserialize_with = "super::nullable")]
    pub tolerations: Vec<Toleration>,
    #[serde(deserialize_with = "super::nullable")]
    pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
    pub host_network: bool,
    pub priority: Option<i32>,
    pub preemption_policy: Option<PreemptionPolicy>,
    #[serde(deserialize_with = "super::nullable")]
    pub scheduling_gates: Vec<PodSchedulingGate>,
    pub scheduler_name: String,
    pub termination_grace_period_seconds: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    pub phase: String,
    pub nominated_node_name: String,
    pub start_time: Option<Timestamp>,
    #[serde(deserialize_with = "super::nullable")]
    pub conditions: Vec<PodCondition>,
    #[serde(deserialize_with = "super::nullable")]
    pub container_statuses: Vec<ContainerStatus>,
    #[serde(deserialize_with = "super::nullable")]
    pub init_container_statuses: Vec<ContainerStatus>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct PodCondition {
    #[serde(rename = "type")]
    pub kind: String,
    pub status: String,
    pub reason: String,
}

/// What a container was given, which during a resize may differ from what its spec asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    pub name: String,
    pub resources: Option<ResourceRequirements>,
    pub allocated_resources: ResourceList,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    pub name: String,
    pub image: String,
    pub resources: ResourceRequirements,
    #[serde(deserialize_with = "super::nullable")]
    pub ports: Vec<ContainerPort>,
    pub restart_policy: Option<RestartPolicy>,
}

impl Container {
    /// An init container that keeps running beside the regular ones.
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy == Some(RestartPolicy::Always)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct ResourceRequirements {
    pub requests: ResourceList,
    pub limits: ResourceList,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum RestartPolicy {
    Always,
    OnFailure,
    Never,
}

/// `host_port` 0 means that no port of the node is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerPort {
    pub container_port: i32,
    pub host_port: i32,
    #[serde(rename = "hostIP")]
    pub host_ip: String,
    pub protocol: Protocol,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Protocol {
    #[default]
    #[serde(rename = "TCP", alias = "")]
    Tcp,
    #[serde(rename = "UDP")]
    Udp,
    #[serde(rename = "SCTP")]
    Sctp,
}

/// An empty key with `Exists` tolerates every taint; no effect means all effects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Toleration {
    pub key: String,
    pub operator: TolerationOperator,
    pub value: String,
    #[serde(deserialize_with = "effect_or_all")]
    pub effect: Option<TaintEffect>,
    pub toleration_seconds: Option<i64>,
}

fn effect_or_all<'de, D: Deserializer<'de>>(source: D) -> Result<Option<TaintEffect>, D::Error> {
    #[derive(Deserialize)]
    enum Written {
        #[serde(rename = "")]
        All,
        #[serde(untagged)]
        One(TaintEffect),
    }
    Ok(match Option::<Written>::deserialize(source)? {
        None | Some(Written::All) => None,
        Some(Written::One(effect)) => Some(effect),
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum TolerationOperator {
    #[default]
    #[serde(alias = "")]
    Equal,
    Exists,
    Gt,
    Lt,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TopologySpreadConstraint {
    pub max_skew: i32,
    pub topology_key: String,
    pub when_unsatisfiable: UnsatisfiableConstraintAction,
    pub label_selector: Option<LabelSelector>,
    pub min_domains: Option<i32>,
    pub node_affinity_policy: Option<NodeInclusionPolicy>,
    pub node_taints_policy: Option<NodeInclusionPolicy>,
    #[serde(deserialize_with = "super::nullable")]
    pub match_label_keys: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum UnsatisfiableConstraintAction {
    #[default]
    DoNotSchedule,
    ScheduleAnyway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum NodeInclusionPolicy {
    Honor,
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum PreemptionPolicy {
    Never,
    PreemptLowerPriority,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct PodSchedulingGate {
    pub name: String,
}
