//! Groups of clusters by region, zone and provider: their scores, and the best combination of groups.

use super::placement::{GroupBounds, ReplicaScheduling, Spread};
use super::selection::Candidate;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The clusters that share a region, zone or provider, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group<'a> {
    pub score: u64,
    pub candidates: Vec<Candidate<'a>>,
}

/// Candidates best first, and their groups by every field that a spread constraint names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupedClusters<'a> {
    pub candidates: Vec<Candidate<'a>>,
    pub regions: BTreeMap<&'a str, Group<'a>>,
    pub zones: BTreeMap<&'a str, Group<'a>>,
    pub providers: BTreeMap<&'a str, Group<'a>>,
}

impl<'a> GroupedClusters<'a> {
    /// `candidates` are sorted already; every group keeps their order. A cluster in several zones is in each of them.
    pub fn new(
        candidates: Vec<Candidate<'a>>,
        spread: Option<&Spread>,
        scheduling: &ReplicaScheduling,
        replicas: u32,
    ) -> Self {
        let Some(spread) = spread.filter(|_| !scheduling.ignores_spread()) else {
            return Self { candidates, ..Self::default() };
        };
        let grouped = |bounds: Option<GroupBounds>, keys: fn(&Candidate<'a>) -> Vec<&'a str>| {
            let Some(bounds) = bounds else { return BTreeMap::new() };
            let score = GroupScore {
                duplicated: *scheduling == ReplicaScheduling::Duplicated,
                replicas,
                min_groups: bounds.min,
                min_clusters: spread.cluster.min,
            };
            group_by(&candidates, keys, &score)
        };
        let regions =
            grouped(spread.region, |candidate| candidate.cluster.region.as_deref().into_iter().collect());
        let zones =
            grouped(spread.zone, |candidate| candidate.cluster.zones.iter().map(String::as_str).collect());
        let providers =
            grouped(spread.provider, |candidate| candidate.cluster.provider.as_deref().into_iter().collect());
        Self { candidates, regions, zones, providers }
    }
}

fn group_by<'a>(
    candidates: &[Candidate<'a>],
    keys: fn(&Candidate<'a>) -> Vec<&'a str>,
    score: &GroupScore,
) -> BTreeMap<&'a str, Group<'a>> {
    let mut groups: BTreeMap<&str, Group<'_>> = BTreeMap::new();
    for candidate in candidates {
        for key in keys(candidate) {
            groups.entry(key).or_default().candidates.push(*candidate);
        }
    }
    for group in groups.values_mut() {
        group.score = score.of(&group.candidates);
    }
    groups
}

/// How a group is scored: first by how well it can take its part of the replicas, then by its clusters' mean score.
#[derive(Debug, Clone, Copy)]
pub struct GroupScore {
    pub duplicated: bool,
    pub replicas: u32,
    pub min_groups: u32,
    pub min_clusters: u32,
}

/// Upstream's factor between the two parts. Cluster scores are at most 100, so the mean never outweighs one replica
/// (or, when duplicated, one cluster).
const FIRST_PART: u64 = 1000;

impl GroupScore {
    pub fn of(&self, candidates: &[Candidate<'_>]) -> u64 {
        if self.duplicated { self.of_duplicated(candidates) } else { self.of_divided(candidates) }
    }

    /// Counts the clusters that can each take all replicas.
    fn of_duplicated(&self, candidates: &[Candidate<'_>]) -> u64 {
        let fits = |candidate: &&Candidate<'_>| candidate.available_replicas >= u64::from(self.replicas);
        let scores: Vec<u64> = candidates.iter().filter(fits).map(|candidate| candidate.score).collect();
        let count = scores.len() as u64;
        scores.iter().sum::<u64>().checked_div(count).map_or(0, |mean| count * FIRST_PART + mean)
    }

    /// Counts the replicas the group can take, up to an equal share for each of the least number of groups, over as
    /// many of its best clusters as that needs.
    fn of_divided(&self, candidates: &[Candidate<'_>]) -> u64 {
        let share = u64::from(self.replicas.div_ceil(self.min_groups.max(1)));
        let least_clusters = u64::from(self.min_clusters.max(self.min_groups));
        let (mut room, mut score, mut used) = (0, 0, 0);
        for candidate in candidates {
            room += candidate.available_replicas;
            score += candidate.score;
            used += 1;
            if used >= least_clusters && room >= share {
                break;
            }
        }
        // When the room is short every cluster has been used, so `used` is the group's size.
        room.min(share) * FIRST_PART + score.checked_div(used).unwrap_or(0)
    }
}

/// A group as the choice of a combination sees it: `value` is its number of clusters, `weight` its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice<'a> {
    pub name: &'a str,
    pub value: u32,
    pub weight: u64,
}

#[derive(Debug, Clone)]
struct Combination<'a> {
    members: Vec<Choice<'a>>,
    weight: u64,
    value: u32,
}

impl<'a> Combination<'a> {
    fn new(mut members: Vec<Choice<'a>>) -> Self {
        members.sort_by(|left, right| right.weight.cmp(&left.weight).then_with(|| left.name.cmp(right.name)));
        let weight = members.iter().map(|member| member.weight).sum();
        let value = members.iter().map(|member| member.value).sum();
        Self { members, weight, value }
    }

    fn starts_with(&self, shorter: &Self) -> bool {
        shorter.members.len() < self.members.len() && self.members.starts_with(&shorter.members)
    }
}

/// The best combination of `bounds` groups whose values reach `target`: greatest weight, then greatest value; but a
/// combination that is merely a longer version of a feasible one gives way to the shorter. The search looks at up to
/// 2^groups combinations, as upstream's does: meant for regions, of which a federation has few.
pub fn select_groups(
    mut groups: Vec<Choice<'_>>,
    bounds: GroupBounds,
    target: u32,
) -> Option<Vec<Choice<'_>>> {
    groups.sort_by(|left, right| {
        let key = |choice: &Choice<'_>| (choice.value, Reverse(choice.weight));
        key(left).cmp(&key(right)).then_with(|| left.name.cmp(right.name))
    });
    let mut search = Search { groups: &groups, bounds, target, path: Vec::new(), feasible: Vec::new() };
    search.extend(0, 0);
    let mut feasible = search.feasible;
    // Stable: combinations of equal weight and value stay in the order they were found.
    feasible.sort_by_key(|combination| Reverse((combination.weight, combination.value)));
    feasible
        .into_iter()
        .reduce(|best, next| if best.starts_with(&next) { next } else { best })
        .map(|best| best.members)
}

struct Search<'s, 'a> {
    groups: &'s [Choice<'a>],
    bounds: GroupBounds,
    target: u32,
    path: Vec<Choice<'a>>,
    feasible: Vec<Combination<'a>>,
}

impl Search<'_, '_> {
    /// Depth first; a feasible combination is not extended further.
    fn extend(&mut self, reached: u32, from: usize) {
        let length = self.path.len() as u32;
        if reached >= self.target && length >= self.bounds.min && length <= self.bounds.max {
            self.feasible.push(Combination::new(self.path.clone()));
            return;
        }
        let left = (self.groups.len() - from) as u32;
        if length >= self.bounds.max || length + left < self.bounds.min {
            return;
        }
        for index in from..self.groups.len() {
            let group = self.groups[index].clone();
            let value = group.value;
            self.path.push(group);
            self.extend(reached + value, index + 1);
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(groups: &[(&str, u32, u64)], (min, max): (u32, u32), target: u32, expected: &[&str]) {
        let groups = groups.iter().map(|&(name, value, weight)| Choice { name, value, weight }).collect();
        let selected = select_groups(groups, GroupBounds { min, max }, target).unwrap_or_default();
        assert_eq!(selected.iter().map(|choice| choice.name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn combinations() {
        let regions = [("r1", 2, 60), ("r2", 1, 50), ("r3", 2, 40), ("r4", 3, 30)];
        check(&regions, (1, 1), 2, &["r1"]);
        check(&regions, (1, 1), 3, &["r4"]);
        check(&regions, (2, 2), 3, &["r1", "r2"]);
        check(&regions, (4, 4), 8, &["r1", "r2", "r3", "r4"]);
        check(&regions, (4, 4), 9, &[]);
        check(&regions, (5, 6), 1, &[]);
        check(&regions, (1, 0), 1, &[]);
        // r1+r2+r3 weighs most, but r1+r2 is feasible and the start of it.
        check(&regions, (2, 3), 3, &["r1", "r2"]);
    }
}
