//! Pods that want to be near, or apart from, other pods: required terms filter, preferred ones score, both ways round.

use crate::scheduler::counters::{CounterId, Role};
use crate::scheduler::nodes::NodeId;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::{Template, TemplateId};
use std::collections::BTreeMap;

/// What a cycle needs to know about the pods that exist.
#[derive(Clone, Debug, Default)]
pub struct AffinityCheck {
    /// Carriers of anti-affinity against the pod, as far as there are any.
    repelled_by: Vec<CounterId>,
    /// No pod anywhere matches the required affinity, but the pod itself does: it may be the first.
    may_be_first: bool,
}

impl AffinityCheck {
    /// Looks at the counts; returns whether the filter has anything to do.
    pub fn prepare(&mut self, state: &ClusterState, id: TemplateId) -> bool {
        let entry = &state.templates[id.index()];
        let is_used = |counter: &CounterId| state.counters.get(*counter).total() > 0;
        self.repelled_by.clear();
        self.repelled_by.extend(entry.repelled_by.iter().copied().filter(is_used));
        let template = &entry.template;
        self.may_be_first = template.matches_own_affinity && !template.required_affinity.iter().any(is_used);
        let has_terms = !template.required_affinity.is_empty() || !template.required_anti_affinity.is_empty();
        has_terms || !self.repelled_by.is_empty()
    }

    pub fn filter(&self, state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
        if !self.satisfies_affinity(state, template, node) {
            return Err(Rejection::unresolvable(Reason::PodAffinity));
        }
        let is_present =
            |counter: &CounterId| state.count_near(*counter, node).is_some_and(|count| count > 0);
        if template.required_anti_affinity.iter().any(is_present) {
            return Err(Rejection::resolvable(Reason::PodAntiAffinity));
        }
        if self.repelled_by.iter().any(is_present) {
            return Err(Rejection::resolvable(Reason::ExistingPodAntiAffinity));
        }
        Ok(())
    }

    /// Every topology label must be there; with it pods that match all terms, unless the pod is the first of its kind.
    fn satisfies_affinity(&self, state: &ClusterState, template: &Template, node: NodeId) -> bool {
        let mut pods_exist = true;
        for &counter in &template.required_affinity {
            match state.count_near(counter, node) {
                Some(count) => pods_exist &= count > 0,
                None => return false,
            }
        }
        pods_exist || self.may_be_first
    }
}

/// Weighted terms that some pod gives weight to.
#[derive(Clone, Debug, Default)]
pub struct AffinityScore {
    terms: Vec<(i64, CounterId)>,
}

impl AffinityScore {
    /// Looks at the counts; returns whether there is anything to score.
    pub fn prepare(&mut self, state: &ClusterState, id: TemplateId) -> bool {
        let entry = &state.templates[id.index()];
        let profile = &state.profile;
        self.terms.clear();
        let own = &entry.template.preferred_pods;
        if own.is_empty() && profile.ignore_preferred_terms_of_existing_pods {
            return false;
        }
        self.terms.extend(own);
        self.terms.extend(entry.pulled_by.iter().filter_map(|&(role, carriers)| match role {
            Role::Preferred(weight) => Some((i64::from(weight), carriers)),
            Role::RequiredAffinity => {
                Some((profile.hard_pod_affinity_weight, carriers)).filter(|(weight, _)| *weight > 0)
            }
            Role::RequiredAntiAffinity => None,
        }));
        self.terms.retain(|(_, counter)| state.counters.get(*counter).total() > 0);
        !self.terms.is_empty()
    }

    /// Sums of weights, before normalisation.
    pub fn score(&self, state: &ClusterState, nodes: &[NodeId], scores: &mut Vec<i64>) {
        scores.clear();
        scores.extend(nodes.iter().map(|&node| {
            let weighted = |&(weight, counter): &(i64, CounterId)| {
                state.count_near(counter, node).map_or(0, |count| weight * count)
            };
            self.terms.iter().map(weighted).sum::<i64>()
        }));
    }
}

impl ClusterState {
    /// The count in the node's own domain; `None` if the node lacks the label.
    #[inline]
    fn count_near(&self, counter: CounterId, node: NodeId) -> Option<i64> {
        let counter = self.counters.get(counter);
        self.topology.domain(counter.key, node).map(|domain| counter.count(domain))
    }

    /// Counts of existing pods by label key and value, as the incoming pod's required terms see them: affinity first,
    /// anti-affinity second. For explanation; scheduling does not need it.
    pub fn matching_pods(&self, id: TemplateId) -> [BTreeMap<(String, String), i64>; 2] {
        let template = &self.templates[id.index()].template;
        [&template.required_affinity, &template.required_anti_affinity].map(|counters| {
            let mut counts = BTreeMap::new();
            for &id in counters {
                let counter = self.counters.get(id);
                for domain in 0..self.topology.domain_count(counter.key) as u32 {
                    if counter.count(domain) > 0 {
                        *counts.entry(self.label_of(counter.key, domain)).or_insert(0) +=
                            counter.count(domain);
                    }
                }
            }
            counts
        })
    }
}
