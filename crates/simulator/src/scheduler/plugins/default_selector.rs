//! Which pods belong together when nobody says so: those of the same services and owner.

use crate::kube::{LabelSelector, Pod, ReplicaSet, ReplicationController, Service, StatefulSet};

/// Objects that may choose a pod.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owners<'a> {
    pub services: &'a [Service],
    pub replica_sets: &'a [ReplicaSet],
    pub stateful_sets: &'a [StatefulSet],
    pub replication_controllers: &'a [ReplicationController],
}

/// Services in the pod's namespace whose selector chooses the pod; a service without a selector chooses none.
pub fn services_of<'a>(pod: &'a Pod, services: &'a [Service]) -> impl Iterator<Item = &'a Service> {
    services.iter().filter(move |service| {
        let chooses = service.spec.selector.as_ref().is_some_and(|selector| {
            selector.iter().all(|(key, value)| pod.metadata.labels.get(key) == Some(value))
        });
        service.metadata.namespace == pod.metadata.namespace && chooses
    })
}

/// What the pod's services and its controller select together; empty if there are none.
pub fn default_selector(pod: &Pod, owners: Owners<'_>) -> LabelSelector {
    let mut selector = LabelSelector::default();
    for service in services_of(pod, owners.services) {
        selector.match_labels.extend(service.spec.selector.clone().unwrap_or_default());
    }
    let Some(owner) = pod.metadata.controller() else { return selector };
    let is_owner =
        |meta: &crate::kube::ObjectMeta| meta.namespace == pod.metadata.namespace && meta.name == owner.name;
    let other = match (owner.api_version.as_str(), owner.kind.as_str()) {
        ("v1", "ReplicationController") => {
            let found = owners.replication_controllers.iter().find(|one| is_owner(&one.metadata));
            selector.match_labels.extend(found.and_then(|one| one.spec.selector.clone()).unwrap_or_default());
            None
        }
        ("apps/v1", "ReplicaSet") => owners
            .replica_sets
            .iter()
            .find(|one| is_owner(&one.metadata))
            .and_then(|one| one.spec.selector.as_ref()),
        ("apps/v1", "StatefulSet") => owners
            .stateful_sets
            .iter()
            .find(|one| is_owner(&one.metadata))
            .and_then(|one| one.spec.selector.as_ref()),
        _ => None,
    };
    if let Some(other) = other {
        selector.match_labels.extend(other.match_labels.clone());
        selector.match_expressions.extend(other.match_expressions.iter().cloned());
    }
    selector
}
