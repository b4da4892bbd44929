//! Which nodes may be disrupted, what that would cost, and how many at once.

use super::config::{NodePool, ProvisionerConfig};
use super::memory::ProvisionerMemory;
use super::simulation::reschedulable;
use super::view::ProvisionerView;
use crate::autoscaler::{GroupId, NodeView};
use crate::controllers::int_or_percent::Rounding;
use crate::scheduler::{NodeId, PodId};
use model::money::MicroDollars;
use model::time::Timestamp;

/// What disrupting a node costs before any pod of it counts.
const NODE_COST: f64 = 1.0;

/// A node that may be disrupted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) node: NodeId,
    pub(super) group: GroupId,
    pub(super) node_pool: usize,
    /// Nothing is a price that is not known.
    pub(super) price: MicroDollars,
    pub(super) spot: bool,
    /// 1 for the node and about 1 for each pod that has to move.
    pub(super) cost: f64,
}

/// Why a node is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    NotManaged,
    BeingRemoved,
    NotReady,
    /// Pods are meant for it.
    Nominated {
        until: Timestamp,
    },
    DoNotDisrupt {
        pod: PodId,
    },
    /// The disruption budget of a pod allows no eviction now.
    DisruptionBudget {
        pod: PodId,
    },
    ConsolidationDisabled,
    /// A pod came or went a short while ago.
    NotQuiet {
        until: Timestamp,
    },
}

impl Candidate {
    /// No pod would have to move, at least none whose move costs anything.
    pub(super) fn is_empty(&self) -> bool {
        self.cost <= NODE_COST
    }

    /// Dollars per hour by disruption: the larger, the sooner it is disrupted.
    pub(super) fn savings_ratio(&self) -> f64 {
        self.price.as_dollars_float() / self.cost
    }
}

/// What evicting a pod costs; between -10 and 10, and 1 for a pod that says nothing.
pub(super) fn eviction_cost(deletion_cost: i32, priority: i32) -> f64 {
    let by_owner = f64::from(deletion_cost) / f64::from(1 << 27);
    let by_priority = f64::from(priority) / f64::from(1 << 25);
    (1.0 + by_owner + by_priority).clamp(-10.0, 10.0)
}

/// Pods that are cheaper than nothing make no node cheaper.
pub(super) fn disruption_cost(view: &ProvisionerView<'_>, node: NodeId) -> f64 {
    let pods = reschedulable(view, node).map(|pod| {
        let priority = view.cluster.state.pod(pod).map_or(0, |placed| placed.details.priority);
        eviction_cost((view.disruption)(pod).deletion_cost, priority).max(0.0)
    });
    pods.fold(NODE_COST, |sum, cost| sum + cost)
}

/// All candidates, and why the other nodes are none.
pub(super) fn candidates(
    now: Timestamp,
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    memory: &ProvisionerMemory,
) -> (Vec<Candidate>, Vec<(NodeId, Kept)>) {
    let (mut found, mut kept) = (Vec::new(), Vec::new());
    for one in view.cluster.nodes {
        match candidate(now, config, view, memory, one) {
            Ok(candidate) => found.push(candidate),
            Err(reason) => kept.push((one.node, reason)),
        }
    }
    (found, kept)
}

fn candidate(
    now: Timestamp,
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    memory: &ProvisionerMemory,
    one: &NodeView,
) -> Result<Candidate, Kept> {
    let offering = one.group.and_then(|group| view.catalogue.of_group(group)).ok_or(Kept::NotManaged)?;
    if one.removing.is_some() {
        return Err(Kept::BeingRemoved);
    }
    if !one.ready {
        return Err(Kept::NotReady);
    }
    if let Some(until) = memory.nominated_until(now, one.node, one.created) {
        return Err(Kept::Nominated { until });
    }
    blocking_pod(view, one.node)?;
    quiet(now, &config.node_pools[offering.node_pool], (view.quiet_since)(one.node))?;
    Ok(Candidate {
        node: one.node,
        group: offering.group,
        node_pool: offering.node_pool,
        price: offering.price_per_hour,
        spot: offering.spot,
        cost: disruption_cost(view, one.node),
    })
}

fn blocking_pod(view: &ProvisionerView<'_>, node: NodeId) -> Result<(), Kept> {
    let active = || view.cluster.state.pods_on(node).iter().filter(|pod| (view.disruption)(**pod).active);
    if let Some(&pod) = active().find(|pod| (view.disruption)(**pod).do_not_disrupt) {
        return Err(Kept::DoNotDisrupt { pod });
    }
    let is_exhausted = |pod: &&PodId| {
        let budget = (view.cluster.pod)(**pod).budget;
        budget.is_some_and(|budget| view.cluster.budgets[budget.index()] == 0)
    };
    active().find(is_exhausted).map_or(Ok(()), |&pod| Err(Kept::DisruptionBudget { pod }))
}

fn quiet(now: Timestamp, pool: &NodePool, since: Timestamp) -> Result<(), Kept> {
    let until = since + pool.consolidate_after.ok_or(Kept::ConsolidationDisabled)?;
    if until > now { Err(Kept::NotQuiet { until }) } else { Ok(()) }
}

/// What may still be disrupted: by node pool, because of budgets, and by pool of the scenario, because of its minimum.
#[derive(Clone, Debug)]
pub(super) struct Allowance {
    by_node_pool: Vec<u32>,
    by_group: Vec<u32>,
    /// Some candidate was refused because of a budget or a minimum.
    pub(super) refused: bool,
}

impl Allowance {
    pub(super) fn new(config: &ProvisionerConfig, view: &ProvisionerView<'_>) -> Self {
        let mut nodes = vec![(0, 0); config.node_pools.len()];
        for one in view.cluster.nodes {
            if let Some(offering) = one.group.and_then(|group| view.catalogue.of_group(group)) {
                let (all, disrupted) = &mut nodes[offering.node_pool];
                *all += 1;
                *disrupted += u32::from(one.removing.is_some() || !one.ready);
            }
        }
        let by_node_pool = config
            .node_pools
            .iter()
            .zip(nodes)
            .map(|(pool, (all, disrupted))| pool.budget.of(all, Rounding::Up).saturating_sub(disrupted));
        let spare = view
            .cluster
            .groups
            .iter()
            .zip(view.marked)
            .map(|(group, marked)| group.target.saturating_sub(*marked).saturating_sub(group.minimum));
        Self { by_node_pool: by_node_pool.collect(), by_group: spare.collect(), refused: false }
    }

    pub(super) fn permits(&mut self, one: &Candidate) -> bool {
        let permitted = self.by_node_pool[one.node_pool] > 0 && self.by_group[one.group.index()] > 0;
        self.refused |= !permitted;
        permitted
    }

    /// Uses up what disrupting the candidate takes, if it is permitted.
    pub(super) fn take(&mut self, one: &Candidate) -> bool {
        let permitted = self.permits(one);
        if permitted {
            self.by_node_pool[one.node_pool] -= 1;
            self.by_group[one.group.index()] -= 1;
        }
        permitted
    }
}

/// The best saving for its disruption first.
pub(super) fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| other.savings_ratio().total_cmp(&one.savings_ratio()));
}
