//! One cluster: its pods, its scheduler, and the sums that meters and snapshots read.

use super::agenda::{Agenda, Event};
use super::autoscaler::Autoscaler;
use super::budgets::Budgets;
use super::history::History;
use super::ledger::Ledger;
use super::nodes::{NodeRecord, Pool};
use super::pods::{Owner, Phase, PodKey, PodRecord, PodTable};
use super::power_shares::PowerShares;
use super::provisioner::{Provisioner, labelled_pools};
use super::usage::Usage;
use crate::carbon;
use crate::randomness::{Randomness, Stream};
use crate::scenario::{AutoscalerSpec, ClusterSpec, PodTemplate};
use crate::scheduler::queue::{QueueSettings, QueuedPod, SchedulingQueue};
use crate::scheduler::{ClusterState, NodeId, PodId, Profile, Scheduler, TemplateId};
use model::names::ClusterName;
use model::resources::Resources;
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) name: ClusterName,
    pub(crate) index: usize,
    pub(crate) state: ClusterState,
    pub(crate) queue: SchedulingQueue,
    pub(super) scheduler: Scheduler,
    pub(super) chance: Stream,
    pub(crate) pods: PodTable,
    /// Templates of pods without a selector, by their address, which no other can have while it is kept here. Only ever
    /// looked up, so the order of addresses decides nothing.
    interned: BTreeMap<usize, (Arc<PodTemplate>, TemplateId)>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) nodes: Vec<Option<NodeRecord>>,
    pub(crate) known_nodes: BTreeSet<NodeId>,
    pub(crate) sums: Sums,
    pub(crate) ledger: Ledger,
    /// The lives of all pods, when somebody asked for them.
    pub(super) history: Option<Box<History>>,
    pub(crate) autoscaler: Option<Autoscaler>,
    pub(crate) carbon: Option<Arc<carbon::Trace>>,
    pub(crate) budgets: Budgets,
    pub(crate) provisioner: Option<Provisioner>,
    /// For the lives of spot nodes.
    pub(super) spot_chance: Stream,
    /// A pod found no node for the first time since the provisioner last looked.
    pub(super) newly_unschedulable: bool,
    /// How often pods came or went, or nodes did.
    pub(super) changes: u64,
    /// Workloads whose pods changed and whose controller must look again.
    pub(crate) touched: Touched,
    /// Pods stopped because their node was drained or a more important pod needed the room.
    pub(crate) evictions: u64,
    pub(crate) preemptions: u64,
    /// No pod ever ranked lower: a pod of this priority has nobody to preempt.
    pub(super) lowest_priority: i32,
    /// Pods that stop because a more important one needs their room.
    pub(super) preempted: BTreeSet<PodId>,
    pub(super) wakes_at: Option<Timestamp>,
    /// What pods really use; not kept where nobody asks.
    pub(crate) usage: Option<Box<Usage>>,
    /// Whose power it is, where somebody wants to know.
    pub(crate) power_shares: Option<Box<PowerShares>>,
    /// Nodes came or went since the DaemonSets last looked.
    pub(crate) nodes_changed: bool,
    /// Evictions since somebody last looked.
    #[cfg(test)]
    pub(crate) granted: Vec<super::eviction::Granted>,
}

/// Numbers of workloads, each once and in order when they are taken. Most often it holds one, for which a tree would
/// be made and torn down with every event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched(Vec<u32>);

impl Touched {
    pub(crate) fn insert(&mut self, workload: u32) {
        if self.0.last() != Some(&workload) {
            self.0.push(workload);
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives them all out; `spent` is memory to go on with.
    pub(crate) fn take(&mut self, mut spent: Vec<u32>) -> Vec<u32> {
        spent.clear();
        let mut all = std::mem::replace(&mut self.0, spent);
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What a pod leaves behind.
#[derive(Clone, Copy)]
struct Room {
    pod: PodId,
    template: TemplateId,
    workload: u32,
    each: Resources,
}

impl Room {
    fn of(record: &PodRecord) -> Self {
        Self {
            pod: record.key.id,
            template: record.template,
            workload: record.owner.workload,
            each: record.spec.each,
        }
    }
}

/// Totals kept up to date with every change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) capacity: Resources,
    /// Requests of pods that have a node, unreachable nodes left out here as in the capacity.
    pub(crate) allocated: Resources,
    /// Requests of all pods.
    pub(crate) requested: Resources,
    /// Pods that wait for a node.
    pub(crate) waiting: u64,
}

impl Cluster {
    pub(crate) fn new(index: usize, spec: &ClusterSpec, profile: Profile, randomness: Randomness) -> Self {
        let pools = labelled_pools(spec);
        let (autoscaler, provisioner) = match &spec.autoscaler {
            None => (None, None),
            Some(AutoscalerSpec::Cluster(own)) => {
                let chance = randomness.stream(&format!("autoscaler of {}", spec.name));
                (Some(Autoscaler::new(own, chance)), None)
            }
            Some(AutoscalerSpec::Karpenter(karpenter)) => (None, Some(Provisioner::new(karpenter, &pools))),
        };
        let state = ClusterState::new(profile).expect("the default profile has no selectors to refuse");
        Self {
            name: spec.name.clone(),
            index,
            state,
            queue: SchedulingQueue::new(QueueSettings::default(), Timestamp::EPOCH),
            scheduler: Scheduler::default(),
            chance: randomness.stream(&format!("scheduler of {}", spec.name)),
            pods: PodTable::default(),
            interned: BTreeMap::new(),
            pools: pools.into_iter().map(Pool::new).collect(),
            nodes: Vec::new(),
            known_nodes: BTreeSet::new(),
            sums: Sums::default(),
            ledger: Ledger::default(),
            history: None,
            autoscaler,
            provisioner,
            spot_chance: randomness.stream(&format!("spot nodes of {}", spec.name)),
            budgets: Budgets::default(),
            newly_unschedulable: false,
            changes: 0,
            carbon: spec.carbon.clone().map(Arc::new),
            touched: Touched::default(),
            evictions: 0,
            preemptions: 0,
            lowest_priority: i32::MAX,
            preempted: BTreeSet::new(),
            wakes_at: None,
            usage: None,
            power_shares: None,
            nodes_changed: false,
            #[cfg(test)]
            granted: Vec::new(),
        }
    }

    /// From now on chance is that of another future, and electricity stays as it is.
    pub(super) fn persist(&mut self, now: Timestamp, randomness: Randomness) {
        self.chance = randomness.stream(&format!("scheduler of {}", self.name));
        self.spot_chance = randomness.stream(&format!("spot nodes of {}", self.name));
        if let Some(autoscaler) = &mut self.autoscaler {
            autoscaler.renew(randomness.stream(&format!("autoscaler of {}", self.name)));
        }
        let constant = |trace: &Arc<carbon::Trace>| Arc::new(carbon::Trace::constant(trace.at(now)));
        self.carbon = self.carbon.as_ref().map(constant);
    }

    /// The scheduler's number for a template, without comparing its content with all others each time.
    pub(crate) fn intern(&mut self, template: &Arc<PodTemplate>) -> TemplateId {
        let (_, id) = self.interned.entry(Arc::as_ptr(template).addr()).or_insert_with(|| {
            let id = self.state.intern(&template.pod).expect("the scenario was checked");
            (Arc::clone(template), id)
        });
        *id
    }

    /// Makes a pod; the scheduler will look for a node.
    pub(crate) fn create_pod(
        &mut self,
        agenda: &Agenda,
        owner: Owner,
        template: TemplateId,
        spec: &Arc<PodTemplate>,
    ) -> PodKey {
        let key = self.pods.insert(owner, template, spec, agenda.now());
        self.budgets.count(owner.workload, None, Some(Phase::Waiting));
        if let Some(history) = &mut self.history
            && let Some(record) = self.pods.get(key)
        {
            history.created(&self.name, record);
        }
        self.sums.requested += spec.each;
        self.sums.waiting += 1;
        self.lowest_priority = self.lowest_priority.min(spec.priority);
        let is_gated = !spec.pod.spec.scheduling_gates.is_empty();
        let pod = QueuedPod { id: key.id, priority: spec.priority, template, is_gated };
        self.queue.add(agenda.now(), pod);
        key
    }

    /// Tells a pod to stop. One without a node is gone at once. Returns whether it was not stopping already.
    pub(crate) fn stop_pod(&mut self, agenda: &mut Agenda, key: PodKey) -> bool {
        let Some(record) = self.pods.get_mut(key) else { return false };
        let was_waiting = match record.phase {
            Phase::Stopping | Phase::Succeeded => return false,
            phase => phase == Phase::Waiting,
        };
        self.touched.insert(record.owner.workload);
        if let Some(history) = &mut self.history {
            history.ended(key, agenda.now(), false);
        }
        if was_waiting {
            self.forget_waiting(agenda.now(), key);
            return true;
        }
        self.budgets.count(record.owner.workload, Some(record.phase), Some(Phase::Stopping));
        record.phase = Phase::Stopping;
        record.ready_since = None;
        record.ended_at = Some(agenda.now());
        self.uses_nothing(agenda.now(), key.id);
        let record = self.pods.get_mut(key).expect("looked up above");
        let (lost, life) = (record.lost, record.life);
        let delay = record.spec.stop_time.draw(&mut self.chance);
        self.state.set_terminating(key.id);
        // Nobody on a dead node says that a pod has stopped: it stays until the node is back, or gone for good.
        if !lost {
            agenda.after(delay, Event::PodGone { cluster: self.index, pod: key, life });
        }
        self.note_pod_event(agenda.now(), key.id);
        true
    }

    pub(crate) fn pod_ready(&mut self, now: Timestamp, key: PodKey, life: u32) -> Option<&PodRecord> {
        let starts = |record: &&mut PodRecord| record.phase == Phase::Starting && record.life == life;
        let record = self.pods.get_mut(key).filter(starts)?;
        self.budgets.count(record.owner.workload, Some(record.phase), Some(Phase::Ready));
        record.phase = Phase::Ready;
        record.ready_since = Some(now);
        let (workload, cpu) = (record.owner.workload, record.spec.cpu_use);
        self.touched.insert(workload);
        self.uses(now, key, cpu);
        self.pods.get(key)
    }

    /// A pod has done its work: its room is free, its record stays until its controller has counted it.
    pub(crate) fn pod_finished(&mut self, agenda: &mut Agenda, key: PodKey, life: u32) {
        let runs = |record: &&mut PodRecord| record.phase == Phase::Ready && record.life == life;
        let Some(record) = self.pods.get_mut(key).filter(runs) else { return };
        self.budgets.count(record.owner.workload, Some(record.phase), Some(Phase::Succeeded));
        record.phase = Phase::Succeeded;
        record.ready_since = None;
        record.ended_at = Some(agenda.now());
        self.ledger.finished += 1;
        if let Some(history) = &mut self.history {
            history.ended(key, agenda.now(), true);
        }
        let room = Room::of(record);
        self.note_pod_event(agenda.now(), key.id);
        self.free_room(agenda, room);
    }

    /// Forgets a pod that holds no room.
    pub(crate) fn discard(&mut self, key: PodKey) {
        let Some(record) = self.pods.remove(key) else { return };
        assert!(record.phase == Phase::Succeeded, "only finished pods are discarded");
        self.budgets.count(record.owner.workload, Some(record.phase), None);
    }

    /// A pod that had a node is gone: its room is free.
    pub(crate) fn pod_gone(&mut self, agenda: &mut Agenda, key: PodKey) {
        if let Some(record) = self.pods.remove(key) {
            self.budgets.count(record.owner.workload, Some(record.phase), None);
            self.free_room(agenda, Room::of(&record));
        }
    }

    /// A pod has stopped, unless its node crashed meanwhile.
    pub(crate) fn pod_stopped(&mut self, agenda: &mut Agenda, key: PodKey, life: u32) {
        if self.pods.get(key).is_some_and(|record| record.life == life) {
            self.pod_gone(agenda, key);
        }
    }

    fn free_room(&mut self, agenda: &mut Agenda, Room { pod, template, workload, each }: Room) {
        self.uses_nothing(agenda.now(), pod);
        let placed = self.state.unassign(pod).expect("a pod that ran was assigned");
        self.preempted.remove(&pod);
        self.sums.requested = self.sums.requested.minus(each);
        if self.is_capacity(placed.node) {
            self.sums.allocated = self.sums.allocated.minus(each);
        }
        self.touched.insert(workload);
        self.changes += 1;
        self.room_freed(agenda.now(), pod, template);
        self.remove_if_drained(agenda, placed.node);
    }

    fn forget_waiting(&mut self, now: Timestamp, key: PodKey) {
        let record = self.pods.remove(key).expect("looked up by the caller");
        self.budgets.count(record.owner.workload, Some(record.phase), None);
        self.queue.delete(key.id);
        self.withdraw_promise(now, key.id);
        self.sums.requested = self.sums.requested.minus(record.spec.each);
        self.sums.waiting -= 1;
    }
}
