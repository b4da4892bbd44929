//! From the queue to the node: a pod that fits nowhere makes room, waits for it and gets it.

use super::*;
use crate::kube::{Node, Pod};
use crate::scheduler::queue::{Failure, Place, QueueSettings, QueuedPod, SchedulingQueue};
use crate::scheduler::queueing_hints::{Change, PodFacts};
use crate::scheduler::state::{Nomination, PodDetails};
use crate::scheduler::template::TemplateId;
use crate::scheduler::{Plugin, Profile};
use model::time::Timestamp;
use serde_json::json;

/// A cluster of nodes with four cores each and a queue before it.
struct World {
    state: ClusterState,
    scheduler: Scheduler,
    queue: SchedulingQueue,
    nodes: Vec<NodeId>,
    preempted: Vec<PodId>,
}

impl World {
    fn new(nodes: usize) -> Self {
        let mut state = ClusterState::new(Profile::default()).expect("the default profile is valid");
        let node = |number: usize| -> Node {
            let amounts = json!({"cpu": "4", "memory": "8Gi", "pods": "10"});
            let value =
                json!({"metadata": {"name": format!("node-{number}")}, "status": {"allocatable": amounts}});
            serde_json::from_value(value).expect("a valid node")
        };
        let nodes = (0..nodes).map(|number| state.add_node(&node(number))).collect();
        let queue = SchedulingQueue::new(QueueSettings::default(), Timestamp::EPOCH);
        Self { state, scheduler: Scheduler::default(), queue, nodes, preempted: Vec::new() }
    }

    fn template(&mut self, cores: i64) -> TemplateId {
        let container = json!({"name": "main", "resources": {"requests": {"cpu": cores.to_string()}}});
        let pod: Pod =
            serde_json::from_value(json!({"spec": {"containers": [container]}})).expect("a valid pod");
        self.state.intern(&pod).expect("a valid pod")
    }

    fn run(&mut self, id: u32, cores: i64, priority: i32, node: usize) {
        let template = self.template(cores);
        let details = PodDetails { priority, ..PodDetails::default() };
        self.state.assign(PodId(id), template, self.nodes[node], details);
    }

    fn add(&mut self, now: u64, id: u32, cores: i64, priority: i32) -> Request {
        let template = self.template(cores);
        let pod = QueuedPod { id: PodId(id), priority, template, is_gated: false };
        self.queue.add(Timestamp(now), pod);
        Request { pod: pod.id, template, priority, nominated: None }
    }

    /// One cycle for a pod that does not fit: the outcome of preemption; the pod is back in the queue.
    fn attempt(&mut self, now: u64, request: Request) -> PreemptionOutcome {
        assert_eq!(self.queue.pop(Timestamp(now)), Some(request.pod), "the pod is next");
        let error = self
            .scheduler
            .schedule(Timestamp::EPOCH, &mut self.state, &request, &mut |_| 0)
            .expect_err("it fits nowhere");
        let is_preempted = |pod: PodId| self.preempted.contains(&pod);
        let circumstances = Circumstances {
            budgets: &Vec::<Budget>::new(),
            limits: CandidateLimits::default(),
            is_preempted: &is_preempted,
            random: 0,
        };
        let preemptor = Preemptor { request, never_preempts: false };
        let outcome = preempt(&mut self.state, &mut self.scheduler, preemptor, &error, circumstances);
        self.queue.fail(Timestamp(now), request.pod, Failure::Unschedulable(error.plugins()));
        outcome
    }

    fn nominate(&mut self, request: Request, node: NodeId, victims: &[PodId]) -> Request {
        let Request { pod, template, priority, .. } = request;
        self.state.nominate(node, Nomination { pod, template, priority });
        for victim in victims {
            self.state.set_terminating(*victim);
            self.preempted.push(*victim);
        }
        Request { nominated: Some(node), ..request }
    }

    fn pod_gone(&mut self, now: u64, id: u32) -> usize {
        let placed = self.state.unassign(PodId(id)).expect("the pod runs");
        let old = PodFacts { pod: PodId(id), template: placed.template, is_bound: true, is_nominated: false };
        self.queue.on_change(Timestamp(now), &self.state, &Change::Pod { old: Some(old), new: None })
    }
}

#[test]
fn room_is_made_kept_and_taken() {
    let mut world = World::new(1);
    world.run(1, 3, 0, 0);
    let node = world.nodes[0];
    let important = world.add(0, 10, 3, 100);
    let nominated = PreemptionOutcome::Nominated { node, victims: vec![PodId(1)], displaced: vec![] };
    assert_eq!(world.attempt(0, important), nominated);
    let important = world.nominate(important, node, &[PodId(1)]);

    // While the victim terminates, the pod neither preempts again nor lets a lesser one have its room.
    world.queue.activate(Timestamp(1), important.pod);
    let waits = PreemptionOutcome::NotPossible { reason: PreemptionRefusal::VictimsAreTerminating };
    assert_eq!(world.attempt(1, important), waits);
    let lesser = world.add(2, 11, 2, 50);
    let outcome = world.attempt(2, lesser);
    assert!(matches!(outcome, PreemptionOutcome::NotPossible { .. }), "{outcome:?}");

    // The victim goes: both are worth a try, the important one first, and the lesser one still respects the promise.
    assert_eq!(world.pod_gone(60_000, 1), 2);
    assert_eq!(world.queue.pop(Timestamp(60_000)), Some(important.pod));
    let placed = world.scheduler.schedule(Timestamp::EPOCH, &mut world.state, &important, &mut |_| 0);
    assert_eq!(placed.map(|placement| placement.node), Ok(node));
    assert_eq!(world.queue.pop(Timestamp(60_000)), Some(lesser.pod));
    let refused = world
        .scheduler
        .schedule(Timestamp::EPOCH, &mut world.state, &lesser, &mut |_| 0)
        .expect_err("no room is left");
    assert!(refused.plugins().contains(Plugin::NodeResourcesFit));
}

#[test]
fn a_lost_promise_helps_only_those_who_respected_it() {
    let mut world = World::new(1);
    world.run(1, 3, 500, 0);
    let promised = world.add(0, 10, 1, 100);
    world.queue.delete(promised.pod);
    let promised = world.nominate(promised, world.nodes[0], &[]);
    let lesser = world.add(0, 11, 1, 50);
    let greater = world.add(0, 12, 2, 200);
    for request in [greater, lesser] {
        assert!(matches!(world.attempt(0, request), PreemptionOutcome::NotPossible { .. }));
    }
    world.state.clear_nomination(promised.pod);
    let gone =
        PodFacts { pod: promised.pod, template: promised.template, is_bound: false, is_nominated: true };
    assert_eq!(world.queue.on_lost_nomination(Timestamp(60_000), &world.state, gone, promised.priority), 1);
    assert_eq!(world.queue.place(lesser.pod), Some(Place::Active));
    assert_eq!(world.queue.place(greater.pod), Some(Place::Unschedulable));
}

#[test]
fn a_search_leaves_the_state_as_it_was() {
    let mut world = World::new(3);
    for (id, node) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        world.run(id, 2, i32::try_from(id).unwrap_or_default(), node);
    }
    let before: Vec<_> = world.nodes.iter().map(|node| *world.state.node_resources(*node)).collect();
    let request = world.add(0, 10, 4, 3);
    let outcome = world.attempt(0, request);
    let node = world.nodes[0];
    let victims = vec![PodId(2), PodId(1)];
    assert_eq!(outcome, PreemptionOutcome::Nominated { node, victims, displaced: vec![] });
    let after: Vec<_> = world.nodes.iter().map(|node| *world.state.node_resources(*node)).collect();
    assert_eq!(before, after);
    assert!((1..=4).all(|id| world.state.pod(PodId(id)).is_some()));
}
