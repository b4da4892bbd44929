//! Adding up what was seen, times how long it held. Integers, so that the order of the clusters changes nothing.

use model::snapshot::{ClusterView, PoolView};
use model::time::Period;
use serde::{Deserialize, Serialize};
use simulator::world::Span;

/// What was seen of a cluster, or of all of them, times milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    milliseconds: u128,
    cpu: Load,
    memory: Load,
    pending: u128,
    with_pending: u128,
    most_pending: u64,
    nodes: u128,
    /// In millionths of dollars per hour.
    cost: i128,
}

/// One resource: how much of it was requested, how much there was, and the share of it in parts per million.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    allocated: u128,
    capacity: u128,
    share: u128,
}

impl Load {
    fn hold(&mut self, allocated: u64, capacity: u64, lasted: u128) {
        self.allocated += u128::from(allocated) * lasted;
        self.capacity += u128::from(capacity) * lasted;
        let share = (u128::from(allocated) * 1_000_000).checked_div(u128::from(capacity));
        self.share += share.unwrap_or_default() * lasted;
    }
}

impl Sums {
    pub(super) const fn is_empty(&self) -> bool {
        self.milliseconds == 0
    }

    /// These clusters stood like this for so long.
    pub(super) fn hold<'a>(
        &mut self,
        clusters: impl Iterator<Item = &'a ClusterView> + Clone,
        lasted: Period,
    ) {
        let lasted = u128::from(lasted.as_millis());
        if lasted == 0 {
            return;
        }
        let sum = |of: fn(&ClusterView) -> u64| clusters.clone().map(of).sum::<u64>();
        let pending = sum(|view| u64::from(view.pods_pending));
        self.milliseconds += lasted;
        self.cpu.hold(sum(|view| view.allocated.cpu.0), sum(|view| view.capacity.cpu.0), lasted);
        self.memory.hold(sum(|view| view.allocated.memory.0), sum(|view| view.capacity.memory.0), lasted);
        self.pending += u128::from(pending) * lasted;
        self.with_pending += if pending > 0 { lasted } else { 0 };
        self.most_pending = self.most_pending.max(pending);
        self.nodes +=
            u128::from(sum(|view| view.pools.values().map(|pool| u64::from(pool.nodes)).sum())) * lasted;
        self.cost += clusters.map(cost_per_hour).sum::<i128>() * lasted as i128;
    }

    /// A cluster's load is the mean of its load.
    pub(super) fn of_cluster(&self) -> Span {
        let mean = |load: Load| self.mean(load.share) / 1e6;
        Span { cpu_load: mean(self.cpu), memory_load: mean(self.memory), ..self.apart_from_loads() }
    }

    /// The federation's load is all requests over all capacity.
    pub(super) fn of_federation(&self) -> Span {
        let share =
            |load: Load| if load.capacity == 0 { 0.0 } else { load.allocated as f64 / load.capacity as f64 };
        Span { cpu_load: share(self.cpu), memory_load: share(self.memory), ..self.apart_from_loads() }
    }

    fn apart_from_loads(&self) -> Span {
        Span {
            pending_pods: self.mean(self.pending),
            pending_pods_max: self.most_pending,
            pending_time: self.mean(self.with_pending),
            ready_nodes: self.mean(self.nodes),
            cost_per_hour: if self.is_empty() {
                0.0
            } else {
                self.cost as f64 / self.milliseconds as f64 / 1e6
            },
            ..Span::default()
        }
    }

    fn mean(&self, sum: u128) -> f64 {
        if self.is_empty() { 0.0 } else { sum as f64 / self.milliseconds as f64 }
    }
}

fn cost_per_hour(view: &ClusterView) -> i128 {
    let price = |pool: &PoolView| i128::from(pool.price_per_hour.0) * i128::from(pool.nodes + pool.booting);
    view.pools.values().map(price).sum()
}
