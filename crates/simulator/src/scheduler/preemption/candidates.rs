//! Which nodes are worth a dry run, and which of the possible ones is the least harmful.

use super::{NodeId, Refusal, Victim, Victims};
use std::cmp::Reverse;

/// How many candidates are enough; the defaults are those of `DefaultPreemptionArgs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateLimits {
    pub percentage_of_nodes: usize,
    pub at_least: usize,
}

impl Default for CandidateLimits {
    fn default() -> Self {
        Self { percentage_of_nodes: 10, at_least: 100 }
    }
}

impl CandidateLimits {
    pub fn wanted(self, nodes: usize) -> usize {
        (nodes * self.percentage_of_nodes / 100).max(self.at_least).min(nodes)
    }
}

/// A node and who has to go from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub node: NodeId,
    pub victims: Victims,
}

/// What the dry runs found: candidates without budget violations first, and what kept the other nodes from being one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search<Rejection> {
    pub(super) candidates: Vec<Candidate>,
    pub(super) refusals: Vec<(NodeId, Refusal<Rejection>)>,
}

/// Tries the nodes from `offset` on, around the end, until enough candidates are found and one of them violates no
/// budget.
pub(super) fn search<Rejection>(
    nodes: &[NodeId],
    offset: usize,
    wanted: usize,
    mut dry_run: impl FnMut(NodeId) -> Result<Victims, Refusal<Rejection>>,
) -> Search<Rejection> {
    let (mut harmless, mut violating, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..nodes.len() {
        let node = nodes[(offset + step) % nodes.len()];
        match dry_run(node) {
            Ok(victims) if victims.budget_violations == 0 => harmless.push(Candidate { node, victims }),
            // More than enough violating ones are not kept; the search goes on only for a harmless one.
            Ok(victims) if violating.len() < wanted => violating.push(Candidate { node, victims }),
            Ok(_) => {}
            Err(refusal) => refusals.push((node, refusal)),
        }
        if !harmless.is_empty() && harmless.len() + violating.len() >= wanted {
            break;
        }
    }
    harmless.append(&mut violating);
    Search { candidates: harmless, refusals }
}

/// The candidate that does the least harm; among equals the first.
pub fn least_harmful(candidates: &[Candidate]) -> Option<&Candidate> {
    candidates.iter().min_by_key(|candidate| harm(&candidate.victims))
}

/// Compared in this order: budget violations; the highest priority among the victims; the sum of their priorities;
/// their number; how long the most important of them have been running.
type Harm = (usize, i32, i64, usize, Reverse<i64>);

fn harm(victims: &Victims) -> Harm {
    let highest = victims.pods.iter().map(|victim| victim.priority).max().unwrap_or(i32::MIN);
    // Shifted to be positive, so that fewer pods of a negative priority weigh less than more of them.
    let weight = |victim: &Victim| i64::from(victim.priority) - i64::from(i32::MIN);
    let of_highest = victims.pods.iter().filter(|victim| victim.priority == highest);
    let earliest_start = of_highest.map(Victim::start).min().unwrap_or(i64::MAX);
    (
        victims.budget_violations,
        highest,
        victims.pods.iter().map(weight).sum(),
        victims.pods.len(),
        Reverse(earliest_start),
    )
}

#[cfg(test)]
mod tests {
    use super::super::PodId;
    use super::*;

    #[test]
    fn how_many_candidates_are_enough() {
        let default = CandidateLimits::default();
        let few = CandidateLimits { percentage_of_nodes: 40, at_least: 1 };
        let rows = [
            (default, 0, 0),
            (default, 50, 50),
            (default, 500, 100),
            (default, 1_000, 100),
            (default, 5_000, 500),
            (few, 5, 2),
            (few, 2, 1),
        ];
        for (limits, nodes, want) in rows {
            assert_eq!(limits.wanted(nodes), want, "{limits:?} of {nodes}");
        }
    }

    /// A node's victims as (priority, start).
    type Pods = &'static [(i32, Option<i64>)];

    fn check(story: &str, nodes: &[(usize, Pods)], want: u32) {
        let candidates: Vec<_> = (0..)
            .zip(nodes)
            .map(|(node, (budget_violations, pods))| Candidate {
                node: NodeId(node),
                victims: Victims {
                    pods: pods
                        .iter()
                        .map(|&(priority, started_at)| Victim { pod: PodId(0), priority, started_at })
                        .collect(),
                    budget_violations: *budget_violations,
                },
            })
            .collect();
        assert_eq!(least_harmful(&candidates).map(|candidate| candidate.node), Some(NodeId(want)), "{story}");
    }

    #[test]
    fn the_least_harmful_candidate() {
        check("fewer violations", &[(1, &[(0, None)]), (0, &[(9, None)])], 1);
        check("lower highest priority", &[(0, &[(5, None)]), (0, &[(4, None), (4, None)])], 1);
        check("lower sum", &[(0, &[(5, None), (4, None)]), (0, &[(5, None), (3, None)])], 1);
        check("fewer of a negative priority", &[(0, &[(-5, None), (-5, None)]), (0, &[(-5, None)])], 1);
        check("younger", &[(0, &[(5, Some(1))]), (0, &[(5, Some(2))])], 1);
        check("not yet started is youngest", &[(0, &[(5, Some(1))]), (0, &[(5, None)])], 1);
        check(
            "only the most important ones' age counts",
            &[(0, &[(5, Some(9)), (4, Some(1))]), (0, &[(5, Some(8)), (4, Some(9))])],
            0,
        );
        check("the first of equals", &[(0, &[(5, Some(1))]), (0, &[(5, Some(1))])], 0);
    }
}
