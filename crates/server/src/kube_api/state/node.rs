//! Nodes and namespaces.

use super::super::kinds::Resource;
use super::super::render::node::{
    KERNEL, OS_IMAGE, PRESSURES, RUNTIME, UNSCHEDULABLE, VERSION, effect, provider,
};
use super::super::thing::{Facts, Thing};
use super::{Samples, StateFamily, as_label, family, word};
use simulator::world::NodeObject;
use std::collections::{BTreeMap, BTreeSet};

const NODES: Resource = Resource::Nodes;

pub(super) const FAMILIES: &[StateFamily] = &[
    family(Resource::Namespaces, "kube_namespace_status_phase", "The phase of a namespace.", |_, samples| {
        samples.one_of(&[], "phase", &["Active", "Terminating"], "Active");
    }),
    family(NODES, "kube_node_info", "A node, what it runs and its pool; always 1.", info),
    family(NODES, "kube_node_labels", "The labels of a node; always 1.", labels),
    family(NODES, "kube_node_role", "A role of a node; always 1.", roles),
    family(NODES, "kube_node_spec_unschedulable", "Whether a node is cordoned.", |thing, samples| {
        samples.count(node(thing).map(|node| u32::from(node.node.spec.unschedulable)));
    }),
    family(NODES, "kube_node_spec_taint", "A taint of a node; always 1.", taints),
    family(NODES, "kube_node_status_condition", "A condition of a node.", conditions),
    family(NODES, "kube_node_status_capacity", "What a node has.", |thing, samples| {
        if let Some(node) = node(thing) {
            samples.amounts(&[], &node.node.status.capacity);
        }
    }),
    family(NODES, "kube_node_status_allocatable", "What workloads can use of a node.", |thing, samples| {
        if let Some(node) = node(thing) {
            samples.amounts(&[], &node.node.status.allocatable);
        }
    }),
];

fn node(thing: &Thing) -> Option<&NodeObject> {
    if let Facts::Node(node) = &thing.facts { Some(node) } else { None }
}

fn info(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(node) = node(thing) else { return };
    samples.mark(&[
        ("pool", node.pool.as_str()),
        ("kernel_version", KERNEL),
        ("os_image", OS_IMAGE),
        ("container_runtime_version", RUNTIME),
        ("kubelet_version", VERSION),
        ("kubeproxy_version", "deprecated"),
        ("provider_id", &provider(node)),
        ("pod_cidr", ""),
        ("system_uuid", ""),
        ("internal_ip", ""),
    ]);
}

fn labels(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let mut named: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (key, value) in &thing.labels {
        named.entry(format!("label_{}", snake_case(&as_label(key)))).or_default().push(value);
    }
    let numbered = numbered(named);
    samples.mark(&numbered.iter().map(|(name, value)| (name.as_str(), *value)).collect::<Vec<_>>());
}

/// Labels that cannot be told apart any more are numbered, past whatever is called like that already.
fn numbered(named: BTreeMap<String, Vec<&str>>) -> BTreeMap<String, &str> {
    let (alone, alike): (Vec<_>, Vec<_>) = named.into_iter().partition(|(_, values)| values.len() == 1);
    let mut all: BTreeMap<String, &str> = alone
        .into_iter()
        .flat_map(|(name, values)| values.into_iter().map(move |value| (name.clone(), value)))
        .collect();
    for (name, values) in alike {
        let mut number = 0;
        for value in values {
            let free = loop {
                number += 1;
                let free = format!("{name}_conflict{number}");
                if !all.contains_key(&free) {
                    break free;
                }
            };
            all.insert(free, value);
        }
    }
    all
}

/// `nodePool` is `node_pool`, and `GPUModel` is `gpumodel`: only a capital behind a small letter begins a word.
fn snake_case(name: &str) -> String {
    let mut written = String::new();
    let mut is_behind_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && is_behind_small {
            written.push('_');
        }
        is_behind_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        written.push(letter.to_ascii_lowercase());
    }
    written
}

fn roles(thing: &Thing, samples: &mut Samples<'_, '_>) {
    for role in thing.labels.keys().filter_map(|label| label.strip_prefix("node-role.kubernetes.io/")) {
        samples.mark(&[("role", role)]);
    }
}

fn taints(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(node) = node(thing) else { return };
    let written = node.node.spec.taints.iter();
    let mut all: BTreeSet<(&str, &str, &str)> =
        written.map(|taint| (taint.key.as_str(), taint.value.as_str(), effect(taint.effect))).collect();
    if node.node.spec.unschedulable {
        all.insert((UNSCHEDULABLE, "", "NoSchedule"));
    }
    for (key, value, effect) in all {
        samples.mark(&[("key", key), ("value", value), ("effect", effect)]);
    }
}

fn conditions(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(node) = node(thing) else { return };
    let said = |holds: bool| if node.ready { word(holds) } else { "unknown" };
    for pressure in PRESSURES {
        samples.condition(&[("condition", pressure)], "status", said(false));
    }
    samples.condition(&[("condition", "Ready")], "status", said(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_called_as_kube_state_metrics_calls_them() {
        let check = |name: &str, expected: &str| assert_eq!(snake_case(&as_label(name)), expected);
        check("nodePool", "node_pool");
        check("example.com/GPUModel", "example_com_gpumodel");
        check("NodeID", "node_id");
        check("v2Beta", "v2_beta");
    }

    #[test]
    fn no_two_labels_are_called_the_same() {
        let named = BTreeMap::from([
            ("label_a_b".to_owned(), vec!["one", "two"]),
            ("label_a_b_conflict1".to_owned(), vec!["three"]),
            ("label_c".to_owned(), vec!["four"]),
        ]);
        let numbered = numbered(named);
        let told: Vec<(&str, &str)> = numbered.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(
            told,
            [
                ("label_a_b_conflict1", "three"),
                ("label_a_b_conflict2", "one"),
                ("label_a_b_conflict3", "two"),
                ("label_c", "four"),
            ]
        );
    }
}
