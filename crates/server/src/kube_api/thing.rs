//! One thing that a cluster shows, before it is written as a Kubernetes object. Two of them are quickly compared.

use super::kinds::Resource;
use model::time::Timestamp;
use simulator::controllers::job::Outcome;
use simulator::world::{BudgetObject, JobObject, NodeObject, PodObject, PodStage, Template, WorkloadObject};
use std::collections::BTreeMap;

/// Labels and the like.
pub(super) type Texts = BTreeMap<String, String>;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    pub(super) resource: Resource,
    /// Empty if it is in none.
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) uid: String,
    pub(super) created_at: Timestamp,
    pub(super) labels: Texts,
    /// What somebody wrote on it through the API; the simulation knows nothing of it.
    pub(super) notes: Texts,
    pub(super) owner: Option<Reference>,
    pub(super) facts: Facts,
}

/// A pointer to another thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) resource: Resource,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) uid: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Facts {
    Namespace,
    Node(Box<NodeObject>),
    Pod(PodFacts),
    Deployment { workload: Box<WorkloadObject>, counts: Counts },
    ReplicaSet(SetFacts),
    StatefulSet { workload: Box<WorkloadObject>, counts: Counts },
    DaemonSet { workload: Box<WorkloadObject>, counts: Counts },
    Job(JobFacts),
    CronJob { workload: Box<WorkloadObject>, active: Vec<Reference> },
    Horizontal { workload: Box<WorkloadObject>, counts: Counts },
    Budget { budget: BudgetObject, selector: Texts },
    Event(EventFacts),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PodFacts {
    pub(super) pod: PodObject,
    /// How many nodes the cluster has, for whoever waits for one.
    pub(super) nodes: usize,
    /// Its node is not heard from.
    pub(super) is_lost: bool,
    /// A job's pod is not started again when it has ended.
    pub(super) ends: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SetFacts {
    pub(super) replicas: u32,
    pub(super) revision: u64,
    pub(super) template: Template,
    pub(super) counts: Counts,
    /// Replicas that the deployment above it wants; none without one.
    pub(super) wanted: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct JobFacts {
    pub(super) job: JobObject,
    pub(super) parallelism: u32,
    pub(super) template: Template,
    pub(super) counts: Counts,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct EventFacts {
    pub(super) about: Reference,
    pub(super) warns: bool,
    pub(super) reason: &'static str,
    pub(super) message: String,
    pub(super) by: &'static str,
}

/// Pods of a workload or of one of its sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Neither on their way out nor finished.
    pub(super) active: u32,
    pub(super) ready: u32,
    /// Of those that are active, how many have the newest template.
    pub(super) updated: u32,
}

/// How far the containers of a pod are; all of a pod are equally far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerState {
    Waiting,
    Running,
    Terminated,
}

impl PodFacts {
    pub(super) const fn phase(&self) -> &'static str {
        match self.pod.stage {
            PodStage::Succeeded => "Succeeded",
            PodStage::Ready | PodStage::Stopping => "Running",
            PodStage::Starting if self.is_lost => "Running",
            PodStage::Starting | PodStage::Waiting { .. } => "Pending",
        }
    }

    /// Whether it has a node and is ready there, as far as anybody hears.
    pub(super) fn is_ready(&self) -> bool {
        self.pod.stage == PodStage::Ready && !self.is_lost
    }

    pub(super) const fn state(&self) -> ContainerState {
        match self.pod.stage {
            PodStage::Succeeded => ContainerState::Terminated,
            PodStage::Stopping | PodStage::Ready => ContainerState::Running,
            _ if self.is_lost => ContainerState::Running,
            _ => ContainerState::Waiting,
        }
    }
}

impl JobFacts {
    /// The condition with which it ended, and the reason for it.
    pub(super) fn ending(&self) -> Option<(&'static str, &'static str)> {
        self.job.finished.map(|(outcome, _)| match outcome {
            Outcome::Complete => ("Complete", "CompletionsReached"),
            Outcome::BackoffLimitExceeded => ("Failed", "BackoffLimitExceeded"),
            Outcome::DeadlineExceeded => ("Failed", "DeadlineExceeded"),
        })
    }
}

/// Where a thing is kept. Things of one resource stand together, and those of one namespace within them.
pub(super) type Key = (Resource, String, String);

impl Thing {
    pub(super) fn key(&self) -> Key {
        (self.resource, self.namespace.clone(), self.name.clone())
    }

    pub(super) fn reference(&self) -> Reference {
        Reference {
            resource: self.resource,
            namespace: self.namespace.clone(),
            name: self.name.clone(),
            uid: self.uid.clone(),
        }
    }
}
