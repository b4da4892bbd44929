#![allow(clippy::all, clippy::pedantic)]
use control::world::World as _;
use lab::what_if::{Settings, predict, predict_each};
use model::action::Action;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use simulator::scenario;
use simulator::world::{Future, Rehearsal, SimulatedWorld};
use std::sync::Arc;
use std::time::Instant;
/// Processor time of this process, in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}
fn main() {
    let repeat = |name: &str, n: u32, f: &mut dyn FnMut()| {
        let c = cpu();
        for _ in 0..n {
            f();
        }
        println!("  {name}: {:.2} ms cpu", (cpu() - c) * 1000.0 / f64::from(n));
    };
    let text = std::fs::read("scenarios/three-waves.yaml").unwrap();
    let text = String::from_utf8(text).unwrap().replace("duration: 240s", "duration: 2h");
    let sc: lab::run::Scenario = scenario::read("x", text.as_bytes()).unwrap();
    let mut world = SimulatedWorld::new(Arc::new(sc.world), sc.reviewer, 1);
    while world.now() < Timestamp(170_000) {
        world.next_input(Timestamp(170_000)).unwrap();
    }
    let c = |n: &str| model::names::ClusterName::new(n).unwrap();
    let plans: Vec<_> = ["frontend", "api-gateway", "report-generator", "batch-worker"]
        .iter()
        .enumerate()
        .map(|(i, w)| {
            (
                RecommendationId(i as u64),
                Action::Migrate {
                    workload: format!("default/{w}").parse().unwrap(),
                    from: c("member1"),
                    to: c("member2"),
                    replicas: 2,
                },
            )
        })
        .collect();
    let s = Settings::default();
    let t = Instant::now();
    let n = lab::statistics::NextValue::after(5);
    println!("next value {:?} {n:?}", t.elapsed());
    repeat("three waves alone", 300, &mut || {
        predict(&world, &plans[0], &[], &s);
    });
    repeat("three waves with 3 others", 100, &mut || {
        predict(&world, &plans[0], &plans, &s);
    });
    repeat("three waves each of 4", 100, &mut || {
        predict_each(&world, &plans, &s);
    });
    repeat("three waves copy", 3000, &mut || {
        drop(Rehearsal::of(&world, Future::Persistent { seed: 1 }));
    });
    for (nodes, pods) in [(1_000, 100_000), (10_000, 1_000_000)] {
        let spec = lab::workload_w::generate(lab::workload_w::Size { nodes, pods });
        let nobody = simulator::scenario::ReviewerSpec {
            present: false,
            delay: simulator::scenario::Spread::exactly(Period::ZERO),
            rejects: Default::default(),
            ignores: Default::default(),
        };
        let mut world = SimulatedWorld::new(Arc::new(spec), nobody, 42);
        let at = Timestamp(1_800_000);
        let spec = world;
        let mut world = spec.clone();
        repeat("half an hour", 1, &mut || {
            while world.now() < at {
                world.next_input(at).unwrap();
            }
        });
        println!("{nodes}/{pods}: {} events, size {}", world.events(), world.size());
        repeat("clone and drop", 5, &mut || drop(world.clone()));
        repeat("rehearsal and drop", 5, &mut || drop(Rehearsal::of(&world, Future::Persistent { seed: 1 })));
        let base = Rehearsal::of(&world, Future::Persistent { seed: 1 });
        repeat("copy, run 30 min", 3, &mut || {
            base.clone().measuring(world.now() + Period::from_minutes(30), &[]).run(u64::MAX);
        });
        let action = Action::ResizePool {
            cluster: c("w"),
            pool: model::names::PoolName::new("node").unwrap(),
            from: nodes,
            to: nodes - 10,
        };
        for (seeds, horizon) in [(5, 30), (5, 5)] {
            let mut say = String::new();
            repeat("predict", 2, &mut || {
                let p = predict(
                    &world,
                    &(RecommendationId(1), action.clone()),
                    &[],
                    &Settings { seeds, horizon: Period::from_minutes(horizon), ..s },
                );
                say = format!("    {} seeds, {}, {:?}", p.seeds, p.horizon, p.limitations);
            });
            println!("{say}");
        }
    }
}
