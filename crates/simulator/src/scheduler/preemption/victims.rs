//! The dry run on one node: which pods must go so that the preemptor fits, and no more than those.

use super::PodId;
use std::cmp::Reverse;

/// A pod that may have to make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victim {
    pub pod: PodId,
    pub priority: i32,
    /// A pod that has not started yet counts as started just now.
    pub started_at: Option<i64>,
}

impl Victim {
    /// Sorts the most important pod first: higher priority, then longer running.
    pub fn importance(&self) -> (Reverse<i32>, i64) {
        (Reverse(self.priority), self.start())
    }

    pub(super) fn start(&self) -> i64 {
        self.started_at.unwrap_or(i64::MAX)
    }
}

/// One node on which removals are tried out. It starts with all its pods.
pub(super) trait Trial {
    /// Why the preemptor does not fit.
    type Rejection;

    fn remove(&mut self, pod: PodId);
    fn put_back(&mut self, pod: PodId);
    /// Whether the preemptor fits as things stand, with nominated pods counted.
    fn fits(&mut self) -> Result<(), Self::Rejection>;
}

/// Why a node does not become a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal<Rejection> {
    /// No pod on the node has a lower priority.
    NoVictims,
    /// The preemptor does not fit even without all pods of lower priority.
    Rejected(Rejection),
    /// It fits with all pods back in place: whatever rejected it before has gone.
    NobodyHasToGo,
}

/// Who has to go from a node, most important first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Victims {
    pub pods: Vec<Victim>,
    pub budget_violations: usize,
}

/// Removes all of `lower`, the pods of lower priority, and puts back as many as possible: first those whose going would
/// violate a disruption budget, each time the most important first.
///
/// `split` separates those that violate a budget from the others and keeps their order.
pub(super) fn select_victims<T: Trial>(
    trial: &mut T,
    mut lower: Vec<Victim>,
    split: impl FnOnce(&[Victim]) -> (Vec<Victim>, Vec<Victim>),
) -> Result<Victims, Refusal<T::Rejection>> {
    if lower.is_empty() {
        return Err(Refusal::NoVictims);
    }
    lower.iter().for_each(|victim| trial.remove(victim.pod));
    trial.fits().map_err(Refusal::Rejected)?;
    lower.sort_by_key(Victim::importance);
    let (violating, others) = split(&lower);
    let mut pods = without_the_reprieved(trial, violating);
    let budget_violations = pods.len();
    pods.extend(without_the_reprieved(trial, others));
    pods.sort_by_key(Victim::importance);
    if pods.is_empty() { Err(Refusal::NobodyHasToGo) } else { Ok(Victims { pods, budget_violations }) }
}

fn without_the_reprieved<T: Trial>(trial: &mut T, pods: Vec<Victim>) -> Vec<Victim> {
    let mut victims = Vec::new();
    for victim in pods {
        trial.put_back(victim.pod);
        if trial.fits().is_err() {
            trial.remove(victim.pod);
            victims.push(victim);
        }
    }
    victims
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node with room for some units; every pod takes as many units as its id.
    struct Room {
        free: i64,
        wanted: i64,
    }

    impl Trial for Room {
        type Rejection = ();

        fn remove(&mut self, pod: PodId) {
            self.free += i64::from(pod.0);
        }

        fn put_back(&mut self, pod: PodId) {
            self.free -= i64::from(pod.0);
        }

        fn fits(&mut self) -> Result<(), ()> {
            if self.free >= self.wanted { Ok(()) } else { Err(()) }
        }
    }

    struct Row {
        story: &'static str,
        /// Pods as (id, priority, start).
        pods: &'static [(u32, i32, i64)],
        violating: &'static [u32],
        free: i64,
        wanted: i64,
        /// The victims with the number of violations among them.
        want: Result<(&'static [u32], usize), Refusal<()>>,
    }

    fn check(row: &Row) {
        let lower = row.pods.iter().map(|&(id, priority, start)| Victim {
            pod: PodId(id),
            priority,
            started_at: Some(start),
        });
        let got =
            select_victims(&mut Room { free: row.free, wanted: row.wanted }, lower.collect(), |sorted| {
                sorted.iter().partition(|victim| row.violating.contains(&victim.pod.0))
            });
        let want = row.want.clone().map(|(ids, violations)| (ids.to_vec(), violations));
        let ids = |victims: Victims| victims.pods.iter().map(|victim| victim.pod.0).collect::<Vec<_>>();
        assert_eq!(
            got.map(|victims| (ids(victims.clone()), victims.budget_violations)),
            want,
            "{}",
            row.story
        );
    }

    #[test]
    fn as_few_and_as_unimportant_as_possible() {
        let rows = [
            Row {
                story: "nobody is lower",
                pods: &[],
                violating: &[],
                free: 0,
                wanted: 1,
                want: Err(Refusal::NoVictims),
            },
            Row {
                story: "not enough even without all",
                pods: &[(3, 0, 0)],
                violating: &[],
                free: 0,
                wanted: 4,
                want: Err(Refusal::Rejected(())),
            },
            Row {
                story: "fits as it is",
                pods: &[(3, 0, 0)],
                violating: &[],
                free: 4,
                wanted: 4,
                want: Err(Refusal::NobodyHasToGo),
            },
            Row {
                story: "the less important goes",
                pods: &[(3, 1, 0), (4, 2, 0)],
                violating: &[],
                free: 0,
                wanted: 3,
                want: Ok((&[3], 0)),
            },
            Row {
                story: "among equals the younger goes",
                pods: &[(3, 1, 10), (4, 1, 20)],
                violating: &[],
                free: 0,
                wanted: 3,
                want: Ok((&[4], 0)),
            },
            Row {
                story: "a budget protects the less important",
                pods: &[(3, 1, 0), (4, 2, 0)],
                violating: &[3],
                free: 0,
                wanted: 3,
                want: Ok((&[4], 0)),
            },
            Row {
                story: "a budget is violated if there is no other way",
                pods: &[(3, 1, 0), (4, 2, 0)],
                violating: &[3],
                free: 0,
                wanted: 7,
                want: Ok((&[4, 3], 1)),
            },
        ];
        rows.iter().for_each(check);
    }
}
