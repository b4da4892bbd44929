//! The division of replicas among the selected clusters.

use super::binding::{AssignmentMode, BindingState, TargetCluster, merge, total_replicas};
use super::placement::{ReplicaScheduling, StaticWeight};
use super::selection::Candidate;
use super::unschedulable::{Room, Unschedulable};
use super::webster::{TieBreak, allocate_seats};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Replicas per cluster; clusters without a replica are left out. Configuration goes to every candidate instead,
/// without replicas. With `overflow`, tiers are filled one after the other.
pub fn assign(
    candidates: &[Candidate<'_>],
    scheduling: &ReplicaScheduling,
    overflow: bool,
    binding: &BindingState,
) -> Result<Vec<TargetCluster>, Unschedulable> {
    if candidates.is_empty() {
        return Err(Unschedulable::NothingSelected);
    }
    if !binding.is_workload() {
        return Ok(candidates
            .iter()
            .map(|candidate| TargetCluster::new(&candidate.cluster.name, 0))
            .collect());
    }
    if overflow {
        assign_by_tiers(candidates, scheduling, binding)
    } else {
        assign_workload(candidates, scheduling, binding)
    }
}

/// Adds the selected clusters that got no replica, so that the workload exists there, scaled to zero.
pub fn attach_empty(candidates: &[Candidate<'_>], mut targets: Vec<TargetCluster>) -> Vec<TargetCluster> {
    for candidate in candidates {
        if !targets.iter().any(|target| target.name == candidate.cluster.name) {
            targets.push(TargetCluster::new(&candidate.cluster.name, 0));
        }
    }
    targets
}

/// Every tier gets as many of the remaining replicas as its clusters have room for.
fn assign_by_tiers(
    candidates: &[Candidate<'_>],
    scheduling: &ReplicaScheduling,
    binding: &BindingState,
) -> Result<Vec<TargetCluster>, Unschedulable> {
    let mut tiers: BTreeMap<u32, Vec<Candidate<'_>>> = BTreeMap::new();
    for candidate in candidates {
        tiers.entry(candidate.tier).or_default().push(*candidate);
    }
    let mut targets = Vec::new();
    let mut remaining = binding.replicas;
    for tier in tiers.values() {
        let room: u64 = tier.iter().map(|candidate| candidate.available_replicas).sum();
        // Bounded by `remaining`, so it is a number of replicas again.
        let part = u64::from(remaining).min(room) as u32;
        let of_tier = BindingState { replicas: part, ..binding.clone() };
        targets.extend(assign_workload(tier, scheduling, &of_tier)?);
        remaining -= part;
        if remaining == 0 {
            return Ok(targets);
        }
    }
    let available = candidates.iter().map(Candidate::room).collect();
    Err(Unschedulable::NotEnoughRoom { wanted: binding.replicas, available })
}

fn assign_workload(
    candidates: &[Candidate<'_>],
    scheduling: &ReplicaScheduling,
    binding: &BindingState,
) -> Result<Vec<TargetCluster>, Unschedulable> {
    let mut targets = match scheduling {
        ReplicaScheduling::Duplicated => duplicate(candidates, binding.replicas),
        ReplicaScheduling::EqualWeight => divide_by_rules(candidates, &[], binding),
        ReplicaScheduling::StaticWeight(rules) => divide_by_rules(candidates, rules, binding),
        ReplicaScheduling::DynamicWeight => divide_by_room(candidates, Packing::Spread, binding)?,
        ReplicaScheduling::Aggregated => divide_by_room(candidates, Packing::Aggregate, binding)?,
    };
    targets.retain(|target| target.replicas > 0);
    Ok(targets)
}

pub fn duplicate(candidates: &[Candidate<'_>], replicas: u32) -> Vec<TargetCluster> {
    candidates.iter().map(|candidate| TargetCluster::new(&candidate.cluster.name, replicas)).collect()
}

/// By static weights, anew each time: neither the former result nor the clusters' room plays a part. If no rule
/// matches any cluster, all weigh the same.
pub fn divide_by_rules(
    candidates: &[Candidate<'_>],
    rules: &[StaticWeight],
    binding: &BindingState,
) -> Vec<TargetCluster> {
    let weight = |candidate: &Candidate<'_>| {
        let matching = rules.iter().filter(|rule| rule.target_cluster.matches(candidate.cluster));
        Some((candidate.cluster.name.clone(), matching.map(|rule| rule.weight.get()).max()?))
    };
    let mut weights: Vec<(String, u64)> = candidates.iter().filter_map(weight).collect();
    if weights.is_empty() {
        weights = candidates.iter().map(|candidate| (candidate.cluster.name.clone(), 1)).collect();
    }
    divide_by_weight(binding.replicas, weights, &[], TieBreak::for_uid(&binding.uid))
}

/// Divides `replicas` on top of `initial`; the result is ordered by name. Without any weight nothing is divided.
pub fn divide_by_weight(
    replicas: u32,
    weights: impl IntoIterator<Item = (String, u64)>,
    initial: &[TargetCluster],
    tie_break: TieBreak,
) -> Vec<TargetCluster> {
    let votes: BTreeMap<String, u64> = weights.into_iter().collect();
    let nothing_to_do = replicas == 0 && !initial.is_empty();
    if nothing_to_do || votes.values().all(|weight| *weight == 0) {
        return initial.to_vec();
    }
    let seats = initial.iter().map(|target| (target.name.clone(), target.replicas)).collect();
    let parties = allocate_seats(replicas, &votes, &seats, tie_break);
    parties.into_iter().map(|party| TargetCluster::new(party.name, party.seats)).collect()
}

/// What to do with room: use all of it in proportion, or as few clusters as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Spread,
    Aggregate,
}

/// By the clusters' room, with regard to the former result as the binding's mode says. Former replicas on clusters
/// that are no candidates any more are placed anew.
pub fn divide_by_room(
    candidates: &[Candidate<'_>],
    packing: Packing,
    binding: &BindingState,
) -> Result<Vec<TargetCluster>, Unschedulable> {
    let is_candidate =
        |target: &&TargetCluster| candidates.iter().any(|other| other.cluster.name == target.name);
    let former: Vec<TargetCluster> = binding.previous.iter().filter(is_candidate).cloned().collect();
    let (placed, wanted) = (total_replicas(&former), u64::from(binding.replicas));
    let tie_break = TieBreak::for_uid(&binding.uid);
    match binding.mode {
        AssignmentMode::Fresh => {
            fill(binding.replicas, room_with_former(candidates, &former), packing, &[], tie_break)
        }
        // Proportionally to what each cluster runs now.
        AssignmentMode::Steady if placed > wanted => fill(binding.replicas, former, packing, &[], tie_break),
        AssignmentMode::Steady if placed < wanted => {
            let extra = binding.replicas - placed as u32;
            fill(extra, room_with_former(candidates, &[]), packing, &former, tie_break)
        }
        AssignmentMode::Steady => Ok(former),
    }
}

/// What each cluster can still take, plus what it runs of `former`.
fn room_with_former(candidates: &[Candidate<'_>], former: &[TargetCluster]) -> Vec<TargetCluster> {
    let running =
        |name: &str| former.iter().find(|target| target.name == name).map_or(0, |target| target.replicas);
    let room = |candidate: &Candidate<'_>| {
        let name = candidate.cluster.name.as_str();
        TargetCluster::new(name, candidate.allocatable_replicas.saturating_add(running(name)))
    };
    candidates.iter().map(room).collect()
}

/// Divides `wanted` replicas by `room` and adds them to `kept`. Clusters with most room come first; when few clusters
/// are to be used, those that are `kept` come before all others. Equal rooms stay in the order of the candidates.
pub fn fill(
    wanted: u32,
    mut room: Vec<TargetCluster>,
    packing: Packing,
    kept: &[TargetCluster],
    tie_break: TieBreak,
) -> Result<Vec<TargetCluster>, Unschedulable> {
    if total_replicas(&room) < u64::from(wanted) {
        let available = room
            .into_iter()
            .map(|target| Room { cluster: target.name, replicas: u64::from(target.replicas) });
        return Err(Unschedulable::NotEnoughRoom { wanted, available: available.collect() });
    }
    room.sort_by_key(|target| Reverse(target.replicas));
    if packing == Packing::Aggregate {
        let in_use = |name: &str| kept.iter().any(|target| target.name == name && target.replicas > 0);
        room.sort_by_key(|target| !in_use(&target.name));
        keep_first_that_suffice(&mut room, wanted);
    }
    let weights = room.into_iter().map(|target| (target.name, u64::from(target.replicas)));
    Ok(merge(kept, divide_by_weight(wanted, weights, &[], tie_break)))
}

fn keep_first_that_suffice(room: &mut Vec<TargetCluster>, wanted: u32) {
    let mut sum = 0;
    let enough = room.iter().position(|target| {
        sum += u64::from(target.replicas);
        sum >= u64::from(wanted)
    });
    if let Some(last) = enough {
        room.truncate(last + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cluster::ClusterView;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Seats by room never exceed the room: at divisor 1 every cluster would get exactly its room.
        #[test]
        fn a_fill_is_complete_and_within_room(
            rooms in prop::collection::vec(0_u32..40, 1..8), part in 0_u32..=100, aggregate: bool, uid in "[a-z]{0,4}",
        ) {
            let room: Vec<_> =
                rooms.iter().enumerate().map(|(index, room)| TargetCluster::new(format!("m{index}"), *room)).collect();
            let wanted = rooms.iter().sum::<u32>() * part / 100;
            let packing = if aggregate { Packing::Aggregate } else { Packing::Spread };
            let targets = fill(wanted, room.clone(), packing, &[], TieBreak::for_uid(&uid)).expect("there is room");
            prop_assert_eq!(total_replicas(&targets), u64::from(wanted));
            for target in &targets {
                let limit = room.iter().find(|room| room.name == target.name).expect("a known cluster").replicas;
                prop_assert!(target.replicas <= limit, "{} of {}", target.replicas, limit);
            }
        }
    }

    struct Row<'a> {
        packing: Packing,
        mode: AssignmentMode,
        replicas: u32,
        /// Name, room, replicas before.
        clusters: &'a [(&'a str, u32, u32)],
        gone: u32,
    }

    const ROW: Row<'static> =
        Row { packing: Packing::Spread, mode: AssignmentMode::Steady, replicas: 0, clusters: &[], gone: 0 };

    fn check(row: &Row<'_>, expected: Option<&[u32]>) {
        let views: Vec<ClusterView> =
            row.clusters.iter().map(|(name, ..)| ClusterView::named(*name)).collect();
        let candidates = views.iter().zip(row.clusters).map(|(cluster, (_, room, before))| Candidate {
            cluster,
            score: 0,
            tier: 0,
            allocatable_replicas: *room,
            available_replicas: u64::from(*room + *before),
        });
        let former = row.clusters.iter().filter(|(_, _, before)| *before > 0);
        let mut previous: Vec<_> =
            former.map(|(name, _, before)| TargetCluster::new(*name, *before)).collect();
        previous.push(TargetCluster::new("gone", row.gone));
        let binding =
            BindingState { replicas: row.replicas, previous, mode: row.mode, ..BindingState::default() };
        let result = divide_by_room(&candidates.collect::<Vec<_>>(), row.packing, &binding);
        let by_cluster = result.ok().map(|targets| {
            let of = |name: &str| {
                targets.iter().find(|target| target.name == name).map_or(0, |target| target.replicas)
            };
            row.clusters.iter().map(|(name, ..)| of(name)).collect::<Vec<_>>()
        });
        assert_eq!(by_cluster.as_deref(), expected, "{:?} {:?} {}", row.packing, row.clusters, row.replicas);
    }

    #[test]
    fn steady() {
        // First placement, in proportion to the room.
        check(
            &Row { replicas: 12, clusters: &[("a", 6, 0), ("b", 12, 0), ("c", 18, 0)], ..ROW },
            Some(&[2, 4, 6]),
        );
        // Scaling up divides only what is new.
        check(&Row { replicas: 10, clusters: &[("a", 3, 2), ("b", 1, 4)], ..ROW }, Some(&[5, 5]));
        // Scaling down is in proportion to what runs, whatever the room.
        check(
            &Row { replicas: 6, clusters: &[("a", 0, 2), ("b", 0, 4), ("c", 99, 6)], ..ROW },
            Some(&[1, 2, 3]),
        );
        // Nothing to do.
        check(&Row { replicas: 6, clusters: &[("a", 9, 5), ("b", 9, 1)], ..ROW }, Some(&[5, 1]));
        // A lost cluster's replicas are placed anew, the others stay.
        check(&Row { replicas: 6, clusters: &[("a", 9, 1), ("b", 9, 1)], gone: 4, ..ROW }, Some(&[3, 3]));
        // All or nothing: one replica too many and none is placed.
        check(&Row { replicas: 11, clusters: &[("a", 3, 2), ("b", 1, 4)], ..ROW }, None);
    }

    #[test]
    fn fresh() {
        let row = Row { mode: AssignmentMode::Fresh, ..ROW };
        check(&Row { replicas: 10, clusters: &[("a", 0, 9), ("b", 9, 1)], ..row }, Some(&[5, 5]));
        check(&Row { replicas: 20, clusters: &[("a", 0, 9), ("b", 9, 1)], ..row }, None);
    }

    #[test]
    fn aggregated() {
        let row = Row { packing: Packing::Aggregate, ..ROW };
        check(
            &Row { replicas: 12, clusters: &[("a", 6, 0), ("b", 12, 0), ("c", 6, 0)], ..row },
            Some(&[0, 12, 0]),
        );
        check(
            &Row { replicas: 12, clusters: &[("a", 6, 0), ("b", 6, 0), ("c", 6, 0)], ..row },
            Some(&[6, 6, 0]),
        );
        // A cluster in use comes before one with more room.
        check(&Row { replicas: 8, clusters: &[("a", 4, 4), ("b", 12, 0)], ..row }, Some(&[8, 0]));
        check(&Row { replicas: 9, clusters: &[("a", 4, 4), ("b", 12, 0)], ..row }, Some(&[5, 4]));
    }
}
