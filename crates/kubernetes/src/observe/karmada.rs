//! What is followed on the Karmada control plane: how many replicas templates ask for, and when they were last moved.

use super::cache::{Cache, Pulse};
use super::facts::{self, WorkloadFact, wall};
use super::watch::Watch;
use crate::act::karmada_objects::{self, MOVED_AT, WORKLOAD};
use crate::clock::Wall;
use crate::settings::Timeouts;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::Client;
use kube::api::{Api, DynamicObject};
use model::names::WorkloadRef;
use std::collections::BTreeMap;

#[derive(Clone, Default)]
pub(crate) struct KarmadaCaches {
    deployments: Cache<WorkloadFact>,
    stateful_sets: Cache<WorkloadFact>,
    policies: Cache<MoveFact>,
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
        let kind = karmada_objects::propagation_policy();
        let policies = Watch {
            api: Api::<DynamicObject>::all_with(client.clone(), &kind),
            place: "karmada".to_owned(),
            plural: kind.plural.clone(),
            fact: move_fact,
            cache: self.policies.clone(),
            timeouts,
        };
        tokio::spawn(policies.run());
    }

    pub(crate) fn look(&self) -> KarmadaSeen {
        let mut seen = KarmadaSeen::default();
        for fact in self.deployments.facts().iter().chain(&self.stateful_sets.facts()) {
            seen.replicas.insert(fact.reference.clone(), fact.replicas);
            seen.created_at.insert(fact.reference.clone(), fact.created_at);
        }
        seen.moved_at = self.policies.facts().iter().map(|fact| (fact.workload.clone(), fact.at)).collect();
        seen
    }

    pub(crate) fn pulse(&self) -> Pulse {
        Pulse::worst([self.deployments.pulse(), self.stateful_sets.pulse(), self.policies.pulse()])
    }
}

fn move_fact(policy: &DynamicObject) -> Option<MoveFact> {
    let annotations = policy.metadata.annotations.as_ref()?;
    let workload = annotations.get(WORKLOAD)?.parse().ok()?;
    let at: Time = serde_json::from_value(annotations.get(MOVED_AT)?.as_str().into()).ok()?;
    Some(MoveFact { workload, at: wall(Some(&at)) })
}
