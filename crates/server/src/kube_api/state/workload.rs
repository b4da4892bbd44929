//! Deployments, and the sets of pods that others make. A pod that is ready is available at once, as it is where nobody asks for a pause.

use super::super::kinds::Resource;
use super::super::naming::template_hash;
use super::super::thing::{Counts, Facts, SetFacts, Thing};
use super::{Samples, StateFamily, family, word};
use simulator::world::{ControllerObject, WorkloadObject};

const DEPLOYMENTS: Resource = Resource::Deployments;
const STATEFUL: Resource = Resource::StatefulSets;
const DAEMONS: Resource = Resource::DaemonSets;
const SETS: Resource = Resource::ReplicaSets;

pub(super) const FAMILIES: &[StateFamily] = &[
    family(DEPLOYMENTS, "kube_deployment_spec_replicas", "Replicas that should run here.", replicas),
    family(DEPLOYMENTS, "kube_deployment_metadata_generation", "Changes of what is wanted.", generation),
    family(DEPLOYMENTS, "kube_deployment_status_observed_generation", "Changes that were seen.", generation),
    family(DEPLOYMENTS, "kube_deployment_status_condition", "A condition of a deployment.", conditions),
    family(DEPLOYMENTS, "kube_deployment_status_replicas", "Pods that exist here.", active),
    family(DEPLOYMENTS, "kube_deployment_status_replicas_ready", "Pods that are ready.", ready),
    family(DEPLOYMENTS, "kube_deployment_status_replicas_available", "Pods that are available.", ready),
    family(
        DEPLOYMENTS,
        "kube_deployment_status_replicas_unavailable",
        "Replicas that are missing or not ready.",
        |thing, samples| {
            let Some((workload, counts)) = workload(thing) else { return };
            samples.count(workload.replicas.max(counts.active).saturating_sub(counts.ready));
        },
    ),
    family(DEPLOYMENTS, "kube_deployment_status_replicas_updated", "Pods of the newest template.", updated),
    family(SETS, "kube_replicaset_owner", "Who owns a set of pods; always 1.", |thing, samples| {
        samples.owner(thing);
    }),
    family(SETS, "kube_replicaset_spec_replicas", "Pods that a set should have.", |thing, samples| {
        samples.count(set(thing).map(|set| set.replicas));
    }),
    family(SETS, "kube_replicaset_status_replicas", "Pods that a set has.", |thing, samples| {
        samples.count(set(thing).map(|set| set.counts.active));
    }),
    family(
        SETS,
        "kube_replicaset_status_ready_replicas",
        "Pods of a set that are ready.",
        |thing, samples| {
            samples.count(set(thing).map(|set| set.counts.ready));
        },
    ),
    family(STATEFUL, "kube_statefulset_replicas", "Replicas that should run here.", replicas),
    family(STATEFUL, "kube_statefulset_metadata_generation", "Changes of what is wanted.", generation),
    family(STATEFUL, "kube_statefulset_status_observed_generation", "Changes that were seen.", generation),
    family(STATEFUL, "kube_statefulset_status_replicas", "Pods that exist here.", active),
    family(STATEFUL, "kube_statefulset_status_replicas_ready", "Pods that are ready.", ready),
    family(STATEFUL, "kube_statefulset_status_replicas_available", "Pods that are available.", ready),
    family(STATEFUL, "kube_statefulset_status_replicas_updated", "Pods of the newest template.", updated),
    family(
        STATEFUL,
        "kube_statefulset_status_current_revision",
        "The template of the pods that are not updated; always 1.",
        |thing, samples| {
            let Some((workload, _)) = workload(thing) else { return };
            if let ControllerObject::StatefulSet { current } = workload.controller {
                revision(thing, samples, current);
            }
        },
    ),
    family(
        STATEFUL,
        "kube_statefulset_status_update_revision",
        "The newest template; always 1.",
        |thing, samples| {
            if let Some((workload, _)) = workload(thing) {
                revision(thing, samples, workload.revision);
            }
        },
    ),
    family(
        DAEMONS,
        "kube_daemonset_status_desired_number_scheduled",
        "Nodes that should have a pod.",
        active,
    ),
    family(DAEMONS, "kube_daemonset_status_current_number_scheduled", "Pods that exist here.", active),
    family(
        DAEMONS,
        "kube_daemonset_status_updated_number_scheduled",
        "Pods of the newest template.",
        updated,
    ),
    family(
        DAEMONS,
        "kube_daemonset_status_number_misscheduled",
        "Nodes with a pod that should have none.",
        |_, samples| samples.count(0),
    ),
    family(DAEMONS, "kube_daemonset_status_number_ready", "Pods that are ready.", ready),
    family(DAEMONS, "kube_daemonset_status_number_available", "Pods that are available.", ready),
    family(
        DAEMONS,
        "kube_daemonset_status_number_unavailable",
        "Pods that are not ready.",
        |thing, samples| {
            let Some((_, counts)) = workload(thing) else { return };
            samples.count(counts.active.saturating_sub(counts.ready));
        },
    ),
    family(DAEMONS, "kube_daemonset_metadata_generation", "Changes of what is wanted.", generation),
    family(DAEMONS, "kube_daemonset_status_observed_generation", "Changes that were seen.", generation),
];

/// A workload and its pods, if it is one that counts them.
pub(super) fn workload(thing: &Thing) -> Option<(&WorkloadObject, Counts)> {
    match &thing.facts {
        Facts::Deployment { workload, counts }
        | Facts::StatefulSet { workload, counts }
        | Facts::DaemonSet { workload, counts }
        | Facts::Horizontal { workload, counts } => Some((workload, *counts)),
        _ => None,
    }
}

fn set(thing: &Thing) -> Option<&SetFacts> {
    if let Facts::ReplicaSet(set) = &thing.facts { Some(set) } else { None }
}

pub(super) fn replicas(thing: &Thing, samples: &mut Samples<'_, '_>) {
    samples.count(workload(thing).map(|(workload, _)| workload.replicas));
}

fn generation(thing: &Thing, samples: &mut Samples<'_, '_>) {
    if let Some((workload, _)) = workload(thing) {
        samples.add(&[], workload.revision as f64);
    }
}

pub(super) fn active(thing: &Thing, samples: &mut Samples<'_, '_>) {
    samples.count(workload(thing).map(|(_, counts)| counts.active));
}

fn ready(thing: &Thing, samples: &mut Samples<'_, '_>) {
    samples.count(workload(thing).map(|(_, counts)| counts.ready));
}

fn updated(thing: &Thing, samples: &mut Samples<'_, '_>) {
    samples.count(workload(thing).map(|(_, counts)| counts.updated));
}

fn conditions(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some((workload, counts)) = workload(thing) else { return };
    let enough = word(counts.ready >= workload.replicas);
    for (kind, is) in [("Available", enough), ("Progressing", "true")] {
        samples.condition(&[("condition", kind)], "status", is);
    }
}

fn revision(thing: &Thing, samples: &mut Samples<'_, '_>, number: u64) {
    let name = format!("{}-{}", thing.name, template_hash(&thing.name, number));
    samples.mark(&[("revision", &name)]);
}
