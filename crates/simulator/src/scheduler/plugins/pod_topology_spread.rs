//! Spreads pods over hosts, zones or other domains: hard constraints filter, soft ones score.

use crate::scheduler::nodes::NodeId;
use crate::scheduler::profile::MAX_NODE_SCORE;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::{SpreadConstraint, Template, TemplateId};
use crate::scheduler::topology::{Domain, TopologyKey};
use std::collections::BTreeMap;

/// Matching pods by domain for one constraint, over the nodes that take part.
#[derive(Clone, Debug, Default)]
struct DomainCounts {
    /// All nodes take part, so that the running counts can be used as they are.
    everywhere: bool,
    /// Otherwise counted for this cycle; [`ABSENT`] marks domains without a node that takes part.
    counted: Vec<i64>,
}

const ABSENT: i64 = -1;

impl DomainCounts {
    /// `required_keys` are the labels a node must have to take part.
    fn prepare(
        &mut self,
        state: &ClusterState,
        id: TemplateId,
        constraint: &SpreadConstraint,
        required_keys: &[SpreadConstraint],
    ) {
        let template = &state.templates[id.index()].template;
        let every_node_counts = !constraint.honors_affinity || template.required_nodes.is_any();
        let every_taint_counts = !constraint.honors_taints || state.nodes.taint_sets.len() <= 1;
        let every_label_there = required_keys.iter().all(|one| state.topology.every_node_has(one.key));
        self.everywhere = every_node_counts && every_taint_counts && every_label_there;
        if !self.everywhere {
            self.count(state, id, constraint, required_keys);
        }
    }

    fn count(
        &mut self,
        state: &ClusterState,
        id: TemplateId,
        constraint: &SpreadConstraint,
        required_keys: &[SpreadConstraint],
    ) {
        self.counted.clear();
        self.counted.resize(state.topology.domain_count(constraint.key), ABSENT);
        let entry = &state.templates[id.index()];
        for (node, _) in state.nodes.present() {
            let Some(domain) = state.topology.domain(constraint.key, node) else { continue };
            let takes_part = has_all(state, required_keys, node)
                && (!constraint.honors_affinity || state.matches_required_nodes(id, node))
                && (!constraint.honors_taints || !state.taint_verdict(entry, node).refused);
            if takes_part {
                let count = &mut self.counted[domain as usize];
                *count = (*count).max(0) + pods_on_node(state, constraint, node);
            }
        }
    }

    /// `None` for a domain without a node that takes part.
    #[inline]
    fn get(&self, state: &ClusterState, constraint: &SpreadConstraint, domain: Domain) -> Option<i64> {
        if !self.everywhere {
            return Some(self.counted[domain as usize]).filter(|count| *count != ABSENT);
        }
        let inhabited = state.topology.nodes_in_domain(constraint.key)[domain as usize] > 0;
        inhabited
            .then(|| constraint.counts.map_or(0, |counts| state.counters.get(counts.by_domain).count(domain)))
    }
}

fn has_all(state: &ClusterState, constraints: &[SpreadConstraint], node: NodeId) -> bool {
    constraints.iter().all(|one| state.topology.domain(one.key, node).is_some())
}

fn pods_on_node(state: &ClusterState, constraint: &SpreadConstraint, node: NodeId) -> i64 {
    constraint.counts.map_or(0, |counts| state.counters.get(counts.by_node).count(node.0))
}

#[derive(Clone, Debug, Default)]
struct HardConstraint {
    counts: DomainCounts,
    /// Fewest matching pods in a domain; 0 if there are fewer domains than required.
    fewest: i64,
}

/// What a cycle needs to know to filter.
#[derive(Clone, Debug, Default)]
pub struct SpreadCheck {
    constraints: Vec<HardConstraint>,
}

impl SpreadCheck {
    /// Counts; returns whether the filter has anything to do.
    pub fn prepare(&mut self, state: &ClusterState, id: TemplateId) -> bool {
        let hard = &state.templates[id.index()].template.hard_spread;
        self.constraints.resize_with(hard.len(), HardConstraint::default);
        for (prepared, constraint) in self.constraints.iter_mut().zip(hard) {
            prepared.counts.prepare(state, id, constraint, hard);
            let (mut fewest, mut domains) = (i64::from(i32::MAX), 0);
            for domain in 0..state.topology.domain_count(constraint.key) as Domain {
                if let Some(count) = prepared.counts.get(state, constraint, domain) {
                    fewest = fewest.min(count);
                    domains += 1;
                }
            }
            prepared.fewest = if domains < constraint.min_domains { 0 } else { fewest };
        }
        !hard.is_empty()
    }

    pub fn filter(&self, state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
        for (prepared, constraint) in self.constraints.iter().zip(&template.hard_spread) {
            let Some(domain) = state.topology.domain(constraint.key, node) else {
                return Err(Rejection::unresolvable(Reason::SpreadMissingLabel));
            };
            let matching = prepared.counts.get(state, constraint, domain).unwrap_or(0);
            let skew = matching + i64::from(constraint.matches_self) - prepared.fewest;
            if skew > constraint.max_skew {
                return Err(Rejection::resolvable(Reason::SpreadSkew));
            }
        }
        Ok(())
    }

    /// Matching pods by label value for each hard constraint. For explanation; valid after [`Self::prepare`].
    pub fn matching_pods(&self, state: &ClusterState, template: &Template) -> Vec<BTreeMap<String, i64>> {
        let constraints = self.constraints.iter().zip(&template.hard_spread);
        constraints.map(|(prepared, one)| by_value(&prepared.counts, state, one)).collect()
    }

    /// Fewest matching pods for each hard constraint. Valid after [`Self::prepare`].
    pub fn fewest(&self) -> Vec<i64> {
        self.constraints.iter().map(|constraint| constraint.fewest).collect()
    }
}

fn by_value(
    counts: &DomainCounts,
    state: &ClusterState,
    constraint: &SpreadConstraint,
) -> BTreeMap<String, i64> {
    let domains = 0..state.topology.domain_count(constraint.key) as Domain;
    let present = domains.filter_map(|domain| Some((domain, counts.get(state, constraint, domain)?)));
    present.map(|(domain, count)| (state.label_of(constraint.key, domain).1, count)).collect()
}

#[derive(Clone, Debug, Default)]
struct SoftConstraint {
    counts: DomainCounts,
    /// Larger for keys with more domains, so that zones are not drowned by hosts.
    weight: f64,
}

/// What a cycle needs to know to score.
#[derive(Clone, Debug, Default)]
pub struct SpreadScore {
    constraints: Vec<SoftConstraint>,
    /// By node in the order given to [`Self::prepare`]: lacks a label, so that it does not score.
    ignored: Vec<bool>,
    /// By domain: the last search that met it.
    met: Vec<u32>,
    search: u32,
}

impl SpreadScore {
    /// Counts for the nodes that passed the filters; returns whether there is anything to score.
    pub fn prepare(&mut self, state: &ClusterState, id: TemplateId, nodes: &[NodeId]) -> bool {
        let template = &state.templates[id.index()].template;
        let soft = &template.soft_spread;
        if soft.is_empty() {
            return false;
        }
        let required: &[_] = if template.soft_spread_requires_all_keys { soft } else { &[] };
        self.ignored.clear();
        self.ignored.extend(nodes.iter().map(|&node| !has_all(state, required, node)));
        let mut constraints = std::mem::take(&mut self.constraints);
        constraints.resize_with(soft.len(), SoftConstraint::default);
        for (prepared, constraint) in constraints.iter_mut().zip(soft) {
            prepared.counts.prepare(state, id, constraint, required);
            let size = if constraint.is_hostname {
                self.ignored.iter().filter(|ignored| !**ignored).count()
            } else {
                self.domains_among(state, constraint.key, nodes)
            };
            // Two more, so that even a single domain has weight.
            prepared.weight = libm::log((size + 2) as f64);
        }
        self.constraints = constraints;
        true
    }

    /// Distinct domains of the scored nodes; nodes without the label count as one domain.
    fn domains_among(&mut self, state: &ClusterState, key: TopologyKey, nodes: &[NodeId]) -> usize {
        self.search += 1;
        self.met.resize(state.topology.domain_count(key).max(self.met.len()), 0);
        let (mut distinct, mut without) = (0, false);
        for (&node, ignored) in nodes.iter().zip(&self.ignored) {
            match state.topology.domain(key, node) {
                _ if *ignored => {}
                None => without = true,
                Some(domain) => {
                    distinct += usize::from(self.met[domain as usize] != self.search);
                    self.met[domain as usize] = self.search;
                }
            }
        }
        distinct + usize::from(without)
    }

    /// Weighted counts, normalised to 0 to 100 with fewer being better; `nodes` as given to [`Self::prepare`].
    pub fn score(&self, state: &ClusterState, template: &Template, nodes: &[NodeId], scores: &mut Vec<i64>) {
        scores.clear();
        scores.extend(
            nodes.iter().zip(&self.ignored).map(|(&node, ignored)| {
                if *ignored { IGNORED } else { self.raw_score(state, template, node) }
            }),
        );
        normalize(scores);
    }

    fn raw_score(&self, state: &ClusterState, template: &Template, node: NodeId) -> i64 {
        let mut score = 0.0;
        for (prepared, constraint) in self.constraints.iter().zip(&template.soft_spread) {
            let Some(domain) = state.topology.domain(constraint.key, node) else { continue };
            let count = if constraint.is_hostname {
                pods_on_node(state, constraint, node)
            } else {
                prepared.counts.get(state, constraint, domain).unwrap_or(0)
            };
            score += count as f64 * prepared.weight + (constraint.max_skew - 1) as f64;
        }
        score.round() as i64
    }

    /// Matching pods by label value (none for hostnames, which are counted per node) and the weight, for each soft
    /// constraint. For explanation; valid after [`Self::prepare`] for `nodes`.
    pub fn matching_pods(
        &self,
        state: &ClusterState,
        template: &Template,
        nodes: &[NodeId],
    ) -> Vec<(BTreeMap<String, i64>, f64)> {
        let scored = |constraint: &SpreadConstraint| {
            let taking_part = nodes.iter().zip(&self.ignored).filter(|(_, ignored)| !**ignored);
            taking_part
                .filter_map(|(&node, _)| state.topology.domain(constraint.key, node))
                .collect::<Vec<_>>()
        };
        let constraints = self.constraints.iter().zip(&template.soft_spread);
        let counts = constraints.map(|(prepared, one)| {
            let domains = if one.is_hostname { Vec::new() } else { scored(one) };
            let count = |domain| prepared.counts.get(state, one, domain).unwrap_or(0);
            let by_value =
                domains.into_iter().map(|domain| (state.label_of(one.key, domain).1, count(domain)));
            (by_value.collect(), prepared.weight)
        });
        counts.collect()
    }
}

/// Raw scores are never negative.
const IGNORED: i64 = -1;

fn normalize(scores: &mut [i64]) {
    let valid = || scores.iter().copied().filter(|score| *score != IGNORED);
    let (lowest, highest) = (valid().min().unwrap_or(0), valid().max().unwrap_or(0));
    for score in scores.iter_mut() {
        *score = match (*score, highest) {
            (IGNORED, _) => 0,
            (_, 0) => MAX_NODE_SCORE,
            (raw, _) => MAX_NODE_SCORE * (highest + lowest - raw) / highest,
        };
    }
}

impl ClusterState {
    /// Label key and value of a domain.
    pub(super) fn label_of(&self, key: TopologyKey, domain: Domain) -> (String, String) {
        let label = self.topology.label(key).expect("the node itself is no label");
        let value = self.topology.value(key, domain);
        (self.names.text(label).to_owned(), self.names.text(value).to_owned())
    }
}
