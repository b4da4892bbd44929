//! Compiles a pod's selectors, ports, images, spread constraints and affinity into a template.

use super::counters::{PodMatcher, PodTerm, Role};
use super::intern::InvalidPod;
use super::plugins::{image_locality, taint_toleration};
use super::profile::{DefaultSpread, HOSTNAME_LABEL};
use super::selector::{LabelMatcher, NODE_NAME_FIELD, NodeTerm};
use super::state::ClusterState;
use super::symbol::{Interner, Labels, Symbol};
use super::template::{HostPort, NodeNames, RequiredNodes, Source, SpreadConstraint, SpreadCounts, Template};
use super::topology::TopologyKey;
use crate::kube::{
    self, LabelSelector, NodeInclusionPolicy, NodeSelectorOperator, Pod, PodAffinityTerm,
    TopologySpreadConstraint, UnsatisfiableConstraintAction,
};
use std::collections::BTreeSet;

impl ClusterState {
    pub(super) fn compile(&mut self, pod: &Pod, selector: &LabelSelector) -> Result<Template, InvalidPod> {
        let namespace = self.names.intern(&pod.metadata.namespace);
        let labels = Labels::new(&pod.metadata.labels, &mut self.names);
        let amounts = self.compile_amounts(pod);
        let node_affinity = pod.spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
        let mut template = Template {
            namespace,
            labels,
            requests: amounts.requests,
            occupied: amounts.occupied,
            scored_cpu: amounts.scored_cpu,
            scored_memory: amounts.scored_memory,
            fit_score_requests: amounts.fit_score,
            balanced_requests: amounts.balanced,
            tolerates_unschedulable: taint_toleration::tolerates_unschedulable(
                &pod.spec.tolerations,
                self.profile.features.toleration_comparison,
            ),
            tolerations: pod.spec.tolerations.clone(),
            node_name: (!pod.spec.node_name.is_empty()).then(|| self.names.intern(&pod.spec.node_name)),
            required_nodes: self.compile_required_nodes(pod),
            node_names: node_names(node_affinity, &mut self.names),
            preferred_nodes: preferred_nodes(node_affinity, &mut self.names)?,
            host_ports: self.compile_ports(pod),
            images: self.compile_images(pod),
            containers: pod.spec.containers.len() + pod.spec.init_containers.len(),
            hard_spread: Vec::new(),
            soft_spread: Vec::new(),
            soft_spread_requires_all_keys: true,
            required_affinity: Vec::new(),
            matches_own_affinity: false,
            required_anti_affinity: Vec::new(),
            preferred_pods: Vec::new(),
            carries: Vec::new(),
            has_gates: !pod.spec.scheduling_gates.is_empty(),
            has_sidecars: pod.spec.init_containers.iter().any(kube::Container::is_sidecar),
            source: Source::new(pod, selector),
        };
        self.compile_spread(pod, selector, &mut template)?;
        self.compile_pod_affinity(pod, &mut template)?;
        Ok(template)
    }

    fn compile_required_nodes(&mut self, pod: &Pod) -> RequiredNodes {
        let names = &mut self.names;
        let node_affinity = pod.spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
        let required = node_affinity.and_then(|affinity| affinity.required.as_ref());
        // A term with an invalid selector matches no node; the others still count.
        let terms = required.map(|selector| {
            let terms = selector.node_selector_terms.iter();
            terms.filter_map(|term| NodeTerm::new(term, "", names).ok().flatten()).collect()
        });
        let selector = (!pod.spec.node_selector.is_empty())
            .then(|| LabelMatcher::equal_to(&pod.spec.node_selector, &mut self.names));
        RequiredNodes { selector, terms }
    }

    fn compile_ports(&mut self, pod: &Pod) -> Vec<HostPort> {
        let sidecars = pod.spec.init_containers.iter().filter(|container| container.is_sidecar());
        let ports = sidecars.chain(&pod.spec.containers).flat_map(|container| &container.ports);
        ports.filter(|port| port.host_port > 0).map(|port| HostPort::new(port, &mut self.names)).collect()
    }

    fn compile_images(&mut self, pod: &Pod) -> Vec<Symbol> {
        let containers = pod.spec.init_containers.iter().chain(&pod.spec.containers);
        let names = &mut self.names;
        containers.map(|one| names.intern(&image_locality::normalized_name(&one.image))).collect()
    }

    fn compile_spread(
        &mut self,
        pod: &Pod,
        selector: &LabelSelector,
        template: &mut Template,
    ) -> Result<(), InvalidPod> {
        let own = &pod.spec.topology_spread_constraints;
        let defaults = if own.is_empty() { self.profile.default_spread.constraints() } else { Vec::new() };
        if own.is_empty() && *selector == LabelSelector::default() {
            return Ok(());
        }
        template.soft_spread_requires_all_keys =
            !own.is_empty() || !matches!(self.profile.default_spread, DefaultSpread::System);
        for constraint in own.iter().chain(&defaults) {
            let chosen = if own.is_empty() { Some(selector) } else { constraint.label_selector.as_ref() };
            let compiled = self.compile_constraint(constraint, chosen, template)?;
            match constraint.when_unsatisfiable {
                UnsatisfiableConstraintAction::DoNotSchedule => template.hard_spread.push(compiled),
                UnsatisfiableConstraintAction::ScheduleAnyway => template.soft_spread.push(compiled),
            }
        }
        Ok(())
    }

    fn compile_constraint(
        &mut self,
        constraint: &TopologySpreadConstraint,
        selector: Option<&LabelSelector>,
        template: &Template,
    ) -> Result<SpreadConstraint, InvalidPod> {
        let features = self.profile.features;
        let refuse = |error| InvalidPod { field: "topologySpreadConstraints", error };
        let mut matcher = LabelMatcher::new(selector, &mut self.names).map_err(refuse)?;
        if features.spread_match_label_keys {
            matcher = with_label_keys(
                matcher,
                &constraint.match_label_keys,
                false,
                &template.labels,
                &mut self.names,
            );
        }
        let key = self.topology_key(&constraint.topology_key);
        let is_hostname = constraint.topology_key == HOSTNAME_LABEL;
        let is_soft = constraint.when_unsatisfiable == UnsatisfiableConstraintAction::ScheduleAnyway;
        let policy = |policy: Option<NodeInclusionPolicy>, default| {
            let honors = policy.map(|policy| policy == NodeInclusionPolicy::Honor);
            honors.filter(|_| features.spread_node_inclusion_policy).unwrap_or(default)
        };
        let counts = (!matcher.is_everything()).then(|| {
            let term = PodTerm {
                namespaces: vec![template.namespace],
                namespace_selector: LabelMatcher::Nothing,
                labels: matcher.clone(),
            };
            let matcher = PodMatcher { terms: vec![term], ignores_terminating: true };
            let by_node = self.matching_counter(&matcher, TopologyKey::NODE);
            // Soft host constraints are scored per node and never read counts by host.
            let by_domain =
                if is_hostname && is_soft { by_node } else { self.matching_counter(&matcher, key) };
            SpreadCounts { by_node, by_domain }
        });
        Ok(SpreadConstraint {
            max_skew: i64::from(constraint.max_skew),
            key,
            is_hostname,
            min_domains: constraint.min_domains.map_or(1, |domains| usize::try_from(domains).unwrap_or(0)),
            honors_affinity: policy(constraint.node_affinity_policy, true),
            honors_taints: policy(constraint.node_taints_policy, false),
            matches_self: matcher.matches(&template.labels, &self.names),
            selector: matcher,
            counts,
        })
    }

    fn compile_pod_affinity(&mut self, pod: &Pod, template: &mut Template) -> Result<(), InvalidPod> {
        let Some(affinity) = &pod.spec.affinity else { return Ok(()) };
        let (attract, repel) = (affinity.pod_affinity.as_ref(), affinity.pod_anti_affinity.as_ref());
        let required = self.compile_terms(attract.map_or(&[], |one| &one.required), template)?;
        let all = PodMatcher {
            terms: required.iter().map(|(term, _)| term.clone()).collect(),
            ignores_terminating: false,
        };
        template.matches_own_affinity =
            !required.is_empty() && all.matches(template.face(), &self.namespaces, &self.names);
        for (term, key) in required {
            template.required_affinity.push(self.matching_counter(&all, key));
            self.carry(term, key, Role::RequiredAffinity, template);
        }
        for (term, key) in self.compile_terms(repel.map_or(&[], |one| &one.required), template)? {
            template.required_anti_affinity.push(self.term_counter(&term, key));
            self.carry(term, key, Role::RequiredAntiAffinity, template);
        }
        for (side, sign) in [(attract, 1), (repel, -1)] {
            for weighted in side.map_or(&[][..], |one| &one.preferred) {
                let (term, key) = self.compile_term(&weighted.pod_affinity_term, template)?;
                let weight = weighted.weight * sign;
                template.preferred_pods.push((i64::from(weight), self.term_counter(&term, key)));
                self.carry(term, key, Role::Preferred(weight), template);
            }
        }
        Ok(())
    }

    fn compile_terms(
        &mut self,
        terms: &[PodAffinityTerm],
        template: &Template,
    ) -> Result<Vec<(PodTerm, TopologyKey)>, InvalidPod> {
        terms.iter().map(|term| self.compile_term(term, template)).collect()
    }

    fn compile_term(
        &mut self,
        term: &PodAffinityTerm,
        template: &Template,
    ) -> Result<(PodTerm, TopologyKey), InvalidPod> {
        let refuse = |error| InvalidPod { field: "podAffinity", error };
        let mut labels = LabelMatcher::new(term.label_selector.as_ref(), &mut self.names).map_err(refuse)?;
        labels = with_label_keys(labels, &term.match_label_keys, false, &template.labels, &mut self.names);
        labels = with_label_keys(labels, &term.mismatch_label_keys, true, &template.labels, &mut self.names);
        let mut namespaces: Vec<_> = term.namespaces.iter().map(|name| self.names.intern(name)).collect();
        if namespaces.is_empty() && term.namespace_selector.is_none() {
            namespaces.push(template.namespace);
        }
        namespaces.sort_unstable();
        namespaces.dedup();
        let namespace_selector =
            LabelMatcher::new(term.namespace_selector.as_ref(), &mut self.names).map_err(refuse)?;
        Ok((PodTerm { namespaces, namespace_selector, labels }, self.topology_key(&term.topology_key)))
    }

    fn topology_key(&mut self, label: &str) -> TopologyKey {
        let label = self.names.intern(label);
        let nodes = &self.nodes;
        self.topology.key(label, nodes.present().map(|node| (node, &nodes.details[node.index()].labels)))
    }
}

const ALL_ADDRESSES: &str = "0.0.0.0";

impl HostPort {
    /// No address and `0.0.0.0` both mean all addresses.
    pub fn new(port: &kube::ContainerPort, names: &mut Interner) -> Self {
        let everywhere = port.host_ip.is_empty() || port.host_ip == ALL_ADDRESSES;
        let address = (!everywhere).then(|| names.intern(&port.host_ip));
        Self { address, protocol: port.protocol, port: port.host_port }
    }
}

/// Adds the pod's own values of `keys` to a selector.
fn with_label_keys(
    matcher: LabelMatcher,
    keys: &[String],
    differs: bool,
    labels: &Labels,
    names: &mut Interner,
) -> LabelMatcher {
    keys.iter().fold(matcher, |matcher, key| {
        let key = names.intern(key);
        match labels.get(key) {
            Some(value) => matcher.and_value(key, value, differs),
            None => matcher,
        }
    })
}

/// The nodes that all alternatives of the required affinity name; one alternative without a name admits any node.
fn node_names(affinity: Option<&kube::NodeAffinity>, names: &mut Interner) -> NodeNames {
    let Some(required) = affinity.and_then(|affinity| affinity.required.as_ref()) else {
        return NodeNames::Any;
    };
    let mut named = BTreeSet::new();
    for term in &required.node_selector_terms {
        let fields = term.match_fields.iter();
        let by_name =
            fields.filter(|one| one.key == NODE_NAME_FIELD && one.operator == NodeSelectorOperator::In);
        let sets = by_name.map(|one| one.values.iter().cloned().collect::<BTreeSet<_>>());
        let Some(common) = sets.reduce(|first, second| &first & &second) else { return NodeNames::Any };
        named.extend(common);
    }
    match (required.node_selector_terms.is_empty(), named.is_empty()) {
        (true, _) => NodeNames::Any,
        (false, true) => NodeNames::Conflict,
        (false, false) => NodeNames::Only(named.iter().map(|name| names.intern(name)).collect()),
    }
}

/// Preferred node terms with their weights; terms without weight or requirements do nothing.
pub(super) fn preferred_nodes(
    affinity: Option<&kube::NodeAffinity>,
    names: &mut Interner,
) -> Result<Vec<(i64, NodeTerm)>, InvalidPod> {
    let mut terms = Vec::new();
    let preferred = affinity.map_or(&[][..], |affinity| &affinity.preferred);
    for (index, one) in preferred.iter().enumerate().filter(|(_, one)| one.weight != 0) {
        let compiled = NodeTerm::new(&one.preference, &format!("[{index}]"), names);
        let compiled =
            compiled.map_err(|mut errors| InvalidPod { field: "nodeAffinity", error: errors.remove(0) })?;
        terms.extend(compiled.map(|term| (i64::from(one.weight), term)));
    }
    Ok(terms)
}
