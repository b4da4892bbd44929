//! What orders and gives up nodes by itself, as a person writes it; see [`super::raw`].

use super::disruption_budget::CountOrShare;
use model::money::MicroDollars;
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cluster autoscaler or Karpenter; the defaults are upstream's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawAutoscaler {
    #[serde(skip_serializing_if = "super::raw::is_default")]
    pub kind: RawAutoscalerKind,
    /// Cluster autoscaler: how often it looks.
    pub scan_every: Period,
    /// Cluster autoscaler: a node whose requests stay below this share of its capacity is not needed.
    #[schemars(extend("maximum" = 1))]
    pub scale_down_below: Ratio,
    /// Cluster autoscaler: how long a node must be unneeded before it is removed.
    pub unneeded_for: Period,
    /// Cluster autoscaler: how long nothing is removed after nodes were added.
    pub delay_after_add: Period,
    /// Cluster autoscaler: which of several pools grows: least-waste (the default), most-pods, least-nodes, price,
    /// priority or random; several with commas, each deciding between what is equal to those before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expander: Option<String>,
    /// Karpenter: which nodes may be given up; WhenEmptyOrUnderutilized by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolidation: Option<RawConsolidation>,
    /// Karpenter: how long no pod must have come to a node or left it before it may be given up; 0s by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolidate_after: Option<Period>,
    /// Karpenter: how many nodes of a node pool may be given up at once, a number or a percentage; 10% by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<CountOrShare>,
    /// Karpenter: so long no further pod must come before nodes are ordered; 1s by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_idle: Option<Period>,
    /// Karpenter: nodes are ordered at the latest this long after the first pod came; 10s by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_max: Option<Period>,
    /// Karpenter: whether a spot node may be replaced by a cheaper spot node; not by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot_to_spot: Option<bool>,
    /// Karpenter: sets of pools with rules of their own. Without any, all pools are one; with some, pools in none of
    /// them are left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_pools: Vec<RawNodePool>,
}

impl Default for RawAutoscaler {
    fn default() -> Self {
        Self {
            kind: RawAutoscalerKind::default(),
            scan_every: Period::from_secs(10),
            scale_down_below: Ratio::from_percent(50),
            unneeded_for: Period::from_minutes(10),
            delay_after_add: Period::from_minutes(10),
            expander: None,
            consolidation: None,
            consolidate_after: None,
            budget: None,
            batch_idle: None,
            batch_max: None,
            spot_to_spot: None,
            node_pools: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawAutoscalerKind {
    /// Pools grow when pods wait and shrink when nodes are idle.
    #[default]
    ClusterAutoscaler,
    /// The cheapest node that pods fit on is ordered, and nodes are given up or replaced when that saves money.
    Karpenter,
}

/// Which nodes may be given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RawConsolidation {
    /// Those without pods.
    WhenEmpty,
    /// Also those whose pods fit elsewhere, or on one cheaper node.
    WhenEmptyOrUnderutilized,
    /// As before, if the saving is worth the disruption.
    Balanced,
    /// None.
    Never,
}

/// Karpenter's node pool: pools of the cluster as its instance types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawNodePool {
    /// The pools of the cluster that belong to it.
    #[schemars(length(min = 1))]
    pub pools: Vec<String>,
    /// Node pools of larger weight are asked first.
    #[serde(default, skip_serializing_if = "super::raw::is_default")]
    #[schemars(range(max = 100))]
    pub weight: u32,
    /// The most that its nodes may have together.
    #[serde(default, skip_serializing_if = "super::raw::is_default")]
    pub limits: RawNodePoolLimits,
    /// As for the whole autoscaler, for this node pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consolidation: Option<RawConsolidation>,
    /// As for the whole autoscaler, for this node pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consolidate_after: Option<Period>,
    /// As for the whole autoscaler, for this node pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<CountOrShare>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawNodePoolLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<MilliCpu>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
}

/// Nodes that cost less and that the provider takes back with two minutes' notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawSpot {
    /// What a node costs instead of the pool's price.
    pub price_per_hour: MicroDollars,
    /// How often each node is taken back, on average.
    #[serde(default, skip_serializing_if = "super::raw::is_default")]
    #[schemars(extend("maximum" = 60))]
    pub interruptions_per_hour: Ratio,
}
