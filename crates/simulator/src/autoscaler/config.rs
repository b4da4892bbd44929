//! The autoscaler's settings; the defaults are those of cluster-autoscaler 1.36.

use model::money::MicroDollars;
use model::ratio::Ratio;
use model::time::Period;

/// How one of several possible scale-ups is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expander {
    /// The smallest share of CPU and memory left unused on the new nodes.
    LeastWaste,
    /// Any.
    Random,
    /// The most pods helped.
    MostPods,
    /// The fewest new nodes.
    LeastNodes,
    /// The best value for money, leaning towards a node size that suits the cluster.
    Price,
    /// The highest priority that groups were given; groups without one only if no group has one.
    Priority,
}

/// What a pod's requests would cost, to relate the price of nodes to the work on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodPrices {
    pub core_hour: MicroDollars,
    pub gibibyte_hour: MicroDollars,
}

impl Default for PodPrices {
    /// The rates of upstream's price model for Compute Engine.
    fn default() -> Self {
        Self { core_hour: MicroDollars(33_174), gibibyte_hour: MicroDollars(4_446) }
    }
}

/// Settings of one cluster's autoscaler. The upstream flag stands beside each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutoscalerConfig {
    /// `scan-interval`.
    pub scan_interval: Period,
    /// `expander`: each keeps the options it finds best; what is still equal after the last is drawn.
    pub expanders: Vec<Expander>,
    pub pod_prices: PodPrices,
    /// `max-nodes-total`; nothing is no limit.
    pub max_nodes_total: Option<u32>,
    /// `max-nodes-per-scaleup`.
    pub max_nodes_per_scale_up: u32,
    /// While even the oldest waiting pod is younger than this, more are expected and nothing is added. Not a flag.
    pub pod_gathering: Period,
    /// `expendable-pods-priority-cutoff`: pods of lower priority add no node and hold none.
    pub expendable_below: i32,
    /// `max-node-provision-time`.
    pub max_node_provision_time: Period,
    /// `initial-node-group-backoff-duration`, doubled by each later failure.
    pub initial_backoff: Period,
    /// `max-node-group-backoff-duration`.
    pub max_backoff: Period,
    /// `node-group-backoff-reset-timeout`: so long after a failure it is forgotten.
    pub backoff_reset: Period,
    /// `scale-down-enabled`.
    pub scale_down: bool,
    /// `scale-down-utilization-threshold`.
    pub scale_down_below: Ratio,
    /// `ignore-daemonsets-utilization`.
    pub ignore_daemons: bool,
    /// `ignore-mirror-pods-utilization`.
    pub ignore_mirrors: bool,
    /// `scale-down-unneeded-time`.
    pub unneeded_for: Period,
    /// `scale-down-unready-time`.
    pub unready_for: Period,
    /// `scale-down-delay-after-add`.
    pub delay_after_add: Period,
    /// `scale-down-delay-after-delete`.
    pub delay_after_delete: Period,
    /// `scale-down-delay-after-failure`.
    pub delay_after_failure: Period,
    /// `unremovable-node-recheck-timeout`.
    pub unremovable_recheck: Period,
    /// `max-scale-down-parallelism`: nodes being removed at once.
    pub max_parallel: u32,
    /// `max-drain-parallelism`: nodes with pods among those.
    pub max_parallel_drains: u32,
    /// `skip-nodes-with-system-pods`.
    pub keep_system_pods: bool,
    /// `bsp-disruption-timeout`: system pods older than this hold no node.
    pub system_pods_hold_for: Period,
    /// `skip-nodes-with-local-storage`.
    pub keep_local_storage: bool,
    /// `max-total-unready-percentage`: with more unready nodes, and more than the next field, nothing is done.
    pub max_unready: Ratio,
    /// `ok-total-unready-count`.
    pub acceptable_unready: u32,
}

impl Default for AutoscalerConfig {
    fn default() -> Self {
        Self {
            scan_interval: Period::from_secs(10),
            expanders: vec![Expander::LeastWaste],
            pod_prices: PodPrices::default(),
            max_nodes_total: None,
            max_nodes_per_scale_up: 1000,
            pod_gathering: Period::from_secs(2),
            expendable_below: -10,
            max_node_provision_time: Period::from_minutes(15),
            initial_backoff: Period::from_minutes(5),
            max_backoff: Period::from_minutes(30),
            backoff_reset: Period::from_hours(3),
            scale_down: true,
            scale_down_below: Ratio::from_percent(50),
            ignore_daemons: false,
            ignore_mirrors: false,
            unneeded_for: Period::from_minutes(10),
            unready_for: Period::from_minutes(20),
            delay_after_add: Period::from_minutes(10),
            delay_after_delete: Period::ZERO,
            delay_after_failure: Period::from_minutes(3),
            unremovable_recheck: Period::from_minutes(5),
            max_parallel: 10,
            max_parallel_drains: 1,
            keep_system_pods: true,
            system_pods_hold_for: Period::from_hours(1),
            keep_local_storage: true,
            max_unready: Ratio::from_percent(45),
            acceptable_unready: 3,
        }
    }
}
