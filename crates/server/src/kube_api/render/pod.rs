//! Pods, and the templates they are made from.

use super::super::events::no_node;
use super::super::thing::{ContainerState, PodFacts};
use super::node::effect;
use super::{Writer, amounts};
use serde_json::{Value, json};
use simulator::kube::{self, Container, TolerationOperator};
use simulator::world::PodStage;

/// Most containers of a scenario name no image; an object without one is none.
const IMAGE: &str = "simulated";

/// How long a pod may take to stop if it says nothing else.
const GRACE_SECONDS: i64 = 30;

/// Why a container waits that has a node.
pub(in crate::kube_api) const CREATING: &str = "ContainerCreating";

/// Why a container has ended. None fails in a simulation.
pub(in crate::kube_api) const COMPLETED: &str = "Completed";

impl Writer<'_> {
    pub(super) fn pod(&self, facts: &PodFacts) -> Value {
        let pod = &facts.pod;
        let mut object = json!({
            "spec": pod_spec(&pod.template.0.pod, facts.ends),
            "status": self.pod_status(facts),
        });
        if let Some(node) = &pod.node {
            object["spec"]["nodeName"] = json!(node.as_str());
        }
        let annotations = &pod.template.0.pod.metadata.annotations;
        if !annotations.is_empty() {
            object["metadata"] = json!({ "annotations": annotations });
        }
        if let (PodStage::Stopping, Some(at)) = (&pod.stage, pod.ended_at) {
            let grace = pod.template.0.pod.spec.termination_grace_period_seconds.unwrap_or(GRACE_SECONDS);
            let until = at + model::time::Period::from_secs(u64::try_from(grace).unwrap_or(0));
            object["metadata"]["deletionTimestamp"] = json!(self.date(until));
            object["metadata"]["deletionGracePeriodSeconds"] = json!(grace);
        }
        object
    }

    fn pod_status(&self, facts: &PodFacts) -> Value {
        let pod = &facts.pod;
        let mut status = json!({
            "phase": facts.phase(),
            "qosClass": quality(&pod.template.0.pod),
            "conditions": self.pod_conditions(facts),
        });
        if let Some(node) = &pod.nominated {
            status["nominatedNodeName"] = json!(node.as_str());
        }
        if let Some(at) = pod.placed_at {
            status["startTime"] = json!(self.date(at));
            let containers = pod.template.0.pod.spec.containers.iter();
            status["containerStatuses"] = containers.map(|one| self.container_status(facts, one)).collect();
        }
        status
    }

    fn pod_conditions(&self, facts: &PodFacts) -> Value {
        let pod = &facts.pod;
        let created = self.date(pod.created_at);
        let Some(placed) = pod.placed_at.map(|at| self.date(at)) else {
            let mut waits =
                json!({ "type": "PodScheduled", "status": "False", "lastTransitionTime": created });
            if let PodStage::Waiting { refused_by } = &pod.stage
                && !refused_by.is_empty()
            {
                waits["reason"] = json!("Unschedulable");
                waits["message"] = json!(no_node(facts.nodes, refused_by));
            }
            return json!([waits]);
        };
        let ready = facts.is_ready();
        let since = pod.ready_since.or(pod.ended_at).map_or_else(|| placed.clone(), |at| self.date(at));
        let one = |kind: &str, holds: bool, since: &str| {
            let mut written = json!({
                "type": kind, "status": if holds { "True" } else { "False" }, "lastTransitionTime": since,
            });
            if !holds {
                written["reason"] = json!(if pod.stage == PodStage::Succeeded {
                    "PodCompleted"
                } else {
                    "ContainersNotReady"
                });
            }
            written
        };
        json!([
            one("PodReadyToStartContainers", pod.stage != PodStage::Succeeded, &placed),
            one("Initialized", true, &placed),
            one("Ready", ready, &since),
            one("ContainersReady", ready, &since),
            one("PodScheduled", true, &placed),
        ])
    }

    fn container_status(&self, facts: &PodFacts, container: &Container) -> Value {
        let pod = &facts.pod;
        let at = |at: Option<model::time::Timestamp>| at.map(|at| self.date(at));
        let state = match facts.state() {
            ContainerState::Terminated => json!({ "terminated": {
                "exitCode": 0, "reason": COMPLETED, "startedAt": at(pod.placed_at), "finishedAt": at(pod.ended_at),
            } }),
            ContainerState::Running => {
                json!({ "running": { "startedAt": at(pod.ready_since.or(pod.placed_at)) } })
            }
            ContainerState::Waiting => json!({ "waiting": { "reason": CREATING } }),
        };
        json!({
            "name": container.name,
            "image": image(container),
            "imageID": "",
            "ready": facts.is_ready(),
            "started": facts.state() == ContainerState::Running,
            "restartCount": 0,
            "state": state,
            "lastState": {},
        })
    }
}

fn image(container: &Container) -> &str {
    if container.image.is_empty() { IMAGE } else { &container.image }
}

/// What a template says, as far as it decides anything here.
pub(super) fn pod_spec(pod: &kube::Pod, ends: bool) -> Value {
    let spec = &pod.spec;
    let mut written = json!({
        "containers": spec.containers.iter().map(container).collect::<Vec<_>>(),
        "restartPolicy": if ends { "Never" } else { "Always" },
        "terminationGracePeriodSeconds": spec.termination_grace_period_seconds.unwrap_or(GRACE_SECONDS),
        "dnsPolicy": "ClusterFirst",
        "schedulerName": if spec.scheduler_name.is_empty() { "default-scheduler" } else { &spec.scheduler_name },
        "securityContext": {},
        "enableServiceLinks": true,
    });
    if let Some(priority) = spec.priority {
        written["priority"] = json!(priority);
    }
    if !spec.init_containers.is_empty() {
        written["initContainers"] = spec.init_containers.iter().map(container).collect();
    }
    if !spec.node_selector.is_empty() {
        written["nodeSelector"] = json!(spec.node_selector);
    }
    if !spec.tolerations.is_empty() {
        written["tolerations"] = spec.tolerations.iter().map(toleration).collect();
    }
    if spec.host_network {
        written["hostNetwork"] = json!(true);
    }
    written
}

fn container(container: &Container) -> Value {
    let mut resources = json!({});
    for (name, list) in [("requests", &container.resources.requests), ("limits", &container.resources.limits)]
    {
        if !list.is_empty() {
            resources[name] = amounts(list);
        }
    }
    json!({
        "name": container.name,
        "image": image(container),
        "imagePullPolicy": "IfNotPresent",
        "resources": resources,
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    })
}

fn toleration(toleration: &kube::Toleration) -> Value {
    let operator = match toleration.operator {
        TolerationOperator::Equal => "Equal",
        TolerationOperator::Exists => "Exists",
        TolerationOperator::Gt => "Gt",
        TolerationOperator::Lt => "Lt",
    };
    let mut written = json!({ "operator": operator });
    for (name, text) in [("key", &toleration.key), ("value", &toleration.value)] {
        if !text.is_empty() {
            written[name] = json!(text);
        }
    }
    if let Some(one) = toleration.effect {
        written["effect"] = json!(effect(one));
    }
    if let Some(seconds) = toleration.toleration_seconds {
        written["tolerationSeconds"] = json!(seconds);
    }
    written
}

/// The class that decides whose memory is taken first.
fn quality(pod: &kube::Pod) -> &'static str {
    let containers = || pod.spec.containers.iter().map(|container| &container.resources);
    let main = [kube::CPU, kube::MEMORY];
    let says = |resources: &kube::ResourceRequirements| {
        main.iter().any(|name| {
            resources.requests.get(name).or(resources.limits.get(name)).is_some_and(|amount| amount > 0)
        })
    };
    let is_sure = |resources: &kube::ResourceRequirements| {
        main.iter().all(|name| {
            let limit = resources.limits.get(name);
            limit.is_some() && resources.requests.get(name).or(limit) == limit
        })
    };
    if !containers().any(says) {
        "BestEffort"
    } else if containers().all(is_sure) {
        "Guaranteed"
    } else {
        "Burstable"
    }
}

/// What a workload makes its pods from.
pub(super) fn template(pod: &kube::Pod, labels: &super::Texts, ends: bool) -> Value {
    let mut metadata = json!({ "labels": labels });
    if !pod.metadata.annotations.is_empty() {
        metadata["annotations"] = json!(pod.metadata.annotations);
    }
    json!({ "metadata": metadata, "spec": pod_spec(pod, ends) })
}
