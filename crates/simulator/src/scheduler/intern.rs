//! Finds or makes a pod's template, and keeps the counters that templates need.

use super::counters::{CarriedTerm, CounterId, PodMatcher, PodTerm, Role};
use super::selector::SelectorError;
use super::state::{ClusterState, TemplateEntry};
use super::template::{Template, TemplateId, identity};
use super::topology::TopologyKey;
use crate::kube::{LabelSelector, Pod};
use std::sync::Arc;

/// A pod whose selectors Kubernetes refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {error}")]
pub struct InvalidPod {
    pub field: &'static str,
    pub error: SelectorError,
}

impl ClusterState {
    /// The template of a pod without services or owner. A pod that is bound already should be given without its
    /// `nodeName`, which would tie the template to that node.
    pub fn intern(&mut self, pod: &Pod) -> Result<TemplateId, InvalidPod> {
        self.intern_selected(pod, &LabelSelector::default())
    }

    /// The template of a pod; `selector` is what its services and owner select (see
    /// [`super::plugins::default_selector::default_selector`]), used by default spread constraints.
    pub fn intern_selected(&mut self, pod: &Pod, selector: &LabelSelector) -> Result<TemplateId, InvalidPod> {
        let wanted = identity(pod, selector);
        let found = self
            .templates_sorted
            .binary_search_by(|known| self.templates[known.index()].template.source.identity().cmp(&wanted));
        let at = match found {
            Ok(at) => return Ok(self.templates_sorted[at]),
            Err(at) => at,
        };
        let template = self.compile(pod, selector)?;
        let id = TemplateId(u32::try_from(self.templates.len()).expect("fewer than 2^32 templates"));
        let mut entry = TemplateEntry::new(template);
        self.fill_lists(&mut entry);
        self.templates.push(entry);
        self.templates_sorted.insert(at, id);
        for pair in self.templates[id.index()].template.labels.pairs() {
            self.templates_by_label.entry(*pair).or_default().push(id);
        }
        Ok(id)
    }

    pub(super) fn term_counter(&mut self, term: &PodTerm, key: TopologyKey) -> CounterId {
        let matcher = PodMatcher { terms: vec![term.clone()], ignores_terminating: false };
        self.matching_counter(&matcher, key)
    }

    /// The counter of pods that `matcher` chooses; a new one counts the pods that are placed already.
    pub(super) fn matching_counter(&mut self, matcher: &PodMatcher, key: TopologyKey) -> CounterId {
        let (id, is_new) = self.counters.matching(matcher, key);
        if !is_new {
            return id;
        }
        let all = || (0..self.templates.len()).map(|index| TemplateId(index as u32)).collect();
        let anchored = |pair| self.templates_by_label.get(&pair).cloned().unwrap_or_default();
        let mut chosen: Vec<TemplateId> = matcher.anchor().map_or_else(all, anchored);
        chosen.retain(|template| {
            let face = self.templates[template.index()].template.face();
            matcher.matches(face, &self.namespaces, &self.names)
        });
        for template in &chosen {
            self.templates[template.index()].counted_by.push(id);
        }
        chosen.retain(|template| self.templates[template.index()].placed > 0);
        if chosen.is_empty() {
            return id;
        }
        let placed: Vec<_> = self
            .placed_pods()
            .filter(|pod| chosen.binary_search(&pod.template).is_ok())
            .filter(|pod| !(pod.details.terminating && matcher.ignores_terminating))
            .filter_map(|pod| self.topology.domain(key, pod.node))
            .collect();
        let counter = self.counters.get_mut(id);
        for domain in placed {
            counter.add(domain);
        }
        id
    }

    /// Makes pods of `template` count as carriers of the term. Nobody carries a new term yet.
    pub(super) fn carry(&mut self, term: PodTerm, key: TopologyKey, role: Role, template: &mut Template) {
        let carried = CarriedTerm { term, key, role };
        let (id, is_new) = self.counters.carrying(&carried);
        template.carries.push(id);
        if !is_new {
            return;
        }
        for entry in &mut self.templates {
            if carried.term.matches(entry.template.face(), true, &self.namespaces, &self.names) {
                entry.meet(role, id);
            }
        }
    }

    /// Everything already registered that concerns a template.
    fn fill_lists(&self, entry: &mut TemplateEntry) {
        let template = Arc::clone(&entry.template);
        let face = template.face();
        entry.counted_by.clear();
        entry.repelled_by.clear();
        entry.pulled_by.clear();
        entry.counted_by.extend(&template.carries);
        for (matcher, id) in self.counters.candidates(&template.labels) {
            if matcher.matches(face, &self.namespaces, &self.names) {
                entry.counted_by.push(id);
            }
        }
        for (carried, id) in self.counters.carried() {
            if carried.term.matches(face, true, &self.namespaces, &self.names) {
                entry.meet(carried.role, id);
            }
        }
    }

    /// Recomputes who counts whom, after namespaces changed.
    pub(super) fn rebuild_counts(&mut self) {
        self.counters.clear_counts();
        let mut templates = std::mem::take(&mut self.templates);
        for entry in &mut templates {
            self.fill_lists(entry);
        }
        self.templates = templates;
        let placed: Vec<_> = self.placed_pods().copied().collect();
        for pod in placed {
            self.count(pod.template, pod.node, pod.details.terminating, true);
        }
    }
}
