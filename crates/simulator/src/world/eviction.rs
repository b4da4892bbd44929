//! Emptying nodes: pods are evicted as far as disruption budgets allow; the others are tried again.

use super::agenda::{Agenda, Event};
use super::cluster::Cluster;
use super::pods::PodKey;
#[cfg(test)]
use super::pods::{Phase, PodRecord};
use crate::scheduler::NodeId;
use model::time::{Period, Timestamp};

/// Who drains, and so how a refused eviction goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drainer {
    /// As `kubectl drain` does: every five seconds, for ever.
    Person,
    /// As the cluster autoscaler does: every ten seconds, for two minutes (`max-pod-eviction-time`); then the node stays.
    Autoscaler,
    /// As Karpenter does: up to every ten seconds, for ever. It is also who empties a node that the provider takes back.
    Provisioner,
}

impl Drainer {
    const fn tries_every(self) -> Period {
        match self {
            Self::Person => Period::from_secs(5),
            Self::Autoscaler | Self::Provisioner => Period::from_secs(10),
        }
    }

    const fn gives_up_after(self) -> Option<Period> {
        match self {
            Self::Person | Self::Provisioner => None,
            Self::Autoscaler => Some(Period::from_minutes(2)),
        }
    }
}

/// A drain under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drain {
    by: Drainer,
    began: Timestamp,
    /// When refused evictions are tried again.
    pub(crate) again_at: Option<Timestamp>,
}

impl Drain {
    pub(crate) const fn new(by: Drainer, began: Timestamp) -> Self {
        Self { by, began, again_at: None }
    }

    /// Whether the machine is given back, whatever is still on it, when it does not answer.
    pub(super) const fn gives_machine_back(&self) -> bool {
        matches!(self.by, Drainer::Autoscaler | Drainer::Provisioner)
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.by.gives_up_after().is_some_and(|patience| now >= self.began + patience)
    }
}

/// A healthy pod was evicted: what its workload has left, for the tests.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Granted {
    pub(crate) workload: u32,
    pub(crate) ready_left: u32,
    pub(crate) replicas: u32,
}

impl Cluster {
    /// Evicts what may go from a node that is being drained.
    pub(super) fn evict_all(&mut self, agenda: &mut Agenda, id: NodeId) {
        let mut refused = false;
        for pod in self.state.pods_on(id).to_vec() {
            let key = self.pods.by_id(pod).expect("a pod on a node exists").key;
            refused |= !self.evict(agenda, key);
        }
        self.bury_with_node(agenda, id);
        if let Some(drain) = self.node_mut(id).and_then(|record| record.drain.as_mut()) {
            drain.again_at = refused.then(|| agenda.now() + drain.by.tries_every());
            if let Some(at) = drain.again_at {
                agenda.at(at, Event::DrainContinues { cluster: self.index, node: id });
            }
        }
        self.remove_if_drained(agenda, id);
    }

    /// Stops a pod unless its budget forbids it.
    pub(super) fn evict(&mut self, agenda: &mut Agenda, key: PodKey) -> bool {
        let record = self.pods.get(key).expect("the caller has it");
        let (workload, phase) = (record.owner.workload, record.phase);
        let permitted = self.budgets.permit(workload, phase);
        if permitted {
            self.evictions += u64::from(self.stop_pod(agenda, key));
            #[cfg(test)]
            self.note_granted(workload, phase);
        }
        permitted
    }

    /// Counts anew what is left after an eviction.
    #[cfg(test)]
    fn note_granted(&mut self, workload: u32, phase: Phase) {
        let is_left = |pod: &&PodRecord| pod.owner.workload == workload && pod.phase == Phase::Ready;
        if let (Phase::Ready, Some(guarded)) = (phase, self.budgets.of(workload)) {
            let ready_left = self.pods.iter().filter(is_left).count() as u32;
            self.granted.push(Granted { workload, ready_left, replicas: guarded.pods.replicas });
        }
    }

    /// Evictions that were refused are tried again, or given up.
    pub(crate) fn continue_drain(&mut self, agenda: &mut Agenda, id: NodeId) {
        let now = agenda.now();
        // The node may be gone, and another may have its number.
        let Some(record) = self.node(id) else { return };
        let Some(drain) = record.drain.filter(|drain| drain.again_at == Some(now)) else { return };
        // Meanwhile the pool may have got another node in place of this one.
        let pool = &self.pools[record.pool];
        if drain.is_over(now) && pool.target() < pool.spec.maximum {
            self.give_up_drain(now, id);
        } else {
            self.evict_all(agenda, id);
        }
    }

    /// The node takes pods again.
    fn give_up_drain(&mut self, now: Timestamp, id: NodeId) {
        let cordoned = self.state.node_facts(id);
        let record = self.node_mut(id).expect("a node whose drain goes on exists");
        record.drain = None;
        let pool = record.pool;
        self.pools[pool].draining -= 1;
        self.pools[pool].ready += 1;
        self.refresh(id);
        self.node_opened(now, &cordoned, id);
        self.nodes_changed = true;
        if let Some(autoscaler) = &mut self.autoscaler {
            autoscaler.removal_failed(now);
        }
    }

    /// A person asked for the size that the pool has without the nodes being drained: they have to go.
    pub(crate) fn insist_on_drains(&mut self, pool: usize) {
        for record in self.nodes.iter_mut().flatten().filter(|record| record.pool == pool) {
            if let Some(drain) = &mut record.drain {
                drain.by = Drainer::Person;
            }
        }
    }
}

#[cfg(test)]
mod tests;
