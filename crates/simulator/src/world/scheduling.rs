//! The scheduler at work in a cluster: takes pods from the queue, binds them, preempts, and hears what changed.

use super::agenda::{Agenda, Event};
use super::budgets::ForPreemption;
use super::cluster::Cluster;
use super::pods::{Phase, PodKey};
use crate::controllers::daemon_set::NodeFit;
use crate::kube::PreemptionPolicy;
use crate::scheduler::plugins::{node_affinity, taint_toleration};
use crate::scheduler::preemption::{CandidateLimits, Circumstances, PreemptionOutcome, Preemptor, preempt};
use crate::scheduler::queue::Failure;
use crate::scheduler::queueing_hints::{Change, NodeFacts, PodFacts};
use crate::scheduler::{FitError, NodeId, Nomination, PodDetails, PodId, Request, TemplateId};
use model::time::Timestamp;

impl Cluster {
    /// Lets the scheduler work until nobody it could place is left.
    pub(crate) fn schedule(&mut self, agenda: &mut Agenda) {
        if self.queue.is_empty() {
            return;
        }
        let now = agenda.now();
        while let Some(id) = self.queue.pop(now) {
            let record = self.pods.by_id(id).expect("a queued pod exists");
            let key = record.key;
            let request = Request {
                pod: id,
                template: record.template,
                priority: record.spec.priority,
                nominated: self.state.nominated_node(id),
            };
            let chance = &mut self.chance;
            let mut below = |bound| chance.below(bound);
            let placed = self.scheduler.schedule(now, &mut self.state, &request, &mut below);
            match placed {
                Ok(placement) => self.bind(agenda, key, placement.node),
                // Without any node nobody is asked, so there is no rejection that an event could resolve.
                Err(error) if error.all_nodes == 0 => {
                    self.withdraw_promise(now, id);
                    self.queue.fail(now, id, Failure::Error);
                    self.note_failure(id);
                }
                Err(error) => {
                    self.make_room(agenda, &request, &error);
                    self.queue.fail(now, id, Failure::Unschedulable(error.plugins()));
                    self.note_failure(id);
                }
            }
        }
        self.plan_wake(agenda);
    }

    fn bind(&mut self, agenda: &mut Agenda, key: PodKey, node: NodeId) {
        let now = agenda.now();
        let record = self.pods.get_mut(key).expect("the caller has it");
        record.phase = Phase::Starting;
        record.node = Some(node);
        record.placed_at = now;
        let (each, template) = (record.spec.each, record.template);
        let delay = record.spec.start_time.draw(&mut self.chance);
        let start_time = now.as_millis() as i64;
        let details = PodDetails { priority: record.spec.priority, start_time, terminating: false };
        self.ledger.note(record.owner, node, now);
        self.touched.insert(record.owner.workload);
        if let Some(history) = &mut self.history
            && let Some(Some(placed_on)) = self.nodes.get(node.index())
        {
            history.placed(key, now, placed_on.name.clone());
        }
        self.state.clear_nomination(key.id);
        self.state.assign(key.id, template, node, details);
        self.queue.done(key.id);
        if self.is_capacity(node) {
            self.sums.allocated += each;
        }
        self.sums.waiting -= 1;
        self.note_pod_event(now, key.id);
        self.tell_queue(now, &Change::Pod { old: None, new: Some(facts(key.id, template, true)) });
        if !self.lost_on_arrival(agenda, key, node) {
            let life = self.pods.get(key).map_or(0, |record| record.life);
            agenda.after(delay, Event::PodReady { cluster: self.index, pod: key, life });
        }
    }

    /// Stops less important pods for one that fits nowhere. As upstream, it spares disruption budgets where it can.
    fn make_room(&mut self, agenda: &mut Agenda, request: &Request, error: &FitError) {
        let record = self.pods.by_id(request.pod).expect("a queued pod exists");
        let never_preempts = record.spec.pod.spec.preemption_policy == Some(PreemptionPolicy::Never);
        if self.lowest_priority >= request.priority {
            return;
        }
        let random = self.chance.next_u64();
        let circumstances = Circumstances {
            budgets: &ForPreemption { budgets: &self.budgets, pods: &self.pods },
            limits: CandidateLimits::default(),
            is_preempted: &|pod| self.preempted.contains(&pod),
            random,
        };
        let preemptor = Preemptor { request: *request, never_preempts };
        match preempt(&mut self.state, &mut self.scheduler, preemptor, error, circumstances) {
            PreemptionOutcome::Nominated { node, victims, displaced } => {
                for pod in displaced {
                    self.withdraw_promise(agenda.now(), pod);
                }
                let Request { pod, template, priority, nominated } = *request;
                if nominated != Some(node) {
                    self.withdraw_promise(agenda.now(), pod);
                }
                self.state.nominate(node, Nomination { pod, template, priority });
                self.stop_victims(agenda, &victims);
            }
            PreemptionOutcome::NotPossible { reason } if reason.clears_nomination() => {
                self.withdraw_promise(agenda.now(), request.pod);
            }
            PreemptionOutcome::NotPossible { .. } => {}
        }
    }

    fn stop_victims(&mut self, agenda: &mut Agenda, victims: &[PodId]) {
        for victim in victims {
            let key = self.pods.by_id(*victim).expect("a victim exists").key;
            if self.stop_pod(agenda, key) {
                self.preempted.insert(*victim);
                self.preemptions += 1;
            }
        }
    }

    /// A waiting pod is no longer promised a node: the room kept for it is there for others.
    pub(super) fn withdraw_promise(&mut self, now: Timestamp, pod: PodId) {
        let Some(node) = self.state.nominated_node(pod) else { return };
        let promise = self.state.nominations(node).iter().find(|one| one.pod == pod).copied();
        let Nomination { template, priority, .. } = promise.expect("the node it was promised knows of it");
        self.state.clear_nomination(pod);
        let lost = PodFacts { pod, template, is_bound: false, is_nominated: true };
        self.queue.on_lost_nomination(now, &self.state, lost, priority);
    }

    fn plan_wake(&mut self, agenda: &mut Agenda) {
        let Some(wake) = self.queue.next_wake(agenda.now()) else { return };
        let planned = self.wakes_at.is_some_and(|at| at > agenda.now() && at <= wake);
        if !planned {
            self.wakes_at = Some(wake);
            agenda.at(wake, Event::SchedulerWakes);
        }
    }

    /// A pod left its node.
    pub(super) fn room_freed(&mut self, now: Timestamp, pod: PodId, template: TemplateId) {
        let old = facts(pod, template, true);
        self.tell_queue(now, &Change::Pod { old: Some(old), new: None });
    }

    pub(super) fn node_added(&mut self, now: Timestamp, node: NodeId) {
        let facts = self.state.node_facts(node);
        self.tell_queue(now, &Change::Node { old: None, new: Some(&facts) });
        self.nodes_changed = true;
        self.changes += 1;
    }

    pub(super) fn node_removed(&mut self, now: Timestamp, node: &NodeFacts) {
        self.tell_queue(now, &Change::Node { old: Some(node), new: None });
        self.nodes_changed = true;
        self.changes += 1;
    }

    /// A node takes pods again.
    pub(super) fn node_opened(&mut self, now: Timestamp, old: &NodeFacts, node: NodeId) {
        let new = self.state.node_facts(node);
        self.tell_queue(now, &Change::Node { old: Some(old), new: Some(&new) });
        self.changes += 1;
    }

    fn tell_queue(&mut self, now: Timestamp, change: &Change<'_>) {
        if self.queue.is_empty() {
            return;
        }
        self.queue.on_change(now, &self.state, change);
    }

    /// Whether a DaemonSet's pod belongs on a node: selectors and hard taints, not room.
    pub(super) fn daemon_fit(&mut self, template: TemplateId, node: NodeId) -> NodeFit {
        taint_toleration::prepare(&mut self.state, template);
        node_affinity::prepare(&mut self.state, template);
        let selected = node_affinity::filter(&self.state, template, node).is_ok();
        let admitted = taint_toleration::filter(&self.state, template, node).is_ok();
        NodeFit::of(selected, admitted, admitted)
    }
}

const fn facts(pod: PodId, template: TemplateId, is_bound: bool) -> PodFacts {
    PodFacts { pod, template, is_bound, is_nominated: false }
}
