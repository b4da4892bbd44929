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
    wanted_nodes: Option<WantedNodes>,
    node_selector: Option<&'a BTreeMap<String, String>>,
    host_ports: Option<BTreeSet<i32>>,
    requests: Option<Amounts>,
    labels: Option<&'a LabelSet>,
    images: Option<BTreeSet<String>>,
}

/// Expressions and fields, each in an order that does not depend on how they were written.
type NodeTerms = [Vec<NodeSelectorRequirement>; 2];

/// Required terms, and preferred ones with their weights.
type WantedNodes = (Vec<NodeTerms>, Vec<(i32, NodeTerms)>);

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
            wanted_nodes: for_affinity.then(|| node_affinity(spec)).flatten(),
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

fn node_affinity(spec: &PodSpec) -> Option<WantedNodes> {
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
        for requirement in &mut sorted {
            requirement.values.sort();
        }
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

    fn with(key: &str, value: &Value) -> Value {
        json!({ "spec": { key: value } })
    }

    fn label(value: &str) -> Value {
        json!({ "metadata": { "labels": { "app": value } } })
    }

    fn tolerating(keys: &[&str]) -> Value {
        let all: Vec<_> = keys.iter().map(|key| json!({ "key": key, "operator": "Exists" })).collect();
        with("tolerations", &json!(all))
    }

    /// Containers with image, CPU and host port.
    fn running(containers: &[(&str, &str, i32, &str)]) -> Value {
        let one = |(image, cpu, port, protocol): &(&str, &str, i32, &str)| {
            json!({ "name": image, "image": image, "resources": { "requests": { "cpu": cpu } },
                "ports": [{ "hostPort": port, "protocol": protocol }] })
        };
        with("containers", &containers.iter().map(one).collect())
    }

    fn on_nodes(values: &[&str]) -> Value {
        let requirements = json!([{ "key": "a", "operator": "In", "values": values },
            { "key": "b", "operator": "Exists" }]);
        let required = json!({ "nodeSelectorTerms": [{ "matchExpressions": requirements }] });
        with(
            "affinity",
            &json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": required } }),
        )
    }

    #[test]
    fn a_signature_holds_what_plugins_look_at() {
        let none = || json!({});
        let check = |story: &str, one: Value, other: Value, want: bool| {
            assert_eq!(compare(&profile(), &one, &other), want, "{story}");
        };
        check("the namespace", json!({ "metadata": { "namespace": "other" } }), none(), true);
        check("priority", with("priority", &json!(5)), none(), true);
        check("labels", label("one"), label("two"), false);
        check("the scheduler", with("schedulerName", &json!("other")), none(), false);
        check("the node selector", with("nodeSelector", &json!({ "tier": "a" })), none(), false);
        check("tolerations", tolerating(&["a"]), none(), false);
        check("the order of tolerations", tolerating(&["a", "b"]), tolerating(&["b", "a"]), true);
        check("node affinity", on_nodes(&["x"]), on_nodes(&["y"]), false);
        check("the order of values", on_nodes(&["x", "y"]), on_nodes(&["y", "x"]), true);
        let base = || running(&[("a", "1", 80, "TCP")]);
        check("requests", base(), running(&[("a", "2", 80, "TCP")]), false);
        check("images", base(), running(&[("b", "1", 80, "TCP")]), false);
        check("host ports", base(), running(&[("a", "1", 81, "TCP")]), false);
        check("protocols of host ports", base(), running(&[("a", "1", 80, "UDP")]), true);
        let divided = [
            [("a", "1", 0, "TCP"), ("b", "2", 0, "TCP")],
            [("b", "1500m", 0, "TCP"), ("a", "1500m", 0, "TCP")],
        ];
        check("how requests are divided", running(&divided[0]), running(&divided[1]), true);
    }

    #[test]
    fn what_no_plugin_reads_does_not_matter() {
        let blind = Profile { ignore_preferred_terms_of_existing_pods: true, ..profile() };
        assert!(compare(&blind, &label("one"), &label("two")));
        let filters = profile().filters.without(Plugin::TaintToleration).without(Plugin::NodeUnschedulable);
        let untainted = Profile { filters, weights: Vec::new(), ..profile() };
        assert!(compare(&untainted, &tolerating(&["a"]), &json!({})));
        assert!(!compare(&untainted, &label("one"), &label("two")));
    }
}
