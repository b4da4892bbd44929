//! One placement decision from filters to replicas, and the account of how it came about.

use super::binding::{BindingState, TargetCluster};
use super::cluster::ClusterView;
use super::division::{assign, attach_empty};
use super::estimate::UNLIMITED;
use super::filter::{self, Refusal, Scope};
use super::placement::{Affinity, Placement};
use super::selection::{Candidate, select};
use super::unschedulable::Unschedulable;
use serde::Serialize;

/// Asks how many more replicas of the binding a cluster can take; none if nobody knows, which counts as enough.
pub type Estimate<'a> = &'a dyn Fn(&ClusterView) -> Option<u32>;

/// A binding that found its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scheduled {
    pub targets: Vec<TargetCluster>,
    /// The affinity group that took it: the next decision's [`BindingState::observed_affinity`].
    pub affinity: Option<String>,
}

/// Every group that was tried, what became of every cluster there, and the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub attempts: Vec<Attempt>,
    pub outcome: Result<Scheduled, Unschedulable>,
}

/// One affinity group, or the whole placement if it has no groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attempt {
    pub affinity: Option<String>,
    /// In the order of the clusters given.
    pub clusters: Vec<ClusterVerdict>,
    pub result: Result<Vec<TargetCluster>, Unschedulable>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClusterVerdict {
    pub cluster: String,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "camelCase")]
pub enum Verdict {
    /// By these filters.
    Refused { refusals: Vec<Refusal> },
    /// Passed the filters.
    Considered {
        score: u64,
        tier: u32,
        allocatable_replicas: u32,
        available_replicas: u64,
        /// The spread constraints chose it.
        selected: bool,
        /// What it got; 0 as well if the attempt failed.
        replicas: u32,
    },
}

/// The score of a cluster that already has the binding; every other has 0. The other scorer upstream always says 0.
const LOCALITY_SCORE: u64 = 100;

/// Places a binding. With ordered affinity groups the search starts at the group of the former result and takes the
/// first group that can hold all replicas; the reason given for a failure is the first group's.
pub fn schedule(
    placement: &Placement,
    clusters: &[ClusterView],
    binding: &BindingState,
    estimate: Estimate<'_>,
) -> Result<Scheduled, Unschedulable> {
    explain(placement, clusters, binding, estimate).outcome
}

/// [`schedule`] with its reasons.
pub fn explain(
    placement: &Placement,
    clusters: &[ClusterView],
    binding: &BindingState,
    estimate: Estimate<'_>,
) -> Explanation {
    let round = Round { placement, clusters, binding, estimate };
    let mut attempts: Vec<Attempt> = Vec::new();
    for scope in scopes(&placement.affinity, binding.observed_affinity.as_deref()) {
        let attempt = round.attempt(scope);
        attempts.push(attempt);
        let Some(Attempt { affinity, result: Ok(targets), .. }) = attempts.last() else { continue };
        let outcome = Ok(Scheduled { targets: targets.clone(), affinity: affinity.clone() });
        return Explanation { attempts, outcome };
    }
    let first = attempts.first().and_then(|attempt| attempt.result.clone().err());
    let reason = first.expect("there is at least one scope, and no attempt succeeded");
    Explanation { attempts, outcome: Err(reason) }
}

/// The groups to try. An observed group that is no longer in the placement counts as none.
fn scopes<'a>(affinity: &'a Affinity, observed: Option<&str>) -> Vec<Scope<'a>> {
    match affinity {
        Affinity::Ordered(groups) => {
            let start = groups.iter().position(|group| Some(group.name.as_str()) == observed).unwrap_or(0);
            groups[start..].iter().map(Scope::Group).collect()
        }
        Affinity::Any | Affinity::One(_) => vec![Scope::Unordered(affinity)],
    }
}

/// What stays the same over all attempts.
struct Round<'a> {
    placement: &'a Placement,
    clusters: &'a [ClusterView],
    binding: &'a BindingState,
    estimate: Estimate<'a>,
}

impl<'a> Round<'a> {
    fn attempt(&self, scope: Scope<'_>) -> Attempt {
        let considered: Vec<Result<Candidate<'a>, Vec<Refusal>>> =
            self.clusters.iter().map(|cluster| self.consider(scope, cluster)).collect();
        let candidates: Vec<Candidate<'a>> = considered.iter().flatten().copied().collect();
        let selected = self.select(candidates);
        let chosen: &[Candidate<'a>] = selected.as_deref().unwrap_or(&[]);
        let result = selected.as_ref().map_err(Clone::clone).and_then(|_| self.assign(scope, chosen));
        let assigned: &[TargetCluster] = result.as_deref().unwrap_or(&[]);
        let clusters = self.clusters.iter().zip(considered).map(|(cluster, considered)| ClusterVerdict {
            cluster: cluster.name.clone(),
            verdict: verdict(considered, chosen, assigned),
        });
        Attempt { affinity: scope.name().map(str::to_owned), clusters: clusters.collect(), result }
    }

    fn consider(&self, scope: Scope<'_>, cluster: &'a ClusterView) -> Result<Candidate<'a>, Vec<Refusal>> {
        let tier = filter::run(self.placement, scope, self.binding, cluster)?;
        let score = if self.binding.is_placed_on(&cluster.name) { LOCALITY_SCORE } else { 0 };
        let allocatable_replicas = self.allocatable(cluster);
        let running = u64::from(self.binding.replicas_on(&cluster.name));
        let available_replicas = u64::from(allocatable_replicas) + running;
        Ok(Candidate { cluster, score, tier, allocatable_replicas, available_replicas })
    }

    /// Without replicas to place nobody is asked; where no limit is known the binding fits.
    fn allocatable(&self, cluster: &ClusterView) -> u32 {
        if self.binding.replicas == 0 {
            return UNLIMITED;
        }
        (self.estimate)(cluster).filter(|replicas| *replicas < UNLIMITED).unwrap_or(self.binding.replicas)
    }

    fn select(&self, candidates: Vec<Candidate<'a>>) -> Result<Vec<Candidate<'a>>, Unschedulable> {
        if candidates.is_empty() {
            return Err(Unschedulable::NoClusterFits { clusters: self.clusters.len() });
        }
        let Placement { spread, scheduling, .. } = self.placement;
        select(candidates, spread.as_ref(), scheduling, self.binding.replicas)
    }

    fn assign(
        &self,
        scope: Scope<'_>,
        chosen: &[Candidate<'a>],
    ) -> Result<Vec<TargetCluster>, Unschedulable> {
        let targets = assign(chosen, &self.placement.scheduling, scope.overflows(), self.binding)?;
        Ok(if self.binding.propagate_empty { attach_empty(chosen, targets) } else { targets })
    }
}

fn verdict(
    considered: Result<Candidate<'_>, Vec<Refusal>>,
    chosen: &[Candidate<'_>],
    assigned: &[TargetCluster],
) -> Verdict {
    let candidate = match considered {
        Ok(candidate) => candidate,
        Err(refusals) => return Verdict::Refused { refusals },
    };
    let name = candidate.cluster.name.as_str();
    Verdict::Considered {
        score: candidate.score,
        tier: candidate.tier,
        allocatable_replicas: candidate.allocatable_replicas,
        available_replicas: candidate.available_replicas,
        selected: chosen.iter().any(|chosen| chosen.cluster.name == name),
        replicas: assigned.iter().find(|target| target.name == name).map_or(0, |target| target.replicas),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Clusters `(name, room)`; the binding as JSON.
    struct Case<'a> {
        placement: &'a Value,
        rooms: &'a [(&'a str, u32)],
        binding: Value,
    }

    impl Case<'_> {
        fn explain(&self) -> Explanation {
            let placement: Placement = serde_json::from_value(self.placement.clone()).expect("a placement");
            let binding: BindingState = serde_json::from_value(self.binding.clone()).expect("a binding");
            let clusters: Vec<ClusterView> =
                self.rooms.iter().map(|(name, _)| ClusterView::named(*name)).collect();
            let room = |cluster: &ClusterView| {
                self.rooms.iter().find(|(name, _)| *name == cluster.name).map(|(_, room)| *room)
            };
            explain(&placement, &clusters, &binding, &room)
        }
    }

    /// The group and its targets, or the failure's message.
    type Expected<'a> = Result<(&'a str, &'a [(&'a str, u32)]), &'a str>;

    fn check(placement: &Value, rooms: &[(&str, u32)], binding: Value, expected: Expected<'_>) {
        let description = format!("{rooms:?} {binding}");
        let outcome = Case { placement, rooms, binding }.explain().outcome;
        let readable = outcome.map(|scheduled| {
            let targets = scheduled.targets.into_iter().map(|target| (target.name, target.replicas));
            (scheduled.affinity.unwrap_or_default(), targets.collect::<Vec<_>>())
        });
        let expected = expected.map(|(group, targets)| {
            (
                group.to_owned(),
                targets.iter().map(|(name, replicas)| ((*name).to_owned(), *replicas)).collect(),
            )
        });
        assert_eq!(
            readable.map_err(|reason| reason.to_string()),
            expected.map_err(str::to_owned),
            "{description}"
        );
    }

    fn private_then_public(scheduling: &Value) -> Value {
        json!({
            "clusterAffinities": [
                {"affinityName": "private", "clusterNames": ["home1", "home2"]},
                {"affinityName": "public", "clusterNames": ["cloud"]},
            ],
            "replicaScheduling": scheduling,
        })
    }

    fn dynamic() -> Value {
        json!({"weightPreference": {"dynamicWeight": "AvailableReplicas"}})
    }

    #[test]
    fn the_whole_binding_moves_to_the_next_group() {
        let placement = private_then_public(&dynamic());
        let five = || json!({"replicas": 5});
        check(
            &placement,
            &[("home1", 3), ("home2", 2), ("cloud", 9)],
            five(),
            Ok(("private", &[("home1", 3), ("home2", 2)])),
        );
        // Private could take 4 of the 5: it gets none.
        check(
            &placement,
            &[("home1", 3), ("home2", 1), ("cloud", 9)],
            five(),
            Ok(("public", &[("cloud", 5)])),
        );
        // Groups are never combined, and the reason is the first group's.
        check(
            &placement,
            &[("home1", 3), ("home2", 1), ("cloud", 4)],
            five(),
            Err("5 replicas do not fit: home1 3, home2 1"),
        );
        check(&placement, &[("cloud", 9)], five(), Ok(("public", &[("cloud", 5)])));
        check(&placement, &[("other", 9)], five(), Err("none of 1 clusters passes the filters"));
    }

    #[test]
    fn only_a_division_by_room_falls_through() {
        let rooms = [("home1", 0), ("home2", 0), ("cloud", 9)];
        let duplicated = private_then_public(&json!({"replicaSchedulingType": "Duplicated"}));
        check(&duplicated, &rooms, json!({"replicas": 2}), Ok(("private", &[("home1", 2), ("home2", 2)])));
        let equal = private_then_public(&json!({}));
        check(&equal, &rooms, json!({"replicas": 2}), Ok(("private", &[("home1", 1), ("home2", 1)])));
        let aggregated = private_then_public(&json!({"replicaDivisionPreference": "Aggregated"}));
        check(&aggregated, &rooms, json!({"replicas": 2}), Ok(("public", &[("cloud", 2)])));
    }

    #[test]
    fn the_search_never_goes_back() {
        let placement = private_then_public(&dynamic());
        let on_cloud = json!({
            "replicas": 3, "observedAffinity": "public", "previous": [{"name": "cloud", "replicas": 2}],
        });
        check(&placement, &[("home1", 9), ("cloud", 9)], on_cloud.clone(), Ok(("public", &[("cloud", 3)])));
        check(&placement, &[("home1", 9), ("cloud", 0)], on_cloud, Err("1 replicas do not fit: cloud 0"));
        let renamed = json!({"replicas": 3, "observedAffinity": "gone"});
        check(&placement, &[("home1", 9), ("cloud", 9)], renamed, Ok(("private", &[("home1", 3)])));
        // Growing beyond the private group moves what already runs there as well.
        let at_home = json!({
            "replicas": 5, "observedAffinity": "private", "previous": [{"name": "home1", "replicas": 3}],
        });
        check(&placement, &[("home1", 1), ("cloud", 9)], at_home.clone(), Ok(("public", &[("cloud", 5)])));
        check(&placement, &[("home1", 2), ("cloud", 9)], at_home, Ok(("private", &[("home1", 5)])));
    }

    #[test]
    fn a_later_group_may_contain_the_earlier_one() {
        let placement = json!({
            "clusterAffinities": [
                {"affinityName": "private", "clusterNames": ["home1"]},
                {"affinityName": "both", "clusterNames": ["home1", "cloud"]},
            ],
            "replicaScheduling": dynamic(),
        });
        let rooms = [("home1", 3), ("cloud", 9)];
        check(&placement, &rooms, json!({"replicas": 4}), Ok(("both", &[("cloud", 3), ("home1", 1)])));
    }

    #[test]
    fn overflow_groups_take_only_the_rest() {
        let placement = json!({
            "clusterAffinities": [{
                "affinityName": "private", "clusterNames": ["home1", "home2"],
                "overflowAffinities": [{"affinityName": "burst", "clusterNames": ["cloud"]}],
            }],
            "replicaScheduling": dynamic(),
        });
        let rooms = [("home1", 3), ("home2", 1), ("cloud", 9)];
        let all_three: &[(&str, u32)] = &[("home1", 3), ("home2", 1), ("cloud", 2)];
        check(&placement, &rooms, json!({"replicas": 4}), Ok(("private", &[("home1", 3), ("home2", 1)])));
        check(&placement, &rooms, json!({"replicas": 6}), Ok(("private", all_three)));
        let reason = "14 replicas do not fit: home1 3, home2 1, cloud 9";
        check(&placement, &rooms, json!({"replicas": 14}), Err(reason));
        // Scaling down empties the overflow first.
        let previous = json!([{"name": "home1", "replicas": 3}, {"name": "cloud", "replicas": 2}]);
        let down = json!({"replicas": 3, "observedAffinity": "private", "previous": previous});
        check(
            &placement,
            &[("home1", 0), ("home2", 0), ("cloud", 7)],
            down,
            Ok(("private", &[("home1", 3)])),
        );
    }

    #[test]
    fn without_groups() {
        let divided = json!({"replicaScheduling": {"replicaDivisionPreference": "Aggregated"}});
        check(&divided, &[("a", 3), ("b", 5)], json!({"replicas": 4}), Ok(("", &[("b", 4)])));
        check(&json!({}), &[("a", 0), ("b", 0)], json!({"replicas": 4}), Ok(("", &[("a", 4), ("b", 4)])));
        // Configuration goes everywhere, without replicas; a workload scaled to zero goes nowhere unless asked for.
        check(&divided, &[("a", 3), ("b", 5)], json!({}), Ok(("", &[("a", 0), ("b", 0)])));
        let zero = json!({"hasReplicaRequirements": true});
        check(&divided, &[("a", 3), ("b", 5)], zero, Ok(("", &[])));
        let empty = json!({"hasReplicaRequirements": true, "propagateEmpty": true});
        check(&divided, &[("a", 3), ("b", 5)], empty, Ok(("", &[("a", 0), ("b", 0)])));
        // The spread constraint without a greatest number selects nothing.
        let unbounded = json!({"spreadConstraints": [{"minGroups": 1}]});
        check(
            &unbounded,
            &[("a", 3)],
            json!({"replicas": 1}),
            Err("the spread constraints select no cluster"),
        );
    }

    #[test]
    fn no_estimate_counts_as_enough() {
        let placement =
            Placement { scheduling: super::super::ReplicaScheduling::DynamicWeight, ..Placement::default() };
        let clusters = [ClusterView::named("a"), ClusterView::named("b")];
        let binding = BindingState { replicas: 4, ..BindingState::default() };
        for unknown in [None, Some(UNLIMITED)] {
            let scheduled = schedule(&placement, &clusters, &binding, &|_| unknown).expect("fits");
            assert_eq!(scheduled.targets, [TargetCluster::new("a", 2), TargetCluster::new("b", 2)]);
        }
    }

    #[test]
    fn every_cluster_has_a_verdict() {
        let placement = json!({
            "clusterAffinity": {"exclude": ["d"]},
            "spreadConstraints": [{"maxGroups": 2}],
            "replicaScheduling": {"replicaDivisionPreference": "Aggregated"},
        });
        let binding =
            json!({"replicas": 3, "previous": [{"name": "c", "replicas": 1}], "gracefulEvictions": ["d"]});
        let case = Case { placement: &placement, rooms: &[("a", 5), ("b", 4), ("c", 0), ("d", 9)], binding };
        let explanation = case.explain();
        let considered = |score, room: u32, running: u64, selected, replicas| Verdict::Considered {
            score,
            tier: 0,
            allocatable_replicas: room,
            available_replicas: u64::from(room) + running,
            selected,
            replicas,
        };
        let verdicts: Vec<Verdict> =
            explanation.attempts[0].clusters.iter().map(|cluster| cluster.verdict.clone()).collect();
        let refusals = vec![Refusal::ClusterAffinity, Refusal::ClusterEviction];
        let expected = [
            considered(0, 5, 0, true, 2),
            considered(0, 4, 0, false, 0),
            considered(100, 0, 1, true, 1),
            Verdict::Refused { refusals },
        ];
        assert_eq!(verdicts, expected);
        let written = serde_json::to_value(&explanation).expect("an explanation can be written");
        assert_eq!(
            written["attempts"][0]["clusters"][3]["verdict"]["refusals"][1]["filter"],
            "clusterEviction"
        );
    }
}
