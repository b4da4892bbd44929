//! The disruption loop: finds nodes to give up, waits, looks again, and only then lets it happen.

use super::balanced::Scale;
use super::candidates::{Allowance, Candidate, Kept, candidates};
use super::config::ProvisionerConfig;
use super::consolidation::{Plan, Reason, Round, empty, is_underused, several, single};
use super::launch::{Launch, choose};
use super::memory::ProvisionerMemory;
use super::simulation::{room, simulate};
use super::view::ProvisionerView;
use crate::scheduler::NodeId;
use model::time::Timestamp;

/// The ways to give up nodes, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Method {
    Empty,
    Several,
    Single,
}

const METHODS: [Method; 3] = [Method::Empty, Method::Several, Method::Single];

/// A plan that must still be right in a while.
#[derive(Clone, Debug)]
pub(super) struct Proposed {
    method: Method,
    plan: Plan,
    pub(super) due: Timestamp,
}

/// Nodes to give up now: to be marked so that no pod comes, and drained once the replacement is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub reason: Reason,
    pub nodes: Vec<NodeId>,
    pub replacement: Option<Launch>,
}

/// One look. A command is to be started at once, and then it is looked again; without one, the next look is when
/// [`ProvisionerMemory::validates_at`] says, or after [`ProvisionerConfig::poll_every`]. Also returns why nodes are
/// no candidates.
pub fn disrupt(
    now: Timestamp,
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    memory: &mut ProvisionerMemory,
) -> (Option<Command>, Vec<(NodeId, Kept)>) {
    let (found, kept) = candidates(now, config, view, memory);
    let mut first = 0;
    if let Some(proposed) = memory.proposed.take() {
        if now < proposed.due {
            memory.proposed = Some(proposed);
            return (None, kept);
        }
        first = METHODS.iter().take_while(|method| **method <= proposed.method).count();
        if let Some(command) = validate(config, view, &found, proposed.plan, now, memory) {
            return (Some(command), kept);
        }
    }
    if found.is_empty() {
        return (None, kept);
    }
    let scale = Scale::new(config, view);
    let round = Round { config, view, scale: &scale };
    for &method in &METHODS[first..] {
        if let Some(plan) = propose(now, round, &found, memory, method) {
            memory.proposed = Some(Proposed { method, plan, due: now + config.validate_after });
            break;
        }
    }
    (None, kept)
}

fn looks_at(config: &ProvisionerConfig, method: Method, one: &Candidate) -> bool {
    match method {
        Method::Empty => one.is_empty(),
        Method::Several | Method::Single => is_underused(config, one),
    }
}

fn propose(
    now: Timestamp,
    round: Round<'_, '_>,
    found: &[Candidate],
    memory: &mut ProvisionerMemory,
    method: Method,
) -> Option<Plan> {
    let mine: Vec<Candidate> =
        found.iter().filter(|one| looks_at(round.config, method, one)).cloned().collect();
    let nodes: Vec<NodeId> = mine.iter().map(|one| one.node).collect();
    if mine.is_empty() || memory.is_known_idle(now, round.config, method, round.view.version, &nodes) {
        return None;
    }
    let mut allowance = Allowance::new(round.config, round.view);
    let plan = match method {
        Method::Empty => empty(mine, &mut allowance),
        Method::Several => several(round, mine, &mut allowance),
        Method::Single => single(round, mine, &mut allowance),
    };
    // What a budget forbids now may be allowed at the next look.
    if plan.is_none() && !allowance.refused {
        memory.note_idle(now, method, round.view.version, nodes);
    }
    plan
}

/// Whether the plan is still right: the same nodes may go, and their pods need the same in return.
fn validate(
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    found: &[Candidate],
    mut plan: Plan,
    now: Timestamp,
    memory: &mut ProvisionerMemory,
) -> Option<Command> {
    let method = if plan.reason == Reason::Empty { Method::Empty } else { Method::Single };
    let mut allowance = Allowance::new(config, view);
    let mut still_may = |node: &NodeId| {
        let one = found.iter().find(|one| one.node == *node);
        one.is_some_and(|one| looks_at(config, method, one) && allowance.take(one))
    };
    let valid: Vec<NodeId> = plan.nodes.iter().copied().filter(|node| still_may(node)).collect();
    // Empty nodes go one by one; the others only as it was worked out.
    if valid.is_empty() || (plan.reason == Reason::Underutilized && valid.len() < plan.nodes.len()) {
        return None;
    }
    plan.nodes = valid;
    if plan.reason == Reason::Underutilized && !is_same_again(config, view, &plan) {
        return None;
    }
    let replacement = if plan.replacement.is_empty() {
        None
    } else {
        Some(choose(view.catalogue, &plan.replacement, &mut room(view))?)
    };
    memory.nominate(now, config, view, plan.used.iter().copied());
    Some(Command { reason: plan.reason, nodes: plan.nodes, replacement })
}

fn is_same_again(config: &ProvisionerConfig, view: &ProvisionerView<'_>, plan: &Plan) -> bool {
    let outcome = simulate(config, view, &plan.nodes);
    if outcome.stuck {
        return false;
    }
    match outcome.claims.as_slice() {
        [] => plan.replacement.is_empty(),
        [claim] => {
            let needs_one = !plan.replacement.is_empty();
            needs_one && plan.replacement.iter().all(|id| claim.options.contains(id))
        }
        _ => false,
    }
}
