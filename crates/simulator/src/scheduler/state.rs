//! A cluster as the scheduler sees it: nodes, placed pods and everything counted about them.

use super::counters::{CounterId, Counters, NamespaceLabels, Role};
use super::memo::{Memory, Verdicts};
use super::nodes::{
    EphemeralStorage, NodeDetails, NodeGate, NodeId, NodeResources, Nodes, OtherResources, PodId, ResourceId,
    TaintSet,
};
use super::plugins::image_locality::Images;
use super::plugins::node_affinity::AddedAffinity;
use super::plugins::node_resources_fit::CompiledScoring;
use super::plugins::taint_toleration::TaintVerdict;
use super::profile::{Profile, REGION_LABEL, ZONE_LABEL};
use super::selector::SelectorError;
use super::standings::Standings;
use super::symbol::{Interner, LabelPair, Labels, Symbol};
use super::template::{Template, TemplateId};
use super::topology::Topology;
use crate::kube;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known about a placed pod besides its template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PodDetails {
    pub priority: i32,
    /// Milliseconds of virtual or wall time.
    pub start_time: i64,
    pub terminating: bool,
}

impl PodDetails {
    /// Higher priority first, then who started earlier; the order in which preemption spares pods.
    pub fn is_more_important_than(&self, other: &Self) -> bool {
        (other.priority, self.start_time) < (self.priority, other.start_time)
    }
}

/// A placed pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPod {
    pub template: TemplateId,
    pub node: NodeId,
    pub details: PodDetails,
}

/// A pod that waits for room on a node it was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nomination {
    pub pod: PodId,
    pub template: TemplateId,
    pub priority: i32,
}

/// A template and what changes about it.
#[derive(Clone, Debug)]
pub(super) struct TemplateEntry {
    pub(super) template: Arc<Template>,
    /// Counters that count pods of this template.
    pub(super) counted_by: Vec<CounterId>,
    /// Existing pods' required anti-affinity that matches this template.
    pub(super) repelled_by: Vec<CounterId>,
    /// Existing pods' other terms that match this template.
    pub(super) pulled_by: Vec<(Role, CounterId)>,
    pub(super) placed: u32,
    pub(super) verdicts: Verdicts,
    pub(super) standings: Standings,
    /// By taint set, as far as met.
    pub(super) taint_verdicts: Vec<TaintVerdict>,
    /// By node: whether the node matches the required node affinity; filled when first met.
    pub(super) affinity_verdicts: Vec<Option<bool>>,
    /// Some verdict about a node may be missing.
    pub(super) affinity_is_stale: bool,
}

/// The scheduler's view of one cluster. Cloning it gives an independent world.
#[derive(Clone, Debug)]
pub struct ClusterState {
    pub(super) profile: Arc<Profile>,
    pub(super) scoring: Arc<CompiledScoring>,
    pub(super) added_affinity: Arc<AddedAffinity>,
    pub(super) names: Interner,
    pub(super) resource_names: Interner,
    pub(super) nodes: Nodes,
    pub(super) node_by_name: BTreeMap<Symbol, NodeId>,
    pub(super) namespaces: NamespaceLabels,
    pub(super) topology: Topology,
    pub(super) counters: Counters,
    pub(super) images: Images,
    pub(super) templates: Vec<TemplateEntry>,
    pub(super) templates_by_label: BTreeMap<LabelPair, Vec<TemplateId>>,
    pub(super) memory: Memory,
    /// Sorted by content, to find a known template.
    pub(super) templates_sorted: Vec<TemplateId>,
    pods: Vec<Option<PlacedPod>>,
    pub(super) nominations: BTreeMap<NodeId, Vec<Nomination>>,
}

impl ClusterState {
    /// An empty cluster. Refuses a profile whose added node affinity has an invalid selector.
    pub fn new(profile: Profile) -> Result<Self, SelectorError> {
        let (mut names, mut resource_names) = (Interner::default(), Interner::default());
        let scoring = CompiledScoring::new(&profile, &mut resource_names);
        let added_affinity = AddedAffinity::new(profile.added_node_affinity.as_ref(), &mut names)?;
        Ok(Self {
            profile: Arc::new(profile),
            scoring: Arc::new(scoring),
            added_affinity: Arc::new(added_affinity),
            names,
            resource_names,
            nodes: Nodes::default(),
            node_by_name: BTreeMap::new(),
            namespaces: NamespaceLabels::new(),
            topology: Topology::default(),
            counters: Counters::default(),
            images: Images::default(),
            templates: Vec::new(),
            templates_by_label: BTreeMap::new(),
            memory: Memory::default(),
            templates_sorted: Vec::new(),
            pods: Vec::new(),
            nominations: BTreeMap::new(),
        })
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    pub fn template(&self, template: TemplateId) -> &Arc<Template> {
        &self.templates[template.index()].template
    }

    // Nodes

    /// Adds a node. Names must be unique among present nodes; an unnamed node is allowed.
    pub fn add_node(&mut self, node: &kube::Node) -> NodeId {
        let id = self.nodes.allocate();
        for entry in &mut self.templates {
            entry.forget_node(id);
        }
        self.set_node(id, node);
        id
    }

    /// Replaces what is known about a node; its pods stay.
    pub fn update_node(&mut self, id: NodeId, node: &kube::Node) {
        let pods = self.detach_node(id);
        for entry in &mut self.templates {
            entry.forget_node(id);
        }
        self.set_node(id, node);
        for (pod, placed) in pods {
            self.assign(pod, placed.template, id, placed.details);
        }
    }

    /// Removes a node and returns the pods that were on it, which are no longer placed.
    pub fn remove_node(&mut self, id: NodeId) -> Vec<PodId> {
        let pods = self.detach_node(id);
        self.nodes.leave_zone(id);
        self.nodes.release(id);
        self.nominations.remove(&id);
        pods.into_iter().map(|(pod, _)| pod).collect()
    }

    fn set_node(&mut self, id: NodeId, node: &kube::Node) {
        let was_present = self.nodes.is_present(id);
        let former_zone = was_present.then(|| std::mem::take(&mut self.nodes.details[id.index()].zone));
        let names = &mut self.names;
        let labels = Labels::new(&node.metadata.labels, names);
        let name = (!node.metadata.name.is_empty()).then(|| names.intern(&node.metadata.name));
        if let Some(name) = name {
            self.node_by_name.insert(name, id);
        }
        let allocatable = &node.status.allocatable;
        let amount = |name| allocatable.get(name).unwrap_or(0);
        self.nodes.resources[id.index()] = NodeResources {
            allocatable_cpu: amount(kube::CPU),
            allocatable_memory: amount(kube::MEMORY),
            allocatable_pods: amount(kube::PODS),
            ..Default::default()
        };
        let taints = self.nodes.taint_set(&node.spec.taints);
        self.nodes.gates[id.index()] =
            NodeGate { present: true, unschedulable: node.spec.unschedulable, taints };
        self.nodes.touch(id);
        self.topology.add_node(id, &labels);
        let images = self.images.add_node(&node.status.images, &mut self.names);
        let ephemeral = EphemeralStorage { allocatable: amount(kube::EPHEMERAL_STORAGE), requested: 0 };
        let mut allocatable_others = OtherResources::default();
        for (name, &amount) in allocatable.0.iter().filter(|(name, _)| is_other_resource(name)) {
            allocatable_others.add(self.resource_names.intern_resource(name), amount);
        }
        self.nodes.details[id.index()] =
            NodeDetails { name, labels, ephemeral, allocatable_others, images, ..Default::default() };
        self.nodes.enter_zone(id, zone_of(node), former_zone);
    }

    fn detach_node(&mut self, id: NodeId) -> Vec<(PodId, PlacedPod)> {
        assert!(self.nodes.is_present(id), "only a present node can change");
        let pods = std::mem::take(&mut self.nodes.pods[id.index()]);
        let mut placed = Vec::with_capacity(pods.len());
        for pod in pods {
            let one = self.pods[pod.0 as usize].take().expect("a pod in a node's list is placed");
            self.count(one.template, id, one.details.terminating, false);
            self.templates[one.template.index()].placed -= 1;
            placed.push((pod, one));
        }
        self.topology.remove_node(id);
        let details = &mut self.nodes.details[id.index()];
        self.images.remove_node(&details.images);
        if let Some(name) = details.name.take() {
            self.node_by_name.remove(&name);
        }
        placed
    }

    pub fn node_count(&self) -> usize {
        self.nodes.count()
    }

    /// Present nodes in the order in which they are scanned: zones take turns.
    pub fn scan_order(&mut self) -> &[NodeId] {
        self.nodes.order()
    }

    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.node_by_name.get(&self.names.get(name)?).copied()
    }

    pub fn node_name(&self, node: NodeId) -> &str {
        self.nodes.details[node.index()].name.map_or("", |name| self.names.text(name))
    }

    /// Allocatable and requested amounts of a node.
    pub fn node_resources(&self, node: NodeId) -> &NodeResources {
        &self.nodes.resources[node.index()]
    }

    /// Allocatable and requested amount of a resource other than CPU, memory, ephemeral storage and pods.
    pub fn other_resource(&self, node: NodeId, name: &str) -> (i64, i64) {
        let details = &self.nodes.details[node.index()];
        self.resource_names.get(name).map_or((0, 0), |symbol| {
            let resource = ResourceId::of(symbol);
            (details.allocatable_others.get(resource), details.requested_others.get(resource))
        })
    }

    pub fn pods_on(&self, node: NodeId) -> &[PodId] {
        &self.nodes.pods[node.index()]
    }

    /// The text of a symbol from this state's templates.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    pub fn resource_name(&self, resource: ResourceId) -> &str {
        self.resource_names.text(resource.0)
    }

    /// Names of the template's other resources, in the order a [`super::Shortage`] numbers them.
    pub fn other_resource_names(&self, template: &Template) -> Vec<String> {
        let others = template.requests.others.iter();
        others.map(|(resource, _)| self.resource_name(*resource).to_owned()).collect()
    }

    // Namespaces

    /// Adds or replaces a namespace; affinity terms may choose namespaces by label.
    pub fn set_namespace(&mut self, namespace: &kube::Namespace) {
        let name = self.names.intern(&namespace.metadata.name);
        let labels = Labels::new(&namespace.metadata.labels, &mut self.names);
        self.namespaces.insert(name, labels);
        if !self.templates.is_empty() {
            self.rebuild_counts();
        }
    }

    // Pods

    /// Places a pod. It must not be placed already.
    pub fn assign(&mut self, pod: PodId, template: TemplateId, node: NodeId, details: PodDetails) {
        let index = pod.0 as usize;
        if self.pods.len() <= index {
            self.pods.resize(index + 1, None);
        }
        assert!(self.pods[index].is_none(), "pod {index} is already placed");
        self.nodes.pods[node.index()].push(pod);
        self.pods[index] = Some(PlacedPod { template, node, details });
        self.templates[template.index()].placed += 1;
        self.occupy(template, node, 1);
        self.count(template, node, details.terminating, true);
    }

    /// Takes a pod off its node; `None` if it was not placed.
    pub fn unassign(&mut self, pod: PodId) -> Option<PlacedPod> {
        let placed = self.pods.get_mut(pod.0 as usize)?.take()?;
        let list = &mut self.nodes.pods[placed.node.index()];
        // Searching so short a list is cheaper than to keep each pod's place in it up to date.
        let place = list.iter().position(|other| *other == pod).expect("a placed pod is in its node's list");
        list.swap_remove(place);
        self.templates[placed.template.index()].placed -= 1;
        self.occupy(placed.template, placed.node, -1);
        self.count(placed.template, placed.node, placed.details.terminating, false);
        Some(placed)
    }

    /// Marks a placed pod as being deleted: it keeps its room, but spreading no longer counts it.
    pub fn set_terminating(&mut self, pod: PodId) {
        if let Some(mut placed) = self.unassign(pod) {
            placed.details.terminating = true;
            self.assign(pod, placed.template, placed.node, placed.details);
        }
    }

    pub fn pod(&self, pod: PodId) -> Option<&PlacedPod> {
        self.pods.get(pod.0 as usize)?.as_ref()
    }

    /// Promises a node to a pod that waits for room there.
    pub fn nominate(&mut self, node: NodeId, nomination: Nomination) {
        self.clear_nomination(nomination.pod);
        self.nominations.entry(node).or_default().push(nomination);
    }

    pub fn clear_nomination(&mut self, pod: PodId) {
        for pods in self.nominations.values_mut() {
            pods.retain(|one| one.pod != pod);
        }
        self.nominations.retain(|_, pods| !pods.is_empty());
    }

    /// The node a pod was promised.
    pub fn nominated_node(&self, pod: PodId) -> Option<NodeId> {
        let promised = |nominations: &Vec<Nomination>| nominations.iter().any(|one| one.pod == pod);
        self.nominations.iter().find(|(_, nominations)| promised(nominations)).map(|(node, _)| *node)
    }

    pub fn nominations(&self, node: NodeId) -> &[Nomination] {
        self.nominations.get(&node).map_or(&[], Vec::as_slice)
    }

    fn occupy(&mut self, template: TemplateId, node: NodeId, sign: i64) {
        self.nodes.touch(node);
        let template = &self.templates[template.index()].template;
        let resources = &mut self.nodes.resources[node.index()];
        resources.requested_cpu += sign * template.occupied.cpu;
        resources.requested_memory += sign * template.occupied.memory;
        resources.pods += sign;
        resources.scored_cpu += sign * template.scored_cpu;
        resources.scored_memory += sign * template.scored_memory;
        let details = &mut self.nodes.details[node.index()];
        if template.occupied.ephemeral != 0 {
            details.ephemeral.requested += sign * template.occupied.ephemeral;
        }
        for &(resource, amount) in &template.occupied.others {
            details.requested_others.add(resource, sign * amount);
        }
        for port in &template.host_ports {
            if sign > 0 {
                details.ports.push(*port);
            } else if let Some(at) = details.ports.iter().position(|other| other == port) {
                details.ports.swap_remove(at);
            }
        }
    }

    pub(super) fn count(&mut self, template: TemplateId, node: NodeId, terminating: bool, arrives: bool) {
        for &id in &self.templates[template.index()].counted_by {
            let counter = self.counters.get_mut(id);
            if terminating && counter.ignores_terminating {
                continue;
            }
            if let Some(domain) = self.topology.domain(counter.key, node) {
                if arrives {
                    counter.add(domain);
                } else {
                    counter.subtract(domain);
                }
            }
        }
    }

    pub(super) fn placed_pods(&self) -> impl Iterator<Item = &PlacedPod> {
        self.pods.iter().flatten()
    }

    /// The taints of a set, for verdicts.
    pub(super) fn taints(&self, set: TaintSet) -> &[kube::Taint] {
        &self.nodes.taint_sets[set.0 as usize]
    }
}

impl TemplateEntry {
    /// Notes a term of existing pods that matches this template.
    pub(super) fn meet(&mut self, role: Role, carriers: CounterId) {
        match role {
            Role::RequiredAntiAffinity => self.repelled_by.push(carriers),
            Role::RequiredAffinity | Role::Preferred(_) => self.pulled_by.push((role, carriers)),
        }
    }

    pub(super) fn new(template: Template) -> Self {
        Self {
            template: Arc::new(template),
            counted_by: Vec::new(),
            repelled_by: Vec::new(),
            pulled_by: Vec::new(),
            placed: 0,
            verdicts: Verdicts::default(),
            standings: Standings::default(),
            taint_verdicts: Vec::new(),
            affinity_verdicts: Vec::new(),
            affinity_is_stale: true,
        }
    }

    fn forget_node(&mut self, node: NodeId) {
        self.affinity_is_stale = true;
        if let Some(verdict) = self.affinity_verdicts.get_mut(node.index()) {
            *verdict = None;
        }
    }
}

/// Region and zone, old label names first; two nodes are in the same zone if both agree.
fn zone_of(node: &kube::Node) -> String {
    let label = |old: &str, new: &str| {
        let labels = &node.metadata.labels;
        labels.get(old).or_else(|| labels.get(new)).map_or("", String::as_str)
    };
    let zone = label("failure-domain.beta.kubernetes.io/zone", ZONE_LABEL);
    let region = label("failure-domain.beta.kubernetes.io/region", REGION_LABEL);
    format!("{region}\0{zone}")
}

/// Resources that are counted besides the built-in ones: extended, huge pages, attachable volumes.
pub(crate) fn is_other_resource(name: &str) -> bool {
    let is_quota = name.starts_with("requests.") && !name.contains("kubernetes.io/");
    (name.contains('/') && !is_quota)
        || name.starts_with(kube::HUGE_PAGES_PREFIX)
        || name.starts_with("attachable-volumes-")
}
