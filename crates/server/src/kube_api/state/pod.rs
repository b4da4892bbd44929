//! Pods and their containers. What has no node yet has no containers, as upstream.

use super::super::kinds::Resource;
use super::super::render::pod::{COMPLETED, CREATING};
use super::super::thing::{ContainerState, Facts, PodFacts, Thing};
use super::{Samples, StateFamily, family, word};
use simulator::kube::{Container, PodSpec};
use std::collections::BTreeSet;

const PODS: Resource = Resource::Pods;

pub(super) const FAMILIES: &[StateFamily] = &[
    family(PODS, "kube_pod_info", "A pod, where it is and who made it; always 1.", info),
    family(PODS, "kube_pod_owner", "Who owns a pod; always 1.", |thing, samples| samples.owner(thing)),
    family(PODS, "kube_pod_status_phase", "The phase of a pod.", phase),
    family(PODS, "kube_pod_status_ready", "Whether a pod that has a node is ready.", |thing, samples| {
        if let Some(facts) = placed(thing) {
            samples.condition(&[], "condition", word(facts.is_ready()));
        }
    }),
    family(PODS, "kube_pod_status_scheduled", "Whether a pod has a node.", |thing, samples| {
        samples.condition(&[], "condition", word(placed(thing).is_some()));
    }),
    family(
        PODS,
        "kube_pod_status_unschedulable",
        "A pod that has no node yet; always 1.",
        |thing, samples| {
            if placed(thing).is_none() {
                samples.mark(&[]);
            }
        },
    ),
    family(PODS, "kube_pod_container_resource_requests", "What a container requests.", |thing, samples| {
        amounts(thing, samples, |container| &container.resources.requests);
    }),
    family(PODS, "kube_pod_container_resource_limits", "What a container may use.", |thing, samples| {
        amounts(thing, samples, |container| &container.resources.limits);
    }),
    family(PODS, "kube_pod_container_status_ready", "Whether a container is ready.", |thing, samples| {
        containers(thing, samples, PodFacts::is_ready);
    }),
    family(PODS, "kube_pod_container_status_running", "Whether a container runs.", |thing, samples| {
        containers(thing, samples, |facts| facts.state() == ContainerState::Running);
    }),
    family(PODS, "kube_pod_container_status_waiting", "Whether a container waits.", |thing, samples| {
        containers(thing, samples, |facts| facts.state() == ContainerState::Waiting);
    }),
    family(
        PODS,
        "kube_pod_container_status_waiting_reason",
        "Why a container waits; always 1.",
        |thing, samples| reasons(thing, samples, ContainerState::Waiting, CREATING),
    ),
    family(
        PODS,
        "kube_pod_container_status_terminated",
        "Whether a container has ended.",
        |thing, samples| {
            containers(thing, samples, |facts| facts.state() == ContainerState::Terminated);
        },
    ),
    family(
        PODS,
        "kube_pod_container_status_terminated_reason",
        "Why a container has ended; always 1.",
        |thing, samples| reasons(thing, samples, ContainerState::Terminated, COMPLETED),
    ),
    family(
        PODS,
        "kube_pod_container_status_restarts_total",
        "How often a container was started again. Simulated ones never are.",
        |thing, samples| containers(thing, samples, |_| false),
    ),
];

fn pod(thing: &Thing) -> Option<&PodFacts> {
    if let Facts::Pod(facts) = &thing.facts { Some(facts) } else { None }
}

/// A pod that has a node.
fn placed(thing: &Thing) -> Option<&PodFacts> {
    pod(thing).filter(|facts| facts.pod.placed_at.is_some())
}

fn spec(facts: &PodFacts) -> &PodSpec {
    &facts.pod.template.0.pod.spec
}

/// Containers, the first of each name: two of one name would be one series with two values.
fn named(spec: &PodSpec) -> impl Iterator<Item = &Container> {
    let mut seen = BTreeSet::new();
    spec.containers.iter().filter(move |container| seen.insert(container.name.as_str()))
}

fn node_of(facts: &PodFacts) -> &str {
    facts.pod.node.as_ref().map_or("", |node| node.as_str())
}

fn info(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(facts) = pod(thing) else { return };
    let owner = thing.owner.as_ref();
    samples.mark(&[
        ("host_ip", ""),
        ("pod_ip", ""),
        ("node", node_of(facts)),
        ("created_by_kind", owner.map_or("", |owner| owner.resource.about().kind)),
        ("created_by_name", owner.map_or("", |owner| owner.name.as_str())),
        ("priority_class", ""),
        ("host_network", word(spec(facts).host_network)),
    ]);
}

fn phase(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(facts) = pod(thing) else { return };
    let all = ["Pending", "Succeeded", "Failed", "Unknown", "Running"];
    samples.one_of(&[], "phase", &all, facts.phase());
}

fn amounts(
    thing: &Thing,
    samples: &mut Samples<'_, '_>,
    of: fn(&Container) -> &simulator::kube::ResourceList,
) {
    let Some(facts) = pod(thing) else { return };
    for container in named(spec(facts)) {
        samples.amounts(&[("container", &container.name), ("node", node_of(facts))], of(container));
    }
}

fn containers(thing: &Thing, samples: &mut Samples<'_, '_>, holds: fn(&PodFacts) -> bool) {
    let Some(facts) = placed(thing) else { return };
    for container in named(spec(facts)) {
        samples.add(&[("container", &container.name)], f64::from(u8::from(holds(facts))));
    }
}

fn reasons(thing: &Thing, samples: &mut Samples<'_, '_>, state: ContainerState, reason: &str) {
    let Some(facts) = placed(thing).filter(|facts| facts.state() == state) else { return };
    for container in named(spec(facts)) {
        samples.mark(&[("container", &container.name), ("reason", reason)]);
    }
}
