//! The cluster autoscaler's decisions: orders nodes for pods that fit nowhere, and removes nodes that are not needed.
//!
//! Follows cluster-autoscaler 1.36 with its default processors. Not modelled: balancing over similar groups, groups that
//! are created on demand or scale only as a whole, resource quotas, GPUs, hints that remember where a pod fitted before,
//! the health of single groups, and the limits on computing time, since a decision here takes no virtual time.
//! Expendable pods count towards a node's utilisation. Nodes that upstream takes in random order are taken in a fixed one.
//!
//! Nothing here acts: the caller orders, drains and removes, and reports failures to the [`AutoscalerMemory`].

mod config;
mod decisions;
mod drain;
mod estimate;
mod expander;
#[cfg(test)]
pub(crate) mod fixture;
mod memory;
mod scale_down;
mod scale_up;
pub(crate) mod scratch;
#[cfg(test)]
mod tests;
mod view;

pub use config::{AutoscalerConfig, Expander, PodPrices};
pub use decisions::{
    Blocking, Decisions, Explanations, GiveUp, GroupRefusal, Hold, Increase, IncreaseReason, Kept, NoHelp,
    PendingOutcome, Removal, RemovalReason, Unhealthy,
};
pub use memory::{AutoscalerMemory, Backoff};
pub use view::{
    BudgetId, ClusterView, GroupId, GroupView, NodeView, PendingPods, PodOwner, PodTraits, Removing,
};

use model::time::Timestamp;
use scratch::Scratch;

/// Looks at the cluster once, as upstream does every [`AutoscalerConfig::scan_interval`]. `below(n)` draws a number
/// below `n` and is asked only when options are equal. The cluster's state is copied only if pods are waiting or pods
/// would have to move off an underused node.
pub fn scan(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    memory: &mut AutoscalerMemory,
    below: &mut dyn FnMut(u64) -> u64,
) -> Decisions {
    let mut decisions = Decisions { give_up: memory.follow_orders(now, view, config), ..Default::default() };
    let explanations = &mut decisions.explanations;
    explanations.halted = unhealthy(config, view.nodes);
    if explanations.halted.is_some() {
        memory.unneeded_since.clear();
        return decisions;
    }
    let mut scratch = Scratch::new(view);
    let up = scale_up::scale_up(now, config, view, memory, &mut scratch, below);
    explanations.pending = up.pending;
    if let Some(increase) = up.increase {
        memory.scaled_up(now, increase.group, config);
        decisions.increase.push(increase);
        explanations.scale_down_held = Some(Hold::ScalingUp);
        return decisions;
    }
    if !config.scale_down {
        explanations.scale_down_held = Some(Hold::Disabled);
        return decisions;
    }
    let fresh = up.awaits_more_pods.then_some(Hold::FreshPods);
    explanations.scale_down_held = fresh.or_else(|| memory.cool_down(now, config));
    let held = explanations.scale_down_held;
    let down = scale_down::scale_down(now, config, view, memory, &mut scratch, held);
    explanations.kept = down.kept;
    decisions.remove = down.remove;
    decisions
}

/// Too many nodes are unready, in number and in share.
fn unhealthy(config: &AutoscalerConfig, nodes: &[NodeView]) -> Option<Unhealthy> {
    let unready = nodes.iter().filter(|one| !one.ready).count() as u32;
    let too_many = f64::from(unready) > config.max_unready.as_f64() * nodes.len() as f64;
    let found = Unhealthy { unready, nodes: nodes.len() as u32 };
    (too_many && unready > config.acceptable_unready).then_some(found)
}
