//! Small worlds in which a budget decides who goes, and when.

use super::*;
use crate::scenario::{self, Scenario};
use crate::world::SimulatedWorld;
use model::document::to_yaml;
use serde_json::{Value, json};
use std::sync::Arc;

fn world(clusters: &Value, workloads: &Value) -> SimulatedWorld {
    let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "2h",
        "clusters": clusters, "workloads": workloads, "pods": { "start_time": "20s", "stop_time": "0s" } }));
    let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes()).unwrap();
    SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
}

fn workload(name: &str, spec: &Value) -> Value {
    let mut workload = json!({ "name": name, "cluster": "one", "cpu": "1", "memory": "1Gi" });
    workload.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    workload
}

/// Lets events happen up to and including a moment; `seen` looks at the cluster after each.
fn run(world: &mut SimulatedWorld, until: Timestamp, mut seen: impl FnMut(Timestamp, &Cluster)) {
    while world.agenda.next_at().is_some_and(|next| next <= until) {
        world.step();
        seen(world.now(), &world.clusters[0]);
    }
}

const fn seconds(count: u64) -> Timestamp {
    Timestamp(count * 1000)
}

#[test]
fn a_person_drains_as_fast_as_the_budget_allows() {
    // Four pods on two nodes, of which one is drained after a minute; a new pod takes 20 s to become ready.
    let check = |budget: Option<Value>, want: &[u64], nodes_left: u32| {
        let mut spec = json!({ "replicas": 4 });
        if let Some(budget) = &budget {
            spec["disruption_budget"] = budget.clone();
        }
        let pool = json!({ "nodes": 2, "minimum": 0, "maximum": 2, "cpu": "8", "memory": "16Gi" });
        let clusters = json!([{ "name": "one", "pools": [pool] }]);
        let mut world = world(&clusters, &json!([workload("web", &spec)]));
        run(&mut world, seconds(60), |_, _| {});
        world.agenda.advance_to(seconds(60));
        world.clusters[0].resize(&mut world.agenda, &mut world.chance.boots, 0, 1);
        world.settle();
        let mut evicted = vec![60; world.clusters[0].evictions as usize];
        run(&mut world, seconds(3600), |now, cluster| {
            while evicted.len() < cluster.evictions as usize {
                evicted.push(now.as_millis() / 1000);
            }
        });
        assert_eq!(evicted, want, "{budget:?}");
        assert_eq!(world.clusters[0].pools[0].existing(), nodes_left, "{budget:?}");
    };
    check(None, &[60, 60], 1);
    check(Some(json!({ "max_unavailable": "50%" })), &[60, 60], 1);
    check(Some(json!({ "min_available": 3 })), &[60, 80], 1);
    check(Some(json!({ "max_unavailable": "1%" })), &[60, 80], 1);
    check(Some(json!({ "min_available": "100%" })), &[], 2);
}

/// Four slow pods on two nodes of which the autoscaler needs one, and `others`.
fn two_nodes_too_many(others: &[Value]) -> SimulatedWorld {
    let pool = json!({ "nodes": 2, "minimum": 1, "maximum": 2, "cpu": "8", "memory": "16Gi" });
    let autoscaler = json!({ "unneeded_for": "0s", "delay_after_add": "0s" });
    let clusters = json!([{ "name": "one", "pools": [pool], "autoscaler": autoscaler }]);
    let spec = json!({ "replicas": 4, "start_time": "30m", "disruption_budget": { "min_available": 3 } });
    let mut workloads = vec![workload("web", &spec)];
    workloads.extend_from_slice(others);
    world(&clusters, &json!(workloads))
}

/// When draining begins and ends, and how many pods were evicted by then.
fn drains(world: &mut SimulatedWorld, until: Timestamp) -> Vec<(Timestamp, bool, u64)> {
    let mut changes: Vec<(Timestamp, bool, u64)> = Vec::new();
    run(world, until, |now, cluster| {
        let pool = &cluster.pools[0];
        assert!(pool.target() <= pool.spec.maximum, "{now}: {pool:?}");
        let draining = pool.draining > 0;
        if draining != changes.last().is_some_and(|(_, draining, _)| *draining) {
            changes.push((now, draining, cluster.evictions));
        }
    });
    changes
}

#[test]
fn the_autoscaler_gives_up_after_two_minutes() {
    let mut world = two_nodes_too_many(&[]);
    let changes = drains(&mut world, seconds(3600));
    // One pod goes at once. Its successor is not ready in time, so the other stays and so does the node; until all are
    // ready again, the budget keeps the autoscaler from a second attempt.
    let [(began, true, 1), (ended, false, 1)] = changes[..] else { panic!("{changes:?}") };
    assert_eq!(ended, began + Period::from_minutes(2));
    assert!(began >= seconds(1800), "{changes:?}");
    let cluster = &world.clusters[0];
    assert_eq!((cluster.pools[0].ready, cluster.pools[0].draining), (2, 0));
    assert!(cluster.node_ids().all(|id| !cluster.node(id).unwrap().is_draining()));
}

#[test]
fn a_node_that_was_replaced_meanwhile_has_to_go() {
    let [(began, ..), ..] = drains(&mut two_nodes_too_many(&[]), seconds(3600))[..] else {
        panic!("no drain")
    };
    // While one node is drained, somebody who needs a whole node gets a new one, and the pool is as large as it may be.
    let at = format!("{}s", began.as_millis() / 1000 + 30);
    let mut world = two_nodes_too_many(&[workload("whole", &json!({ "cpu": "8", "at": at }))]);
    let changes = drains(&mut world, seconds(6000));
    let [(began_again, true, 1), (ended, false, 2)] = changes[..] else { panic!("{changes:?}") };
    assert_eq!(began_again, began);
    // The successor of the first pod takes half an hour; the next try after that is granted.
    assert_eq!(ended, began + Period::from_minutes(30));
    assert_eq!(world.clusters[0].pools[0].existing(), 2);
}

#[test]
fn preemption_spares_the_budget_if_it_can() {
    // Both could make room for the important one; without a budget the younger has to.
    let check = |budgets: [Option<u32>; 2], want: &str| {
        let pool = json!({ "nodes": 2, "cpu": "4", "memory": "16Gi" });
        let clusters = json!([{ "name": "one", "pools": [pool] }]);
        let [older, younger] = [("older", "0s"), ("younger", "60s")]
            .map(|(name, at)| workload(name, &json!({ "cpu": "3", "at": at })));
        let mut workloads =
            [older, younger, workload("important", &json!({ "cpu": "3", "at": "120s", "priority": 9 }))];
        for (workload, budget) in workloads.iter_mut().zip(budgets) {
            if let Some(least) = budget {
                workload["disruption_budget"] = json!({ "min_available": least });
            }
        }
        let mut world = world(&clusters, &json!(workloads));
        run(&mut world, seconds(180), |_, _| {});
        let lost = (0..3).find(|number| {
            let ready = world.workloads[*number].placements.get(0).unwrap().count(&world.clusters[0]).ready;
            ready == 0
        });
        assert_eq!(
            lost.map(|number| world.spec.workloads[number].reference.name()),
            Some(want),
            "{budgets:?}"
        );
        assert_eq!(world.clusters[0].preemptions, 1, "{budgets:?}");
    };
    check([None, None], "younger");
    check([None, Some(1)], "older");
    check([Some(1), None], "younger");
    // A budget with room protects nobody, and two without room protect each other's pods no better.
    check([None, Some(0)], "younger");
    check([Some(1), Some(1)], "younger");
}
