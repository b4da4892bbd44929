//! Who has to leave a cluster: the fewest workloads, then the fewest pods, then those that disturb least.
//!
//! Workloads of equal size form a class, of which the preferred ones leave first; a branch and bound over classes finds
//! how many of each. It is exact up to [`SEARCH_LIMIT`] steps; beyond them the best set found so far is taken, and the
//! first one found is the greedy one, largest first.

use super::state::{State, preference};
use model::resources::Resources;
use std::collections::BTreeMap;

/// Steps of the search: enough to search the few different sizes of a usual cluster completely.
const SEARCH_LIMIT: u32 = 1_000;
/// With more different sizes than this the search would not come far: it gets as many steps as there are sizes.
const FEW_SIZES: usize = 24;

/// Lexicographic: workloads, pods, workloads not already waiting for a reviewer, running pods, priority.
type Cost = (u64, u64, u64, u64, i64);

struct Class {
    /// What one of them takes with it.
    weight: Resources,
    /// Preferred first.
    items: Vec<usize>,
    /// What the first `n` of them cost, for every `n`.
    cost: Vec<Cost>,
}

impl State<'_, '_> {
    /// Lets leave whoever must for the cluster to be within its limit with every remaining pod on a node. Nothing if
    /// that cannot be reached; the state is then of no use.
    pub(super) fn shed(&mut self, site: usize) -> Option<Vec<usize>> {
        let mut leavers = lightest(self, site)?;
        self.leave(site, &leavers);
        while self.stuck_at(site) > 0 {
            let next = self.next_for_room(site)?;
            self.leave(site, &[next]);
            leavers.push(next);
        }
        Some(leavers)
    }

    /// The workload whose leaving gives a node to pods that have none: itself, or one whose pods are as large.
    fn next_for_room(&self, site: usize) -> Option<usize> {
        if let Some(stuck) = self.stuck_items(site).first() {
            return Some(*stuck);
        }
        let needed = self.largest_stuck(site)?;
        let mut others = self.movable_at(site);
        others.retain(|index| needed.fits_in(self.board.items[*index].each));
        others.into_iter().min_by_key(|index| preference(&self.board.items[*index]))
    }
}

fn lightest(state: &State<'_, '_>, site: usize) -> Option<Vec<usize>> {
    let excess = state.excess(site);
    let classes = classes(state, site);
    let steps = if classes.len() <= FEW_SIZES { SEARCH_LIMIT } else { classes.len() as u32 };
    let mut search = Search { rest: largest_of_rest(&classes), classes, best: None, steps };
    search.descend(0, excess, Cost::default(), &mut Vec::new());
    let (_, taken) = search.best?;
    let chosen = search.classes.iter().zip(taken).flat_map(|(class, count)| class.items[..count].to_vec());
    Some(chosen.collect())
}

/// Largest first, by the share of the cluster they take.
fn classes(state: &State<'_, '_>, site: usize) -> Vec<Class> {
    let items = &state.board.items;
    let mut groups: BTreeMap<(u64, u64, u64), Vec<usize>> = BTreeMap::new();
    for index in state.movable_at(site) {
        let weight = items[index].leaving();
        groups.entry((weight.cpu.0, weight.memory.0, weight.pods)).or_default().push(index);
    }
    let capacity = state.yards[site].capacity;
    let mut classes: Vec<Class> = groups.into_values().map(|group| class(state, group)).collect();
    classes.sort_by_key(|class| {
        let weight = class.weight;
        (std::cmp::Reverse(weight.load_of(capacity)), weight.pods, weight.cpu, weight.memory)
    });
    classes
}

fn class(state: &State<'_, '_>, mut group: Vec<usize>) -> Class {
    let items = &state.board.items;
    group.sort_by_key(|index| preference(&items[*index]));
    let mut cost = vec![Cost::default()];
    for index in &group {
        let item = &items[*index];
        let running = item.pods - item.waiting.min(item.pods);
        let one = (1, item.pods, u64::from(item.awaited.is_none()), running, i64::from(item.priority));
        cost.push(sum(cost[cost.len() - 1], one));
    }
    Class { weight: items[group[0]].leaving(), items: group, cost }
}

fn sum(left: Cost, right: Cost) -> Cost {
    (left.0 + right.0, left.1 + right.1, left.2 + right.2, left.3 + right.3, left.4 + right.4)
}

/// For every class, the most CPU and the most memory that one workload of it or of a later one takes.
fn largest_of_rest(classes: &[Class]) -> Vec<Resources> {
    let mut rest = vec![Resources::default(); classes.len() + 1];
    for index in (0..classes.len()).rev() {
        let (weight, later) = (classes[index].weight, rest[index + 1]);
        rest[index] = Resources::new(weight.cpu.max(later.cpu), weight.memory.max(later.memory), 0);
    }
    rest
}

struct Search {
    classes: Vec<Class>,
    rest: Vec<Resources>,
    best: Option<(Cost, Vec<usize>)>,
    steps: u32,
}

impl Search {
    fn descend(&mut self, index: usize, excess: Resources, cost: Cost, taken: &mut Vec<usize>) {
        if excess.cpu.0 == 0 && excess.memory.0 == 0 {
            if self.best.as_ref().is_none_or(|(best, _)| cost < *best) {
                self.best = Some((cost, taken.clone()));
            }
            return;
        }
        if index == self.classes.len() || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        let Some(more) = at_least(excess, self.rest[index]) else { return };
        if self.best.as_ref().is_some_and(|(best, _)| cost.0 + more > best.0) {
            return;
        }
        let class = &self.classes[index];
        let enough = at_least(excess, class.weight).unwrap_or(u64::MAX);
        let most = class.items.len().min(usize::try_from(enough).unwrap_or(usize::MAX));
        let most = if class.weight.cpu.0 == 0 && class.weight.memory.0 == 0 { 0 } else { most };
        for count in (0..=most).rev() {
            let class = &self.classes[index];
            let (left, total) =
                (excess.minus(class.weight.times(count as u64)), sum(cost, class.cost[count]));
            taken.push(count);
            self.descend(index + 1, left, total, taken);
            taken.pop();
        }
    }
}

/// How many of this weight it takes at least; nothing if no number is enough.
fn at_least(excess: Resources, weight: Resources) -> Option<u64> {
    let times = |need: u64, have: u64| match (need, have) {
        (0, _) => Some(0),
        (_, 0) => None,
        (need, have) => Some(need.div_ceil(have)),
    };
    Some(times(excess.cpu.0, weight.cpu.0)?.max(times(excess.memory.0, weight.memory.0)?))
}
