//! The provisioner's settings; the defaults are those of karpenter 1.15.

use crate::controllers::int_or_percent::IntOrPercent;
use model::time::Period;

/// Which nodes of a node pool may be given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConsolidationPolicy {
    /// Only those without pods.
    WhenEmpty,
    /// Also those whose pods fit elsewhere, or on one cheaper node.
    #[default]
    WhenEmptyOrUnderutilized,
    /// As before, but only if the saving is worth the disruption.
    Balanced,
}

/// The most that all nodes of a node pool may have together; nothing is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodePoolLimits {
    /// In thousandths of a core.
    pub cpu: Option<i64>,
    /// In bytes.
    pub memory: Option<i64>,
    pub nodes: Option<u32>,
}

/// Instance types that are ordered by the same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePool {
    /// Node pools of larger weight are asked first.
    pub weight: u32,
    pub limits: NodePoolLimits,
    pub policy: ConsolidationPolicy,
    /// `consolidateAfter`: how long no pod must have come or gone; nothing is never.
    pub consolidate_after: Option<Period>,
    /// How many of its nodes may be disrupted at once; a share is rounded up.
    pub budget: IntOrPercent,
}

impl Default for NodePool {
    fn default() -> Self {
        Self {
            weight: 0,
            limits: NodePoolLimits::default(),
            policy: ConsolidationPolicy::default(),
            consolidate_after: Some(Period::ZERO),
            budget: IntOrPercent::Percent(10),
        }
    }
}

/// Settings of one cluster's provisioner. The upstream option stands beside each that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvisionerConfig {
    pub node_pools: Vec<NodePool>,
    /// `batch-idle-duration`.
    pub batch_idle: Period,
    /// `batch-max-duration`; nodes that pods are meant for are spared twice as long.
    pub batch_max: Period,
    /// So often pods that still wait are looked at again.
    pub retry_every: Period,
    /// So often nodes to give up are looked for.
    pub poll_every: Period,
    /// So long a command must stay right before it is carried out.
    pub validate_after: Period,
    /// Nodes that turned out to be needed are looked at again after this long even if nothing changed.
    pub recheck_after: Period,
    /// A replacement must be ready within this time, or the command is dropped. Upstream allows more if more than
    /// 7500 nodes are being disrupted.
    pub replaced_within: Period,
    /// `SpotToSpotConsolidation`.
    pub spot_to_spot: bool,
}

impl ProvisionerConfig {
    /// How long a node is spared after pods were meant for it.
    pub fn nomination_window(&self) -> Period {
        self.batch_max.saturating_mul(2).max(Period::from_secs(10))
    }
}

impl Default for ProvisionerConfig {
    fn default() -> Self {
        Self {
            node_pools: vec![NodePool::default()],
            batch_idle: Period::from_secs(1),
            batch_max: Period::from_secs(10),
            retry_every: Period::from_secs(10),
            poll_every: Period::from_secs(10),
            validate_after: Period::from_secs(15),
            recheck_after: Period::from_minutes(5),
            replaced_within: Period::from_minutes(10),
            spot_to_spot: false,
        }
    }
}
