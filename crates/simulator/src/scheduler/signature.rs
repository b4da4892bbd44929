//! Which pods are alike for all plugins in use, as upstream signs them for opportunistic batching.
//!
//! Upstream leaves out what no plugin signs, and so does this: the namespace, the protocol and address of a host port, how
//! requests are divided among containers. Volumes, claims and declared features are not modelled.

use super::plugins::image_locality::normalized_name;
use super::profile::Profile;
use super::requests::{RequestOptions, pod_requests};
use super::state::is_other_resource;
use super::status::Plugin;
use super::template::Template;
use crate::kube::{
    CPU, Container, EPHEMERAL_STORAGE, LabelSet, MEMORY, NodeSelectorRequirement, NodeSelectorTerm, Pod,
    PodSpec, Toleration,
};
use std::collections::{BTreeMap, BTreeSet};

/// False for pods whose place depends on where other pods are: they can be compared with no other pod.
pub(super) fn can_sign(profile: &Profile, template: &Template) -> bool {
    let spec = template.source.spec();
    let affinity = spec.affinity.as_ref();
    let minds_pods =
        affinity.is_some_and(|one| one.pod_affinity.is_some() || one.pod_anti_affinity.is_some());
    let minds_spread = !spec.topology_spread_constraints.is_empty();
    !(minds_pods && profile.uses(Plugin::InterPodAffinity)
        || minds_spread && profile.uses(Plugin::PodTopologySpread))
}

/// Whether two pods that can be signed have the same signature.
pub(super) fn are_alike(profile: &Profile, one: &Template, other: &Template) -> bool {
    Signature::new(profile, one) == Signature::new(profile, other)
}

/// Each part stands for a field upstream signs; it is missing when no plugin in use signs it.
#[derive(PartialEq, Eq)]
struct Signature<'a> {
    scheduler: &'a str,
    tolerations: Option<Vec<&'a Toleration>>,
    node_name: Option<&'a str>,
    required_and_preferred_nodes: Option<Option<(Vec<NodeTerms>, Vec<(i32, NodeTerms)>)>>,
    node_selector: Option<&'a BTreeMap<String, String>>,
    host_ports: Option<BTreeSet<i32>>,
    requests: Option<Amounts>,
    labels: Option<&'a LabelSet>,
    images: Option<BTreeSet<String>>,
}

/// Expressions and fields, each in an order that does not depend on how they were written.
type NodeTerms = [Vec<NodeSelectorRequirement>; 2];

/// CPU, memory, ephemeral storage, and others by name. An amount of zero is not the same as none among the others.
type Amounts = ([i64; 3], Vec<(String, i64)>);

impl<'a> Signature<'a> {
    fn new(profile: &Profile, template: &'a Template) -> Self {
        let uses = |plugins: &[Plugin]| plugins.iter().any(|plugin| profile.uses(*plugin));
        let spec = template.source.spec();
        let for_affinity = uses(&[Plugin::NodeAffinity]);
        let for_taints = uses(&[Plugin::TaintToleration, Plugin::NodeUnschedulable]);
        let for_resources = uses(&[Plugin::NodeResourcesFit, Plugin::NodeResourcesBalancedAllocation]);
        let labels_count =
            uses(&[Plugin::InterPodAffinity]) && !profile.ignore_preferred_terms_of_existing_pods;
        Self {
            scheduler: &spec.scheduler_name,
            tolerations: for_taints.then(|| tolerations(spec)),
            node_name: uses(&[Plugin::NodeName]).then_some(spec.node_name.as_str()),
            required_and_preferred_nodes: for_affinity.then(|| node_affinity(spec)),
            node_selector: for_affinity.then_some(&spec.node_selector),
            host_ports: uses(&[Plugin::NodePorts]).then(|| host_ports(spec)),
            requests: for_resources.then(|| amounts(profile, spec)),
            labels: labels_count.then(|| template.source.labels()),
            images: uses(&[Plugin::ImageLocality]).then(|| images(spec)),
        }
    }
}

fn containers(spec: &PodSpec) -> impl Iterator<Item = &Container> {
    spec.containers.iter().chain(&spec.init_containers)
}

fn tolerations(spec: &PodSpec) -> Vec<&Toleration> {
    let mut sorted: Vec<&Toleration> = spec.tolerations.iter().collect();
    sorted.sort_by(|one, other| (&one.key, &one.value).cmp(&(&other.key, &other.value)));
    sorted
}

fn host_ports(spec: &PodSpec) -> BTreeSet<i32> {
    let ports = containers(spec).flat_map(|container| &container.ports);
    ports.map(|port| port.host_port).filter(|port| *port != 0).collect()
}

fn images(spec: &PodSpec) -> BTreeSet<String> {
    containers(spec).map(|container| normalized_name(&container.image)).collect()
}

fn node_affinity(spec: &PodSpec) -> Option<(Vec<NodeTerms>, Vec<(i32, NodeTerms)>)> {
    let affinity = spec.affinity.as_ref()?.node_affinity.as_ref()?;
    let required = affinity.required.iter().flat_map(|selector| &selector.node_selector_terms);
    let mut required: Vec<NodeTerms> = required.map(node_terms).collect();
    required.sort();
    let preferred = affinity.preferred.iter().map(|one| (one.weight, node_terms(&one.preference)));
    let mut preferred: Vec<(i32, NodeTerms)> = preferred.collect();
    preferred.sort();
    Some((required, preferred))
}

fn node_terms(term: &NodeSelectorTerm) -> NodeTerms {
    [&term.match_expressions, &term.match_fields].map(|requirements| {
        let mut sorted = requirements.clone();
        sorted.iter_mut().for_each(|requirement| requirement.values.sort());
        sorted.sort();
        sorted
    })
}

fn amounts(profile: &Profile, spec: &PodSpec) -> Amounts {
    let pod = Pod { spec: spec.clone(), ..Pod::default() };
    let skip_pod_level = !profile.features.pod_level_resources;
    let list = pod_requests(&pod, &RequestOptions { skip_pod_level, ..RequestOptions::default() });
    let built_in = [CPU, MEMORY, EPHEMERAL_STORAGE].map(|name| list.get(name).unwrap_or(0));
    let others = list.0.into_iter().filter(|(name, _)| is_other_resource(name));
    (built_in, others.collect())
}

#[cfg(test)]
mod tests {
    use super::super::{ClusterState, DefaultSpread};
    use super::*;
    use serde_json::{Value, json};

    fn profile() -> Profile {
        Profile { default_spread: DefaultSpread::List(Vec::new()), ..Profile::default() }
    }

    fn pod(changes: &Value) -> Pod {
        let mut pod = json!({
            "metadata": { "namespace": "default", "labels": { "app": "web" } },
            "spec": { "containers": [{ "name": "main", "image": "web",
                "resources": { "requests": { "cpu": "1", "memory": "1Gi" } } }] },
        });
        for part in ["metadata", "spec"] {
            let changed = changes.get(part).and_then(Value::as_object).cloned().unwrap_or_default();
            pod[part].as_object_mut().unwrap().extend(changed);
        }
        serde_json::from_value(pod).unwrap()
    }

    fn compare(profile: &Profile, one: &Value, other: &Value) -> bool {
        let mut state = ClusterState::new(profile.clone()).unwrap();
        let [one, other] = [one, other].map(|changes| state.intern(&pod(changes)).unwrap());
        are_alike(profile, state.template(one), state.template(other))
    }

    fn container(image: &str, cpu: &str, ports: &Value) -> Value {
        json!({ "name": image, "image": image, "ports": ports,
            "resources": { "requests": { "cpu": cpu, "memory": "512Mi" } } })
    }

    #[test]
    fn a_signature_holds_what_plugins_look_at() {
        let none = json!({});
        let with = |key: &str, value: Value| json!({ "spec": { key: value } });
        let containers = |all: Value| with("containers", all);
        let label = |value: &str| json!({ "metadata": { "labels": { "app": value } } });
        let toleration = |key: &str| json!({ "key": key, "operator": "Exists" });
        let port = |port: i32, protocol: &str| json!([{ "hostPort": port, "protocol": protocol }]);
        let node = |values: Value| {
            let term = json!({ "matchExpressions": [{ "key": "a", "operator": "In", "values": values },
                { "key": "b", "operator": "Exists" }] });
            let required = json!({ "nodeSelectorTerms": [term] });
            with(
                "affinity",
                json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": required } }),
            )
        };
        let rows = [
            ("the namespace", json!({ "metadata": { "namespace": "other" } }), none.clone(), true),
            ("priority", with("priority", json!(5)), none.clone(), true),
            ("labels", label("one"), label("two"), false),
            ("the scheduler", with("schedulerName", json!("other")), none.clone(), false),
            ("the node selector", with("nodeSelector", json!({ "tier": "a" })), none.clone(), false),
            ("tolerations", with("tolerations", json!([toleration("a")])), none.clone(), false),
            (
                "the order of tolerations",
                with("tolerations", json!([toleration("a"), toleration("b")])),
                with("tolerations", json!([toleration("b"), toleration("a")])),
                true,
            ),
            ("node affinity", node(json!(["x"])), node(json!(["y"])), false),
            ("the order of values", node(json!(["x", "y"])), node(json!(["y", "x"])), true),
            (
                "how requests are divided",
                containers(json!([container("a", "1", &none["no"]), container("b", "2", &none["no"])])),
                containers(json!([
                    container("b", "1500m", &none["no"]),
                    container("a", "1500m", &none["no"])
                ])),
                true,
            ),
            (
                "requests",
                containers(json!([container("a", "1", &none["no"])])),
                containers(json!([container("a", "2", &none["no"])])),
                false,
            ),
            (
                "images",
                containers(json!([container("a", "1", &none["no"])])),
                containers(json!([container("b", "1", &none["no"])])),
                false,
            ),
            (
                "host ports",
                containers(json!([container("a", "1", &port(80, "TCP"))])),
                containers(json!([container("a", "1", &port(81, "TCP"))])),
                false,
            ),
            (
                "protocols of host ports",
                containers(json!([container("a", "1", &port(80, "TCP"))])),
                containers(json!([container("a", "1", &port(80, "UDP"))])),
                true,
            ),
        ];
        for (story, one, other, want) in rows {
            assert_eq!(compare(&profile(), &one, &other), want, "{story}");
        }
        // Without the plugin that reads it, a field does not matter.
        let blind = Profile { ignore_preferred_terms_of_existing_pods: true, ..profile() };
        assert!(compare(&blind, &label("one"), &label("two")));
        let untainted = Profile {
            filters: profile().filters.without(Plugin::TaintToleration).without(Plugin::NodeUnschedulable),
            weights: Vec::new(),
            ..profile()
        };
        assert!(compare(&untainted, &with("tolerations", json!([toleration("a")])), &none));
    }
}
