//! Stories of pods in the queue: each row is a list of steps with what must be seen.

use super::*;

/// One step; the first number is the time in milliseconds.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Add a pod with this priority.
    Add(u64, u32, i32),
    AddGated(u64, u32),
    /// Pop and expect this pod, or nobody.
    Pop(u64, Option<u32>),
    /// The pod in flight is rejected by one plugin.
    Reject(u64, u32, Plugin),
    Error(u64, u32),
    /// The cluster changed, and the hint of this plugin says that it may help (nobody: all hints say no).
    Event(u64, Changes, Option<Plugin>),
    /// As before, for pods of at most this priority.
    EventUpTo(u64, i32, Changes, Option<Plugin>),
    /// The pending pod itself changed, and its rejecting plugins say that it may help.
    Update(u64, u32, Changes),
    Activate(u64, u32),
    Preempting(u32, bool),
    Delete(u32),
    /// Where a pod must be.
    Is(u32, Option<Place>),
    /// When the queue must wake, asked at the first time.
    Wakes(u64, Option<u64>),
}
use Step::*;

fn pod(id: u32, priority: i32) -> QueuedPod {
    QueuedPod { id: PodId(id), priority, template: TemplateId(id), is_gated: false }
}

fn act(queue: &mut SchedulingQueue, step: Step) {
    match step {
        Add(now, id, priority) => queue.add(Timestamp(now), pod(id, priority)),
        AddGated(now, id) => queue.add(Timestamp(now), QueuedPod { is_gated: true, ..pod(id, 0) }),
        Pop(now, want) => assert_eq!(queue.pop(Timestamp(now)).map(|id| id.0), want, "{step:?}"),
        Reject(now, id, plugin) => {
            queue.fail(Timestamp(now), PodId(id), Failure::Unschedulable([plugin].into_iter().collect()));
        }
        Error(now, id) => queue.fail(Timestamp(now), PodId(id), Failure::Error),
        Event(now, changes, helper) => {
            _ = queue.on_event(Timestamp(now), changes, |plugin, _| Some(plugin) == helper)
        }
        EventUpTo(now, priority, changes, helper) => {
            queue.on_event_for(Timestamp(now), changes, priority, |plugin, _| Some(plugin) == helper);
        }
        Update(now, id, changes) => queue.update(Timestamp(now), pod(id, 0), changes, |_, _| true),
        Activate(now, id) => queue.activate(Timestamp(now), PodId(id)),
        Preempting(id, is_preempting) => queue.set_preempting(PodId(id), is_preempting),
        Delete(id) => queue.delete(PodId(id)),
        Is(id, want) => assert_eq!(queue.place(PodId(id)), want, "{step:?}"),
        Wakes(now, want) => assert_eq!(queue.next_wake(Timestamp(now)), want.map(Timestamp), "{step:?}"),
    }
}

fn check(story: &str, steps: &[Step]) {
    let mut queue = SchedulingQueue::new(QueueSettings::default(), Timestamp::EPOCH);
    for (index, step) in steps.iter().enumerate() {
        let before = queue.clone();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| act(&mut queue, *step)));
        assert!(outcome.is_ok(), "{story}: step {index} {step:?} on {before:?}");
    }
    let placed = queue.entries.values().filter(|entry| entry.place != Place::InFlight).count();
    assert_eq!(queue.len(), placed, "{story}: every pod is where its entry says");
}

const FIT: Plugin = Plugin::NodeResourcesFit;
const TAINTS: Plugin = Plugin::TaintToleration;
const NODE_ADDED: Changes = Changes::NODE_ADDED;
const POD_DELETED: Changes = Changes::POD_DELETED;

#[test]
fn order_of_attempts() {
    check(
        "priority before age before arrival",
        &[
            Add(0, 1, 0),
            Add(5, 2, 10),
            Add(5, 3, 10),
            Add(4, 4, 10),
            Add(6, 5, 0),
            Pop(9, Some(4)),
            Pop(9, Some(2)),
            Pop(9, Some(3)),
            Pop(9, Some(1)),
            Pop(9, Some(5)),
            Pop(9, None),
        ],
    );
    check(
        "a rejected pod goes behind its equals",
        &[
            Add(0, 1, 0),
            Add(1, 2, 0),
            Pop(2, Some(1)),
            Reject(2, 1, FIT),
            Activate(3, 1),
            Pop(3, Some(2)),
            Pop(3, Some(1)),
        ],
    );
    check(
        "who waits is popped early by end of back-off, then priority",
        &[
            Add(0, 1, 0),
            Add(0, 2, 0),
            Add(0, 3, 5),
            Pop(0, Some(3)),
            Reject(10, 3, FIT),
            Pop(10, Some(1)),
            Reject(20, 1, FIT),
            Pop(20, Some(2)),
            Reject(30, 2, FIT),
            Event(40, NODE_ADDED, Some(FIT)),
            Is(1, Some(Place::BackOff)),
            Pop(40, Some(3)),
            Pop(40, Some(1)),
            Pop(40, Some(2)),
        ],
    );
}

#[test]
fn waiting_after_failures() {
    check(
        "an error waits a second and is not popped early",
        &[
            Add(0, 1, 0),
            Pop(100, Some(1)),
            Error(100, 1),
            Is(1, Some(Place::ErrorBackOff)),
            Wakes(100, Some(2_000)),
            Pop(1_999, None),
            Pop(2_000, Some(1)),
            Error(2_000, 1),
            Wakes(2_000, Some(5_000)),
        ],
    );
    check(
        "a rejection resets the error count, an error does not count as rejection",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Error(0, 1),
            Pop(2_000, Some(1)),
            Reject(2_000, 1, FIT),
            Event(2_000, NODE_ADDED, Some(FIT)),
            Pop(2_000, Some(1)),
            Error(3_000, 1),
            Wakes(3_000, Some(5_000)),
        ],
    );
    check(
        "an event after the wait brings the pod back at once",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Reject(0, 1, FIT),
            Is(1, Some(Place::Unschedulable)),
            Pop(1_500, None),
            Event(1_999, NODE_ADDED, Some(FIT)),
            Is(1, Some(Place::BackOff)),
            Pop(1_999, Some(1)),
            Reject(2_000, 1, FIT),
            Event(5_000, NODE_ADDED, Some(FIT)),
            Is(1, Some(Place::Active)),
        ],
    );
    check(
        "a flush moves whole seconds",
        &[
            Add(0, 1, 0),
            Add(0, 2, 0),
            Pop(0, Some(1)),
            Reject(0, 1, FIT),
            Event(0, NODE_ADDED, Some(FIT)),
            Is(1, Some(Place::BackOff)),
            Add(1_999, 3, 0),
            Is(1, Some(Place::BackOff)),
            Add(2_000, 4, 0),
            Is(1, Some(Place::Active)),
            Pop(2_000, Some(2)),
            Pop(2_000, Some(1)),
            Pop(2_000, Some(3)),
        ],
    );
}

#[test]
fn coming_back() {
    check(
        "only events for the rejecting plugin count, and only if its hint agrees",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Reject(0, 1, TAINTS),
            Event(10, POD_DELETED, Some(TAINTS)),
            Event(10, NODE_ADDED, Some(FIT)),
            Event(10, NODE_ADDED, None),
            Is(1, Some(Place::Unschedulable)),
            Event(10, NODE_ADDED, Some(TAINTS)),
            Is(1, Some(Place::BackOff)),
        ],
    );
    check(
        "a released nomination concerns lower and equal priorities",
        &[
            Add(0, 1, 9),
            Add(0, 2, 5),
            Pop(0, Some(1)),
            Reject(0, 1, FIT),
            Pop(0, Some(2)),
            Reject(0, 2, FIT),
            EventUpTo(1, 5, POD_DELETED, Some(FIT)),
            Is(1, Some(Place::Unschedulable)),
            Is(2, Some(Place::BackOff)),
        ],
    );
}

#[test]
fn timeouts_and_events_in_flight() {
    check(
        "nothing happens: after five minutes, at the next check",
        &[
            Add(1_000, 1, 0),
            Pop(1_000, Some(1)),
            Reject(1_000, 1, FIT),
            Wakes(1_000, Some(330_000)),
            Pop(329_999, None),
            Pop(330_000, Some(1)),
        ],
    );
    check(
        "the timeout is strict",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Reject(0, 1, FIT),
            Wakes(0, Some(330_000)),
            Pop(300_000, None),
            Wakes(300_000, Some(330_000)),
        ],
    );
    check(
        "an event during the attempt counts if it concerns who rejects",
        &[
            Add(0, 1, 0),
            Add(0, 2, 0),
            Pop(0, Some(1)),
            Pop(0, Some(2)),
            Event(0, NODE_ADDED, Some(FIT)),
            Reject(0, 1, FIT),
            Is(1, Some(Place::BackOff)),
            Reject(0, 2, TAINTS),
            Is(2, Some(Place::Unschedulable)),
        ],
    );
    check(
        "an event before the attempt does not count",
        &[
            Add(0, 1, 0),
            Event(0, NODE_ADDED, Some(FIT)),
            Pop(0, Some(1)),
            Reject(0, 1, FIT),
            Is(1, Some(Place::Unschedulable)),
        ],
    );
}

#[test]
fn gates() {
    const GATES_REMOVED: Changes = Changes::POD_GATES_REMOVED;
    check(
        "a gated pod waits for its gates only",
        &[
            AddGated(0, 1),
            Wakes(0, None),
            Event(0, NODE_ADDED, Some(Plugin::SchedulingGates)),
            Pop(700_000, None),
            Activate(700_000, 1),
            Is(1, Some(Place::Unschedulable)),
            Update(700_000, 1, GATES_REMOVED),
            Pop(700_000, Some(1)),
        ],
    );
    check(
        "a preempting pod is held until its last victim goes",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Preempting(1, true),
            Reject(0, 1, FIT),
            Event(1, POD_DELETED, Some(FIT)),
            Is(1, Some(Place::Unschedulable)),
            Event(2, NODE_ADDED, Some(FIT)),
            Preempting(1, false),
            Event(3, NODE_ADDED, Some(FIT)),
            Is(1, Some(Place::Unschedulable)),
            Event(4, POD_DELETED, Some(FIT)),
            Is(1, Some(Place::BackOff)),
        ],
    );
}

#[test]
fn updates_and_deletion() {
    check(
        "an update helps the pod itself",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Reject(0, 1, TAINTS),
            Update(5_000, 1, Changes::POD_LABELS),
            Is(1, Some(Place::Unschedulable)),
            Update(5_000, 1, Changes::POD_TOLERATIONS),
            Is(1, Some(Place::Active)),
            Update(5_000, 1, Changes::NONE),
            Is(1, Some(Place::Active)),
        ],
    );
    check(
        "an update during the attempt counts",
        &[
            Add(0, 1, 0),
            Pop(0, Some(1)),
            Update(0, 1, Changes::POD_TOLERATIONS),
            Is(1, Some(Place::InFlight)),
            Reject(0, 1, TAINTS),
            Is(1, Some(Place::BackOff)),
        ],
    );
    check("an update of an unknown pod adds it", &[Update(0, 1, Changes::NONE), Pop(0, Some(1))]);
    check(
        "a deleted pod is gone from everywhere",
        &[
            Add(0, 1, 0),
            Delete(1),
            Pop(0, None),
            Add(0, 2, 0),
            Pop(0, Some(2)),
            Delete(2),
            Reject(0, 2, FIT),
            Is(2, None),
            Add(0, 3, 0),
            Pop(0, Some(3)),
            Reject(0, 3, FIT),
            Delete(3),
            Wakes(0, None),
            Pop(900_000, None),
        ],
    );
}

#[test]
fn pods_of_one_template_are_asked_about_once() {
    let mut queue = SchedulingQueue::new(QueueSettings::default(), Timestamp::EPOCH);
    let many = 1_000;
    for id in 0..many {
        queue.add(Timestamp(0), QueuedPod { template: TemplateId(id % 2), ..pod(id, 0) });
    }
    while let Some(id) = queue.pop(Timestamp(0)) {
        queue.fail(Timestamp(0), id, Failure::Unschedulable([FIT].into_iter().collect()));
    }
    let mut asked = 0;
    let moved = queue.on_event(Timestamp(60_000), POD_DELETED, |_, id| {
        asked += 1;
        id.0 % 2 == 0
    });
    assert_eq!((asked, moved, queue.active.len()), (2, 500, 500));
}

/// A random move: what to do, with which pod, after how many milliseconds.
fn random_step(queue: &mut SchedulingQueue, now: Timestamp, choice: u8, id: u32) -> Option<PodId> {
    let in_flight = queue.in_flight.first().copied();
    match choice {
        0 | 1 if queue.place(PodId(id)).is_none() => queue.add(now, pod(id, (id % 3) as i32)),
        2..=4 => return queue.pop(now),
        5 | 6 => {
            _ = in_flight.map(|id| queue.fail(now, id, Failure::Unschedulable([FIT].into_iter().collect())))
        }
        7 => _ = in_flight.map(|id| queue.fail(now, id, Failure::Error)),
        8 => _ = queue.on_event(now, NODE_ADDED, |_, pod| pod.0 % 2 == id % 2),
        9 => queue.delete(PodId(id)),
        _ => {}
    }
    None
}

proptest::proptest! {
    /// The event engine calls the queue only when something happens; a real queue is flushed every second.
    #[test]
    fn flushing_late_is_flushing_on_time(steps in proptest::collection::vec((0..10_u8, 0..8_u32, 0..40_000_u64), 1..80)) {
        let mut late = SchedulingQueue::new(QueueSettings::default(), Timestamp::EPOCH);
        let mut on_time = late.clone();
        let mut now = 0;
        for (choice, id, wait) in steps {
            let then = now + wait / (1 + u64::from(choice) * 20);
            for second in (now / 1_000 + 1)..=(then / 1_000) {
                on_time.flush(Timestamp(second * 1_000));
            }
            now = then;
            let popped = random_step(&mut late, Timestamp(now), choice, id);
            proptest::prop_assert_eq!(popped, random_step(&mut on_time, Timestamp(now), choice, id));
            proptest::prop_assert_eq!(late.next_wake(Timestamp(now)), on_time.next_wake(Timestamp(now)));
        }
    }
}
