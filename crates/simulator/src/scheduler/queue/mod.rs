//! The scheduling queue: which pending pod is tried next, and when a rejected pod is worth another try.
//!
//! It knows pods by id only. Whether an event may help a pod is asked of the caller, who has the objects and answers
//! with [`queueing_hints`](super::queueing_hints).

mod back_off;
#[cfg(test)]
mod tests;
mod unschedulable;

pub use back_off::{BackOff, ORDERING_WINDOW};

use super::nodes::PodId;
use super::queueing_hints::{Changes, listening_to};
use super::status::{Plugin, PluginSet};
use super::template::TemplateId;
use back_off::is_waiting;
use model::time::{Period, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use unschedulable::{Group, UnschedulablePool};

/// The times of the queue; the defaults are kube-scheduler's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueSettings {
    pub back_off: BackOff,
    /// A rejected pod is tried again after this long, even if nothing happened that may help it.
    pub unschedulable_timeout: Period,
    /// How often the queue looks for such pods, counted from its start.
    pub timeout_check: Period,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            back_off: BackOff::default(),
            unschedulable_timeout: Period::from_minutes(5),
            timeout_check: Period::from_secs(30),
        }
    }
}

/// What the queue has to know about a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedPod {
    pub id: PodId,
    pub priority: i32,
    /// Pods of one template are answered alike by every hint.
    pub template: TemplateId,
    /// Whether the pod has scheduling gates left.
    pub is_gated: bool,
}

/// Why an attempt came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// These plugins rejected the pod; at least one.
    Unschedulable(PluginSet),
    /// Something went wrong that has nothing to do with the pod.
    Error,
}

/// Where a pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Active,
    BackOff,
    ErrorBackOff,
    Unschedulable,
    /// Popped, and neither done nor failed yet.
    InFlight,
}

/// The order of attempts: higher priority first, then who waits longer, then who came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttemptOrder {
    priority: Reverse<i32>,
    since: Timestamp,
    sequence: u64,
}

impl AttemptOrder {
    pub fn new(priority: i32, since: Timestamp, sequence: u64) -> Self {
        Self { priority: Reverse(priority), since, sequence }
    }
}

/// What keeps a pod out of the queue although nobody has rejected it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gate {
    SchedulingGates,
    /// Its own preemption is under way.
    Preemption,
}

impl Gate {
    /// Events after which the gate is looked at again; others pass a gated pod by.
    fn listens_to(self) -> Changes {
        match self {
            Self::SchedulingGates => Changes::POD_GATES_REMOVED,
            Self::Preemption => Changes::POD_DELETED,
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    pod: QueuedPod,
    place: Place,
    /// When the pod was added, or came back after its last attempt.
    since: Timestamp,
    sequence: u64,
    attempts: u32,
    unschedulable_failures: u32,
    consecutive_errors: u32,
    waits_until: Option<Timestamp>,
    rejected_by: PluginSet,
    /// What kept the pod out of the queue when it was last about to enter.
    gate: Option<Gate>,
    is_preempting: bool,
    /// In flight only: plugins whose rejection an event meanwhile may have resolved.
    helped: PluginSet,
    /// In flight only: come back to the queue whoever rejects the pod.
    must_return: bool,
}

impl Entry {
    fn new(pod: QueuedPod, since: Timestamp, sequence: u64) -> Self {
        Self {
            pod,
            place: Place::Active,
            since,
            sequence,
            attempts: 0,
            unschedulable_failures: 0,
            consecutive_errors: 0,
            waits_until: None,
            rejected_by: PluginSet::NONE,
            gate: None,
            is_preempting: false,
            helped: PluginSet::NONE,
            must_return: false,
        }
    }

    fn order(&self) -> AttemptOrder {
        AttemptOrder::new(self.pod.priority, self.since, self.sequence)
    }

    fn group(&self) -> Group {
        Group { gate: self.gate, rejected_by: self.rejected_by, template: self.pod.template }
    }

    fn closed_gate(&self) -> Option<Gate> {
        if self.pod.is_gated {
            return Some(Gate::SchedulingGates);
        }
        self.is_preempting.then_some(Gate::Preemption)
    }
}

/// The queue of one scheduler.
#[derive(Clone, Debug)]
pub struct SchedulingQueue {
    settings: QueueSettings,
    entries: BTreeMap<PodId, Entry>,
    active: BTreeSet<(AttemptOrder, PodId)>,
    back_off: BTreeSet<(Timestamp, AttemptOrder, PodId)>,
    /// Ordered by the end of the wait and arrival; priority plays no part after an error.
    error_back_off: BTreeSet<(Timestamp, u64, PodId)>,
    unschedulable: UnschedulablePool,
    in_flight: BTreeSet<PodId>,
    next_sequence: u64,
    last_timeout_check: Timestamp,
}

impl SchedulingQueue {
    pub fn new(settings: QueueSettings, started_at: Timestamp) -> Self {
        assert!(!settings.timeout_check.is_zero(), "the pool is checked at a positive period");
        Self {
            settings,
            entries: BTreeMap::new(),
            active: BTreeSet::new(),
            back_off: BTreeSet::new(),
            error_back_off: BTreeSet::new(),
            unschedulable: UnschedulablePool::default(),
            in_flight: BTreeSet::new(),
            next_sequence: 0,
            last_timeout_check: started_at,
        }
    }

    /// Adds a new pending pod. A pod with scheduling gates is kept aside until they are gone.
    pub fn add(&mut self, now: Timestamp, pod: QueuedPod) {
        self.flush(now);
        let entry = Entry::new(pod, now, self.sequence());
        let former = self.entries.insert(pod.id, entry);
        assert!(former.is_none(), "a pod is added once");
        self.enqueue(now, pod.id);
    }

    /// Takes the next pod to try. If nobody is due, the first of those that wait after a rejection is taken early.
    pub fn pop(&mut self, now: Timestamp) -> Option<PodId> {
        self.flush(now);
        let id = match self.active.pop_first() {
            Some((_, id)) => id,
            None => self.back_off.pop_first()?.2,
        };
        let entry = self.entries.get_mut(&id).expect("a queued pod has an entry");
        entry.attempts += 1;
        entry.place = Place::InFlight;
        entry.rejected_by = PluginSet::NONE;
        entry.gate = None;
        entry.helped = PluginSet::NONE;
        entry.must_return = false;
        self.in_flight.insert(id);
        Some(id)
    }

    /// Ends the attempt of a pod that found its node: it leaves the queue for good.
    pub fn done(&mut self, id: PodId) {
        if self.in_flight.remove(&id) {
            self.entries.remove(&id);
        }
    }

    /// Ends a failed attempt: the pod comes back. Nothing happens if it was deleted meanwhile.
    pub fn fail(&mut self, now: Timestamp, id: PodId, failure: Failure) {
        self.flush(now);
        if !self.in_flight.remove(&id) {
            return;
        }
        let sequence = self.sequence();
        let back_off = self.settings.back_off;
        let entry = self.entries.get_mut(&id).expect("a pod in flight has an entry");
        (entry.since, entry.sequence) = (now, sequence);
        let is_worth_another_try = match failure {
            Failure::Error => {
                entry.consecutive_errors += 1;
                entry.waits_until = back_off.end(now, entry.consecutive_errors);
                true
            }
            Failure::Unschedulable(rejected_by) => {
                assert!(!rejected_by.is_empty(), "a rejection names who rejected");
                entry.unschedulable_failures += 1;
                entry.consecutive_errors = 0;
                entry.waits_until = back_off.end(now, entry.unschedulable_failures);
                entry.rejected_by = rejected_by;
                entry.must_return || entry.helped.intersects(rejected_by)
            }
        };
        if is_worth_another_try { self.enqueue(now, id) } else { self.put(id, Place::Unschedulable) }
    }

    /// Tells the queue that the cluster changed. `may_help(plugin, pod)` is the plugin's hint; it is asked once for
    /// pods that must get the same answer. Returns how many pods are worth another try.
    pub fn on_event(
        &mut self,
        now: Timestamp,
        changes: Changes,
        may_help: impl FnMut(Plugin, PodId) -> bool,
    ) -> usize {
        self.on_event_for(now, changes, i32::MAX, may_help)
    }

    /// Like [`on_event`](Self::on_event), for waiting pods of at most this priority: a nomination that went away frees
    /// room for those only, because the others never respected it.
    pub fn on_event_for(
        &mut self,
        now: Timestamp,
        changes: Changes,
        highest_priority: i32,
        mut may_help: impl FnMut(Plugin, PodId) -> bool,
    ) -> usize {
        self.flush(now);
        let mut helped = self.unschedulable.helped_by(changes, &mut may_help);
        helped.retain(|id| self.entry(*id).pod.priority <= highest_priority);
        for id in &helped {
            self.take_out(*id);
            self.enqueue(now, *id);
        }
        self.note_for_pods_in_flight(changes, may_help);
        helped.len()
    }

    /// The pending pod itself was updated; `changes` says how. `may_help` is asked about this pod only.
    pub fn update(
        &mut self,
        now: Timestamp,
        pod: QueuedPod,
        changes: Changes,
        mut may_help: impl FnMut(Plugin, PodId) -> bool,
    ) {
        self.flush(now);
        if !self.entries.contains_key(&pod.id) {
            return self.add(now, pod);
        }
        let place = self.take_out(pod.id);
        let entry = self.entries.get_mut(&pod.id).expect("looked up above");
        entry.pod = pod;
        match place {
            Place::Active | Place::BackOff | Place::ErrorBackOff => self.put(pod.id, place),
            Place::InFlight => {
                for plugin in listening_to(PluginSet::ALL, changes).iter() {
                    if may_help(plugin, pod.id) {
                        entry.helped = entry.helped.with(plugin);
                    }
                }
                self.put(pod.id, place);
            }
            Place::Unschedulable => {
                if listening_to(entry.rejected_by, changes).iter().any(|plugin| may_help(plugin, pod.id)) {
                    self.enqueue(now, pod.id);
                } else {
                    self.put(pod.id, place);
                }
            }
        }
    }

    /// Puts a waiting pod first in line for its priority, without back-off; a pod in flight comes back if it fails.
    pub fn activate(&mut self, now: Timestamp, id: PodId) {
        self.flush(now);
        let Some(entry) = self.entries.get_mut(&id) else { return };
        match entry.place {
            Place::Active => {}
            Place::InFlight => entry.must_return = true,
            Place::BackOff | Place::ErrorBackOff | Place::Unschedulable => {
                self.take_out(id);
                if !self.is_held_at_gate(id) {
                    self.put(id, Place::Active);
                }
            }
        }
    }

    /// While a pod's own preemption is under way it cannot enter the queue.
    pub fn set_preempting(&mut self, id: PodId, is_preempting: bool) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.is_preempting = is_preempting;
        }
    }

    /// Removes a pod, wherever it is.
    pub fn delete(&mut self, id: PodId) {
        if self.entries.contains_key(&id) {
            self.take_out(id);
            self.entries.remove(&id);
        }
    }

    /// When the queue has something to do next if nothing happens before: `now` if a pod can be popped.
    pub fn next_wake(&self, now: Timestamp) -> Option<Timestamp> {
        if !self.active.is_empty() || !self.back_off.is_empty() {
            return Some(now);
        }
        let error = self.error_back_off.first().map(|(end, ..)| *end + ORDERING_WINDOW);
        let timeout = self.unschedulable.oldest().map(|since| self.timeout_check_for(since));
        error.into_iter().chain(timeout).min().map(|wake| wake.max(now))
    }

    pub fn place(&self, id: PodId) -> Option<Place> {
        self.entries.get(&id).map(|entry| entry.place)
    }

    /// How often the pod was popped.
    pub fn attempts(&self, id: PodId) -> Option<u32> {
        self.entries.get(&id).map(|entry| entry.attempts)
    }

    /// The plugins that rejected the pod last, gates included.
    pub fn rejected_by(&self, id: PodId) -> Option<PluginSet> {
        self.entries.get(&id).map(|entry| entry.rejected_by)
    }

    /// Pods that wait, wherever; those in flight are not among them.
    pub fn len(&self) -> usize {
        self.active.len() + self.back_off.len() + self.error_back_off.len() + self.unschedulable.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Catches up with the periodic flushes. Doing it late gives the same result as doing it on time, because a
    /// flush only moves pods forward and every method that looks at them flushes first.
    fn flush(&mut self, now: Timestamp) {
        while let Some(id) = self.first_that_waited_enough(now) {
            self.take_out(id);
            self.put(id, Place::Active);
        }
        self.flush_timed_out(now);
    }

    fn first_that_waited_enough(&self, now: Timestamp) -> Option<PodId> {
        let rejected = self.back_off.first().map(|(end, _, id)| (*end, *id));
        let erred = self.error_back_off.first().map(|(end, _, id)| (*end, *id));
        let is_over = |(end, _): &(Timestamp, PodId)| !is_waiting(Some(*end), now);
        rejected.into_iter().chain(erred).find(is_over).map(|(_, id)| id)
    }

    fn flush_timed_out(&mut self, now: Timestamp) {
        let checks = now.since(self.last_timeout_check).0 / self.settings.timeout_check.0;
        if checks == 0 {
            return;
        }
        self.last_timeout_check += self.settings.timeout_check.saturating_mul(checks);
        let due = self.last_timeout_check;
        let timed_out = self.unschedulable.timed_out(due, self.settings.unschedulable_timeout);
        if timed_out.is_empty() {
            return;
        }
        for id in timed_out {
            self.take_out(id);
            self.enqueue(due, id);
        }
        // A timeout counts as an event that concerns everybody, also who is in flight.
        for id in &self.in_flight {
            self.entries.get_mut(id).expect("a pod in flight has an entry").must_return = true;
        }
    }

    /// The first check at which a pod that waits since `since` has timed out.
    fn timeout_check_for(&self, since: Timestamp) -> Timestamp {
        let period = self.settings.timeout_check;
        let limit = since + self.settings.unschedulable_timeout;
        let checks = limit.since(self.last_timeout_check).0 / period.0 + 1;
        self.last_timeout_check + period.saturating_mul(checks)
    }

    fn note_for_pods_in_flight(&mut self, changes: Changes, mut may_help: impl FnMut(Plugin, PodId) -> bool) {
        let concerned = listening_to(PluginSet::ALL, changes);
        for id in &self.in_flight {
            let entry = self.entries.get_mut(id).expect("a pod in flight has an entry");
            for plugin in concerned.iter() {
                if !entry.helped.contains(plugin) && may_help(plugin, *id) {
                    entry.helped = entry.helped.with(plugin);
                }
            }
        }
    }

    /// Puts a pod that is nowhere into the active or a back-off queue, unless a gate holds it.
    fn enqueue(&mut self, now: Timestamp, id: PodId) {
        if self.is_held_at_gate(id) {
            return;
        }
        let entry = self.entry(id);
        let place = match (is_waiting(entry.waits_until, now), entry.rejected_by.is_empty()) {
            (false, _) => Place::Active,
            (true, false) => Place::BackOff,
            (true, true) => Place::ErrorBackOff,
        };
        self.put(id, place);
    }

    /// Sets a pod that is nowhere aside if one of its gates is closed.
    fn is_held_at_gate(&mut self, id: PodId) -> bool {
        let entry = self.entries.get_mut(&id).expect("a queued pod has an entry");
        entry.gate = entry.closed_gate();
        if entry.gate == Some(Gate::SchedulingGates) {
            entry.rejected_by = entry.rejected_by.with(Plugin::SchedulingGates);
        }
        let is_held = entry.gate.is_some();
        if is_held {
            self.put(id, Place::Unschedulable);
        }
        is_held
    }

    fn put(&mut self, id: PodId, place: Place) {
        let entry = self.entries.get_mut(&id).expect("a queued pod has an entry");
        entry.place = place;
        let waits_until = entry.waits_until.unwrap_or_default();
        match place {
            Place::Active => _ = self.active.insert((entry.order(), id)),
            Place::BackOff => _ = self.back_off.insert((waits_until, entry.order(), id)),
            Place::ErrorBackOff => _ = self.error_back_off.insert((waits_until, entry.sequence, id)),
            Place::Unschedulable => self.unschedulable.insert(entry.group(), entry.since, id),
            Place::InFlight => _ = self.in_flight.insert(id),
        }
    }

    /// Takes a pod out of the collection it is in; its entry stays and says where it was.
    fn take_out(&mut self, id: PodId) -> Place {
        let entry = self.entries.get(&id).expect("a queued pod has an entry");
        let waits_until = entry.waits_until.unwrap_or_default();
        match entry.place {
            Place::Active => _ = self.active.remove(&(entry.order(), id)),
            Place::BackOff => _ = self.back_off.remove(&(waits_until, entry.order(), id)),
            Place::ErrorBackOff => _ = self.error_back_off.remove(&(waits_until, entry.sequence, id)),
            Place::Unschedulable => self.unschedulable.remove(entry.group(), entry.since, id),
            Place::InFlight => _ = self.in_flight.remove(&id),
        }
        entry.place
    }

    fn entry(&self, id: PodId) -> &Entry {
        self.entries.get(&id).expect("a queued pod has an entry")
    }

    fn sequence(&mut self) -> u64 {
        self.next_sequence += 1;
        self.next_sequence
    }
}
