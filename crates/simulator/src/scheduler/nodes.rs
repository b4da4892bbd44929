//! The nodes of a cluster as tables indexed by node, and the order in which they are scanned.

use super::memo::Stamp;
use super::symbol::{Labels, Symbol};
use super::template::HostPort;
use crate::kube::Taint;

/// A node's place in the tables; valid until the node is removed, then given to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A pod's number, chosen by the caller; dense numbers keep the tables small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PodId(pub u32);

/// A resource other than CPU, memory, ephemeral storage and pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceId(pub(super) Symbol);

/// Amounts of other resources, sorted by resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OtherResources(Vec<(ResourceId, i64)>);

impl OtherResources {
    pub(super) fn get(&self, resource: ResourceId) -> i64 {
        self.0.binary_search_by_key(&resource, |one| one.0).map_or(0, |at| self.0[at].1)
    }

    pub(super) fn add(&mut self, resource: ResourceId, amount: i64) {
        match self.0.binary_search_by_key(&resource, |one| one.0) {
            Ok(at) => self.0[at].1 += amount,
            Err(at) => self.0.insert(at, (resource, amount)),
        }
    }
}

/// What fits on a node and what is taken; read more often than anything else about nodes, so it fills one line of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct NodeResources {
    pub allocatable_cpu: i64,
    pub allocatable_memory: i64,
    pub allocatable_pods: i64,
    pub requested_cpu: i64,
    pub requested_memory: i64,
    pub pods: i64,
    /// With 100 m and 200 MiB for containers that name no request.
    pub scored_cpu: i64,
    pub scored_memory: i64,
}

/// Storage on a node's own disk; few pods ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EphemeralStorage {
    pub(super) allocatable: i64,
    pub(super) requested: i64,
}

/// A distinct list of taints; 0 is the empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TaintSet(pub(super) u32);

/// What is read for every node before its resources.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeGate {
    pub(super) present: bool,
    pub(super) unschedulable: bool,
    pub(super) taints: TaintSet,
}

impl NodeGate {
    /// Neither cordoned nor tainted.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        !self.unschedulable && self.taints == TaintSet::default()
    }
}

/// What is read only when a pod asks about it.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeDetails {
    pub(super) name: Option<Symbol>,
    pub(super) labels: Labels,
    pub(super) zone: String,
    pub(super) ephemeral: EphemeralStorage,
    pub(super) allocatable_others: OtherResources,
    pub(super) requested_others: OtherResources,
    pub(super) ports: Vec<HostPort>,
    /// Sorted names of images on the node.
    pub(super) images: Vec<Symbol>,
}

/// Which nodes' resources changed last, oldest first; what lies further back is forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentChanges {
    /// Its length is a power of two, or nothing.
    ring: Vec<NodeId>,
    made: u64,
    forgotten: u64,
}

impl RecentChanges {
    fn note(&mut self, node: NodeId) {
        if !self.ring.is_empty() {
            let place = self.made as usize & (self.ring.len() - 1);
            self.ring[place] = node;
        }
        self.made += 1;
    }

    /// The order of nodes is another: nobody can go on from before. With more changes than nodes to look back to, it is
    /// as cheap to look at all nodes.
    fn forget(&mut self, nodes: usize) {
        self.ring.clear();
        self.ring.resize(nodes.next_power_of_two(), NodeId(0));
        self.made += 1;
        self.forgotten = self.made;
    }

    /// How many there were ever.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// Those after the first `seen`; nothing if not all of them are remembered.
    pub(super) fn since(&self, seen: u64) -> Option<impl Iterator<Item = NodeId>> {
        let remembered = self.made.saturating_sub(self.ring.len() as u64).max(self.forgotten);
        let mask = self.ring.len().wrapping_sub(1);
        (seen >= remembered).then(|| (seen..self.made).map(move |number| self.ring[number as usize & mask]))
    }
}

/// All nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub(super) resources: Vec<NodeResources>,
    pub(super) gates: Vec<NodeGate>,
    /// When each node's resources last changed.
    pub(super) stamps: Vec<Stamp>,
    last_stamp: Stamp,
    pub(super) changes: RecentChanges,
    pub(super) details: Vec<NodeDetails>,
    /// How many nodes had ever come when each came.
    births: Vec<u64>,
    born: u64,
    /// The pods on each node.
    pub(super) pods: Vec<Vec<PodId>>,
    free: Vec<NodeId>,
    pub(super) taint_sets: Vec<Vec<Taint>>,
    zones: Vec<(String, Vec<NodeId>)>,
    order: Vec<NodeId>,
    /// Where each node stands in `order`, if it is present.
    places: Vec<u32>,
    order_is_stale: bool,
}

impl Nodes {
    /// Takes a place, reusing that of a removed node.
    pub(super) fn allocate(&mut self) -> NodeId {
        self.born += 1;
        if let Some(node) = self.free.pop() {
            self.births[node.index()] = self.born;
            return node;
        }
        let node = NodeId(u32::try_from(self.details.len()).expect("fewer than 2^32 nodes"));
        self.births.push(self.born);
        self.resources.push(NodeResources::default());
        self.gates.push(NodeGate::default());
        self.stamps.push(Stamp::default());
        self.details.push(NodeDetails::default());
        self.pods.push(Vec::new());
        node
    }

    pub(super) fn release(&mut self, node: NodeId) {
        self.resources[node.index()] = NodeResources::default();
        self.gates[node.index()] = NodeGate::default();
        self.details[node.index()] = NodeDetails::default();
        self.pods[node.index()].clear();
        self.free.push(node);
    }

    /// Notes that a node's resources changed.
    pub(super) fn touch(&mut self, node: NodeId) {
        self.stamps[node.index()] = self.last_stamp.advance();
        self.changes.note(node);
    }

    pub(super) fn taint_set(&mut self, taints: &[Taint]) -> TaintSet {
        if self.taint_sets.is_empty() {
            self.taint_sets.push(Vec::new());
        }
        let known = self.taint_sets.iter().position(|set| set == taints);
        let index = known.unwrap_or_else(|| {
            self.taint_sets.push(taints.to_vec());
            self.taint_sets.len() - 1
        });
        TaintSet(index as u32)
    }

    /// A node that stays in its zone keeps its turn; otherwise it is the last of the new zone.
    pub(super) fn enter_zone(&mut self, node: NodeId, zone: String, former: Option<String>) {
        if former.as_ref() != Some(&zone) {
            if let Some(former) = former {
                self.leave(node, &former);
            }
            let known = self.zones.iter().position(|(name, _)| *name == zone);
            let at = known.unwrap_or_else(|| {
                self.zones.push((zone.clone(), Vec::new()));
                self.zones.len() - 1
            });
            self.zones[at].1.push(node);
            self.order_is_stale = true;
        }
        self.details[node.index()].zone = zone;
    }

    pub(super) fn leave_zone(&mut self, node: NodeId) {
        let zone = std::mem::take(&mut self.details[node.index()].zone);
        self.leave(node, &zone);
    }

    fn leave(&mut self, node: NodeId, zone: &str) {
        let at = self.zones.iter().position(|(name, _)| name == zone).expect("a present node is in its zone");
        self.zones[at].1.retain(|other| *other != node);
        if self.zones[at].1.is_empty() {
            self.zones.remove(at);
        }
        self.order_is_stale = true;
    }

    /// Zones take turns in the order of their first node; each gives its next node.
    fn refresh_order(&mut self) {
        if !std::mem::take(&mut self.order_is_stale) {
            return;
        }
        self.order.clear();
        let longest = self.zones.iter().map(|(_, nodes)| nodes.len()).max().unwrap_or(0);
        for round in 0..longest {
            self.order.extend(self.zones.iter().filter_map(|(_, nodes)| nodes.get(round)));
        }
        self.places.resize(self.details.len(), 0);
        for (place, node) in self.order.iter().enumerate() {
            self.places[node.index()] = place as u32;
        }
        self.changes.forget(self.order.len());
    }

    /// All present nodes in scan order.
    pub(super) fn order(&mut self) -> &[NodeId] {
        self.refresh_order();
        &self.order
    }

    /// Where a present node stands in the order, which must have been asked for since nodes came or went.
    pub(super) fn place(&self, node: NodeId) -> usize {
        self.places[node.index()] as usize
    }

    /// Lends out the scan order; until it is returned, no node may come or go.
    pub(super) fn take_order(&mut self) -> Vec<NodeId> {
        self.refresh_order();
        std::mem::take(&mut self.order)
    }

    pub(super) fn return_order(&mut self, order: Vec<NodeId>) {
        self.order = order;
    }

    pub(super) fn is_present(&self, node: NodeId) -> bool {
        self.gates.get(node.index()).is_some_and(|gate| gate.present)
    }

    /// How many nodes ever came.
    pub(super) const fn born(&self) -> u64 {
        self.born
    }

    /// Whether this is still the node it was when `born` nodes had come.
    pub(super) fn is_still(&self, node: NodeId, born: u64) -> bool {
        self.is_present(node) && self.births[node.index()] <= born
    }

    pub(super) fn present(&self) -> impl Iterator<Item = NodeId> {
        let all = self.gates.iter().enumerate().filter(|(_, gate)| gate.present);
        all.map(|(index, _)| NodeId(index as u32))
    }

    pub(super) fn count(&self) -> usize {
        self.details.len() - self.free.len()
    }
}
