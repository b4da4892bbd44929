//! The caches of one member cluster, and what they hold at a moment.

use super::cache::{Cache, Pulse};
use super::facts::{self, NodeFact, PodFact, WorkloadFact};
use super::lives::Lives;
use super::owners::{self, AutoscalerFact, BudgetFact};
use super::watch::Watch;
use crate::clock::Wall;
use crate::settings::Timeouts;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::core::v1::{Node, Pod};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::Client;
use model::names::ClusterName;
use std::sync::Arc;

/// Everything that is followed in a member.
#[derive(Clone, Default)]
pub(crate) struct MemberCaches {
    nodes: Cache<NodeFact>,
    pods: Cache<PodFact>,
    deployments: Cache<WorkloadFact>,
    stateful_sets: Cache<WorkloadFact>,
    budgets: Cache<BudgetFact>,
    autoscalers: Cache<AutoscalerFact>,
}

/// What is known of a member at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberSeen {
    pub(crate) nodes: Vec<Arc<NodeFact>>,
    pub(crate) pods: Vec<Arc<PodFact>>,
    pub(crate) workloads: Vec<Arc<WorkloadFact>>,
    pub(crate) budgets: Vec<Arc<BudgetFact>>,
    pub(crate) autoscalers: Vec<Arc<AutoscalerFact>>,
    pub(crate) pulse: Pulse,
}

impl MemberCaches {
    /// Begins to follow everything; must be called within the runtime.
    pub(crate) fn follow(&self, name: &ClusterName, client: &Client, timeouts: Timeouts) {
        let place = format!("cluster {name}");
        let nodes = |node: &Node| Some(facts::node(node));
        let pods = |pod: &Pod| Some(facts::pod(pod));
        tokio::spawn(Watch::of_all(client.clone(), &place, nodes, self.nodes.clone(), timeouts).run());
        tokio::spawn(Watch::of_all(client.clone(), &place, pods, self.pods.clone(), timeouts).run());
        let deployments: fn(&Deployment) -> Option<WorkloadFact> = facts::deployment;
        tokio::spawn(
            Watch::of_all(client.clone(), &place, deployments, self.deployments.clone(), timeouts).run(),
        );
        let sets: fn(&StatefulSet) -> Option<WorkloadFact> = facts::stateful_set;
        tokio::spawn(Watch::of_all(client.clone(), &place, sets, self.stateful_sets.clone(), timeouts).run());
        let budgets: fn(&PodDisruptionBudget) -> Option<BudgetFact> = owners::budget;
        let budgets = Watch::of_all(client.clone(), &place, budgets, self.budgets.clone(), timeouts);
        tokio::spawn(budgets.or_none().run());
        let scalers: fn(&HorizontalPodAutoscaler) -> Option<AutoscalerFact> = owners::autoscaler;
        let scalers = Watch::of_all(client.clone(), &place, scalers, self.autoscalers.clone(), timeouts);
        tokio::spawn(scalers.or_none().run());
    }

    pub(crate) fn look(&self) -> MemberSeen {
        let mut workloads = self.deployments.facts();
        workloads.extend(self.stateful_sets.facts());
        MemberSeen {
            nodes: self.nodes.facts(),
            pods: self.pods.facts(),
            workloads,
            budgets: self.budgets.facts(),
            autoscalers: self.autoscalers.facts(),
            pulse: self.pulse(),
        }
    }

    /// From now on the life of every pod is kept.
    pub(crate) fn keep_lives(&self) -> Lives {
        let lives = Lives::default();
        let kept = lives.clone();
        self.pods.tap(Wall::now(), move |at, key, fact| kept.hear(at, key, fact));
        lives
    }

    pub(crate) fn pulse(&self) -> Pulse {
        Pulse::worst([
            self.nodes.pulse(),
            self.pods.pulse(),
            self.deployments.pulse(),
            self.stateful_sets.pulse(),
            self.budgets.pulse(),
            self.autoscalers.pulse(),
        ])
    }
}
