//! Disruption budgets: whose going would violate one.

use super::Victim;
use crate::kube::LabelSelector;
use crate::scheduler::nodes::PodId;
use crate::scheduler::selector::LabelMatcher;
use crate::scheduler::state::ClusterState;
use crate::scheduler::symbol::{Labels, Symbol};
use crate::scheduler::template::Template;
use std::collections::{BTreeMap, BTreeSet};

/// The disruption budgets there are; each has a number, counted from zero.
pub trait Budgets {
    /// How many more pods may go, per budget.
    fn allowed(&self) -> Vec<i32>;
    /// The budgets a placed pod is in.
    fn covering(&self, state: &ClusterState, pod: PodId) -> Vec<usize>;
}

/// A budget that chooses pods by their labels: how many more of them may go.
#[derive(Clone, Debug)]
pub struct Budget {
    namespace: Symbol,
    selector: LabelMatcher,
    pub allowed: i32,
    /// Pods whose eviction was granted already; their going is accounted for.
    pub disrupted: BTreeSet<PodId>,
}

impl Budget {
    /// A budget whose selector is missing, empty or invalid chooses no pod.
    pub fn new(
        state: &mut ClusterState,
        namespace: &str,
        selector: Option<&LabelSelector>,
        allowed: i32,
    ) -> Self {
        let selector = LabelMatcher::new(selector, &mut state.names).unwrap_or(LabelMatcher::Nothing);
        let selector = if selector.is_everything() { LabelMatcher::Nothing } else { selector };
        Self { namespace: state.names.intern(namespace), selector, allowed, disrupted: BTreeSet::new() }
    }

    /// Whether the going of a pod counts against this budget. A pod without labels is in no budget.
    fn covers(&self, state: &ClusterState, pod: PodId, template: &Template) -> bool {
        template.namespace == self.namespace
            && template.labels != Labels::default()
            && !self.disrupted.contains(&pod)
            && self.selector.matches(&template.labels, &state.names)
    }
}

impl Budgets for Vec<Budget> {
    fn allowed(&self) -> Vec<i32> {
        self.iter().map(|budget| budget.allowed).collect()
    }

    fn covering(&self, state: &ClusterState, pod: PodId) -> Vec<usize> {
        let Some(placed) = state.pod(pod) else { return Vec::new() };
        let template = state.template(placed.template);
        let covering = self.iter().enumerate().filter(|(_, budget)| budget.covers(state, pod, template));
        covering.map(|(index, _)| index).collect()
    }
}

/// Separates the pods whose going violates a budget from the others; both keep the order of `sorted`.
///
/// `left` is how many more pods may go, per budget; `covering` says which budgets each pod is in. Every pod uses up its
/// budgets whether it ends up among the victims or not.
pub(super) fn split_by_budget(
    sorted: &[Victim],
    mut left: Vec<i32>,
    covering: &BTreeMap<PodId, Vec<usize>>,
) -> (Vec<Victim>, Vec<Victim>) {
    sorted.iter().partition(|victim| {
        let mut violates = false;
        for &budget in covering.get(&victim.pod).into_iter().flatten() {
            left[budget] -= 1;
            violates |= left[budget] < 0;
        }
        violates
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `covers` lists the pods of each budget.
    fn check(story: &str, allowed: &[i32], covers: &[&[u32]], want: &[u32]) {
        let sorted: Vec<_> =
            (1..=4).map(|id| Victim { pod: PodId(id), priority: 0, started_at: 0 }).collect();
        let covering = sorted.iter().map(|victim| {
            let budgets = (0..covers.len()).filter(|budget| covers[*budget].contains(&victim.pod.0));
            (victim.pod, budgets.collect())
        });
        let (violating, others) = split_by_budget(&sorted, allowed.to_vec(), &covering.collect());
        let ids = |pods: &[Victim]| pods.iter().map(|victim| victim.pod.0).collect::<Vec<_>>();
        assert_eq!(ids(&violating), want, "{story}");
        assert_eq!(violating.len() + others.len(), sorted.len(), "{story}");
        assert!(others.is_sorted_by_key(|victim| victim.pod), "{story}");
    }

    #[test]
    fn budgets_are_used_up_in_order_of_importance() {
        check("no budget", &[], &[], &[]);
        check("room for two", &[2], &[&[1, 2, 3]], &[3]);
        check("nothing left", &[0], &[&[2, 4]], &[2, 4]);
        check("one of two budgets is enough", &[3, 0], &[&[1, 2, 3], &[2]], &[2]);
        check("a pod that violates one budget uses up the other", &[0, 1], &[&[1], &[1, 2]], &[1, 2]);
    }
}
