//! Small worlds in which one thing goes wrong.

use super::*;
use crate::scenario::{self, Scenario};
use crate::world::Respondent;
use crate::world::cluster::Cluster;
use crate::world::pods::Phase;
use control::question::{Answer, Question};
use control::world::{Applied, Effect, Input, World as _};
use model::action::Action;
use model::document::to_yaml;
use model::hash::ContentHash;
use model::impact::Impact;
use model::names::{AgentName, ClusterName};
use model::recommendation::{Rationale, Recommendation, RecommendationId};
use model::signal::Signal;
use model::time::Period;
use serde_json::{Value, json};

/// Two clusters of two nodes each; pods take 20 s to start.
fn world(workloads: &Value, faults: &Value) -> SimulatedWorld {
    let pool = json!({ "name": "p", "nodes": 2, "minimum": 0, "maximum": 2, "cpu": "8", "memory": "16Gi",
        "power": { "idle": 100, "max": 200 } });
    let cluster = |name: &str| json!({ "name": name, "pools": [pool.clone()] });
    let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "2h",
        "clusters": [cluster("one"), cluster("two")], "workloads": workloads, "faults": faults,
        "pods": { "start_time": "20s", "stop_time": "1s" }, "review": { "mode": "simulated" }, "reviewer": { "delay": "10s" },
        "migration": { "propagation": "1s", "ready_within": "5m" } }));
    let read: Scenario<Value> =
        scenario::read("small.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
}

fn web(spec: &Value) -> Value {
    let mut workload = json!({ "name": "web", "cluster": "one", "cpu": "1", "memory": "1Gi", "replicas": 4 });
    workload.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    json!([workload])
}

/// 100 requests per second that need one core.
fn service() -> Value {
    web(&json!({ "service": { "demand": { "requests_per_second": 100 }, "cpu_per_request": "10ms" } }))
}

fn fault(kind: &Value, at: u64, lasts: u64) -> Value {
    json!({ "fault": kind, "at": format!("{at}s"), "for": format!("{lasts}s") })
}

fn run(world: &mut SimulatedWorld, until: u64) {
    let until = Timestamp(until * 1000);
    while world.agenda.next_at().is_some_and(|next| next <= until) {
        world.step();
    }
    world.time_passes(until);
    world.agenda.advance_to(until);
}

fn phases(cluster: &Cluster) -> [usize; 4] {
    [Phase::Waiting, Phase::Starting, Phase::Ready, Phase::Stopping]
        .map(|phase| cluster.pods.iter().filter(|pod| pod.phase == phase).count())
}

fn recommendation(action: Action) -> Recommendation {
    Recommendation {
        id: RecommendationId(1),
        batch: 1,
        agent: AgentName::new("tester").unwrap(),
        action,
        because: Rationale::default(),
        expected: Impact::default(),
        risk: model::risk::Assessment::default(),
        planned_by: None,
        undoes: None,
        observed_at: Timestamp::EPOCH,
        raised_at: Timestamp::EPOCH,
        expires_at: Timestamp::EPOCH,
        hash: ContentHash::of(&0),
    }
    .sealed()
}

fn moves_to_two(world: &SimulatedWorld) -> Recommendation {
    recommendation(Action::Migrate {
        workload: world.spec.workloads[0].reference.clone(),
        from: ClusterName::new("one").unwrap(),
        to: ClusterName::new("two").unwrap(),
        replicas: 4,
    })
}

/// Steps until the undertaking is over; when, in seconds, and how.
fn outcome(world: &mut SimulatedWorld) -> (u64, Applied) {
    loop {
        if let Some(Input::Applied { outcome, .. }) = world.inbox.pop_front() {
            return (world.now().as_millis() / 1000, outcome);
        }
        assert!(world.agenda.next_at().is_some_and(|next| next <= world.end()), "it never ends");
        world.step();
    }
}

#[test]
fn a_crash_is_noticed_late_and_its_pods_are_replaced_later_still() {
    let crash = fault(&json!({ "node_crash": { "cluster": "one" } }), 100, 1000);
    let mut world = world(&service(), &json!([crash]));
    run(&mut world, 99);
    let (whole, power) = (world.clusters[0].sums.capacity, world.clusters[0].power());
    assert_eq!(phases(&world.clusters[0]), [0, 0, 4, 0]);
    run(&mut world, 101);
    // The cluster believes in four pods; two of them serve nobody and draw nothing.
    assert_eq!(phases(&world.clusters[0]), [0, 0, 4, 0]);
    assert_eq!(world.clusters[0].sums.capacity, whole);
    assert!(world.clusters[0].power() < power);
    run(&mut world, 140);
    assert_eq!(world.series().services[0].1.last().map(|sample| sample.replicas_ready), Some(2));
    // Four replicas are not needed for one core, so only what was under way on the node breaks.
    let totals = world.service_totals().into_values().next().unwrap();
    assert!(totals.broken > 0.0 && totals.broken < 10.0, "{totals:?}");
    run(&mut world, 151);
    assert_eq!(phases(&world.clusters[0]), [0, 2, 2, 0]);
    assert_eq!(world.clusters[0].sums.capacity.cpu.0 * 2, whole.cpu.0);
    assert_eq!(world.snapshot().clusters.values().next().unwrap().room_for(one_core()), 6);
    run(&mut world, 449);
    assert_eq!(phases(&world.clusters[0]), [0, 2, 2, 0]);
    // After 300 s of tolerance they are evicted and replaced on the other node; nobody says that they have stopped.
    run(&mut world, 480);
    assert_eq!(phases(&world.clusters[0]), [0, 0, 4, 2]);
    run(&mut world, 1101);
    assert_eq!(phases(&world.clusters[0]), [0, 0, 4, 0]);
    assert_eq!(world.clusters[0].sums.capacity, whole);
    let [crash] = &world.troubles()[..] else { panic!("{:?}", world.troubles()) };
    assert_eq!((crash.kind, crash.cluster.as_ref().unwrap().as_str()), (FaultKind::NodeCrash, "one"));
    assert_eq!((crash.nodes.len(), crash.pods, crash.over), (1, 2, true));
    assert_eq!((crash.from, crash.until), (Timestamp(100_000), Timestamp(1_100_000)));
}

fn one_core() -> model::resources::Resources {
    model::resources::Resources::new(model::quantity::MilliCpu(1000), model::quantity::Bytes(1 << 30), 1)
}

#[test]
fn pods_of_a_node_that_comes_back_start_again() {
    // Before anybody noticed, and after: the same pods start again.
    for (lasts, seen) in [(30, [0, 2, 2, 0]), (100, [0, 2, 2, 0])] {
        let crash = fault(&json!({ "node_crash": { "cluster": "one", "pool": "p" } }), 100, lasts);
        let mut world = world(&web(&json!({})), &json!([crash]));
        run(&mut world, 100 + lasts + 1);
        assert_eq!(phases(&world.clusters[0]), seen, "{lasts}");
        run(&mut world, 100 + lasts + 20);
        assert_eq!(phases(&world.clusters[0]), [0, 0, 4, 0], "{lasts}");
        assert_eq!(world.pods_made(), 4, "{lasts}");
        run(&mut world, 1000);
        assert_eq!(world.clusters[0].evictions, 0, "{lasts}");
    }
}

#[test]
fn tolerations_say_how_long_a_pod_stays() {
    let check = |toleration: Option<Value>, kind: &str, evicted_at: Option<u64>| {
        let mut spec = json!({ "kind": kind });
        if kind != "daemonset" {
            spec["replicas"] = json!(2);
        }
        if let Some(toleration) = &toleration {
            spec["pod"] = json!({ "tolerations": [toleration] });
        }
        let crash = fault(&json!({ "node_crash": { "cluster": "one" } }), 100, 3600);
        let mut workloads = web(&spec);
        if kind == "daemonset" {
            workloads[0].as_object_mut().unwrap().remove("replicas");
        }
        let mut world = world(&workloads, &json!([crash]));
        let mut seen = None;
        while seen.is_none() && world.now() < Timestamp(3_000_000) && world.agenda.next_at().is_some() {
            world.step();
            seen = (world.clusters[0].evictions > 0).then(|| world.now().as_millis() / 1000);
        }
        assert_eq!(seen, evicted_at, "{kind} {toleration:?}");
    };
    let key = "node.kubernetes.io/unreachable";
    check(None, "deployment", Some(450));
    check(None, "statefulset", Some(450));
    check(None, "daemonset", None);
    check(
        Some(json!({ "key": key, "operator": "Exists", "effect": "NoExecute",
        "tolerationSeconds": 10 })),
        "deployment",
        Some(160),
    );
    check(Some(json!({ "key": key, "operator": "Exists" })), "deployment", None);
    check(Some(json!({ "key": "other", "operator": "Exists" })), "deployment", Some(450));
}

#[test]
fn a_cluster_out_of_sight_is_shown_as_last_seen_and_orders_wait() {
    let partition = fault(&json!({ "partition": { "cluster": "two" } }), 100, 120);
    let mut world = world(&web(&json!({ "cluster": "one" })), &json!([partition]));
    run(&mut world, 110);
    let snapshot = world.snapshot();
    let two = ClusterName::new("two").unwrap();
    assert_eq!(snapshot.gap_of_cluster(&two).and_then(|gap| gap.known_at), Some(Timestamp(100_000)));
    assert_eq!(snapshot.gaps.len(), 1);
    // The cluster goes on by itself; the federation still believes in its two nodes.
    world.clusters[1].resize(&mut world.agenda, &mut world.chance.boots, 0, 1);
    assert_eq!(world.snapshot().clusters[&two].nodes.len(), 2);
    let order = moves_to_two(&world);
    world.begin_undertaking(order.id, &order.action);
    let (at, applied) = outcome(&mut world);
    assert_eq!((at, applied), (241, Applied::Done));
    assert_eq!(world.snapshot().clusters[&two].nodes.len(), 1);
    assert!(world.snapshot().gaps.is_empty());
}

#[test]
fn what_began_before_a_partition_is_taken_back_when_that_is_possible() {
    // The target is placed at 91 s and would be ready at 111 s, but nobody sees it before the time is over.
    let partition = fault(&json!({ "partition": { "cluster": "two" } }), 100, 600);
    let mut world = world(&web(&json!({})), &json!([partition]));
    run(&mut world, 90);
    let order = moves_to_two(&world);
    world.begin_undertaking(order.id, &order.action);
    let (at, applied) = outcome(&mut world);
    assert!(matches!(applied, Applied::RolledBack { .. }), "{applied:?}");
    assert!((700..=730).contains(&at), "{at}");
    run(&mut world, 800);
    assert_eq!([phases(&world.clusters[0]), phases(&world.clusters[1])], [[0, 0, 4, 0], [0; 4]]);
}

#[test]
fn an_order_that_cannot_be_delivered_in_time_fails() {
    let partition = fault(&json!({ "partition": { "cluster": "two" } }), 100, 3600);
    let mut world = world(&web(&json!({})), &json!([partition]));
    run(&mut world, 110);
    let order = moves_to_two(&world);
    world.begin_undertaking(order.id, &order.action);
    let (at, applied) = outcome(&mut world);
    assert_eq!((at, applied), (411, Applied::Failed { reason: "a cluster was out of reach".to_owned() }));
}

#[test]
fn clients_are_cut_off_until_the_last_partition_ends() {
    let cut = |at, lasts, clients| {
        fault(&json!({ "partition": { "cluster": "one", "clients": clients } }), at, lasts)
    };
    let mut world =
        world(&service(), &json!([cut(100, 100, true), cut(150, 100, true), cut(160, 400, false)]));
    let down = |world: &SimulatedWorld| {
        world.service_totals().into_values().next().unwrap().downtime.as_millis() / 1000
    };
    run(&mut world, 100);
    let before = down(&world);
    run(&mut world, 600);
    assert_eq!(down(&world) - before, 150);
    let samples = &world.series().services[0].1;
    let failing = samples.iter().filter(|sample| sample.at >= Timestamp(100_000) && sample.errors.0 > 0);
    assert!(failing.clone().all(|sample| (100_000..250_000).contains(&sample.at.0)));
    assert!(failing.clone().count() > 10 && failing.clone().all(|sample| sample.errors == sample.demand));
    let totals = world.service_totals().into_values().next().unwrap();
    assert_eq!(totals.clusters, [world.clusters[0].name.clone()]);
    let cuts: Vec<bool> = world.troubles().iter().map(|mishap| mishap.clients).collect();
    assert_eq!(cuts, [true, true, false]);
    // The first lasts for four scrapes or more; the third is there until 560 s.
    assert!(world.troubles().iter().all(|mishap| mishap.over && mishap.scrapes >= 4));
}

#[test]
fn an_ill_interface_delays_orders_or_refuses_them() {
    let check = |api: Value, want: (u64, bool)| {
        let mut kind = json!({ "api": api });
        kind["api"]["cluster"] = json!("two");
        let mut world = world(&web(&json!({})), &json!([fault(&kind, 60, 3600)]));
        run(&mut world, 100);
        let order = moves_to_two(&world);
        world.begin_undertaking(order.id, &order.action);
        let (at, applied) = outcome(&mut world);
        assert_eq!((at, applied == Applied::Done), want, "{kind} {applied:?}");
        let [ill] = &world.troubles()[..] else { panic!("{:?}", world.troubles()) };
        assert_eq!((ill.orders, ill.over, ill.until), (1, false, world.now()));
    };
    // A second on its way, 20 s to start, a second to stop.
    check(json!({}), (122, true));
    check(json!({ "delay": "30s" }), (152, true));
    // Five tries with 1, 2, 4 and 8 s between.
    check(json!({ "fails": 1 }), (116, false));
    check(json!({ "delay": "10s", "fails": 1 }), (166, false));
}

#[test]
fn lost_metrics_grow_old() {
    let lost = fault(&json!({ "lost_metrics": { "cluster": "one" } }), 300, 300);
    let mut world = world(&service(), &json!([lost]));
    let mut age = |at: u64| {
        run(&mut world, at);
        let readings = world.cluster_readings(0);
        readings.get(Signal::CpuUsage).map(|reading| world.now().since(reading.at).as_millis() / 1000)
    };
    let usual = age(299).unwrap();
    assert!(age(590).is_none_or(|age| age >= 280));
    assert!(age(700).unwrap() <= usual + 60);
    let every = world.spec.telemetry.every.as_millis() / 1000;
    let lost = world.troubles()[0].scrapes;
    assert!(lost.abs_diff(300 / every) <= 1, "{lost} scrapes, one every {every} s");
}

#[test]
fn nobody_answers_what_is_submitted_while_the_reviewer_is_away() {
    let away = fault(&json!({ "reviewer": {} }), 100, 100);
    let mut world = world(&web(&json!({})), &json!([away]));
    let mut answers = |submitted: u64| {
        run(&mut world, submitted);
        let asked = moves_to_two(&world);
        world.ask_reviewer(&asked);
        let end = world.now() + Period::from_secs(8);
        run(&mut world, end.as_millis() / 1000);
        run(&mut world, end.as_millis() / 1000 + 12);
        std::mem::take(&mut world.inbox).len()
    };
    // What was submitted before is still answered, although nobody is there any more.
    assert_eq!([answers(95), answers(120), answers(201)], [1, 0, 1]);
    assert_eq!(world.troubles()[0].reviews, 1);
}

/// Answers everything after five seconds.
struct Oracle;

impl Respondent for Oracle {
    fn answer(&self, question: &Question) -> Option<(Answer, Period)> {
        Some((Answer::plain(question.number, "because"), Period::from_secs(5)))
    }
}

#[test]
fn a_model_answers_later_or_never_while_a_fault_is_there() {
    let slow = fault(&json!({ "model": { "delay": "30s" } }), 100, 100);
    let silent = fault(&json!({ "model": {} }), 300, 100);
    let mut world = world(&web(&json!({})), &json!([slow, silent])).with_respondent(Arc::new(Oracle));
    let mut answered_after = |asked: u64| {
        run(&mut world, asked);
        let question = Question::plain(asked, "why");
        let agent = AgentName::new("asker").unwrap();
        world.start(Effect::Ask { agent, question }).unwrap();
        (0..60).find(|seconds| {
            run(&mut world, asked + seconds);
            matches!(world.inbox.pop_front(), Some(Input::Answered { answer, .. }) if answer.number == asked)
        })
    };
    // What was asked before a fault is answered in time.
    let taken = [95, 120, 250, 320, 450].map(&mut answered_after);
    assert_eq!(taken, [Some(5), Some(35), Some(5), None, Some(5)]);
    assert_eq!(world.troubles().iter().map(|one| one.questions).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn nobody_answers_where_there_is_no_model() {
    let mut world = world(&web(&json!({})), &json!([]));
    let question = Question::plain(0, "why");
    world.start(Effect::Ask { agent: AgentName::new("asker").unwrap(), question }).unwrap();
    run(&mut world, 600);
    assert!(world.inbox.is_empty());
}

#[test]
fn the_same_seed_breaks_the_same_things() {
    let rate = |kind: Value| json!({ "fault": kind, "per_hour": 6, "for": "1m..5m" });
    let faults = json!([
        rate(json!({ "node_crash": { "cluster": "one" } })),
        rate(json!({ "partition": { "cluster": "one", "clients": true } })),
        rate(json!({ "model": {} })),
    ]);
    let course = || {
        let mut world = world(&service(), &faults);
        run(&mut world, 7200);
        assert!(world.troubles().len() > 10);
        format!("{:?} {:?} {:?}", world.troubles(), world.totals(), world.ledger())
    };
    assert_eq!(course(), course());
}
