//! What the federation would look like after some actions: the arithmetic behind capacity checks and expected impact.
//!
//! It places whole pods into the free room of nodes, so it sees fragmentation that sums of free resources hide. It knows
//! only the snapshot; timing, affinity and scheduler scores are the simulator's business.

use model::action::Action;
use model::impact::{ClusterImpact, Impact, Pods, WorkloadImpact};
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName, WorkloadKind, WorkloadRef};
use model::ratio::Ratio;
use model::resources::Resources;
use model::snapshot::{ClusterView, PlacementView, PoolView, Snapshot, WorkloadView};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes and holes that one change adds on paper: more than any control plane manages, and few enough that nobody who asks for billions,
/// or says that they are there, fills the memory.
const MOST_ROOMS: u64 = 100_000;

/// A federation on paper.
#[derive(Clone, Debug)]
pub struct Projection {
    pub clusters: BTreeMap<ClusterName, ProjectedCluster>,
    workloads: BTreeMap<WorkloadRef, ProjectedWorkload>,
}

/// A cluster on paper.
#[derive(Clone, Debug)]
pub struct ProjectedCluster {
    pub capacity: Resources,
    pub allocated: Resources,
    pub requested: Resources,
    pub autoscaled: bool,
    pub pools: BTreeMap<PoolName, PoolView>,
    /// Free room, one entry per node, and one per pod that left (its hole can be used again).
    room: Vec<Resources>,
    /// Pods without a node, per workload: the size of one and how many.
    waiting: BTreeMap<WorkloadRef, (Resources, u64)>,
    /// Pods whose node was taken away and that found no other; it is not known which workloads they belong to.
    displaced: u64,
}

#[derive(Clone, Debug)]
struct ProjectedWorkload {
    each: Resources,
    /// Replicas in the whole federation: what bounds the pods that a move under way still has to bring.
    replicas: u64,
    placements: BTreeMap<ClusterName, Placed>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    running: u64,
    waiting: u64,
    /// Pods beyond the wanted replicas: they are ending and no longer part of the other two.
    ending: u64,
}

impl Placed {
    const fn pods(self) -> u64 {
        self.running + self.waiting
    }
}

impl Projection {
    /// The federation as observed, without the pods that are ending.
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut clusters: BTreeMap<_, _> =
            snapshot.clusters.iter().map(|(name, view)| (name.clone(), ProjectedCluster::of(view))).collect();
        for (cluster, name, each, pods) in without_node(snapshot) {
            if let Some(projected) = clusters.get_mut(cluster) {
                projected.waiting.insert(name.clone(), (each, pods));
            }
        }
        let mut workloads = BTreeMap::new();
        let mut vacated: BTreeSet<&ClusterName> = BTreeSet::new();
        for (name, view) in &snapshot.workloads {
            let mut placements = BTreeMap::new();
            for (cluster, placement) in &view.placements {
                let unseen = Placed { running: u64::from(placement.pods), ..Placed::default() };
                let placed = clusters.get_mut(cluster).map_or(unseen, |at| at.stay(name, view, placement));
                vacated.extend((placed.ending > 0).then_some(cluster));
                placements.insert(cluster.clone(), placed);
            }
            let (each, replicas) = (view.each, u64::from(view.replicas));
            workloads.insert(name.clone(), ProjectedWorkload { each, replicas, placements });
        }
        // Only when all that end have gone: a pod that ends must not take the room of another.
        for (_, cluster) in clusters.iter_mut().filter(|(name, _)| vacated.contains(name)) {
            cluster.settle();
        }
        Self { clusters, workloads }
    }

    /// The federation as observed, after what is already approved or under way.
    pub fn after<'a>(snapshot: &Snapshot, actions: impl IntoIterator<Item = &'a Action>) -> Self {
        let mut projection = Self::of(snapshot);
        for action in actions {
            projection.apply(action);
        }
        projection
    }

    /// Applies one action. An action about something unknown changes nothing.
    pub fn apply(&mut self, action: &Action) {
        match action {
            Action::Migrate { workload, from, to, .. } => self.migrate(workload, from, to),
            Action::Scale { workload, cluster, to, .. } => self.scale(workload, cluster, u64::from(*to)),
            Action::ResizePool { cluster, pool, to, .. } => {
                if let Some(projected) = self.clusters.get_mut(cluster) {
                    projected.resize(pool, *to);
                }
            }
            Action::Move { .. } | Action::Hold { .. } => {}
        }
    }

    /// Pods a workload has in a cluster, with and without a node.
    pub fn pods_in(&self, workload: &WorkloadRef, cluster: &ClusterName) -> u64 {
        self.placement(workload, cluster).pods()
    }

    fn placement(&self, workload: &WorkloadRef, cluster: &ClusterName) -> Placed {
        let placed = self.workloads.get(workload).and_then(|known| known.placements.get(cluster));
        placed.copied().unwrap_or_default()
    }

    fn placed(&self, workload: &WorkloadRef, cluster: &ClusterName) -> Pods {
        let Placed { running, waiting, .. } = self.placement(workload, cluster);
        Pods { running: running as u32, waiting: waiting as u32 }
    }

    /// What changes between two projections.
    pub fn impact(&self, after: &Self, action: &Action) -> Impact {
        let workload = |cluster: &ClusterName| {
            let workload = action.workload()?;
            Some(WorkloadImpact {
                before: self.placed(workload, cluster),
                after: after.placed(workload, cluster),
            })
        };
        let clusters = action.clusters().into_iter().filter_map(|name| {
            let (before, after) = (self.clusters.get(name)?, after.clusters.get(name)?);
            let impact = ClusterImpact {
                load_before: before.load(),
                load_after: after.load(),
                pending_before: before.pods_waiting() as u32,
                pending_after: after.pods_waiting() as u32,
                workload: workload(name),
            };
            Some((name.clone(), impact))
        });
        let pods_moved = match action {
            Action::Migrate { workload, from, .. } => self.pods_in(workload, from) as u32,
            _ => 0,
        };
        Impact {
            clusters: clusters.collect(),
            pods_moved,
            cost_per_hour_before: self.cost_per_hour(),
            cost_per_hour_after: after.cost_per_hour(),
        }
    }

    fn cost_per_hour(&self) -> MicroDollars {
        let price =
            |pool: &PoolView| pool.price_per_hour.0 * i64::from(pool.nodes.saturating_add(pool.booting));
        MicroDollars(self.clusters.values().flat_map(|cluster| cluster.pools.values()).map(price).sum())
    }

    fn migrate(&mut self, workload: &WorkloadRef, from: &ClusterName, to: &ClusterName) {
        let Some(known) = self.workloads.get_mut(workload).filter(|_| from != to) else { return };
        let Some(placed) = known.placements.remove(from) else { return };
        let each = known.each;
        // A move under way ends the pods of its source; what it brings to the target is the same number.
        let leaving = placed.pods() + placed.ending;
        if let Some(source) = self.clusters.get_mut(from) {
            source.release(workload, each, source.settled(workload, placed));
        }
        let Some(target) = self.clusters.get_mut(to) else { return };
        // The target of a move that is under way already holds some of the pods; they must not count twice.
        let elsewhere: u64 = known.placements.values().map(|placed| placed.pods()).sum();
        let arriving = leaving.min(known.replicas.saturating_sub(elsewhere));
        let arrived = target.admit(workload, each, arriving);
        let there = known.placements.entry(to.clone()).or_default();
        there.running += arrived;
        there.waiting += arriving - arrived;
    }

    fn scale(&mut self, workload: &WorkloadRef, cluster: &ClusterName, to: u64) {
        let Some(known) = self.workloads.get_mut(workload) else { return };
        let Some(projected) = self.clusters.get_mut(cluster) else { return };
        let there = known.placements.entry(cluster.clone()).or_default();
        *there = projected.settled(workload, *there);
        let pods = there.pods();
        if to >= pods {
            let arrived = projected.admit(workload, known.each, to - pods);
            there.running += arrived;
            there.waiting += to - pods - arrived;
            return;
        }
        // Pods without a node are the first that a scale-down removes.
        let waiting = there.waiting.min(pods - to);
        let running = pods - to - waiting;
        projected.release(workload, known.each, Placed { running, waiting, ending: 0 });
        there.running -= running;
        there.waiting -= waiting;
    }
}

impl ProjectedCluster {
    fn of(view: &ClusterView) -> Self {
        Self {
            capacity: view.capacity,
            allocated: view.allocated,
            requested: view.requested,
            autoscaled: view.autoscaled,
            pools: view.pools.clone(),
            room: view
                .nodes
                .values()
                .filter(|node| node.schedulable)
                .map(model::snapshot::NodeView::free)
                .collect(),
            waiting: BTreeMap::new(),
            displaced: 0,
        }
    }

    /// The pods of one placement, after those beyond the wanted replicas have gone: they belong to a deleted workload, to
    /// the source of a move that is done or to a rollout. Those that wait go first.
    fn stay(&mut self, name: &WorkloadRef, view: &WorkloadView, placement: &PlacementView) -> Placed {
        let pods = u64::from(placement.pods);
        let waiting = self.waiting_of(name).min(pods);
        // How many pods these kinds have follows from nodes and schedules, not from their replicas.
        let bounded = !matches!(name.kind(), WorkloadKind::DaemonSet | WorkloadKind::CronJob);
        let ending = if bounded { pods.saturating_sub(u64::from(placement.replicas)) } else { 0 };
        let unplaced = ending.min(waiting);
        let gone = Placed { running: ending - unplaced, waiting: unplaced, ending: 0 };
        self.vacate(name, view.each, gone);
        Placed { running: pods - waiting - gone.running, waiting: waiting - gone.waiting, ending }
    }

    /// Free room, one entry per node, and one per pod that left.
    pub fn room(&self) -> &[Resources] {
        &self.room
    }

    /// Pods of a workload that have no node here.
    pub fn waiting_of(&self, workload: &WorkloadRef) -> u64 {
        self.waiting.get(workload).map_or(0, |(_, count)| *count)
    }

    pub fn load(&self) -> Ratio {
        self.allocated.load_of(self.capacity)
    }

    /// What is asked for, out of what there is: above one when pods must wait.
    pub fn demand(&self) -> Ratio {
        self.requested.load_of(self.capacity)
    }

    pub fn pods_waiting(&self) -> u64 {
        self.waiting.values().map(|(_, count)| count).sum::<u64>() + self.displaced
    }

    pub fn pending_share(&self) -> Ratio {
        Ratio::of(self.pods_waiting(), self.requested.pods)
    }

    /// How many pods of this size still find a node.
    pub fn room_for(&self, each: Resources) -> u64 {
        self.room.iter().map(|room| room.how_many(each)).sum()
    }

    /// The capacity it can reach by itself: an autoscaled cluster adds nodes for pods that wait.
    pub fn reachable_capacity(&self) -> Resources {
        if !self.autoscaled {
            return self.capacity;
        }
        let growth =
            |pool: &PoolView| pool.node_capacity.times(u64::from(pool.maximum.saturating_sub(pool.nodes)));
        self.pools.values().map(growth).fold(self.capacity, |sum, more| sum + more)
    }

    /// Takes in pods of a workload; returns how many found a node. The others wait.
    fn admit(&mut self, workload: &WorkloadRef, each: Resources, count: u64) -> u64 {
        self.requested += each.times(count);
        let placed = self.place(each, count);
        if placed < count {
            self.waiting.entry(workload.clone()).or_insert((each, 0)).1 += count - placed;
        }
        placed
    }

    fn release(&mut self, workload: &WorkloadRef, each: Resources, placed: Placed) {
        self.vacate(workload, each, placed);
        self.settle();
    }

    fn vacate(&mut self, workload: &WorkloadRef, each: Resources, placed: Placed) {
        self.requested = self.requested.minus(each.times(placed.pods()));
        self.allocated = self.allocated.minus(each.times(placed.running));
        self.add_room(each, placed.running);
        if let Some((_, count)) = self.waiting.get_mut(workload) {
            *count = count.saturating_sub(placed.waiting);
        }
    }

    fn add_room(&mut self, each: Resources, count: u64) {
        self.room.extend(std::iter::repeat_n(each, count.min(MOST_ROOMS) as usize));
    }

    /// The same pods as they are now: some may have found room since they were counted.
    fn settled(&self, workload: &WorkloadRef, placed: Placed) -> Placed {
        let waiting = self.waiting_of(workload).min(placed.pods());
        Placed { running: placed.pods() - waiting, waiting, ..placed }
    }

    /// Gives waiting pods the room there is now.
    fn settle(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        for (each, count) in waiting.values_mut() {
            *count -= self.place(*each, *count);
        }
        waiting.retain(|_, (_, count)| *count > 0);
        self.waiting = waiting;
    }

    fn place(&mut self, each: Resources, count: u64) -> u64 {
        let mut left = count;
        // Comparing is much cheaper than dividing, and most rooms are full.
        for room in self.room.iter_mut().filter(|room| each.fits_in(**room)) {
            let here = room.how_many(each).min(left);
            *room = room.minus(each.times(here));
            left -= here;
            if left == 0 {
                break;
            }
        }
        self.allocated += each.times(count - left);
        count - left
    }

    fn resize(&mut self, pool: &PoolName, to: u32) {
        let Some(view) = self.pools.get_mut(pool) else { return };
        let (from, each) = (view.nodes.saturating_add(view.booting), view.node_capacity);
        // Nobody gets more nodes than the pool may have, and whoever asks for more is refused: on paper there are none of them.
        let to = to.min(view.maximum.max(from));
        // Nodes that are booting already count as there: whoever asked for them expects them.
        let arriving = u64::from(to.max(from) - view.nodes);
        let leaving = u64::from(from.saturating_sub(to));
        (view.nodes, view.booting) = (to, 0);
        self.capacity += each.times(arriving);
        self.add_room(each, arriving);
        if leaving > 0 {
            self.remove_nodes(each, leaving);
        }
        self.settle();
    }

    /// Takes the emptiest nodes away; what ran there must find room on the others.
    fn remove_nodes(&mut self, each: Resources, count: u64) {
        self.capacity = self.capacity.minus(each.times(count));
        self.room.sort_by_key(|room| room.cpu);
        for _ in 0..count {
            // A node of another, larger pool is not what leaves.
            let Some(emptiest) = self.room.iter().rposition(|room| room.fits_in(each)) else { return };
            let room = self.room.remove(emptiest);
            let displaced = each.minus(room);
            let pods = displaced.pods.max(1);
            let one = Resources::new(
                model::quantity::MilliCpu(displaced.cpu.0 / pods),
                model::quantity::Bytes(displaced.memory.0 / pods),
                1,
            );
            self.allocated = self.allocated.minus(displaced);
            self.displaced += displaced.pods - self.place(one, displaced.pods);
        }
    }
}

/// Pods without a node, per cluster and workload. A pending pod may already have its node and only be starting: then the
/// longest-pending ones are the ones that wait.
fn without_node(snapshot: &Snapshot) -> Vec<(&ClusterName, &WorkloadRef, Resources, u64)> {
    let mut pending: Vec<_> = Vec::new();
    for (name, view) in &snapshot.workloads {
        for (cluster, placement) in view.placements.iter().filter(|(_, placed)| placed.pods_pending > 0) {
            pending.push((
                cluster,
                placement.pending_since,
                name,
                view.each,
                u64::from(placement.pods_pending),
            ));
        }
    }
    pending.sort_by_key(|(cluster, since, name, ..)| (*cluster, *since, *name));
    let mut left: BTreeMap<&ClusterName, u64> = snapshot
        .clusters
        .iter()
        .map(|(name, view)| (name, view.requested.pods.saturating_sub(view.allocated.pods)))
        .collect();
    let waiting = pending.into_iter().filter_map(|(cluster, _, name, each, pods)| {
        let left = left.get_mut(cluster)?;
        let waiting = pods.min(*left);
        *left -= waiting;
        (waiting > 0).then_some((cluster, name, each, waiting))
    });
    waiting.collect()
}

#[cfg(test)]
mod tests;
