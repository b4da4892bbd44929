//! What a cluster tells about its things, read off the things themselves: events last as long as what they are about.

use super::kinds::Resource;
use super::naming::{digits, uid};
use super::thing::{EventFacts, Facts, PodFacts, Reference, Texts, Thing};
use model::names::ClusterName;
use model::time::Timestamp;
use simulator::world::PodStage;

struct Told {
    at: Timestamp,
    about: Reference,
    warns: bool,
    reason: &'static str,
    message: String,
    by: &'static str,
}

/// Everything that is told about a thing.
pub(super) fn about(cluster: &ClusterName, thing: &Thing) -> Vec<Thing> {
    let told = match &thing.facts {
        Facts::Node(node) => vec![Told {
            at: node.created_at,
            about: thing.reference(),
            warns: false,
            reason: "RegisteredNode",
            message: format!("Node {0} event: Registered Node {0} in Controller", node.name),
            by: "node-controller",
        }],
        Facts::Pod(facts) => pod(thing, facts),
        _ => Vec::new(),
    };
    told.into_iter().map(|told| event(cluster, told)).collect()
}

fn pod(thing: &Thing, facts: &PodFacts) -> Vec<Told> {
    let pod = &facts.pod;
    let tell = |at: Timestamp, reason: &'static str, message: String, by: &'static str| Told {
        at,
        about: thing.reference(),
        warns: false,
        reason,
        message,
        by,
    };
    let mut told: Vec<Told> = thing.owner.iter().map(|owner| created(thing, owner)).collect();
    if let PodStage::Waiting { refused_by } = &pod.stage
        && !refused_by.is_empty()
    {
        let message = no_node(facts.nodes, refused_by);
        told.push(Told {
            warns: true,
            ..tell(pod.created_at, "FailedScheduling", message, "default-scheduler")
        });
    }
    if let (Some(at), Some(node)) = (pod.placed_at, &pod.node) {
        let message = format!("Successfully assigned {}/{} to {node}", thing.namespace, thing.name);
        told.push(tell(at, "Scheduled", message, "default-scheduler"));
    }
    for container in &pod.template.0.pod.spec.containers {
        if let Some(at) = pod.ready_since {
            told.push(tell(
                at,
                "Started",
                format!("Container {} started and ready", container.name),
                "kubelet",
            ));
        }
        if let (PodStage::Stopping, Some(at)) = (&pod.stage, pod.ended_at) {
            told.push(tell(at, "Killing", format!("Stopping container {}", container.name), "kubelet"));
        }
    }
    told
}

/// Why no node was found. The simulator remembers which parts of the scheduler refused, not which node for which reason.
pub(super) fn no_node(nodes: usize, refused_by: &[&str]) -> String {
    format!("0/{nodes} nodes are available: refused by {}.", refused_by.join(", "))
}

fn created(thing: &Thing, owner: &Reference) -> Told {
    let by = match owner.resource {
        Resource::ReplicaSets => "replicaset-controller",
        Resource::StatefulSets => "statefulset-controller",
        Resource::DaemonSets => "daemonset-controller",
        _ => "job-controller",
    };
    Told {
        at: thing.created_at,
        about: owner.clone(),
        warns: false,
        reason: "SuccessfulCreate",
        message: format!("Created pod: {}", thing.name),
        by,
    }
}

fn event(cluster: &ClusterName, told: Told) -> Thing {
    let Told { at, about, warns, reason, message, by } = told;
    let sign = digits(&format!("{reason} {message} {} {}", at.as_millis(), about.uid));
    let name = format!("{}.{sign}", about.name);
    // Events about what is in no namespace are kept in this one.
    let namespace = if about.namespace.is_empty() { "default".to_owned() } else { about.namespace.clone() };
    Thing {
        resource: Resource::Events,
        uid: uid(&[cluster.as_str(), "events", &name]),
        namespace,
        name,
        created_at: at,
        labels: Texts::new(),
        notes: Texts::new(),
        owner: None,
        facts: Facts::Event(EventFacts { about, warns, reason, message, by }),
    }
}
