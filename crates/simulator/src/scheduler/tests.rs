//! The scheduling cycle as a whole: scan order, where scans start, promises, memory and counters.

use super::*;
use crate::kube;
use proptest::prelude::*;
use serde_json::{Value, json};

fn node(name: &str, zone: &str, cpu: i64) -> kube::Node {
    let labels = json!({ HOSTNAME_LABEL: name, ZONE_LABEL: zone });
    let allocatable = json!({ "cpu": cpu, "memory": "64Gi", "pods": 110 });
    let node =
        json!({ "metadata": { "name": name, "labels": labels }, "status": { "allocatable": allocatable } });
    serde_json::from_value(node).unwrap()
}

fn pod(app: &str, cpu: i64, spec: &Value) -> kube::Pod {
    let requests = json!({ "cpu": cpu, "memory": "1Gi" });
    let mut all = json!({ "containers": [{ "name": "main", "resources": { "requests": requests } }] });
    all.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    serde_json::from_value(json!({ "metadata": { "labels": { "app": app } }, "spec": all })).unwrap()
}

fn cluster(nodes: &[(&str, &str, i64)]) -> ClusterState {
    let mut state = ClusterState::new(Profile::default()).unwrap();
    for (name, zone, cpu) in nodes {
        state.add_node(&node(name, zone, *cpu));
    }
    state
}

fn request(pod: u32, template: TemplateId) -> Request {
    Request { pod: PodId(pod), template, priority: 0, nominated: None }
}

fn first(_: u64) -> u64 {
    0
}

#[test]
fn zones_take_turns() {
    let mut state = cluster(&[("a1", "a", 1), ("a2", "a", 1), ("a3", "a", 1), ("b1", "b", 1)]);
    let order = state.scan_order().to_vec();
    let names: Vec<_> = order.iter().map(|&node| state.node_name(node)).collect();
    assert_eq!(names, ["a1", "b1", "a2", "a3"]);
    let gone = state.node_by_name("a1").unwrap();
    state.remove_node(gone);
    state.add_node(&node("c1", "c", 1));
    let order = state.scan_order().to_vec();
    let names: Vec<_> = order.iter().map(|&node| state.node_name(node)).collect();
    assert_eq!(names, ["a2", "b1", "c1", "a3"]);
}

#[test]
fn the_next_scan_starts_where_the_last_stopped() {
    let names: Vec<_> = (0..150).map(|index| format!("n{index}")).collect();
    let mut state = cluster(&names.iter().map(|name| (name.as_str(), "z", 4)).collect::<Vec<_>>());
    let template = state.intern(&pod("x", 1, &json!({}))).unwrap();
    let mut scheduler = Scheduler::default();
    // 150 nodes: 49 per cent would be 73, but at least 100 are looked for. With all scores equal the first scanned wins.
    for want in ["n0", "n100", "n50", "n0"] {
        let placement = scheduler.schedule(&mut state, &request(0, template), &mut first).unwrap();
        assert_eq!((state.node_name(placement.node), placement.feasible), (want, 100));
    }
}

#[test]
fn a_refusal_names_every_reason() {
    let mut state = cluster(&[("small", "z", 1), ("cordoned", "z", 8), ("full", "z", 4)]);
    let mut cordoned = node("cordoned", "z", 8);
    cordoned.spec.unschedulable = true;
    let (cordoned_id, full) = (state.node_by_name("cordoned").unwrap(), state.node_by_name("full").unwrap());
    state.update_node(cordoned_id, &cordoned);
    let template = state.intern(&pod("x", 3, &json!({}))).unwrap();
    state.assign(PodId(9), template, full, PodDetails::default());
    let error = Scheduler::default().schedule(&mut state, &request(0, template), &mut first).unwrap_err();
    let text = "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.";
    assert_eq!(error.message(""), text);
    let unresolvable: Vec<_> =
        error.nodes.iter().map(|(node, why)| (state.node_name(*node), why.unresolvable)).collect();
    assert_eq!(unresolvable, [("small", true), ("cordoned", true), ("full", false)]);
    assert_eq!(error.plugins(), [Plugin::NodeUnschedulable, Plugin::NodeResourcesFit].into_iter().collect());
}

#[test]
fn a_promised_node_is_tried_first_and_kept_free_for_its_pod() {
    let mut state = cluster(&[("one", "z", 4), ("two", "z", 4)]);
    let template = state.intern(&pod("x", 3, &json!({}))).unwrap();
    let two = state.node_by_name("two").unwrap();
    let mut scheduler = Scheduler::default();
    state.nominate(two, Nomination { pod: PodId(1), template, priority: 5 });
    let promised = Request { nominated: Some(two), priority: 5, ..request(1, template) };
    assert_eq!(scheduler.schedule(&mut state, &promised, &mut first).unwrap().node, two);
    let lower = scheduler.schedule(&mut state, &request(2, template), &mut first).unwrap();
    assert_eq!((state.node_name(lower.node), lower.feasible), ("one", 1));
    let higher = Request { priority: 6, ..request(3, template) };
    assert_eq!(scheduler.schedule(&mut state, &higher, &mut first).unwrap().feasible, 2);
    assert!(state.pod(PodId(1)).is_none(), "the promise was only tried out");
}

#[test]
fn versions_differ_in_balance_and_ties() {
    let place = |version, draw: u64| {
        let mut state = ClusterState::new(Profile { version, ..Profile::default() }).unwrap();
        for name in ["one", "two", "three"] {
            state.add_node(&node(name, "z", 8));
        }
        let template = state.intern(&pod("x", 1, &json!({}))).unwrap();
        let placement =
            Scheduler::default().schedule(&mut state, &request(0, template), &mut |_| draw).unwrap();
        state.node_name(placement.node).to_owned()
    };
    assert_eq!(place(Version::V1_34, 0), "three");
    assert_eq!(place(Version::V1_34, 1), "one");
    assert_eq!(place(Version::V1_35, 0), "one");
}

/// Templates with every kind of count: spread, affinity both ways, and none.
fn templates(state: &mut ClusterState) -> Vec<TemplateId> {
    let term = json!({ "topologyKey": ZONE_LABEL, "labelSelector": { "matchLabels": { "app": "a" } } });
    let spread = json!({ "maxSkew": 1, "topologyKey": ZONE_LABEL, "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": { "matchLabels": { "app": "b" } } });
    let soft = json!({ "maxSkew": 1, "topologyKey": HOSTNAME_LABEL, "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": { "matchLabels": { "app": "b" } } });
    let preferred = json!([{ "weight": 7, "podAffinityTerm": term }]);
    let specs = [
        ("a", json!({})),
        ("b", json!({ "topologySpreadConstraints": [spread, soft] })),
        (
            "c",
            json!({ "affinity": { "podAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": preferred } } }),
        ),
        (
            "d",
            json!({ "affinity": { "podAntiAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": [term] } } }),
        ),
    ];
    specs.into_iter().map(|(app, spec)| state.intern(&pod(app, 1, &spec)).unwrap()).collect()
}

proptest! {
    /// Whatever happened before, a state decides like one that was built afresh with the same pods.
    #[test]
    fn history_leaves_no_trace(steps in prop::collection::vec((0_u32..12, 0_usize..4, 0_usize..4), 1..60)) {
        let nodes = [("n0", "a", 16), ("n1", "b", 16), ("n2", "a", 16), ("n3", "c", 16)];
        let mut state = cluster(&nodes);
        let mut ids = Vec::new();
        let mut scheduler = Scheduler::default();
        for (index, (number, template, place)) in steps.into_iter().enumerate() {
            if index == 5 {
                // Late, so that counters have to count what is there.
                ids = templates(&mut state);
            }
            let plain = state.intern(&pod("a", 2, &json!({}))).unwrap();
            let target = state.node_by_name(nodes[place].0).unwrap();
            if state.unassign(PodId(number)).is_none() {
                let template = ids.get(template).copied().unwrap_or(plain);
                state.assign(PodId(number), template, target, PodDetails::default());
            }
            let moved = ["a", "b", "c"][place % 3];
            state.update_node(target, &node(nodes[place].0, moved, 16));
            let mut rebuilt = state.clone();
            rebuilt.rebuild_counts();
            for &template in &ids {
                let mut fresh = scheduler.clone();
                let want = fresh.schedule(&mut rebuilt, &request(99, template), &mut first);
                prop_assert_eq!(scheduler.clone().schedule(&mut state, &request(99, template), &mut first), want);
                let nodes = state.scan_order().to_vec();
                let want = fresh.score(&mut rebuilt, template, &nodes);
                prop_assert_eq!(scheduler.score(&mut state, template, &nodes), want);
            }
        }
    }
}
