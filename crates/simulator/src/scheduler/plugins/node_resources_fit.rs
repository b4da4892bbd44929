//! A node must have room for what a pod asks; nodes are ranked by how much of them is, or stays, in use.

use crate::kube::{CPU, EPHEMERAL_STORAGE, MEMORY};
use crate::scheduler::nodes::{EphemeralStorage, NodeId, NodeResources, ResourceId};
use crate::scheduler::profile::{MAX_NODE_SCORE, Profile, ResourceWeight, ScoringStrategy, ShapePoint};
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{PodRejection, Reason, Rejection, Shortage};
use crate::scheduler::symbol::Interner;
use crate::scheduler::template::Template;

/// A resource that is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredResource {
    Cpu,
    Memory,
    EphemeralStorage,
    Other(ResourceId),
}

/// The profile's scoring with resources resolved.
#[derive(Clone, Debug)]
pub struct CompiledScoring {
    strategy: ScoringStrategy,
    fit: Vec<(ScoredResource, i64)>,
    pub(super) balanced: Vec<ScoredResource>,
}

impl CompiledScoring {
    pub fn new(profile: &Profile, resource_names: &mut Interner) -> Self {
        let mut resolve = |resource: &ResourceWeight| match resource.name.as_str() {
            CPU => ScoredResource::Cpu,
            MEMORY => ScoredResource::Memory,
            EPHEMERAL_STORAGE => ScoredResource::EphemeralStorage,
            other => ScoredResource::Other(resource_names.intern_resource(other)),
        };
        let fit = profile.fit_scoring.resources().iter();
        Self {
            strategy: profile.fit_scoring.strategy().clone(),
            fit: fit.map(|resource| (resolve(resource), resource.weight)).collect(),
            balanced: profile.balanced_resources.iter().map(&mut resolve).collect(),
        }
    }
}

/// Refuses pods with sidecars where the cluster does not know them.
pub fn admit(state: &ClusterState, template: &Template) -> Result<(), PodRejection> {
    if template.has_sidecars && !state.profile.features.sidecar_containers {
        return Err(PodRejection::SidecarsDisabled);
    }
    Ok(())
}

/// Refuses a node without room. A pod that asks for nothing still needs a place among the pods.
#[inline]
pub fn filter(state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
    let resources = &state.nodes.resources[node.index()];
    let wanted = &template.requests;
    let fits = resources.pods < resources.allocatable_pods
        && (wanted.cpu <= resources.allocatable_cpu - resources.requested_cpu || wanted.cpu <= 0)
        && (wanted.memory <= resources.allocatable_memory - resources.requested_memory || wanted.memory <= 0)
        && wanted.ephemeral <= 0
        && wanted.others.is_empty();
    if fits { Ok(()) } else { filter_in_detail(state, template, node) }
}

fn filter_in_detail(state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
    let (mut shortage, mut unresolvable) = (Shortage::default(), false);
    for_each_shortage(state, template, node, |bit, missing| {
        shortage.0 |= bit;
        unresolvable |= missing.unresolvable();
    });
    if shortage.is_none() {
        Ok(())
    } else {
        Err(Rejection { reason: Reason::Resources(shortage), unresolvable })
    }
}

/// A resource of which a node has too little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// `None` is the number of pods.
    pub resource: Option<ScoredResource>,
    pub requested: i64,
    pub used: i64,
    pub capacity: i64,
}

impl Missing {
    /// Even an empty node would be too small. The number of pods never counts as that.
    pub fn unresolvable(&self) -> bool {
        self.resource.is_some() && self.requested > self.capacity
    }
}

/// Everything that a node lacks for a pod.
pub fn missing(state: &ClusterState, template: &Template, node: NodeId) -> Vec<Missing> {
    let mut all = Vec::new();
    for_each_shortage(state, template, node, |_, missing| all.push(missing));
    all
}

fn for_each_shortage(
    state: &ClusterState,
    template: &Template,
    node: NodeId,
    mut report: impl FnMut(u64, Missing),
) {
    let resources = &state.nodes.resources[node.index()];
    let wanted = &template.requests;
    if resources.pods + 1 > resources.allocatable_pods {
        let (used, capacity) = (resources.pods, resources.allocatable_pods);
        report(Shortage::PODS, Missing { resource: None, requested: 1, used, capacity });
    }
    let mut check = |bit: u64, resource, requested: i64, used: i64, capacity: i64| {
        if requested > 0 && requested > capacity - used {
            report(bit, Missing { resource: Some(resource), requested, used, capacity });
        }
    };
    let NodeResources { requested_cpu, requested_memory, .. } = *resources;
    check(Shortage::CPU, ScoredResource::Cpu, wanted.cpu, requested_cpu, resources.allocatable_cpu);
    check(
        Shortage::MEMORY,
        ScoredResource::Memory,
        wanted.memory,
        requested_memory,
        resources.allocatable_memory,
    );
    let details = &state.nodes.details[node.index()];
    let EphemeralStorage { allocatable, requested } = details.ephemeral;
    let ephemeral = ScoredResource::EphemeralStorage;
    check(Shortage::EPHEMERAL_STORAGE, ephemeral, wanted.ephemeral, requested, allocatable);
    for (index, &(resource, amount)) in wanted.others.iter().enumerate() {
        let (used, capacity) =
            (details.requested_others.get(resource), details.allocatable_others.get(resource));
        let bit = 1 << (Shortage::FIRST_OTHER as usize + index);
        check(bit, ScoredResource::Other(resource), amount, used, capacity);
    }
}

/// The final score of a node: no normalisation follows.
#[inline]
pub fn score(state: &ClusterState, template: &Template, node: NodeId) -> i64 {
    let scoring = &state.scoring;
    let requests = &template.fit_score_requests;
    if let (ScoringStrategy::LeastAllocated, [(ScoredResource::Cpu, cpu), (ScoredResource::Memory, memory)]) =
        (&scoring.strategy, scoring.fit.as_slice())
    {
        let resources = &state.nodes.resources[node.index()];
        return least_of_cpu_and_memory(resources, requests[0], requests[1], (*cpu, *memory));
    }
    let resources = scoring.fit.iter().zip(requests).map(|(&(resource, weight), &request)| {
        let (capacity, used) = scored_amounts(state, resource, request, node, true);
        (capacity, used, weight)
    });
    combine(&scoring.strategy, resources)
}

/// The common case without indirection.
#[inline]
fn least_of_cpu_and_memory(node: &NodeResources, cpu: i64, memory: i64, weights: (i64, i64)) -> i64 {
    let (cpu_weight, memory_weight) = weights;
    if node.allocatable_cpu == 0 || node.allocatable_memory == 0 {
        let resources = [
            (node.allocatable_cpu, node.scored_cpu + cpu, cpu_weight),
            (node.allocatable_memory, node.scored_memory + memory, memory_weight),
        ];
        return combine(&ScoringStrategy::LeastAllocated, resources.into_iter());
    }
    let by_cpu = least(node.allocatable_cpu, node.scored_cpu + cpu);
    let by_memory = least(node.allocatable_memory, node.scored_memory + memory);
    // Both factors are small, so 32 bits hold the product and divide faster.
    let sum = (by_cpu * cpu_weight + by_memory * memory_weight) as u32;
    i64::from(sum / (cpu_weight + memory_weight) as u32)
}

/// Weighted mean over the resources the node has; the ratio strategy leaves out resources that score 0 and rounds.
fn combine(strategy: &ScoringStrategy, resources: impl Iterator<Item = (i64, i64, i64)>) -> i64 {
    let (mut sum, mut weights) = (0, 0);
    for (capacity, used, weight) in resources.filter(|(capacity, ..)| *capacity != 0) {
        let score = match strategy {
            ScoringStrategy::LeastAllocated => least(capacity, used),
            ScoringStrategy::MostAllocated => used.min(capacity) * MAX_NODE_SCORE / capacity,
            ScoringStrategy::RequestedToCapacityRatio(shape) => {
                let utilization = if used > capacity { 100 } else { used * 100 / capacity };
                broken_linear(shape, utilization)
            }
        };
        if score > 0 || !matches!(strategy, ScoringStrategy::RequestedToCapacityRatio(_)) {
            sum += score * weight;
            weights += weight;
        }
    }
    match (weights, strategy) {
        (0, _) => 0,
        (_, ScoringStrategy::RequestedToCapacityRatio(_)) => (sum as f64 / weights as f64).round() as i64,
        _ => sum / weights,
    }
}

/// The largest capacity for which [`least`] may divide in floating point: with at most 2^45 the dividend (times 100) is
/// below 2^52, thus exact, and the quotient is at least 1/capacity away from the next integer, which is more than the
/// rounding error of 100 × 2^-53. Below that size a float division is several times faster than an integer one.
const LARGEST_EXACT: i64 = 1 << 45;

/// The free share in per cent, rounded down.
#[inline]
fn least(capacity: i64, used: i64) -> i64 {
    if used > capacity {
        return 0;
    }
    let dividend = (capacity - used) * MAX_NODE_SCORE;
    if (0..=LARGEST_EXACT).contains(&used) && capacity <= LARGEST_EXACT {
        (dividend as f64 / capacity as f64) as i64
    } else {
        dividend / capacity
    }
}

/// Interpolates between the points; constant before the first and after the last.
pub fn broken_linear(shape: &[ShapePoint], utilization: i64) -> i64 {
    let Some(at) = shape.iter().position(|point| utilization <= point.utilization) else {
        return shape.last().map_or(0, |point| point.score);
    };
    let right = shape[at];
    let Some(left) = at.checked_sub(1).map(|before| shape[before]) else { return right.score };
    let run = right.utilization - left.utilization;
    left.score + (right.score - left.score) * (utilization - left.utilization) / run
}

/// Capacity and use of a resource with the pod on the node; capacity 0 leaves the resource out. `defaulted` takes the
/// amounts in which containers without requests count.
pub(super) fn scored_amounts(
    state: &ClusterState,
    resource: ScoredResource,
    request: i64,
    node: NodeId,
    defaulted: bool,
) -> (i64, i64) {
    let resources = &state.nodes.resources[node.index()];
    let (cpu, memory) = if defaulted {
        (resources.scored_cpu, resources.scored_memory)
    } else {
        (resources.requested_cpu, resources.requested_memory)
    };
    match resource {
        ScoredResource::Cpu => (resources.allocatable_cpu, cpu + request),
        ScoredResource::Memory => (resources.allocatable_memory, memory + request),
        ScoredResource::EphemeralStorage => {
            let EphemeralStorage { allocatable, requested } = state.nodes.details[node.index()].ephemeral;
            (allocatable, requested + request)
        }
        // A resource the pod does not ask for says nothing about the node.
        ScoredResource::Other(_) if request == 0 => (0, 0),
        ScoredResource::Other(other) => {
            let details = &state.nodes.details[node.index()];
            (details.allocatable_others.get(other), details.requested_others.get(other) + request)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_division_equals_integer_division() {
        // Around the places where a quotient is just below or at an integer.
        for capacity in
            [1, 3, 7, 100, 999, 4000, (1 << 33) + 1, (1 << 40) - 1, LARGEST_EXACT - 1, LARGEST_EXACT]
        {
            for percent in 0..=100 {
                for offset in -2..=2 {
                    let used = (i128::from(capacity) * percent / 100) as i64 + offset;
                    let want = if used > capacity { 0 } else { (capacity - used) * 100 / capacity };
                    assert_eq!(least(capacity, used), want, "{used} of {capacity}");
                }
            }
        }
    }
}
