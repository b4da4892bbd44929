//! Prefers nodes on which the pod leaves CPU and memory evenly used.

use super::node_resources_fit::{ScoredResource, scored_amounts};
use crate::scheduler::nodes::NodeId;
use crate::scheduler::profile::{MAX_NODE_SCORE, Version};
use crate::scheduler::state::ClusterState;
use crate::scheduler::template::Template;

/// A pod that asks for nothing would make every node look balanced; it is not scored.
pub fn scores(template: &Template) -> bool {
    template.balanced_requests.iter().any(|request| *request != 0)
}

/// The final score of a node. Up to 1.35 the balance with the pod; since 1.36 how the pod changes it, 75 meaning not at
/// all.
#[inline]
pub fn score(state: &ClusterState, template: &Template, node: NodeId) -> i64 {
    let compares = state.profile.version >= Version::V1_36;
    let resources = state.scoring.balanced.as_slice();
    let requests = template.balanced_requests.as_slice();
    if let ([ScoredResource::Cpu, ScoredResource::Memory], [cpu, memory], false) =
        (resources, requests, compares)
    {
        let node = &state.nodes.resources[node.index()];
        let cpu = (node.allocatable_cpu, node.requested_cpu + cpu);
        let memory = (node.allocatable_memory, node.requested_memory + memory);
        return balance([cpu, memory].into_iter());
    }
    let amounts = |with_pod: bool| {
        resources.iter().zip(requests).map(move |(&resource, &request)| {
            let (capacity, used) = scored_amounts(state, resource, request, node, false);
            (capacity, if with_pod { used } else { used - request })
        })
    };
    let with = balance(amounts(true));
    if compares { 50 + (50 + with - balance(amounts(false))) / 2 } else { with }
}

/// 100 less the standard deviation of the used shares, in per cent. Resources the node lacks are left out.
#[inline]
fn balance(resources: impl Iterator<Item = (i64, i64)> + Clone) -> i64 {
    let share = |(capacity, used): (i64, i64)| (used as f64 / capacity as f64).min(1.0);
    let shares = resources.filter(|(capacity, _)| *capacity != 0).map(share);
    let mut both = shares.clone();
    let deviation = match (both.next(), both.next(), both.next()) {
        (Some(first), Some(second), None) => ((first - second) / 2.0).abs(),
        (Some(_), Some(_), Some(_)) => {
            let count = shares.clone().count() as f64;
            let mean = shares.clone().sum::<f64>() / count;
            libm::sqrt(shares.map(|share| (share - mean) * (share - mean)).sum::<f64>() / count)
        }
        _ => 0.0,
    };
    ((1.0 - deviation) * MAX_NODE_SCORE as f64) as i64
}
