//! Recordings of made-up observations, and of a simulation, which a replay has to repeat.

use super::*;
use crate::overlay::overlay;
use crate::run::{Plan, Review, Scenario};
use control::world::Input;
use expect_test::expect;
use model::names::{NodeName, PoolName};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{ClusterView, Gap, NodeView, PlacementView, PoolView, WorkloadView};
use simulator::scenario;
use strategies::catalogue::StrategyConfig;

const WAVES: &str = include_str!("../../../../scenarios/three-waves.yaml");

fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

fn each() -> Resources {
    Resources::new(MilliCpu(1_000), Bytes(1 << 30), 1)
}

fn node() -> NodeView {
    let capacity = Resources::new(MilliCpu(8_000), Bytes(16 << 30), 110);
    let pool = PoolName::new("default").unwrap();
    NodeView {
        pool,
        capacity,
        allocated: Resources::default(),
        schedulable: true,
        signals: Readings::default(),
    }
}

/// A cluster with so many nodes and nothing on them.
fn clusters(nodes: [u32; 2]) -> BTreeMap<ClusterName, ClusterView> {
    let view = |nodes: u32| {
        let pool = PoolView {
            nodes,
            booting: 0,
            minimum: 0,
            maximum: 9,
            node_capacity: node().capacity,
            price_per_hour: model::money::MicroDollars(3_600_000),
            boot_time: Period::from_secs(5),
        };
        let named = |number: u32| (NodeName::new(&format!("n{number}")).unwrap(), node());
        ClusterView {
            capacity: node().capacity.times(u64::from(nodes)),
            pools: [(node().pool, pool)].into(),
            nodes: (1..=nodes).map(named).collect(),
            ..ClusterView::default()
        }
    };
    [(cluster("one"), view(nodes[0])), (cluster("two"), view(nodes[1]))].into()
}

/// An observation: nodes of both clusters, and where how many replicas of which workload are.
fn seen(seconds: u64, nodes: [u32; 2], placed: &[(&str, &str, u32)]) -> Snapshot {
    let mut workloads: BTreeMap<WorkloadRef, WorkloadView> = BTreeMap::new();
    for (name, place, replicas) in placed {
        let view = workloads.entry(format!("shop/{name}").parse().unwrap()).or_insert_with(|| WorkloadView {
            each: each(),
            movable: true,
            ..WorkloadView::default()
        });
        let placement = PlacementView { replicas: *replicas, ..PlacementView::default() };
        view.placements.insert(cluster(place), placement);
    }
    let taken_at = Timestamp(seconds * 1_000);
    Snapshot { taken_at, clusters: clusters(nodes), workloads, gaps: Vec::new() }
}

fn life(name: &str, place: &str, arrived: u64, ended: Option<u64>) -> PodLife {
    PodLife {
        cluster: cluster(place),
        namespace: "shop".to_owned(),
        name: format!("{name}-{arrived}"),
        workload: (name != "alone").then(|| format!("shop/{name}").parse().unwrap()),
        requests: each(),
        priority: 0,
        arrived_at: Timestamp(arrived),
        placed: Some((Timestamp(arrived + 10), "n1".to_owned())),
        ready_at: Some(Timestamp(arrived + 1_510)),
        ended_at: ended.map(Timestamp),
        gone_at: ended.map(|at| Timestamp(at + 400)),
        finished: false,
    }
}

fn recorded(observations: &[Snapshot], lives: &[PodLife]) -> Recorded {
    let mut recorder = Recorder::new(Period::from_secs(1));
    for snapshot in observations {
        recorder.note(snapshot);
    }
    recorder.finish("recorded", ("then", 0), Timestamp(20_000), lives)
}

/// A morning in which `web` grows and moves, and `db` comes and goes.
fn morning() -> Recorded {
    recorded(
        &[
            seen(0, [1, 1], &[("web", "one", 2)]),
            seen(5, [1, 1], &[("web", "one", 4), ("db", "two", 1)]),
            seen(9, [1, 1], &[("web", "one", 4), ("web", "two", 4), ("db", "two", 1)]),
            seen(12, [1, 1], &[("web", "two", 4), ("db", "two", 1)]),
            seen(15, [1, 1], &[("web", "two", 4)]),
        ],
        &[
            life("web", "one", 0, Some(11_200)),
            life("web", "one", 3_700, Some(11_200)),
            life("db", "two", 4_100, Some(14_500)),
            life("web", "two", 8_050, None),
            life("alone", "one", 6_000, None),
        ],
    )
}

#[test]
fn workloads_come_change_move_and_go_when_they_did() {
    expect![[r#"
        drover: scenario/v1
        name: recorded
        description:
          "Recorded in 2 clusters over 20s. Without agents it shows what happened; add agents to see what they would have made of it."
        duration: 20s
        clusters:
          - name: one
            pools:
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
          - name: two
            pools:
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
        workloads:
          - at: 0s
            cluster: one
            cpu: "1"
            kind: deployment
            memory: 1Gi
            name: web
            namespace: shop
            replicas: 2
            until: 11s200ms
          - at: 4s100ms
            cluster: two
            cpu: "1"
            kind: deployment
            memory: 1Gi
            name: db
            namespace: shop
            replicas: 1
            until: 14s500ms
          - at: 8s50ms
            cluster: two
            cpu: "1"
            kind: deployment
            memory: 1Gi
            name: web-two
            namespace: shop
            replicas: 4
        traces:
          - { cluster: one, file: others/one.csv, format: csv }
        events:
          - at: 3s700ms
            change:
              scale: { replicas: 4 }
            workload: deployment/shop/web
        pods: { start_time: 1s500ms, stop_time: 400ms }
    "#]].assert_eq(&morning().scenario.expect("the simulator takes it"));
}

#[test]
fn what_is_said_in_another_way_and_everything_else_is_told() {
    let recorded = morning();
    assert_eq!(
        recorded.about.notes,
        ["deployment/shop/web in two is deployment/shop/web-two from 8s50ms on"]
    );
    let paths: Vec<&str> = recorded.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["pods/one.csv", "pods/two.csv", "others/one.csv"]);
    assert_eq!((recorded.about.workloads, recorded.about.events, recorded.about.pods), (3, 1, 5));
}

#[test]
fn nodes_that_come_and_go_are_away_before_and_after() {
    let recorded = recorded(&[seen(0, [2, 1], &[]), seen(4, [2, 2], &[]), seen(8, [1, 2], &[])], &[]);
    let text = recorded.scenario.expect("the simulator takes it");
    expect![[r#"
        clusters:
          - name: one
            pools:
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default-2
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
          - name: two
            pools:
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
              - boot_time: 5s
                cpu: "8"
                maximum: 1
                memory: 16Gi
                minimum: 1
                name: default-2
                nodes: 1
                pods: 110
                price_per_hour: "3.6"
        workloads: []
        faults:
          - at: 8s
            fault:
              node_crash: { cluster: one, nodes: 1, pool: default-2 }
            for: 13s
          - at: 0s
            fault:
              node_crash: { cluster: two, nodes: 1, pool: default-2 }
            for: 4s
        pods: { start_time: 1s, stop_time: 1s }
    "#]]
    .assert_eq(&text[text.find("clusters:").unwrap()..]);
    // A tenth of a cent each second and node: two nodes for eight seconds.
    let last = recorded.series.clusters[0].1.last().unwrap();
    assert_eq!((last.nodes, last.cost.to_string().as_str()), (1, "0.016"));
}

#[test]
fn a_cluster_that_is_not_known_loses_nothing() {
    let mut silent = seen(4, [1, 1], &[]);
    let subject = GapSubject::Cluster(cluster("one"));
    silent.gaps.push(Gap { subject, reason: "it does not answer".to_owned(), known_at: None });
    let mut gone = silent.clone();
    (gone.taken_at, gone.clusters) = (Timestamp(6_000), BTreeMap::new());
    let before = seen(0, [1, 1], &[("web", "one", 2)]);
    let after = seen(9, [1, 1], &[("web", "one", 2)]);
    let recorded = recorded(&[before, silent, gone, after], &[]);
    assert!(!recorded.scenario.unwrap().contains("until"), "it was never seen to go");
    let gap = &recorded.about.gaps[0];
    assert_eq!((gap.from, gap.until), (Timestamp(4_000), Some(Timestamp(9_000))));
    let moments: Vec<u64> =
        recorded.series.clusters[0].1.iter().map(|sample| sample.at.as_millis()).collect();
    assert_eq!(moments, [0, 9_000], "what is not known has no sample");
}

/// Lives as the simulator tells them.
fn lives(plan: &Plan, outcome: &crate::run::Outcome) -> Vec<PodLife> {
    let second = Period::from_secs(1);
    let told = |(number, life): (usize, &simulator::world::PodLife)| {
        let workload = plan.world.workloads[life.workload].reference.clone();
        let ended = life.ended.map(|ended| ended.at);
        PodLife {
            cluster: life.cluster.clone(),
            namespace: workload.namespace().to_owned(),
            name: format!("{}-{number}", workload.name()),
            workload: Some(workload),
            requests: life.template.each,
            priority: 0,
            arrived_at: life.created_at,
            placed: life.placed.as_ref().map(|placed| (placed.at, placed.node.to_string())),
            ready_at: life.placed.as_ref().map(|placed| placed.at + second),
            ended_at: ended,
            gone_at: ended.map(|at| at + second),
            finished: false,
        }
    };
    outcome.pods.iter().enumerate().map(told).collect()
}

#[test]
fn a_recorded_simulation_is_repeated() {
    let text = WAVES.replace("every: 30s", "every: 1s");
    let read: Scenario = scenario::read_with("waves", text.as_bytes(), StrategyConfig::check).unwrap();
    let mut plan = Plan::new(read, 1).with_review(Review::Simulated);
    plan.record_pods = true;
    let mut recorder = Recorder::new(Period::from_secs(1));
    let mut observer = |_: Timestamp, input: &Input, _: &[control::world::Effect]| {
        if let Input::Observed(snapshot) = input {
            recorder.note(snapshot);
        }
    };
    let outcome = plan.run(std::io::sink(), &mut observer).unwrap();
    let lives = lives(&plan, &outcome);
    let recorded = recorder.finish("again", ("then", 0), Timestamp(240_000), &lives);
    let moved = recorded.series.clusters[1].1.last().unwrap();
    assert!(moved.allocated.cpu > MilliCpu(0), "something was moved");
    let text = recorded.scenario.expect("the simulator takes it");
    let again: Scenario = scenario::read_with("again", text.as_bytes(), StrategyConfig::check).unwrap();
    let replayed = Plan::new(again, 1).run(std::io::sink(), &mut |_, _, _| {}).unwrap();
    for (name, series) in [("the recording", &recorded.series), ("the replay", &replayed.series)] {
        let found = overlay(&outcome.series, series, Some(0)).unwrap();
        for one in &found.clusters {
            for difference in [one.cpu_allocated, one.memory_allocated, one.pods_pending] {
                assert!(difference.percent < 0.5, "{name} {}: {difference:?}\n{text}", one.cluster);
            }
        }
    }
}
