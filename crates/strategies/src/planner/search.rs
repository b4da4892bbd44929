//! The plan itself: which moves restore the limits, and, when none do, which nodes are needed as well.

use super::state::{Admission, Growth, State, preference};
use model::money::MicroDollars;
use std::cmp::Reverse;

/// In a further round, clusters that were relieved in an earlier one can take something in.
const ROUNDS: usize = 4;

impl State<'_, '_> {
    /// The best that moves alone can do from here: every pod on a node first, then every cluster within its limit, then
    /// the fewest moves.
    pub(super) fn with_best_moves(&self) -> Self {
        let mut state = self.after_one_round();
        for _ in 1..ROUNDS {
            if state.troubled().is_empty() {
                break;
            }
            let mut rested = state.clone();
            if !rested.accept_again() {
                break;
            }
            let next = rested.after_one_round();
            if next.score() >= state.score() {
                break;
            }
            state = next;
        }
        state
    }

    fn after_one_round(&self) -> Self {
        let troubled = self.troubled();
        if troubled.is_empty() {
            return self.clone();
        }
        let mut all = self.clone();
        if all.relieve(&troubled) {
            return all;
        }
        let limits_first = self.relieved_one_by_one(&troubled);
        if self.stuck() == 0 {
            return limits_first;
        }
        let mut pods_first = self.clone();
        for site in &troubled {
            pods_first.run_waiting_pods(*site);
        }
        let pods_first = pods_first.relieved_one_by_one(&pods_first.troubled());
        if pods_first.score() < limits_first.score() { pods_first } else { limits_first }
    }

    fn relieved_one_by_one(&self, sites: &[usize]) -> Self {
        let mut state = self.clone();
        for site in sites {
            if !state.relieve(&[*site]) {
                state.run_waiting_pods(*site);
            }
        }
        state
    }

    /// Brings clusters within their limits together, with targets that stay within theirs; all or nothing.
    fn relieve(&mut self, sites: &[usize]) -> bool {
        if !self.could_relieve(sites) {
            return false;
        }
        let mut trial = self.clone();
        let mut leavers = Vec::new();
        for site in sites {
            let Some(leaving) = trial.shed(*site) else { return false };
            leavers.extend(leaving);
        }
        // What is awaited keeps its place; of the others the large ones are the hardest to place.
        leavers.sort_by_key(|index| {
            let item = &self.board.items[*index];
            let weight = item.arriving();
            (item.awaited.is_none(), Reverse((weight.cpu, weight.memory)), preference(item))
        });
        let done = trial.assign(&leavers);
        if done {
            *self = trial;
        }
        done
    }

    /// Sends workloads whose pods find no node to where they can run, as far as there is room.
    fn run_waiting_pods(&mut self, site: usize) {
        for item in self.stuck_items(site) {
            // What left before may have made room for it.
            if self.stuck_of(item) > 0 && !self.send(item, Admission::WithinLimit) {
                self.send(item, Admission::WithinReach);
            }
        }
    }

    /// The same, after the cheapest growth that brings what `measure` counts to the least that any growth can.
    pub(super) fn with_growth<M: Ord + Clone>(
        &self,
        best_moves: &Self,
        growable: &[(usize, usize)],
        measure: impl Fn(&Self) -> (M, bool),
    ) -> Self {
        let (mut least, mut enough) = measure(best_moves);
        let mut chosen: Vec<Growth> = Vec::new();
        for (site, pool) in self.in_order_of_price(growable) {
            if enough {
                break;
            }
            let view = &self.board.sites[site].pools[pool];
            let all = Growth { site, pool, nodes: view.maximum - view.nodes };
            let trial: Vec<Growth> = chosen.iter().copied().chain([all]).collect();
            let (value, reached) = measure(&self.grown_by(&trial));
            if value < least {
                (least, enough, chosen) = (value, reached, trial);
            }
        }
        // The dearest were added last and are given back first.
        for index in (0..chosen.len()).rev() {
            let (mut too_few, mut sufficient) = (None, chosen[index].nodes);
            while sufficient > too_few.map_or(0, |few: u32| few + 1) {
                let middle = too_few.map_or(0, |few| few + 1).midpoint(sufficient);
                let middle = middle.min(sufficient - 1);
                chosen[index].nodes = middle;
                if measure(&self.grown_by(&chosen)).0 <= least {
                    sufficient = middle;
                } else {
                    too_few = Some(middle);
                }
            }
            chosen[index].nodes = sufficient;
        }
        chosen.retain(|growth| growth.nodes > 0);
        if chosen.is_empty() { best_moves.clone() } else { self.grown_by(&chosen) }
    }

    fn grown_by(&self, growth: &[Growth]) -> Self {
        let mut state = self.clone();
        for one in growth.iter().filter(|one| one.nodes > 0) {
            state.grow(*one);
        }
        state.with_best_moves()
    }

    /// Cheapest node first; of equals, in a cluster that needs it, because that saves a move; then the larger node.
    fn in_order_of_price(&self, growable: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let troubled = self.troubled();
        let mut pools = growable.to_vec();
        pools.sort_by_key(|(site, pool)| {
            let view = &self.board.sites[*site].pools[*pool];
            let price: MicroDollars = view.price;
            (price, !troubled.contains(site), Reverse(view.each.cpu), *site, *pool)
        });
        pools
    }
}
