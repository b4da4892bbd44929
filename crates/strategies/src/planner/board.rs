//! The federation as the planner calculates with it: dense, cheap to copy, and after all that is already committed.

use super::PlannerConfig;
use crate::sight::Sight;
use control::projection::Projection;
use control::strategy::View;
use model::action::Action;
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName, WorkloadRef};
use model::ratio::Ratio;
use model::resources::Resources;
use model::snapshot::{PlacementView, Snapshot, WorkloadView};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What does not change while a plan is made.
pub(super) struct Board<'a> {
    pub(super) sites: Vec<Site<'a>>,
    pub(super) items: Vec<Item<'a>>,
    /// The load above which a cluster has to be relieved.
    pub(super) limit: Ratio,
}

/// One cluster.
pub(super) struct Site<'a> {
    pub(super) name: &'a ClusterName,
    pub(super) visible: bool,
    pub(super) autoscaled: bool,
    pub(super) pools: Vec<Pool<'a>>,
}

/// One node pool, nodes that are booting or committed included.
pub(super) struct Pool<'a> {
    pub(super) name: &'a PoolName,
    pub(super) nodes: u32,
    pub(super) minimum: u32,
    pub(super) maximum: u32,
    pub(super) each: Resources,
    pub(super) price: MicroDollars,
    /// Whether nodes are on their way in or out, so that nothing else may be asked of it.
    pub(super) changing: bool,
}

/// The pods of one workload in one cluster.
pub(super) struct Item<'a> {
    pub(super) name: &'a WorkloadRef,
    pub(super) site: usize,
    pub(super) each: Resources,
    /// Pods that are here now.
    pub(super) pods: u64,
    /// Pods that will be wherever it goes.
    pub(super) size: u64,
    pub(super) replicas: u32,
    pub(super) waiting: u64,
    pub(super) movable: bool,
    pub(super) priority: i32,
    pub(super) last_moved_at: Option<Timestamp>,
    pub(super) created_at: Timestamp,
    /// Where a recommendation that waits for its reviewer would bring it.
    pub(super) awaited: Option<usize>,
}

impl Item<'_> {
    pub(super) fn leaving(&self) -> Resources {
        self.each.times(self.pods)
    }

    pub(super) fn arriving(&self) -> Resources {
        self.each.times(self.size)
    }
}

impl Site<'_> {
    /// The price of its cheapest node; a cluster without pools costs nothing more.
    pub(super) fn node_price(&self) -> MicroDollars {
        self.pools.iter().map(|pool| pool.price).min().unwrap_or_default()
    }
}

/// The federation after what is committed, with the nodes that are booting counted as there: whoever asked for them
/// expects them.
pub(super) fn project(view: &View<'_>, committed: &[Action]) -> Projection {
    let mut projection = Projection::after(view.snapshot, committed);
    let arriving: Vec<Action> = projection
        .clusters
        .iter()
        .flat_map(|(cluster, projected)| {
            projected.pools.iter().map(move |(name, pool)| (cluster, name, pool))
        })
        .filter(|(_, _, pool)| pool.booting > 0)
        .map(|(cluster, name, pool)| {
            let nodes = pool.nodes + pool.booting;
            Action::ResizePool { cluster: cluster.clone(), pool: name.clone(), from: nodes, to: nodes }
        })
        .collect();
    for action in &arriving {
        projection.apply(action);
    }
    projection
}

impl<'a> Board<'a> {
    pub(super) fn of(view: &View<'a>, config: &PlannerConfig, projection: &Projection) -> Self {
        let sight = Sight::of(view);
        let names: Vec<&ClusterName> = view.snapshot.clusters.keys().collect();
        let sites = names.iter().map(|name| site(view, &sight, projection, name)).collect();
        let mut board = Self { sites, items: Vec::new(), limit: config.limit() };
        let index: BTreeMap<&ClusterName, usize> =
            names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
        let moving: BTreeSet<&WorkloadRef> = view.committed.iter().filter_map(Action::workload).collect();
        let awaited = awaited_targets(view.awaiting, &index);
        for (name, workload) in &view.snapshot.workloads {
            let rested = workload.last_moved_at.is_none_or(|at| at + config.cool_down <= view.now);
            let movable = rested && sight.may_move(name, workload);
            // Only a committed action brings pods to where the snapshot does not show them.
            let everywhere = moving.contains(name);
            let here: Vec<usize> = if everywhere {
                (0..names.len()).collect()
            } else {
                workload.placements.keys().filter_map(|cluster| index.get(cluster).copied()).collect()
            };
            for site in here {
                let cluster = names[site];
                let pods = projection.pods_in(name, cluster);
                let waiting = projection.clusters[cluster].waiting_of(name);
                let goal = awaited.get(&(name, site)).copied();
                board.add_item(name, workload, (site, cluster), (pods, waiting), (movable, goal));
            }
        }
        board
    }

    fn add_item(
        &mut self,
        name: &'a WorkloadRef,
        workload: &WorkloadView,
        (site, cluster): (usize, &ClusterName),
        (pods, waiting): (u64, u64),
        (movable, awaited): (bool, Option<usize>),
    ) {
        let placement: PlacementView = workload.placements.get(cluster).copied().unwrap_or_default();
        self.items.push(Item {
            name,
            site,
            each: workload.each,
            pods,
            size: pods.max(u64::from(placement.replicas)),
            replicas: placement.replicas,
            waiting,
            movable: movable && placement.replicas > 0 && self.sites[site].visible,
            priority: workload.priority,
            last_moved_at: workload.last_moved_at,
            created_at: workload.created_at,
            awaited,
        });
    }
}

fn site<'a>(view: &View<'a>, sight: &Sight<'_>, projection: &Projection, name: &'a ClusterName) -> Site<'a> {
    let observed = &view.snapshot.clusters[name];
    let projected = &projection.clusters[name];
    let resized = |wanted: &PoolName| {
        view.committed.iter().any(|action| {
            matches!(action, Action::ResizePool { cluster, pool, .. } if cluster == name && pool == wanted)
        })
    };
    let pools = observed.pools.iter().map(|(pool, seen)| Pool {
        name: pool,
        nodes: projected.pools[pool].nodes,
        minimum: seen.minimum,
        maximum: seen.maximum,
        each: seen.node_capacity,
        price: seen.price_per_hour,
        changing: resized(pool),
    });
    Site { name, visible: sight.sees(name), autoscaled: observed.autoscaled, pools: pools.collect() }
}

fn awaited_targets<'a>(
    awaiting: &'a [Action],
    index: &BTreeMap<&ClusterName, usize>,
) -> BTreeMap<(&'a WorkloadRef, usize), usize> {
    let targets = awaiting.iter().filter_map(|action| match action {
        Action::Migrate { workload, from, to, .. } => Some(((workload, *index.get(from)?), *index.get(to)?)),
        _ => None,
    });
    targets.collect()
}

/// Whether anything is booting, so that the present is not yet what was asked for.
pub(super) fn something_boots(snapshot: &Snapshot) -> bool {
    snapshot.clusters.values().flat_map(|cluster| cluster.pools.values()).any(|pool| pool.booting > 0)
}
