//! What the federation would look like after some actions: the arithmetic behind capacity checks and expected impact.
//!
//! It places whole pods into the free room of nodes, so it sees fragmentation that sums of free resources hide. It knows
//! only the snapshot; timing, affinity and scheduler scores are the simulator's business.

use model::action::Action;
use model::impact::{ClusterImpact, Impact};
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName, WorkloadRef};
use model::ratio::Ratio;
use model::resources::Resources;
use model::snapshot::{ClusterView, PoolView, Snapshot};
use std::collections::BTreeMap;

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
}

impl Projection {
    /// The federation as observed.
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut clusters: BTreeMap<_, _> =
            snapshot.clusters.iter().map(|(name, view)| (name.clone(), ProjectedCluster::of(view))).collect();
        for (cluster, name, each, pods) in without_node(snapshot) {
            if let Some(projected) = clusters.get_mut(cluster) {
                projected.waiting.insert(name.clone(), (each, pods));
            }
        }
        let workloads = snapshot.workloads.iter().map(|(name, view)| {
            let placed = view.placements.iter().map(|(cluster, placement)| {
                let pods = u64::from(placement.pods);
                let waiting = clusters.get(cluster).map_or(0, |projected| projected.waiting_of(name));
                (cluster.clone(), Placed { running: pods.saturating_sub(waiting), waiting })
            });
            let replicas = u64::from(view.replicas);
            (name.clone(), ProjectedWorkload { each: view.each, replicas, placements: placed.collect() })
        });
        let workloads = workloads.collect();
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
        let placed = self.workloads.get(workload).and_then(|known| known.placements.get(cluster));
        placed.map_or(0, |placed| placed.running + placed.waiting)
    }

    /// What changes between two projections.
    pub fn impact(&self, after: &Self, action: &Action) -> Impact {
        let clusters = action.clusters().into_iter().filter_map(|name| {
            let (before, after) = (self.clusters.get(name)?, after.clusters.get(name)?);
            let impact = ClusterImpact {
                load_before: before.load(),
                load_after: after.load(),
                pending_before: before.pods_waiting() as u32,
                pending_after: after.pods_waiting() as u32,
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
        let price = |pool: &PoolView| pool.price_per_hour.0 * i64::from(pool.nodes + pool.booting);
        MicroDollars(self.clusters.values().flat_map(|cluster| cluster.pools.values()).map(price).sum())
    }

    fn migrate(&mut self, workload: &WorkloadRef, from: &ClusterName, to: &ClusterName) {
        let Some(known) = self.workloads.get_mut(workload).filter(|_| from != to) else { return };
        let Some(placed) = known.placements.remove(from) else { return };
        let each = known.each;
        let leaving = placed.running + placed.waiting;
        if let Some(source) = self.clusters.get_mut(from) {
            source.release(workload, each, source.settled(workload, placed));
        }
        let Some(target) = self.clusters.get_mut(to) else { return };
        // The target of a move that is under way already holds some of the pods; they must not count twice.
        let elsewhere: u64 = known.placements.values().map(|placed| placed.running + placed.waiting).sum();
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
        let pods = there.running + there.waiting;
        if to >= pods {
            let arrived = projected.admit(workload, known.each, to - pods);
            there.running += arrived;
            there.waiting += to - pods - arrived;
            return;
        }
        // Pods without a node are the first that a scale-down removes.
        let waiting = there.waiting.min(pods - to);
        let running = pods - to - waiting;
        projected.release(workload, known.each, Placed { running, waiting });
        *there = Placed { running: there.running - running, waiting: there.waiting - waiting };
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
        self.requested = self.requested.minus(each.times(placed.running + placed.waiting));
        self.allocated = self.allocated.minus(each.times(placed.running));
        self.room.extend(std::iter::repeat_n(each, placed.running as usize));
        if let Some((_, count)) = self.waiting.get_mut(workload) {
            *count = count.saturating_sub(placed.waiting);
        }
        self.settle();
    }

    /// The same pods as they are now: some may have found room since they were counted.
    fn settled(&self, workload: &WorkloadRef, placed: Placed) -> Placed {
        let waiting = self.waiting_of(workload).min(placed.running + placed.waiting);
        Placed { running: placed.running + placed.waiting - waiting, waiting }
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
        let (from, each) = (view.nodes + view.booting, view.node_capacity);
        // Nodes that are booting already count as there: whoever asked for them expects them.
        let arriving = u64::from(to.max(from) - view.nodes);
        let leaving = u64::from(from.saturating_sub(to));
        (view.nodes, view.booting) = (to, 0);
        self.capacity += each.times(arriving);
        self.room.extend(std::iter::repeat_n(each, arriving as usize));
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
mod tests {
    use super::*;
    use model::quantity::{Bytes, MilliCpu};
    use model::snapshot::{PlacementView, WorkloadView};

    fn cores(count: u64) -> Resources {
        Resources::new(MilliCpu(count * 1_000), Bytes(count), count)
    }

    /// Two clusters of one node with four cores, and one workload of one-core pods: (running, pending) in each.
    fn snapshot(replicas: u32, placed: [(u32, u32); 2]) -> (Snapshot, WorkloadRef, [ClusterName; 2]) {
        let names = ["a", "b"].map(|name| ClusterName::new(name).unwrap());
        let workload: WorkloadRef = "default/web".parse().unwrap();
        let mut snapshot = Snapshot::default();
        let mut placements = BTreeMap::new();
        for (name, (running, pending)) in names.iter().zip(placed) {
            let (running_cores, all) = (cores(u64::from(running)), cores(u64::from(running + pending)));
            let pool = PoolName::new("nodes").unwrap();
            let node = model::snapshot::NodeView {
                pool: pool.clone(),
                capacity: cores(4),
                allocated: running_cores,
                schedulable: true,
            };
            let view = PoolView {
                nodes: 1,
                booting: 0,
                minimum: 0,
                maximum: 1,
                node_capacity: cores(4),
                price_per_hour: MicroDollars(0),
                boot_time: model::time::Period::ZERO,
            };
            let cluster = ClusterView {
                capacity: cores(4),
                allocated: running_cores,
                requested: all,
                pods_pending: pending,
                nodes: [(model::names::NodeName::new("n").unwrap(), node)].into(),
                pools: [(pool, view)].into(),
                ..ClusterView::default()
            };
            snapshot.clusters.insert(name.clone(), cluster);
            let pods = running + pending;
            let placement =
                PlacementView { replicas: pods, pods, pods_pending: pending, ..PlacementView::default() };
            if pods > 0 {
                placements.insert(name.clone(), placement);
            }
        }
        let view = WorkloadView {
            each: cores(1),
            replicas,
            placements,
            priority: 0,
            movable: true,
            moving: false,
            created_at: model::time::Timestamp::EPOCH,
            last_moved_at: None,
        };
        snapshot.workloads.insert(workload.clone(), view);
        (snapshot, workload, names)
    }

    #[test]
    fn a_move_under_way_does_not_count_its_pods_twice() {
        let check = |replicas: u32, placed: [(u32, u32); 2], there: u64| {
            let (snapshot, workload, [from, to]) = snapshot(replicas, placed);
            let action = Action::Migrate {
                workload: workload.clone(),
                from: from.clone(),
                to: to.clone(),
                replicas: placed[0].0,
            };
            let after = Projection::after(&snapshot, [&action]);
            assert_eq!((after.pods_in(&workload, &from), after.pods_in(&workload, &to)), (0, there));
            assert_eq!(after.clusters[&to].requested.pods, there);
        };
        check(2, [(2, 0), (0, 0)], 2);
        check(2, [(2, 0), (2, 0)], 2);
        check(3, [(3, 0), (1, 0)], 3);
        check(4, [(2, 0), (2, 0)], 4);
    }

    #[test]
    fn a_pending_pod_that_has_its_node_does_not_wait() {
        let (mut snapshot, workload, [from, _]) = snapshot(4, [(2, 2), (0, 0)]);
        assert_eq!(Projection::of(&snapshot).clusters[&from].waiting_of(&workload), 2);
        snapshot.clusters.get_mut(&from).unwrap().allocated = cores(4);
        assert_eq!(Projection::of(&snapshot).clusters[&from].waiting_of(&workload), 0);
    }

    #[test]
    fn pods_that_lose_their_node_and_find_no_other_wait() {
        let (snapshot, _, [from, _]) = snapshot(3, [(3, 0), (0, 0)]);
        let pool = PoolName::new("nodes").unwrap();
        let action = Action::ResizePool { cluster: from.clone(), pool, from: 1, to: 0 };
        assert_eq!(Projection::after(&snapshot, [&action]).clusters[&from].pods_waiting(), 3);
    }
}
