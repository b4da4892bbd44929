//! The life of every pod: when it came, which node it got, when it ended. Kept only when asked for before the run; a
//! world that is not asked pays for one comparison per change.

use super::SimulatedWorld;
use super::pods::{PodKey, PodRecord};
use crate::scenario::PodTemplate;
use crate::scheduler::PodId;
use model::names::{ClusterName, NodeName};
use model::time::Timestamp;
use std::sync::Arc;

/// One pod from its making to its end.
#[derive(Clone, Debug)]
pub struct PodLife {
    pub cluster: ClusterName,
    /// Index of the workload in the scenario.
    pub workload: usize,
    pub template: Arc<PodTemplate>,
    pub created_at: Timestamp,
    pub placed: Option<Placed>,
    /// Nothing while it exists.
    pub ended: Option<Ended>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub at: Timestamp,
    pub node: NodeName,
}

/// When its work was done, or when it was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub at: Timestamp,
    pub finished: bool,
}

/// The lives of one cluster's pods, in the order they were made.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    lives: Vec<PodLife>,
    /// Which life a record is used for at present.
    current: Vec<usize>,
}

impl History {
    pub(super) fn created(&mut self, cluster: &ClusterName, record: &PodRecord) {
        let index = record.key.id.0 as usize;
        if self.current.len() <= index {
            self.current.resize(index + 1, 0);
        }
        self.current[index] = self.lives.len();
        self.lives.push(PodLife {
            cluster: cluster.clone(),
            workload: record.owner.workload as usize,
            template: Arc::clone(&record.spec),
            created_at: record.created_at,
            placed: None,
            ended: None,
        });
    }

    pub(super) fn placed(&mut self, key: PodKey, at: Timestamp, node: NodeName) {
        self.life(key.id).placed = Some(Placed { at, node });
    }

    /// The first end counts: a pod that was told to stop is not ended again when it is gone.
    pub(super) fn ended(&mut self, key: PodKey, at: Timestamp, finished: bool) {
        self.life(key.id).ended.get_or_insert(Ended { at, finished });
    }

    fn life(&mut self, id: PodId) -> &mut PodLife {
        &mut self.lives[self.current[id.0 as usize]]
    }
}

impl SimulatedWorld {
    /// Keeps the lives of all pods from now on; to be called before the first event.
    pub fn record_pods(&mut self) {
        assert!(self.pods_made() == 0, "the history of a pod begins with its making");
        for cluster in &mut self.clusters {
            cluster.history = Some(Box::default());
        }
    }

    /// The lives of all pods, if they were recorded: cluster by cluster, in the order they were made.
    pub fn pod_lives(&self) -> Vec<PodLife> {
        let histories = self.clusters.iter().filter_map(|cluster| cluster.history.as_ref());
        histories.flat_map(|history| history.lives.iter().cloned()).collect()
    }
}
