//! Finds pods that no node will take and orders nodes for them.

use super::config::AutoscalerConfig;
use super::decisions::{GroupRefusal, Increase, IncreaseReason, NoHelp, PendingOutcome};
use super::drain;
use super::estimate::{Estimate, Waiting, estimate};
use super::expander::{Comparison, ExpansionOption, choose};
use super::memory::{AutoscalerMemory, is_overdue};
use super::scratch::{Scratch, Shape};
use super::view::{ClusterView, GroupId, GroupView, Removing};
use crate::scheduler::NodeId;
use model::time::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What scale-up came to.
#[derive(Debug, Default)]
pub(super) struct ScaleUp {
    pub(super) increase: Option<Increase>,
    pub(super) pending: Vec<PendingOutcome>,
    /// Pods are so new that nothing should be removed before they were looked at.
    pub(super) awaits_more_pods: bool,
}

/// Pods that want a node, and what is known about them so far.
#[derive(Clone, Debug)]
struct Wanting {
    /// The place in the view's pending pods; nothing for pods that a drain will set free.
    pending: Option<usize>,
    waiting: Waiting,
    oldest: Timestamp,
    fit_already: u32,
    helped: u32,
    reason: Option<NoHelp>,
}

/// What every step reads.
#[derive(Clone, Copy)]
struct Round<'r, 'v> {
    now: Timestamp,
    config: &'r AutoscalerConfig,
    view: &'r ClusterView<'v>,
    memory: &'r AutoscalerMemory,
}

/// How one group could help.
struct GroupOffer {
    group: GroupId,
    /// By wanting pods.
    refusals: Vec<Option<GroupRefusal>>,
    estimate: Option<Estimate>,
}

pub(super) fn scale_up(
    now: Timestamp,
    config: &AutoscalerConfig,
    view: &ClusterView<'_>,
    memory: &AutoscalerMemory,
    scratch: &mut Scratch<'_>,
    below: &mut dyn FnMut(u64) -> u64,
) -> ScaleUp {
    let round = Round { now, config, view, memory };
    let mut wanting = collect(config, view);
    if wanting.is_empty() {
        return ScaleUp { pending: outcomes(view, &wanting), ..Default::default() };
    }
    place_on_known_nodes(round, scratch, &mut wanting);
    let open: Vec<usize> = (0..wanting.len()).filter(|index| wanting[*index].is_open()).collect();
    let mut outcome = ScaleUp::default();
    match hold(round, &wanting, &open) {
        Some(reason) => {
            outcome.awaits_more_pods = reason == NoHelp::TooNew;
            for &index in &open {
                wanting[index].reason = Some(reason.clone());
            }
        }
        None if open.is_empty() => {}
        None => outcome.increase = help(round, scratch, &mut wanting, &open, below),
    }
    outcome.pending = outcomes(view, &wanting);
    outcome
}

impl Wanting {
    fn rest(&self) -> u32 {
        self.waiting.count - self.fit_already - self.helped
    }

    fn is_open(&self) -> bool {
        self.rest() > 0 && self.reason.is_none()
    }
}

/// Pending pods that matter, and pods on nodes that are being drained, the most important first.
fn collect(config: &AutoscalerConfig, view: &ClusterView<'_>) -> Vec<Wanting> {
    let wanting = |pending, shape, count, oldest| Wanting {
        pending,
        waiting: Waiting { shape, count },
        oldest,
        fit_already: 0,
        helped: 0,
        reason: None,
    };
    let important = |(_, pods): &(usize, &super::PendingPods)| pods.priority >= config.expendable_below;
    let mut all: Vec<Wanting> = view
        .unschedulable
        .iter()
        .enumerate()
        .filter(important)
        .map(|(index, pods)| {
            let shape = Shape { template: pods.template, priority: pods.priority };
            wanting(Some(index), shape, pods.count, pods.oldest)
        })
        .collect();
    let mut freed = BTreeMap::new();
    for node in view.nodes.iter().filter(|one| one.removing == Some(Removing::Draining)) {
        for pod in drain::pods_set_free(config, view, node.node) {
            *freed.entry((pod.template, pod.details.priority)).or_insert(0) += 1;
        }
    }
    all.extend(freed.into_iter().map(|((template, priority), count)| {
        wanting(None, Shape { template, priority }, count, Timestamp::EPOCH)
    }));
    all.sort_by_key(|one| Reverse(one.waiting.shape.priority));
    all
}

/// Lets pods take the room that is there or coming, so that only the rest asks for more.
fn place_on_known_nodes(round: Round<'_, '_>, scratch: &mut Scratch<'_>, wanting: &mut [Wanting]) {
    let Round { now, config, view, .. } = round;
    let stays = view.nodes.iter().filter(|one| one.ready && one.removing.is_none());
    let mut nodes: Vec<NodeId> = stays.map(|one| one.node).collect();
    for group in view.groups {
        let booting = group.booting.iter().enumerate();
        let coming = booting.filter(|(_, ordered)| !is_overdue(now, **ordered, config));
        nodes.extend(coming.map(|(number, _)| scratch.add_node(group, number)));
    }
    let mut next = 0;
    for one in wanting {
        while one.is_open() {
            match scratch.first_fit(one.waiting.shape, &nodes, next) {
                Ok(Some(at)) => {
                    scratch.place(one.waiting.shape, nodes[at]);
                    next = (at + 1) % nodes.len();
                    one.fit_already += 1;
                }
                // The others are alike and would find no place either.
                Ok(None) => break,
                Err(rejection) => one.reason = Some(NoHelp::PodRefused(rejection)),
            }
        }
    }
}

/// Why no pod is helped now, whatever the groups could do.
fn hold(round: Round<'_, '_>, wanting: &[Wanting], open: &[usize]) -> Option<NoHelp> {
    let Round { now, config, view, .. } = round;
    let oldest = open.iter().map(|index| wanting[*index].oldest).min()?;
    if config.max_nodes_total.is_some_and(|most| count_nodes(view) >= most) {
        return Some(NoHelp::MaxNodesTotal);
    }
    (oldest + config.pod_gathering > now).then_some(NoHelp::TooNew)
}

/// Nodes that are there or ordered.
fn count_nodes(view: &ClusterView<'_>) -> u32 {
    let booting: usize = view.groups.iter().map(|group| group.booting.len()).sum();
    (view.nodes.len() + booting) as u32
}

/// Asks every group, chooses one, and notes what that means for the pods.
fn help(
    round: Round<'_, '_>,
    scratch: &mut Scratch<'_>,
    wanting: &mut [Wanting],
    open: &[usize],
    below: &mut dyn FnMut(u64) -> u64,
) -> Option<Increase> {
    let Round { config, view, .. } = round;
    let waiting: Vec<Waiting> = open
        .iter()
        .map(|&index| Waiting { count: wanting[index].rest(), ..wanting[index].waiting })
        .collect();
    let offers: Vec<GroupOffer> = view
        .group_ids()
        .map(|group| offer(view, scratch, group, &waiting, most_new_nodes(round, group)))
        .collect();
    let options: Vec<ExpansionOption> =
        offers.iter().filter_map(|offer| expansion(scratch, offer, &waiting)).collect();
    let count = options.len() as u32;
    let chosen = (count > 0).then(|| {
        let comparison = Comparison {
            groups: view.groups,
            pod_prices: config.pod_prices,
            cluster_nodes: view.nodes.len(),
        };
        choose(&config.expanders, options, comparison, below)
    });
    let winner = chosen.map(|(option, _)| option.group);
    for (position, &index) in open.iter().enumerate() {
        explain(&mut wanting[index], position, &offers, winner);
    }
    chosen.map(|(option, chosen_by)| Increase {
        group: option.group,
        by: option.nodes,
        reason: IncreaseReason { pods: option.pods, options: count, chosen_by },
    })
}

/// How many nodes the group may get, or why none.
fn most_new_nodes(round: Round<'_, '_>, id: GroupId) -> Result<u32, GroupRefusal> {
    let Round { now, config, view, memory } = round;
    if let Some(until) = memory.backed_off_until(now, id) {
        return Err(GroupRefusal::BackedOff { until });
    }
    let group = view.group(id);
    if group.target >= group.maximum {
        return Err(GroupRefusal::AtMaximum);
    }
    let in_cluster = config.max_nodes_total.map_or(u32::MAX, |most| most.saturating_sub(count_nodes(view)));
    Ok((group.maximum - group.target).min(in_cluster).min(config.max_nodes_per_scale_up))
}

/// Asks a new node of each zone about each kind of pod, then packs the pods that one of them takes.
fn offer(
    view: &ClusterView<'_>,
    scratch: &mut Scratch<'_>,
    id: GroupId,
    waiting: &[Waiting],
    most: Result<u32, GroupRefusal>,
) -> GroupOffer {
    let most = match most {
        Ok(most) => most,
        Err(refusal) => {
            return GroupOffer { group: id, refusals: vec![Some(refusal); waiting.len()], estimate: None };
        }
    };
    let group = view.group(id);
    let mut refusals = refusals_of_new_nodes(scratch, group, waiting);
    let taken = |index: &usize| refusals[*index].is_none();
    let kinds: Vec<usize> = (0..waiting.len()).filter(taken).collect();
    let taken: Vec<Waiting> = kinds.iter().map(|&index| waiting[index]).collect();
    let packed = estimate(scratch, group, &taken, most);
    let mut placed = vec![0; waiting.len()];
    for (&index, &count) in kinds.iter().zip(&packed.placed) {
        placed[index] = count;
        if count < waiting[index].count {
            refusals[index] = Some(GroupRefusal::LimitReached);
        }
    }
    GroupOffer { group: id, refusals, estimate: Some(Estimate { nodes: packed.nodes, placed }) }
}

/// By kind of pod: why no new node takes it, as the next of them says.
fn refusals_of_new_nodes(
    scratch: &mut Scratch<'_>,
    group: &GroupView<'_>,
    waiting: &[Waiting],
) -> Vec<Option<GroupRefusal>> {
    let mut refusals: Vec<Option<GroupRefusal>> = Vec::new();
    for number in 0..group.templates.len() {
        let first_pod = scratch.next_pod();
        let sample = scratch.add_node(group, group.booting.len() + number);
        let refused = |one: &Waiting| scratch.fits(one.shape, sample).err().map(GroupRefusal::NodeRefuses);
        let here: Vec<Option<GroupRefusal>> = waiting.iter().map(refused).collect();
        scratch.take_back(&[sample], first_pod);
        if number == 0 {
            refusals = here;
        } else {
            let taken = refusals.iter_mut().zip(here).filter(|(_, here)| here.is_none());
            taken.for_each(|(refusal, _)| *refusal = None);
        }
    }
    refusals
}

fn expansion(scratch: &Scratch<'_>, offer: &GroupOffer, waiting: &[Waiting]) -> Option<ExpansionOption> {
    let packed = offer.estimate.as_ref().filter(|packed| packed.nodes > 0)?;
    let mut option = ExpansionOption { group: offer.group, nodes: packed.nodes, pods: 0, cpu: 0, memory: 0 };
    for (one, &count) in waiting.iter().zip(&packed.placed) {
        let requests = &scratch.state().template(one.shape.template).requests;
        option.pods += count;
        option.cpu += requests.cpu * i64::from(count);
        option.memory += requests.memory * i64::from(count);
    }
    Some(option)
}

/// Notes what the choice means for one kind of pods.
fn explain(one: &mut Wanting, position: usize, offers: &[GroupOffer], winner: Option<GroupId>) {
    let placed = |offer: &GroupOffer| offer.estimate.as_ref().map_or(0, |packed| packed.placed[position]);
    one.helped = offers.iter().filter(|offer| Some(offer.group) == winner).map(placed).sum();
    if one.rest() == 0 {
        return;
    }
    let others = offers.iter().filter(|offer| Some(offer.group) != winner);
    one.reason = Some(if others.into_iter().any(|offer| placed(offer) > 0) {
        NoHelp::Later
    } else {
        let refusals = offers.iter().filter_map(|offer| Some((offer.group, offer.refusals[position]?)));
        NoHelp::NoGroup(refusals.collect())
    });
}

/// In the order of the view's pending pods.
fn outcomes(view: &ClusterView<'_>, wanting: &[Wanting]) -> Vec<PendingOutcome> {
    // What was not collected is not worth a node.
    let expendable =
        |count| PendingOutcome { not_helped: count, reason: Some(NoHelp::Expendable), ..Default::default() };
    let mut all: Vec<_> = view.unschedulable.iter().map(|pods| expendable(pods.count)).collect();
    for one in wanting {
        if let Some(index) = one.pending {
            all[index] = PendingOutcome {
                fit_already: one.fit_already,
                helped: one.helped,
                not_helped: one.rest(),
                reason: one.reason.clone(),
            };
        }
    }
    all
}
