//! What was begun and how far it came: the steps of every action with their times, for whoever watches.

use super::SimulatedWorld;
use control::world::Applied;
use model::execution::{Progress, Step};
use model::recommendation::RecommendationId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many actions that are over are kept until somebody takes them away; more than anybody looks at.
const MOST_KEPT: usize = 1_000;

/// So many numbers of actions that were begun are remembered one by one. Numbers only grow, so those below the ones that
/// were forgotten are taken for begun: an order is better lost than carried out twice.
const MOST_REMEMBERED: usize = 100_000;

/// The courses of all actions that were begun.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    by_id: BTreeMap<RecommendationId, Progress>,
    /// Those that are over, in the order in which they ended.
    over: VecDeque<RecommendationId>,
    begun: BTreeSet<RecommendationId>,
    forgotten: Option<RecommendationId>,
}

impl Courses {
    /// Returns whether it is begun for the first time.
    pub(super) fn begin(&mut self, id: RecommendationId) -> bool {
        if self.forgotten.is_some_and(|last| id <= last) || !self.begun.insert(id) {
            return false;
        }
        if self.begun.len() > MOST_REMEMBERED {
            self.forgotten = self.begun.pop_first();
        }
        self.by_id.insert(id, Progress::new(id));
        true
    }

    fn ended(&mut self, id: RecommendationId) {
        self.over.push_back(id);
        if self.over.len() > MOST_KEPT
            && let Some(oldest) = self.over.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }

    fn take(&mut self, id: RecommendationId) -> Option<Progress> {
        self.by_id.get(&id).filter(|course| course.is_over())?;
        self.over.retain(|one| *one != id);
        self.by_id.remove(&id)
    }
}

impl SimulatedWorld {
    /// How far an action has come; nothing if it was never begun, or is over and was taken away or is long forgotten.
    pub fn progress(&self, id: RecommendationId) -> Option<&Progress> {
        self.courses.by_id.get(&id)
    }

    /// Every action that is under way or was not taken away yet.
    pub fn progress_of_all(&self) -> impl Iterator<Item = &Progress> {
        self.courses.by_id.values()
    }

    /// Gives out the course of an action that is over and forgets it. It still is not begun a second time.
    pub fn take_progress(&mut self, id: RecommendationId) -> Option<Progress> {
        self.courses.take(id)
    }

    pub(super) fn note_step(&mut self, id: RecommendationId, step: Step) {
        let now = self.agenda.now();
        if let Some(course) = self.courses.by_id.get_mut(&id) {
            course.note(now, step);
        }
    }

    pub(super) fn note_outcome(&mut self, id: RecommendationId, outcome: &Applied) {
        self.note_step(
            id,
            match outcome {
                Applied::Done => Step::Done,
                Applied::Failed { .. } => Step::Failed,
                Applied::RolledBack { .. } => Step::TakenBack,
            },
        );
        self.courses.ended(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, Scenario};
    use control::world::{Input, World as _};
    use model::action::{Action, Spot};
    use model::document::to_yaml;
    use model::names::{ClusterName, PoolName};
    use model::time::Timestamp;
    use serde_json::{Value, json};
    use std::sync::Arc;

    const ID: RecommendationId = RecommendationId(7);

    /// Two clusters of one node each; pods take 20 s to start and 2 s to stop, orders one second.
    fn world(kind: &str, migration: &Value, faults: &Value) -> SimulatedWorld {
        let pool = json!({ "name": "p", "nodes": 1, "minimum": 0, "maximum": 3, "cpu": "8", "memory": "16Gi", "boot_time": "30s" });
        let cluster = |name: &str| json!({ "name": name, "pools": [pool.clone()] });
        let mut orders = json!({ "propagation": "1s", "ready_within": "5m" });
        orders.as_object_mut().unwrap().extend(migration.as_object().unwrap().clone());
        let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "1h",
            "clusters": [cluster("one"), cluster("two")], "migration": orders, "faults": faults,
            "pods": { "start_time": "20s", "stop_time": "2s" },
            "workloads": [{ "name": "web", "kind": kind, "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 2 }] }));
        let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
    }

    /// Begins an action at 100 s; the outcomes that follow, and the steps with their seconds after the beginning.
    fn course(world: &mut SimulatedWorld, action: &Action) -> (Vec<Applied>, Vec<(u64, Step)>) {
        world.next_input(Timestamp(100_000)).unwrap();
        world.begin_undertaking(ID, action);
        world.begin_undertaking(ID, action);
        let mut outcomes = Vec::new();
        while let Some((_, input)) = world.next_input(Timestamp(1_800_000)).unwrap() {
            match input {
                Input::Applied { outcome, .. } => outcomes.push(outcome),
                _ => break,
            }
        }
        let steps = &world.progress(ID).unwrap().steps;
        (outcomes, steps.iter().map(|one| ((one.at.as_millis() - 100_000) / 1_000, one.step)).collect())
    }

    fn cluster(name: &str) -> ClusterName {
        ClusterName::new(name).unwrap()
    }

    fn migrate(kind: &str) -> Action {
        let workload = format!("{kind}/default/web").parse().unwrap();
        Action::Migrate { workload, from: cluster("one"), to: cluster("two"), replicas: 2 }
    }

    #[test]
    fn the_target_is_ready_before_the_source_leaves() {
        let mut world = world("deployment", &json!({}), &json!([]));
        let (outcomes, steps) = course(&mut world, &migrate("deployment"));
        assert_eq!(outcomes, [Applied::Done], "begun twice, done once");
        let make_before_break = [
            (0, Step::OrderSent),
            (1, Step::OrderTaken),
            (1, Step::TargetMaking),
            (21, Step::TargetReady),
            (21, Step::SourceLeaving),
            (23, Step::SourceGone),
            (23, Step::Done),
        ];
        assert_eq!(steps, make_before_break);
        world.begin_undertaking(ID, &migrate("deployment").inverse());
        assert_eq!(world.undertakings.len(), 0, "what was done is not done again under the same number");
        assert!(world.take_progress(ID).unwrap().is_over() && world.progress(ID).is_none());
        world.begin_undertaking(ID, &migrate("deployment").inverse());
        assert_eq!(world.undertakings.len(), 0, "not even when nobody remembers how it went");
    }

    #[test]
    fn what_is_recreated_leaves_first() {
        let mut world = world("deployment", &json!({ "mode": "recreate" }), &json!([]));
        let (_, steps) = course(&mut world, &migrate("deployment"));
        let order: Vec<Step> = steps.into_iter().map(|(_, step)| step).collect();
        let break_before_make = [
            Step::OrderSent,
            Step::OrderTaken,
            Step::TargetMaking,
            Step::SourceLeaving,
            Step::SourceGone,
            Step::TargetReady,
            Step::Done,
        ];
        assert_eq!(order, break_before_make);
    }

    #[test]
    fn trouble_on_the_way_is_part_of_the_course() {
        let fault = json!([{ "fault": { "partition": { "cluster": "two" } }, "at": "110s", "for": "10m" }]);
        let (outcomes, steps) = course(&mut world("deployment", &json!({}), &fault), &migrate("deployment"));
        assert!(matches!(outcomes[..], [Applied::RolledBack { .. }]), "{outcomes:?}");
        let order: Vec<Step> = steps.iter().map(|(_, step)| *step).collect();
        let taken_back = [
            Step::OrderSent,
            Step::OrderTaken,
            Step::TargetMaking,
            Step::OrderDelayed,
            Step::TakingBack,
            Step::OrderDelayed,
            Step::TakenBack,
        ];
        assert_eq!(order, taken_back, "{steps:?}");
        assert_eq!(steps[4].0, 301, "ready within five minutes after the order was there");
    }

    #[test]
    fn other_actions_have_a_target_only() {
        let workload = || "default/web".parse().unwrap();
        let pool = || PoolName::new("p").unwrap();
        let actions = [
            (Action::Scale { workload: workload(), cluster: cluster("one"), from: 2, to: 3 }, 21),
            (Action::ResizePool { cluster: cluster("one"), pool: pool(), from: 1, to: 2 }, 31),
        ];
        for (action, ready) in actions {
            let (outcomes, steps) = course(&mut world("deployment", &json!({}), &json!([])), &action);
            assert_eq!(outcomes, [Applied::Done]);
            let target_only = [
                (0, Step::OrderSent),
                (1, Step::OrderTaken),
                (1, Step::TargetMaking),
                (ready, Step::TargetReady),
                (ready, Step::Done),
            ];
            assert_eq!(steps, target_only, "{action}");
        }
        let spots = (Spot::Pool(pool()), Spot::Pool(PoolName::new("q").unwrap()));
        let nowhere =
            Action::Move { workload: workload(), cluster: cluster("three"), from: spots.0, to: spots.1 };
        let (outcomes, steps) = course(&mut world("deployment", &json!({}), &json!([])), &nowhere);
        assert!(
            matches!(outcomes[..], [Applied::Failed { .. }]) && steps == [(0, Step::Failed)],
            "{steps:?}"
        );
    }

    #[test]
    fn what_is_over_is_forgotten_in_order_but_never_begun_again() {
        let mut courses = Courses::default();
        for number in 0..MOST_KEPT as u64 + 2 {
            assert!(courses.begin(RecommendationId(number)));
            courses.ended(RecommendationId(number));
        }
        assert!(!courses.by_id.contains_key(&RecommendationId(1)));
        assert!(courses.by_id.contains_key(&RecommendationId(2)));
        assert!(!courses.begin(RecommendationId(0)) && !courses.begin(RecommendationId(5)));
    }

    #[test]
    fn numbers_are_remembered_within_a_limit() {
        let mut courses = Courses::default();
        for number in 0..=MOST_REMEMBERED as u64 {
            courses.begin(RecommendationId(2 * number));
        }
        assert_eq!(courses.begun.len(), MOST_REMEMBERED);
        assert!(!courses.begin(RecommendationId(0)), "forgotten, and so taken for begun");
        assert!(courses.begin(RecommendationId(1)), "newer than what was forgotten, and never begun");
    }
}
