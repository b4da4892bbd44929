//! The scheduling cycle as a whole: scan order, where scans start, promises, memory and counters.

use super::*;
use crate::kube;
use model::time::Timestamp;
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
        let placement =
            scheduler.schedule(Timestamp::EPOCH, &mut state, &request(0, template), &mut first).unwrap();
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
    let error = Scheduler::default()
        .schedule(Timestamp::EPOCH, &mut state, &request(0, template), &mut first)
        .unwrap_err();
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
    assert_eq!(scheduler.schedule(Timestamp::EPOCH, &mut state, &promised, &mut first).unwrap().node, two);
    let lower = scheduler.schedule(Timestamp::EPOCH, &mut state, &request(2, template), &mut first).unwrap();
    assert_eq!((state.node_name(lower.node), lower.feasible), ("one", 1));
    let higher = Request { priority: 6, ..request(3, template) };
    assert_eq!(scheduler.schedule(Timestamp::EPOCH, &mut state, &higher, &mut first).unwrap().feasible, 2);
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
        let placement = Scheduler::default()
            .schedule(Timestamp::EPOCH, &mut state, &request(0, template), &mut |_| draw)
            .unwrap();
        state.node_name(placement.node).to_owned()
    };
    assert_eq!(place(Version::V1_34, 0), "three");
    assert_eq!(place(Version::V1_34, 1), "one");
    assert_eq!(place(Version::V1_35, 0), "one");
}

/// Nodes that each take one of three pods; every pod comes `later` milliseconds after the one before.
struct Batched {
    profile: Profile,
    cores: [i64; 4],
    specs: [Value; 3],
    later: u64,
}

impl Batched {
    fn new() -> Self {
        let profile = Profile { default_spread: DefaultSpread::List(Vec::new()), ..Profile::default() };
        Self { profile, cores: [13, 19, 15, 17], specs: [json!({}), json!({}), json!({})], later: 0 }
    }

    /// The nodes they take, and how many were looked at for each.
    fn run(self) -> (String, Vec<usize>) {
        let mut state = ClusterState::new(self.profile).unwrap();
        for (name, cores) in ["a", "b", "c", "d"].into_iter().zip(self.cores) {
            state.add_node(&node(name, "z", cores));
        }
        let mut scheduler = Scheduler::default();
        let (mut names, mut evaluated) = (String::new(), Vec::new());
        for (number, spec) in self.specs.iter().enumerate() {
            let template = state.intern(&pod("x", 10, spec)).unwrap();
            let now = Timestamp(number as u64 * self.later);
            let request = request(number as u32, template);
            let placement = scheduler.schedule(now, &mut state, &request, &mut |_| 1).unwrap();
            state.assign(request.pod, template, placement.node, PodDetails::default());
            names.push_str(state.node_name(placement.node));
            evaluated.push(placement.evaluated);
        }
        (names, evaluated)
    }
}

#[test]
fn pods_that_are_alike_share_a_ranking() {
    let check = |story: &str, batched: Batched, names: &str, evaluated: [usize; 3]| {
        assert_eq!(batched.run(), (names.to_owned(), evaluated.to_vec()), "{story}");
    };
    let plain = Batched::new;
    let with = |change: &dyn Fn(&mut Profile)| {
        let mut batched = plain();
        change(&mut batched.profile);
        batched
    };
    let term =
        json!({ "topologyKey": HOSTNAME_LABEL, "labelSelector": { "matchLabels": { "app": "nobody" } } });
    let near = json!({ "affinity": { "podAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [{ "weight": 1, "podAffinityTerm": term }] } } });
    let spread = json!({ "topologySpreadConstraints":
        [{ "maxSkew": 9, "topologyKey": ZONE_LABEL, "whenUnsatisfiable": "DoNotSchedule" }] });
    let other = json!({ "nodeSelector": { ZONE_LABEL: "z" } });
    check("alike", plain(), "bdc", [4, 1, 1]);
    check("not in 1.34", with(&|profile| profile.version = Version::V1_34), "bdc", [4, 4, 4]);
    check("in 1.36", with(&|profile| profile.version = Version::V1_36), "bdc", [4, 1, 1]);
    check("off", with(&|profile| profile.features.opportunistic_batching = false), "bdc", [4, 4, 4]);
    let system = |profile: &mut Profile| profile.default_spread = DefaultSpread::System;
    check("not with default constraints", with(&system), "bdc", [4, 4, 4]);
    check("soon enough twice", Batched { later: 250, ..plain() }, "bdc", [4, 1, 1]);
    check("soon enough once", Batched { later: 251, ..plain() }, "bdc", [4, 1, 4]);
    check("too late", Batched { later: 501, ..plain() }, "bdc", [4, 4, 4]);
    check("another between", Batched { specs: [json!({}), other, json!({})], ..plain() }, "bdc", [4, 4, 4]);
    for unsigned in [near, spread] {
        let specs = [unsigned.clone(), unsigned.clone(), unsigned];
        check("cannot be signed", Batched { specs, ..plain() }, "bdc", [4, 4, 4]);
    }
    // The rest of a heap does not come out in the order in which a new one of the same nodes would.
    check("ties", Batched { cores: [13, 15, 13, 15], ..plain() }, "bdc", [4, 1, 1]);
    let off = with(&|profile| profile.features.opportunistic_batching = false);
    check("ties anew", Batched { cores: [13, 15, 13, 15], ..off }, "bda", [4, 4, 4]);
    check("room for two", Batched { cores: [13, 40, 13, 13], ..plain() }, "bbb", [4, 4, 4]);
}

#[test]
fn promises_come_before_hints() {
    let mut state = ClusterState::new(Batched::new().profile).unwrap();
    for name in ["a", "b", "c", "d"] {
        state.add_node(&node(name, "z", 4));
    }
    let template = state.intern(&pod("x", 3, &json!({}))).unwrap();
    let mut scheduler = Scheduler::default();
    let mut place = |state: &mut ClusterState, number: u32, nominated: Option<NodeId>| {
        let request =
            Request { nominated, priority: i32::from(nominated.is_some()), ..request(number, template) };
        let placement = scheduler.schedule(Timestamp::EPOCH, state, &request, &mut first).unwrap();
        state.clear_nomination(PodId(number));
        state.assign(PodId(number), template, placement.node, PodDetails::default());
        (state.node_name(placement.node).to_owned(), placement.evaluated)
    };
    assert_eq!(place(&mut state, 0, None), ("a".to_owned(), 4));
    let d = state.node_by_name("d").unwrap();
    state.nominate(d, Nomination { pod: PodId(2), template, priority: 1 });
    // The hint is d, which is kept for somebody else: all nodes are looked at.
    assert_eq!(place(&mut state, 1, None), ("b".to_owned(), 4));
    // The hint is c, but d was promised. It was not taken, so it is no hint for the next.
    assert_eq!(place(&mut state, 2, Some(d)), ("d".to_owned(), 1));
    assert_eq!(place(&mut state, 3, None), ("c".to_owned(), 4));
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
                let want = fresh.schedule(Timestamp::EPOCH, &mut rebuilt, &request(99, template), &mut first);
                prop_assert_eq!(scheduler.clone().schedule(Timestamp::EPOCH, &mut state, &request(99, template), &mut first), want);
                let nodes = state.scan_order().to_vec();
                let want = fresh.score(&mut rebuilt, template, &nodes);
                prop_assert_eq!(scheduler.score(&mut state, template, &nodes), want);
            }
        }
    }
    /// A promise to a pod that ranks below all others changes nothing but keeps the scheduler from the short way.
    #[test]
    fn the_short_way_decides_like_the_long_one(
        version in prop::sample::select(vec![Version::V1_34, Version::V1_35, Version::V1_36]),
        steps in prop::collection::vec((0_u32..8, 0_usize..130, 0_usize..4), 1..120),
    ) {
        let mut short = ClusterState::new(Profile { version, ..Profile::default() }).unwrap();
        for number in 0..130 {
            short.add_node(&node(&format!("n{number}"), ["a", "b", "c"][number % 3], 4 + (number % 5) as i64));
        }
        let tolerant = json!({ "tolerations": [{ "operator": "Exists" }] });
        let specs = [(1, json!({})), (2, json!({})), (3, json!({})), (1, tolerant)];
        let ids = specs.map(|(cpu, spec)| short.intern(&pod("a", cpu, &spec)).unwrap());
        let mut long = short.clone();
        let (mut by_short, mut by_long) = (Scheduler::default(), Scheduler::default());
        for (index, (what, place, template)) in steps.into_iter().enumerate() {
            let present = long.scan_order().to_vec();
            long.nominate(present[0], Nomination { pod: PodId(9_999), template: ids[0], priority: i32::MIN });
            let target = present[place % present.len()];
            for state in [&mut short, &mut long] {
                disturb(state, what, target, ids[template], index);
            }
            for repeat in 0..3 {
                let request = request((index * 3 + repeat) as u32, ids[template]);
                let draw = |bound: u64| (index + repeat) as u64 % bound;
                let placed = by_short.schedule(Timestamp::EPOCH, &mut short, &request, &mut { draw });
                prop_assert_eq!(&placed, &by_long.schedule(Timestamp::EPOCH, &mut long, &request, &mut { draw }));
                for state in [&mut short, &mut long] {
                    if let Ok(placement) = &placed {
                        state.assign(request.pod, request.template, placement.node, PodDetails::default());
                    }
                }
            }
        }
    }
}

/// Pods leave, nodes come, go and change, and now and then more changes at once than anybody looks back to.
fn disturb(state: &mut ClusterState, what: u32, target: NodeId, template: TemplateId, index: usize) {
    let name = state.node_name(target).to_owned();
    let mut changed = node(&name, "a", 6);
    match what {
        0 | 1 => {
            for pod in state.pods_on(target).to_vec() {
                state.unassign(pod);
            }
        }
        2 => {
            changed.spec.unschedulable = true;
            state.update_node(target, &changed);
        }
        3 => {
            changed.spec.taints =
                serde_json::from_value(json!([{ "key": "x", "effect": "NoSchedule" }])).unwrap();
            state.update_node(target, &changed);
        }
        4 => state.update_node(target, &changed),
        5 if state.node_count() > 101 => {
            state.remove_node(target);
        }
        6 => {
            state.add_node(&node(&format!("new{index}"), "b", 8));
        }
        7 => {
            for _ in 0..index * 10 {
                state.assign(PodId(5_000), template, target, PodDetails::default());
                state.unassign(PodId(5_000));
            }
        }
        _ => {}
    }
}
