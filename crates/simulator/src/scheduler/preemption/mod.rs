//! Preemption: whether pods of lower priority can make room for one that fits nowhere, where, and which.

mod budgets;
mod candidates;
#[cfg(test)]
mod tests;
mod trial;
mod victims;

pub use budgets::{Budget, Budgets};
pub use candidates::{Candidate, CandidateLimits, least_harmful};
pub use victims::{Victim, Victims};

use super::cycle::{Request, Scheduler};
use super::nodes::{NodeId, PodId};
use super::state::ClusterState;
use super::status::{FitError, Rejection, message};
use budgets::split_by_budget;
use candidates::search;
use std::collections::BTreeMap;
use std::fmt;
use trial::NodeTrial;
use victims::{Refusal, Trial, select_victims};

/// The pod that needs room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preemptor {
    /// As it was given to the scheduler.
    pub request: Request,
    /// `preemptionPolicy: Never`.
    pub never_preempts: bool,
}

/// What preemption depends on besides the cluster.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    pub budgets: &'a dyn Budgets,
    pub limits: CandidateLimits,
    /// Whether a terminating pod goes because of an earlier preemption.
    pub is_preempted: &'a dyn Fn(PodId) -> bool,
    /// Decides where the search for candidates starts.
    pub random: u64,
}

/// What came of it. The caller nominates the pod, withdraws other nominations and deletes the victims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreemptionOutcome {
    Nominated {
        node: NodeId,
        /// Most important first.
        victims: Vec<PodId>,
        /// Pods of lower priority that were promised this node and lose the promise.
        displaced: Vec<PodId>,
    },
    NotPossible {
        reason: PreemptionRefusal,
    },
}

/// Why nobody makes room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreemptionRefusal {
    NeverPreempts,
    /// Earlier victims on the nominated node are still terminating.
    VictimsAreTerminating,
    /// A node fits as it is: what refused the pod has gone meanwhile.
    NotNeeded,
    /// No node can be freed, with the text of the event.
    NoCandidate(String),
}

impl PreemptionRefusal {
    /// Whether the pod loses the node it was nominated for.
    pub fn clears_nomination(&self) -> bool {
        matches!(self, Self::NoCandidate(_))
    }
}

impl fmt::Display for PreemptionRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverPreempts => out.write_str("not eligible due to preemptionPolicy=Never."),
            Self::VictimsAreTerminating => {
                out.write_str("not eligible due to a terminating pod on the nominated node.")
            }
            Self::NotNeeded => out.write_str("the pod fits without removing anybody"),
            Self::NoCandidate(text) => out.write_str(text),
        }
    }
}

/// Looks for a node where pods of lower priority can make room, after `fit_error` said that the pod fits nowhere.
/// The state is the same before and after.
pub fn preempt(
    state: &mut ClusterState,
    scheduler: &mut Scheduler,
    preemptor: Preemptor,
    fit_error: &FitError,
    circumstances: Circumstances<'_>,
) -> PreemptionOutcome {
    let request = preemptor.request;
    let is_hopeless = request.nominated.is_some_and(|node| !is_resolvable(fit_error, node));
    let candidates =
        check_eligible(state, preemptor, is_hopeless, circumstances.is_preempted).and_then(|()| {
            let fits = |state: &mut ClusterState, node| scheduler.fits(state, &request, node);
            find_candidates(state, request.priority, fit_error, circumstances, fits)
        });
    match candidates.as_deref().map(least_harmful) {
        Ok(best) => nominate(state, &request, best.expect("a search without candidates is refused")),
        Err(reason) => PreemptionOutcome::NotPossible { reason: reason.clone() },
    }
}

fn nominate(state: &ClusterState, request: &Request, best: &Candidate) -> PreemptionOutcome {
    let nominations = state.nominations(best.node).iter();
    let lower = nominations.filter(|one| one.priority < request.priority && one.pod != request.pod);
    PreemptionOutcome::Nominated {
        node: best.node,
        victims: best.victims.pods.iter().map(|victim| victim.pod).collect(),
        displaced: lower.map(|one| one.pod).collect(),
    }
}

/// Whether the pod may preempt at all. It waits while victims of its earlier preemption terminate, unless the node it
/// waits for has become hopeless for other reasons.
pub fn check_eligible(
    state: &ClusterState,
    preemptor: Preemptor,
    nominated_is_hopeless: bool,
    is_preempted: impl Fn(PodId) -> bool,
) -> Result<(), PreemptionRefusal> {
    if preemptor.never_preempts {
        return Err(PreemptionRefusal::NeverPreempts);
    }
    let Request { priority, nominated, .. } = preemptor.request;
    let Some(node) = nominated.filter(|_| !nominated_is_hopeless) else { return Ok(()) };
    let makes_room = |pod: &PodId| {
        let details = state.pod(*pod).map(|placed| placed.details);
        details.is_some_and(|details| details.terminating && details.priority < priority)
    };
    let is_waiting = state.pods_on(node).iter().any(|pod| makes_room(pod) && is_preempted(*pod));
    if is_waiting { Err(PreemptionRefusal::VictimsAreTerminating) } else { Ok(()) }
}

fn is_resolvable(fit_error: &FitError, node: NodeId) -> bool {
    fit_error.nodes.iter().any(|(other, rejection)| *other == node && !rejection.unresolvable)
}

/// As many candidates as the limits ask for, those that violate no budget first; never an empty list. `fits` are the
/// filters, asked about the preemptor on a node in the state given.
pub fn find_candidates(
    state: &mut ClusterState,
    priority: i32,
    fit_error: &FitError,
    circumstances: Circumstances<'_>,
    mut fits: impl FnMut(&mut ClusterState, NodeId) -> Result<(), Rejection>,
) -> Result<Vec<Candidate>, PreemptionRefusal> {
    let resolvable = fit_error.nodes.iter().filter(|(_, rejection)| !rejection.unresolvable);
    let nodes: Vec<_> = resolvable.map(|(node, _)| *node).collect();
    let offset = if nodes.is_empty() { 0 } else { (circumstances.random % nodes.len() as u64) as usize };
    let wanted = circumstances.limits.wanted(nodes.len());
    let found = search(&nodes, offset, wanted, |node| {
        dry_run(state, priority, node, circumstances.budgets, &mut fits)
    });
    if !found.candidates.is_empty() {
        return Ok(found.candidates);
    }
    if found.refusals.iter().any(|(_, refusal)| matches!(refusal, Refusal::NobodyHasToGo)) {
        return Err(PreemptionRefusal::NotNeeded);
    }
    Err(PreemptionRefusal::NoCandidate(refusal_text(fit_error, &found.refusals)))
}

/// Who would have to go from one node.
fn dry_run(
    state: &mut ClusterState,
    priority: i32,
    node: NodeId,
    budgets: &dyn Budgets,
    fits: impl FnMut(&mut ClusterState, NodeId) -> Result<(), Rejection>,
) -> Result<Victims, Refusal<Rejection>> {
    let lower = lower_priority_pods(state, priority, node);
    let allowed = budgets.allowed();
    let guarded = if allowed.is_empty() { &[][..] } else { &lower };
    let covering: BTreeMap<_, _> =
        guarded.iter().map(|victim| (victim.pod, budgets.covering(state, victim.pod))).collect();
    let mut trial = NodeTrial::new(state, node, fits);
    let victims = select_victims(&mut trial, lower, |sorted| split_by_budget(sorted, allowed, &covering));
    trial.undo();
    victims
}

/// Pods on the node that would have to yield, in a stable order.
fn lower_priority_pods(state: &ClusterState, priority: i32, node: NodeId) -> Vec<Victim> {
    let victim = |&pod: &PodId| {
        let details = state.pod(pod).expect("a pod on a node is placed").details;
        Victim { pod, priority: details.priority, started_at: details.start_time }
    };
    let mut lower: Vec<_> =
        state.pods_on(node).iter().map(victim).filter(|victim| victim.priority < priority).collect();
    lower.sort_by_key(|victim| victim.pod);
    lower
}

fn refusal_text(fit_error: &FitError, refusals: &[(NodeId, Refusal<Rejection>)]) -> String {
    let others: Vec<_> = fit_error.other_resources.iter().map(String::as_str).collect();
    let mut counts = BTreeMap::new();
    let mut count = |text: String, nodes: usize| *counts.entry(text).or_insert(0) += nodes;
    for (_, refusal) in refusals {
        match refusal {
            Refusal::Rejected(rejection) => {
                rejection.reason.texts(&others).into_iter().for_each(|text| count(text, 1));
            }
            Refusal::NoVictims => count("No preemption victims found for incoming pod".to_owned(), 1),
            Refusal::NobodyHasToGo => {}
        }
    }
    let hopeless = fit_error.all_nodes - refusals.len();
    if hopeless > 0 {
        count("Preemption is not helpful for scheduling".to_owned(), hopeless);
    }
    message(fit_error.all_nodes, "", &counts, "")
}
