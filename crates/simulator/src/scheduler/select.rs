//! How many nodes are looked at, and which of the best is taken.

use super::nodes::NodeId;

/// A cluster with fewer nodes is always searched completely; at least this many feasible nodes are looked for.
const FEWEST_NODES_TO_FIND: usize = 100;
/// The share never falls below this, however large the cluster.
const LOWEST_PERCENTAGE: usize = 5;

/// So many scores are compared together.
const STRIDE: usize = 32;

/// How many feasible nodes end the search; `percentage` 0 lets the number of nodes decide.
pub fn feasible_nodes_to_find(percentage: i64, nodes: usize) -> usize {
    if nodes < FEWEST_NODES_TO_FIND {
        return nodes;
    }
    let percentage = match usize::try_from(percentage) {
        // 50 per cent, one less for every 125 nodes.
        Ok(0) | Err(_) => 50_usize.saturating_sub(nodes / 125).max(LOWEST_PERCENTAGE),
        Ok(chosen) => chosen,
    };
    (nodes * percentage / 100).max(FEWEST_NODES_TO_FIND)
}

/// A node and its total score; `tie_break` decides between equal scores, higher first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredNode {
    pub node: NodeId,
    pub score: i64,
    pub tie_break: i64,
}

impl ScoredNode {
    fn is_better_than(&self, other: &Self) -> bool {
        (self.score, self.tie_break) > (other.score, other.tie_break)
    }
}

/// Nodes as a binary heap, best on top, in the array order that Go's `container/heap` produces: among equals the
/// winner follows from the order of the list, and this order is what 1.35 and later depend on.
#[derive(Clone, Debug, Default)]
pub struct RankedNodes {
    heap: Vec<ScoredNode>,
}

impl RankedNodes {
    /// Replaces the content, keeping the memory.
    pub fn fill(&mut self, nodes: impl Iterator<Item = ScoredNode>) {
        self.heap.clear();
        self.heap.extend(nodes);
        for start in (0..self.heap.len() / 2).rev() {
            self.sink(start);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The best node, leaving the others ranked.
    pub fn pop(&mut self) -> Option<ScoredNode> {
        let best = (!self.heap.is_empty()).then(|| self.heap.swap_remove(0));
        self.sink(0);
        best
    }

    fn sink(&mut self, start: usize) {
        let mut parent = start;
        loop {
            let left = 2 * parent + 1;
            let Some(mut child) = self.heap.get(left).map(|_| left) else { return };
            if self.heap.get(left + 1).is_some_and(|right| right.is_better_than(&self.heap[left])) {
                child = left + 1;
            }
            if !self.heap[child].is_better_than(&self.heap[parent]) {
                return;
            }
            self.heap.swap(parent, child);
            parent = child;
        }
    }
}

/// The place of the score that [`RankedNodes`] would pop first, without building the heap: among the highest it is the
/// first in pre-order of the heap-shaped tree, since a parent yields only to a strictly better child and a left child
/// only to a strictly better right one.
pub(super) fn top_of_heap<Score: Copy + Ord>(scores: &[Score]) -> Option<usize> {
    let highest = scores.iter().copied().reduce(Ord::max)?;
    // Most strides have none of the highest, which is seen faster by comparing all of it than by stopping at the first.
    let has_highest = |stride: &[Score]| stride.iter().filter(|score| **score == highest).count() > 0;
    let strides = scores.chunks(STRIDE).enumerate().filter(|(_, stride)| has_highest(stride));
    let places = strides.flat_map(|(number, stride)| (number * STRIDE..).zip(stride));
    let ties = places.filter(|(_, score)| **score == highest);
    ties.map(|(index, _)| index).min_by_key(|&index| pre_order(index as u32))
}

/// Numbers that sort tree places in pre-order: the path from the root as leading bits, shorter paths first.
fn pre_order(index: u32) -> (u32, u32) {
    let path = index + 1;
    (path << path.leading_zeros(), path)
}

/// The place of one of the highest scores with equal chances, as up to 1.34; `below(n)` gives a number below `n`.
pub(super) fn sample_best<Score: Copy + Ord>(
    scores: &[Score],
    below: &mut dyn FnMut(u64) -> u64,
) -> Option<usize> {
    let (mut best, mut equals) = (0, 1);
    for (index, score) in scores.iter().enumerate().skip(1) {
        if *score > scores[best] {
            (best, equals) = (index, 1);
        } else if *score == scores[best] {
            equals += 1;
            if below(equals) == 0 {
                best = index;
            }
        }
    }
    (!scores.is_empty()).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_shortcut_finds_what_the_heap_pops(scores in prop::collection::vec(0_i64..4, 0..200)) {
            let nodes = scores.iter().enumerate();
            let mut ranked = RankedNodes::default();
            ranked.fill(nodes.map(|(index, &score)| ScoredNode { node: NodeId(index as u32), score, tie_break: 0 }));
            let popped = ranked.pop().map(|best| best.node.index());
            prop_assert_eq!(top_of_heap(&scores), popped);
        }
    }

    #[test]
    fn sampling_keeps_the_first_or_takes_the_last() {
        let rows: [(&[i64], u64, Option<usize>); 4] =
            [(&[], 0, None), (&[1, 3, 2, 3], 1, Some(1)), (&[1, 3, 2, 3], 0, Some(3)), (&[5], 0, Some(0))];
        for (scores, draw, want) in rows {
            assert_eq!(sample_best(scores, &mut |_| draw), want, "{scores:?}");
        }
    }
}
