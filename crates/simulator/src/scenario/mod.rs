//! Scenarios: the file a person writes, and the checked form in which no field can be wrong.

mod autoscaler;
mod check;
mod delay;
mod disruption_budget;
mod node_template;
mod pod_template;
pub mod raw;
mod raw_autoscaler;
mod spread;

pub use check::{Beside, DecideCheck, read, read_beside, read_with};
pub use delay::{Delay, DelayError};
pub use raw::{KubernetesVersion, MigrationMode};
pub use spread::{Distribution, Empirical, LogNormal, Normal, Spread};

use crate::autoscaler::Expander;
use crate::controllers::cron_schedule::Schedule;
use crate::controllers::disruption::DisruptionBudget;
use crate::controllers::int_or_percent::IntOrPercent;
use crate::demand::DemandSpec;
use crate::faults::FaultSpec;
use crate::federation::Placement;
use crate::horizontal::HorizontalSpec;
use crate::network::{Network, Traffic};
use crate::provisioner::ProvisionerConfig;
use crate::service::Profile;
use crate::telemetry::TelemetrySpec;
use crate::vertical::VerticalSpec;
use crate::{carbon, kube, power};
use control::agent::{Cadence, Scope};
use control::control_loop::LoopConfig;
use model::money::MicroDollars;
use model::names::{AgentName, ClusterName, PoolName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::resources::Resources;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A checked scenario. `D` is how an agent decides; the simulator does not know strategies.
#[derive(Clone, Debug)]
pub struct Scenario<D> {
    pub world: WorldSpec,
    pub control: LoopConfig,
    pub reviewer: ReviewerSpec,
    pub agents: Vec<AgentSpec<D>>,
}

/// The world a scenario describes.
#[derive(Clone, Debug)]
pub struct WorldSpec {
    pub name: String,
    pub description: String,
    pub kubernetes: KubernetesVersion,
    pub duration: Period,
    pub clusters: Vec<ClusterSpec>,
    pub workloads: Vec<WorkloadSpec>,
    /// What happens when, in order.
    pub happenings: Vec<Happening>,
    pub migration: MigrationSpec,
    pub observation_delay: Period,
    pub limits: Limits,
    pub network: Option<Network>,
    pub telemetry: TelemetrySpec,
    /// How a host's power is shared out among what runs on it.
    pub attribution: power::Rules,
    /// Services are looked at no less often than this.
    pub service_step: Period,
    pub faults: Vec<FaultSpec>,
    /// Whether and when workloads leave clusters that are lost.
    pub failover: Option<FailoverSpec>,
}

impl WorldSpec {
    /// Whether anything in it depends on what pods really use.
    pub fn measures(&self) -> bool {
        let powered = |cluster: &ClusterSpec| cluster.pools.iter().any(|pool| pool.host.power.is_some());
        let measured = |workload: &WorkloadSpec| {
            workload.service.is_some() || workload.horizontal.is_some() || workload.vertical.is_some()
        };
        self.clusters.iter().any(powered) || self.workloads.iter().any(measured)
    }
}

/// What every cluster should keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_load: Ratio,
    pub max_pending: Ratio,
}

#[derive(Clone, Debug)]
pub struct ClusterSpec {
    pub name: ClusterName,
    pub labels: BTreeMap<String, String>,
    pub region: Option<String>,
    pub provider: Option<String>,
    pub pools: Vec<PoolSpec>,
    /// Who orders and gives up nodes by itself.
    pub autoscaler: Option<AutoscalerSpec>,
    /// How much carbon dioxide its energy stands for.
    pub carbon: Option<carbon::Trace>,
}

#[derive(Clone, Debug)]
pub struct PoolSpec {
    pub name: PoolName,
    pub nodes: u32,
    pub minimum: u32,
    pub maximum: u32,
    /// A node of this pool, without its name and zone.
    pub node: kube::Node,
    /// Usable by workloads on one node.
    pub node_capacity: Resources,
    pub zones: Vec<String>,
    /// What a node costs: its spot price if it has one.
    pub price_per_hour: MicroDollars,
    pub boot_time: Spread,
    /// For the expander of this name.
    pub priority: Option<i32>,
    pub spot: Option<SpotSpec>,
    pub host: HostSpec,
}

/// The machine under a node.
#[derive(Clone, Debug)]
pub struct HostSpec {
    /// All of its CPU, what the system takes included.
    pub cpu: MilliCpu,
    /// What the system uses all the time.
    pub background: MilliCpu,
    /// How many processes the system counts as; a pod counts as one.
    pub processes: u32,
    /// How fast a core is; one is the machine on which the cost of requests was measured.
    pub speed: Ratio,
    pub power: Option<power::Model>,
}

/// The provider takes nodes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpotSpec {
    /// How often each node is taken, on average.
    pub interruptions_per_hour: Ratio,
}

/// What orders and gives up nodes by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AutoscalerSpec {
    Cluster(ClusterAutoscalerSpec),
    Karpenter(KarpenterSpec),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterAutoscalerSpec {
    pub scan_every: Period,
    pub scale_down_below: Ratio,
    pub unneeded_for: Period,
    pub delay_after_add: Period,
    pub expanders: Vec<Expander>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KarpenterSpec {
    pub config: ProvisionerConfig,
    /// By pool: the place of its node pool in the configuration; nothing for a pool that is left alone.
    pub node_pools: Vec<Option<usize>>,
}

/// A workload; its index in [`WorldSpec::workloads`] is its identity inside the simulator.
#[derive(Clone, Debug)]
pub struct WorkloadSpec {
    pub reference: WorkloadRef,
    pub start: Start,
    pub replicas: u32,
    pub pod: Arc<PodTemplate>,
    pub controller: ControllerSpec,
    /// How long its pods run; for ever if there is none.
    pub run_time: Option<Spread>,
    /// In each cluster, for the pods there.
    pub disruption_budget: Option<DisruptionBudget>,
    pub movable: bool,
    pub service: Option<Arc<ServiceSpec>>,
    pub horizontal: Option<Arc<HorizontalSpec>>,
    pub vertical: Option<Arc<VerticalSpec>>,
}

/// What a workload serves: who asks for how much, what an answer costs, and what was promised.
#[derive(Clone, Debug)]
pub struct ServiceSpec {
    pub demand: Arc<DemandSpec>,
    pub profile: Profile,
    pub objective: Option<Objective>,
    pub traffic: Traffic,
}

/// What clients were promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// 95 of 100 requests are answered within this time.
    pub latency_p95: Option<Period>,
    /// The largest share of requests that may fail.
    pub errors: Ratio,
}

/// Where a workload starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// In the cluster of this index.
    Cluster(usize),
    /// Wherever the federation's placement rules put it.
    Policy(Arc<Placement>),
}

/// A pod as it will be made, with what it takes to start and to stop.
#[derive(Clone, Debug)]
pub struct PodTemplate {
    pub pod: kube::Pod,
    /// What one pod requests.
    pub each: Resources,
    pub priority: i32,
    pub start_time: Spread,
    pub stop_time: Spread,
    /// The most CPU it may use; all of its host if there is none.
    pub cpu_limit: Option<MilliCpu>,
    /// What a ready pod uses by itself, requests of a service apart.
    pub cpu_use: MilliCpu,
    /// What a ready pod uses of memory.
    pub memory_use: Bytes,
}

/// Who makes the pods.
#[derive(Clone, Debug)]
pub enum ControllerSpec {
    Deployment { max_surge: IntOrPercent, max_unavailable: IntOrPercent },
    ReplicaSet,
    StatefulSet,
    DaemonSet,
    Job { completions: u32 },
    // Boxed, since there may be a million workloads and few of them have one.
    CronJob { schedule: Box<Schedule>, completions: u32 },
    Pod,
}

/// Something that happens from outside.
#[derive(Clone, Debug)]
pub struct Happening {
    pub at: Timestamp,
    /// Index of the workload.
    pub workload: usize,
    pub change: Change,
}

#[derive(Clone, Debug)]
pub enum Change {
    Create,
    Delete,
    Scale { replicas: u32 },
    Update { pod: Arc<PodTemplate>, replicas: Option<u32> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MigrationSpec {
    pub mode: MigrationMode,
    pub propagation: Delay,
    pub ready_within: Period,
}

/// When workloads with placement rules leave a cluster that cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailoverSpec {
    /// So long out of reach, a cluster counts as lost.
    pub lost_after: Period,
    /// So long a workload stays in a lost cluster, unless its placement says otherwise.
    pub toleration: Period,
    /// So long the old replicas wait for the new ones.
    pub grace_period: Period,
}

/// The simulated person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewerSpec {
    /// Whether anybody answers at all.
    pub present: bool,
    pub delay: Spread,
    pub rejects: Ratio,
    pub ignores: Ratio,
}

/// An agent as data; `lab` gives it its strategy.
#[derive(Clone, Debug)]
pub struct AgentSpec<D> {
    pub name: AgentName,
    pub cadence: Cadence,
    pub lookback: Period,
    pub scope: Scope,
    pub decide: D,
}
