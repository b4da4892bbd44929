//! Disruption budgets at work in a cluster: the pods of every workload that has one, counted as they come, become ready
//! and go.

use super::pods::{Phase, PodTable};
use crate::controllers::disruption::{CoveredPods, DisruptionBudget, PodHealth};
use crate::scheduler::{ClusterState, PodId, preemption};
use std::collections::BTreeMap;

/// The budgets of one cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budgets {
    guarded: Vec<Guarded>,
    /// By the number of the workload.
    places: BTreeMap<u32, usize>,
}

/// A workload with a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    pub(crate) budget: DisruptionBudget,
    pub(crate) pods: CoveredPods,
}

impl Budgets {
    /// A workload with a budget gets, or has changed, its replicas here.
    pub(crate) fn guard(&mut self, workload: u32, budget: DisruptionBudget, replicas: u32) {
        let place = *self.places.entry(workload).or_insert_with(|| {
            self.guarded.push(Guarded { budget, pods: CoveredPods::default() });
            self.guarded.len() - 1
        });
        self.guarded[place].pods.replicas = replicas;
    }

    /// A pod goes from one phase to another; from none when it is made, to none when it is gone.
    #[inline]
    pub(crate) fn count(&mut self, workload: u32, from: Option<Phase>, to: Option<Phase>) {
        if !self.guarded.is_empty() {
            self.count_guarded(workload, from, to);
        }
    }

    fn count_guarded(&mut self, workload: u32, from: Option<Phase>, to: Option<Phase>) {
        let Some(&place) = self.places.get(&workload) else { return };
        let is_healthy = |phase: Option<Phase>| u32::from(phase == Some(Phase::Ready));
        let pods = &mut self.guarded[place].pods;
        pods.existing = pods.existing + u32::from(to.is_some()) - u32::from(from.is_some());
        pods.healthy = pods.healthy + is_healthy(to) - is_healthy(from);
    }

    /// Where a workload's budget stands in [`Self::allowed`].
    pub(crate) fn place(&self, workload: u32) -> Option<usize> {
        self.places.get(&workload).copied()
    }

    pub(crate) fn of(&self, workload: u32) -> Option<&Guarded> {
        self.place(workload).map(|place| &self.guarded[place])
    }

    /// How many healthy pods may go now, per budget.
    pub(crate) fn allowed(&self) -> Vec<u32> {
        self.guarded.iter().map(|guarded| guarded.budget.allowed(guarded.pods)).collect()
    }

    /// Whether a pod in this phase may be evicted.
    pub(crate) fn permit(&self, workload: u32, phase: Phase) -> bool {
        let health = match phase {
            Phase::Ready => PodHealth::Ready,
            Phase::Waiting | Phase::Starting | Phase::Stopping | Phase::Succeeded => PodHealth::Idle,
        };
        let guarded = self.place(workload).map(|place| self.guarded[place]);
        guarded.is_none_or(|guarded| guarded.budget.permits(guarded.pods, health))
    }
}

/// The budgets as preemption asks for them.
pub(super) struct ForPreemption<'a> {
    pub(super) budgets: &'a Budgets,
    pub(super) pods: &'a PodTable,
}

impl preemption::Budgets for ForPreemption<'_> {
    fn allowed(&self) -> Vec<i32> {
        self.budgets.allowed().into_iter().map(|allowed| i32::try_from(allowed).unwrap_or(i32::MAX)).collect()
    }

    fn covering(&self, _: &ClusterState, pod: PodId) -> Vec<usize> {
        let workload = self.pods.by_id(pod).map(|record| record.owner.workload);
        workload.and_then(|workload| self.budgets.place(workload)).into_iter().collect()
    }
}
