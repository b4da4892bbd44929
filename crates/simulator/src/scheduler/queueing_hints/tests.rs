//! What upstream's table does not show: kinds of changes, and affinity that the profile enforces.

use super::*;
use crate::kube::{Node, Pod};
use crate::scheduler::{ClusterState, Plugin, PodId, Profile};
use serde_json::{Value, json};

fn state(profile: Profile) -> ClusterState {
    ClusterState::new(profile).expect("a valid profile")
}

fn node(state: &mut ClusterState, node: &Value) -> NodeFacts {
    let node: Node = serde_json::from_value(node.clone()).expect("a valid node");
    let id = state.add_node(&node);
    let facts = state.node_facts(id);
    state.remove_node(id);
    facts
}

fn pod(state: &mut ClusterState, pod: &Value) -> PodFacts {
    let pod: Pod = serde_json::from_value(pod.clone()).expect("a valid pod");
    let template = state.intern(&pod).expect("a valid pod");
    PodFacts { pod: PodId(1), template, is_bound: true, is_nominated: false }
}

#[test]
fn kinds_of_node_updates() {
    let taint = json!([{"key": "a", "effect": "NoSchedule"}]);
    let rows = [
        (json!({}), json!({"metadata": {"annotations": {"a": "b"}}}), Changes::NONE),
        (json!({}), json!({"metadata": {"labels": {"a": "b"}}}), Changes::NODE_LABELS),
        (json!({}), json!({"spec": {"taints": taint}}), Changes::NODE_TAINTS),
        (json!({"spec": {"unschedulable": true}}), json!({}), Changes::NODE_TAINTS),
        (json!({}), json!({"spec": {"unschedulable": true}}), Changes::NONE),
        (json!({}), json!({"status": {"allocatable": {"pods": "5"}}}), Changes::NODE_ALLOCATABLE),
        (json!({"status": {"allocatable": {"example.com/x": "5"}}}), json!({}), Changes::NODE_ALLOCATABLE),
        (
            json!({}),
            json!({"metadata": {"labels": {"a": "b"}}, "spec": {"taints": taint}}),
            Changes::NODE_LABELS | Changes::NODE_TAINTS,
        ),
    ];
    let mut state = state(Profile::default());
    for (old, new, want) in rows {
        let (before, after) = (node(&mut state, &old), node(&mut state, &new));
        let change = Change::Node { old: Some(&before), new: Some(&after) };
        assert_eq!(change.kinds(&state), want, "{old} to {new}");
    }
}

#[test]
fn kinds_of_pod_updates() {
    let asks = |cpu: &str| json!({"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]}});
    let gated = json!({"spec": {"schedulingGates": [{"name": "wait"}]}});
    let rows = [
        (asks("1"), asks("2"), Changes::NONE),
        (asks("2"), asks("1"), Changes::POD_SCALED_DOWN),
        (asks("2"), json!({}), Changes::POD_SCALED_DOWN),
        (gated.clone(), json!({}), Changes::POD_GATES_REMOVED),
        (json!({}), gated, Changes::NONE),
        (json!({}), json!({"metadata": {"labels": {"a": "b"}}}), Changes::POD_LABELS),
        (json!({}), json!({"spec": {"tolerations": [{"operator": "Exists"}]}}), Changes::POD_TOLERATIONS),
    ];
    let mut state = state(Profile::default());
    for (old, new, want) in rows {
        let (before, after) = (pod(&mut state, &old), pod(&mut state, &new));
        let change = Change::Pod { old: Some(before), new: Some(after) };
        assert_eq!(change.kinds(&state), want, "{old} to {new}");
    }
}

#[test]
fn a_node_the_profile_does_not_allow_helps_nobody() {
    let required = json!({"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "disk", "operator": "In", "values": ["fast"]}
    ]}]});
    let affinity = json!({"requiredDuringSchedulingIgnoredDuringExecution": required});
    let added_node_affinity = Some(serde_json::from_value(affinity).expect("a valid affinity"));
    let mut state = state(Profile { added_node_affinity, ..Profile::default() });
    let waiting = pod(&mut state, &json!({"spec": {"nodeSelector": {"zone": "a"}}}));
    let waiting = Waiting { pod: waiting.pod, template: waiting.template };
    let rows = [
        (json!({"zone": "a", "disk": "fast"}), true),
        (json!({"zone": "a", "disk": "slow"}), false),
        (json!({"zone": "b", "disk": "fast"}), false),
    ];
    for (labels, want) in rows {
        let new = node(&mut state, &json!({"metadata": {"labels": labels}}));
        let change = Change::Node { old: None, new: Some(&new) };
        assert_eq!(may_help(Plugin::NodeAffinity, &state, waiting, &change), want, "{labels}");
    }
}
