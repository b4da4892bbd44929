//! What is being placed: a workload's wish for replicas and where it was placed before.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cluster and the replicas it is to run, named as in a ResourceBinding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetCluster {
    pub name: String,
    #[serde(default)]
    pub replicas: u32,
}

impl TargetCluster {
    pub fn new(name: impl Into<String>, replicas: u32) -> Self {
        Self { name: name.into(), replicas }
    }
}

/// The replicas of all clusters together; wider than one cluster's count, so it cannot overflow.
pub fn total_replicas(targets: &[TargetCluster]) -> u64 {
    targets.iter().map(|target| u64::from(target.replicas)).sum()
}

/// Adds `extra` to `kept`: the clusters of `extra` in their order, then those that only `kept` has, by name.
pub fn merge(kept: &[TargetCluster], extra: Vec<TargetCluster>) -> Vec<TargetCluster> {
    if extra.is_empty() {
        return kept.to_vec();
    }
    let mut left: BTreeMap<&str, u32> =
        kept.iter().map(|target| (target.name.as_str(), target.replicas)).collect();
    let mut merged = extra;
    for target in &mut merged {
        target.replicas += left.remove(target.name.as_str()).unwrap_or(0);
    }
    merged.extend(left.into_iter().map(|(name, replicas)| TargetCluster::new(name, replicas)));
    merged
}

/// How a former result is treated when replicas are divided by what clusters can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AssignmentMode {
    /// Keep the former result and divide only the difference.
    #[default]
    Steady,
    /// Divide everything anew (a WorkloadRebalancer asked for it); what already runs counts as room.
    Fresh,
}

/// The binding to place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BindingState {
    /// The UID of the propagated resource (not of the binding): its hash decides who wins a tie.
    #[serde(default)]
    pub uid: String,
    #[serde(default)]
    pub replicas: u32,
    /// Whether the resource's pods request anything. With no replicas and no requirements the resource counts as
    /// configuration: it goes to every selected cluster, without replicas.
    #[serde(default)]
    pub has_replica_requirements: bool,
    /// The former result.
    #[serde(default)]
    pub previous: Vec<TargetCluster>,
    /// Clusters the binding is being evicted from.
    #[serde(default)]
    pub graceful_evictions: Vec<String>,
    /// The affinity group of the former result; the search starts there and never goes back to an earlier group.
    #[serde(default)]
    pub observed_affinity: Option<String>,
    #[serde(default)]
    pub mode: AssignmentMode,
    /// The scheduler's `enable-empty-workload-propagation`: selected clusters that get no replica stay in the result.
    #[serde(default)]
    pub propagate_empty: bool,
}

impl BindingState {
    pub fn is_workload(&self) -> bool {
        self.replicas > 0 || self.has_replica_requirements
    }

    pub fn is_placed_on(&self, cluster: &str) -> bool {
        self.previous.iter().any(|target| target.name == cluster)
    }

    pub fn replicas_on(&self, cluster: &str) -> u32 {
        self.previous.iter().find(|target| target.name == cluster).map_or(0, |target| target.replicas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(list: &[(&str, u32)]) -> Vec<TargetCluster> {
        list.iter().map(|(name, replicas)| TargetCluster::new(*name, *replicas)).collect()
    }

    fn check(kept: &[(&str, u32)], extra: &[(&str, u32)], expected: &[(&str, u32)]) {
        assert_eq!(merge(&targets(kept), targets(extra)), targets(expected));
    }

    #[test]
    fn merging() {
        check(&[], &[("a", 1)], &[("a", 1)]);
        check(&[("a", 1)], &[], &[("a", 1)]);
        check(&[("z", 1), ("a", 2), ("m", 4)], &[("m", 8)], &[("m", 12), ("a", 2), ("z", 1)]);
    }
}
