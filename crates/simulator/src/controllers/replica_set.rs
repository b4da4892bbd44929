//! ReplicaSet: how many pods to create, or which pods to delete.

use super::pod::{NodeKey, PodKey, PodView};
use super::slow_start::PODS_PER_SYNC;
use model::time::{Period, Timestamp};
use std::cmp::{Ordering, Reverse};

/// What to do to reach the wanted number of pods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    Nothing,
    /// Create this many pods, in the batches of [`super::slow_start::batches`].
    Create(u32),
    /// Delete these pods.
    Delete(Vec<PodKey>),
}

/// The counts a ReplicaSet reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplicaSetStatus {
    pub replicas: u32,
    pub ready: u32,
    pub available: u32,
    pub terminating: u32,
}

/// What the set does next, at most 500 pods at a time. `pods` are the pods of this set in any state;
/// `siblings_on` gives the number of active pods on a node that belong to any set of the same owner, this one included.
pub fn plan(replicas: u32, pods: &[PodView], siblings_on: impl Fn(NodeKey) -> u32, now: Timestamp) -> Plan {
    let active = pods.iter().filter(|pod| pod.is_active()).count();
    let wanted = replicas as usize;
    match active.cmp(&wanted) {
        Ordering::Equal => Plan::Nothing,
        Ordering::Less => Plan::Create(((wanted - active) as u32).min(PODS_PER_SYNC)),
        Ordering::Greater => {
            let surplus = (active - wanted).min(PODS_PER_SYNC as usize);
            Plan::Delete(choose_victims(pods, surplus, siblings_on, now))
        }
    }
}

/// The counts over the pods of one set.
pub fn status(pods: &[PodView], min_ready: Period, now: Timestamp) -> ReplicaSetStatus {
    let mut status = ReplicaSetStatus::default();
    for pod in pods {
        status.terminating += u32::from(pod.is_terminating());
        if pod.is_active() {
            status.replicas += 1;
            status.ready += u32::from(pod.is_ready());
            status.available += u32::from(pod.is_available(min_ready, now));
        }
    }
    status
}

fn choose_victims(
    pods: &[PodView],
    count: usize,
    siblings_on: impl Fn(NodeKey) -> u32,
    now: Timestamp,
) -> Vec<PodKey> {
    let active = pods.iter().filter(|pod| pod.is_active());
    let mut candidates: Vec<Candidate> = active.map(|pod| Candidate::new(pod, &siblings_on, now)).collect();
    if count < candidates.len() {
        merge_sort(&mut candidates);
    }
    candidates.truncate(count);
    candidates.iter().map(|candidate| candidate.pod.key).collect()
}

/// A pod with what the ranking needs, computed once and not per comparison.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    pod: &'a PodView,
    siblings: u32,
    ready_age: Age,
    age: Age,
}

/// How long ago something happened. The API keeps whole seconds, so nearer moments count as the same one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Age {
    second: u64,
    /// The binary logarithm of the age in nanoseconds; 0 stands for no age at all.
    bucket: u32,
}

impl Age {
    fn since(moment: Timestamp, now: Timestamp) -> Self {
        const MILLISECONDS_PER_SECOND: u64 = 1_000;
        const NANOSECONDS_PER_MILLISECOND: u64 = 1_000_000;
        let second = moment.as_millis() / MILLISECONDS_PER_SECOND;
        let age = now.as_millis().saturating_sub(second * MILLISECONDS_PER_SECOND);
        let nanoseconds = age.saturating_mul(NANOSECONDS_PER_MILLISECOND);
        Self { second, bucket: nanoseconds.checked_ilog2().map_or(0, |logarithm| logarithm + 1) }
    }

    /// Younger first by order of magnitude, nothing if both are from the same second.
    fn rank(self, other: Self, uids: Ordering) -> Option<Ordering> {
        (self.second != other.second).then(|| self.bucket.cmp(&other.bucket).then(uids))
    }
}

impl<'a> Candidate<'a> {
    fn new(pod: &'a PodView, siblings_on: impl Fn(NodeKey) -> u32, now: Timestamp) -> Self {
        Self {
            pod,
            siblings: pod.node.map_or(0, siblings_on),
            ready_age: Age::since(pod.ready_since.unwrap_or(now), now),
            age: Age::since(pod.created, now),
        }
    }

    /// `Less` means deleted before `other`.
    fn rank(&self, other: &Self) -> Ordering {
        let uids = self.pod.uid.cmp(&other.pod.uid);
        self.progress()
            .cmp(&other.progress())
            .then_with(|| self.rank_readiness(other, uids))
            .then_with(|| other.pod.restarts.cmp(&self.pod.restarts))
            .then_with(|| self.age.rank(other.age, uids).unwrap_or(uids))
    }

    /// Without a node first, then by phase, unready, cheap, and on crowded nodes.
    fn progress(&self) -> impl Ord {
        let pod = self.pod;
        (pod.node.is_some(), pod.phase, pod.is_ready(), pod.deletion_cost, Reverse(self.siblings))
    }

    fn rank_readiness(&self, other: &Self, uids: Ordering) -> Ordering {
        let both_ready = self.pod.is_ready() && other.pod.is_ready();
        both_ready.then(|| self.ready_age.rank(other.ready_age, uids)).flatten().unwrap_or(Ordering::Equal)
    }
}

/// A stable merge sort that accepts upstream's ranking as it is. The ranking is not transitive: pods that became
/// ready in the same second are compared by restarts, pods of the same magnitude by uid, and the two can form a
/// circle. The standard library may panic on such an order; here each neighbouring pair is in upstream's order.
fn merge_sort(candidates: &mut Vec<Candidate>) {
    let mut width = 1;
    let mut sorted = Vec::with_capacity(candidates.len());
    while width < candidates.len() {
        sorted.clear();
        for run in candidates.chunks(2 * width) {
            let (left, right) = run.split_at(width.min(run.len()));
            merge(left, right, &mut sorted);
        }
        std::mem::swap(candidates, &mut sorted);
        width *= 2;
    }
}

fn merge<'a>(mut left: &[Candidate<'a>], mut right: &[Candidate<'a>], sorted: &mut Vec<Candidate<'a>>) {
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if second.rank(first) == Ordering::Less {
            sorted.push(*second);
            right = right_rest;
        } else {
            sorted.push(*first);
            left = left_rest;
        }
    }
    sorted.extend_from_slice(left);
    sorted.extend_from_slice(right);
}

#[cfg(test)]
mod tests {
    use super::super::pod::PodPhase;
    use super::super::pod::tests::running;
    use super::*;

    const NOW: Timestamp = hours(100);

    const fn hours(count: u64) -> Timestamp {
        Timestamp(count * 3_600_000)
    }

    /// The first pod of a row goes before the second, whichever comes first in the list.
    #[test]
    fn the_less_useful_pod_is_deleted_first() {
        let base = running(0);
        let check = |why: &str, victim: PodView, survivor: PodView| {
            let victim = PodView { key: PodKey(1), uid: 9, ..victim };
            let survivor = PodView { key: PodKey(2), uid: 5, ..survivor };
            for pods in [[victim, survivor], [survivor, victim]] {
                let plan = plan(1, &pods, |node| node.0, NOW);
                assert_eq!(plan, Plan::Delete(vec![PodKey(1)]), "{why}");
            }
        };
        let unready = PodView { ready_since: None, ..base };
        let pending = PodView { phase: PodPhase::Pending, ..unready };
        let on = |node| PodView { node: Some(NodeKey(node)), ..base };
        check("unassigned", PodView { node: None, ..pending }, pending);
        check("pending before unknown", pending, PodView { phase: PodPhase::Unknown, ..unready });
        check("unknown before running", PodView { phase: PodPhase::Unknown, ..unready }, unready);
        check("unready", unready, base);
        check("unready beats cost", PodView { deletion_cost: 9, ..unready }, base);
        check("lower cost", PodView { deletion_cost: -1, ..base }, base);
        check("cost beats siblings", PodView { deletion_cost: -1, ..on(1) }, on(7));
        check("more siblings", on(4), on(3));
        check("siblings beat readiness", on(4), PodView { ready_since: Some(hours(99)), ..on(3) });
        check("ready more recently", PodView { ready_since: Some(hours(99)), ..base }, base);
        check(
            "readiness beats restarts",
            PodView { ready_since: Some(hours(99)), ..base },
            PodView { restarts: 8, ..base },
        );
        check("more restarts", PodView { restarts: 2, ..base }, PodView { restarts: 1, ..base });
        check("restarts beat age", PodView { restarts: 2, ..base }, PodView { created: hours(99), ..base });
        check("newer", PodView { created: hours(99), ..base }, base);
    }

    #[test]
    fn within_one_magnitude_the_uid_decides() {
        let check = |why: &str, first: PodView, second: PodView, victim: u32| {
            let pods = [PodView { key: PodKey(1), ..first }, PodView { key: PodKey(2), ..second }];
            assert_eq!(plan(1, &pods, |_| 1, NOW), Plan::Delete(vec![PodKey(victim)]), "{why}");
        };
        let ready = |since, uid| PodView { ready_since: Some(since), uid, ..running(0) };
        // 100 h and 80 h ago are both 2^48 nanoseconds (78 h) and more.
        check("same magnitude, later but larger uid", ready(hours(20), 7), ready(hours(0), 3), 2);
        check("same magnitude, earlier but smaller uid", ready(hours(20), 3), ready(hours(0), 7), 1);
        check("next magnitude", ready(hours(30), 7), ready(hours(0), 3), 1);
        check("just now", ready(NOW, 7), ready(NOW.saturating_sub(Period::from_secs(1)), 3), 1);
        check("the same second, by uid in the end", ready(Timestamp(500), 7), ready(Timestamp(900), 3), 2);
    }

    #[test]
    fn a_circle_in_the_ranking_does_not_panic() {
        // 0 and 1 share a second and differ in restarts; 2 lies in the same magnitude, between them by uid.
        let pods: Vec<PodView> = (0..300)
            .map(|index| PodView {
                ready_since: Some(Timestamp(u64::from(index % 3 == 2) * 1_000)),
                restarts: index % 3,
                uid: [30, 10, 20][index as usize % 3] + u64::from(index / 3) % 7,
                ..running(index)
            })
            .collect();
        let Plan::Delete(victims) = plan(100, &pods, |_| 1, NOW) else { panic!("200 pods are too many") };
        assert_eq!(victims.len(), 200);
        assert_eq!(plan(100, &pods, |_| 1, NOW), Plan::Delete(victims));
    }

    #[test]
    fn counts_are_met_in_steps_of_500() {
        let pods = |count| (0..count).map(running).collect::<Vec<_>>();
        assert_eq!(plan(3, &pods(3), |_| 0, NOW), Plan::Nothing);
        assert_eq!(plan(5, &pods(3), |_| 0, NOW), Plan::Create(2));
        assert_eq!(plan(2_000, &pods(3), |_| 0, NOW), Plan::Create(500));
        assert_eq!(plan(0, &pods(2), |_| 0, NOW), Plan::Delete(vec![PodKey(0), PodKey(1)]));
        let Plan::Delete(victims) = plan(1, &pods(900), |_| 0, NOW) else { panic!("899 are too many") };
        assert_eq!(victims.len(), 500);
    }

    #[test]
    fn finished_and_deleted_pods_are_replaced_not_counted() {
        let pods = [
            running(1),
            PodView { phase: PodPhase::Failed, ..running(2) },
            PodView { deleting: true, ..running(3) },
            PodView { ready_since: None, ..running(4) },
            PodView { ready_since: Some(Timestamp(95)), ..running(5) },
        ];
        assert_eq!(plan(4, &pods, |_| 0, Timestamp(100)), Plan::Create(1));
        let expected = ReplicaSetStatus { replicas: 3, ready: 2, available: 1, terminating: 1 };
        assert_eq!(status(&pods, Period(10), Timestamp(100)), expected);
    }
}
