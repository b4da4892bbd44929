//! How many replicas a cluster can take, node by node or from totals. All amounts are whole numbers: cpu in
//! millicores, everything else in its own unit; `pods` is a resource like the others.

use std::collections::BTreeMap;

/// Resource name to amount.
pub type Amounts = BTreeMap<String, u64>;

/// The name of the resource that limits how many pods a node or cluster may run.
pub const PODS: &str = "pods";

/// The largest number of replicas upstream can express; an estimate of this size means "no limit known".
pub const UNLIMITED: u32 = i32::MAX as u32;

/// What Karmada's virtual nodes of a resource model may run: the kubelet's default.
const PODS_PER_MODEL_NODE: u64 = 110;

/// The scheduler estimator: the sum of what each node can take. `free` has one entry for each node that the pods may
/// run on, with what is left there; a resource that is missing is not there.
pub fn by_nodes<'a>(free: impl IntoIterator<Item = &'a Amounts>, requests: &Amounts) -> u32 {
    to_replicas(free.into_iter().map(|node| fits(node, requests)).sum())
}

/// A cluster's totals, as its status reports them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    pub allocatable: Amounts,
    pub allocated: Amounts,
    /// Requested by pods that have no node yet.
    pub allocating: Amounts,
}

impl Summary {
    fn left(&self) -> Amounts {
        let used = |amounts: &Amounts, name: &String| amounts.get(name).copied().unwrap_or(0);
        let left = |(name, amount): (&String, &u64)| {
            let taken = used(&self.allocated, name).saturating_add(used(&self.allocating, name));
            (name.clone(), amount.saturating_sub(taken))
        };
        self.allocatable.iter().map(left).collect()
    }
}

/// The general estimator on totals: an upper bound that does not see fragmentation.
pub fn by_summary(summary: &Summary, requests: &Amounts) -> u32 {
    to_replicas(fits(&summary.left(), requests))
}

/// Nodes of one grade of a cluster's resource model: how many there are and what each has left at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grade {
    pub nodes: u64,
    pub at_least: Amounts,
}

/// The general estimator on a resource model, which a Karmada cluster has by default: every node counts with the
/// least its grade promises, and the cluster's pods still limit the sum.
pub fn by_model(summary: &Summary, grades: &[Grade], requests: &Amounts) -> u32 {
    let pods = summary.left().get(PODS).copied().unwrap_or(0);
    let of_grade = |grade: &Grade| {
        let mut node = grade.at_least.clone();
        node.insert(PODS.to_owned(), PODS_PER_MODEL_NODE);
        grade.nodes.saturating_mul(fits(&node, requests))
    };
    to_replicas(grades.iter().map(of_grade).fold(0, u64::saturating_add).min(pods))
}

/// What several estimators agree on: the smallest answer; those that have none do not count.
pub fn smallest(estimates: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    estimates.into_iter().flatten().min()
}

/// A request of zero limits nothing; one pod per replica always does.
fn fits(free: &Amounts, requests: &Amounts) -> u64 {
    let amount = |name: &str| free.get(name).copied().unwrap_or(0);
    let limits = requests.iter().filter_map(|(name, request)| amount(name).checked_div(*request));
    limits.min().unwrap_or(u64::MAX).min(amount(PODS))
}

fn to_replicas(count: u64) -> u32 {
    count.min(u64::from(UNLIMITED)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(list: &[(&str, u64)]) -> Amounts {
        list.iter().map(|(name, amount)| ((*name).to_owned(), *amount)).collect()
    }

    #[test]
    fn node_by_node() {
        let nodes = [
            amounts(&[("cpu", 900), ("memory", 4000), (PODS, 10)]),
            amounts(&[("cpu", 900), ("memory", 100), (PODS, 10)]),
            amounts(&[("cpu", 9000), ("memory", 9000), (PODS, 2)]),
        ];
        let check = |requests: &[(&str, u64)], expected| {
            assert_eq!(by_nodes(&nodes, &amounts(requests)), expected, "{requests:?}");
        };
        check(&[("cpu", 500)], 1 + 1 + 2);
        check(&[("cpu", 500), ("memory", 200)], 1 + 2);
        check(&[("cpu", 0)], 10 + 10 + 2);
        check(&[], 22);
        check(&[("nvidia.com/gpu", 1)], 0);
        assert_eq!(by_nodes(&[], &Amounts::new()), 0);
        assert_eq!(by_nodes(&[amounts(&[(PODS, u64::MAX)])], &Amounts::new()), UNLIMITED);
    }

    #[test]
    fn from_totals() {
        let summary = Summary {
            allocatable: amounts(&[("cpu", 4000), ("memory", 8000), (PODS, 20)]),
            allocated: amounts(&[("cpu", 1000), (PODS, 8)]),
            allocating: amounts(&[("cpu", 500), ("memory", 9000), (PODS, 2)]),
        };
        let check = |requests: &[(&str, u64)], expected| {
            assert_eq!(by_summary(&summary, &amounts(requests)), expected, "{requests:?}");
        };
        check(&[("cpu", 1000)], 2);
        check(&[], 10);
        check(&[("memory", 1)], 0);
        check(&[("cpu", 1000), ("absent", 1)], 0);
        // Two nodes with 1250 left each: the totals say 2, the grades say 1 and 1.
        let grades = [Grade { nodes: 2, at_least: amounts(&[("cpu", 1000)]) }];
        assert_eq!(by_model(&summary, &grades, &amounts(&[("cpu", 800)])), 2);
        assert_eq!(by_model(&summary, &grades, &amounts(&[("cpu", 10)])), 10);
        assert_eq!(by_model(&summary, &grades, &amounts(&[("cpu", 1001)])), 0);
        assert_eq!(by_model(&summary, &[], &Amounts::new()), 0);
    }

    #[test]
    fn several_estimators() {
        assert_eq!(smallest([Some(4), None, Some(3)]), Some(3));
        assert_eq!(smallest([None, None]), None);
    }
}
