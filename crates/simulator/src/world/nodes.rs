//! Nodes and pools: nodes are ordered, boot, become ready, are drained and go.

use super::agenda::{Agenda, Event};
use super::cluster::Cluster;
use super::eviction::{Drain, Drainer};
use crate::kube;
use crate::randomness::Stream;
use crate::scenario::PoolSpec;
use crate::scheduler::{HOSTNAME_LABEL, NodeId, ZONE_LABEL};
use model::names::NodeName;
use model::time::Timestamp;
use std::collections::VecDeque;

/// The label that tells which pool a node belongs to.
pub const POOL_LABEL: &str = "drover.dev/pool";

/// A pool while the simulation runs.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    pub(crate) spec: PoolSpec,
    /// Nodes that are ready and not being drained.
    pub(crate) ready: u32,
    pub(crate) draining: u32,
    /// The size that was last asked for by an action: the autoscaler does not go below it, or it would undo the
    /// headroom a person approved.
    pub(crate) floor: u32,
    /// When each node that is not ready yet was ordered, oldest first.
    pub(crate) booting: VecDeque<Timestamp>,
    /// Orders that were withdrawn while the node was booting; the next nodes to become ready vanish instead.
    withdrawn: u32,
    /// Names are never used twice.
    made: u32,
}

impl Pool {
    pub(crate) const fn new(spec: PoolSpec) -> Self {
        let floor = spec.minimum;
        Self { spec, ready: 0, draining: 0, floor, booting: VecDeque::new(), withdrawn: 0, made: 0 }
    }

    /// Nodes that exist and cost money.
    pub(crate) fn existing(&self) -> u32 {
        self.target() + self.draining
    }

    /// The size the pool is on its way to.
    pub(crate) fn target(&self) -> u32 {
        self.ready + self.booting.len() as u32
    }
}

#[derive(Clone, Debug)]
pub(crate) struct NodeRecord {
    pub(crate) name: NodeName,
    pub(crate) pool: usize,
    /// Set while it is being emptied.
    pub(crate) drain: Option<Drain>,
    pub(crate) created_at: Timestamp,
}

impl NodeRecord {
    pub(crate) const fn is_draining(&self) -> bool {
        self.drain.is_some()
    }
}

impl Cluster {
    pub(crate) fn node(&self, id: NodeId) -> Option<&NodeRecord> {
        self.nodes.get(id.index())?.as_ref()
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> Option<&mut NodeRecord> {
        self.nodes.get_mut(id.index())?.as_mut()
    }

    /// All nodes that exist, in the order of their internal ids.
    pub(crate) fn node_ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.known_nodes.iter().copied()
    }

    /// Adds a node that is ready now.
    pub(crate) fn node_ready(&mut self, agenda: &mut Agenda, pool: usize) {
        let node = self.next_node(pool);
        let name = NodeName::new(&node.metadata.name).expect("pool names make node names");
        let id = self.state.add_node(&node);
        if self.nodes.len() <= id.index() {
            self.nodes.resize(id.index() + 1, None);
        }
        self.nodes[id.index()] = Some(NodeRecord { name, pool, drain: None, created_at: agenda.now() });
        self.known_nodes.insert(id);
        self.pools[pool].ready += 1;
        self.sums.capacity += self.pools[pool].spec.node_capacity;
        self.node_added(agenda.now(), id);
    }

    /// A node that was ordered has booted.
    pub(crate) fn node_booted(&mut self, agenda: &mut Agenda, pool: usize) {
        let booted = &mut self.pools[pool];
        if booted.withdrawn > 0 {
            booted.withdrawn -= 1;
            return;
        }
        booted.booting.pop_front();
        self.node_ready(agenda, pool);
    }

    /// Brings a pool to a size: orders nodes, or withdraws orders and drains the least needed nodes.
    pub(crate) fn resize(&mut self, agenda: &mut Agenda, boots: &mut Stream, pool: usize, to: u32) {
        while self.pools[pool].target() < to {
            self.pools[pool].booting.push_back(agenda.now());
            let delay = self.pools[pool].spec.boot_time.draw(boots);
            agenda.after(delay, Event::NodeReady { cluster: self.index, pool });
        }
        while self.pools[pool].target() > to && self.pools[pool].booting.pop_back().is_some() {
            self.pools[pool].withdrawn += 1;
        }
        let surplus = self.pools[pool].ready.saturating_sub(to);
        for node in self.least_needed(pool, surplus) {
            self.drain(agenda, node, Drainer::Person);
        }
    }

    /// Withdraws orders for nodes that never came.
    pub(crate) fn withdraw(&mut self, pool: usize, nodes: u32) {
        for _ in 0..nodes {
            if self.pools[pool].booting.pop_front().is_some() {
                self.pools[pool].withdrawn += 1;
            }
        }
    }

    /// The nodes whose removal moves the fewest pods; newer ones first among equals.
    fn least_needed(&self, pool: usize, count: u32) -> Vec<NodeId> {
        let removable =
            |id: &NodeId| self.node(*id).is_some_and(|node| node.pool == pool && !node.is_draining());
        let mut nodes: Vec<NodeId> = self.node_ids().filter(removable).collect();
        nodes.sort_by_key(|id| (self.state.pods_on(*id).len(), std::cmp::Reverse(id.index())));
        nodes.truncate(count as usize);
        nodes
    }

    /// Cordons a node, evicts its pods, and removes it when the last is gone.
    pub(crate) fn drain(&mut self, agenda: &mut Agenda, id: NodeId, by: Drainer) {
        let Some(record) = self.node_mut(id).filter(|record| !record.is_draining()) else { return };
        record.drain = Some(Drain::new(by, agenda.now()));
        let pool = record.pool;
        let name = record.name.clone();
        self.pools[pool].ready -= 1;
        self.pools[pool].draining += 1;
        let mut node = self.node_object(pool, name.as_str());
        node.spec.unschedulable = true;
        // A cordon frees nobody's way, so the queue need not hear of it.
        self.state.update_node(id, &node);
        self.evict_all(agenda, id);
    }

    pub(crate) fn remove_if_drained(&mut self, agenda: &mut Agenda, id: NodeId) {
        let drained = self.node(id).is_some_and(NodeRecord::is_draining) && self.state.pods_on(id).is_empty();
        if !drained {
            return;
        }
        let record = self.nodes[id.index()].take().expect("a drained node exists");
        let facts = self.state.node_facts(id);
        let left_behind = self.state.remove_node(id);
        assert!(left_behind.is_empty(), "a drained node has no pods");
        self.known_nodes.remove(&id);
        self.pools[record.pool].draining -= 1;
        self.sums.capacity = self.sums.capacity.minus(self.pools[record.pool].spec.node_capacity);
        self.node_removed(agenda.now(), &facts);
    }

    fn next_node(&mut self, pool: usize) -> kube::Node {
        self.pools[pool].made += 1;
        let name = format!("{}-{}", self.pools[pool].spec.name, self.pools[pool].made);
        self.node_object(pool, &name)
    }

    /// The node as Kubernetes would show it. The zone follows from the number in the name.
    pub(super) fn node_object(&self, pool: usize, name: &str) -> kube::Node {
        let spec = &self.pools[pool].spec;
        let mut node = spec.node.clone();
        name.clone_into(&mut node.metadata.name);
        let number: usize = name.rsplit('-').next().and_then(|digits| digits.parse().ok()).unwrap_or(1);
        let labels = &mut node.metadata.labels;
        labels.insert(HOSTNAME_LABEL.to_owned(), name.to_owned());
        labels.insert(POOL_LABEL.to_owned(), spec.name.to_string());
        if !spec.zones.is_empty() {
            labels.insert(ZONE_LABEL.to_owned(), spec.zones[(number - 1) % spec.zones.len()].clone());
        }
        node
    }
}
