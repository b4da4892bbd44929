//! The three ways to give up nodes: those without pods, several at once, and one at a time.

use super::balanced::Scale;
use super::candidates::{Allowance, Candidate, sort};
use super::config::{ConsolidationPolicy, ProvisionerConfig};
use super::simulation::{reschedulable, simulate};
use super::view::{OfferingId, ProvisionerView};
use crate::kube;
use crate::scheduler::NodeId;
use model::money::MicroDollars;
use std::collections::BTreeSet;

/// Upstream's constants: nodes looked at together, and how many cheaper spot types there must be to leave a spot node.
const MOST_AT_ONCE: usize = 100;
const SPOT_CHOICES: usize = 15;

/// Why nodes are given up; budgets could differ by it upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Empty,
    Underutilized,
}

/// Nodes to give up, and what one node in their place may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) reason: Reason,
    pub(super) nodes: Vec<NodeId>,
    /// The cheapest first; nothing if none is needed.
    pub(super) replacement: Vec<OfferingId>,
    /// Nodes that get the pods.
    pub(super) used: BTreeSet<NodeId>,
}

/// What every step reads.
#[derive(Clone, Copy)]
pub(super) struct Round<'r, 'v> {
    pub(super) config: &'r ProvisionerConfig,
    pub(super) view: &'r ProvisionerView<'v>,
    pub(super) scale: &'r Scale<'r>,
}

/// All nodes without pods that may go.
pub(super) fn empty(mut candidates: Vec<Candidate>, allowance: &mut Allowance) -> Option<Plan> {
    sort(&mut candidates);
    candidates.retain(|one| allowance.take(one));
    let nodes: Vec<NodeId> = candidates.iter().map(|one| one.node).collect();
    (!nodes.is_empty()).then(|| Plan {
        reason: Reason::Empty,
        nodes,
        replacement: Vec::new(),
        used: BTreeSet::new(),
    })
}

/// As many of the first candidates as can go together, found by halving. More than that and it would take long, fewer
/// than two is the business of [`single`].
pub(super) fn several(
    round: Round<'_, '_>,
    mut candidates: Vec<Candidate>,
    allowance: &mut Allowance,
) -> Option<Plan> {
    sort(&mut candidates);
    candidates.retain(|one| allowance.take(one));
    let (mut least, mut most) = (1, candidates.len().saturating_sub(1).min(MOST_AT_ONCE));
    let mut best = None;
    while least <= most {
        let middle = usize::midpoint(least, most);
        let first: Vec<&Candidate> = candidates[..=middle].iter().collect();
        match consolidate(round, &first).and_then(|plan| sensible(round, plan, &first)) {
            Some(plan) => {
                best = Some(plan);
                least = middle + 1;
            }
            None => most = middle - 1,
        }
    }
    best
}

/// The first candidate that can go; node pools take turns.
pub(super) fn single(
    round: Round<'_, '_>,
    mut candidates: Vec<Candidate>,
    allowance: &mut Allowance,
) -> Option<Plan> {
    sort(&mut candidates);
    let in_turn = in_turn(round.config.node_pools.len(), candidates);
    let free = Free::new(round.view);
    in_turn.iter().find_map(|one| {
        let tries =
            allowance.permits(one) && round.scale.may_approve(one) && !free.rules_out(round.view, one);
        tries.then(|| consolidate(round, &[one])).flatten()
    })
}

fn in_turn(node_pools: usize, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = vec![0; node_pools];
    let mut keyed: Vec<(usize, usize, Candidate)> = candidates
        .into_iter()
        .map(|one| {
            seen[one.node_pool] += 1;
            (seen[one.node_pool], one.node_pool, one)
        })
        .collect();
    keyed.sort_by_key(|(turn, pool, _)| (*turn, *pool));
    keyed.into_iter().map(|(_, _, one)| one).collect()
}

/// Whether the nodes can go together: their pods fit on the others, or there and on one node that costs less.
fn consolidate(round: Round<'_, '_>, candidates: &[&Candidate]) -> Option<Plan> {
    let nodes: Vec<NodeId> = candidates.iter().map(|one| one.node).collect();
    let mut outcome = simulate(round.config, round.view, &nodes);
    if outcome.stuck || outcome.claims.len() > 1 {
        return None;
    }
    let replacement = match outcome.claims.pop() {
        None => Vec::new(),
        Some(claim) => Some(cheaper(round, candidates, claim.options)).filter(|one| !one.is_empty())?,
    };
    let saving = price(candidates).saturating_sub(replacement_price(round, &replacement));
    let plan = Plan { reason: Reason::Underutilized, nodes, replacement, used: outcome.used };
    round.scale.approves(candidates, saving).then_some(plan)
}

fn price(candidates: &[&Candidate]) -> MicroDollars {
    candidates.iter().fold(MicroDollars::ZERO, |sum, one| sum.saturating_add(one.price))
}

/// What the replacement will cost: that of its cheapest type.
fn replacement_price(round: Round<'_, '_>, replacement: &[OfferingId]) -> MicroDollars {
    let price = |id: &OfferingId| round.view.catalogue.get(*id).price_per_hour;
    replacement.first().map_or(MicroDollars::ZERO, price)
}

/// The types that cost less than the candidates together, as far as spot prices allow.
fn cheaper(round: Round<'_, '_>, candidates: &[&Candidate], mut options: Vec<OfferingId>) -> Vec<OfferingId> {
    let catalogue = round.view.catalogue;
    let limit = price(candidates);
    let is_spot = |id: &OfferingId| catalogue.get(*id).spot;
    let has_spot = options.iter().any(is_spot);
    let from_spot = candidates.iter().all(|one| one.spot);
    if has_spot && from_spot && !round.config.spot_to_spot {
        return Vec::new();
    }
    // Priced as spot, so it must not become a dearer node on demand.
    options.retain(|id| catalogue.get(*id).price_per_hour < limit && (!has_spot || is_spot(id)));
    if has_spot && from_spot && candidates.len() == 1 {
        // Else the cheapest of many spot types would be chased for ever.
        let types: BTreeSet<_> = options.iter().map(|id| catalogue.get(*id).group).collect();
        if types.len() < SPOT_CHOICES {
            return Vec::new();
        }
    }
    options
}

/// Of several nodes, one must not be replaced by its like: to keep that one is simpler.
fn sensible(round: Round<'_, '_>, mut plan: Plan, candidates: &[&Candidate]) -> Option<Plan> {
    if plan.replacement.is_empty() {
        return Some(plan);
    }
    let catalogue = round.view.catalogue;
    let groups: BTreeSet<_> = plan.replacement.iter().map(|id| catalogue.get(*id).group).collect();
    let alike = candidates.iter().filter(|one| groups.contains(&one.group)).map(|one| one.price).min();
    if let Some(limit) = alike {
        plan.replacement.retain(|id| catalogue.get(*id).price_per_hour < limit);
    }
    (!plan.replacement.is_empty()).then_some(plan)
}

/// Room on the nodes that stay, to rule out candidates without trying them.
struct Free {
    nodes: Vec<(NodeId, i64, i64)>,
}

impl Free {
    fn new(view: &ProvisionerView<'_>) -> Self {
        let stays = view.cluster.nodes.iter().filter(|one| one.ready && one.removing.is_none());
        let free = stays.map(|one| {
            let used = view.cluster.state.node_resources(one.node);
            let cpu = used.allocatable_cpu - used.requested_cpu;
            (one.node, cpu, used.allocatable_memory - used.requested_memory)
        });
        Self { nodes: free.collect() }
    }

    /// Pods that have no room on any other node would all have to go onto one cheaper node, and no type can take them.
    fn rules_out(&self, view: &ProvisionerView<'_>, one: &Candidate) -> bool {
        let (mut cpu, mut memory, mut any) = (0, 0, false);
        for pod in reschedulable(view, one.node) {
            let placed = view.cluster.state.pod(pod).expect("a pod on a node is placed");
            let requests = &view.cluster.state.template(placed.template).requests;
            let takes = |&(node, free_cpu, free_memory): &(NodeId, i64, i64)| {
                node != one.node && free_cpu >= requests.cpu && free_memory >= requests.memory
            };
            if !self.nodes.iter().any(takes) {
                (cpu, memory, any) = (cpu + requests.cpu, memory + requests.memory, true);
            }
        }
        any && !view.catalogue.offerings.iter().any(|offering| {
            let has = |resource: &str| offering.node.status.allocatable.get(resource).unwrap_or(0);
            offering.price_per_hour < one.price && has(kube::CPU) >= cpu && has(kube::MEMORY) >= memory
        })
    }
}

/// Candidates that this way looks at.
pub(super) fn is_underused(config: &ProvisionerConfig, one: &Candidate) -> bool {
    !one.is_empty() && config.node_pools[one.node_pool].policy != ConsolidationPolicy::WhenEmpty
}
