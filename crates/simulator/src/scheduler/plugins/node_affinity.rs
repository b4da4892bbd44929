//! Nodes chosen by label or name: required ones filter, preferred ones score. A profile may add its own.

use crate::kube;
use crate::scheduler::compile::preferred_nodes;
use crate::scheduler::nodes::NodeId;
use crate::scheduler::selector::{NodeTerm, SelectorError};
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{PodRejection, Reason, Rejection};
use crate::scheduler::symbol::{Interner, Labels, Symbol};
use crate::scheduler::template::{NodeNames, Template, TemplateId};

/// Node affinity that the profile adds to every pod.
#[derive(Clone, Debug, Default)]
pub struct AddedAffinity {
    required: Option<Vec<NodeTerm>>,
    preferred: Vec<(i64, NodeTerm)>,
}

impl AddedAffinity {
    pub fn new(affinity: Option<&kube::NodeAffinity>, names: &mut Interner) -> Result<Self, SelectorError> {
        let mut required = None;
        if let Some(selector) = affinity.and_then(|affinity| affinity.required.as_ref()) {
            required = Some(required_terms(selector, names).map_err(|mut errors| errors.remove(0))?);
        }
        let preferred = preferred_nodes(affinity, names).map_err(|invalid| invalid.error)?;
        Ok(Self { required, preferred })
    }

    /// Whether a node with these labels and this name is allowed.
    pub fn matches(&self, labels: &Labels, name: Option<Symbol>, names: &Interner) -> bool {
        let terms = self.required.as_ref();
        terms.is_none_or(|terms| terms.iter().any(|term| term.matches(labels, name, names)))
    }
}

/// All terms of a node selector, or everything that is wrong with it.
pub fn required_terms(
    selector: &kube::NodeSelector,
    names: &mut Interner,
) -> Result<Vec<NodeTerm>, Vec<SelectorError>> {
    let (mut terms, mut errors) = (Vec::new(), Vec::new());
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        match NodeTerm::new(term, &format!("nodeSelectorTerms[{index}]"), names) {
            Ok(term) => terms.extend(term),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(terms) } else { Err(errors) }
}

/// Refuses a pod whose alternatives name nodes that exclude each other.
pub fn admit(template: &Template) -> Result<(), PodRejection> {
    if template.node_names == NodeNames::Conflict { Err(PodRejection::ConflictingNodeNames) } else { Ok(()) }
}

/// Whether the filter has anything to do.
pub fn concerns(state: &ClusterState, template: &Template) -> bool {
    !template.required_nodes.is_any() || state.added_affinity.required.is_some()
}

/// Makes sure that verdicts about all nodes are known, so that filtering only looks them up.
pub fn prepare(state: &mut ClusterState, id: TemplateId) {
    let entry = &mut state.templates[id.index()];
    if entry.template.required_nodes.is_any() {
        return;
    }
    entry.affinity_verdicts.resize(state.nodes.details.len(), None);
    for (node, verdict) in entry.affinity_verdicts.iter_mut().enumerate() {
        if verdict.is_none() {
            let details = &state.nodes.details[node];
            let matches = entry.template.required_nodes.matches(&details.labels, details.name, &state.names);
            *verdict = details.present.then_some(matches);
        }
    }
}

impl ClusterState {
    /// Whether the node matches the pod's own required affinity. Valid after [`prepare`].
    pub(in crate::scheduler) fn matches_required_nodes(&self, id: TemplateId, node: NodeId) -> bool {
        let entry = &self.templates[id.index()];
        entry.template.required_nodes.is_any() || entry.affinity_verdicts[node.index()] == Some(true)
    }
}

/// Valid after [`prepare`].
pub fn filter(state: &ClusterState, id: TemplateId, node: NodeId) -> Result<(), Rejection> {
    if let Some(terms) = &state.added_affinity.required {
        let details = &state.nodes.details[node.index()];
        if !terms.iter().any(|term| term.matches(&details.labels, details.name, &state.names)) {
            return Err(Rejection::unresolvable(Reason::EnforcedNodeAffinity));
        }
    }
    if !state.matches_required_nodes(id, node) {
        return Err(Rejection::unresolvable(Reason::NodeAffinity));
    }
    Ok(())
}

/// Whether there is any preference to score.
pub fn scores(state: &ClusterState, template: &Template) -> bool {
    !template.preferred_nodes.is_empty() || !state.added_affinity.preferred.is_empty()
}

/// Sum of the weights of matching preferences, before normalisation.
pub fn score(state: &ClusterState, template: &Template, nodes: &[NodeId], scores: &mut Vec<i64>) {
    scores.clear();
    scores.extend(nodes.iter().map(|node| {
        let details = &state.nodes.details[node.index()];
        let terms = template.preferred_nodes.iter().chain(&state.added_affinity.preferred);
        let matching = terms.filter(|(_, term)| term.matches(&details.labels, details.name, &state.names));
        matching.map(|(weight, _)| weight).sum::<i64>()
    }));
}
