//! What a cluster would show through its API server: nodes, pods, and the workloads that own them. A view and nothing more; how it is
//! written as Kubernetes objects is decided where it is asked for.

use super::SimulatedWorld;
use super::cluster::Cluster;
use super::nodes::NodeRecord;
use super::pods::{Phase, PodKey, PodRecord, made_as};
use super::workloads::{Placement, Workload};
use crate::controllers::cron_schedule::Schedule;
use crate::controllers::disruption::{CoveredPods, DisruptionBudget};
use crate::controllers::int_or_percent::IntOrPercent;
use crate::controllers::job::Outcome;
use crate::horizontal::HorizontalSpec;
use crate::kube;
use crate::scenario::{KubernetesVersion, PodTemplate, WorkloadSpec};
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything in one cluster at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    pub nodes: Vec<NodeObject>,
    pub pods: Vec<PodObject>,
    pub workloads: Vec<WorkloadObject>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeObject {
    pub name: NodeName,
    pub pool: PoolName,
    /// With its labels, taints and amounts; unschedulable if it takes no pods, for whatever reason.
    pub node: kube::Node,
    pub created_at: Timestamp,
    /// Whether the cluster hears from it.
    pub ready: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PodObject {
    /// Unlike that of any other pod of the cluster, at any time.
    pub uid: u64,
    /// The how-manieth pod of the cluster it is.
    pub number: u64,
    /// Index of its workload in the scenario.
    pub workload: u32,
    /// Which of the workload's sets of equal pods made it.
    pub set: u32,
    /// The stable number of a StatefulSet's pod, or of a bare one.
    pub ordinal: u32,
    pub template: Template,
    pub stage: PodStage,
    pub node: Option<NodeName>,
    /// Where room is made for it.
    pub nominated: Option<NodeName>,
    pub created_at: Timestamp,
    /// When it got its node, if it has one.
    pub placed_at: Option<Timestamp>,
    pub ready_since: Option<Timestamp>,
    /// When it was told to stop, or its work was done.
    pub ended_at: Option<Timestamp>,
}

/// Where a pod is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodStage {
    /// No node was found yet; the parts of the scheduler that refused all nodes.
    Waiting {
        refused_by: Vec<&'static str>,
    },
    /// Has a node, and is not ready there yet or any more.
    Starting,
    Ready,
    Stopping,
    Succeeded,
}

/// A template; the same one, not an equal one, so that comparing two pods costs nothing.
#[derive(Clone, Debug)]
pub struct Template(pub Arc<PodTemplate>);

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A workload as far as it is in this cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadObject {
    /// Index in the scenario.
    pub number: u32,
    pub reference: WorkloadRef,
    pub created_at: Timestamp,
    pub template: Template,
    /// Grows with every change of the template.
    pub revision: u64,
    /// Replicas that it should have here.
    pub replicas: u32,
    /// On its way out of this cluster.
    pub leaving: bool,
    pub controller: ControllerObject,
    pub budget: Option<BudgetObject>,
    pub horizontal: Option<Arc<HorizontalSpec>>,
}

/// What a workload's controller has made.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerObject {
    Deployment { sets: Vec<SetObject>, max_surge: IntOrPercent, max_unavailable: IntOrPercent },
    ReplicaSet { set: Option<SetObject> },
    StatefulSet { current: u64 },
    DaemonSet,
    Job(JobObject),
    CronJob { schedule: Schedule, last_scheduled: Option<Timestamp>, jobs: Vec<JobObject> },
    Pod,
}

/// A set of equal pods.
#[derive(Clone, Debug, PartialEq)]
pub struct SetObject {
    /// As [`PodObject::set`] names it.
    pub key: u32,
    /// The revision of the workload's template it was made from.
    pub made_from: u64,
    pub revision: u64,
    pub replicas: u32,
    pub created_at: Timestamp,
    pub template: Template,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobObject {
    /// As [`PodObject::set`] names it; 0 if the workload is the job.
    pub key: u32,
    /// When a CronJob was due.
    pub scheduled_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub completions: u32,
    pub succeeded: u32,
    pub failed: u32,
    pub finished: Option<(Outcome, Timestamp)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetObject {
    pub budget: DisruptionBudget,
    pub pods: CoveredPods,
}

impl BudgetObject {
    /// Pods that the budget reckons with.
    pub fn expected(&self) -> u32 {
        if self.budget.needs_replicas() { self.pods.replicas } else { self.pods.existing }
    }
}

/// What a node or a pod uses at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UseObject<T> {
    pub of: T,
    pub cpu: MilliCpu,
    pub memory: Bytes,
}

/// What all of a cluster's nodes and ready pods use; pods by their uid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    pub nodes: Vec<UseObject<NodeName>>,
    pub pods: Vec<UseObject<u64>>,
}

impl SimulatedWorld {
    /// Which version the clusters behave like.
    pub fn kubernetes_version(&self) -> KubernetesVersion {
        self.spec.kubernetes
    }

    /// All clusters, in the order of the scenario.
    pub fn cluster_names(&self) -> impl Iterator<Item = &ClusterName> {
        self.clusters.iter().map(|cluster| &cluster.name)
    }

    /// What a cluster shows; nothing if there is no such cluster.
    pub fn inventory(&self, cluster: &ClusterName) -> Option<Inventory> {
        let cluster = self.cluster_named(cluster)?;
        let nodes = cluster.node_ids().filter_map(|id| cluster.node(id));
        let children: BTreeMap<PodKey, u32> = self.children(cluster.index).collect();
        let pod = |record: &PodRecord| {
            let child = children.get(&record.key).copied();
            PodObject { set: child.unwrap_or(record.owner.set), ..cluster.pod_object(record) }
        };
        let workloads = self.spec.workloads.iter().zip(self.workloads.iter()).zip(0_u32..);
        Some(Inventory {
            nodes: nodes.map(|record| cluster.node_object(record)).collect(),
            pods: cluster.pods.iter().map(pod).collect(),
            workloads: workloads
                .filter_map(|((spec, workload), number)| {
                    let placement = workload.placements.get(cluster.index)?;
                    Some(workload_object(cluster, (spec, number), workload, placement))
                })
                .collect(),
        })
    }

    /// Which of a CronJob's jobs the pods of a cluster belong to.
    fn children(&self, cluster: usize) -> impl Iterator<Item = (PodKey, u32)> + '_ {
        let placements = self.workloads.iter().filter_map(move |workload| workload.placements.get(cluster));
        placements.flat_map(Placement::children)
    }

    /// What a cluster's nodes and pods use at the moment.
    pub fn uses(&self, cluster: &ClusterName) -> Option<Uses> {
        let cluster = self.cluster_named(cluster)?;
        let mut uses = Uses::default();
        for id in cluster.node_ids() {
            let Some(record) = cluster.node(id).filter(|record| !record.unreachable) else { continue };
            let host = &cluster.pools[record.pool].spec.host;
            let (mut cpu, mut memory) = (host.background, Bytes(0));
            for pod in cluster.state.pods_on(id).iter().filter_map(|pod| cluster.pods.by_id(*pod)) {
                if pod.phase == Phase::Ready {
                    let used =
                        UseObject { of: pod.uid, cpu: cluster.cpu_used(pod), memory: pod.spec.memory_use };
                    cpu.0 += used.cpu.0;
                    memory.0 += used.memory.0;
                    uses.pods.push(used);
                }
            }
            uses.nodes.push(UseObject { of: record.name.clone(), cpu, memory });
        }
        Some(uses)
    }

    pub(super) fn cluster_named(&self, name: &ClusterName) -> Option<&Cluster> {
        self.clusters.iter().find(|cluster| cluster.name == *name)
    }
}

impl Cluster {
    fn node_object(&self, record: &NodeRecord) -> NodeObject {
        NodeObject {
            name: record.name.clone(),
            pool: self.pools[record.pool].spec.name.clone(),
            node: self.as_kubernetes_shows(record),
            created_at: record.created_at,
            ready: !record.unreachable,
        }
    }

    fn pod_object(&self, record: &PodRecord) -> PodObject {
        let name_of = |node| self.node(node).map(|record| record.name.clone());
        let waits = record.phase == Phase::Waiting;
        PodObject {
            uid: record.uid,
            number: made_as(record.uid),
            workload: record.owner.workload,
            set: record.owner.set,
            ordinal: record.owner.ordinal,
            template: Template(Arc::clone(&record.spec)),
            stage: self.stage(record),
            node: record.node.and_then(name_of),
            nominated: self.state.nominated_node(record.key.id).filter(|_| waits).and_then(name_of),
            created_at: record.created_at,
            placed_at: record.node.map(|_| record.placed_at),
            ready_since: record.ready_since,
            ended_at: record.ended_at,
        }
    }

    fn stage(&self, record: &PodRecord) -> PodStage {
        match record.phase {
            Phase::Waiting => {
                let refused = self.queue.rejected_by(record.key.id);
                let names = refused.map(|set| set.iter().map(crate::scheduler::Plugin::name).collect());
                PodStage::Waiting { refused_by: names.unwrap_or_default() }
            }
            Phase::Starting => PodStage::Starting,
            Phase::Ready => PodStage::Ready,
            Phase::Stopping => PodStage::Stopping,
            Phase::Succeeded => PodStage::Succeeded,
        }
    }

    /// What a ready pod uses; where nobody measures, what it always uses.
    fn cpu_used(&self, record: &PodRecord) -> MilliCpu {
        let measured = self.usage.as_ref().and_then(|usage| usage.pod(record.key.id));
        measured.map_or(record.spec.cpu_use, |gauge| MilliCpu(gauge.value().0))
    }
}

fn workload_object(
    cluster: &Cluster,
    (spec, number): (&WorkloadSpec, u32),
    workload: &Workload,
    placement: &Placement,
) -> WorkloadObject {
    let guarded = spec.disruption_budget.and_then(|_| cluster.budgets.of(number));
    WorkloadObject {
        number,
        reference: spec.reference.clone(),
        created_at: workload.created_at,
        template: Template(Arc::clone(&workload.template)),
        revision: workload.revision,
        replicas: placement.replicas,
        leaving: placement.leaving,
        controller: placement.shown(spec),
        budget: guarded.map(|guarded| BudgetObject { budget: guarded.budget, pods: guarded.pods }),
        horizontal: spec.horizontal.clone(),
    }
}
