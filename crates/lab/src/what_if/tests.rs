//! Predictions against what then really happens, in worlds that are driven like any other.

use super::*;
use crate::run::{Plan, Scenario};
use control::control_loop::ControlLoop;
use control::journal::{Journal as _, JournalWriter};
use control::world::{Effect, Input, World as _};
use model::document::to_yaml;
use model::names::{ClusterName, ReviewerName};
use model::prediction::{Basis, Confounder, Measure, Millionths, Score, Subject};
use model::recommendation::Recommendation;
use model::review::{Review, Reviewer, Verdict};
use model::time::Timestamp;
use serde_json::{Value, json};
use simulator::randomness::Randomness;
use simulator::scenario;
use simulator::world::{Future, Rehearsal, Surprises, Window, WindowId};
use std::sync::Arc;

const THREE_WAVES: &str = include_str!("../../../../scenarios/three-waves.yaml");

/// A world and its loop, and a person who answers when told to.
struct Theatre {
    world: SimulatedWorld,
    control: ControlLoop,
    now: Timestamp,
    /// Everything that was submitted and not answered.
    waiting: Vec<Recommendation>,
    watched: Vec<(Prediction, WindowId, Surprises)>,
    begun: Vec<(RecommendationId, Timestamp)>,
    windows: Vec<(Prediction, Window, Surprises)>,
}

impl Theatre {
    fn of(text: &str, seed: u64) -> Self {
        let scenario: Scenario = scenario::read("test.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let mut plan = Plan::new(scenario, seed).with_review(crate::run::Review::Hold);
        plan.reviewer.present = false;
        let world = SimulatedWorld::new(Arc::clone(&plan.world), plan.reviewer.clone(), seed);
        let control = plan.header.control_loop();
        Self {
            world,
            control,
            now: Timestamp::EPOCH,
            waiting: Vec::new(),
            watched: Vec::new(),
            begun: Vec::new(),
            windows: Vec::new(),
        }
    }

    /// One input and what follows; nothing at the end of the world.
    fn turn(&mut self) -> Option<()> {
        let (now, input) = self.world.next_input(self.control.wake_at()).unwrap()?;
        self.handle(now, &input);
        Some(())
    }

    fn handle(&mut self, now: Timestamp, input: &Input) {
        self.now = now;
        for effect in self.control.handle(now, input) {
            match &effect {
                Effect::Submit(recommendation) => self.waiting.push(recommendation.clone()),
                Effect::Settle { id, .. } => self.waiting.retain(|one| one.id != *id),
                Effect::Apply(approved) => self.begun.push((approved.recommendation().id, now)),
                _ => {}
            }
            self.world.start(effect).unwrap();
        }
    }

    /// Goes on until something was recommended not earlier than this; everything that is pending then.
    fn until_recommended(&mut self, seconds: u64) -> Vec<Pending> {
        self.run(seconds);
        let before = self.waiting.len();
        while self.waiting.len() <= before {
            self.turn().expect("nothing was ever recommended");
        }
        self.waiting.iter().map(|one| (one.id, one.action.clone())).collect()
    }

    fn run(&mut self, seconds: u64) {
        while self.now < Timestamp(seconds * 1_000) && self.turn().is_some() {}
    }

    /// Approves what a prediction is about, and begins to measure.
    fn approve(&mut self, prediction: &Prediction) {
        let window = watch(&mut self.world, prediction).unwrap();
        self.watched.push((prediction.clone(), window, Surprises::default()));
        let chosen = self.waiting.iter().filter(|one| prediction.of.contains(&one.id));
        let reviews: Vec<Review> = chosen
            .map(|one| Review {
                recommendation: one.id,
                hash: one.hash,
                verdict: Verdict::Approve,
                reviewer: Reviewer::Person(ReviewerName::new("ana").unwrap()),
                note: None,
            })
            .collect();
        for review in reviews {
            self.handle(self.now, &Input::Reviewed(review));
        }
    }

    /// The score of everything that was approved, at the end of the world.
    fn scores(mut self) -> Vec<Score> {
        while self.turn().is_some() {}
        for (prediction, id, before) in self.watched {
            self.windows.push((prediction, self.world.take_window(id).unwrap(), before));
        }
        let meanwhile = |before: &Surprises| Meanwhile { begun: self.begun.clone(), before: *before };
        let scored = |(prediction, window, before): &(Prediction, Window, Surprises)| {
            score(prediction, window, &meanwhile(before))
        };
        self.windows.iter().map(scored).collect()
    }
}

fn settings() -> Settings {
    Settings::default()
}

fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

fn mean(outlook: &model::prediction::Outlook, measure: Measure, subject: &Subject) -> (f64, f64) {
    let found = outlook.get(measure, subject).unwrap_or_else(|| panic!("{measure:?} of {subject}"));
    (found.without.mean.as_f64(), found.with.mean.as_f64())
}

#[test]
fn what_is_predicted_for_the_three_waves_is_then_observed() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(140);
    assert!(pending.len() >= 2, "{pending:?}");
    let together = joint(&theatre.world, &pending, &pending, &settings());
    assert_eq!(together.seeds, 5);
    let left = Period::from_secs(240).saturating_sub(theatre.now.since(Timestamp::EPOCH));
    assert_eq!((together.horizon, together.jointly.is_none()), (left, true), "all there is to look ahead to");
    assert_eq!(together.limitations, [Limitation::WorldEnds { asked: Period::from_minutes(30) }]);
    let (without, with) = mean(&together.alone, Measure::PendingPods, &Subject::Federation);
    assert!(without >= 4.0 && with < without / 2.0, "{without} pods wait without, {with} with");
    let (before, after) = mean(&together.alone, Measure::CpuLoad, &Subject::Cluster(cluster("member1")));
    assert!(before > 0.9 && after < 0.85, "{before} → {after}");
    assert!(together.alone.plans.iter().all(|plan| plan.done == 5 && plan.takes.is_some()));
    theatre.approve(&together);
    let scores = theatre.scores();
    let [score] = &scores[..] else { panic!("{scores:?}") };
    assert!(score.is_clean(), "{:?}", score.confounded_by);
    assert_eq!(score.age, Period::ZERO);
    let outside: Vec<_> = score.observations.iter().filter(|one| !one.inside).collect();
    assert!(outside.is_empty() && score.observations.len() > 20, "{outside:?}");
}

#[test]
fn each_plan_is_told_alone_and_with_the_others() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(140);
    let each = predict_each(&theatre.world, &pending, &pending, &settings());
    let (id, _) = &pending[0];
    for (prediction, (id, _)) in each.iter().zip(&pending) {
        assert_eq!(prediction.of, [*id]);
        assert_eq!(prediction.together_with.len(), pending.len() - 1);
        let jointly = prediction.jointly.as_ref().unwrap();
        assert_eq!((prediction.alone.plans.len(), jointly.plans.len()), (1, pending.len()));
        let (nothing, _) = mean(&prediction.alone, Measure::PendingPods, &Subject::Federation);
        let (others, _) = mean(&jointly.clone(), Measure::PendingPods, &Subject::Federation);
        assert!(others < nothing, "the others help already: {others} of {nothing}");
    }
    theatre.approve(&each[0]);
    let scores = theatre.scores();
    assert_eq!((scores[0].compared_with, &scores[0].of), (Basis::Alone, &vec![*id]));
    assert!(scores[0].is_clean() && scores[0].observations.iter().all(|one| one.inside), "{scores:?}");
}

#[test]
fn the_newest_plans_are_told_among_all_that_wait() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(140);
    let all = predict_each(&theatre.world, &pending, &pending, &settings());
    let newest = predict_each(&theatre.world, &pending[1..], &pending, &settings());
    assert_eq!(newest, all[1..], "an old plan beside them changes nothing");
}

#[test]
fn approving_all_of_them_one_by_one_is_what_jointly_says() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(140);
    let each = predict_each(&theatre.world, &pending, &pending, &settings());
    for prediction in &each {
        theatre.approve(prediction);
    }
    let scores = theatre.scores();
    for score in &scores {
        assert_eq!(score.compared_with, Basis::Jointly, "whichever was begun first");
        assert!(score.is_clean() && score.observations.iter().all(|one| one.inside), "{score:?}");
    }
}

#[test]
fn a_plan_that_was_begun_since_the_prediction_and_not_at_the_same_time_disturbs_it() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(140);
    let each = predict_each(&theatre.world, &pending, &pending, &settings());
    assert!(each.len() >= 2, "{each:?}");
    theatre.approve(&each[0]);
    theatre.run(theatre.now.0 / 1_000 + 20);
    theatre.approve(&each[1]);
    let scores = theatre.scores();
    for (score, other) in [(&scores[0], each[1].of[0]), (&scores[1], each[0].of[0])] {
        assert!(score.confounded_by.contains(&Confounder::Plan { id: other }), "{score:?}");
        assert_eq!((score.compared_with, score.is_clean()), (Basis::Alone, false));
    }
}

#[test]
fn what_came_between_the_prediction_and_the_beginning_is_named_beside_the_score() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(110);
    let prediction = joint(&theatre.world, &pending, &pending, &settings());
    let then = theatre.world.surprises();
    theatre.run(135);
    theatre.approve(&prediction);
    let now = theatre.world.surprises();
    theatre.watched[0].2 = Surprises { happenings: now.happenings - then.happenings, faults: 0 };
    let scores = theatre.scores();
    assert_eq!(scores[0].confounded_by, [Confounder::Workloads { changes: 2 }], "the third wave came before");
}

#[test]
fn an_arrival_that_nobody_could_know_is_named_beside_the_score() {
    let mut theatre = Theatre::of(THREE_WAVES, 42);
    let pending = theatre.until_recommended(110);
    assert!(theatre.now < Timestamp(130_000), "before the third wave: {}", theatre.now);
    let prediction = joint(&theatre.world, &pending, &pending, &settings());
    let (without, with) = mean(&prediction.alone, Measure::PendingPods, &Subject::Federation);
    assert!(without <= 2.0 && with < 0.1, "the second wave was all: {without} wait without, {with} with");
    theatre.approve(&prediction);
    let scores = theatre.scores();
    assert_eq!(scores[0].confounded_by, [Confounder::Workloads { changes: 2 }]);
    assert!(!scores[0].is_clean());
}

/// Two clusters. `one` is too small for what it has; `two` has room for one of its workloads, not for both.
fn narrow() -> String {
    let pool = |nodes: u64| json!({ "nodes": nodes, "cpu": "4", "memory": "16Gi", "price_per_hour": 0.1 });
    let workload = |name: &str, home: &str| json!({ "name": name, "cluster": home, "cpu": "1500m", "memory": "1Gi", "replicas": 2 });
    to_yaml(&json!({ "drover": "scenario/v1", "name": "narrow", "duration": "2h",
        "clusters": [{ "name": "one", "pools": [pool(2)] }, { "name": "two", "pools": [pool(2)] }],
        "migration": { "propagation": "1s..3s", "ready_within": "5m" }, "pods": { "start_time": "5s..15s", "stop_time": "1s" },
        "workloads": [workload("web", "one"), workload("api", "one"), workload("old", "two")] }))
}

fn migrate(id: u64, workload: &str) -> Pending {
    let workload = format!("default/{workload}").parse().unwrap();
    let (from, to) = (cluster("one"), cluster("two"));
    (RecommendationId(id), Action::Migrate { workload, from, to, replicas: 2 })
}

fn narrow_world() -> SimulatedWorld {
    let mut theatre = Theatre::of(&narrow(), 1);
    theatre.run(600);
    theatre.world
}

#[test]
fn together_is_not_the_sum_of_each_where_room_is_shared() {
    let world = narrow_world();
    let pending = [migrate(1, "web"), migrate(2, "api")];
    let each = predict_each(&world, &pending, &pending, &settings());
    let both = joint(&world, &pending, &[], &settings());
    let change = |prediction: &Prediction| {
        prediction.alone.get(Measure::PendingPods, &Subject::Federation).unwrap().difference.mean.as_f64()
    };
    assert!(each.iter().all(|one| change(one) == 0.0), "alone, each finds room");
    assert!(change(&both) > 0.2, "together they do not: {}", change(&both));
    assert!(each.iter().all(|one| one.alone.plans[0].done == 5));
    let [first, second] = &both.alone.plans[..] else { panic!("{:?}", both.alone.plans) };
    assert_eq!((first.done + second.done, first.rolled_back + second.rolled_back), (5, 5));
    let reasons = first.reasons.iter().chain(&second.reasons);
    assert!(reasons.into_iter().all(|reason| reason.reason.contains("not ready in time")));
    let jointly = each[1].jointly.as_ref().unwrap();
    assert_eq!(
        jointly.get(Measure::PendingPods, &Subject::Federation).unwrap().without.mean,
        Millionths::ZERO
    );
}

#[test]
fn a_prediction_does_not_depend_on_order_company_or_threads() {
    let world = narrow_world();
    let pending = [migrate(1, "web"), migrate(2, "api"), migrate(3, "old")];
    let each = predict_each(&world, &pending, &pending, &settings());
    let mut turned = pending.clone();
    turned.reverse();
    let backwards = predict_each(&world, &turned, &turned, &settings());
    assert!(each.iter().eq(backwards.iter().rev()));
    std::thread::scope(|scope| {
        let (world, turned) = (&world, &turned);
        let alone = |subject| scope.spawn(move || predict(world, subject, turned, &settings()));
        let threads: Vec<_> = pending.iter().map(alone).collect();
        for (thread, expected) in threads.into_iter().zip(&each) {
            assert_eq!(&thread.join().unwrap(), expected);
        }
    });
    let other = predict(&world, &pending[0], &pending, &Settings { seed: 2, ..settings() });
    assert_ne!(other, each[0], "other seeds, other futures");
}

#[test]
fn work_has_a_limit_and_the_prediction_says_what_it_cost() {
    let mut theatre = Theatre::of(&noisy(), 1);
    theatre.run(600);
    let (world, subject) = (theatre.world, migrate(1, "web"));
    let limited = |seeds, budget| predict(&world, &subject, &[], &Settings { seeds, budget, ..settings() });
    let plenty = limited(20, u64::MAX);
    assert_eq!((plenty.seeds, plenty.limitations.len()), (20, 0));
    let until = world.now() + plenty.horizon;
    let events =
        Rehearsal::of(&world, Future::Persistent { seed: 1 }).measuring(until, &[]).run(u64::MAX).events;
    // Two rehearsals for each seed.
    let less = limited(20, events * 2 * 7);
    assert!((4..=10).contains(&less.seeds) && less.horizon == plenty.horizon, "{} seeds", less.seeds);
    assert_eq!(less.limitations, [Limitation::FewerSeeds { asked: 20 }]);
    let least = limited(20, 1);
    assert_eq!(least.seeds, FEWEST_SEEDS);
    let asked = plenty.horizon;
    assert_eq!(
        least.limitations,
        [Limitation::FewerSeeds { asked: 20 }, Limitation::ShorterHorizon { asked }]
    );
    assert!(least.horizon < asked && !least.horizon.is_zero());
    assert_eq!(limited(0, u64::MAX).seeds, FEWEST_SEEDS);
}

#[test]
fn at_the_end_of_the_world_there_is_nothing_to_predict() {
    let mut theatre = Theatre::of(&narrow(), 1);
    theatre.run(7_200);
    let prediction = predict(&theatre.world, &migrate(1, "web"), &[], &settings());
    assert_eq!((prediction.seeds, prediction.horizon), (0, Period::ZERO));
    assert!(prediction.alone.measures.is_empty());
}

#[test]
fn what_cannot_be_done_fails_in_every_future() {
    let prediction = predict(&narrow_world(), &migrate(9, "nobody"), &[], &settings());
    let [plan] = &prediction.alone.plans[..] else { panic!("{:?}", prediction.alone.plans) };
    assert_eq!((plan.failed, plan.takes), (5, None));
    assert_eq!(plan.reasons[0].seeds, 5);
    assert!(plan.reasons[0].reason.contains("does not exist"), "{:?}", plan.reasons);
}

/// A service with noise and jobs of uncertain length: chance everywhere, but nothing that a script brings.
fn noisy() -> String {
    let pool = json!({ "name": "p", "nodes": 3, "maximum": 6, "cpu": "4", "memory": "16Gi", "price_per_hour": 0.1,
        "boot_time": { "median": "90s", "p95": "4m" }, "power": { "idle": 100, "max": 200 } });
    let demand = json!({ "requests_per_second": { "noise": { "sigma": 0.3, "every": "1m", "of": 250 } } });
    to_yaml(&json!({ "drover": "scenario/v1", "name": "noisy", "duration": "2h", "service_step": "15s",
        "clusters": [{ "name": "one", "pools": [pool.clone()], "carbon": 300 }, { "name": "two", "pools": [pool], "autoscaler": {} }],
        "migration": { "propagation": "1s..20s", "ready_within": "10m" },
        "pods": { "start_time": { "median": "20s", "p95": "60s" }, "stop_time": "1s..5s" },
        "workloads": [
            { "name": "web", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 4, "objective": { "latency_p95": "30ms" },
              "service": { "demand": demand, "cpu_per_request": "10ms" } },
            { "name": "batch-{n}", "copies": 6, "kind": "job", "cluster": "two", "cpu": "2", "memory": "1Gi", "replicas": 3,
              "run_time": { "median": "15m", "p95": "60m" } }] }))
}

#[test]
fn as_many_observations_lie_inside_as_the_intervals_promise() {
    let (mut inside, mut all) = (0, 0);
    for seed in 1..=12 {
        let mut theatre = Theatre::of(&noisy(), seed);
        theatre.run(600);
        let subject = migrate(1, "web");
        let prediction = predict(&theatre.world, &subject, &[], &settings());
        for measure in [Measure::LatencyP95, Measure::LostRequests, Measure::ObjectiveMissed] {
            assert!(
                prediction.alone.get(measure, &Subject::Workload("default/web".parse().unwrap())).is_some()
            );
        }
        // Approved by nobody, so it happens in a copy: one with the world's own future.
        let workloads = ["default/web".parse().unwrap()];
        let mut real = Rehearsal::of(&theatre.world, Future::AsScripted)
            .measuring(theatre.world.now() + prediction.horizon, &workloads);
        real.begin(subject.0, &subject.1);
        let score = score(&prediction, &real.run(u64::MAX).window, &Meanwhile::default());
        assert!(score.is_clean(), "{score:?}");
        let (hits, observed) = score.hits();
        inside += hits;
        all += observed;
    }
    // Nineteen of twenty are promised; observations of one run are not independent.
    assert!(inside * 100 >= all * 90, "{inside} of {all}");
}

/// A small federation with waves, autoscalers, services and faults, drawn at random.
fn random(seed: u64) -> String {
    let mut dice = Randomness::new(seed).stream("random federation");
    let mut draw = |least, most| dice.between(least, most);
    let clusters: Vec<Value> = (0..draw(2, 4))
        .map(|index| {
            let mut cluster = json!({ "name": format!("c{index}"), "pools": [{ "name": "p", "nodes": draw(0, 4), "maximum": 6,
                "cpu": draw(2, 8).to_string(), "memory": "16Gi", "boot_time": "20s..2m", "price_per_hour": 0.2 }] });
            if draw(0, 1) == 0 {
                cluster["autoscaler"] = json!({});
            }
            cluster
        })
        .collect();
    let homes = clusters.len() as u64;
    let workloads: Vec<Value> = (0..draw(3, 9))
        .map(|index| {
            let mut workload = json!({ "name": format!("w{index}"), "cluster": format!("c{}", draw(0, homes - 1)),
                "cpu": format!("{}m", draw(2, 20) * 100), "memory": "1Gi", "replicas": draw(1, 6), "at": format!("{}s", draw(0, 400)) });
            match draw(0, 3) {
                0 => workload["service"] = json!({ "cpu_per_request": "10ms", "demand": { "requests_per_second":
                    { "noise": { "sigma": 0.2, "every": "30s", "of": draw(1, 300) } } } }),
                1 => {
                    workload["kind"] = json!("job");
                    workload["run_time"] = json!("30s..10m");
                }
                _ => {}
            }
            workload
        })
        .collect();
    let fault =
        json!({ "fault": { "node_crash": { "cluster": "c0", "nodes": 1 } }, "for": "2m", "per_hour": 12 });
    to_yaml(
        &json!({ "drover": "scenario/v1", "name": "random", "duration": "12m", "service_step": "15s", "clusters": clusters, "workloads": workloads,
        "faults": [fault], "observation": { "every": "30s" }, "limits": { "max_load": 0.7, "max_pending": 0.1 },
        "pods": { "start_time": "1s..20s", "stop_time": "1s..5s" }, "review": { "mode": "simulated" }, "reviewer": { "delay": "5s..60s" },
        "agents": [{ "name": "planner", "when": { "every": "60s" }, "decide": { "strategy": "planner" } }] }),
    )
}

/// The journal of a run; whoever asks what if on the way changes no byte of it.
fn journal(text: &str, seed: u64, mut ask: impl FnMut(&SimulatedWorld, &[Pending])) -> Vec<u8> {
    let scenario: Scenario =
        scenario::read("test.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let plan = Plan::new(scenario, seed);
    let mut world = SimulatedWorld::new(Arc::clone(&plan.world), plan.reviewer.clone(), seed);
    let mut control = plan.header.control_loop();
    let mut journal = JournalWriter::begin(Vec::new(), &plan.header).unwrap();
    while let Some((now, input)) = world.next_input(control.wake_at()).unwrap() {
        let effects = control.handle(now, &input);
        journal.append(now, &input, &effects).unwrap();
        let submitted = effects.iter().filter_map(|effect| match effect {
            Effect::Submit(recommendation) => Some((recommendation.id, recommendation.action.clone())),
            _ => None,
        });
        let submitted: Vec<Pending> = submitted.collect();
        for effect in effects {
            world.start(effect).unwrap();
        }
        if !submitted.is_empty() {
            ask(&world, &submitted);
        }
    }
    journal.end().unwrap().0
}

#[test]
fn asking_changes_nothing_in_random_federations() {
    let short = Settings { horizon: Period::from_minutes(4), seeds: 2, ..settings() };
    let mut asked = 0;
    for seed in 0..20 {
        let text = random(seed);
        let quiet = journal(&text, seed, |_, _| ());
        let curious = journal(&text, seed, |world, pending| {
            asked += 1;
            for prediction in predict_each(world, pending, pending, &short) {
                let plan = &prediction.alone.plans[0];
                assert_eq!(plan.seeds(), prediction.seeds, "seed {seed}");
            }
        });
        assert!(quiet == curious, "seed {seed}: the journal differs\n{text}");
    }
    assert!(asked > 20, "only {asked} moments in which anything was pending");
}
