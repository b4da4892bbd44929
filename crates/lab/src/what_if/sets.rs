//! Which plans are rehearsed together: those that can be carried out beside each other, the older before the younger.

use super::Pending;
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use model::recommendation::RecommendationId;
use std::collections::BTreeMap;

/// So many plans are begun at one moment at most; a person looks at fewer.
pub(super) const MOST_TOGETHER: usize = 200;

/// Plans that are begun at the same moment, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlanSet(BTreeMap<RecommendationId, Action>);

impl PlanSet {
    pub(super) fn ids(&self) -> Vec<RecommendationId> {
        self.0.keys().copied().collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (RecommendationId, &Action)> {
        self.0.iter().map(|(id, action)| (*id, action))
    }

    /// Adds a plan unless it is there already or only one of it and another can be carried out.
    fn add(&mut self, (id, action): &Pending) -> bool {
        if self.0.contains_key(id) || self.0.values().any(|other| other.conflicts_with(action)) {
            return false;
        }
        self.0.insert(*id, action.clone());
        true
    }
}

/// What somebody wants to know: the effect of some plans while others are pending.
#[derive(Clone, Debug)]
pub(super) struct Question {
    nothing: PlanSet,
    these: PlanSet,
    others: PlanSet,
    all: PlanSet,
    left_out: Vec<RecommendationId>,
    asked_together: usize,
}

impl Question {
    pub(super) fn new(these: &[Pending], pending: &[Pending]) -> Self {
        let mut question = Self {
            nothing: PlanSet::default(),
            these: PlanSet::default(),
            others: PlanSet::default(),
            all: PlanSet::default(),
            left_out: Vec::new(),
            asked_together: 0,
        };
        for plan in oldest_first(these) {
            if !question.these.add(plan) {
                question.left_out.push(plan.0);
            }
        }
        question.all = question.these.clone();
        for plan in oldest_first(pending) {
            question.consider(plan);
        }
        question
    }

    /// A plan that changes nothing, or is one of those asked about, is nothing beside them.
    fn consider(&mut self, plan: &Pending) {
        if plan.1.is_idle() || self.left_out.contains(&plan.0) || !self.all.clone().add(plan) {
            return;
        }
        self.asked_together += 1;
        if self.asked_together <= MOST_TOGETHER {
            self.all.add(plan);
            self.others.add(plan);
        }
    }

    pub(super) const fn nothing(&self) -> &PlanSet {
        &self.nothing
    }

    /// The plans that are asked about.
    pub(super) const fn these(&self) -> &PlanSet {
        &self.these
    }

    /// What is pending beside them.
    pub(super) const fn others(&self) -> &PlanSet {
        &self.others
    }

    pub(super) const fn all(&self) -> &PlanSet {
        &self.all
    }

    pub(super) fn has_others(&self) -> bool {
        !self.others.0.is_empty()
    }

    pub(super) fn left_out(&self) -> impl Iterator<Item = RecommendationId> + '_ {
        self.left_out.iter().copied()
    }

    /// How many plans are pending that could be carried out beside these.
    pub(super) const fn asked_together(&self) -> usize {
        self.asked_together
    }

    /// All sets that must be rehearsed for it.
    pub(super) fn sets(&self) -> Vec<&PlanSet> {
        let together = [&self.others, &self.all];
        let together = together.into_iter().filter(|_| self.has_others());
        [&self.nothing, &self.these].into_iter().chain(together).collect()
    }

    /// The clusters these plans touch, each once, in the order of the plans.
    pub(super) fn clusters(&self) -> Vec<ClusterName> {
        let mut clusters: Vec<ClusterName> = Vec::new();
        for cluster in self.these.0.values().flat_map(Action::clusters) {
            if !clusters.contains(cluster) {
                clusters.push(cluster.clone());
            }
        }
        clusters
    }

    /// The workloads they touch.
    pub(super) fn workloads(&self) -> Vec<WorkloadRef> {
        let mut workloads: Vec<WorkloadRef> = Vec::new();
        for workload in self.these.0.values().filter_map(Action::workload) {
            if !workloads.contains(workload) {
                workloads.push(workload.clone());
            }
        }
        workloads
    }
}

fn oldest_first(plans: &[Pending]) -> Vec<&Pending> {
    let mut plans: Vec<&Pending> = plans.iter().collect();
    plans.sort_by_key(|(id, _)| *id);
    plans.dedup_by_key(|(id, _)| *id);
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrate(id: u64, workload: &str, to: &str) -> Pending {
        let cluster = |name: &str| ClusterName::new(name).unwrap();
        let workload = format!("default/{workload}").parse().unwrap();
        (RecommendationId(id), Action::Migrate { workload, from: cluster("a"), to: cluster(to), replicas: 2 })
    }

    fn numbers(set: &PlanSet) -> Vec<u64> {
        set.ids().into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn plans_that_exclude_each_other_are_not_rehearsed_together() {
        let pending =
            [migrate(4, "web", "c"), migrate(1, "api", "b"), migrate(2, "web", "b"), migrate(3, "api", "c")];
        let question = Question::new(&pending[..1], &pending);
        assert_eq!(numbers(question.these()), [4]);
        assert_eq!(numbers(question.others()), [1], "the older of two for one workload, and not itself");
        assert_eq!(numbers(question.all()), [1, 4]);
        assert_eq!(question.sets().len(), 4);
        assert_eq!(question.clusters().iter().map(ClusterName::as_str).collect::<Vec<_>>(), ["a", "c"]);
        let set = Question::new(&pending, &pending);
        assert_eq!(numbers(set.these()), [1, 2]);
        assert_eq!(set.left_out().map(|id| id.0).collect::<Vec<_>>(), [3, 4]);
        assert!(!set.has_others() && set.sets().len() == 2);
    }

    #[test]
    fn there_is_a_limit_to_what_is_begun_together() {
        let pending: Vec<Pending> =
            (0..300).map(|number| migrate(number, &format!("w{number}"), "b")).collect();
        let question = Question::new(&pending[299..], &pending);
        assert_eq!((question.others().ids().len(), question.asked_together()), (MOST_TOGETHER, 299));
        assert_eq!(numbers(question.others())[0], 0, "the oldest are taken");
    }
}
