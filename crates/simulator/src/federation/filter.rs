//! The filters: which clusters may be considered for a binding, and why the others may not.

use super::binding::BindingState;
use super::cluster::{ClusterView, Taint};
use super::placement::{Affinity, AffinityGroup, Placement, Spread, SpreadField};
use serde::Serialize;
use thiserror::Error;

/// Why a filter refuses a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Error)]
#[serde(tag = "filter", rename_all = "camelCase")]
pub enum Refusal {
    #[error("has the taint {taint}, which the placement does not tolerate")]
    TaintToleration { taint: Taint },
    #[error("is not among the clusters of the affinity")]
    ClusterAffinity,
    #[error("has no {missing}, which a spread constraint needs")]
    SpreadConstraint { missing: SpreadField },
    #[error("is being evicted")]
    ClusterEviction,
}

/// The clusters that one round may use.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// What the placement allows without ordered groups.
    Unordered(&'a Affinity),
    Group(&'a AffinityGroup),
}

impl Scope<'_> {
    /// 0 for a cluster of the affinity itself, n for its n-th overflow group, none if the cluster is outside. A
    /// cluster in several groups belongs to the first. Overflow is for workloads only.
    pub fn tier(&self, cluster: &ClusterView, is_workload: bool) -> Option<u32> {
        let group = match self {
            Self::Unordered(Affinity::One(affinity)) => return affinity.matches(cluster).then_some(0),
            Self::Unordered(Affinity::Any | Affinity::Ordered(_)) => return Some(0),
            Self::Group(group) => group,
        };
        if group.clusters.matches(cluster) {
            return Some(0);
        }
        let position = group.overflow.iter().position(|overflow| overflow.clusters.matches(cluster));
        position.filter(|_| is_workload).map(|position| position as u32 + 1)
    }

    pub fn overflows(&self) -> bool {
        matches!(self, Self::Group(group) if !group.overflow.is_empty())
    }

    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Unordered(_) => None,
            Self::Group(group) => Some(&group.name),
        }
    }
}

/// Runs every filter: the cluster's tier, or all the reasons against it. Upstream stops at the first reason, in no
/// fixed order; whether a cluster passes is the same.
pub fn run(
    placement: &Placement,
    scope: Scope<'_>,
    binding: &BindingState,
    cluster: &ClusterView,
) -> Result<u32, Vec<Refusal>> {
    let tier = scope.tier(cluster, binding.is_workload());
    let missing = placement.spread.as_ref().and_then(|spread| missing_property(spread, cluster));
    let evicted = binding.graceful_evictions.contains(&cluster.name);
    let refusals: Vec<Refusal> = [
        untolerated_taint(placement, binding, cluster).map(|taint| Refusal::TaintToleration { taint }),
        tier.is_none().then_some(Refusal::ClusterAffinity),
        missing.map(|missing| Refusal::SpreadConstraint { missing }),
        evicted.then_some(Refusal::ClusterEviction),
    ]
    .into_iter()
    .flatten()
    .collect();
    match tier {
        Some(tier) if refusals.is_empty() => Ok(tier),
        _ => Err(refusals),
    }
}

/// A cluster that already has the binding keeps it: removing it is the taint manager's business, not the scheduler's.
fn untolerated_taint(placement: &Placement, binding: &BindingState, cluster: &ClusterView) -> Option<Taint> {
    if binding.is_placed_on(&cluster.name) {
        return None;
    }
    let tolerated =
        |taint: &Taint| placement.tolerations.iter().any(|toleration| toleration.tolerates(taint));
    cluster.taints_in_effect().find(|taint| taint.effect.forbids_placement() && !tolerated(taint))
}

fn missing_property(spread: &Spread, cluster: &ClusterView) -> Option<SpreadField> {
    let lacks = |wanted: bool, present: bool, field| (wanted && !present).then_some(field);
    lacks(spread.provider.is_some(), cluster.provider.is_some(), SpreadField::Provider)
        .or(lacks(spread.region.is_some(), cluster.region.is_some(), SpreadField::Region))
        .or(lacks(spread.zone.is_some(), !cluster.zones.is_empty(), SpreadField::Zone))
}

#[cfg(test)]
mod tests {
    use super::super::cluster::Health;
    use super::*;
    use serde_json::{Value, json};

    fn check(placement: Value, binding: Value, cluster: Value, expected: Result<u32, Vec<&str>>) {
        let description = format!("{placement} {binding} {cluster}");
        let placement: Placement = serde_json::from_value(placement).expect("a placement");
        let binding: BindingState = serde_json::from_value(binding).expect("a binding");
        let cluster: ClusterView = serde_json::from_value(cluster).expect("a cluster");
        let scope = match &placement.affinity {
            Affinity::Ordered(groups) => Scope::Group(&groups[0]),
            affinity => Scope::Unordered(affinity),
        };
        let names = |refusals: Vec<Refusal>| {
            refusals
                .iter()
                .map(|refusal| serde_json::to_value(refusal).expect("JSON")["filter"].clone())
                .collect()
        };
        let result = run(&placement, scope, &binding, &cluster).map_err(names);
        let expected = expected.map_err(|names| names.into_iter().map(Value::from).collect::<Vec<_>>());
        assert_eq!(result, expected, "{description}");
    }

    #[test]
    fn taints() {
        let tainted = json!({"name": "a", "taints": [{"key": "t", "effect": "NoExecute"}]});
        let tolerant = json!({"clusterTolerations": [{"key": "t", "operator": "Exists"}]});
        let placed = json!({"replicas": 1, "previous": [{"name": "a", "replicas": 1}]});
        check(json!({}), json!({}), json!({"name": "a"}), Ok(0));
        check(json!({}), json!({}), tainted.clone(), Err(vec!["taintToleration"]));
        check(tolerant, json!({}), tainted.clone(), Ok(0));
        check(json!({}), placed, tainted, Ok(0));
        let preferred = json!({"name": "a", "taints": [{"key": "t", "effect": "PreferNoSchedule"}]});
        check(json!({}), json!({}), preferred, Ok(0));
        let unreachable = json!({"name": "a", "health": Health::Unreachable});
        check(json!({}), json!({}), unreachable, Err(vec!["taintToleration"]));
    }

    #[test]
    fn affinity_spread_and_eviction() {
        let only_b = json!({"clusterAffinity": {"clusterNames": ["b"]}});
        check(only_b.clone(), json!({}), json!({"name": "b"}), Ok(0));
        check(only_b.clone(), json!({}), json!({"name": "a"}), Err(vec!["clusterAffinity"]));
        let evicted = json!({"gracefulEvictions": ["a"]});
        check(json!({}), evicted.clone(), json!({"name": "a"}), Err(vec!["clusterEviction"]));
        check(only_b, evicted, json!({"name": "a"}), Err(vec!["clusterAffinity", "clusterEviction"]));
        let spread = |field: &str| json!({"spreadConstraints": [{"maxGroups": 1}, {"spreadByField": field}]});
        for (field, property) in [("region", json!("r")), ("provider", json!("p")), ("zone", json!(["z"]))] {
            let key = if field == "zone" { "zones" } else { field };
            check(spread(field), json!({}), json!({"name": "a"}), Err(vec!["spreadConstraint"]));
            check(spread(field), json!({}), json!({"name": "a", key: property}), Ok(0));
        }
    }

    #[test]
    fn overflow_tiers() {
        let overflow = json!([
            {"affinityName": "second", "clusterNames": ["b"]},
            {"affinityName": "third", "clusterNames": ["a", "b", "c"]},
        ]);
        let placement = json!({
            "clusterAffinities": [{"affinityName": "first", "clusterNames": ["a"], "overflowAffinities": overflow}],
            "replicaScheduling": {"replicaDivisionPreference": "Aggregated"},
        });
        for (cluster, tier) in [("a", 0), ("b", 1), ("c", 2)] {
            check(placement.clone(), json!({"replicas": 1}), json!({"name": cluster}), Ok(tier));
        }
        check(placement.clone(), json!({"replicas": 1}), json!({"name": "d"}), Err(vec!["clusterAffinity"]));
        check(placement, json!({}), json!({"name": "b"}), Err(vec!["clusterAffinity"]));
    }
}
