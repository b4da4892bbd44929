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
    /// For each of those, the place of the zone it was ordered in; nothing if the pool decides.
    zones: VecDeque<Option<u32>>,
    /// How many ordered nodes became ready, ever.
    pub(crate) booted: u64,
    /// Orders that were withdrawn while the node was booting; the next nodes to become ready vanish instead.
    withdrawn: u32,
    /// Names are never used twice.
    made: u32,
}

impl Pool {
    pub(crate) fn new(spec: PoolSpec) -> Self {
        let floor = spec.minimum;
        let (booting, zones) = (VecDeque::new(), VecDeque::new());
        Self { spec, ready: 0, draining: 0, floor, booting, zones, booted: 0, withdrawn: 0, made: 0 }
    }

    /// In which zone each node that boots will be.
    pub(crate) fn coming_zones(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        let numbered = self.zones.iter().zip(self.made + 1..);
        numbered.map(|(zone, number)| zone.or_else(|| self.zone_in_turn(number)))
    }

    /// The nodes that come next, but for their names, with those that boot and were ordered in no zone: one for each zone.
    pub(crate) fn coming_nodes(&self) -> Vec<kube::Node> {
        let numbers = (self.made + 1..).take(self.spec.zones.len().max(1));
        numbers.map(|number| self.spec.in_zone(self.zone_in_turn(number))).collect()
    }

    /// Zones take turns.
    fn zone_in_turn(&self, number: u32) -> Option<u32> {
        let zones = self.spec.zones.len() as u32;
        (zones > 0).then(|| (number - 1) % zones)
    }

    /// Whether orders were withdrawn whose nodes did not come yet.
    pub(crate) const fn has_withdrawn(&self) -> bool {
        self.withdrawn > 0
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
    /// The place of its zone in the pool's.
    pub(crate) zone: Option<u32>,
    /// It takes no more pods, because a node that replaces it is on its way.
    pub(crate) marked: bool,
    /// It takes no more pods, because somebody outside said so.
    pub(crate) cordoned: bool,
    /// When the last pod came, ended or was told to stop, for the provisioner.
    pub(crate) last_pod_event: Option<Timestamp>,
    /// It has stopped working, whatever the cluster still believes.
    pub(crate) crashed: bool,
    /// How often it stopped.
    pub(crate) crashes: u32,
    /// The cluster has noticed: the node takes no pods and is no capacity.
    pub(crate) unreachable: bool,
}

impl NodeRecord {
    pub(crate) const fn is_draining(&self) -> bool {
        self.drain.is_some()
    }

    /// Whether it takes no more pods, for whatever reason.
    pub(crate) const fn is_closed(&self) -> bool {
        self.is_draining() || self.marked || self.cordoned
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
        self.node_ready_in(agenda, pool, None);
    }

    fn node_ready_in(&mut self, agenda: &mut Agenda, pool: usize, zone: Option<u32>) {
        self.pools[pool].made += 1;
        let made = self.pools[pool].made;
        let zone = zone.or_else(|| self.pools[pool].zone_in_turn(made));
        let name = format!("{}-{made}", self.pools[pool].spec.name);
        let name = NodeName::new(&name).expect("pool names make node names");
        let node = self.pools[pool].spec.named(name.as_str(), zone);
        let id = self.state.add_node(&node);
        if self.nodes.len() <= id.index() {
            self.nodes.resize(id.index() + 1, None);
        }
        self.plan_interruption(agenda, pool, &name);
        self.nodes[id.index()] = Some(NodeRecord {
            name,
            pool,
            drain: None,
            created_at: agenda.now(),
            zone,
            marked: false,
            cordoned: false,
            last_pod_event: None,
            crashed: false,
            crashes: 0,
            unreachable: false,
        });
        self.known_nodes.insert(id);
        self.pools[pool].ready += 1;
        self.sums.capacity += self.pools[pool].spec.node_capacity;
        self.host_changed(agenda.now(), id);
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
        booted.booted += 1;
        let zone = booted.zones.pop_front().flatten();
        self.node_ready_in(agenda, pool, zone);
    }

    /// Orders a node in a zone, or in the one whose turn it is. It is there when the pool has booted as many nodes as
    /// the number returned.
    pub(crate) fn order(
        &mut self,
        agenda: &mut Agenda,
        boots: &mut Stream,
        pool: usize,
        zone: Option<u32>,
    ) -> u64 {
        let ordered = &mut self.pools[pool];
        ordered.booting.push_back(agenda.now());
        ordered.zones.push_back(zone);
        let delay = ordered.spec.boot_time.draw(boots);
        agenda.after(delay, Event::NodeReady { cluster: self.index, pool });
        ordered.booted + ordered.booting.len() as u64
    }

    /// Brings a pool to a size: orders nodes, or withdraws orders and drains the least needed nodes.
    pub(crate) fn resize(&mut self, agenda: &mut Agenda, boots: &mut Stream, pool: usize, to: u32) {
        while self.pools[pool].target() < to {
            self.order(agenda, boots, pool, None);
        }
        while self.pools[pool].target() > to && self.pools[pool].booting.pop_back().is_some() {
            self.pools[pool].zones.pop_back();
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
                self.pools[pool].zones.pop_front();
                self.pools[pool].withdrawn += 1;
            }
        }
    }

    /// The nodes whose removal moves the fewest pods, after those that will go anyway; newer ones first among equals.
    fn least_needed(&self, pool: usize, count: u32) -> Vec<NodeId> {
        let removable =
            |id: &NodeId| self.node(*id).is_some_and(|node| node.pool == pool && !node.is_draining());
        let mut nodes: Vec<NodeId> = self.node_ids().filter(removable).collect();
        let stays = |id: NodeId| self.node(id).is_some_and(|node| !node.marked);
        nodes.sort_by_key(|id| (stays(*id), self.state.pods_on(*id).len(), std::cmp::Reverse(id.index())));
        nodes.truncate(count as usize);
        nodes
    }

    /// Cordons a node, evicts its pods, and removes it when the last is gone.
    pub(crate) fn drain(&mut self, agenda: &mut Agenda, id: NodeId, by: Drainer) {
        let Some(record) = self.node_mut(id).filter(|record| !record.is_draining()) else { return };
        record.drain = Some(Drain::new(by, agenda.now()));
        let pool = record.pool;
        self.pools[pool].ready -= 1;
        self.pools[pool].draining += 1;
        // A cordon frees nobody's way, so the queue need not hear of it.
        self.refresh(id);
        self.evict_all(agenda, id);
    }

    pub(crate) fn remove_if_drained(&mut self, agenda: &mut Agenda, id: NodeId) {
        // Asked for every pod that ends, and nearly always there is nothing to do.
        if self.pools.iter().all(|pool| pool.draining == 0) {
            return;
        }
        let drained = self.node(id).is_some_and(NodeRecord::is_draining) && self.state.pods_on(id).is_empty();
        if !drained {
            return;
        }
        let record = self.nodes[id.index()].take().expect("a drained node exists");
        let facts = self.state.node_facts(id);
        let left_behind = self.state.remove_node(id);
        assert!(left_behind.is_empty(), "a drained node has no pods");
        self.host_changed(agenda.now(), id);
        self.known_nodes.remove(&id);
        self.pools[record.pool].draining -= 1;
        if !record.unreachable {
            self.sums.capacity = self.sums.capacity.minus(self.pools[record.pool].spec.node_capacity);
        }
        self.node_removed(agenda.now(), &facts);
    }

    /// Tells the scheduler whether a node takes pods, after that has changed.
    pub(super) fn refresh(&mut self, id: NodeId) {
        let record = self.node(id).expect("the caller knows the node");
        let node = self.as_kubernetes_shows(record);
        self.state.update_node(id, &node);
    }

    /// A node with its taints, and whether it takes pods.
    pub(super) fn as_kubernetes_shows(&self, record: &NodeRecord) -> kube::Node {
        let mut node = self.pools[record.pool].spec.named(record.name.as_str(), record.zone);
        node.spec.unschedulable = record.is_closed();
        if record.unreachable {
            node.spec.taints.extend(super::crash::taints());
        }
        node
    }
}

impl PoolSpec {
    /// A node of this pool as Kubernetes would show it.
    fn named(&self, name: &str, zone: Option<u32>) -> kube::Node {
        let mut node = self.in_zone(zone);
        name.clone_into(&mut node.metadata.name);
        node.metadata.labels.insert(HOSTNAME_LABEL.to_owned(), name.to_owned());
        node
    }

    /// A node of this pool but for its name.
    pub(crate) fn in_zone(&self, zone: Option<u32>) -> kube::Node {
        let mut node = self.node.clone();
        let labels = &mut node.metadata.labels;
        labels.insert(POOL_LABEL.to_owned(), self.name.to_string());
        if let Some(zone) = zone {
            labels.insert(ZONE_LABEL.to_owned(), self.zones[zone as usize].clone());
        }
        node
    }
}
