//! Opportunistic batching, since 1.35: nodes that a cycle ranked but did not choose are offered, best first, to the next
//! pods that are alike, as long as each pod fills the node it gets. What makes pods alike is in [`super::signature`].

use super::nodes::{NodeId, Nodes};
use super::select::RankedNodes;
use super::template::TemplateId;
use model::time::{Period, Timestamp};

/// A ranking older than this is not used.
const LONGEST_USE: Period = Period::from_millis(500);

/// What is kept from one cycle to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// Cycles begun; a pod that finds no node has one, too.
    cycle: u64,
    last_success: Option<Success>,
    ranking: Option<Ranking>,
}

#[derive(Clone, Copy, Debug)]
struct Success {
    cycle: u64,
    chosen: NodeId,
    /// How many nodes had come by then; tells a later node with the same number apart.
    born: u64,
}

/// Nodes left over by a pod of this template.
#[derive(Clone, Debug)]
struct Ranking {
    template: TemplateId,
    nodes: RankedNodes,
    made_at: Timestamp,
    born: u64,
}

impl Batch {
    pub(super) const fn begin_cycle(&mut self) {
        self.cycle += 1;
    }

    /// The next best node, taken off the ranking: if the cycle before this one placed a pod that `is_alike`, not long after
    /// the ranking was made, on a node that `is_full` for this pod. While that node has room, nobody knows where it would
    /// rank now.
    pub(super) fn hint(
        &mut self,
        now: Timestamp,
        nodes: &Nodes,
        is_alike: impl FnOnce(TemplateId) -> bool,
        is_full: impl FnOnce(NodeId) -> bool,
    ) -> Option<NodeId> {
        let last = self.last_success.filter(|last| last.cycle + 1 == self.cycle)?;
        let ranking = self.ranking.as_mut().filter(|ranking| now <= ranking.made_at + LONGEST_USE)?;
        if !is_alike(ranking.template) || !nodes.is_still(last.chosen, last.born) || !is_full(last.chosen) {
            return None;
        }
        let best = ranking.nodes.pop()?.node;
        nodes.is_still(best, ranking.born).then_some(best)
    }

    /// A pod of `template` was placed. `others` are the nodes it did not take: none if nodes were not ranked or its pods
    /// cannot be compared. A ranking stays in use as long as its hints are taken.
    pub(super) fn store(
        &mut self,
        now: Timestamp,
        nodes: &Nodes,
        template: TemplateId,
        hint: Option<NodeId>,
        chosen: NodeId,
        others: RankedNodes,
    ) {
        let born = nodes.born();
        self.last_success = Some(Success { cycle: self.cycle, chosen, born });
        if hint != Some(chosen) {
            let ranking = Ranking { template, nodes: others, made_at: now, born };
            self.ranking = Some(ranking).filter(|ranking| !ranking.nodes.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::select::ScoredNode;
    use super::*;

    /// A pod takes node 0 and leaves `others`; then comes a pod that is like it, half a second later and to a full node.
    struct Row {
        story: &'static str,
        others: &'static [u32],
        succeeds: bool,
        cycles_between: u64,
        later: u64,
        is_alike: bool,
        is_full: bool,
        hint: Option<u32>,
        /// What the pod after it would be offered.
        then: Option<u32>,
    }

    const PLAIN: Row = Row {
        story: "the next best node is offered",
        others: &[1],
        succeeds: true,
        cycles_between: 0,
        later: 500,
        is_alike: true,
        is_full: true,
        hint: Some(1),
        then: None,
    };

    fn nodes(count: u32) -> Nodes {
        let mut nodes = Nodes::default();
        for _ in 0..count {
            let node = nodes.allocate();
            nodes.gates[node.index()].present = true;
        }
        nodes
    }

    fn ranked(nodes: &[u32]) -> RankedNodes {
        let mut ranked = RankedNodes::default();
        let scored = nodes.iter().map(|&node| (NodeId(node), 100 - i64::from(node)));
        ranked.fill(scored.map(|(node, score)| ScoredNode { node, score, tie_break: 0 }));
        ranked
    }

    fn check(row: &Row) {
        let (nodes, template, mut batch) = (nodes(4), TemplateId(7), Batch::default());
        batch.begin_cycle();
        assert_eq!(batch.hint(Timestamp(0), &nodes, |_| true, |_| true), None, "{}", row.story);
        if row.succeeds {
            batch.store(Timestamp(0), &nodes, template, None, NodeId(0), ranked(row.others));
        }
        (0..=row.cycles_between).for_each(|_| batch.begin_cycle());
        let now = Timestamp(row.later);
        let hint = batch.hint(now, &nodes, |other| other == template && row.is_alike, |_| row.is_full);
        assert_eq!(hint, row.hint.map(NodeId), "{}", row.story);
        let chosen = hint.unwrap_or(NodeId(3));
        batch.store(now, &nodes, template, hint, chosen, RankedNodes::default());
        batch.begin_cycle();
        let then = batch.hint(now, &nodes, |_| true, |node| node == chosen);
        assert_eq!(then, row.then.map(NodeId), "{}", row.story);
    }

    #[test]
    fn a_ranking_serves_pods_that_are_alike_and_fill_their_nodes() {
        let none = Row { hint: None, ..PLAIN };
        let rows = [
            PLAIN,
            Row { story: "what is left serves the next", others: &[1, 2], then: Some(2), ..PLAIN },
            Row { story: "another kind of pod", is_alike: false, ..none },
            Row { story: "the last node has room for one more", is_full: false, ..none },
            Row { story: "the last pod found no node", succeeds: false, ..none },
            Row { story: "nothing is left", others: &[], ..none },
            Row { story: "somebody came between", cycles_between: 1, ..none },
            Row { story: "too late", later: 501, ..none },
        ];
        rows.iter().for_each(check);
    }

    #[test]
    fn a_hint_that_was_not_taken_ends_the_ranking() {
        let (nodes, template, mut batch) = (nodes(4), TemplateId(0), Batch::default());
        batch.begin_cycle();
        batch.store(Timestamp(0), &nodes, template, None, NodeId(0), ranked(&[1, 2]));
        batch.begin_cycle();
        let hint = batch.hint(Timestamp(0), &nodes, |_| true, |_| true);
        assert_eq!(hint, Some(NodeId(1)));
        batch.store(Timestamp(0), &nodes, template, hint, NodeId(3), RankedNodes::default());
        batch.begin_cycle();
        assert_eq!(batch.hint(Timestamp(0), &nodes, |_| true, |_| true), None);
    }

    #[test]
    fn a_node_that_took_the_number_of_another_is_not_meant() {
        for (replaced, left, want) in
            [(0, &[1, 2][..], None), (1, &[1, 2], None), (3, &[1, 2], Some(NodeId(1)))]
        {
            let (mut nodes, mut batch) = (nodes(4), Batch::default());
            batch.begin_cycle();
            batch.store(Timestamp(0), &nodes, TemplateId(0), None, NodeId(0), ranked(left));
            nodes.release(NodeId(replaced));
            let again = nodes.allocate();
            nodes.gates[again.index()].present = true;
            assert_eq!(again, NodeId(replaced));
            batch.begin_cycle();
            assert_eq!(batch.hint(Timestamp(0), &nodes, |_| true, |_| true), want, "{replaced}");
        }
    }
}
