//! Our own strategy: the fewest, then cheapest moves and node changes that bring all clusters within their limits.
//!
//! It calculates on the federation as it will be once everything committed has happened. Its order of aims: every pod
//! has a node; no more nodes than that takes; every cluster is within its limit; the fewest moves; the fewest pods moved;
//! the least disturbance. Nodes for load alone are asked for only when the overload lasts, and are given back when they
//! have not been needed for a while.

mod board;
mod cover;
mod explain;
#[cfg(test)]
mod properties;
mod search;
mod shrink;
mod state;
#[cfg(test)]
mod tests;

use crate::limits::{MAX_LOAD, MAX_PENDING, Share};
use crate::sight::Sight;
use board::Board;
use control::projection::{ProjectedCluster, Projection};
use control::strategy::{Decision, HoldReason, Strategy, View};
use model::action::Action;
use model::document::Refusal;
use model::names::{ClusterName, PoolName};
use model::ratio::Ratio;
use model::recommendation::Draft;
use model::resources::Resources;
use model::time::{Period, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shrink::Spare;
use state::State;
use std::collections::BTreeMap;

/// The limits and the patience of the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlannerConfig {
    /// The highest share of a cluster's CPU and of its memory that its pods may request, waiting ones included.
    pub max_load: Share,
    /// The highest share of a cluster's pods that may be pending where workloads are sent.
    pub max_pending: Share,
    /// A margin: clusters are kept this much below `max_load`.
    pub headroom: Share,
    /// When to ask for more nodes.
    pub grow: GrowPolicy,
    /// The longest time that load alone may stay above the limit before nodes are asked for.
    pub patience: Period,
    /// Whether to give back nodes that are not needed.
    pub shrink: bool,
    /// Nodes are given back only if the load then is at most this.
    pub shrink_below: Share,
    /// The longest time that nodes may be idle before they are given back.
    pub shrink_patience: Period,
    /// A workload that moved is left where it is for this long.
    pub cool_down: Period,
}

/// When to ask for more nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrowPolicy {
    /// Never; an autoscaled cluster may still grow by itself for pods that are sent there.
    Never,
    /// Only for pods that would run nowhere else.
    ForPending,
    /// Also when the load has been above its limit for longer than the patience.
    ForLimits,
}

impl Default for PlannerConfig {
    fn default() -> Self {
        Self {
            max_load: MAX_LOAD,
            max_pending: MAX_PENDING,
            headroom: Share::ZERO,
            grow: GrowPolicy::ForLimits,
            // A node hour is bought for at least as long as this; a shorter peak is over before the nodes are paid off.
            patience: Period::from_minutes(5),
            shrink: true,
            shrink_below: MAX_LOAD,
            // One interval of WASP's monitor: long enough not to react to a single sample.
            shrink_patience: Period::from_secs(30),
            // The guardrails' usual cool-down; a shorter one here would only have drafts refused.
            cool_down: Period::from_minutes(10),
        }
    }
}

impl PlannerConfig {
    /// The load above which a cluster is relieved.
    fn limit(&self) -> Ratio {
        self.max_load.minus(self.headroom).ratio()
    }

    /// Whether the parameters make sense together.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.limit() > Ratio::ZERO {
            return Ok(());
        }
        let (headroom, max_load) = (self.headroom.ratio().as_f64(), self.max_load.ratio().as_f64());
        let refusal = Refusal::new(format!("headroom {headroom} leaves nothing of max_load {max_load}"));
        Err(refusal.propose(match self.max_load.ratio() {
            Ratio::ZERO => "write for instance max_load: 0.8".to_owned(),
            _ => format!("write a headroom below {max_load}, for instance headroom: {}", max_load / 8.0),
        }))
    }
}

/// The strategy, with what it remembers between decisions: since when something has been so.
pub struct Planner {
    config: PlannerConfig,
    over_since: BTreeMap<ClusterName, Timestamp>,
    spare_since: BTreeMap<(ClusterName, PoolName), Timestamp>,
}

/// The same as plain data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    over_since: BTreeMap<ClusterName, Timestamp>,
    spare_since: Vec<(ClusterName, PoolName, Timestamp)>,
}

impl Strategy for Planner {
    fn memory(&self) -> Option<Value> {
        let spare = |((cluster, pool), since): (&(ClusterName, PoolName), &Timestamp)| {
            (cluster.clone(), pool.clone(), *since)
        };
        let spare_since = self.spare_since.iter().map(spare).collect();
        serde_json::to_value(Memory { over_since: self.over_since.clone(), spare_since }).ok()
    }

    fn recall(&mut self, memory: Value) -> bool {
        let Ok(Memory { over_since, spare_since }) = serde_json::from_value(memory) else { return false };
        self.over_since = over_since;
        self.spare_since =
            spare_since.into_iter().map(|(cluster, pool, since)| ((cluster, pool), since)).collect();
        true
    }

    fn decide(&mut self, view: &View<'_>) -> Decision {
        let projection = board::project(view, view.committed);
        let board = Board::of(view, &self.config, &projection);
        let start = State::of(&board, &projection);
        self.watch_load(view.now, &start);
        let moved = start.with_best_moves();
        let growable = self.growable(&start);
        let planned = self.grown(view.now, &start, &moved, &growable);
        let mut drafts = explain::drafts(&start, &moved, &planned, self.config.grow != GrowPolicy::Never);
        for spare in self.ripe_for_shrinking(view, &planned) {
            drafts.push(explain::shrink_draft(&planned, spare));
        }
        let drafts = self.allowed(view, drafts);
        let can_grow = !growable.is_empty();
        let shortfall =
            explain::Shortfall { moved: &moved, planned: &planned, planner: self, can_grow, now: view.now };
        let unmet = shortfall.unmet();
        let otherwise = self.why_hold(view, &start);
        Decision::recommend(drafts, otherwise).with_unmet(unmet)
    }
}

impl Planner {
    pub const fn new(config: PlannerConfig) -> Self {
        Self { config, over_since: BTreeMap::new(), spare_since: BTreeMap::new() }
    }

    fn watch_load(&mut self, now: Timestamp, state: &State<'_, '_>) {
        let over: Vec<&ClusterName> = state
            .sites()
            .filter(|site| state.is_over(*site))
            .map(|site| state.board.sites[site].name)
            .collect();
        self.over_since.retain(|name, _| over.contains(&name));
        for name in over {
            self.over_since.entry(name.clone()).or_insert(now);
        }
    }

    /// How long a cluster has been above its limit.
    fn overload_of(&self, cluster: &ClusterName, now: Timestamp) -> Period {
        self.over_since.get(cluster).map_or(Period::ZERO, |since| now.since(*since))
    }

    /// Pools that may get more nodes. When nodes are never asked for, those that an autoscaler grows.
    fn growable(&self, state: &State<'_, '_>) -> Vec<(usize, usize)> {
        let mut pools = Vec::new();
        for site in state.sites() {
            let place = &state.board.sites[site];
            let by_itself = self.config.grow != GrowPolicy::Never || place.autoscaled;
            for (index, pool) in place.pools.iter().enumerate().filter(|_| by_itself) {
                if pool.nodes < pool.maximum && !pool.changing {
                    pools.push((site, index));
                }
            }
        }
        pools
    }

    /// The plan with the nodes that are to be asked for, if moving alone is not enough and they are due.
    fn grown<'b, 'a>(
        &self,
        now: Timestamp,
        start: &State<'b, 'a>,
        moved: &State<'b, 'a>,
        growable: &[(usize, usize)],
    ) -> State<'b, 'a> {
        let lasting = |site: &usize| {
            start.is_over(*site)
                && self.overload_of(start.board.sites[*site].name, now) >= self.config.patience
        };
        let due = self.config.grow == GrowPolicy::ForLimits && start.sites().any(|site| lasting(&site));
        if !due {
            return start.with_growth(moved, growable, |state| (state.stuck(), state.stuck() == 0));
        }
        start.with_growth(moved, growable, |state| {
            let concern = |site: &usize| lasting(site) || !start.is_over(*site);
            let over = state.sites().filter(|site| concern(site) && state.is_over(*site)).count();
            ((state.stuck(), over), state.stuck() == 0 && over == 0)
        })
    }

    fn ripe_for_shrinking(&mut self, view: &View<'_>, planned: &State<'_, '_>) -> Vec<Spare> {
        if !self.config.shrink {
            return Vec::new();
        }
        let spare = shrink::spare_nodes(view, planned, self.config.shrink_below.ratio());
        let key = |spare: &Spare| {
            let site = &planned.board.sites[spare.site];
            (site.name.clone(), site.pools[spare.pool].name.clone())
        };
        let keys: Vec<_> = spare.iter().map(key).collect();
        self.spare_since.retain(|known, _| keys.contains(known));
        let limit = self.config.shrink_below.ratio().min(planned.board.limit);
        let ripe = |(spare, key): (Spare, (ClusterName, PoolName))| {
            let seen = || shrink::spare_since(view, &key.0, &key.1, spare.to, limit);
            let since = *self.spare_since.entry(key.clone()).or_insert_with(seen);
            (view.now.since(since) >= self.config.shrink_patience).then_some(spare)
        };
        spare.into_iter().zip(keys).filter_map(ripe).collect()
    }

    fn why_hold(&self, view: &View<'_>, start: &State<'_, '_>) -> HoldReason {
        let sight = Sight::of(view);
        let troubled = start.troubled();
        if !troubled.is_empty() {
            return sight.nothing_possible(troubled.iter().any(|site| !start.movable_at(*site).is_empty()));
        }
        if !view.committed.is_empty() || board::something_boots(view.snapshot) {
            let observed = Projection::of(view.snapshot);
            let board = Board::of(view, &self.config, &observed);
            if !State::of(&board, &observed).troubled().is_empty() {
                return HoldReason::UnderWay { actions: view.committed.len() as u32 };
            }
        }
        sight.nothing_wrong()
    }

    /// Leaves out what the guardrails would refuse: they calculate on the present, in which nodes still boot and waiting
    /// pods may be packed otherwise.
    fn allowed(&self, view: &View<'_>, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut projection = Projection::after(view.snapshot, view.committed);
        let mut kept = Vec::new();
        for draft in drafts {
            let holds = match &draft.action {
                Action::Migrate { workload, from, to, .. } => {
                    let each = view.snapshot.workloads[workload].each;
                    let pods = projection.pods_in(workload, from);
                    self.holds(&projection.clusters[to], each.times(pods), pods, each)
                }
                Action::ResizePool { cluster, from, to, .. } if to < from => {
                    let mut after = projection.clone();
                    after.apply(&draft.action);
                    let (before, after) = (&projection.clusters[cluster], &after.clusters[cluster]);
                    after.pods_waiting() <= before.pods_waiting()
                        && self.holds(
                            after,
                            Resources::default(),
                            0,
                            Resources { pods: 1, ..Resources::default() },
                        )
                }
                _ => true,
            };
            if holds {
                projection.apply(&draft.action);
                kept.push(draft);
            }
        }
        kept
    }

    /// Whether a cluster keeps its limits with so many more pods.
    fn holds(&self, cluster: &ProjectedCluster, more: Resources, pods: u64, each: Resources) -> bool {
        let (requested, reachable) = (cluster.requested + more, cluster.reachable_capacity());
        let waiting = pods.saturating_sub(cluster.room_for(each));
        let share = Ratio::of(cluster.pods_waiting() + waiting, requested.pods);
        let grows = cluster.autoscaled && requested.fits_in(reachable);
        (grows || waiting == 0)
            && requested.load_of(reachable) <= self.config.max_load.ratio()
            && (cluster.autoscaled || share <= self.config.max_pending.ratio())
    }
}
