//! Taints keep pods away unless tolerated: hard ones filter, `PreferNoSchedule` ones score.

use crate::kube::{Taint, TaintEffect, Toleration, TolerationOperator};
use crate::scheduler::nodes::{NodeId, TaintSet};
use crate::scheduler::state::{ClusterState, TemplateEntry};
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::TemplateId;

/// The taint that a cordoned node is treated as having.
const UNSCHEDULABLE_TAINT: &str = "node.kubernetes.io/unschedulable";

/// What a template thinks of one list of taints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaintVerdict {
    pub refused: bool,
    /// Untolerated `PreferNoSchedule` taints.
    pub disliked: i64,
}

impl TaintVerdict {
    const CLEAN: Self = Self { refused: false, disliked: 0 };
}

/// Makes sure that verdicts about all lists of taints are known.
pub fn prepare(state: &mut ClusterState, template: TemplateId) {
    let comparison = state.profile.features.toleration_comparison;
    let sets = state.nodes.taint_sets.len();
    let known = state.templates[template.index()].taint_verdicts.len();
    for set in known..sets {
        let tolerations = &state.templates[template.index()].template.tolerations;
        let taints = state.taints(TaintSet(set as u32));
        let verdict = verdict(taints, tolerations, comparison);
        state.templates[template.index()].taint_verdicts.push(verdict);
    }
}

fn verdict(taints: &[Taint], tolerations: &[Toleration], comparison: bool) -> TaintVerdict {
    let refused = first_untolerated(taints, tolerations, comparison, is_hard).is_some();
    let disliked = taints
        .iter()
        .filter(|taint| taint.effect == TaintEffect::PreferNoSchedule)
        .filter(|taint| !tolerations.iter().any(|one| tolerates(one, taint, comparison)))
        .count();
    TaintVerdict { refused, disliked: disliked as i64 }
}

/// The first taint that counts and that no toleration covers.
pub fn first_untolerated<'a>(
    taints: &'a [Taint],
    tolerations: &[Toleration],
    comparison: bool,
    counts: impl Fn(&Taint) -> bool,
) -> Option<&'a Taint> {
    let tolerated = |taint: &Taint| tolerations.iter().any(|one| tolerates(one, taint, comparison));
    taints.iter().find(|taint| counts(taint) && !tolerated(taint))
}

/// Taints that keep a pod from being scheduled.
pub fn is_hard(taint: &Taint) -> bool {
    matches!(taint.effect, TaintEffect::NoSchedule | TaintEffect::NoExecute)
}

/// Whether one toleration covers one taint; `comparison` allows `Gt` and `Lt` on whole numbers.
pub fn tolerates(toleration: &Toleration, taint: &Taint, comparison: bool) -> bool {
    if toleration.effect.is_some_and(|effect| effect != taint.effect) {
        return false;
    }
    if !toleration.key.is_empty() && toleration.key != taint.key {
        return false;
    }
    let numbers = || Some((taint.value.parse::<i64>().ok()?, toleration.value.parse::<i64>().ok()?));
    match toleration.operator {
        TolerationOperator::Equal => toleration.value == taint.value,
        TolerationOperator::Exists => true,
        TolerationOperator::Gt => comparison && numbers().is_some_and(|(taint, limit)| taint > limit),
        TolerationOperator::Lt => comparison && numbers().is_some_and(|(taint, limit)| taint < limit),
    }
}

pub fn tolerates_unschedulable(tolerations: &[Toleration], comparison: bool) -> bool {
    let taint =
        Taint { key: UNSCHEDULABLE_TAINT.to_owned(), value: String::new(), effect: TaintEffect::NoSchedule };
    tolerations.iter().any(|toleration| tolerates(toleration, &taint, comparison))
}

impl ClusterState {
    /// Valid after [`prepare`].
    pub(in crate::scheduler) fn taint_verdict(&self, entry: &TemplateEntry, node: NodeId) -> TaintVerdict {
        let set = self.nodes.gates[node.index()].taints;
        if set == TaintSet::default() { TaintVerdict::CLEAN } else { entry.taint_verdicts[set.0 as usize] }
    }
}

/// Valid after [`prepare`].
pub fn filter(state: &ClusterState, template: TemplateId, node: NodeId) -> Result<(), Rejection> {
    if state.taint_verdict(&state.templates[template.index()], node).refused {
        return Err(Rejection::unresolvable(Reason::UntoleratedTaint));
    }
    Ok(())
}

/// Untolerated `PreferNoSchedule` taints per node, before normalisation (fewer is better).
pub fn score(state: &ClusterState, template: TemplateId, nodes: &[NodeId], scores: &mut Vec<i64>) {
    let entry = &state.templates[template.index()];
    scores.clear();
    scores.extend(nodes.iter().map(|&node| state.taint_verdict(entry, node).disliked));
}
