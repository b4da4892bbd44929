//! The short way through a cycle, by what each node scored when it was last looked at.

use super::{Placement, Request, Scheduler, choose};
use crate::scheduler::plugins::{image_locality, node_affinity, taint_toleration};
use crate::scheduler::select::feasible_nodes_to_find;
use crate::scheduler::standings::{ResourceWeights, Standing};
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::Plugin;
use crate::scheduler::template::{NodeNames, Template, TemplateId};

impl Scheduler {
    /// The same cycle, faster, for pods about which resources alone decide: without rules about nodes, ports or other pods,
    /// and not of a set that is spread. Nothing if this is none of them, or if no node fits.
    pub(super) fn schedule_by_standing(
        &mut self,
        state: &mut ClusterState,
        request: &Request,
        template: &Template,
        below: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Placement> {
        let id = request.template;
        let is_plain = self.filters.only_resources
            && !state.profile.batches_pods()
            && state.nominations.is_empty()
            && !matches!(template.node_names, NodeNames::Only(_));
        if !is_plain || !self.only_resources_score(state, id, template) {
            return None;
        }
        let weights = ResourceWeights::of(&state.profile, template)?;
        let mut standings = state.take_standings(id);
        let order = state.nodes.take_order();
        let start = self.next_start % order.len();
        let wanted = feasible_nodes_to_find(state.profile.percentage_of_nodes_to_score, order.len());
        let look = |place: usize| {
            let node = order[place];
            let refused = self.filters.refuses_by_node_rules(state, id, template, node);
            if refused { Standing::REFUSED } else { weights.standing(state, template, node) }
        };
        let evaluated = standings.scan(start, wanted, look, &mut self.standings);
        let best = choose(state.profile.version, &self.standings, below);
        let place = match best {
            // Nobody was refused.
            Some(best) if evaluated == self.standings.len() => Some((start + best) % order.len()),
            Some(best) => standings.place_of_fitting(start, best),
            None => None,
        };
        let placement =
            place.map(|place| Placement { node: order[place], feasible: self.standings.len(), evaluated });
        if placement.is_some() {
            self.next_start = (self.next_start + evaluated) % order.len();
        }
        state.nodes.return_order(order);
        state.return_standings(id, standings);
        placement
    }

    /// Whether no plugin but those for resources has anything to say that differs between nodes.
    fn only_resources_score(&mut self, state: &ClusterState, id: TemplateId, template: &Template) -> bool {
        let weights = &state.profile.weights;
        let decides = |(plugin, _): &(Plugin, i64)| match plugin {
            Plugin::TaintToleration => taint_toleration::scores_differ(state, id),
            Plugin::NodeAffinity => node_affinity::scores(state, template),
            Plugin::PodTopologySpread => !template.soft_spread.is_empty(),
            Plugin::InterPodAffinity => self.affinity_score.prepare(state, id),
            Plugin::ImageLocality => image_locality::scores(state, template),
            _ => false,
        };
        !weights.is_empty() && !weights.iter().any(decides)
    }
}
