//! What is kept of each object: the few facts a snapshot is made of, so that many thousand pods fit in little memory.

use super::requests;
use crate::clock::Wall;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{Node, Pod, PodTemplateSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use model::names::{WorkloadKind, WorkloadRef};
use model::resources::Resources;
use std::collections::BTreeMap;

/// With `"false"` the owner of a workload says that it stays where it is.
pub(crate) const MOVABLE: &str = "drover.io/movable";

/// Labels and annotations by which tools that follow a repository mark what they own: they would undo what is changed by others.
pub(crate) const REPOSITORY_MARKS: [&str; 4] = [
    "argocd.argoproj.io/tracking-id",
    "argocd.argoproj.io/instance",
    "kustomize.toolkit.fluxcd.io/name",
    "helm.toolkit.fluxcd.io/name",
];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeFact {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) allocatable: Resources,
    pub(crate) ready: bool,
    pub(crate) cordoned: bool,
    pub(crate) created_at: Wall,
    pub(crate) ready_since: Option<Wall>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PodFact {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) owner: PodOwner,
    pub(crate) node: Option<String>,
    pub(crate) requests: Resources,
    pub(crate) ready: bool,
    /// Told to end, and not yet gone.
    pub(crate) ending: bool,
    /// Succeeded or failed: it takes nothing any more.
    pub(crate) over: bool,
    pub(crate) created_at: Wall,
    pub(crate) priority: i32,
}

impl PodFact {
    pub(crate) fn is_pending(&self) -> bool {
        self.node.is_none() && !self.over && !self.ending
    }
}

/// Whose pod it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PodOwner {
    Workload(WorkloadKind, String),
    /// Every node has one: it belongs to the node and not to what could be moved.
    DaemonSet,
    /// The kubelet itself, jobs, nobody.
    Other,
}

/// A Deployment or a StatefulSet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorkloadFact {
    pub(crate) reference: WorkloadRef,
    pub(crate) replicas: u32,
    pub(crate) ready: u32,
    pub(crate) each: Resources,
    /// Those of its pods, by which disruption budgets choose them.
    pub(crate) pod_labels: BTreeMap<String, String>,
    /// By which a tool that follows a repository says that it owns it.
    pub(crate) repository: Option<String>,
    pub(crate) movable: bool,
    pub(crate) ending: bool,
    pub(crate) created_at: Wall,
}

pub(crate) fn node(node: &Node) -> NodeFact {
    let status = node.status.as_ref();
    let conditions = status.and_then(|status| status.conditions.as_ref());
    let ready = conditions.into_iter().flatten().find(|one| one.type_ == "Ready" && one.status == "True");
    NodeFact {
        name: node.metadata.name.clone().unwrap_or_default(),
        labels: node.metadata.labels.clone().unwrap_or_default(),
        allocatable: status
            .and_then(|status| status.allocatable.as_ref())
            .map(requests::amounts)
            .unwrap_or_default(),
        ready: ready.is_some() && node.metadata.deletion_timestamp.is_none(),
        cordoned: node.spec.as_ref().and_then(|spec| spec.unschedulable).unwrap_or(false),
        created_at: wall(node.metadata.creation_timestamp.as_ref()),
        ready_since: ready.map(|one| wall(one.last_transition_time.as_ref())),
    }
}

pub(crate) fn pod(pod: &Pod) -> PodFact {
    let status = pod.status.as_ref();
    let phase = status.and_then(|status| status.phase.as_deref()).unwrap_or_default();
    let conditions = status.and_then(|status| status.conditions.as_ref());
    let ending = pod.metadata.deletion_timestamp.is_some();
    let ready = conditions.into_iter().flatten().any(|one| one.type_ == "Ready" && one.status == "True");
    PodFact {
        namespace: pod.metadata.namespace.clone().unwrap_or_default(),
        name: pod.metadata.name.clone().unwrap_or_default(),
        owner: owner(&pod.metadata),
        node: pod.spec.as_ref().and_then(|spec| spec.node_name.clone()).filter(|name| !name.is_empty()),
        requests: pod.spec.as_ref().map(requests::of_pod).unwrap_or_default(),
        ready: ready && !ending,
        ending,
        over: matches!(phase, "Succeeded" | "Failed"),
        created_at: wall(pod.metadata.creation_timestamp.as_ref()),
        priority: pod.spec.as_ref().and_then(|spec| spec.priority).unwrap_or(0),
    }
}

pub(crate) fn owner(metadata: &ObjectMeta) -> PodOwner {
    let controller =
        metadata.owner_references.iter().flatten().find(|reference| reference.controller == Some(true));
    let Some(controller) = controller else { return PodOwner::Other };
    match controller.kind.as_str() {
        "StatefulSet" => PodOwner::Workload(WorkloadKind::StatefulSet, controller.name.clone()),
        "DaemonSet" => PodOwner::DaemonSet,
        "ReplicaSet" => deployment_of(&controller.name, metadata)
            .map_or(PodOwner::Other, |name| PodOwner::Workload(WorkloadKind::Deployment, name)),
        _ => PodOwner::Other,
    }
}

/// A Deployment names its ReplicaSets after itself and the hash that their pods carry as a label.
fn deployment_of(replica_set: &str, metadata: &ObjectMeta) -> Option<String> {
    let hash = metadata.labels.as_ref()?.get("pod-template-hash")?;
    let name = replica_set.strip_suffix(hash.as_str())?.strip_suffix('-')?;
    Some(name.to_owned())
}

pub(crate) fn deployment(object: &Deployment) -> Option<WorkloadFact> {
    let spec = object.spec.as_ref()?;
    let ready = object.status.as_ref().and_then(|status| status.ready_replicas);
    workload(WorkloadKind::Deployment, &object.metadata, spec.replicas, ready, &spec.template, true)
}

pub(crate) fn stateful_set(object: &StatefulSet) -> Option<WorkloadFact> {
    let spec = object.spec.as_ref()?;
    let ready = object.status.as_ref().and_then(|status| status.ready_replicas);
    let without_volumes = spec.volume_claim_templates.as_ref().is_none_or(Vec::is_empty);
    let template = spec.template.clone();
    workload(WorkloadKind::StatefulSet, &object.metadata, spec.replicas, ready, &template, without_volumes)
}

fn workload(
    kind: WorkloadKind,
    metadata: &ObjectMeta,
    replicas: Option<i32>,
    ready: Option<i32>,
    template: &PodTemplateSpec,
    may_move: bool,
) -> Option<WorkloadFact> {
    let reference = WorkloadRef::new(kind, metadata.namespace.as_deref()?, metadata.name.as_deref()?).ok()?;
    let count = |number: Option<i32>, default| u32::try_from(number.unwrap_or(default)).unwrap_or(0);
    Some(WorkloadFact {
        reference,
        replicas: count(replicas, 1),
        ready: count(ready, 0),
        each: template.spec.as_ref().map(requests::of_pod).unwrap_or_default(),
        pod_labels: template
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.labels.clone())
            .unwrap_or_default(),
        repository: repository(metadata),
        movable: may_move && !is_held(metadata) && !is_tied(template),
        ending: metadata.deletion_timestamp.is_some(),
        created_at: wall(metadata.creation_timestamp.as_ref()),
    })
}

fn repository(metadata: &ObjectMeta) -> Option<String> {
    let maps = [metadata.labels.as_ref(), metadata.annotations.as_ref()];
    let mut keys = maps.into_iter().flatten().flat_map(BTreeMap::keys);
    keys.find(|key| REPOSITORY_MARKS.contains(&key.as_str())).cloned()
}

fn is_held(metadata: &ObjectMeta) -> bool {
    metadata
        .annotations
        .as_ref()
        .and_then(|annotations| annotations.get(MOVABLE))
        .is_some_and(|text| text == "false")
}

/// Whether its data is on the node's own disk or in a claim of this cluster.
fn is_tied(template: &PodTemplateSpec) -> bool {
    let volumes = template.spec.as_ref().and_then(|spec| spec.volumes.as_ref());
    volumes.into_iter().flatten().any(|volume| {
        volume.host_path.is_some() || volume.persistent_volume_claim.is_some() || volume.ephemeral.is_some()
    })
}

pub(crate) fn wall(time: Option<&Time>) -> Wall {
    Wall(time.map_or(0, |time| time.0.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pod_belongs_to_the_deployment_behind_its_replica_set() {
        let check = |kind: &str, name: &str, hash: &str, want: PodOwner| {
            let metadata: ObjectMeta = serde_json::from_value(json!({
                "labels": { "pod-template-hash": hash },
                "ownerReferences": [{ "apiVersion": "apps/v1", "kind": kind, "name": name, "uid": "u", "controller": true }] }))
            .unwrap();
            assert_eq!(owner(&metadata), want, "{kind} {name}");
        };
        let deployment = |name: &str| PodOwner::Workload(WorkloadKind::Deployment, name.to_owned());
        check("ReplicaSet", "web-6f7d", "6f7d", deployment("web"));
        check("ReplicaSet", "web-a-6f7d", "6f7d", deployment("web-a"));
        check("ReplicaSet", "alone", "6f7d", PodOwner::Other);
        check("StatefulSet", "db", "", PodOwner::Workload(WorkloadKind::StatefulSet, "db".to_owned()));
        check("DaemonSet", "log", "", PodOwner::DaemonSet);
        check("Job", "once", "", PodOwner::Other);
        assert_eq!(owner(&ObjectMeta::default()), PodOwner::Other);
    }

    #[test]
    fn what_has_its_data_here_or_is_held_stays() {
        let check = |annotation: &str, volumes: serde_json::Value, movable: bool| {
            let object: Deployment = serde_json::from_value(json!({
                "metadata": { "name": "web", "namespace": "shop", "annotations": { "drover.io/movable": annotation } },
                "spec": { "selector": {}, "template": { "spec": { "containers": [{ "name": "c" }], "volumes": volumes } } } }))
            .unwrap();
            assert_eq!(deployment(&object).unwrap().movable, movable, "{annotation} {volumes}");
        };
        check("true", json!([]), true);
        check("false", json!([]), false);
        check("true", json!([{ "name": "v", "hostPath": { "path": "/data" } }]), false);
        check("true", json!([{ "name": "v", "persistentVolumeClaim": { "claimName": "c" } }]), false);
        check("true", json!([{ "name": "v", "configMap": { "name": "c" } }]), true);
        let set: StatefulSet = serde_json::from_value(json!({
            "metadata": { "name": "db", "namespace": "shop" },
            "spec": { "serviceName": "db", "replicas": 3, "selector": {}, "template": { "spec": { "containers": [{ "name": "c" }] } },
                "volumeClaimTemplates": [{ "metadata": { "name": "data" } }] } }))
        .unwrap();
        let fact = stateful_set(&set).unwrap();
        assert_eq!(
            (fact.movable, fact.replicas, fact.reference.to_string().as_str()),
            (false, 3, "statefulset/shop/db")
        );
    }
}
