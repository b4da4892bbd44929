//! One scheduling cycle: find nodes that fit, score them, take the best.

mod by_standing;

use super::batch::Batch;
use super::memo::Verdicts;
use super::nodes::{NodeId, PodId};
use super::plugins::inter_pod_affinity::{AffinityCheck, AffinityScore};
use super::plugins::pod_topology_spread::{SpreadCheck, SpreadScore};
use super::plugins::{
    image_locality, node_affinity, node_name, node_ports, node_resources_balanced, node_resources_fit,
    node_unschedulable, normalize, scheduling_gates, taint_toleration,
};
use super::profile::{MAX_NODE_SCORE, Version};
use super::select::{RankedNodes, ScoredNode, feasible_nodes_to_find, sample_best, top_of_heap};
use super::signature;
use super::standings::Standing;
use super::state::{ClusterState, Nomination, PodDetails};
use super::status::{FitError, Plugin, PluginSet, PodRejection, Rejection};
use super::template::{NodeNames, Template, TemplateId};
use model::time::Timestamp;
use std::sync::Arc;

/// A pod to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub pod: PodId,
    pub template: TemplateId,
    pub priority: i32,
    /// The node it was promised, tried first.
    pub nominated: Option<NodeId>,
}

/// Where a pod goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub node: NodeId,
    /// Nodes that passed the filters.
    pub feasible: usize,
    /// Nodes looked at.
    pub evaluated: usize,
}

/// One plugin's weighted scores, in the order of the nodes given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginScores {
    pub plugin: Plugin,
    pub scores: Vec<i64>,
}

/// A scheduler between cycles: where the next scan starts, and memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    next_start: usize,
    filters: Filters,
    affinity_score: AffinityScore,
    spread_score: SpreadScore,
    feasible: Vec<NodeId>,
    rejections: Vec<(NodeId, Rejection)>,
    /// Of the pod being scheduled, on loan from the state.
    verdicts: Verdicts,
    scores: Vec<i64>,
    totals: Vec<i64>,
    batch: Batch,
    standings: Vec<Standing>,
}

/// What the filters learned about the cluster for one pod.
#[derive(Clone, Debug, Default)]
struct Filters {
    active: Option<PluginSet>,
    has_node_rules: bool,
    /// On a node without taints and cordon, only resources decide.
    only_resources: bool,
    spread: SpreadCheck,
    affinity: AffinityCheck,
}

impl Filters {
    /// Decides which filters concern the pod and lets them count.
    fn prepare(&mut self, state: &mut ClusterState, id: TemplateId) {
        taint_toleration::prepare(state, id);
        node_affinity::prepare(state, id);
        let template = state.template(id);
        let mut active = state.profile.filters;
        if !node_affinity::concerns(state, template) {
            active = active.without(Plugin::NodeAffinity);
        }
        if template.node_name.is_none() {
            active = active.without(Plugin::NodeName);
        }
        if !node_ports::concerns(template) {
            active = active.without(Plugin::NodePorts);
        }
        self.has_node_rules = active.contains(Plugin::NodeAffinity) || active.contains(Plugin::NodeName);
        self.active = Some(active);
        self.count(state, id);
    }

    /// The part that changes when pods come or go.
    fn count(&mut self, state: &ClusterState, id: TemplateId) {
        let mut active = self.active.expect("prepared before");
        for (plugin, concerns) in [
            (Plugin::PodTopologySpread, self.spread.prepare(state, id)),
            (Plugin::InterPodAffinity, self.affinity.prepare(state, id)),
        ] {
            let wanted = concerns && state.profile.filters.contains(plugin);
            active = if wanted { active.with(plugin) } else { active.without(plugin) };
        }
        let undecided = [Plugin::NodePorts, Plugin::PodTopologySpread, Plugin::InterPodAffinity];
        self.only_resources = active.contains(Plugin::NodeResourcesFit)
            && !self.has_node_rules
            && !undecided.iter().any(|plugin| active.contains(*plugin));
        self.active = Some(active);
    }

    /// Whether the node passes all filters, as far as that can be told at once; most nodes pass for most pods.
    #[inline]
    fn passes_at_once(
        &self,
        verdicts: &mut Verdicts,
        state: &ClusterState,
        template: &Template,
        node: NodeId,
    ) -> bool {
        self.only_resources
            && state.nodes.gates[node.index()].is_open()
            && verdicts.of(state, template, node).fits
    }

    /// The first refusal in plugin order.
    #[inline]
    fn run(
        &self,
        verdicts: &mut Verdicts,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        node: NodeId,
    ) -> Result<(), Rejection> {
        let active = self.active.expect("prepared before");
        let gate = &state.nodes.gates[node.index()];
        if self.has_node_rules || !gate.is_open() {
            Self::run_node_rules(state, id, template, node, active)?;
        }
        if active.contains(Plugin::NodePorts) {
            node_ports::filter(state, template, node)?;
        }
        if active.contains(Plugin::NodeResourcesFit) && !verdicts.of(state, template, node).fits {
            node_resources_fit::filter(state, template, node)?;
        }
        if active.contains(Plugin::PodTopologySpread) {
            self.spread.filter(state, template, node)?;
        }
        if active.contains(Plugin::InterPodAffinity) {
            self.affinity.filter(state, template, node)?;
        }
        Ok(())
    }

    /// Whether a taint or a cordon keeps the pod away, for pods with no other rules about nodes.
    #[inline]
    fn refuses_by_node_rules(
        &self,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        node: NodeId,
    ) -> bool {
        let active = self.active.expect("prepared before");
        !state.nodes.gates[node.index()].is_open()
            && Self::run_node_rules(state, id, template, node, active).is_err()
    }

    /// Filters that depend on the node alone.
    fn run_node_rules(
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        node: NodeId,
        active: PluginSet,
    ) -> Result<(), Rejection> {
        let name_first = state.profile.version >= Version::V1_37;
        if name_first && active.contains(Plugin::NodeName) {
            node_name::filter(state, template, node)?;
        }
        if active.contains(Plugin::NodeUnschedulable) {
            node_unschedulable::filter(state, template, node)?;
        }
        if !name_first && active.contains(Plugin::NodeName) {
            node_name::filter(state, template, node)?;
        }
        if active.contains(Plugin::TaintToleration) {
            taint_toleration::filter(state, id, node)?;
        }
        if active.contains(Plugin::NodeAffinity) {
            node_affinity::filter(state, id, node)?;
        }
        Ok(())
    }
}

impl Scheduler {
    /// One cycle: chooses a node for a pod, or says why none fits. The pod is not placed. `below(n)` gives a random
    /// number below `n`; it is asked only by versions up to 1.34, for ties.
    pub fn schedule(
        &mut self,
        now: Timestamp,
        state: &mut ClusterState,
        request: &Request,
        below: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Placement, FitError> {
        let template = Arc::clone(state.template(request.template));
        let all_nodes = state.scan_order().len();
        self.rejections.clear();
        self.batch.begin_cycle();
        if let Err(rejection) = admit(state, &template) {
            return Err(self.fit_error(state, &template, all_nodes, Some(rejection)));
        }
        if all_nodes == 0 {
            return Err(self.fit_error(state, &template, 0, None));
        }
        self.filters.prepare(state, request.template);
        if let Some(placement) = self.schedule_by_standing(state, request, &template, below) {
            return Ok(placement);
        }
        self.verdicts = state.take_verdicts(request.template);
        let hint = self.hint(now, state, request.template, &template);
        let evaluated = self.find_feasible(state, request, &template, hint, all_nodes);
        let node = match self.feasible.as_slice() {
            [] => None,
            [node] => Some(*node),
            _ => Some(self.best(state, request.template, &template, below)),
        };
        state.return_verdicts(request.template, std::mem::take(&mut self.verdicts));
        if let Some(node) = node {
            self.remember(now, state, request.template, &template, hint, node);
        }
        let feasible = self.feasible.len();
        let placement = node.map(|node| Placement { node, feasible, evaluated });
        placement.ok_or_else(|| self.fit_error(state, &template, all_nodes, None))
    }

    /// The node that the last cycle liked next best, if this pod is another of the same batch.
    fn hint(
        &mut self,
        now: Timestamp,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
    ) -> Option<NodeId> {
        if !state.profile.batches_pods() || !signature::can_sign(&state.profile, template) {
            return None;
        }
        let Self { batch, filters, verdicts, .. } = self;
        let is_alike = |other: TemplateId| {
            other == id || signature::are_alike(&state.profile, template, state.template(other))
        };
        // Promises to other pods do not count here, unlike in the scan.
        let is_full = |node: NodeId| filters.run(verdicts, state, id, template, node).is_err();
        batch.hint(now, &state.nodes, is_alike, is_full)
    }

    /// Keeps the nodes that were ranked but not chosen for pods that are alike.
    fn remember(
        &mut self,
        now: Timestamp,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        hint: Option<NodeId>,
        chosen: NodeId,
    ) {
        if !state.profile.batches_pods() {
            return;
        }
        let mut others = RankedNodes::default();
        let is_ranked = self.feasible.len() > 1 && signature::can_sign(&state.profile, template);
        if is_ranked {
            let scored = self.feasible.iter().zip(&self.totals);
            others.fill(scored.map(|(&node, &score)| ScoredNode { node, score, tie_break: 0 }));
            let best = others.pop().map(|best| best.node);
            assert_eq!(best, Some(chosen), "the heap's top is the chosen node");
        }
        self.batch.store(now, &state.nodes, id, hint, chosen, others);
    }

    /// Whether the pod fits this node now, as in a cycle. Preemption asks this after taking victims off the node.
    pub fn fits(
        &mut self,
        state: &mut ClusterState,
        request: &Request,
        node: NodeId,
    ) -> Result<(), Rejection> {
        self.filters.prepare(state, request.template);
        let template = Arc::clone(state.template(request.template));
        self.verdicts = state.take_verdicts(request.template);
        let verdict = self.check(state, request, &template, node);
        state.return_verdicts(request.template, std::mem::take(&mut self.verdicts));
        verdict
    }

    /// The place in `nodes` of the first one that the pod fits, looking from `start` on and around. The cluster
    /// autoscaler packs pods this way, without scores.
    pub fn first_fit(
        &mut self,
        state: &mut ClusterState,
        request: &Request,
        nodes: &[NodeId],
        start: usize,
    ) -> Result<Option<usize>, PodRejection> {
        let template = Arc::clone(state.template(request.template));
        admit(state, &template)?;
        self.filters.prepare(state, request.template);
        self.verdicts = state.take_verdicts(request.template);
        let mut places = (start..nodes.len()).chain(0..start.min(nodes.len()));
        let found = places.find(|place| self.check(state, request, &template, nodes[*place]).is_ok());
        state.return_verdicts(request.template, std::mem::take(&mut self.verdicts));
        Ok(found)
    }

    /// Fills `feasible` and `rejections`; returns how many nodes were looked at.
    fn find_feasible(
        &mut self,
        state: &mut ClusterState,
        request: &Request,
        template: &Template,
        hint: Option<NodeId>,
        all_nodes: usize,
    ) -> usize {
        self.feasible.clear();
        // A promised node counts more than a hint, even if it is gone.
        if let Some(node) = request.nominated.or(hint)
            && state.nodes.is_present(node)
        {
            match self.check(state, request, template, node) {
                Ok(()) => {
                    self.feasible.push(node);
                    return 1;
                }
                Err(rejection) => self.rejections.push((node, rejection)),
            }
        }
        match &template.node_names {
            NodeNames::Only(names) => {
                let named: Vec<_> =
                    names.iter().filter_map(|name| state.node_by_name.get(name)).copied().collect();
                self.scan(state, request, template, &named);
            }
            _ => self.scan_all(state, request, template),
        }
        self.forget_repeated_first();
        let looked_at = self.feasible.len() + self.rejections.len();
        self.next_start = (self.next_start + looked_at) % all_nodes;
        looked_at
    }

    /// The node that was tried first may have been refused twice; the later refusal stands.
    fn forget_repeated_first(&mut self) {
        if let Some(&(first, _)) = self.rejections.first()
            && self.rejections[1..].iter().any(|(node, _)| *node == first)
        {
            self.rejections.remove(0);
        }
    }

    fn scan_all(&mut self, state: &mut ClusterState, request: &Request, template: &Template) {
        // The order is lent out during the scan, since checking needs the state.
        let order = state.nodes.take_order();
        self.scan(state, request, template, &order);
        state.nodes.return_order(order);
    }

    /// Looks at nodes from where the last scan stopped until one more than enough fit; nodes refused on the way to that
    /// one still count as looked at, as with a parallelism of one.
    fn scan(&mut self, state: &mut ClusterState, request: &Request, template: &Template, nodes: &[NodeId]) {
        if nodes.is_empty() {
            return;
        }
        let scores = !state.profile.weights.is_empty();
        let wanted = if scores {
            feasible_nodes_to_find(state.profile.percentage_of_nodes_to_score, nodes.len())
        } else {
            1
        };
        let (before, after) = nodes.split_at(self.next_start % nodes.len());
        let plain = state.nominations.is_empty();
        for &node in after.iter().chain(before) {
            let verdict = if plain && self.filters.passes_at_once(&mut self.verdicts, state, template, node) {
                Ok(())
            } else if plain {
                self.filters.run(&mut self.verdicts, state, request.template, template, node)
            } else {
                self.check(state, request, template, node)
            };
            match verdict {
                Ok(()) if self.feasible.len() == wanted => return,
                Ok(()) => self.feasible.push(node),
                Err(rejection) => self.rejections.push((node, rejection)),
            }
        }
    }

    /// A node must take the pod both with and without the pods that were promised the node and rank no lower.
    fn check(
        &mut self,
        state: &mut ClusterState,
        request: &Request,
        template: &Template,
        node: NodeId,
    ) -> Result<(), Rejection> {
        let yields_to = |one: &&Nomination| one.priority >= request.priority && one.pod != request.pod;
        let promised: Vec<_> = state.nominations(node).iter().filter(yields_to).copied().collect();
        if !promised.is_empty() {
            for one in &promised {
                let details = PodDetails { priority: one.priority, ..Default::default() };
                state.assign(one.pod, one.template, node, details);
            }
            self.filters.count(state, request.template);
            let crowded = self.filters.run(&mut self.verdicts, state, request.template, template, node);
            for one in promised.iter().rev() {
                state.unassign(one.pod);
            }
            self.filters.count(state, request.template);
            crowded?;
        }
        self.filters.run(&mut self.verdicts, state, request.template, template, node)
    }

    fn best(
        &mut self,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        below: &mut dyn FnMut(u64) -> u64,
    ) -> NodeId {
        let nodes = std::mem::take(&mut self.feasible);
        let mut totals = std::mem::take(&mut self.totals);
        totals.clear();
        totals.resize(nodes.len(), 0);
        if !state.profile.filters.contains(Plugin::NodeResourcesFit) {
            for &node in &nodes {
                self.verdicts.of(state, template, node);
            }
        }
        for &(plugin, weight) in &state.profile.weights {
            if plugin == Plugin::TaintToleration && !taint_toleration::scores_differ(state, id) {
                // The same for every node cannot decide anything.
                continue;
            }
            let weighed = totals.iter_mut();
            if plugin == Plugin::NodeResourcesFit {
                let scores = nodes.iter().map(|&node| i64::from(self.verdicts.known(node).fit_score));
                weighed.zip(scores).for_each(|(total, score)| *total += weight * score);
            } else if self.score_plugin(state, id, template, plugin, &nodes) {
                weighed.zip(&self.scores).for_each(|(total, score)| *total += weight * score);
            }
        }
        let best = choose(state.profile.version, &totals, below);
        let best = nodes[best.expect("there are at least two feasible nodes")];
        self.feasible = nodes;
        self.totals = totals;
        best
    }

    /// Every plugin's weighted scores for `nodes`; plugins that have nothing to say are left out.
    pub fn score(&mut self, state: &mut ClusterState, id: TemplateId, nodes: &[NodeId]) -> Vec<PluginScores> {
        taint_toleration::prepare(state, id);
        node_affinity::prepare(state, id);
        let template = Arc::clone(state.template(id));
        let profile = Arc::clone(&state.profile);
        self.verdicts = state.take_verdicts(id);
        for &node in nodes {
            self.verdicts.of(state, &template, node);
        }
        let mut scored = Vec::new();
        for &(plugin, weight) in &profile.weights {
            if self.score_plugin(state, id, &template, plugin, nodes) {
                let scores = self.scores.iter().map(|score| weight * score).collect();
                scored.push(PluginScores { plugin, scores });
            }
        }
        state.return_verdicts(id, std::mem::take(&mut self.verdicts));
        scored
    }

    /// Puts normalised scores into `scores`; false if the plugin has nothing to say about this pod.
    fn score_plugin(
        &mut self,
        state: &ClusterState,
        id: TemplateId,
        template: &Template,
        plugin: Plugin,
        nodes: &[NodeId],
    ) -> bool {
        let scores = &mut self.scores;
        match plugin {
            Plugin::TaintToleration if !taint_toleration::scores_differ(state, id) => {
                scores.clear();
                scores.resize(nodes.len(), MAX_NODE_SCORE);
            }
            Plugin::TaintToleration => {
                taint_toleration::score(state, id, nodes, scores);
                normalize::by_maximum(MAX_NODE_SCORE, true, scores);
            }
            Plugin::NodeAffinity if node_affinity::scores(state, template) => {
                node_affinity::score(state, template, nodes, scores);
                normalize::by_maximum(MAX_NODE_SCORE, false, scores);
            }
            Plugin::NodeResourcesFit => {
                scores.clear();
                scores.extend(nodes.iter().map(|&node| i64::from(self.verdicts.known(node).fit_score)));
            }
            Plugin::NodeResourcesBalancedAllocation if node_resources_balanced::scores(template) => {
                scores.clear();
                scores.extend(nodes.iter().map(|&node| i64::from(self.verdicts.known(node).balanced_score)));
            }
            Plugin::PodTopologySpread if self.spread_score.prepare(state, id, nodes) => {
                self.spread_score.score(state, template, nodes, scores);
            }
            Plugin::InterPodAffinity if self.affinity_score.prepare(state, id) => {
                self.affinity_score.score(state, nodes, scores);
                normalize::by_range(scores);
            }
            Plugin::ImageLocality if image_locality::scores(state, template) => {
                image_locality::score(state, template, nodes, scores);
            }
            _ => return false,
        }
        true
    }

    fn fit_error(
        &mut self,
        state: &ClusterState,
        template: &Template,
        all_nodes: usize,
        pod: Option<PodRejection>,
    ) -> FitError {
        FitError {
            all_nodes,
            pod,
            nodes: self.rejections.clone(),
            excluded_by_node_names: matches!(template.node_names, NodeNames::Only(_)),
            other_resources: state.other_resource_names(template),
        }
    }
}

/// The place of the total that wins.
fn choose<Total: Copy + Ord>(
    version: Version,
    totals: &[Total],
    below: &mut dyn FnMut(u64) -> u64,
) -> Option<usize> {
    if version <= Version::V1_34 { sample_best(totals, below) } else { top_of_heap(totals) }
}

/// Refusals that do not depend on any node.
fn admit(state: &ClusterState, template: &Template) -> Result<(), PodRejection> {
    let uses = |plugin| state.profile.filters.contains(plugin);
    scheduling_gates::admit(template)?;
    if uses(Plugin::NodeAffinity) {
        node_affinity::admit(template)?;
    }
    if uses(Plugin::NodeResourcesFit) {
        node_resources_fit::admit(state, template)?;
    }
    Ok(())
}
