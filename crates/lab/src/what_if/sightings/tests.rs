//! Looks against the meters of a simulated world, and what happens between looks.

use super::super::{Meanwhile, instrument, score};
use super::*;
use control::world::{Effect, Input, World as _};
use model::names::{ClusterName, NodeName, PoolName};
use model::prediction::{Basis, Confounder, Measure, Outlook, Subject};
use model::ratio::Ratio;
use model::resources::Resources;
use model::snapshot::{ClusterView, Gap, GapSubject, PoolView, WorkloadView};
use simulator::scenario::{self, Scenario};
use simulator::world::SimulatedWorld;

const THREE_WAVES: &str = include_str!("../../../../../scenarios/three-waves.yaml");

fn prediction(seconds: u64) -> Prediction {
    Prediction {
        of: vec![RecommendationId(1)],
        made_at: Timestamp::EPOCH,
        horizon: Period::from_secs(seconds),
        seeds: 5,
        confidence: Ratio::from_percent(95),
        limitations: Vec::new(),
        alone: Outlook::default(),
        jointly: None,
        together_with: Vec::new(),
    }
}

fn at(seconds: u64) -> Timestamp {
    Timestamp(seconds * 1_000)
}

/// The world at a moment, as one who asks is told.
fn observed(world: &mut SimulatedWorld) -> Arc<Snapshot> {
    world.start(Effect::Observe).unwrap();
    loop {
        if let Some((_, Input::Observed(seen))) =
            world.next_input(world.now() + Period::from_secs(1)).unwrap()
        {
            return seen;
        }
    }
}

fn run_to(world: &mut SimulatedWorld, moment: Timestamp) {
    while world.now() < moment && world.next_input(moment).unwrap().is_some() {}
}

#[test]
fn looks_at_a_world_say_nearly_what_its_meters_say() {
    let read: Scenario<serde_json::Value> =
        scenario::read("three-waves.yaml", THREE_WAVES.as_bytes()).unwrap();
    let mut world = SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1);
    run_to(&mut world, at(40));
    let mut sightings = Sightings::new(at(40), &prediction(120), &observed(&mut world));
    let window = world.open_window(at(160), &[]).unwrap();
    for second in 41..=160 {
        run_to(&mut world, at(second));
        sightings.look(&observed(&mut world));
    }
    assert!(sightings.is_due(at(160)) && world.is_closed(window));
    let (seen, metered) = (sightings.close(), world.take_window(window).unwrap());
    assert!(seen.whole && seen.happenings > 0, "the second and the third wave came: {seen:?}");
    assert_eq!((seen.from, seen.to, seen.faults), (metered.from, metered.to, 0));
    let subjects = [Subject::Federation, Subject::Cluster(ClusterName::new("member1").unwrap())];
    let measures = [Measure::CpuLoad, Measure::MemoryLoad, Measure::PendingPods, Measure::PendingPodsMax];
    for (subject, measure) in subjects.iter().flat_map(|subject| measures.map(|measure| (subject, measure))) {
        let read = |window| instrument::read(window, measure, subject).unwrap();
        let (looked, exact): (f64, f64) = (read(&seen), read(&metered));
        assert!(
            exact > 0.0 && (looked - exact).abs() <= 0.03 * exact,
            "{measure:?} {subject}: {looked} is not {exact}"
        );
    }
    for measure in [Measure::ReadyNodes, Measure::CostPerHour] {
        let read = |window| instrument::read(window, measure, &Subject::Federation);
        assert_eq!(read(&seen), read(&metered), "{measure:?}");
    }
    for measure in [Measure::StoppedPods, Measure::Power] {
        assert_eq!(instrument::read(&seen, measure, &Subject::Federation), None, "nobody sees {measure:?}");
    }
}

/// Two clusters of one node each, and workloads by name and number of replicas.
fn snapshot(seconds: u64, workloads: &[(&str, u32)]) -> Snapshot {
    let capacity = Resources { cpu: model::quantity::MilliCpu(4_000), ..Resources::default() };
    let pool = PoolView {
        nodes: 1,
        booting: 0,
        minimum: 0,
        maximum: 3,
        node_capacity: capacity,
        price_per_hour: model::money::MicroDollars(100_000),
        boot_time: Period::ZERO,
    };
    let node = NodeView {
        pool: PoolName::new("p").unwrap(),
        capacity,
        allocated: Resources::default(),
        schedulable: true,
        signals: model::signal::Readings::default(),
    };
    let cluster = |name: &str| {
        let view = ClusterView {
            capacity,
            pools: [(PoolName::new("p").unwrap(), pool.clone())].into(),
            nodes: [(NodeName::new(&format!("{name}-1")).unwrap(), node.clone())].into(),
            ..ClusterView::default()
        };
        (ClusterName::new(name).unwrap(), view)
    };
    let workload = |(name, replicas): &(&str, u32)| {
        let view = WorkloadView { replicas: *replicas, movable: true, ..WorkloadView::default() };
        (name.parse().unwrap(), view)
    };
    Snapshot {
        taken_at: at(seconds),
        clusters: [cluster("one"), cluster("two")].into(),
        workloads: workloads.iter().map(workload).collect(),
        gaps: Vec::new(),
    }
}

/// A minute of looks every ten seconds; what is different at each is said by its number.
fn minute(change: impl Fn(u64, &mut Snapshot), plans: &[(u64, Action)]) -> Window {
    let mut sightings = Sightings::new(at(0), &prediction(60), &Arc::new(snapshot(0, &[("default/web", 2)])));
    for (id, action) in plans {
        sightings.begun(RecommendationId(*id), action);
    }
    for look in 1..=6 {
        let mut seen = snapshot(look * 10, &[("default/web", 2)]);
        change(look, &mut seen);
        sightings.look(&Arc::new(seen));
        plans.iter().filter(|_| look == 2).for_each(|(id, _)| sightings.done(RecommendationId(*id)));
    }
    assert!(sightings.is_due(at(60)));
    sightings.close()
}

fn migrate(workload: &str) -> Action {
    let cluster = |name| ClusterName::new(name).unwrap();
    Action::Migrate {
        workload: workload.parse().unwrap(),
        from: cluster("one"),
        to: cluster("two"),
        replicas: 2,
    }
}

fn web(seen: &mut Snapshot) -> &mut WorkloadView {
    seen.workloads.values_mut().next().unwrap()
}

#[test]
fn what_nobody_planned_is_counted() {
    let check =
        |what: &str, change: &dyn Fn(u64, &mut Snapshot), plans: &[(u64, Action)], want: (u64, u64)| {
            let window = minute(change, plans);
            assert_eq!((window.happenings, window.faults), want, "{what}");
        };
    let more = |look: u64, seen: &mut Snapshot| web(seen).replicas = if look == 3 { 5 } else { 2 };
    check("nothing", &|_, _| {}, &[], (0, 0));
    check("a number that goes up and down again", &more, &[], (2, 0));
    check("a number that a plan is about", &more, &[(1, migrate("default/web"))], (0, 0));
    check("a number that another plan is about", &more, &[(1, migrate("default/other"))], (2, 0));
    check(
        "a workload that goes",
        &|look, seen| {
            if look > 2 {
                seen.workloads.clear();
            }
        },
        &[],
        (1, 0),
    );
    let cordon = |look: u64, seen: &mut Snapshot| {
        let nodes = seen.clusters.values_mut().next().unwrap().nodes.values_mut();
        nodes.for_each(|node| node.schedulable = look < 4);
    };
    check("a node that takes no more pods", &cordon, &[], (0, 1));
    let one = || ClusterName::new("one").unwrap();
    let hide = |look: u64, seen: &mut Snapshot| {
        if (2..4).contains(&look) {
            seen.clusters.remove(&one());
            let subject = GapSubject::Cluster(one());
            seen.gaps.push(Gap { subject, reason: "it does not answer".to_owned(), known_at: None });
        }
    };
    check("a cluster out of sight, and back", &hide, &[], (0, 2));
    let resize = Action::ResizePool { cluster: one(), pool: PoolName::new("p").unwrap(), from: 1, to: 0 };
    check("nodes of a pool that a plan resizes", &cordon, &[(1, resize)], (0, 0));
    // What comes after the end is not of this window.
    check(
        "something at the very end",
        &|look, seen| {
            if look == 6 {
                seen.workloads.clear();
            }
        },
        &[],
        (0, 0),
    );
}

#[test]
fn what_plans_moved_is_told_and_other_plans_are_named() {
    let window = minute(|_, _| {}, &[(1, migrate("default/web")), (4, migrate("default/shop"))]);
    assert_eq!((window.moved_pods, window.whole), (4, true));
    let begun = vec![(RecommendationId(1), at(0)), (RecommendationId(4), at(0))];
    let score = score(&prediction(60), &window, &Meanwhile { begun, ..Meanwhile::default() });
    assert_eq!(score.confounded_by, [Confounder::Plan { id: RecommendationId(4) }]);
    assert!(score.complete && score.compared_with == Basis::Alone && !score.is_clean());
}

#[test]
fn too_long_a_silence_is_no_judgement() {
    let begin = || Sightings::new(at(0), &prediction(1_800), &Arc::new(snapshot(0, &[])));
    let mut sightings = begin();
    sightings.look(&Arc::new(snapshot(299, &[])));
    sightings.look(&Arc::new(snapshot(600, &[])));
    assert!(!sightings.is_due(at(1_800)), "somebody may still look");
    sightings.look(&Arc::new(snapshot(1_800, &[])));
    let window = sightings.close();
    assert!(
        !window.whole && !score(&prediction(1_800), &window, &Meanwhile::default()).complete,
        "301 seconds without a look"
    );
    let mut left = begin();
    left.look(&Arc::new(snapshot(200, &[])));
    assert!(left.is_due(at(2_101)), "nobody looks any more");
    assert!(!left.close().whole);
}
