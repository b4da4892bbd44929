//! Windows against totals that were computed in another way, and against each other.

use super::*;
use crate::scenario::{self, Scenario};
use control::world::World as _;
use model::document::to_yaml;
use model::time::Period;
use serde_json::{Value, json};
use std::sync::Arc;

/// One cluster of one node with eight cores; four pods come at once, eight more at 100 s, and leave at 200 s.
fn world() -> SimulatedWorld {
    let pool = json!({ "name": "p", "nodes": 1, "maximum": 3, "cpu": "8", "memory": "16Gi", "price_per_hour": 0.36,
        "power": { "idle": 100, "max": 200 } });
    let service = json!({ "demand": { "requests_per_second": 100 }, "cpu_per_request": "10ms" });
    let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "1h",
        "clusters": [{ "name": "one", "pools": [pool], "carbon": 360 }, { "name": "two", "pools": [{ "nodes": 1, "cpu": "8", "memory": "16Gi" }] }],
        "pods": { "start_time": "10s", "stop_time": "1s" },
        "workloads": [
            { "name": "web", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 4, "service": service },
            { "name": "more", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 8, "at": "100s", "until": "200s" }] }));
    let read: Scenario<Value> =
        scenario::read("small.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
}

fn at(seconds: u64) -> Timestamp {
    Timestamp(seconds * 1_000)
}

/// Lets the world go on; wake-ups on the way are nobody's.
fn run(world: &mut SimulatedWorld, seconds: u64) {
    while world.now() < at(seconds) && world.next_input(at(seconds)).unwrap().is_some() {}
}

fn web() -> WorkloadRef {
    "default/web".parse().unwrap()
}

#[test]
fn a_window_over_everything_says_what_the_totals_say() {
    let mut world = world();
    let id = world.open_window(at(600), &[web()]).unwrap();
    run(&mut world, 600);
    assert!(world.is_closed(id));
    let window = world.take_window(id).unwrap();
    let totals = world.totals();
    let (name, one) = &window.clusters[0];
    let near = |got: f64, want: f64| assert!((got - want).abs() <= want.abs() * 1e-9, "{got} is not {want}");
    near(one.cpu_load, totals.clusters[name].cpu_load_mean);
    near(one.memory_load, totals.clusters[name].memory_load_mean);
    near(window.federation.pending_pods, totals.pending_pods_mean);
    near(window.federation.pending_time, totals.time_with_pending_ratio);
    assert_eq!(window.federation.pending_pods_max, totals.pending_pods_max);
    near(window.federation.cost_per_hour, 0.36);
    assert_eq!(one.cost_per_hour, window.federation.cost_per_hour);
    near(window.federation.ready_nodes, 2.0);
    near(one.power_watts.unwrap() * 600.0, totals.clusters[name].energy.unwrap().0 as f64 / 1e6);
    // 360 g for each kilowatt-hour.
    near(one.carbon_grams_per_hour.unwrap(), one.power_watts.unwrap() * 0.36);
    assert_eq!(window.clusters[1].1.power_watts, None);
    let service = &totals.services[&web()];
    near(window.services[0].1.requests, service.requests);
    assert_eq!(window.services[0].1.latency_p95_ms, Some(service.latency_p95_ms));
    let lost = service.time_outs + service.queue_full + service.nobody_ready + service.broken;
    near(window.services[0].1.lost, lost / service.requests);
    assert_eq!((window.whole, window.happenings, window.faults), (true, 3, 0));
}

#[test]
fn a_window_measures_its_own_time_only() {
    let mut world = world();
    run(&mut world, 60);
    let ids = [(60, 90), (60, 110), (60, 201)].map(|(_, until)| world.open_window(at(until), &[]).unwrap());
    run(&mut world, 100);
    let late = world.open_window(at(300), &[]).unwrap();
    run(&mut world, 400);
    let [before, partly, all] = ids.map(|id| world.take_window(id).unwrap());
    let late = world.take_window(late).unwrap();
    // Twelve pods want eight cores from 100 to 200 s, and the four that wait go with the others.
    let pending = |window: &Window| (window.federation.pending_pods_max, window.federation.pending_pods);
    assert_eq!(pending(&before), (0, 0.0));
    assert_eq!(pending(&partly), (4, 4.0 * 10.0 / 50.0));
    assert_eq!(pending(&all), (4, 4.0 * 100.0 / 141.0));
    assert_eq!(pending(&late), (4, 4.0 * 100.0 / 200.0));
    assert_eq!([&before, &partly, &all, &late].map(|window| window.happenings), [0, 1, 2, 1]);
    assert_eq!((partly.from, partly.to), (at(60), at(110)));
}

#[test]
fn a_window_that_is_taken_early_says_how_far_it_came() {
    let mut world = world();
    let id = world.open_window(at(600), &[]).unwrap();
    run(&mut world, 50);
    assert!(!world.is_closed(id));
    let window = world.take_window(id).unwrap();
    assert_eq!((window.to, window.whole), (at(50), false));
    assert_eq!(world.take_window(id), None);
}

#[test]
fn measuring_changes_nothing_and_has_a_limit() {
    let (mut plain, mut measured) = (world(), world());
    for second in 0..300 {
        run(&mut plain, second);
        run(&mut measured, second);
        measured.open_window(at(second) + Period::from_millis(second * 77), &[web()]).unwrap();
    }
    assert_eq!((plain.totals(), plain.series()), (measured.totals(), measured.series()));
    assert_eq!(plain.events(), measured.events());
    while measured.open_window(at(3_000), &[]).is_some() {}
    assert_eq!(measured.windows.open.len(), MOST_OPEN);
}
