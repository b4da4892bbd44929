//! Which nodes nobody needs: the fewest nodes with which a cluster stays within its limit and every pod keeps a node.

use super::state::State;
use control::projection::Projection;
use control::strategy::View;
use model::action::Action;
use model::names::{ClusterName, PoolName};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::resources::Resources;
use model::snapshot::Snapshot;
use model::time::Timestamp;

/// A pool with more nodes than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spare {
    pub(super) site: usize,
    pub(super) pool: usize,
    pub(super) to: u32,
}

/// A node that could stay or go.
struct Stock<'a> {
    pool: &'a PoolName,
    free: Resources,
    pods: u64,
}

/// Pools that could be smaller, cluster by cluster, the dearest nodes first.
pub(super) fn spare_nodes(view: &View<'_>, state: &State<'_, '_>, shrink_below: Ratio) -> Vec<Spare> {
    let limit = shrink_below.min(state.board.limit);
    // A cluster in trouble needs what the others have to spare.
    if !state.troubled().is_empty() {
        return Vec::new();
    }
    state.sites().flat_map(|site| spare_in(view, state, site, limit)).collect()
}

/// Since when, as far as the observations go back without a break, the cluster could have done with `to` nodes.
pub(super) fn spare_since(
    view: &View<'_>,
    cluster: &ClusterName,
    pool: &PoolName,
    to: u32,
    limit: Ratio,
) -> Timestamp {
    let suffices = |snapshot: &Snapshot| {
        let Some(projected) = Projection::of(snapshot).clusters.remove(cluster) else { return false };
        let Some(nodes) = projected.pools.get(pool).filter(|pool| pool.nodes >= to) else { return false };
        let rest =
            projected.capacity.minus(nodes.node_capacity.times(u64::from(nodes.nodes - to))).share(limit);
        let within = projected.requested.cpu <= rest.cpu && projected.requested.memory <= rest.memory;
        within && projected.pods_waiting() == 0
    };
    let recent = view.history.iter().rev().take_while(|snapshot| suffices(snapshot));
    recent.last().map_or(view.now, |oldest| oldest.taken_at)
}

fn spare_in(view: &View<'_>, state: &State<'_, '_>, site: usize, limit: Ratio) -> Vec<Spare> {
    let place = &state.board.sites[site];
    let observed = &view.snapshot.clusters[place.name];
    let expects = |action: &Action| matches!(action, Action::Migrate { to, .. } | Action::Scale { cluster: to, .. } if to == place.name);
    let receives = state.moves.iter().any(|relocation| relocation.to == site);
    let grows = state.grown.iter().any(|growth| growth.site == site);
    if receives || grows || observed.pods_pending > 0 || view.committed.iter().any(expects) {
        return Vec::new();
    }
    let nodes = observed.nodes.values().filter(|node| node.schedulable);
    let mut stock: Vec<Stock<'_>> =
        nodes.map(|node| Stock { pool: &node.pool, free: node.free(), pods: node.allocated.pods }).collect();
    // The emptiest nodes are the first to go.
    stock.sort_by_key(|node| std::cmp::Reverse((node.free.cpu, node.free.memory)));
    let (requested, mut capacity) = (state.yards[site].requested, state.yards[site].capacity);
    let pod = largest_pod(state, site);
    let mut order: Vec<usize> = (0..place.pools.len()).collect();
    order.sort_by_key(|pool| std::cmp::Reverse(place.pools[*pool].price));
    let mut spare = Vec::new();
    for pool in order {
        let view = &place.pools[pool];
        let booting = observed.pools[view.name].booting > 0;
        if view.changing || booting || view.nodes <= view.minimum {
            continue;
        }
        let suffices = |count: &u32| {
            let rest = capacity.minus(view.each.times(u64::from(*count))).share(limit);
            let within = requested.cpu <= rest.cpu && requested.memory <= rest.memory;
            within && others_take_over(&stock, view.name, *count as usize, pod)
        };
        let Some(count) = (1..=view.nodes - view.minimum).rev().find(suffices) else { continue };
        capacity = capacity.minus(view.each.times(u64::from(count)));
        remove(&mut stock, view.name, count as usize);
        spare.push(Spare { site, pool, to: view.nodes - count });
    }
    spare
}

/// Whether the pods of the nodes that go find room on those that stay, counting every pod as the largest one: it is not
/// known which pod runs where.
fn others_take_over(stock: &[Stock<'_>], pool: &PoolName, count: usize, pod: Resources) -> bool {
    let (mut left, mut displaced, mut room) = (count, 0_u64, 0_u64);
    for node in stock {
        if left > 0 && node.pool == pool {
            left -= 1;
            displaced += node.pods;
        } else {
            room = room.saturating_add(node.free.how_many(pod));
        }
    }
    left == 0 && displaced <= room
}

/// What stays is treated as it is: where the displaced pods go is the scheduler's choice, so one pool of a cluster that
/// displaces pods keeps the others from shrinking on the same room.
fn remove(stock: &mut Vec<Stock<'_>>, pool: &PoolName, count: usize) {
    let (mut left, mut displaced) = (count, 0);
    stock.retain(|node| {
        let goes = left > 0 && node.pool == pool;
        left -= usize::from(goes);
        displaced += if goes { node.pods } else { 0 };
        !goes
    });
    if displaced > 0 {
        for node in stock.iter_mut() {
            node.free = Resources::default();
        }
    }
}

fn largest_pod(state: &State<'_, '_>, site: usize) -> Resources {
    let here = state.board.items.iter().filter(|item| item.site == site && item.pods > 0);
    let none = Resources::new(MilliCpu::ZERO, Bytes::ZERO, 1);
    here.map(|item| item.each).fold(none, |largest, each| {
        Resources::new(largest.cpu.max(each.cpu), largest.memory.max(each.memory), 1)
    })
}
