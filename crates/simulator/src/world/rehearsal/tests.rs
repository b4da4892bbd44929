//! What a rehearsal knows and what it does not. That a copy goes on like its original is tested on random federations, in
//! `world::invariants::tests`.

use super::*;
use crate::scenario::{self, Scenario};
use control::world::World as _;
use model::document::to_yaml;
use model::names::{ClusterName, PoolName};
use serde_json::{Value, json};

fn at(seconds: u64) -> Timestamp {
    Timestamp(seconds * 1_000)
}

/// Two clusters with a service; `later` is what one scenario says and another does not, added to the parts it names.
fn scenario(later: &Value) -> Value {
    let pool = json!({ "name": "p", "nodes": 2, "maximum": 4, "cpu": "4", "memory": "16Gi", "boot_time": "1m..5m",
        "price_per_hour": 0.5, "power": { "idle": 100, "max": 200 } });
    let stages = json!([{ "for": "10m", "to": 100 }, { "for": "1s", "to": later["demand"].as_u64().unwrap_or(100) },
        { "for": "1h", "to": later["demand"].as_u64().unwrap_or(100) }]);
    let noisy = json!({ "noise": { "sigma": 0.2, "every": "1m", "of": { "stages": { "from": 100, "list": stages } } } });
    let service = json!({ "demand": { "requests_per_second": noisy }, "cpu_per_request": "10ms" });
    let mut workloads = vec![
        json!({ "name": "web", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 4, "service": service,
            "objective": { "latency_p95": "20ms", "errors": 0.01 } }),
        json!({ "name": "work", "kind": "job", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 2, "run_time": "5m..30m" }),
        json!({ "name": "wide", "cluster": "two", "cpu": "3", "memory": "1Gi", "replicas": 3, "at": "580s" }),
    ];
    workloads.extend(later["workloads"].as_array().cloned().unwrap_or_default());
    let intensity = later["carbon"].as_u64().unwrap_or(100);
    let carbon = json!({ "trace": [["0s", 100], ["11m", intensity]] });
    json!({ "drover": "scenario/v1", "name": "small", "duration": "2h",
        "clusters": [{ "name": "one", "pools": [pool.clone()], "carbon": carbon.clone() },
            { "name": "two", "pools": [pool], "carbon": carbon, "autoscaler": {} }],
        "pods": { "start_time": "5s..15s", "stop_time": "1s" }, "migration": { "propagation": "1s..60s" }, "workloads": workloads,
        "faults": later["faults"].as_array().cloned().unwrap_or_default() })
}

fn world(described: &Value, seed: u64) -> SimulatedWorld {
    let text = to_yaml(described);
    let read: Scenario<Value> =
        scenario::read("small.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    SimulatedWorld::new(Arc::new(read.world), read.reviewer, seed)
}

fn at_ten_minutes(described: &Value, seed: u64) -> SimulatedWorld {
    let mut world = world(described, seed);
    while world.now() < at(600) && world.next_input(at(600)).unwrap().is_some() {}
    world
}

fn web() -> WorkloadRef {
    "default/web".parse().unwrap()
}

fn moves() -> Action {
    let cluster = |name: &str| ClusterName::new(name).unwrap();
    Action::Migrate { workload: web(), from: cluster("one"), to: cluster("two"), replicas: 4 }
}

fn rehearse(world: &SimulatedWorld, seed: u64, action: Option<&Action>) -> Rehearsed {
    let mut rehearsal = Rehearsal::of(world, Future::Persistent { seed }).measuring(at(2_400), &[web()]);
    if let Some(action) = action {
        rehearsal.begin(RecommendationId(1), action);
    }
    rehearsal.run(u64::MAX)
}

#[test]
fn a_rehearsal_knows_nothing_of_what_the_scenario_says_about_later() {
    let plain = at_ten_minutes(&scenario(&json!({})), 1);
    let arrival =
        json!({ "name": "new", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 9, "at": "601s" });
    let crash = |at: &str| json!({ "fault": { "node_crash": { "cluster": "one", "nodes": 1 } }, "at": at, "for": "1h" });
    let rows = [
        ("arrivals", json!({ "workloads": [arrival] })),
        ("faults", json!({ "faults": [crash("602s")] })),
        ("demand", json!({ "demand": 390 })),
        ("electricity", json!({ "carbon": 900 })),
    ];
    for (what, later) in rows {
        let other = at_ten_minutes(&scenario(&later), 1);
        for action in [None, Some(&moves())] {
            assert_eq!(rehearse(&plain, 7, action), rehearse(&other, 7, action), "{what}");
        }
        let scripted =
            |world| Rehearsal::of(world, Future::AsScripted).measuring(at(2_400), &[web()]).run(u64::MAX);
        assert_ne!(scripted(&plain).window, scripted(&other).window, "{what} would have made a difference");
    }
}

#[test]
fn draws_that_have_not_shown_themselves_are_not_known() {
    let mut quiet = scenario(&json!({}));
    // One job and one node that boots; what is random about the others shows at once.
    quiet["workloads"] = json!([
        { "name": "work", "kind": "job", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 1, "run_time": "10m..30m" },
        { "name": "wide", "cluster": "two", "cpu": "3", "memory": "1Gi", "replicas": 3, "at": "550s" }]);
    quiet["pods"] = json!({ "start_time": "5s", "stop_time": "1s" });
    let [one, other] = [1, 2].map(|seed| at_ten_minutes(&quiet, seed));
    let window = |world: &SimulatedWorld, seed| rehearse(world, seed, None).window;
    assert_eq!(window(&one, 7), window(&other, 7), "the seed of the world decides nothing");
    assert_ne!(window(&one, 7), window(&one, 8), "that of the rehearsal does");
    let scripted =
        |world| Rehearsal::of(world, Future::AsScripted).measuring(at(2_400), &[]).run(u64::MAX).window;
    assert_ne!(scripted(&one), scripted(&other));
}

#[test]
fn noise_is_not_that_of_the_world_even_with_its_seed() {
    let described = scenario(&json!({}));
    let mut world = at_ten_minutes(&described, 1);
    let rehearsed = rehearse(&world, 1, None).window;
    let id = world.open_window(at(2_400), &[web()]).unwrap();
    while !world.is_closed(id) {
        world.next_input(at(2_400)).unwrap();
    }
    let real = world.take_window(id).unwrap();
    assert_ne!(rehearsed.services[0].1.requests, real.services[0].1.requests);
    let share = rehearsed.services[0].1.requests / real.services[0].1.requests;
    assert!((0.8..1.25).contains(&share), "but on the same level: {share}");
}

#[test]
fn a_fault_that_is_there_stays() {
    let crash =
        json!({ "fault": { "node_crash": { "cluster": "one", "nodes": 1 } }, "at": "500s", "for": "4m" });
    let broken = at_ten_minutes(&scenario(&json!({ "faults": [crash] })), 1);
    let nodes = |future| {
        let rehearsal = Rehearsal::of(&broken, future).measuring(at(2_400), &[]).run(u64::MAX);
        rehearsal.window.federation.pending_pods
    };
    assert!(nodes(Future::AsScripted) < nodes(Future::Persistent { seed: 1 }));
}

#[test]
fn one_plan_more_does_not_change_how_the_others_are_told() {
    let world = at_ten_minutes(&scenario(&json!({})), 1);
    let cluster = |name: &str| ClusterName::new(name).unwrap();
    let grow =
        Action::ResizePool { cluster: cluster("two"), pool: PoolName::new("p").unwrap(), from: 3, to: 4 };
    let action = |id| if id == 1 { grow.clone() } else { moves() };
    let begun = |ids: &[u64]| {
        let mut rehearsal = Rehearsal::of(&world, Future::Persistent { seed: 3 }).measuring(at(700), &[]);
        for id in ids {
            rehearsal.begin(RecommendationId(*id), &action(*id));
        }
        rehearsal.into_world().undertakings[&RecommendationId(2)].begins_at()
    };
    assert_eq!(begun(&[2]), begun(&[1, 2]));
    assert_eq!(begun(&[2]), begun(&[2, 1]));
}

#[test]
fn a_workload_does_one_thing_at_a_time() {
    let mut world = at_ten_minutes(&scenario(&json!({})), 1);
    world.begin_undertaking(RecommendationId(1), &moves());
    let mut rehearsal = Rehearsal::of(&world, Future::Persistent { seed: 3 }).measuring(at(1_200), &[]);
    rehearsal.begin(RecommendationId(2), &moves());
    rehearsal.begin(RecommendationId(1), &moves());
    let endings = rehearsal.run(u64::MAX).endings;
    assert_eq!(
        endings[&RecommendationId(2)],
        Ending { at: at(600), outcome: Applied::Failed { reason: BUSY.to_owned() } }
    );
    assert_eq!(endings[&RecommendationId(1)].outcome, Applied::Done, "what is under way goes on");
}

#[test]
fn a_rehearsal_stops_at_its_limit_and_says_so() {
    let world = at_ten_minutes(&scenario(&json!({})), 1);
    let rehearsal = Rehearsal::of(&world, Future::Persistent { seed: 3 }).measuring(at(2_400), &[web()]);
    let short = rehearsal.clone().run(10);
    assert_eq!((short.events, short.window.whole), (10, false));
    assert!(short.window.to < at(700));
    let whole = rehearsal.run(u64::MAX);
    assert!(whole.window.whole && whole.window.to == at(2_400) && whole.events > 10);
}
