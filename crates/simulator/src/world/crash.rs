//! Nodes that stop at once. The cluster notices late, as Kubernetes does: it hears nothing for a while, then takes the node
//! for unreachable, and evicts the pods that do not tolerate that any longer. Until then it believes what it last heard.
//!
//! A pod that is told to stop on a dead node stays, since nobody says that it has stopped. It goes when the node is back, or
//! when the machine is given back.

use super::SimulatedWorld;
use super::agenda::{Agenda, Event};
use super::cluster::Cluster;
use super::pods::{Phase, PodKey, PodRecord};
use super::provisioner::is_no_daemon;
use crate::kube::{Taint, TaintEffect, Toleration};
use crate::scheduler::NodeId;
use crate::scheduler::plugins::taint_toleration::tolerates;
use model::names::NodeName;
use model::time::Period;

/// How long a node may be silent (`node-monitor-grace-period` since Kubernetes 1.32).
const GRACE: Period = Period::from_secs(50);
/// How long pods tolerate it that do not say anything else (`default-unreachable-toleration-seconds`).
const TOLERATED_FOR: Period = Period::from_secs(300);
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

/// What the node controller puts on a node that it does not hear from.
pub(super) fn taints() -> [Taint; 2] {
    [TaintEffect::NoSchedule, TaintEffect::NoExecute].map(|effect| Taint {
        key: UNREACHABLE.to_owned(),
        value: String::new(),
        effect,
    })
}

/// How long a pod stays on an unreachable node; nothing if for ever.
fn tolerated_for(record: &PodRecord) -> Option<Period> {
    if !is_no_daemon(record) {
        return None;
    }
    let [_, taint] = taints();
    let covers = |one: &&Toleration| tolerates(one, &taint, false);
    let mut covering = record.spec.pod.spec.tolerations.iter().filter(covers).peekable();
    // As admission does: a pod that says nothing about it is given the default.
    if covering.peek().is_none() {
        return Some(TOLERATED_FOR);
    }
    let shortest = covering.filter_map(|one| one.toleration_seconds).min();
    shortest.map(|seconds| Period::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

impl SimulatedWorld {
    /// Stops this many of the working nodes of a cluster, or of one of its pools. Returns which, and how many pods they had.
    pub(super) fn crash_nodes(
        &mut self,
        cluster: usize,
        pool: Option<usize>,
        count: u32,
    ) -> (Vec<NodeName>, u64) {
        let cluster = &mut self.clusters[cluster];
        let mut working: Vec<NodeId> = cluster.node_ids().filter(|id| cluster.may_crash(*id, pool)).collect();
        let (mut names, mut pods) = (Vec::new(), 0);
        while names.len() < count as usize && !working.is_empty() {
            let chosen = self.chance.crashes.below(working.len() as u64) as usize;
            let chosen = working.remove(chosen);
            pods += cluster.keys_on(chosen).len() as u64;
            names.extend(cluster.crash(&mut self.agenda, chosen));
        }
        (names, pods)
    }
}

impl Cluster {
    fn may_crash(&self, id: NodeId, pool: Option<usize>) -> bool {
        let works = |record: &&super::nodes::NodeRecord| !record.crashed && !record.is_draining();
        let record = self.node(id).filter(works);
        record.is_some_and(|record| pool.is_none_or(|pool| record.pool == pool))
    }

    /// Whether a node counts as capacity: the cluster does not take it for dead.
    pub(super) fn is_capacity(&self, id: NodeId) -> bool {
        self.node(id).is_none_or(|record| !record.unreachable)
    }

    fn keys_on(&self, id: NodeId) -> Vec<PodKey> {
        let on_it = self.state.pods_on(id).iter();
        on_it.filter_map(|pod| self.pods.by_id(*pod)).map(|record| record.key).collect()
    }

    /// Whatever runs there stops at this moment; nobody is told.
    fn crash(&mut self, agenda: &mut Agenda, id: NodeId) -> Option<NodeName> {
        let record = self.node_mut(id)?;
        record.crashed = true;
        record.crashes += 1;
        let (name, crash) = (record.name.clone(), record.crashes);
        for key in self.keys_on(id) {
            self.lose(agenda, key);
        }
        self.host_changed(agenda.now(), id);
        agenda.after(GRACE, Event::NodeMissed { cluster: self.index, node: name.clone(), crash });
        Some(name)
    }

    /// What was planned for the pod does not happen.
    fn lose(&mut self, agenda: &Agenda, key: PodKey) {
        let Some(record) = self.pods.get_mut(key) else { return };
        record.lost = true;
        record.life += 1;
        // The services among its workloads notice at once; controllers see nothing new yet.
        self.touched.insert(record.owner.workload);
        self.uses_nothing(agenda.now(), key.id);
    }

    /// A pod that was bound to a dead node waits there for the node, or for its eviction. Returns whether it is one.
    pub(super) fn lost_on_arrival(&mut self, agenda: &mut Agenda, key: PodKey, node: NodeId) -> bool {
        let Some(host) = self.node(node).filter(|host| host.crashed) else { return false };
        let unreachable = host.unreachable;
        if let Some(record) = self.pods.get_mut(key) {
            record.lost = true;
        }
        if unreachable {
            self.plan_eviction(agenda, key);
        }
        true
    }

    /// The node has been silent for too long.
    pub(super) fn node_missed(&mut self, agenda: &mut Agenda, name: &NodeName, crash: u32) {
        let Some(id) = self.state.node_by_name(name.as_str()) else { return };
        let missed = |record: &&mut super::nodes::NodeRecord| record.crashed && record.crashes == crash;
        let Some(record) = self.node_mut(id).filter(missed) else { return };
        record.unreachable = true;
        let pool = record.pool;
        self.sums.capacity = self.sums.capacity.minus(self.pools[pool].spec.node_capacity);
        self.refresh(id);
        for key in self.keys_on(id) {
            let each = self.no_longer_ready(key);
            self.sums.allocated = self.sums.allocated.minus(each);
            self.plan_eviction(agenda, key);
        }
        self.nodes_changed = true;
        self.changes += 1;
        self.bury_with_node(agenda, id);
    }

    /// Takes a pod's readiness away; returns what it requests.
    fn no_longer_ready(&mut self, key: PodKey) -> model::resources::Resources {
        let record = self.pods.get_mut(key).expect("a pod on a node exists");
        if record.phase == Phase::Ready {
            self.budgets.count(record.owner.workload, Some(Phase::Ready), Some(Phase::Starting));
            record.phase = Phase::Starting;
            record.ready_since = None;
        }
        self.touched.insert(record.owner.workload);
        record.spec.each
    }

    fn plan_eviction(&self, agenda: &mut Agenda, pod: PodKey) {
        let Some(record) = self.pods.get(pod) else { return };
        if let Some(patience) = tolerated_for(record) {
            agenda.after(patience, Event::PodEvicted { cluster: self.index, pod, life: record.life });
        }
    }

    /// A pod has tolerated long enough. No budget is asked, as upstream asks none here.
    pub(super) fn evict_lost(&mut self, agenda: &mut Agenda, key: PodKey, life: u32) {
        let still = self.pods.get(key).is_some_and(|record| record.lost && record.life == life);
        if still {
            self.evictions += u64::from(self.stop_pod(agenda, key));
        }
    }

    /// A dead machine that somebody gives back takes the pods along that were told to stop.
    pub(super) fn bury_with_node(&mut self, agenda: &mut Agenda, id: NodeId) {
        let buried = self.node(id).is_some_and(|record| {
            record.unreachable && record.drain.is_some_and(|drain| drain.gives_machine_back())
        });
        if !buried {
            return;
        }
        for key in self.keys_on(id) {
            if self.pods.get(key).is_some_and(|record| record.phase == Phase::Stopping) {
                self.pod_gone(agenda, key);
            }
        }
    }

    /// The node works again: its pods start anew, and those that were told to stop are gone.
    pub(super) fn node_returns(&mut self, agenda: &mut Agenda, name: &NodeName) {
        let Some(id) = self.state.node_by_name(name.as_str()) else { return };
        let Some(record) = self.node_mut(id).filter(|record| record.crashed) else { return };
        record.crashed = false;
        if std::mem::take(&mut record.unreachable) {
            let pool = record.pool;
            self.sums.capacity += self.pools[pool].spec.node_capacity;
            let tainted = self.state.node_facts(id);
            self.refresh(id);
            for key in self.keys_on(id) {
                let each = self.pods.get(key).map(|record| record.spec.each);
                self.sums.allocated += each.unwrap_or_default();
            }
            self.node_opened(agenda.now(), &tainted, id);
            self.nodes_changed = true;
        }
        self.host_changed(agenda.now(), id);
        for key in self.keys_on(id) {
            self.start_again(agenda, key);
        }
    }

    fn start_again(&mut self, agenda: &mut Agenda, key: PodKey) {
        self.no_longer_ready(key);
        let record = self.pods.get_mut(key).expect("a pod on a node exists");
        record.lost = false;
        record.life += 1;
        if record.phase == Phase::Stopping {
            return self.pod_gone(agenda, key);
        }
        let life = record.life;
        let delay = record.spec.start_time.draw(&mut self.chance);
        agenda.after(delay, Event::PodReady { cluster: self.index, pod: key, life });
    }
}
