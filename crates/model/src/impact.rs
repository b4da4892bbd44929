//! What an action is expected to change, in numbers a reviewer can compare with what happened.

use crate::money::MicroDollars;
use crate::names::ClusterName;
use crate::ratio::Ratio;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The expected change of one action, together with all that is already approved or under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impact {
    pub clusters: BTreeMap<ClusterName, ClusterImpact>,
    /// Pods that stop and start again elsewhere.
    pub pods_moved: u32,
    pub cost_per_hour_before: MicroDollars,
    pub cost_per_hour_after: MicroDollars,
}

/// One cluster before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterImpact {
    pub load_before: Ratio,
    pub load_after: Ratio,
    pub pending_before: u32,
    pub pending_after: u32,
    /// What becomes of the action's own workload there; absent if the action is about none, and in records from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload: Option<WorkloadImpact>,
}

/// The pods of one workload in one cluster, before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadImpact {
    pub before: Pods,
    pub after: Pods,
}

/// Pods with a node, and pods that wait for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pods {
    pub running: u32,
    pub waiting: u32,
}
