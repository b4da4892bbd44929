//! What somebody does to a cluster behind the back of the federation, as `kubectl` does in a real one. It is an argument like time is:
//! the same intervention at the same moment of the same world has the same consequences.

use super::SimulatedWorld;
use super::pods::{Phase, PodKey};
use crate::scheduler::NodeId;
use model::names::{ClusterName, NodeName, WorkloadKind, WorkloadRef};
use serde::{Deserialize, Serialize};

/// More replicas of one workload are a slip of the finger: no shipped scenario has a tenth of it, and each is a pod to be placed.
const MOST_REPLICAS: u32 = 10_000;

/// Something done from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Intervention {
    /// Sets how many replicas a workload should have in a cluster.
    Scale { cluster: ClusterName, workload: WorkloadRef, replicas: u32 },
    /// Lets a node take no more pods, or again.
    Cordon { cluster: ClusterName, node: NodeName, closed: bool },
    /// Tells a pod to stop, whatever its budget says. `name` is for whoever reads the record.
    DeletePod { cluster: ClusterName, pod: u64, name: String },
    /// Tells a pod to stop if its disruption budget allows.
    Evict { cluster: ClusterName, pod: u64, name: String },
}

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("there is no {what} in this cluster")]
    NoSuch { what: String },
    #[error("{what} cannot be scaled; deployments, statefulsets and replicasets without an owner can")]
    NotScalable { what: String },
    #[error("{replicas} replicas are more than {MOST_REPLICAS}; write fewer")]
    TooMany { replicas: u32 },
    #[error("an approved action on {what} is under way; wait until it has ended")]
    Busy { what: String },
    #[error("Cannot evict pod as it would violate the pod's disruption budget.")]
    BudgetForbids,
}

/// An intervention that is possible, and whom it is about.
enum Possible {
    Scale { cluster: usize, workload: usize, replicas: u32 },
    Cordon { cluster: usize, node: NodeId, closed: bool },
    Stop { cluster: usize, pod: PodKey },
    Evict { cluster: usize, pod: PodKey },
}

impl Intervention {
    /// What it is about, as the record names it.
    pub fn subject(&self) -> String {
        match self {
            Self::Scale { cluster, workload, .. } => format!("{cluster}/{workload}"),
            Self::Cordon { cluster, node, .. } => format!("{cluster}/node/{node}"),
            Self::DeletePod { cluster, name, .. } | Self::Evict { cluster, name, .. } => {
                format!("{cluster}/pod/{name}")
            }
        }
    }
}

impl SimulatedWorld {
    /// Whether it could be done now.
    pub fn could(&self, intervention: &Intervention) -> Result<(), Refused> {
        self.possible(intervention).map(drop)
    }

    /// Does it, now. Everything that was due at this moment must have happened.
    pub fn intervene(&mut self, intervention: &Intervention) -> Result<(), Refused> {
        let possible = self.possible(intervention)?;
        self.windows.note_happening();
        self.events += 1;
        match possible {
            Possible::Scale { cluster, workload, replicas } => self.scale_here(workload, cluster, replicas),
            Possible::Cordon { cluster, node, closed } => self.cordon(cluster, node, closed),
            Possible::Stop { cluster, pod } => {
                self.clusters[cluster].stop_pod(&mut self.agenda, pod);
            }
            Possible::Evict { cluster, pod } => {
                self.clusters[cluster].evict(&mut self.agenda, pod);
            }
        }
        self.come_to_rest();
        Ok(())
    }

    fn possible(&self, intervention: &Intervention) -> Result<Possible, Refused> {
        match intervention {
            Intervention::Scale { cluster, workload, replicas } => {
                self.possible_scale(self.index_of(cluster)?, workload, *replicas)
            }
            Intervention::Cordon { cluster, node, closed } => {
                let cluster = self.index_of(cluster)?;
                let found = self.clusters[cluster].state.node_by_name(node.as_str());
                let node = found.ok_or_else(|| Refused::NoSuch { what: format!("node {node}") })?;
                Ok(Possible::Cordon { cluster, node, closed: *closed })
            }
            Intervention::DeletePod { cluster, pod, name } => {
                let cluster = self.index_of(cluster)?;
                Ok(Possible::Stop { cluster, pod: self.running(cluster, *pod, name)?.0 })
            }
            Intervention::Evict { cluster, pod, name } => {
                let cluster = self.index_of(cluster)?;
                let (pod, workload, phase) = self.running(cluster, *pod, name)?;
                let permitted = self.clusters[cluster].budgets.permit(workload, phase);
                permitted.then_some(Possible::Evict { cluster, pod }).ok_or(Refused::BudgetForbids)
            }
        }
    }

    fn possible_scale(&self, cluster: usize, name: &WorkloadRef, replicas: u32) -> Result<Possible, Refused> {
        use WorkloadKind::{Deployment, ReplicaSet, StatefulSet};
        let what = || name.to_string();
        if !matches!(name.kind(), Deployment | ReplicaSet | StatefulSet) {
            return Err(Refused::NotScalable { what: what() });
        }
        if replicas > MOST_REPLICAS {
            return Err(Refused::TooMany { replicas });
        }
        let number = *self.workload_by_name().get(name).ok_or_else(|| Refused::NoSuch { what: what() })?;
        let workload = &self.workloads[number];
        let here = workload.placements.get(cluster).filter(|placement| !placement.leaving);
        here.ok_or_else(|| Refused::NoSuch { what: what() })?;
        if workload.busy_with.is_some() {
            return Err(Refused::Busy { what: what() });
        }
        Ok(Possible::Scale { cluster, workload: number, replicas })
    }

    fn index_of(&self, name: &ClusterName) -> Result<usize, Refused> {
        let missing = || Refused::NoSuch { what: format!("cluster {name}") };
        self.cluster_named(name).map(|cluster| cluster.index).ok_or_else(missing)
    }

    /// A pod that has not ended, with its workload and phase.
    fn running(&self, cluster: usize, uid: u64, name: &str) -> Result<(PodKey, u32, Phase), Refused> {
        let found = self.clusters[cluster].pods.iter().find(|record| record.uid == uid);
        let record = found.ok_or_else(|| Refused::NoSuch { what: format!("pod {name}") })?;
        Ok((record.key, record.owner.workload, record.phase))
    }

    /// What is wanted in the whole federation changes by as much.
    fn scale_here(&mut self, number: usize, cluster: usize, replicas: u32) {
        self.place(number, cluster, replicas);
        self.workloads[number].wanted = self.workloads[number].replicas();
    }

    fn cordon(&mut self, cluster: usize, id: NodeId, closed: bool) {
        let now = self.agenda.now();
        let cluster = &mut self.clusters[cluster];
        let before = cluster.state.node_facts(id);
        let Some(record) = cluster.node_mut(id) else { return };
        record.cordoned = closed;
        let opened = !closed && !record.is_closed();
        cluster.refresh(id);
        if opened {
            cluster.node_opened(now, &before, id);
        }
        cluster.nodes_changed = true;
    }
}
