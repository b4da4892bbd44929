//! What every node would score, kept in the order of the scan, for pods about which resources alone decide. A cycle then reads a
//! few lines of memory, and looks again only at nodes that changed since the template's last cycle.

use super::nodes::{NodeId, Nodes};
use super::plugins::{node_resources_balanced, node_resources_fit};
use super::profile::{MAX_NODE_SCORE, Profile};
use super::state::ClusterState;
use super::status::Plugin;
use super::template::{Template, TemplateId};
use std::collections::VecDeque;

/// Templates whose standings are kept; at 2 bytes a node, 10,000 nodes take 5 MB.
const REMEMBERED_TEMPLATES: usize = 256;
/// So many nodes are looked at together: one bit each in a word.
const STRIDE: usize = u64::BITS as usize;

/// A node's total score, or that it is refused. One small number, so that compilers compare many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing(i16);

impl Standing {
    pub(super) const REFUSED: Self = Self(-1);

    const fn fits(self) -> bool {
        self.0 >= 0
    }
}

/// How much the two plugins count that look at resources.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResourceWeights {
    fit: i16,
    balanced: i16,
}

impl ResourceWeights {
    /// Nothing if totals could be too large for a [`Standing`].
    pub(super) fn of(profile: &Profile, template: &Template) -> Option<Self> {
        let weight_of = |wanted: Plugin| {
            let weights = profile.weights.iter().filter(|(plugin, _)| *plugin == wanted);
            weights.map(|(_, weight)| *weight).sum::<i64>()
        };
        let fit = weight_of(Plugin::NodeResourcesFit);
        let is_balanced = node_resources_balanced::scores(template);
        let balanced = if is_balanced { weight_of(Plugin::NodeResourcesBalancedAllocation) } else { 0 };
        let most = i64::from(i16::MAX) / MAX_NODE_SCORE / 2;
        let fits = |weight: &i64| (0..=most).contains(weight);
        (fits(&fit) && fits(&balanced)).then_some(Self { fit: fit as i16, balanced: balanced as i16 })
    }

    /// Looks at a node that no rule but its resources refuses.
    pub(super) fn standing(self, state: &ClusterState, template: &Template, node: NodeId) -> Standing {
        if node_resources_fit::filter(state, template, node).is_err() {
            return Standing::REFUSED;
        }
        let fit = node_resources_fit::score(state, template, node) as i16;
        let balanced = node_resources_balanced::score(state, template, node) as i16;
        Standing(self.fit * fit + self.balanced * balanced)
    }
}

/// Standings of all nodes for one template, in the order of the scan.
#[derive(Clone, Debug, Default)]
pub(super) struct Standings {
    by_place: Vec<Standing>,
    /// A bit for every place whose node has to be looked at first.
    unknown: Vec<u64>,
    /// How many changes of nodes are taken into account.
    seen: u64,
}

impl Standings {
    /// Forgets what is known about nodes that changed. Looking at them at once would be too early: many change again
    /// before a scan comes to them.
    fn catch_up(&mut self, nodes: &Nodes) {
        if let Some(changed) = nodes.changes.since(self.seen) {
            for place in changed.map(|node| nodes.place(node)) {
                self.unknown[place / STRIDE] |= 1 << (place % STRIDE);
            }
        } else {
            self.by_place.clear();
            self.by_place.resize(nodes.count(), Standing::REFUSED);
            self.unknown.clear();
            self.unknown.resize(nodes.count().div_ceil(STRIDE), u64::MAX);
        }
        self.seen = nodes.changes.made();
    }

    /// Looks from `start` on and around until one more than `wanted` nodes fit, and puts the totals of the others into
    /// `totals`. Returns how many nodes were looked at before that one.
    pub(super) fn scan(
        &mut self,
        start: usize,
        wanted: usize,
        look: impl Fn(usize) -> Standing,
        totals: &mut Vec<Standing>,
    ) -> usize {
        totals.clear();
        let mut looked_at = 0;
        for (mut from, end) in [(start, self.by_place.len()), (0, start)] {
            while from < end {
                let to = end.min((from / STRIDE + 1) * STRIDE);
                self.complete(from, to, &look);
                let (seen, is_enough) = take(&self.by_place[from..to], wanted, totals);
                looked_at += seen;
                if is_enough {
                    return looked_at;
                }
                from = to;
            }
        }
        looked_at
    }

    /// Looks at those between two places of one stride that are not known.
    #[inline]
    fn complete(&mut self, from: usize, to: usize, look: &impl Fn(usize) -> Standing) {
        let first = from / STRIDE * STRIDE;
        let asked = (u64::MAX << (from - first)) & (u64::MAX >> (first + STRIDE - to));
        let known = &mut self.unknown[from / STRIDE];
        let mut unknown = *known & asked;
        *known &= !asked;
        while unknown != 0 {
            let place = first + unknown.trailing_zeros() as usize;
            self.by_place[place] = look(place);
            unknown &= unknown - 1;
        }
    }

    /// The place of the fitting node with this index, counted from `start` on and around.
    pub(super) fn place_of_fitting(&self, start: usize, index: usize) -> Option<usize> {
        let places = (start..self.by_place.len()).chain(0..start);
        places.filter(|place| self.by_place[*place].fits()).nth(index)
    }
}

/// Adds totals until there are enough; returns how many were taken or refused, and whether one more would have fitted.
fn take(stride: &[Standing], wanted: usize, totals: &mut Vec<Standing>) -> (usize, bool) {
    let all_fit = stride.iter().fold(true, |all, standing| all & standing.fits());
    if all_fit && totals.len() + stride.len() <= wanted {
        totals.extend_from_slice(stride);
        return (stride.len(), false);
    }
    for (seen, standing) in stride.iter().enumerate() {
        if standing.fits() {
            if totals.len() == wanted {
                return (seen, true);
            }
            totals.push(*standing);
        }
    }
    (stride.len(), false)
}

impl ClusterState {
    /// Lends out a template's standings, up to date; give them back with [`Self::return_standings`].
    pub(super) fn take_standings(&mut self, id: TemplateId) -> Standings {
        let mut standings = std::mem::take(&mut self.templates[id.index()].standings);
        if standings.by_place.is_empty() {
            standings = self.oldest_standings(id);
        }
        standings.catch_up(&self.nodes);
        standings
    }

    /// Makes room for those of another template; the memory of the oldest is used again.
    fn oldest_standings(&mut self, newest: TemplateId) -> Standings {
        let remembered: &mut VecDeque<TemplateId> = &mut self.memory.with_standings;
        remembered.push_back(newest);
        if remembered.len() <= REMEMBERED_TEMPLATES {
            return Standings::default();
        }
        let oldest = remembered.pop_front().expect("there are more than none");
        let forgotten = std::mem::take(&mut self.templates[oldest.index()].standings);
        Standings { seen: 0, ..forgotten }
    }

    pub(super) fn return_standings(&mut self, id: TemplateId, standings: Standings) {
        self.templates[id.index()].standings = standings;
    }
}
