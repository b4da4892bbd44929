//! Each plugin's answer to a change.

use super::facts::{Change, NodeFacts, PodFacts, Waiting};
use crate::scheduler::nodes::ResourceId;
use crate::scheduler::plugins::taint_toleration;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::Plugin;
use crate::scheduler::symbol::{Labels, Symbol};
use crate::scheduler::template::{Requests, Template, TemplateId};

/// Whether `change` may resolve the rejection of `waiting` by `plugin`. Ask only for changes the plugin listens to.
pub fn may_help(plugin: Plugin, state: &ClusterState, waiting: Waiting, change: &Change<'_>) -> bool {
    match *change {
        Change::Node { old, new } => after_node_change(plugin, state, waiting, old, new),
        Change::Pod { old, new } => after_pod_change(plugin, state, waiting, old, new),
    }
}

fn after_node_change(
    plugin: Plugin,
    state: &ClusterState,
    waiting: Waiting,
    old: Option<&NodeFacts>,
    new: Option<&NodeFacts>,
) -> bool {
    let pod = state.template(waiting.template);
    if plugin == Plugin::PodTopologySpread {
        return spread_after_node_change(state, pod, old, new);
    }
    let Some(new) = new else { return false };
    match plugin {
        Plugin::NodeName | Plugin::NodePorts => true,
        Plugin::NodeUnschedulable => !new.is_unschedulable && old.is_none_or(|old| old.is_unschedulable),
        Plugin::TaintToleration => {
            !is_repelled(state, pod, new) && old.is_none_or(|old| is_repelled(state, pod, old))
        }
        Plugin::NodeAffinity => affinity_after_node_change(state, pod, old, new),
        Plugin::NodeResourcesFit => {
            fits_alone(&pod.requests, new) && old.is_none_or(|old| has_grown(&pod.requests, old, new))
        }
        Plugin::InterPodAffinity => pod_affinity_after_node_change(state, pod, old, new),
        _ => false,
    }
}

fn after_pod_change(
    plugin: Plugin,
    state: &ClusterState,
    waiting: Waiting,
    old: Option<PodFacts>,
    new: Option<PodFacts>,
) -> bool {
    let is_itself = new.is_some_and(|new| new.pod == waiting.pod);
    let pod = state.template(waiting.template);
    match plugin {
        Plugin::SchedulingGates | Plugin::TaintToleration => is_itself,
        Plugin::NodeUnschedulable => {
            is_itself && new.is_some_and(|new| state.template(new.template).tolerates_unschedulable)
        }
        Plugin::NodePorts => {
            new.is_none() && old.is_some_and(|old| takes_room(old) && ports_conflict(state, pod, old))
        }
        Plugin::NodeResourcesFit => fit_after_pod_change(state, waiting, old, new),
        Plugin::PodTopologySpread => spread_after_pod_change(state, waiting, old, new),
        Plugin::InterPodAffinity => pod_affinity_after_pod_change(state, pod, old, new),
        _ => false,
    }
}

// Taints

fn is_repelled(state: &ClusterState, pod: &Template, node: &NodeFacts) -> bool {
    let compares = state.profile().features.toleration_comparison;
    taint_toleration::first_untolerated(&node.taints, &pod.tolerations, compares, taint_toleration::is_hard)
        .is_some()
}

// Node affinity

fn affinity_after_node_change(
    state: &ClusterState,
    pod: &Template,
    old: Option<&NodeFacts>,
    new: &NodeFacts,
) -> bool {
    let matches = |node: &NodeFacts| pod.required_nodes.matches(&node.labels, node.name, &state.names);
    let is_enforced_met = state.added_affinity.matches(&new.labels, new.name, &state.names);
    is_enforced_met && matches(new) && old.is_none_or(|old| !matches(old))
}

// Ports and resources

/// A pod on a node, or one a node keeps room for.
fn takes_room(pod: PodFacts) -> bool {
    pod.is_bound || pod.is_nominated
}

fn ports_conflict(state: &ClusterState, pod: &Template, gone: PodFacts) -> bool {
    let freed = &state.template(gone.template).host_ports;
    pod.host_ports.iter().any(|wanted| freed.iter().any(|port| port.conflicts_with(*wanted)))
}

fn fit_after_pod_change(
    state: &ClusterState,
    waiting: Waiting,
    old: Option<PodFacts>,
    new: Option<PodFacts>,
) -> bool {
    match (old, new) {
        (Some(old), None) => takes_room(old),
        (_, Some(_)) if !state.profile().features.in_place_resize => false,
        (_, Some(new)) if new.pod == waiting.pod => true,
        (Some(old), Some(new)) if new.is_bound => {
            let before = &state.template(old.template).occupied;
            let after = &state.template(new.template).occupied;
            let wanted = &state.template(waiting.template).occupied;
            any_wanted(wanted, |resource| amount_of(after, resource) < amount_of(before, resource))
        }
        _ => false,
    }
}

#[derive(Clone, Copy)]
enum Resource {
    Cpu,
    Memory,
    EphemeralStorage,
    Other(ResourceId),
}

fn amount_of(requests: &Requests, resource: Resource) -> i64 {
    match resource {
        Resource::Cpu => requests.cpu,
        Resource::Memory => requests.memory,
        Resource::EphemeralStorage => requests.ephemeral,
        Resource::Other(id) => {
            requests.others.iter().find(|(other, _)| *other == id).map_or(0, |(_, amount)| *amount)
        }
    }
}

fn allocatable(node: &NodeFacts, resource: Resource) -> i64 {
    match resource {
        Resource::Cpu => node.resources.allocatable_cpu,
        Resource::Memory => node.resources.allocatable_memory,
        Resource::EphemeralStorage => node.allocatable_ephemeral,
        Resource::Other(id) => node.others.get(id),
    }
}

/// Whether `holds` for a resource of which `wanted` has some.
fn any_wanted(wanted: &Requests, holds: impl Fn(Resource) -> bool) -> bool {
    let fixed = [Resource::Cpu, Resource::Memory, Resource::EphemeralStorage];
    let others = wanted.others.iter().map(|(id, _)| Resource::Other(*id));
    fixed.into_iter().chain(others).any(|resource| amount_of(wanted, resource) > 0 && holds(resource))
}

/// Whether the empty node is large enough.
fn fits_alone(wanted: &Requests, node: &NodeFacts) -> bool {
    let is_short = |resource| amount_of(wanted, resource) > allocatable(node, resource);
    node.resources.allocatable_pods > 0 && !any_wanted(wanted, is_short)
}

/// Whether the node now has more of something the pod wants, or takes more pods.
pub fn has_grown_for(state: &ClusterState, template: TemplateId, old: &NodeFacts, new: &NodeFacts) -> bool {
    has_grown(&state.template(template).requests, old, new)
}

fn has_grown(wanted: &Requests, old: &NodeFacts, new: &NodeFacts) -> bool {
    new.resources.allocatable_pods > old.resources.allocatable_pods
        || any_wanted(wanted, |resource| allocatable(new, resource) > allocatable(old, resource))
}

// Spreading

fn spread_after_node_change(
    state: &ClusterState,
    pod: &Template,
    old: Option<&NodeFacts>,
    new: Option<&NodeFacts>,
) -> bool {
    let keys: Vec<_> = pod.hard_spread.iter().filter_map(|one| state.topology.label(one.key)).collect();
    let counts = |node: &NodeFacts| keys.iter().all(|key| node.labels.get(*key).is_some());
    match (old, new) {
        (Some(old), Some(new)) => {
            let has_moved = || keys.iter().any(|key| old.labels.get(*key) != new.labels.get(*key));
            counts(old) != counts(new) || (counts(new) && (has_moved() || old.taints != new.taints))
        }
        (old, new) => old.or(new).is_some_and(counts),
    }
}

fn spread_after_pod_change(
    state: &ClusterState,
    waiting: Waiting,
    old: Option<PodFacts>,
    new: Option<PodFacts>,
) -> bool {
    let pod = state.template(waiting.template);
    let is_involved = |other: PodFacts| {
        let has_same_namespace = || state.template(other.template).namespace == pod.namespace;
        other.pod == waiting.pod || (other.is_bound && has_same_namespace())
    };
    if !old.into_iter().chain(new).all(is_involved) {
        return false;
    }
    let labels = |one: PodFacts| &state.template(one.template).labels;
    let (Some(old), Some(new)) = (old, new) else {
        let counts =
            |labels: &Labels| pod.hard_spread.iter().any(|one| one.selector.matches(labels, &state.names));
        return old.or(new).is_some_and(|one| counts(labels(one)));
    };
    let gained_toleration = || {
        let tolerations = |one: PodFacts| &state.template(one.template).tolerations;
        new.pod == waiting.pod && tolerations(old) != tolerations(new)
    };
    if gained_toleration() && pod.hard_spread.iter().any(|one| one.honors_taints) {
        return true;
    }
    let matches =
        |one: PodFacts, index: usize| pod.hard_spread[index].selector.matches(labels(one), &state.names);
    (0..pod.hard_spread.len()).any(|index| matches(old, index) != matches(new, index))
}

// Pod affinity

/// Whether pods of the other's template satisfy all required affinity terms. The counter of the first term counts
/// exactly those, so the answer is whether it counts this template.
fn is_wanted(state: &ClusterState, pod: &Template, other: PodFacts) -> bool {
    let counted_by = &state.templates[other.template.index()].counted_by;
    pod.required_affinity.first().is_some_and(|counter| counted_by.contains(counter))
}

/// Whether the other matches all required anti-affinity terms.
fn is_unwanted(state: &ClusterState, pod: &Template, other: PodFacts) -> bool {
    let counted_by = &state.templates[other.template.index()].counted_by;
    let terms = &pod.required_anti_affinity;
    !terms.is_empty() && terms.iter().all(|counter| counted_by.contains(counter))
}

fn pod_affinity_after_pod_change(
    state: &ClusterState,
    pod: &Template,
    old: Option<PodFacts>,
    new: Option<PodFacts>,
) -> bool {
    if !old.into_iter().chain(new).all(|one| one.is_bound) {
        return false;
    }
    match (old, new) {
        (Some(old), Some(new)) => {
            (!is_wanted(state, pod, old) && is_wanted(state, pod, new))
                || (is_unwanted(state, pod, old) && !is_unwanted(state, pod, new))
        }
        (None, Some(new)) => is_wanted(state, pod, new),
        (Some(old), None) => is_unwanted(state, pod, old),
        (None, None) => false,
    }
}

fn pod_affinity_after_node_change(
    state: &ClusterState,
    pod: &Template,
    old: Option<&NodeFacts>,
    new: &NodeFacts,
) -> bool {
    let key = |counter: &_| state.topology.label(state.counters.get(*counter).key);
    let attracting: Vec<_> = pod.required_affinity.iter().filter_map(key).collect();
    let repelling: Vec<_> = pod.required_anti_affinity.iter().filter_map(key).collect();
    let Some(old) = old else {
        return !repelling.is_empty() || attracting.iter().any(|key| new.labels.get(*key).is_some());
    };
    let has_moved = |key: &Symbol| {
        let (before, after) = (old.labels.get(*key), new.labels.get(*key));
        before.is_some() && after.is_some() && before != after
    };
    let has = |node: &NodeFacts, key: &Symbol| node.labels.get(*key).is_some();
    attracting.iter().any(|key| has_moved(key) || (!has(old, key) && has(new, key)))
        || repelling.iter().any(|key| has_moved(key) || (has(old, key) && !has(new, key)))
}
