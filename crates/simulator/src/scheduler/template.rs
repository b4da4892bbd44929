//! The scheduling-relevant part of a pod, compiled once and shared by all pods that are alike.

use super::counters::{CounterId, PodFace};
use super::nodes::ResourceId;
use super::selector::{LabelMatcher, NodeTerm};
use super::symbol::{Interner, Labels, Symbol};
use super::topology::TopologyKey;
use crate::kube::{LabelSelector, LabelSet, Pod, PodSpec, PodStatus, Protocol, Toleration};

/// A compiled pod shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TemplateId(pub(super) u32);

impl TemplateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Amounts a pod asks for: CPU in thousandths, the rest in units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    pub cpu: i64,
    pub memory: i64,
    pub ephemeral: i64,
    /// Sorted by name.
    pub others: Vec<(ResourceId, i64)>,
}

/// A port of the node that a pod takes; no address means all addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPort {
    pub address: Option<Symbol>,
    pub protocol: Protocol,
    pub port: i32,
}

impl HostPort {
    /// Two pods cannot both have it.
    pub fn conflicts_with(self, other: Self) -> bool {
        let same_address = self.address.is_none() || other.address.is_none() || self.address == other.address;
        self.port == other.port && self.protocol == other.protocol && same_address
    }
}

/// Nodes a pod must be on: its `nodeSelector` and its required node affinity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequiredNodes {
    pub selector: Option<LabelMatcher>,
    /// Alternatives; an empty list matches no node.
    pub terms: Option<Vec<NodeTerm>>,
}

impl RequiredNodes {
    pub fn is_any(&self) -> bool {
        self.selector.is_none() && self.terms.is_none()
    }

    pub fn matches(&self, labels: &Labels, name: Option<Symbol>, names: &Interner) -> bool {
        self.selector.as_ref().is_none_or(|selector| selector.matches(labels, names))
            && self
                .terms
                .as_ref()
                .is_none_or(|terms| terms.iter().any(|term| term.matches(labels, name, names)))
    }
}

/// Nodes that the required node affinity names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NodeNames {
    #[default]
    Any,
    Only(Vec<Symbol>),
    /// Every alternative names nodes that exclude each other.
    Conflict,
}

/// One topology spread constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpreadConstraint {
    pub max_skew: i64,
    pub key: TopologyKey,
    pub is_hostname: bool,
    pub min_domains: usize,
    pub honors_affinity: bool,
    pub honors_taints: bool,
    pub selector: LabelMatcher,
    /// The pod itself is chosen by the selector.
    pub matches_self: bool,
    /// Absent when the selector is empty, which counts no pod.
    pub counts: Option<SpreadCounts>,
}

/// Pods that a spread constraint counts, by node and by domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpreadCounts {
    pub by_node: CounterId,
    pub by_domain: CounterId,
}

/// What scheduling needs to know about pods of one shape.
#[derive(Clone, Debug)]
pub struct Template {
    pub namespace: Symbol,
    pub labels: Labels,
    /// What must be free on a node; zero amounts and ignored resources are left out of `others`.
    pub requests: Requests,
    /// What the pod takes once placed.
    pub occupied: Requests,
    pub scored_cpu: i64,
    pub scored_memory: i64,
    /// In the order of the profile's resources.
    pub fit_score_requests: Vec<i64>,
    pub balanced_requests: Vec<i64>,
    pub tolerations: Vec<Toleration>,
    pub tolerates_unschedulable: bool,
    pub node_name: Option<Symbol>,
    pub required_nodes: RequiredNodes,
    pub node_names: NodeNames,
    pub preferred_nodes: Vec<(i64, NodeTerm)>,
    pub host_ports: Vec<HostPort>,
    /// Images of init and regular containers, with tags.
    pub images: Vec<Symbol>,
    pub containers: usize,
    pub hard_spread: Vec<SpreadConstraint>,
    pub soft_spread: Vec<SpreadConstraint>,
    /// Nodes without all soft keys get no spread score; not so with the system's default constraints.
    pub soft_spread_requires_all_keys: bool,
    /// Pods matching all required affinity terms, counted by each term's key.
    pub required_affinity: Vec<CounterId>,
    pub matches_own_affinity: bool,
    pub required_anti_affinity: Vec<CounterId>,
    /// Weights are negative for anti-affinity.
    pub preferred_pods: Vec<(i64, CounterId)>,
    /// Counts of pods that carry this template's own terms, one entry per term.
    pub carries: Vec<CounterId>,
    pub has_gates: bool,
    pub has_sidecars: bool,
    pub(super) source: Source,
}

impl Template {
    pub fn face(&self) -> PodFace<'_> {
        PodFace { namespace: self.namespace, labels: &self.labels }
    }
}

/// What decides whether two pods share a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    namespace: String,
    labels: LabelSet,
    spec: PodSpec,
    status: Option<Box<PodStatus>>,
    default_selector: LabelSelector,
}

type Identity<'a> = (&'a str, &'a LabelSet, &'a PodSpec, Option<&'a PodStatus>, &'a LabelSelector);

impl Source {
    pub(super) fn new(pod: &Pod, default_selector: &LabelSelector) -> Self {
        Self {
            namespace: pod.metadata.namespace.clone(),
            labels: pod.metadata.labels.clone(),
            spec: pod.spec.clone(),
            status: resize_status(pod).map(|status| Box::new(status.clone())),
            default_selector: default_selector.clone(),
        }
    }

    pub(super) const fn labels(&self) -> &LabelSet {
        &self.labels
    }

    pub(super) const fn spec(&self) -> &PodSpec {
        &self.spec
    }

    pub(super) fn identity(&self) -> Identity<'_> {
        (&self.namespace, &self.labels, &self.spec, self.status.as_deref(), &self.default_selector)
    }
}

/// What [`Source::identity`] would be for this pod, without copying it.
pub(super) fn identity<'a>(pod: &'a Pod, default_selector: &'a LabelSelector) -> Identity<'a> {
    (&pod.metadata.namespace, &pod.metadata.labels, &pod.spec, resize_status(pod), default_selector)
}

/// The status only matters while it reports granted resources.
fn resize_status(pod: &Pod) -> Option<&PodStatus> {
    let mut statuses = pod.status.container_statuses.iter().chain(&pod.status.init_container_statuses);
    statuses.any(|status| status.resources.is_some()).then_some(&pod.status)
}
