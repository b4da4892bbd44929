//! Upstream tables for the scheduling queue, its hints and preemption.

use crate::table::{self, Case};
use serde_json::Value;
use simulator::kube::{Namespace, Node, NodeAffinity, Pod, Timestamp};
use simulator::scheduler::queue::AttemptOrder;
use simulator::scheduler::queueing_hints::{Change, NodeFacts, PodFacts, has_grown_for, may_help};
use simulator::scheduler::{ClusterState, Features, Plugin, PodId, Profile};

#[test]
fn order_of_attempts() {
    table::run("queuesort", |_| None, check_order);
}

fn check_order(case: &Case) -> Result<(), String> {
    let order = |which: &str| -> Result<AttemptOrder, String> {
        let entry = &case.input[which];
        let priority = i32::try_from(entry["pod"]["spec"]["priority"].as_i64().unwrap_or_default());
        let since = entry["timestamp"].as_str().map(str::parse::<Timestamp>).transpose();
        let since = since.map_err(|error| error.to_string())?.unwrap_or_default().0;
        Ok(AttemptOrder::new(
            priority.map_err(|error| error.to_string())?,
            model::time::Timestamp(since as u64),
            0,
        ))
    };
    let less = order("p1")? < order("p2")?;
    same("less", &Value::Bool(less), &case.want["less"])
}

#[test]
fn hints() {
    let left_out = |case: &Case| {
        let uses_devices = case.input["features"]["DRAExtendedResource"] == true;
        uses_devices.then_some("devices (dynamic resource allocation) are not simulated")
    };
    table::run("queueing_hints", left_out, check_hint);
}

fn check_hint(case: &Case) -> Result<(), String> {
    if case.want["error"] == true {
        return check_refused(case);
    }
    let mut world = hint_world(case)?;
    let pod: Pod = read_or_default(&case.input["pod"])?;
    let waiting = world.pod(&pod, &pod)?;
    if case.kind == "anyRequestedResourceIncreased" {
        let (old, new) = (world.node(&case.input["old"])?, world.node(&case.input["new"])?);
        let (Some(old), Some(new)) = (old, new) else { return Err("both nodes are needed".to_owned()) };
        let increased = has_grown_for(&world.state, waiting.template, &old, &new);
        return same("increased", &Value::Bool(increased), &case.want["increased"]);
    }
    let plugin = case.input["plugin"].as_str().and_then(Plugin::from_name).ok_or("unknown plugin")?;
    let helps = if case.input["event"] == "node" {
        let (old, new) = (world.node(&case.input["old"])?, world.node(&case.input["new"])?);
        may_help(plugin, &world.state, waiting, &Change::Node { old: old.as_ref(), new: new.as_ref() })
    } else {
        let mut facts = |which: &str| -> Result<Option<PodFacts>, String> {
            let other: Option<Pod> = read(&case.input[which])?;
            other.map(|other| world.pod(&other, &pod)).transpose()
        };
        let (old, new) = (facts("old")?, facts("new")?);
        may_help(plugin, &world.state, waiting, &Change::Pod { old, new })
    };
    same("hint", &Value::from(if helps { "Queue" } else { "QueueSkip" }), &case.want["hint"])
}

/// An object of the wrong type, which upstream answers with an error, does not get past reading here.
fn check_refused(case: &Case) -> Result<(), String> {
    let is_node = case.input["event"] == "node";
    let is_refused = |value: &Value| {
        if is_node { read::<Option<Node>>(value).is_err() } else { read::<Option<Pod>>(value).is_err() }
    };
    let refused = is_refused(&case.input["old"]) || is_refused(&case.input["new"]);
    if refused { Ok(()) } else { Err("an object of the wrong type was read".to_owned()) }
}

struct HintWorld {
    state: ClusterState,
}

fn hint_world(case: &Case) -> Result<HintWorld, String> {
    let switch = |name: &str| case.input["features"][name] == true;
    let features = Features {
        in_place_resize: switch("InPlacePodVerticalScaling"),
        spread_node_inclusion_policy: switch("NodeInclusionPolicyInPodTopologySpread"),
        ..Features::default()
    };
    let added_node_affinity: Option<NodeAffinity> = read(&case.input["args"]["addedAffinity"])?;
    let profile = Profile { features, added_node_affinity, ..Profile::default() };
    let mut state = ClusterState::new(profile).map_err(|error| error.to_string())?;
    for namespace in case.input["namespaces"].as_array().into_iter().flatten() {
        state.set_namespace(&read::<Namespace>(namespace)?);
    }
    Ok(HintWorld { state })
}

impl HintWorld {
    fn node(&mut self, node: &Value) -> Result<Option<NodeFacts>, String> {
        let Some(node) = read::<Option<Node>>(node)? else { return Ok(None) };
        let id = self.state.add_node(&node);
        let facts = self.state.node_facts(id);
        self.state.remove_node(id);
        Ok(Some(facts))
    }

    /// `waiting` tells whether this is the pod that waits or another one.
    fn pod(&mut self, pod: &Pod, waiting: &Pod) -> Result<PodFacts, String> {
        let mut unbound = pod.clone();
        unbound.spec.node_name.clear();
        Ok(PodFacts {
            pod: PodId(u32::from(pod.metadata.uid != waiting.metadata.uid)),
            template: self.state.intern(&unbound).map_err(|error| error.to_string())?,
            is_bound: !pod.spec.node_name.is_empty(),
            is_nominated: !pod.status.nominated_node_name.is_empty(),
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

fn read_or_default<T: serde::de::DeserializeOwned + Default>(value: &Value) -> Result<T, String> {
    Ok(read::<Option<T>>(value)?.unwrap_or_default())
}

fn same(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: got {got}, want {want}")) }
}
