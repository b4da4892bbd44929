//! Disruption budgets: whose going would violate one.

use super::Victim;
use crate::kube::LabelSelector;
use crate::scheduler::nodes::PodId;
use crate::scheduler::selector::LabelMatcher;
use crate::scheduler::state::ClusterState;
use crate::scheduler::symbol::{Labels, Symbol};
use crate::scheduler::template::Template;
use std::collections::{BTreeMap, BTreeSet};

/// How many more of the pods it chooses may go.
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

/// For each placed pod of `victims`, the budgets it is in, by index.
pub(super) fn budgets_of(
    state: &ClusterState,
    budgets: &[Budget],
    victims: &[Victim],
) -> BTreeMap<PodId, Vec<usize>> {
    let mut all = BTreeMap::new();
    for victim in victims {
        let template = state.pod(victim.pod).map(|placed| state.template(placed.template));
        let covering = |template: &Template| {
            let indexed = budgets.iter().enumerate();
            indexed
                .filter(|(_, one)| one.covers(state, victim.pod, template))
                .map(|(index, _)| index)
                .collect()
        };
        all.insert(victim.pod, template.map_or_else(Vec::new, |template| covering(template)));
    }
    all
}

/// Separates the pods whose going violates a budget from the others; both keep the order of `sorted`.
///
/// `left` is how many more pods may go, per budget; `budgets_of` says which budgets a pod is in. Every pod uses up its
/// budgets whether it ends up among the victims or not.
pub(super) fn split_by_budget(
    sorted: &[Victim],
    mut left: Vec<i32>,
    budgets_of: &BTreeMap<PodId, Vec<usize>>,
) -> (Vec<Victim>, Vec<Victim>) {
    sorted.iter().partition(|victim| {
        let mut violates = false;
        for &budget in budgets_of.get(&victim.pod).into_iter().flatten() {
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
            (1..=4).map(|id| Victim { pod: PodId(id), priority: 0, started_at: None }).collect();
        let budgets_of = sorted.iter().map(|victim| {
            let budgets = (0..covers.len()).filter(|budget| covers[*budget].contains(&victim.pod.0));
            (victim.pod, budgets.collect())
        });
        let (violating, others) = split_by_budget(&sorted, allowed.to_vec(), &budgets_of.collect());
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
