//! The scenario file as a person writes it. Nothing here is trusted until [`super::check`] has turned it into a
//! [`super::Scenario`]. The doc comments are the descriptions in the published schema.

pub use super::raw_autoscaler::{
    RawAutoscaler, RawAutoscalerKind, RawConsolidation, RawNodePool, RawNodePoolLimits, RawSpot,
};

mod decisions;

pub use decisions::*;

use super::delay::Delay;
use super::disruption_budget::CountOrShare;
use super::spread::Spread;
use crate::carbon::raw::RawCarbon;
use crate::faults::raw::RawFault;
use crate::horizontal::raw::RawHorizontal;
use crate::network::raw::{RawNetwork, RawTraffic};
use crate::power::Rules;
use crate::power::raw::RawPower;
use crate::service::RawService;
use crate::telemetry::raw::RawMetrics;
use crate::traces::PodFormat;
use crate::vertical::raw::RawVertical;
use model::money::MicroDollars;
use model::names::WorkloadKind;
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A federation, what runs on it, and who decides about it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawScenario<D> {
    /// The format of this file.
    pub drover: Format,
    /// A short name, used for files and reports.
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// What this scenario shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Which Kubernetes version's scheduler rules apply.
    #[serde(default)]
    pub kubernetes: KubernetesVersion,
    /// How long the simulation runs.
    pub duration: Period,
    /// The member clusters.
    #[schemars(length(min = 1))]
    pub clusters: Vec<RawCluster>,
    /// What runs on them.
    #[serde(default)]
    pub workloads: Vec<RawWorkload>,
    /// Pods that come from files beside this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<RawTrace>,
    /// What happens to workloads while the simulation runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<RawEvent>,
    /// How pods start and stop, unless a workload says otherwise.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pods: RawPodTimes,
    /// How a workload is moved from one cluster to another.
    #[serde(default, skip_serializing_if = "is_default")]
    pub migration: RawMigration,
    /// Lets workloads with a `placement` leave clusters that cannot be reached, as Karmada's failover does; off by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failover: Option<RawFailover>,
    /// How the agents see the federation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub observation: RawObservation,
    /// How clusters are measured, and how late that is seen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub metrics: RawMetrics,
    /// Where the clients of services are, and how far from the clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<RawNetwork>,
    /// How a host's power is shared out among what runs on it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub power_attribution: Rules,
    /// Services are computed anew at least this often; by default from 1s to 30s, the longer the simulation the longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_step: Option<Period>,
    /// What goes wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<RawFault>,
    /// Limits that every cluster should keep; guardrails enforce them and reports measure them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: RawLimits,
    /// Hard rules on every action, whoever proposed it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guardrails: RawGuardrails,
    /// How recommendations are reviewed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub review: RawReview,
    /// The simulated person who reviews.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reviewer: RawReviewer,
    /// Who recommends. Without agents nothing is recommended.
    #[serde(default = "Vec::<RawAgent<D>>::new")]
    pub agents: Vec<RawAgent<D>>,
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Format {
    #[serde(rename = "scenario/v1")]
    ScenarioV1,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum KubernetesVersion {
    #[serde(rename = "1.34")]
    V1_34,
    #[default]
    #[serde(rename = "1.35")]
    V1_35,
    #[serde(rename = "1.36")]
    V1_36,
}

/// One member cluster.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawCluster {
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Where it is, for spread constraints of placements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Who runs it, for spread constraints of placements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Its groups of equal nodes.
    #[schemars(length(min = 1))]
    pub pools: Vec<RawPool>,
    /// Adds nodes for pods that wait and removes idle ones; without it the node count changes only by actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoscaler: Option<RawAutoscaler>,
    /// How much carbon dioxide its energy stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carbon: Option<RawCarbon>,
}

/// A group of equal nodes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPool {
    #[schemars(extend("x-drover-parse" = "name"))]
    #[serde(default = "default_pool")]
    pub name: String,
    /// How many nodes there are at the start.
    #[schemars(range(max = 100_000))]
    pub nodes: u32,
    /// CPU of one node.
    pub cpu: MilliCpu,
    /// Memory of one node.
    pub memory: Bytes,
    /// How many pods one node takes.
    #[serde(default = "default_pods")]
    #[schemars(range(min = 1, max = 10_000))]
    pub pods: u32,
    /// What the system on each node takes before any workload.
    #[serde(default, skip_serializing_if = "is_default")]
    pub overhead: RawOverhead,
    /// Nodes are spread over these zones in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Further resources of one node in whole units, such as `nvidia.com/gpu: 8`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<RawTaint>,
    /// Price of one node in US dollars per hour.
    #[serde(default)]
    pub price_per_hour: MicroDollars,
    /// The fewest nodes; the number at the start by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<u32>,
    /// The most nodes; the number at the start by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub maximum: Option<u32>,
    /// How long a new node takes to become ready.
    #[serde(default = "default_boot")]
    pub boot_time: Spread,
    /// For the cluster autoscaler's expander `priority`: the pool with the largest number grows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Its nodes are spot nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<RawSpot>,
    /// What one node draws, by its load: the name of a measured host, points, or a formula. Not known by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<RawPower>,
    /// CPU that the system on each node uses all the time; what `overhead` takes by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background_cpu: Option<MilliCpu>,
    /// How many processes the system on each node counts as, where idle power is shared out by processes; a pod counts as one.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub background_processes: u32,
    /// How fast a core is, compared with the machine on which the cost of requests was measured.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    #[schemars(extend("maximum" = 1000))]
    pub speed: Ratio,
}

const fn whole() -> Ratio {
    Ratio::ONE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_whole(value: &Ratio) -> bool {
    *value == Ratio::ONE
}

fn default_pool() -> String {
    "default".to_owned()
}

/// What a kubelet allows unless told otherwise.
const fn default_pods() -> u32 {
    110
}

fn default_boot() -> Spread {
    Spread::exactly(Period::from_secs(60))
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawOverhead {
    #[serde(default)]
    pub cpu: MilliCpu,
    #[serde(default)]
    pub memory: Bytes,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawTaint {
    pub key: String,
    #[serde(default)]
    pub value: String,
    pub effect: RawTaintEffect,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub enum RawTaintEffect {
    NoSchedule,
    PreferNoSchedule,
    NoExecute,
}

/// Something that runs: a controller and its pods.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawWorkload {
    /// With `copies`, `{n}` in the name is replaced by the number of the copy.
    pub name: String,
    #[serde(default = "default_namespace")]
    #[schemars(extend("x-drover-parse" = "name"))]
    pub namespace: String,
    #[serde(default = "default_kind")]
    pub kind: WorkloadKind,
    /// How many workloads like this one there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub copies: Option<u32>,
    /// The cluster it starts in; either this or `placement` is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// Where it may run, as the `placement` of a Karmada propagation policy: clusterAffinity, clusterAffinities,
    /// clusterTolerations, spreadConstraints, replicaScheduling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<serde_json::Map<String, serde_json::Value>>,
    /// When it is created.
    #[serde(default)]
    pub at: Period,
    /// When it is deleted; never by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Period>,
    #[serde(default = "one")]
    #[schemars(range(max = 1_000_000))]
    pub replicas: u32,
    /// CPU that one pod requests.
    #[serde(default)]
    pub cpu: MilliCpu,
    /// Memory that one pod requests.
    #[serde(default)]
    pub memory: Bytes,
    /// The most CPU that one pod may use; all of its host by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_limit: Option<MilliCpu>,
    /// The share of the requested CPU that a running pod really uses; for a service, what it uses without requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 100))]
    pub cpu_use: Option<Ratio>,
    /// The share of the requested memory that a running pod really uses; all of it by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 100))]
    pub memory_use: Option<Ratio>,
    /// What it serves: who asks, and what an answer costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<RawService>,
    /// What the clients of the service were promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<RawObjective>,
    /// How the demand for the service is given to clusters; the network's rule by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<RawTraffic>,
    /// Where its clients are: areas of the network with their shares; as in the whole network by default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clients: BTreeMap<String, f64>,
    /// Scales it by what is measured: the spec of a HorizontalPodAutoscaler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizontal_autoscaler: Option<RawHorizontal>,
    /// Recommends what its pods should request, by what is measured; nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertical_autoscaler: Option<RawVertical>,
    /// Jobs and bare pods: how long a pod runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_time: Option<Spread>,
    /// Jobs: how many pods must succeed; the number of replicas by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completions: Option<u32>,
    /// CronJobs: five fields, minute hour day month weekday.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// Deployments: how many pods above the replicas a rollout may make, a number or a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<CountOrShare>,
    /// Deployments: how many pods may be missing in a rollout, a number or a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<CountOrShare>,
    /// How many of its pods have to stay in a cluster when nodes are drained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disruption_budget: Option<RawDisruptionBudget>,
    /// How long a pod takes from being scheduled to being ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Spread>,
    /// How long a pod takes to stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_time: Option<Spread>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
    /// Whether agents may relocate it.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub movable: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations of its pods, for instance `karpenter.sh/do-not-disrupt`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Anything else of a Kubernetes pod spec: affinity, tolerations, topologySpreadConstraints, containers, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<serde_json::Map<String, serde_json::Value>>,
}

/// One bound, a number of pods or a percentage of the replicas, as in a PodDisruptionBudget.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RawDisruptionBudget {
    /// The fewest pods that stay ready.
    MinAvailable(CountOrShare),
    /// The most replicas that may be missing.
    MaxUnavailable(CountOrShare),
}

fn default_namespace() -> String {
    "default".to_owned()
}

const fn default_kind() -> WorkloadKind {
    WorkloadKind::Deployment
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_true(value: &bool) -> bool {
    *value
}

/// Pods that come from a file: each row is a bare pod, or several equal ones.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawTrace {
    /// Its path, seen from the folder of this file.
    #[schemars(length(min = 1))]
    pub file: String,
    pub format: PodFormat,
    /// The cluster its pods come to.
    pub cluster: String,
    #[serde(default = "default_namespace")]
    #[schemars(extend("x-drover-parse" = "name"))]
    pub namespace: String,
    /// Whether agents may relocate its pods.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub movable: bool,
}

/// What clients were promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawObjective {
    /// 95 of 100 requests are answered within this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p95: Option<Period>,
    /// The largest share of requests that may fail.
    #[serde(default = "one_in_a_hundred")]
    #[schemars(extend("maximum" = 1))]
    pub errors: Ratio,
}

const fn one_in_a_hundred() -> Ratio {
    Ratio::from_percent(1)
}

/// Something that happens to a workload.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawEvent {
    pub at: Period,
    /// kind/namespace/name, or namespace/name for a Deployment.
    pub workload: String,
    /// What changes.
    pub change: RawChange,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawChange {
    /// The workload is deleted.
    Delete {},
    /// The number of replicas changes.
    Scale { replicas: u32 },
    /// The pod template changes: a rolling update begins.
    Update {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cpu: Option<MilliCpu>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<Bytes>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replicas: Option<u32>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawPodTimes {
    /// From being scheduled to being ready.
    pub start_time: Spread,
    /// From being told to stop to being gone.
    pub stop_time: Spread,
}

impl Default for RawPodTimes {
    fn default() -> Self {
        Self {
            start_time: Spread::exactly(Period::from_secs(2)),
            stop_time: Spread::exactly(Period::from_secs(1)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawMigration {
    pub mode: MigrationMode,
    /// From the order until the first object changes in a cluster.
    pub propagation: Delay,
    /// A move whose target is not ready after this long is undone.
    pub ready_within: Period,
}

impl Default for RawMigration {
    fn default() -> Self {
        Self {
            mode: MigrationMode::MakeBeforeBreak,
            propagation: Delay::exactly(Period::from_secs(1)),
            ready_within: Period::from_minutes(10),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawFailover {
    /// A cluster that is out of reach for this long is lost.
    pub lost_after: Period,
    /// A workload stays in a lost cluster for this long, unless the clusterTolerations of its placement say otherwise.
    pub toleration: Period,
    /// Then it gets replicas elsewhere; after this long the old ones go even if those are not ready.
    pub grace_period: Period,
}

impl Default for RawFailover {
    fn default() -> Self {
        Self {
            lost_after: Period::from_secs(30),
            toleration: Period::from_minutes(5),
            grace_period: Period::from_minutes(10),
        }
    }
}

/// In which order a move happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MigrationMode {
    /// The source goes only after the target is seen ready.
    MakeBeforeBreak,
    /// The source goes at once and the target is made anew: no overlap, a gap in service.
    Recreate,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawObservation {
    /// How often the federation is observed.
    pub every: Period,
    /// How old an observation is when it arrives.
    pub delay: Period,
}

impl Default for RawObservation {
    fn default() -> Self {
        Self { every: Period::from_secs(30), delay: Period::from_secs(0) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawLimits {
    /// The most a cluster's CPU or memory should be allocated.
    #[schemars(extend("maximum" = 1))]
    pub max_load: Ratio,
    /// The largest share of a cluster's pods that should wait.
    #[schemars(extend("maximum" = 1))]
    pub max_pending: Ratio,
}

impl Default for RawLimits {
    fn default() -> Self {
        Self { max_load: Ratio::from_percent(80), max_pending: Ratio::from_percent(40) }
    }
}
