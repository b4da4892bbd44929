//! Clusters whose nodes come and go as the provisioner decides.

use crate::scenario::{self, Scenario};
use crate::world::SimulatedWorld;
use control::world::{Input, World};
use model::names::PoolName;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;

/// Large nodes of 8 cores for 40 cents and small ones of 2 for 10, of which none is there.
fn scenario(large: u64, autoscaler: &Value, workload: &Value) -> Scenario<Value> {
    let pool = |name: &str, nodes: u64, cpu: &str, price: &str| {
        json!({
            "name": name, "nodes": nodes, "cpu": cpu, "memory": "32Gi", "price_per_hour": price,
            "minimum": 0, "maximum": 10, "boot_time": "60s",
        })
    };
    let pools = [pool("large", large, "8", "0.4"), pool("small", 0, "2", "0.1")];
    let written = json!({
        "drover": "scenario/v1", "name": "test", "duration": "1h",
        "clusters": [{ "name": "c", "pools": pools, "autoscaler": autoscaler }],
        "workloads": [workload],
    });
    read(&written)
}

fn read(written: &Value) -> Scenario<Value> {
    let text = model::document::to_yaml(written);
    scenario::read("test.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

fn web(replicas: u32, cpu: &str) -> Value {
    json!({ "name": "web", "cluster": "c", "replicas": replicas, "cpu": cpu, "memory": "1Gi" })
}

fn world(scenario: &Scenario<Value>, seed: u64) -> SimulatedWorld {
    SimulatedWorld::new(Arc::new(scenario.world.clone()), scenario.reviewer.clone(), seed)
}

fn go_to(world: &mut SimulatedWorld, minute: u64, second: u64) {
    let deadline = Timestamp::EPOCH + Period::from_secs(60 * minute + second);
    while let Some((at, input)) = world.next_input(deadline).unwrap() {
        if input == Input::WakeUp && at >= deadline {
            return;
        }
    }
}

/// Nodes that are ready and that boot, of the large and of the small pool.
fn fleet(world: &SimulatedWorld) -> [(u32, u32); 2] {
    let snapshot = world.snapshot();
    let cluster = snapshot.clusters.values().next().unwrap();
    ["large", "small"].map(|name| {
        let pool = &cluster.pools[&PoolName::new(name).unwrap()];
        (pool.nodes, pool.booting)
    })
}

#[test]
fn nodes_are_ordered_a_second_after_the_last_pod() {
    let karpenter = json!({ "kind": "karpenter" });
    // One small node takes both pods; three need a large one.
    for (replicas, want) in [(2, [(0, 0), (1, 0)]), (3, [(1, 0), (0, 0)])] {
        let mut world = world(&scenario(0, &karpenter, &web(replicas, "1")), 1);
        go_to(&mut world, 0, 1);
        go_to(&mut world, 0, 2);
        let booting: u32 = fleet(&world).iter().map(|(_, booting)| booting).sum();
        assert_eq!(booting, 1);
        go_to(&mut world, 0, 60);
        assert_eq!(world.snapshot().clusters.values().next().unwrap().pods_pending, replicas);
        go_to(&mut world, 1, 2);
        assert_eq!(fleet(&world), want);
        // A pod that met no node at all is tried again after a back-off.
        go_to(&mut world, 1, 12);
        assert_eq!(world.snapshot().clusters.values().next().unwrap().pods_pending, 0);
    }
}

#[test]
fn a_fleet_shrinks_to_one_cheap_node_without_a_pod_waiting() {
    let mut world = world(&scenario(4, &json!({ "kind": "karpenter" }), &web(2, "1")), 1);
    go_to(&mut world, 0, 9);
    assert_eq!(fleet(&world), [(4, 0), (0, 0)]);
    // Two nodes without pods, of which a tenth of four, rounded up, goes at a time: found at 10 s, checked at 25 s.
    go_to(&mut world, 0, 24);
    assert_eq!(fleet(&world), [(4, 0), (0, 0)]);
    go_to(&mut world, 0, 26);
    assert_eq!(fleet(&world), [(3, 0), (0, 0)]);
    go_to(&mut world, 60, 0);
    assert_eq!(fleet(&world), [(0, 0), (1, 0)]);
    let totals = world.totals();
    assert_eq!((totals.pending_pods_max, world.snapshot().workloads.len()), (0, 1));
    // One pod moves to the other's node, then both to the small one.
    assert_eq!(totals.evicted_pods, 3);
}

#[test]
fn the_replacement_is_ready_before_the_old_node_goes() {
    let mut world = world(&scenario(1, &json!({ "kind": "karpenter" }), &web(2, "1")), 1);
    // Found at 10 s, checked and ordered at 25 s, ready at 85 s.
    go_to(&mut world, 0, 26);
    assert_eq!(fleet(&world), [(1, 0), (0, 1)]);
    let marked =
        world.snapshot().clusters.values().next().unwrap().nodes.values().all(|node| !node.schedulable);
    assert!(marked, "no pod comes to a node that will go");
    go_to(&mut world, 1, 24);
    assert_eq!((fleet(&world), world.totals().evicted_pods), ([(1, 0), (0, 1)], 0));
    go_to(&mut world, 1, 27);
    assert_eq!((fleet(&world), world.totals().evicted_pods), ([(0, 0), (1, 0)], 2));
    assert_eq!(world.totals().pending_pods_max, 0);
}

#[test]
fn nothing_is_disrupted_against_the_rules() {
    let mut precious = web(2, "1");
    precious["annotations"] = json!({ "karpenter.sh/do-not-disrupt": "true" });
    let mut for_a_while = web(2, "1");
    for_a_while["annotations"] = json!({ "karpenter.sh/do-not-disrupt": "90m" });
    let mut guarded = web(2, "1");
    guarded["disruption_budget"] = json!({ "max_unavailable": 0 });
    let pool = |rules: Value| {
        let mut pool = json!({ "pools": ["small"] });
        pool.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
        json!({ "kind": "karpenter", "node_pools": [pool] })
    };
    let rows = [
        (json!({ "kind": "karpenter", "budget": "0" }), web(2, "1")),
        (json!({ "kind": "karpenter", "consolidation": "WhenEmpty" }), web(2, "1")),
        (json!({ "kind": "karpenter", "consolidation": "Never" }), web(2, "1")),
        (json!({ "kind": "karpenter", "consolidate_after": "61m" }), web(2, "1")),
        (json!({ "kind": "karpenter" }), precious),
        (json!({ "kind": "karpenter" }), for_a_while),
        (json!({ "kind": "karpenter" }), guarded),
        (pool(json!({})), web(2, "1")),
    ];
    for (autoscaler, workload) in rows {
        let mut world = world(&scenario(2, &autoscaler, &workload), 1);
        go_to(&mut world, 60, 0);
        assert_eq!(fleet(&world), [(2, 0), (0, 0)], "{autoscaler} {workload}");
        assert_eq!(world.totals().evicted_pods, 0);
    }
}

#[test]
fn expanders_choose_which_pool_grows() {
    // Four pods of a core: four nodes of 2 cores would carry two each, one of 8 all of them.
    let rows = [
        ("least-nodes", "1", [1, 0]),
        ("most-pods,least-nodes", "1", [1, 0]),
        ("priority", "1", [0, 2]),
        ("least-waste", "1", [0, 2]),
        ("price", "1.9", [0, 4]),
    ];
    for (expander, cpu, want) in rows {
        let autoscaler = json!({ "expander": expander });
        let mut written = scenario(0, &autoscaler, &web(4, cpu));
        written.world.clusters[0].pools[1].priority = Some(5);
        let mut world = world(&written, 1);
        go_to(&mut world, 5, 0);
        assert_eq!(fleet(&world).map(|(nodes, _)| nodes), want, "{expander}");
    }
}

/// Three spot nodes that live ten minutes on average.
fn spot(autoscaler: Option<Value>) -> Scenario<Value> {
    let mut written = json!({
        "drover": "scenario/v1", "name": "test", "duration": "4h",
        "clusters": [{ "name": "c", "pools": [
            {
                "name": "large", "nodes": 3, "cpu": "8", "memory": "32Gi", "price_per_hour": "1",
                "minimum": 0, "maximum": 5, "boot_time": "60s",
                "spot": { "price_per_hour": "0.25", "interruptions_per_hour": 6 },
            },
            { "name": "small", "nodes": 0, "cpu": "2", "memory": "8Gi", "maximum": 0, "price_per_hour": "1" },
        ] }],
        "workloads": [web(6, "3")],
    });
    if let Some(autoscaler) = autoscaler {
        written["clusters"][0]["autoscaler"] = autoscaler;
    }
    read(&written)
}

#[test]
fn spot_nodes_are_taken_and_come_again() {
    let karpenter = Some(json!({ "kind": "karpenter" }));
    for autoscaler in [None, Some(json!({})), karpenter] {
        let scenario = spot(autoscaler);
        let end = |seed| {
            let mut world = world(&scenario, seed);
            go_to(&mut world, 240, 0);
            (fleet(&world), world.totals())
        };
        let (fleet, totals) = end(1);
        // 72 are expected, and 8.5 is their standard deviation; each has two pods or fewer.
        assert!((40..=190).contains(&totals.evicted_pods), "{}", totals.evicted_pods);
        assert!(totals.pending_pods_max > 0, "pods wait while a node boots");
        assert!(fleet[0].0 + fleet[0].1 >= 3, "{fleet:?}");
        let dollars = totals.cost.as_dollars_float();
        assert!((dollars - totals.node_hours * 0.25).abs() < 0.01, "{dollars} for {} h", totals.node_hours);
        assert_eq!(end(1).1, totals);
        assert_ne!(end(2).1, totals);
    }
}

#[test]
fn a_spot_node_goes_with_pods_that_do_not_stop_in_time() {
    let mut scenario = spot(None);
    let pod = Arc::make_mut(&mut scenario.world.workloads[0].pod);
    pod.stop_time = scenario::Spread::exactly(Period::from_hours(10));
    let mut world = world(&scenario, 1);
    go_to(&mut world, 240, 0);
    let nodes = world.snapshot().clusters.values().next().unwrap().nodes.len();
    assert!(nodes <= 6, "two minutes after the notice a node is gone: {nodes}");
    assert!(world.totals().evicted_pods > 40);
}

#[test]
fn the_same_seed_gives_the_same_fleet() {
    let scenario = scenario(4, &json!({ "kind": "karpenter", "budget": "50%" }), &web(9, "1"));
    let end = || {
        let mut world = world(&scenario, 7);
        go_to(&mut world, 60, 0);
        (world.events(), format!("{:?} {:?}", world.totals(), world.series()))
    };
    assert_eq!(end(), end());
}
