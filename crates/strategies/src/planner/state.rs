//! One way things could go: which workloads moved, which pools grew, and what every cluster then looks like.

use super::board::{Board, Item};
use control::projection::Projection;
use model::ratio::Ratio;
use model::resources::Resources;

/// Steps of backtracking allowed beyond one per workload when targets are chosen.
const SPARE_STEPS: usize = 500;

#[derive(Clone)]
pub(super) struct State<'b, 'a> {
    pub(super) board: &'b Board<'a>,
    pub(super) yards: Vec<Yard>,
    /// Pods of each item that find no node where it is.
    stuck: Vec<u64>,
    moved: Vec<bool>,
    pub(super) moves: Vec<Relocation>,
    pub(super) grown: Vec<Growth>,
}

/// What changes about a cluster.
#[derive(Clone)]
pub(super) struct Yard {
    pub(super) capacity: Resources,
    /// The capacity it can reach by itself.
    pub(super) ceiling: Resources,
    pub(super) requested: Resources,
    /// Free room per node once the waiting pods that fit have taken theirs.
    pub(super) room: Vec<Resources>,
    /// The same before they have.
    untaken: Vec<Resources>,
    /// Items with pods that wait, whether or not they fit; largest pods first.
    waiting: Vec<usize>,
    /// Items with pods that find no node, largest pods first.
    queue: Vec<usize>,
    /// Whether something leaves it in this plan, so that nothing is sent there.
    sheds: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relocation {
    pub(super) item: usize,
    pub(super) to: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    pub(super) site: usize,
    pub(super) pool: usize,
    pub(super) nodes: u32,
}

/// How full a target may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// Within the limit on the nodes there are.
    WithinLimit,
    /// Within the limit on the nodes it can reach by itself: for pods that run nowhere else.
    WithinReach,
}

/// How good a state is; less is better, in this order.
pub(super) type Score = (u64, usize, usize, u64);

impl<'b, 'a> State<'b, 'a> {
    pub(super) fn of(board: &'b Board<'a>, projection: &Projection) -> Self {
        let yards = board.sites.iter().map(|site| {
            let projected = &projection.clusters[site.name];
            Yard {
                capacity: projected.capacity,
                ceiling: projected.reachable_capacity(),
                requested: projected.requested,
                room: projected.room().to_vec(),
                untaken: projected.room().to_vec(),
                waiting: Vec::new(),
                queue: Vec::new(),
                sheds: false,
            }
        });
        let mut state = Self {
            board,
            yards: yards.collect(),
            stuck: board.items.iter().map(|item| item.waiting).collect(),
            moved: vec![false; board.items.len()],
            moves: Vec::new(),
            grown: Vec::new(),
        };
        state.queue_up();
        state
    }

    fn queue_up(&mut self) {
        for (index, item) in self.board.items.iter().enumerate().filter(|(_, item)| item.waiting > 0) {
            self.yards[item.site].waiting.push(index);
        }
        for site in 0..self.yards.len() {
            let items = &self.board.items;
            let size = |index: &usize| (items[*index].each.cpu, items[*index].each.memory);
            let yard = &mut self.yards[site];
            yard.waiting.sort_by_key(|index| (std::cmp::Reverse(size(index)), *index));
            yard.queue.clone_from(&yard.waiting);
            self.settle(site);
        }
    }

    pub(super) fn sites(&self) -> impl Iterator<Item = usize> + use<'b, 'a> {
        let board = self.board;
        (0..board.sites.len()).filter(|site| board.sites[*site].visible)
    }

    pub(super) fn allowed(&self, site: usize) -> Resources {
        self.yards[site].capacity.share(self.board.limit)
    }

    /// CPU and memory that must leave for the cluster to be within its limit.
    pub(super) fn excess(&self, site: usize) -> Resources {
        self.yards[site].requested.minus(self.allowed(site))
    }

    pub(super) fn is_over(&self, site: usize) -> bool {
        let excess = self.excess(site);
        excess.cpu.0 > 0 || excess.memory.0 > 0
    }

    pub(super) fn stuck_at(&self, site: usize) -> u64 {
        self.yards[site].queue.iter().map(|item| self.stuck[*item]).sum()
    }

    pub(super) fn stuck(&self) -> u64 {
        self.sites().map(|site| self.stuck_at(site)).sum()
    }

    pub(super) fn demand(&self, site: usize) -> Ratio {
        self.yards[site].requested.load_of(self.yards[site].capacity)
    }

    /// Clusters that are over the limit or have pods that find no node; the least over first.
    pub(super) fn troubled(&self) -> Vec<usize> {
        let mut sites: Vec<usize> =
            self.sites().filter(|site| self.is_over(*site) || self.stuck_at(*site) > 0).collect();
        sites.sort_by_key(|site| (self.demand(*site), *site));
        sites
    }

    pub(super) fn score(&self) -> Score {
        let over = self.sites().filter(|site| self.is_over(*site)).count();
        let pods = self.moves.iter().map(|relocation| self.board.items[relocation.item].pods).sum();
        (self.stuck(), over, self.moves.len(), pods)
    }

    /// Items that may still leave a cluster.
    pub(super) fn movable_at(&self, site: usize) -> Vec<usize> {
        let items = self.board.items.iter().enumerate();
        let here = items.filter(|(index, item)| item.site == site && item.movable && !self.moved[*index]);
        here.map(|(index, _)| index).collect()
    }

    /// Movable items with pods that find no node here, the most such pods first.
    pub(super) fn stuck_items(&self, site: usize) -> Vec<usize> {
        let queue = self.yards[site].queue.iter().copied();
        let mut items: Vec<usize> =
            queue.filter(|index| self.board.items[*index].movable && !self.moved[*index]).collect();
        items.sort_by_key(|index| {
            let item = &self.board.items[*index];
            (std::cmp::Reverse(self.stuck[*index]), preference(item), *index)
        });
        items
    }

    pub(super) fn stuck_of(&self, item: usize) -> u64 {
        self.stuck[item]
    }

    pub(super) fn largest_stuck(&self, site: usize) -> Option<Resources> {
        self.yards[site].queue.first().map(|item| self.board.items[*item].each)
    }

    /// Lets items of one cluster leave it together.
    pub(super) fn leave(&mut self, site: usize, leavers: &[usize]) {
        let Self { yards, stuck, moved, board, .. } = self;
        let yard = &mut yards[site];
        let mut anew = false;
        for index in leavers {
            let item = &board.items[*index];
            yard.requested = yard.requested.minus(item.leaving());
            let holes = std::iter::repeat_n(item.each, (item.pods - item.waiting.min(item.pods)) as usize);
            yard.room.extend(holes.clone());
            yard.untaken.extend(holes);
            anew |= stuck[*index] < item.waiting;
            (moved[*index], stuck[*index]) = (true, 0);
        }
        yard.sheds |= !leavers.is_empty();
        yard.queue.retain(|waiting| !moved[*waiting]);
        yard.waiting.retain(|waiting| !moved[*waiting]);
        if anew {
            // Pods that left had been given room that others may use better: all who wait are placed anew.
            yard.room.clone_from(&yard.untaken);
            yard.queue.clone_from(&yard.waiting);
            yard.queue.iter().for_each(|waiting| stuck[*waiting] = board.items[*waiting].waiting);
        }
        self.settle(site);
    }

    fn arrive(&mut self, index: usize, to: usize) {
        let item = &self.board.items[index];
        let yard = &mut self.yards[to];
        yard.requested += item.arriving();
        place(&mut yard.room, item.each, item.size);
        place(&mut yard.untaken, item.each, item.size);
        self.moves.push(Relocation { item: index, to });
    }

    /// Lets clusters that were relieved take something in; says whether there are any.
    pub(super) fn accept_again(&mut self) -> bool {
        let any = self.yards.iter().any(|yard| yard.sheds);
        self.yards.iter_mut().for_each(|yard| yard.sheds = false);
        any
    }

    /// Whether the other clusters together have the room that these must get rid of.
    pub(super) fn could_relieve(&self, sites: &[usize]) -> bool {
        let nothing = Resources::default();
        let excess = sites.iter().map(|site| self.excess(*site)).fold(nothing, |sum, more| sum + more);
        let others = self.sites().filter(|site| !self.yards[*site].sheds && !sites.contains(site));
        let offered = others.map(|site| self.free(site)).fold(nothing, |sum, more| sum + more);
        excess.cpu <= offered.cpu && excess.memory <= offered.memory
    }

    /// What may still be requested within the limit.
    fn free(&self, site: usize) -> Resources {
        self.allowed(site).minus(self.yards[site].requested)
    }

    pub(super) fn grow(&mut self, growth: Growth) {
        let site = &self.board.sites[growth.site];
        let node = site.pools[growth.pool].each;
        let yard = &mut self.yards[growth.site];
        yard.capacity += node.times(u64::from(growth.nodes));
        if !site.autoscaled {
            yard.ceiling = yard.capacity;
        }
        yard.room.extend(std::iter::repeat_n(node, growth.nodes as usize));
        yard.untaken.extend(std::iter::repeat_n(node, growth.nodes as usize));
        self.settle(growth.site);
        self.grown.push(growth);
    }

    /// Gives pods without a node the room there is.
    fn settle(&mut self, site: usize) {
        let Self { board, yards, stuck, .. } = self;
        let yard = &mut yards[site];
        for index in &yard.queue {
            stuck[*index] -= place(&mut yard.room, board.items[*index].each, stuck[*index]);
        }
        yard.queue.retain(|index| stuck[*index] > 0);
    }

    /// Sends one item away if a target takes it.
    pub(super) fn send(&mut self, index: usize, admission: Admission) -> bool {
        let Some(to) = self.targets(index, admission).first().copied() else { return false };
        self.leave(self.board.items[index].site, &[index]);
        self.arrive(index, to);
        true
    }

    /// Gives every leaver a target, or changes nothing of use and says so.
    pub(super) fn assign(&mut self, leavers: &[usize]) -> bool {
        if !self.could_take(leavers) {
            return false;
        }
        let mut steps = leavers.len() + SPARE_STEPS;
        self.assign_from(leavers, &mut steps)
    }

    /// Depth first: the first way down is the greedy one, and only a dead end makes it turn back.
    fn assign_from(&mut self, leavers: &[usize], steps: &mut usize) -> bool {
        let Some((first, rest)) = leavers.split_first() else { return true };
        for to in self.targets(*first, Admission::WithinLimit) {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            let before = self.yards[to].clone();
            self.arrive(*first, to);
            if self.assign_from(rest, steps) {
                return true;
            }
            self.yards[to] = before;
            self.moves.pop();
        }
        false
    }

    /// Whether all targets together have what all leavers together need.
    fn could_take(&self, leavers: &[usize]) -> bool {
        let targets = self.sites().filter(|site| !self.yards[*site].sheds);
        let offered = targets.map(|site| self.free(site)).fold(Resources::default(), |sum, more| sum + more);
        let items = leavers.iter().map(|index| self.board.items[*index].arriving());
        let needed = items.fold(Resources::default(), |sum, more| sum + more);
        needed.cpu <= offered.cpu && needed.memory <= offered.memory
    }

    /// Clusters that can take an item, the best first: where it is already asked to go, then without breaking the limit,
    /// then the cheaper node, then the emptier cluster.
    fn targets(&self, index: usize, admission: Admission) -> Vec<usize> {
        let item = &self.board.items[index];
        let mut targets: Vec<_> = self
            .sites()
            .filter(|site| self.takes(index, *site, admission).is_ok())
            .map(|site| {
                let after = self.yards[site].requested + item.arriving();
                let awaited = item.awaited == Some(site);
                let load = after.load_of(self.yards[site].capacity);
                (
                    !awaited,
                    !within(after, self.allowed(site)),
                    self.board.sites[site].node_price(),
                    load,
                    site,
                )
            })
            .collect();
        targets.sort_unstable();
        targets.into_iter().map(|(.., site)| site).collect()
    }

    /// Whether a cluster can take an item, or why not.
    pub(super) fn takes(&self, index: usize, to: usize, admission: Admission) -> Result<(), Obstacle> {
        let item = &self.board.items[index];
        let yard = &self.yards[to];
        if to == item.site || yard.sheds || !yard.queue.is_empty() {
            return Err(Obstacle::Troubled);
        }
        let basis = match admission {
            Admission::WithinLimit => yard.capacity,
            Admission::WithinReach => yard.ceiling,
        };
        let after = yard.requested + item.arriving();
        if !within(after, basis.share(self.board.limit)) {
            return Err(Obstacle::Load(after.load_of(basis)));
        }
        let mut room = 0_u64;
        for node in yard.room.iter().filter(|node| item.each.fits_in(**node)) {
            room = room.saturating_add(node.how_many(item.each));
            if room >= item.size {
                return Ok(());
            }
        }
        if room < item.size { Err(Obstacle::Room(room)) } else { Ok(()) }
    }
}

/// Why a cluster is no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// It is to be relieved itself.
    Troubled,
    /// It would reach this load.
    Load(Ratio),
    /// Its nodes have room for only so many pods.
    Room(u64),
}

/// Pod slots are the nodes' business, not the load limit's.
fn within(used: Resources, allowed: Resources) -> bool {
    used.cpu <= allowed.cpu && used.memory <= allowed.memory
}

/// Who leaves first among equals: what already waits for a reviewer, what disturbs least, what matters least, and what
/// has not moved for the longest time.
pub(super) fn preference<'a>(item: &Item<'a>) -> impl Ord + use<'a> {
    let running = item.pods - item.waiting.min(item.pods);
    let fresh = item.awaited.is_none();
    (fresh, running, item.priority, item.last_moved_at, item.created_at, item.name)
}

/// First fit, node by node, as the projection of the guardrails does it.
fn place(room: &mut [Resources], each: Resources, count: u64) -> u64 {
    let mut left = count;
    for node in room {
        if left == 0 {
            break;
        }
        // Comparing is much cheaper than dividing, and most nodes are full.
        if !each.fits_in(*node) {
            continue;
        }
        let here = node.how_many(each).min(left);
        *node = node.minus(each.times(here));
        left -= here;
    }
    count - left
}
