//! Remembers what the resource plugins thought of each node, for the templates scheduled most recently: between two
//! pods of one template only the nodes that changed have to be looked at again.

use super::nodes::NodeId;
use super::plugins::{node_resources_balanced, node_resources_fit};
use super::state::ClusterState;
use super::template::{Template, TemplateId};
use std::collections::VecDeque;

/// Templates whose verdicts are kept; at 8 bytes a node, 10,000 nodes take 5 MB.
const REMEMBERED_TEMPLATES: usize = 64;

/// Says that a node's resources changed; no two states of a node share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp(u32);

impl Stamp {
    pub(super) fn advance(&mut self) -> Self {
        self.0 = self.0.checked_add(1).expect("fewer than 2^32 changes of nodes");
        *self
    }
}

/// What the resource plugins think of one node in one state. Scores are at most 100.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verdict {
    stamp: Stamp,
    pub(super) fits: bool,
    pub(super) fit_score: u8,
    pub(super) balanced_score: u8,
}

/// Verdicts about all nodes for one template.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdicts(Vec<Verdict>);

impl Verdicts {
    /// The verdict about a node as it is now.
    #[inline]
    pub(super) fn of(&mut self, state: &ClusterState, template: &Template, node: NodeId) -> Verdict {
        let known = &mut self.0[node.index()];
        if known.stamp != state.nodes.stamps[node.index()] {
            *known = judge(state, template, node);
        }
        *known
    }

    /// The verdict as last asked for.
    #[inline]
    pub(super) fn known(&self, node: NodeId) -> Verdict {
        self.0[node.index()]
    }
}

/// Kept out of line, so that the look-up itself is small enough to be part of the scan.
#[cold]
#[inline(never)]
fn judge(state: &ClusterState, template: &Template, node: NodeId) -> Verdict {
    Verdict {
        stamp: state.nodes.stamps[node.index()],
        fits: node_resources_fit::filter(state, template, node).is_ok(),
        fit_score: node_resources_fit::score(state, template, node) as u8,
        balanced_score: node_resources_balanced::score(state, template, node) as u8,
    }
}

/// The templates that have verdicts, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    remembered: VecDeque<TemplateId>,
    /// The templates that have standings, oldest first.
    pub(super) with_standings: VecDeque<TemplateId>,
}

impl ClusterState {
    /// Lends out a template's verdicts; give them back with [`Self::return_verdicts`].
    pub(super) fn take_verdicts(&mut self, id: TemplateId) -> Verdicts {
        let mut verdicts = std::mem::take(&mut self.templates[id.index()].verdicts);
        if verdicts.0.is_empty() {
            if self.memory.remembered.len() == REMEMBERED_TEMPLATES
                && let Some(oldest) = self.memory.remembered.pop_front()
            {
                verdicts = std::mem::take(&mut self.templates[oldest.index()].verdicts);
                verdicts.0.clear();
            }
            self.memory.remembered.push_back(id);
        }
        verdicts.0.resize(self.nodes.stamps.len(), Verdict::default());
        verdicts
    }

    pub(super) fn return_verdicts(&mut self, id: TemplateId, verdicts: Verdicts) {
        self.templates[id.index()].verdicts = verdicts;
    }
}
