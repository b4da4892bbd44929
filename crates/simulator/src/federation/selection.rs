//! The choice of clusters among the candidates, as the spread constraints ask.

use super::cluster::ClusterView;
use super::placement::{GroupBounds, ReplicaScheduling, Spread, SpreadField};
use super::spread::{Choice, Group, GroupedClusters, select_groups};
use super::unschedulable::{Room, Unschedulable};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// A cluster that passed the filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<'a> {
    pub cluster: &'a ClusterView,
    pub score: u64,
    /// 0 for the affinity's own clusters, n for its n-th overflow group; smaller is filled first.
    pub tier: u32,
    /// How many more replicas the cluster can take.
    pub allocatable_replicas: u32,
    /// That and the binding's replicas it already runs.
    pub available_replicas: u64,
}

impl Candidate<'_> {
    pub fn room(&self) -> Room {
        Room { cluster: self.cluster.name.clone(), replicas: self.available_replicas }
    }
}

/// Tier, then score, then whatever `then` says, then name.
pub fn sort_by(candidates: &mut [Candidate<'_>], then: impl Fn(&Candidate<'_>, &Candidate<'_>) -> Ordering) {
    candidates.sort_by(|left, right| {
        let key = |candidate: &Candidate<'_>| (candidate.tier, Reverse(candidate.score));
        key(left)
            .cmp(&key(right))
            .then_with(|| then(left, right))
            .then_with(|| left.cluster.name.cmp(&right.cluster.name))
    });
}

/// Best first: tier, score, room, name.
pub fn sort_by_room(candidates: &mut [Candidate<'_>]) {
    sort_by(candidates, |left, right| right.available_replicas.cmp(&left.available_replicas));
}

/// Sorts, groups and selects.
pub fn select<'a>(
    mut candidates: Vec<Candidate<'a>>,
    spread: Option<&Spread>,
    scheduling: &ReplicaScheduling,
    replicas: u32,
) -> Result<Vec<Candidate<'a>>, Unschedulable> {
    sort_by_room(&mut candidates);
    let grouped = GroupedClusters::new(candidates, spread, scheduling, replicas);
    select_best(grouped, spread, scheduling, replicas)
}

/// All candidates if nothing constrains the spread, else the best that satisfy it.
pub fn select_best<'a>(
    grouped: GroupedClusters<'a>,
    spread: Option<&Spread>,
    scheduling: &ReplicaScheduling,
    replicas: u32,
) -> Result<Vec<Candidate<'a>>, Unschedulable> {
    let Some(spread) = spread.filter(|_| !scheduling.ignores_spread()) else { return Ok(grouped.candidates) };
    if let Some(region) = spread.region {
        return select_by_region(&grouped.regions, region, spread.cluster);
    }
    let needed = (*scheduling != ReplicaScheduling::Duplicated).then_some(replicas);
    select_by_cluster(grouped.candidates, spread.cluster, needed)
}

/// The best clusters, and if these cannot take `needed` replicas together, others with more room in place of the
/// worst ones.
fn select_by_cluster(
    mut candidates: Vec<Candidate<'_>>,
    bounds: GroupBounds,
    needed: Option<u32>,
) -> Result<Vec<Candidate<'_>>, Unschedulable> {
    if candidates.len() < bounds.min as usize {
        let (field, found) = (SpreadField::Cluster, candidates.len());
        return Err(Unschedulable::TooFewGroups { field, found, wanted: bounds.min });
    }
    let count = candidates.len().min(bounds.max as usize);
    if let Some(wanted) = needed
        && !make_room(&mut candidates, count, wanted)
    {
        let available = candidates.iter().map(Candidate::room).collect();
        return Err(Unschedulable::NoSelectionHasRoom { clusters: count, wanted, available });
    }
    candidates.truncate(count);
    Ok(candidates)
}

/// Swaps from the last selected cluster to the first, each at most once, until the first `count` have room. True if
/// they have. No selected cluster counts as no room, even for no replicas.
fn make_room(candidates: &mut [Candidate<'_>], count: usize, wanted: u32) -> bool {
    let (selected, rest) = candidates.split_at_mut(count);
    for index in (0..selected.len()).rev() {
        if has_room(selected, wanted) {
            break;
        }
        if let Some(better) = roomiest(rest, selected[index].available_replicas) {
            std::mem::swap(&mut selected[index], &mut rest[better]);
        }
    }
    !selected.is_empty() && has_room(selected, wanted)
}

fn has_room(candidates: &[Candidate<'_>], wanted: u32) -> bool {
    candidates.iter().map(|candidate| candidate.available_replicas).sum::<u64>() >= u64::from(wanted)
}

/// The first cluster with the most room, if that is more than `than`.
fn roomiest(candidates: &[Candidate<'_>], than: u64) -> Option<usize> {
    let most = candidates.iter().map(|candidate| candidate.available_replicas).max()?;
    candidates.iter().position(|candidate| candidate.available_replicas == most).filter(|_| most > than)
}

/// The best combination of regions with enough clusters; from each its best cluster, then the best of the rest. The
/// room of regions counts only through their scores; the division finds out whether the replicas fit.
pub fn select_by_region<'a>(
    regions: &BTreeMap<&'a str, Group<'a>>,
    region: GroupBounds,
    cluster: GroupBounds,
) -> Result<Vec<Candidate<'a>>, Unschedulable> {
    if regions.len() < region.min as usize {
        let (field, found) = (SpreadField::Region, regions.len());
        return Err(Unschedulable::TooFewGroups { field, found, wanted: region.min });
    }
    let choice = |(name, group): (&&'a str, &Group<'a>)| Choice {
        name,
        value: group.candidates.len() as u32,
        weight: group.score,
    };
    let chosen = select_groups(regions.iter().map(choice).collect(), region, cluster.min)
        .ok_or(Unschedulable::TooFewClustersInRegions { wanted: cluster.min })?;
    let (mut selected, mut rest) = (Vec::new(), Vec::new());
    for choice in chosen {
        let (best, others) = regions[choice.name].candidates.split_first().expect("a group has a cluster");
        selected.push(*best);
        rest.extend_from_slice(others);
    }
    sort_by_room(&mut rest);
    // Every chosen region stays represented, even beyond the greatest number of clusters.
    let left = (cluster.max as usize).saturating_sub(selected.len());
    selected.extend(rest.into_iter().take(left));
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(max: u32, replicas: u32, scheduling: &ReplicaScheduling, expected: &[&str]) {
        let clusters = ["m1", "m2", "m3"].map(ClusterView::named);
        let rows = [(60, 40), (50, 30), (40, 60)];
        let candidates = clusters.iter().zip(rows).map(|(cluster, (score, available_replicas))| Candidate {
            cluster,
            score,
            tier: 0,
            allocatable_replicas: 0,
            available_replicas,
        });
        let cluster = GroupBounds { min: 1, max };
        let spread = Spread { cluster, region: None, zone: None, provider: None };
        let selected = select(candidates.collect(), Some(&spread), scheduling, replicas).unwrap_or_default();
        assert_eq!(
            selected.iter().map(|candidate| candidate.cluster.name.as_str()).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn room_replaces_score_when_needed() {
        check(2, 70, &ReplicaScheduling::Aggregated, &["m1", "m2"]);
        check(2, 80, &ReplicaScheduling::Aggregated, &["m1", "m3"]);
        check(2, 101, &ReplicaScheduling::Aggregated, &[]);
        check(2, 101, &ReplicaScheduling::Duplicated, &["m1", "m2"]);
        check(2, 101, &ReplicaScheduling::EqualWeight, &["m1", "m2", "m3"]);
        check(0, 1, &ReplicaScheduling::Aggregated, &[]);
        check(0, 1, &ReplicaScheduling::Duplicated, &[]);
    }
}
