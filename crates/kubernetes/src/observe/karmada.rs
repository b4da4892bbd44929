//! What is followed on the Karmada control plane: how many replicas templates ask for, where they were put, who else sets their number,
//! and when they were last moved.

use super::cache::{Cache, Pulse};
use super::facts::{self, WorkloadFact, wall};
use super::owners::AutoscalerFact;
use super::watch::Watch;
use crate::act::karmada_objects::{MOVED_AT, WORKLOAD};
use crate::act::order::Kind;
use crate::clock::Wall;
use crate::settings::Timeouts;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::Client;
use kube::api::{Api, DynamicObject};
use model::names::{WorkloadKind, WorkloadRef};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, Default)]
pub(crate) struct KarmadaCaches {
    deployments: Cache<WorkloadFact>,
    stateful_sets: Cache<WorkloadFact>,
    policies: Cache<MoveFact>,
    bindings: Cache<BindingFact>,
    autoscalers: Cache<AutoscalerFact>,
}

/// Where Karmada's scheduler put a workload.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BindingFact {
    pub(crate) workload: WorkloadRef,
    pub(crate) clusters: BTreeMap<String, u32>,
}

/// When a workload was last moved, as its policy says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveFact {
    pub(crate) workload: WorkloadRef,
    pub(crate) at: Wall,
}

/// What is known of the control plane at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct KarmadaSeen {
    /// Replicas that templates ask for.
    pub(crate) replicas: BTreeMap<WorkloadRef, u32>,
    pub(crate) created_at: BTreeMap<WorkloadRef, Wall>,
    pub(crate) moved_at: BTreeMap<WorkloadRef, Wall>,
    /// The clusters that have some of it, with replicas.
    pub(crate) scheduled: BTreeMap<WorkloadRef, BTreeMap<String, u32>>,
    /// Who sets a template's number, with the kind.
    pub(crate) autoscalers: BTreeMap<WorkloadRef, String>,
    pub(crate) pulse: Pulse,
}

impl KarmadaCaches {
    /// Begins to follow everything; must be called within the runtime.
    pub(crate) fn follow(&self, client: &Client, timeouts: Timeouts) {
        let deployments: fn(&Deployment) -> Option<WorkloadFact> = facts::deployment;
        tokio::spawn(
            Watch::of_all(client.clone(), "karmada", deployments, self.deployments.clone(), timeouts).run(),
        );
        let sets: fn(&StatefulSet) -> Option<WorkloadFact> = facts::stateful_set;
        tokio::spawn(
            Watch::of_all(client.clone(), "karmada", sets, self.stateful_sets.clone(), timeouts).run(),
        );
        tokio::spawn(dynamic(client, Kind::PropagationPolicy, move_fact, &self.policies, timeouts).run());
        tokio::spawn(dynamic(client, Kind::ResourceBinding, binding_fact, &self.bindings, timeouts).run());
        let autoscalers = dynamic(client, Kind::FederatedHpa, autoscaler_fact, &self.autoscalers, timeouts);
        tokio::spawn(autoscalers.or_none().run());
    }

    pub(crate) fn look(&self) -> KarmadaSeen {
        let mut seen = KarmadaSeen::default();
        for fact in self.deployments.facts().iter().chain(&self.stateful_sets.facts()) {
            seen.replicas.insert(fact.reference.clone(), fact.replicas);
            seen.created_at.insert(fact.reference.clone(), fact.created_at);
        }
        seen.moved_at = self.policies.facts().iter().map(|fact| (fact.workload.clone(), fact.at)).collect();
        for fact in self.bindings.facts() {
            seen.scheduled.insert(fact.workload.clone(), fact.clusters.clone());
        }
        for fact in self.autoscalers.facts() {
            seen.autoscalers.insert(fact.workload.clone(), format!("FederatedHPA {}", fact.name));
        }
        seen.pulse = self.pulse();
        seen
    }

    pub(crate) fn pulse(&self) -> Pulse {
        Pulse::worst([
            self.deployments.pulse(),
            self.stateful_sets.pulse(),
            self.policies.pulse(),
            self.bindings.pulse(),
            self.autoscalers.pulse(),
        ])
    }
}

fn dynamic<F>(
    client: &Client,
    kind: Kind,
    fact: fn(&DynamicObject) -> Option<F>,
    cache: &Cache<F>,
    timeouts: Timeouts,
) -> Watch<DynamicObject, F> {
    Watch {
        api: Api::all_with(client.clone(), &kind.resource()),
        place: "karmada".to_owned(),
        plural: kind.plural().to_owned(),
        fact,
        cache: cache.clone(),
        timeouts,
        optional: false,
    }
}

/// A binding names the template it is about, and where it is to be.
pub(crate) fn binding_fact(binding: &DynamicObject) -> Option<BindingFact> {
    let of = |pointer: &str| binding.data.pointer(pointer)?.as_str();
    let workload =
        reference(of("/spec/resource/kind")?, of("/spec/resource/namespace")?, of("/spec/resource/name")?)?;
    let clusters = binding.data.pointer("/spec/clusters").and_then(Value::as_array);
    let one = |cluster: &Value| {
        let replicas = cluster.get("replicas").and_then(Value::as_u64).unwrap_or(0);
        Some((cluster.get("name")?.as_str()?.to_owned(), u32::try_from(replicas).ok()?))
    };
    Some(BindingFact { workload, clusters: clusters.into_iter().flatten().filter_map(one).collect() })
}

pub(crate) fn autoscaler_fact(object: &DynamicObject) -> Option<AutoscalerFact> {
    let of = |key: &str| object.data.pointer(&format!("/spec/scaleTargetRef/{key}"))?.as_str();
    let workload = reference(of("kind")?, object.metadata.namespace.as_deref()?, of("name")?)?;
    Some(AutoscalerFact { name: object.metadata.name.clone()?, workload })
}

fn reference(kind: &str, namespace: &str, name: &str) -> Option<WorkloadRef> {
    let kind = match kind {
        "Deployment" => WorkloadKind::Deployment,
        "StatefulSet" => WorkloadKind::StatefulSet,
        _ => return None,
    };
    WorkloadRef::new(kind, namespace, name).ok()
}

pub(crate) fn move_fact(policy: &DynamicObject) -> Option<MoveFact> {
    let annotations = policy.metadata.annotations.as_ref()?;
    let workload = annotations.get(WORKLOAD)?.parse().ok()?;
    let at: Time = serde_json::from_value(annotations.get(MOVED_AT)?.as_str().into()).ok()?;
    Some(MoveFact { workload, at: wall(Some(&at)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_binding_says_where_a_workload_was_put() {
        let object: DynamicObject = serde_json::from_value(json!({
            "apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding", "metadata": { "name": "web-deployment", "namespace": "shop" },
            "spec": { "resource": { "apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web" },
                "clusters": [{ "name": "one", "replicas": 3 }, { "name": "two" }] } }))
        .unwrap();
        let fact = binding_fact(&object).unwrap();
        assert_eq!(fact.workload, "shop/web".parse().unwrap());
        assert_eq!(fact.clusters, BTreeMap::from([("one".to_owned(), 3), ("two".to_owned(), 0)]));
    }

    #[test]
    fn an_autoscaler_of_karmada_owns_the_number_of_its_target() {
        let object: DynamicObject = serde_json::from_value(json!({
            "apiVersion": "autoscaling.karmada.io/v1alpha1", "kind": "FederatedHPA", "metadata": { "name": "f", "namespace": "shop" },
            "spec": { "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "web" } } }))
        .unwrap();
        let want = AutoscalerFact { name: "f".to_owned(), workload: "shop/web".parse().unwrap() };
        assert_eq!(autoscaler_fact(&object), Some(want));
    }
}
