//! Finds nodes that are not needed and removes those that have not been needed for long.

use super::config::AutoscalerConfig;
use super::decisions::{Hold, Kept, Removal, RemovalReason};
use super::drain;
use super::memory::AutoscalerMemory;
use super::scratch::{Scratch, Shape};
use super::view::{ClusterView, GroupId, NodeView, PodOwner, Removing};
use crate::scheduler::{NodeId, PlacedPod, PodId};
use model::time::Timestamp;
use std::collections::BTreeMap;

/// What scale-down came to.
#[derive(Debug, Default)]
pub(super) struct ScaleDown {
    pub(super) remove: Vec<Removal>,
    pub(super) kept: Vec<(NodeId, Kept)>,
}

/// A node whose requests are low enough.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    node: NodeId,
    group: GroupId,
    ready: bool,
    utilisation: f64,
}

/// A node that can be removed as far as its pods are concerned.
#[derive(Clone, Debug)]
struct Unneeded {
    candidate: Candidate,
    since: Timestamp,
    emptied: Emptied,
}

/// What emptying a node takes.
#[derive(Clone, Debug)]
struct Emptied {
    must_drain: bool,
    /// Not all of its pods may be disrupted at once.
    is_risky: bool,
    evict: Vec<PodId>,
}

pub(super) fn scale_down<'a>(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'a>,
    memory: &mut AutoscalerMemory,
    scratch: &mut Scratch<'a>,
    held: Option<Hold>,
) -> ScaleDown {
    memory.forget_gone_nodes(now, view.nodes, config.unremovable_recheck);
    let mut outcome = ScaleDown::default();
    let mut candidates = Vec::new();
    for one in view.nodes {
        match candidate(config, view, memory, scratch, one) {
            Ok(candidate) => candidates.push(candidate),
            Err(kept) => outcome.kept.push((one.node, kept)),
        }
    }
    let unneeded = find_unneeded(now, config, view, memory, scratch, candidates, &mut outcome.kept);
    memory.unneeded_since = unneeded.iter().map(|one| (one.candidate.node, one.since)).collect();
    choose_removals(now, config, view, held, unneeded, &mut outcome);
    if !outcome.remove.is_empty() {
        memory.last_removal = Some(now);
    }
    outcome
}

/// Whether the node may be removed if its pods find another place.
fn candidate(
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    memory: &AutoscalerMemory,
    scratch: &Scratch<'_>,
    one: &NodeView,
) -> Result<Candidate, Kept> {
    let group = one.group.ok_or(Kept::NotAutoscaled)?;
    if one.removing.is_some() {
        return Err(Kept::BeingRemoved);
    }
    if view.group(group).target <= view.group(group).minimum {
        return Err(Kept::GroupAtMinimum);
    }
    if let Some(&until) = memory.unremovable_until.get(&one.node) {
        return Err(Kept::RecentlyUnremovable { until });
    }
    if one.scale_down_disabled {
        return Err(Kept::ScaleDownDisabled);
    }
    let utilisation = utilisation(config, view, scratch, one.node);
    if utilisation >= config.scale_down_below.as_f64() {
        return Err(Kept::NotUnderutilised { utilisation });
    }
    Ok(Candidate { node: one.node, group, ready: one.ready, utilisation })
}

/// The larger of requested CPU and requested memory by what is allocatable. Pods that the first part of the scan placed
/// in thought count; ignored pods count neither as requested nor as allocatable.
fn utilisation(
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    scratch: &Scratch<'_>,
    node: NodeId,
) -> f64 {
    let resources = scratch.state().node_resources(node);
    let (mut ignored_cpu, mut ignored_memory) = (0, 0);
    if config.ignore_daemons || config.ignore_mirrors {
        for &pod in view.state.pods_on(node) {
            let owner = (view.pod)(pod).owner;
            let is_ignored = (owner == PodOwner::Daemon && config.ignore_daemons)
                || (owner == PodOwner::Mirror && config.ignore_mirrors);
            if let Some(placed) = view.state.pod(pod).filter(|_| is_ignored) {
                let occupied = &view.state.template(placed.template).occupied;
                ignored_cpu += occupied.cpu;
                ignored_memory += occupied.memory;
            }
        }
    }
    let share = |requested: i64, allocatable: i64, ignored: i64| {
        let (part, whole) = (requested - ignored, allocatable - ignored);
        if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
    };
    let cpu = share(resources.requested_cpu, resources.allocatable_cpu, ignored_cpu);
    cpu.max(share(resources.requested_memory, resources.allocatable_memory, ignored_memory))
}

/// Tries to empty candidates one after another: what a successful try moved stays moved for the next.
fn find_unneeded<'a>(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'a>,
    memory: &mut AutoscalerMemory,
    scratch: &mut Scratch<'a>,
    mut candidates: Vec<Candidate>,
    kept: &mut Vec<(NodeId, Kept)>,
) -> Vec<Unneeded> {
    let is_new = |one: &Candidate| !memory.unneeded_since.contains_key(&one.node);
    let has_pods = |one: &Candidate| !drain::is_empty(config, view, scratch.state(), one.node);
    candidates.sort_by_cached_key(|one| (has_pods(one), is_new(one)));
    let limit = unneeded_limit(config, memory.unneeded_since.len());
    let mut emptying = Emptying::new(now, config, view, scratch);
    let mut unneeded = Vec::new();
    for candidate in candidates {
        let node = candidate.node;
        if unneeded.len() >= limit {
            kept.push((node, Kept::NotLookedAt));
            continue;
        }
        match emptying.empty(node) {
            Ok(emptied) => {
                let since = memory.unneeded_since.get(&node).copied().unwrap_or(now);
                unneeded.push(Unneeded { candidate, since, emptied });
            }
            Err(reason) => {
                memory.unremovable_until.insert(node, now + config.unremovable_recheck);
                kept.push((node, reason));
            }
        }
    }
    unneeded
}

/// How many unneeded nodes are worth knowing: with up to `n` removals in a scan, those known and `2 n` more, but no more
/// than can be removed while they become old enough.
fn unneeded_limit(config: &AutoscalerConfig, known: usize) -> usize {
    let n = config.max_parallel as usize;
    let interval = config.scan_interval.as_millis().max(1);
    let scans = config.unneeded_for.as_millis().max(interval) / interval;
    (known + 2 * n).min(n * scans as usize + n)
}

/// The state of emptying nodes in thought.
struct Emptying<'s, 'a> {
    now: Timestamp,
    config: &'s AutoscalerConfig,
    view: &'s ClusterView<'a>,
    scratch: &'s mut Scratch<'a>,
    /// Disruptions left to each budget.
    budgets: Vec<u32>,
    /// Where pods may go.
    places: Vec<NodeId>,
    /// Nodes without pods to move, not taken out of the copy yet: if nothing is ever moved, no copy is made.
    gone: Vec<NodeId>,
    next: usize,
}

impl<'s, 'a> Emptying<'s, 'a> {
    fn new(
        now: Timestamp,
        config: &'s AutoscalerConfig,
        view: &'s ClusterView<'a>,
        scratch: &'s mut Scratch<'a>,
    ) -> Self {
        let can_take = view.nodes.iter().filter(|one| one.ready && one.removing.is_none());
        let places = can_take.map(|one| one.node).collect();
        let budgets = view.budgets.to_vec();
        Self { now, config, view, scratch, budgets, places, gone: Vec::new(), next: 0 }
    }

    /// Takes the node out of the copy with its pods moved elsewhere, or says why it must stay.
    fn empty(&mut self, node: NodeId) -> Result<Emptied, Kept> {
        let (state, budgets) = (self.scratch.state(), &self.budgets);
        let moving = drain::pods_to_move(self.now, self.config, self.view, state, budgets, node)
            .map_err(|(pod, because)| Kept::PodBlocks { pod, because })?;
        let place = self.places.iter().position(|one| *one == node);
        if let Some(place) = place {
            self.places.remove(place);
        }
        if moving.is_empty() {
            self.gone.push(node);
            return Ok(Emptied { must_drain: false, is_risky: false, evict: moving });
        }
        for gone in std::mem::take(&mut self.gone) {
            self.scratch.change().remove_node(gone);
        }
        if let Err(pod) = self.move_all(&moving) {
            if let Some(place) = place {
                self.places.insert(place, node);
            }
            return Err(Kept::NoPlace { pod });
        }
        self.scratch.change().remove_node(node);
        let is_risky = self.charge_budgets(&moving);
        let is_really_here = |pod: &PodId| self.view.state.pod(*pod).is_some_and(|one| one.node == node);
        let evict = moving.into_iter().filter(is_really_here).collect();
        Ok(Emptied { must_drain: true, is_risky, evict })
    }

    /// Moves every pod or, if one finds no place, none.
    fn move_all(&mut self, moving: &[PodId]) -> Result<(), PodId> {
        let taken: Vec<(PodId, PlacedPod)> = moving
            .iter()
            .map(|&pod| (pod, self.scratch.change().unassign(pod).expect("a pod to move is placed")))
            .collect();
        for (count, &(pod, placed)) in taken.iter().enumerate() {
            let shape = Shape { template: placed.template, priority: placed.details.priority };
            let Ok(Some(at)) = self.scratch.first_fit(shape, &self.places, self.next) else {
                self.put_back(&taken, count);
                return Err(pod);
            };
            self.next = (at + 1) % self.places.len();
            let node = self.places[at];
            self.scratch.change().assign(pod, placed.template, node, placed.details);
        }
        Ok(())
    }

    fn put_back(&mut self, taken: &[(PodId, PlacedPod)], moved: usize) {
        for (pod, _) in &taken[..moved] {
            self.scratch.change().unassign(*pod);
        }
        for (pod, placed) in taken {
            self.scratch.change().assign(*pod, placed.template, placed.node, placed.details);
        }
    }

    /// Takes the pods' disruptions off their budgets. True if some budget does not cover all of them at once.
    fn charge_budgets(&mut self, moving: &[PodId]) -> bool {
        let mut charged = BTreeMap::new();
        let existing = moving.iter().filter(|pod| self.view.exists(**pod));
        for budget in existing.filter_map(|pod| (self.view.pod)(*pod).budget) {
            *charged.entry(budget).or_insert(0) += 1;
        }
        let mut is_risky = false;
        for (budget, count) in charged {
            let left = &mut self.budgets[budget.index()];
            is_risky |= *left < count;
            *left = left.saturating_sub(count);
        }
        is_risky
    }
}

/// Empty nodes first, nodes with pods by risk, each kind longest unneeded first, as many as may go at once.
fn choose_removals(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    held: Option<Hold>,
    mut unneeded: Vec<Unneeded>,
    outcome: &mut ScaleDown,
) {
    unneeded.sort_by_key(|one| (one.emptied.must_drain, one.emptied.is_risky, one.since));
    let under_way = |kind| view.nodes.iter().filter(|one| one.removing == Some(kind)).count() as u32;
    let (empty, draining) = (under_way(Removing::Empty), under_way(Removing::Draining));
    let mut room = config.max_parallel.saturating_sub(empty + draining);
    let mut drains = config.max_parallel_drains.saturating_sub(draining);
    let mut sizes: Vec<u32> = view.groups.iter().map(|group| group.target).collect();
    for one in unneeded {
        let Candidate { node, group, ready, utilisation } = one.candidate;
        let wait = if ready { config.unneeded_for } else { config.unready_for };
        let size = &mut sizes[group.index()];
        let kept = if one.since + wait >= now {
            Some(Kept::UnneededSince(one.since))
        } else if held.is_some() {
            Some(Kept::Held)
        } else if *size <= view.group(group).minimum {
            Some(Kept::GroupAtMinimum)
        } else {
            *size -= 1;
            let fits = room > 0 && (!one.emptied.must_drain || drains > 0);
            (!fits).then_some(Kept::Queued)
        };
        if let Some(kept) = kept {
            outcome.kept.push((node, kept));
            continue;
        }
        room -= 1;
        drains -= u32::from(one.emptied.must_drain);
        let reason = RemovalReason { utilisation, unneeded_since: one.since };
        outcome.remove.push(Removal { node, group, reason, evict: one.emptied.evict });
    }
}
