//! Builds a cluster from a table row and compares verdicts.

use crate::table::Case;
use serde::de::DeserializeOwned;
use serde_json::Value;
use simulator::kube::{LabelSelector, Namespace, Node, Pod};
use simulator::scheduler::plugins::default_selector::{Owners, default_selector};
use simulator::scheduler::{
    ClusterState, DefaultSpread, Features, InvalidPod, NodeId, PodDetails, PodId, Profile, Rejection,
    Template, TemplateId,
};
use std::sync::Arc;

/// A cluster with a pod that is to be placed.
pub(super) struct Cluster {
    pub(super) state: ClusterState,
    pub(super) nodes: Vec<NodeId>,
    pub(super) incoming: TemplateId,
}

/// Whether the incoming pod is compiled before or after the pods that exist; the result must not depend on it.
pub(super) const ORDERS: [bool; 2] = [true, false];

pub(super) fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("cannot read {value}: {error}"))
}

/// A missing list is empty.
pub(super) fn read_list<T: DeserializeOwned>(value: &Value) -> Vec<T> {
    value.as_array().map_or_else(Vec::new, |list| list.iter().map(read).collect())
}

/// Switches that the row does not name are off.
pub(super) fn features(input: &Value) -> Features {
    let on = |name: &str| input["features"][name].as_bool().unwrap_or(false);
    Features {
        pod_level_resources: on("PodLevelResources"),
        in_place_resize: on("InPlacePodVerticalScaling"),
        sidecar_containers: on("SidecarContainers"),
        spread_node_inclusion_policy: on("NodeInclusionPolicyInPodTopologySpread"),
        spread_match_label_keys: on("MatchLabelKeysInPodTopologySpread"),
        toleration_comparison: on("TaintTolerationComparisonOperators"),
        opportunistic_batching: on("OpportunisticBatching"),
    }
}

/// A profile with the row's switches; plugin arguments are the caller's.
pub(super) fn profile(input: &Value) -> Profile {
    Profile {
        features: features(input),
        default_spread: DefaultSpread::List(Vec::new()),
        ..Profile::default()
    }
}

impl Cluster {
    /// Nodes, namespaces and existing pods of the row, and its incoming pod.
    pub(super) fn new(case: &Case, profile: Profile, incoming_first: bool) -> Result<Self, InvalidPod> {
        let input = &case.input;
        let mut state = ClusterState::new(profile).expect("the row's added affinity is valid");
        for namespace in read_list::<Namespace>(&input["namespaces"]) {
            state.set_namespace(&namespace);
        }
        let nodes: Vec<_> =
            read_list::<Node>(&input["nodes"]).iter().map(|node| state.add_node(node)).collect();
        let pod: Pod = read(&input["pod"]);
        let selector = selector_of(&pod, input);
        if incoming_first {
            state.intern_selected(&pod, &selector)?;
        }
        let places = input["existingPodNode"].as_array().cloned().unwrap_or_default();
        for (index, (existing, place)) in
            read_list::<Pod>(&input["existingPods"]).iter().zip(places).enumerate()
        {
            if let Some(place) = place.as_u64() {
                add_pod(&mut state, PodId(index as u32), existing, nodes[place as usize])?;
            }
        }
        let incoming = state.intern_selected(&pod, &selector)?;
        Ok(Self { state, nodes, incoming })
    }

    pub(super) fn template(&self) -> Arc<Template> {
        Arc::clone(self.state.template(self.incoming))
    }
}

pub(super) fn add_pod(
    state: &mut ClusterState,
    id: PodId,
    pod: &Pod,
    node: NodeId,
) -> Result<(), InvalidPod> {
    let template = state.intern(pod)?;
    let terminating = pod.metadata.deletion_timestamp.is_some();
    state.assign(
        id,
        template,
        node,
        PodDetails { priority: pod.priority(), terminating, ..Default::default() },
    );
    Ok(())
}

/// The selector that services and owner of the row give the pod.
fn selector_of(pod: &Pod, input: &Value) -> LabelSelector {
    let objects = input["objects"].as_array().cloned().unwrap_or_default();
    let of_kind = |kind: &str| -> Vec<Value> {
        objects.iter().filter(|object| object["kind"] == kind).cloned().collect()
    };
    let services: Vec<_> = of_kind("Service").iter().map(read).collect();
    let replica_sets: Vec<_> = of_kind("ReplicaSet").iter().map(read).collect();
    assert_eq!(services.len() + replica_sets.len(), objects.len(), "the row has objects of other kinds");
    let owners = Owners { services: &services, replica_sets: &replica_sets, ..Default::default() };
    default_selector(pod, owners)
}

/// Compares a verdict with `{"code", "reasons"}`; reasons are compared when upstream asserts them.
pub(super) fn compare_verdict(
    want: &Value,
    got: Result<(), Rejection>,
    others: &[&str],
) -> Result<(), String> {
    let code = match got {
        Ok(()) => "Success",
        Err(rejection) if rejection.unresolvable => "UnschedulableAndUnresolvable",
        Err(_) => "Unschedulable",
    };
    if want["code"] != code {
        return Err(format!("{}: want {}, got {code}", want["node"], want["code"]));
    }
    let reasons = got.err().map_or_else(Vec::new, |rejection| rejection.reason.texts(others));
    match want["reasons"].as_array() {
        Some(wanted) if *wanted != reasons => {
            Err(format!("{}: want {wanted:?}, got {reasons:?}", want["node"]))
        }
        _ => Ok(()),
    }
}

/// Compares verdicts of all nodes in order.
pub(super) fn compare_verdicts(
    want: &Value,
    nodes: &[NodeId],
    mut filter: impl FnMut(NodeId) -> Result<(), Rejection>,
    others: &[&str],
) -> Result<(), String> {
    let wanted = want.as_array().expect("a verdict for each node");
    assert_eq!(wanted.len(), nodes.len(), "a verdict for each node");
    for (want, &node) in wanted.iter().zip(nodes) {
        compare_verdict(want, filter(node), others)?;
    }
    Ok(())
}

/// Compares scores by node name.
pub(super) fn compare_scores(
    want: &Value,
    state: &ClusterState,
    nodes: &[NodeId],
    scores: &[i64],
) -> Result<(), String> {
    let got: Vec<_> =
        nodes.iter().zip(scores).map(|(&node, &score)| (state.node_name(node), score)).collect();
    let want: Vec<_> = want
        .as_array()
        .expect("a list of scores")
        .iter()
        .map(|one| (one["node"].as_str().expect("a node"), one["score"].as_i64().expect("a score")))
        .collect();
    equal("scores", &want, &got)
}

pub(super) fn equal<T: PartialEq + std::fmt::Debug>(what: &str, want: &T, got: &T) -> Result<(), String> {
    if want == got { Ok(()) } else { Err(format!("{what}: want {want:?}, got {got:?}")) }
}

/// Runs a check with both orders of compilation.
pub(super) fn in_both_orders(check: impl Fn(bool) -> Result<(), String>) -> Result<(), String> {
    ORDERS
        .into_iter()
        .try_for_each(|order| check(order).map_err(|why| format!("incoming first {order}: {why}")))
}
