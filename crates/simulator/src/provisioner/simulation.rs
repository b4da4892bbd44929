//! Scheduling in thought: pods on the nodes that are there, on nodes that boot, and on nodes that could be ordered.
//!
//! A node that could be ordered is a claim. It keeps every instance type on which all its pods fit; which one it becomes
//! is decided at the end. In the copy of the cluster it stands as the cheapest of them.

use super::config::{NodePoolLimits, ProvisionerConfig};
use super::view::{Offering, OfferingId, ProvisionerView};
use crate::autoscaler::GroupId;
use crate::autoscaler::scratch::{Scratch, Shape};
use crate::kube;
use crate::scheduler::{NodeId, PodId, TemplateId};
use model::time::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Why pods need a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// They wait.
    Waits,
    /// Their node is being removed.
    Leaves,
    /// Their node would be removed.
    WouldLeave,
}

/// Pods that are alike and need a place.
#[derive(Clone, Copy, Debug)]
struct Wanting {
    template: TemplateId,
    priority: i32,
    need: Need,
    count: u32,
    oldest: Timestamp,
    cpu: i64,
    memory: i64,
}

/// A node that could be ordered.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// The cheapest first.
    pub(super) options: Vec<OfferingId>,
    pods: Vec<Shape>,
    cpu: i64,
    memory: i64,
    node: NodeId,
    shown: OfferingId,
}

/// What became of the pods.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) claims: Vec<Claim>,
    /// Nodes that are there and got pods.
    pub(super) used: BTreeSet<NodeId>,
    pub(super) fit_already: u32,
    pub(super) helped: u32,
    /// Pods that wait and still find no place.
    pub(super) not_helped: u32,
    /// A pod that does not wait now would have to, or would depend on a node that is not there yet.
    pub(super) stuck: bool,
}

struct Simulation<'r, 'v> {
    view: &'r ProvisionerView<'v>,
    /// Node pools, the one to ask first in front.
    order: Vec<usize>,
    scratch: Scratch<'v>,
    /// Nodes that are there, then nodes that boot.
    places: Vec<(NodeId, Option<GroupId>)>,
    ready: usize,
    /// What each node pool may still get.
    left: Vec<NodePoolLimits>,
    /// How many nodes each pool of the scenario may still get.
    room: Vec<u32>,
    outcome: Outcome,
}

/// Finds places for all pods that wait or lose their node, if `removed` are removed as well.
pub(super) fn simulate(
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    removed: &[NodeId],
) -> Outcome {
    let mut wanting = collect(view, removed);
    if wanting.is_empty() {
        return Outcome::default();
    }
    // The cluster's own filters work on a copy, so nothing is copied for nobody.
    wanting.sort_by_key(|one| (Reverse((one.cpu, one.memory)), one.oldest, one.template, one.need));
    let mut simulation = Simulation::new(config, view, removed);
    let is_zonal = |one: &Wanting| view.ladders.get(&one.template).is_some_and(|ladder| ladder.is_zonal);
    if wanting.iter().any(is_zonal) {
        simulation.make_zones_known();
    }
    simulation.place(&mut wanting);
    for rest in wanting.iter().filter(|one| one.count > 0) {
        match rest.need {
            Need::Waits => simulation.outcome.not_helped += rest.count,
            Need::Leaves | Need::WouldLeave => simulation.outcome.stuck = true,
        }
    }
    simulation.outcome
}

/// How many more nodes each pool of the scenario may get.
pub(super) fn room(view: &ProvisionerView<'_>) -> Vec<u32> {
    view.cluster.groups.iter().map(|group| group.maximum.saturating_sub(group.target)).collect()
}

pub(super) fn cheapest_first(view: &ProvisionerView<'_>, options: &mut [OfferingId]) {
    let allocatable = |id: &OfferingId, resource| amount(&view.catalogue.get(*id).node, resource);
    // Equal prices, for instance none at all: the smaller node.
    options.sort_by_key(|id| {
        let price = view.catalogue.get(*id).price_per_hour;
        (price, allocatable(id, kube::CPU), allocatable(id, kube::MEMORY), *id)
    });
}

fn amount(node: &kube::Node, resource: &str) -> i64 {
    node.status.allocatable.get(resource).unwrap_or(0)
}

fn collect(view: &ProvisionerView<'_>, removed: &[NodeId]) -> Vec<Wanting> {
    let state = view.cluster.state;
    let sized = |template, priority, need, count, oldest| {
        let requests = &state.template(template).requests;
        Wanting { template, priority, need, count, oldest, cpu: requests.cpu, memory: requests.memory }
    };
    let pending = view.cluster.unschedulable.iter();
    let mut all: Vec<Wanting> = pending
        .map(|pods| sized(pods.template, pods.priority, Need::Waits, pods.count, pods.oldest))
        .collect();
    let leaving = view.cluster.nodes.iter().filter(|one| one.removing.is_some());
    let leaving = leaving.map(|one| (one.node, Need::Leaves));
    let mut freed: BTreeMap<(TemplateId, i32, Need), u32> = BTreeMap::new();
    for (node, need) in leaving.chain(removed.iter().map(|node| (*node, Need::WouldLeave))) {
        for pod in leaving_pods(view, node) {
            let placed = state.pod(pod).expect("a pod on a node is placed");
            *freed.entry((placed.template, placed.details.priority, need)).or_default() += 1;
        }
    }
    all.extend(
        freed.into_iter().map(|((template, priority, need), count)| {
            sized(template, priority, need, count, Timestamp::EPOCH)
        }),
    );
    all
}

/// Pods of a node for which another place is needed when it goes.
pub(super) fn reschedulable<'v>(
    view: &ProvisionerView<'v>,
    node: NodeId,
) -> impl Iterator<Item = PodId> + use<'v> {
    let disruption = view.disruption;
    let pods = view.cluster.state.pods_on(node).iter().copied();
    pods.filter(move |pod| disruption(*pod).reschedulable)
}

/// Those of them that may leave now; for the others nobody knows when they will need it.
fn leaving_pods<'v>(view: &ProvisionerView<'v>, node: NodeId) -> impl Iterator<Item = PodId> + use<'v> {
    let ProvisionerView { cluster, disruption, .. } = *view;
    let is_held = move |pod: PodId| {
        let budget = (cluster.pod)(pod).budget;
        let exhausted = budget.is_some_and(|budget| cluster.budgets[budget.index()] == 0);
        disruption(pod).active && (exhausted || disruption(pod).do_not_disrupt)
    };
    reschedulable(view, node).filter(move |pod| !is_held(*pod))
}

impl<'r, 'v> Simulation<'r, 'v> {
    fn new(config: &ProvisionerConfig, view: &'r ProvisionerView<'v>, removed: &[NodeId]) -> Self {
        let mut order: Vec<usize> = (0..config.node_pools.len()).collect();
        order.sort_by_key(|index| Reverse(config.node_pools[*index].weight));
        let mut simulation = Self {
            view,
            order,
            scratch: Scratch::new(&view.cluster),
            places: Vec::new(),
            ready: 0,
            left: config.node_pools.iter().map(|pool| pool.limits).collect(),
            room: room(view),
            outcome: Outcome::default(),
        };
        simulation.set_out(removed);
        simulation
    }

    /// Takes away what goes and adds what comes.
    fn set_out(&mut self, removed: &[NodeId]) {
        let view = self.view;
        for one in view.cluster.nodes {
            if removed.contains(&one.node) {
                self.scratch.change().remove_node(one.node);
            } else if one.removing.is_some() {
                for pod in leaving_pods(view, one.node) {
                    self.scratch.change().unassign(pod);
                }
            } else if one.ready {
                self.places.push((one.node, one.group));
                let offering = one.group.and_then(|group| view.catalogue.of_group(group));
                self.charge(offering.as_slice());
            }
        }
        self.ready = self.places.len();
        for &coming in view.coming {
            let offering = view.catalogue.get(coming);
            let node = self.add_node(coming);
            self.places.push((node, Some(offering.group)));
            self.charge(&[offering]);
        }
    }

    /// The filters know only zones that have a node, but any that can be ordered counts: each gets one without room.
    fn make_zones_known(&mut self) {
        for offering in self.view.catalogue.offerings.iter().filter(|offering| offering.zone.is_some()) {
            let mut node = offering.node.clone();
            node.status = kube::NodeStatus::default();
            self.scratch.change().add_node(&node);
        }
    }

    fn add_node(&mut self, id: OfferingId) -> NodeId {
        let offering = self.view.catalogue.get(id);
        let name = self.view.cluster.group(offering.group).name;
        self.scratch.add_node_like(name, &offering.node, self.view.daemons)
    }

    /// Takes a node that is one of these off its node pool's limits: as much of each resource as the largest has.
    fn charge(&mut self, offerings: &[&Offering]) {
        let Some(pool) = offerings.first().map(|one| one.node_pool) else { return };
        let most = |resource: &str| {
            let capacity = offerings.iter().map(|one| one.node.status.capacity.get(resource).unwrap_or(0));
            capacity.max().unwrap_or(0)
        };
        let (cpu, memory) = (most(kube::CPU), most(kube::MEMORY));
        let left = &mut self.left[pool];
        left.cpu = left.cpu.map(|left| left - cpu);
        left.memory = left.memory.map(|left| left - memory);
        left.nodes = left.nodes.map(|left| left.saturating_sub(1));
    }

    /// Largest pods first; who finds no place tries again as long as others do.
    fn place(&mut self, wanting: &mut [Wanting]) {
        let mut queue: VecDeque<usize> = (0..wanting.len()).collect();
        let mut in_vain = 0;
        while let Some(index) = queue.pop_front() {
            let before = wanting[index].count;
            while wanting[index].count > 0 && self.place_one(wanting[index]) {
                wanting[index].count -= 1;
            }
            in_vain = if wanting[index].count < before { 0 } else { in_vain + 1 };
            if wanting[index].count > 0 {
                queue.push_back(index);
                if in_vain >= queue.len() {
                    return;
                }
            }
        }
    }

    /// Gives up one preference after the other until the pod has a place.
    fn place_one(&mut self, pod: Wanting) -> bool {
        let Some(ladder) = self.view.ladders.get(&pod.template) else {
            return self.try_all(pod, pod.template, &[], false);
        };
        let zonal = ladder.is_zonal;
        let firm = ladder.rungs.iter().any(|rung| self.try_all(pod, *rung, &ladder.avoids, zonal));
        firm || (!ladder.avoids.is_empty() && self.try_all(pod, pod.template, &[], zonal))
    }

    fn try_all(&mut self, pod: Wanting, tried_as: TemplateId, avoids: &[GroupId], zonal: bool) -> bool {
        let shape = Shape { template: tried_as, priority: pod.priority };
        if self.on_known_node(pod, shape, avoids) {
            self.outcome.fit_already += u32::from(pod.need == Need::Waits);
            return true;
        }
        let found = self.on_claim(pod, shape, avoids, zonal) || self.on_new_claim(pod, shape, avoids, zonal);
        self.outcome.helped += u32::from(found && pod.need == Need::Waits);
        found
    }

    fn on_known_node(&mut self, pod: Wanting, shape: Shape, avoids: &[GroupId]) -> bool {
        let is_avoided = |group: Option<GroupId>| group.is_some_and(|group| avoids.contains(&group));
        let allowed: Vec<usize> =
            (0..self.places.len()).filter(|at| !is_avoided(self.places[*at].1)).collect();
        let nodes: Vec<NodeId> = allowed.iter().map(|at| self.places[*at].0).collect();
        let Ok(Some(at)) = self.scratch.first_fit(shape, &nodes, 0) else { return false };
        self.scratch.place(Shape { template: pod.template, ..shape }, nodes[at]);
        if allowed[at] < self.ready {
            self.outcome.used.insert(nodes[at]);
        } else if pod.need == Need::WouldLeave {
            self.outcome.stuck = true;
        }
        true
    }

    /// The emptiest claim that some instance type allows to grow.
    fn on_claim(&mut self, pod: Wanting, shape: Shape, avoids: &[GroupId], zonal: bool) -> bool {
        let mut order: Vec<usize> = (0..self.outcome.claims.len()).collect();
        order.sort_by_key(|index| self.outcome.claims[*index].pods.len());
        for index in order {
            let before = self.outcome.claims[index].shown;
            let options = self.options_for(index, pod, shape, avoids);
            if options.is_empty() {
                self.show(index, before);
                continue;
            }
            self.grow(index, pod, options, zonal);
            return true;
        }
        false
    }

    /// Instance types that the claim may still become with one more pod.
    fn options_for(
        &mut self,
        index: usize,
        pod: Wanting,
        shape: Shape,
        avoids: &[GroupId],
    ) -> Vec<OfferingId> {
        let claim = &self.outcome.claims[index];
        let (cpu, memory) = (claim.cpu + pod.cpu, claim.memory + pod.memory);
        let mut options = Vec::new();
        for id in claim.options.clone() {
            if self.is_conceivable(id, cpu, memory, avoids) {
                self.show(index, id);
                let node = self.outcome.claims[index].node;
                if self.scratch.fits(shape, node).is_ok() {
                    options.push(id);
                }
            }
        }
        options
    }

    /// Spares asking the filters.
    fn is_conceivable(&self, id: OfferingId, cpu: i64, memory: i64, avoids: &[GroupId]) -> bool {
        let offering = self.view.catalogue.get(id);
        let fits = cpu <= amount(&offering.node, kube::CPU) && memory <= amount(&offering.node, kube::MEMORY);
        fits && !avoids.contains(&offering.group)
    }

    /// Lets a claim stand as this instance type.
    fn show(&mut self, index: usize, id: OfferingId) {
        let claim = &self.outcome.claims[index];
        if claim.shown == id {
            return;
        }
        self.scratch.change().remove_node(claim.node);
        let pods = claim.pods.clone();
        let node = self.add_node(id);
        for shape in pods {
            self.scratch.place(shape, node);
        }
        let claim = &mut self.outcome.claims[index];
        (claim.shown, claim.node) = (id, node);
    }

    fn grow(&mut self, index: usize, pod: Wanting, mut options: Vec<OfferingId>, zonal: bool) {
        let catalogue = self.view.catalogue;
        let zone = catalogue.get(options[0]).zone;
        if zonal {
            options.retain(|id| catalogue.get(*id).zone == zone);
        }
        self.show(index, options[0]);
        let shape = Shape { template: pod.template, priority: pod.priority };
        let claim = &mut self.outcome.claims[index];
        claim.options = options;
        claim.pods.push(shape);
        claim.cpu += pod.cpu;
        claim.memory += pod.memory;
        let node = claim.node;
        self.scratch.place(shape, node);
    }

    fn on_new_claim(&mut self, pod: Wanting, shape: Shape, avoids: &[GroupId], zonal: bool) -> bool {
        for pool in self.order.clone() {
            let mut options: Vec<OfferingId> = self
                .view
                .catalogue
                .ids()
                .filter(|id| self.may_get(pool, *id) && self.is_conceivable(*id, pod.cpu, pod.memory, avoids))
                .collect();
            options.retain(|id| self.fits_empty(*id, shape));
            if options.is_empty() {
                continue;
            }
            cheapest_first(self.view, &mut options);
            let catalogue = self.view.catalogue;
            let types: Vec<&Offering> = options.iter().map(|id| catalogue.get(*id)).collect();
            self.charge(&types);
            let node = self.add_node(options[0]);
            let claim = Claim {
                shown: options[0],
                options: options.clone(),
                pods: Vec::new(),
                cpu: 0,
                memory: 0,
                node,
            };
            self.outcome.claims.push(claim);
            self.grow(self.outcome.claims.len() - 1, pod, options, zonal);
            return true;
        }
        false
    }

    /// Whether the node pool's limits and the pool's size allow another such node.
    fn may_get(&self, pool: usize, id: OfferingId) -> bool {
        let offering = self.view.catalogue.get(id);
        let left = self.left[pool];
        let within = |left: Option<i64>, resource: &str| {
            left.is_none_or(|left| offering.node.status.capacity.get(resource).unwrap_or(0) <= left)
        };
        let sure = |claim: &&Claim| {
            claim.options.iter().all(|id| self.view.catalogue.get(*id).group == offering.group)
        };
        let promised = self.outcome.claims.iter().filter(sure).count();
        offering.node_pool == pool
            && self.room[offering.group.index()] as usize > promised
            && left.nodes.is_none_or(|left| left > 0)
            && within(left.cpu, kube::CPU)
            && within(left.memory, kube::MEMORY)
    }

    fn fits_empty(&mut self, id: OfferingId, shape: Shape) -> bool {
        let first_pod = self.scratch.next_pod();
        let node = self.add_node(id);
        // Asked like every node, so that what no node admits is not tried.
        let fits = self.scratch.first_fit(shape, &[node], 0) == Ok(Some(0));
        self.scratch.take_back(&[node], first_pod);
        fits
    }
}
