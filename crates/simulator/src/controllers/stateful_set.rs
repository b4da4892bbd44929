//! StatefulSet: pods with fixed ordinals, created from the lowest, removed and replaced from the highest.

use super::int_or_percent::{IntOrPercent, Rounding};
use super::pod::{PodKey, PodPhase, PodView};
use model::time::{Period, Timestamp};

/// Whether pods wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodManagement {
    /// One pod at a time, each after all before it are available.
    OrderedReady,
    /// All pods at once.
    Parallel,
}

/// How pods of an old template are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateStrategy {
    /// From the highest ordinal down to `partition`. Without `max_unavailable` one pod at a time, in strict order;
    /// with it (the feature `MaxUnavailableStatefulSet`, off by default in 1.35) that many at once.
    RollingUpdate { partition: u32, max_unavailable: Option<IntOrPercent> },
    /// Only when someone else deletes a pod.
    OnDelete,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatefulSetSpec {
    pub replicas: u32,
    /// The ordinal of the first pod.
    pub start: u32,
    pub management: PodManagement,
    pub update: UpdateStrategy,
    pub min_ready: Period,
}

impl Default for StatefulSetSpec {
    /// The API's defaults.
    fn default() -> Self {
        Self {
            replicas: 1,
            start: 0,
            management: PodManagement::OrderedReady,
            update: UpdateStrategy::RollingUpdate { partition: 0, max_unavailable: None },
            min_ready: Period::ZERO,
        }
    }
}

/// The two templates in play: pods move from `current` to `update`; they are equal when no rollout is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revisions {
    pub current: u64,
    pub update: u64,
}

/// One pod of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatefulPod {
    pub pod: PodView,
    pub ordinal: u32,
    /// The template it was made from.
    pub revision: u64,
}

/// What the set does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Create { ordinal: u32, revision: u64 },
    Delete { pod: PodKey },
}

/// The counts a StatefulSet reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatefulSetStatus {
    pub replicas: u32,
    pub ready: u32,
    pub available: u32,
    /// Pods of the current revision that are not on their way out.
    pub current: u32,
    /// Pods of the update revision that are not on their way out.
    pub updated: u32,
}

/// The name of a pod of the set.
pub fn pod_name(set: &str, ordinal: u32) -> String {
    format!("{set}-{ordinal}")
}

/// The counts over the pods of one set.
pub fn status(
    spec: &StatefulSetSpec,
    revisions: Revisions,
    pods: &[StatefulPod],
    now: Timestamp,
) -> StatefulSetStatus {
    let mut status = StatefulSetStatus { replicas: pods.len() as u32, ..StatefulSetStatus::default() };
    for StatefulPod { pod, revision, .. } in pods {
        let ready = is_running_and_ready(pod);
        status.ready += u32::from(ready);
        status.available += u32::from(ready && pod.is_available(spec.min_ready, now));
        if !pod.deleting {
            status.current += u32::from(*revision == revisions.current);
            status.updated += u32::from(*revision == revisions.update);
        }
    }
    status
}

/// The revisions after a sync that reported `status`: when all pods are updated and ready the rollout is over.
pub fn settle(spec: &StatefulSetSpec, revisions: Revisions, status: &StatefulSetStatus) -> Revisions {
    let rolling = matches!(spec.update, UpdateStrategy::RollingUpdate { .. });
    let done = [status.updated, status.ready, status.replicas].iter().all(|count| *count == spec.replicas);
    if rolling && done { Revisions { current: revisions.update, ..revisions } } else { revisions }
}

/// One step: fill the wanted ordinals, then remove the others, then replace outdated pods. `pods` are all pods of the
/// set, one per ordinal, in any order.
pub fn sync(
    spec: &StatefulSetSpec,
    revisions: Revisions,
    pods: &[StatefulPod],
    now: Timestamp,
) -> Vec<Command> {
    let mut step = Step::new(spec, revisions, pods, now);
    let blocked = step.fill() || step.remove_condemned();
    if !blocked {
        step.replace_outdated();
    }
    step.commands
}

fn is_running_and_ready(pod: &PodView) -> bool {
    pod.phase == PodPhase::Running && pod.is_ready()
}

struct Step<'a> {
    spec: &'a StatefulSetSpec,
    revisions: Revisions,
    now: Timestamp,
    /// The pod of each wanted ordinal, from the lowest.
    slots: Vec<Option<&'a StatefulPod>>,
    /// Pods of other ordinals, from the highest.
    condemned: Vec<&'a StatefulPod>,
    commands: Vec<Command>,
}

impl<'a> Step<'a> {
    fn new(spec: &'a StatefulSetSpec, revisions: Revisions, pods: &'a [StatefulPod], now: Timestamp) -> Self {
        let mut slots = vec![None; spec.replicas as usize];
        let mut condemned = Vec::new();
        for pod in pods {
            let index = pod.ordinal.checked_sub(spec.start).map(|index| index as usize);
            match index.and_then(|index| slots.get_mut(index)) {
                Some(slot) => *slot = Some(pod),
                None => condemned.push(pod),
            }
        }
        condemned.sort_unstable_by_key(|pod| std::cmp::Reverse(pod.ordinal));
        Self { spec, revisions, now, slots, condemned, commands: Vec::new() }
    }

    fn is_ordered(&self) -> bool {
        self.spec.management == PodManagement::OrderedReady
    }

    /// Creates missing pods and clears away finished ones. True if an ordered set has to wait.
    fn fill(&mut self) -> bool {
        for index in 0..self.slots.len() {
            let waits = self.fill_slot(index);
            if waits && self.is_ordered() {
                return true;
            }
        }
        false
    }

    fn fill_slot(&mut self, index: usize) -> bool {
        match self.slots[index] {
            None => {
                let revision = self.revision_for(index);
                self.commands.push(Command::Create { ordinal: self.spec.start + index as u32, revision });
                true
            }
            Some(StatefulPod { pod, .. }) if pod.is_finished() => {
                if !pod.deleting {
                    self.commands.push(Command::Delete { pod: pod.key });
                }
                true
            }
            Some(StatefulPod { pod, .. }) => {
                pod.deleting || !is_running_and_ready(pod) || !self.is_available(pod)
            }
        }
    }

    /// A pod below the partition is made from the current template, so that a canary stays one.
    fn revision_for(&self, index: usize) -> u64 {
        match self.spec.update {
            UpdateStrategy::RollingUpdate { partition, .. } if index < partition as usize => {
                self.revisions.current
            }
            _ => self.revisions.update,
        }
    }

    /// Deletes pods beyond the wanted ordinals. True if an ordered set has to wait.
    fn remove_condemned(&mut self) -> bool {
        if !self.is_ordered() {
            let leaving = self.condemned.iter().filter(|pod| !pod.pod.deleting);
            self.commands.extend(leaving.map(|pod| Command::Delete { pod: pod.pod.key }));
            return false;
        }
        let Some(highest) = self.condemned.first().map(|pod| pod.pod) else { return false };
        // An unhealthy pod is only removed when it is the lowest one: otherwise removing it would hide the trouble.
        let lowest_unavailable = self.condemned.iter().rev().find(|pod| self.is_unavailable(&pod.pod));
        let healthy = is_running_and_ready(&highest) && self.is_available(&highest);
        let is_lowest_unavailable = lowest_unavailable.is_some_and(|pod| pod.pod.key == highest.key);
        if !highest.deleting && (healthy || is_lowest_unavailable) {
            self.commands.push(Command::Delete { pod: highest.key });
        }
        true
    }

    fn replace_outdated(&mut self) {
        match self.spec.update {
            UpdateStrategy::OnDelete => {}
            UpdateStrategy::RollingUpdate { partition, max_unavailable: None } => {
                self.replace_next(partition);
            }
            UpdateStrategy::RollingUpdate { partition, max_unavailable: Some(limit) } => {
                self.replace_up_to(partition, limit);
            }
        }
    }

    /// Deletes the highest outdated pod, once all pods above it are available.
    fn replace_next(&mut self, partition: u32) {
        for index in (partition as usize..self.slots.len()).rev() {
            if let Some(pod) = self.outdated(index) {
                return self.commands.push(Command::Delete { pod });
            }
            if self.is_slot_unavailable(index) {
                return;
            }
        }
    }

    /// Deletes outdated pods from the highest ordinal while fewer pods than the limit are unavailable.
    fn replace_up_to(&mut self, partition: u32, limit: IntOrPercent) {
        let limit = limit.of(self.spec.replicas, Rounding::Down).max(1) as usize;
        let unavailable = (0..self.slots.len()).filter(|index| self.is_slot_unavailable(*index)).count();
        let room = limit.saturating_sub(unavailable);
        let outdated = (partition as usize..self.slots.len()).rev().filter_map(|index| self.outdated(index));
        let replaced: Vec<Command> = outdated.take(room).map(|pod| Command::Delete { pod }).collect();
        self.commands.extend(replaced);
    }

    /// A pod to replace; a finished one was already cleared away while filling.
    fn outdated(&self, index: usize) -> Option<PodKey> {
        let StatefulPod { pod, revision, .. } = self.slots[index]?;
        let stays = *revision == self.revisions.update || pod.deleting || pod.is_finished();
        (!stays).then_some(pod.key)
    }

    fn is_slot_unavailable(&self, index: usize) -> bool {
        self.slots[index].is_none_or(|pod| self.is_unavailable(&pod.pod))
    }

    fn is_available(&self, pod: &PodView) -> bool {
        pod.is_available(self.spec.min_ready, self.now)
    }

    fn is_unavailable(&self, pod: &PodView) -> bool {
        pod.deleting || !self.is_available(pod)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pod::tests::running;
    use super::*;

    const STEADY: Revisions = Revisions { current: 1, update: 1 };
    const ROLLOUT: Revisions = Revisions { current: 1, update: 2 };

    /// A pod whose key is its ordinal.
    fn pod(ordinal: u32, revision: u64) -> StatefulPod {
        StatefulPod { pod: running(ordinal), ordinal, revision }
    }

    fn with(mut stateful: StatefulPod, change: impl Fn(&mut PodView)) -> StatefulPod {
        change(&mut stateful.pod);
        stateful
    }

    fn starting(ordinal: u32) -> StatefulPod {
        with(pod(ordinal, 1), |pod| (pod.phase, pod.ready_since) = (PodPhase::Pending, None))
    }

    fn leaving(ordinal: u32) -> StatefulPod {
        with(pod(ordinal, 1), |pod| pod.deleting = true)
    }

    fn failed(ordinal: u32) -> StatefulPod {
        with(pod(ordinal, 1), |pod| (pod.phase, pod.ready_since) = (PodPhase::Failed, None))
    }

    fn create(ordinal: u32, revision: u64) -> Command {
        Command::Create { ordinal, revision }
    }

    fn delete(ordinal: u32) -> Command {
        Command::Delete { pod: PodKey(ordinal) }
    }

    #[test]
    fn an_ordered_set_goes_one_pod_at_a_time() {
        let check = |replicas, pods: &[StatefulPod], expected: &[Command]| {
            let spec = StatefulSetSpec { replicas, ..StatefulSetSpec::default() };
            assert_eq!(sync(&spec, STEADY, pods, Timestamp(100)), expected, "{replicas} of {pods:?}");
        };
        check(3, &[], &[create(0, 1)]);
        check(3, &[starting(0)], &[]);
        check(3, &[pod(0, 1)], &[create(1, 1)]);
        check(3, &[pod(2, 1), pod(0, 1)], &[create(1, 1)]);
        check(3, &[failed(0), pod(1, 1)], &[delete(0)]);
        check(3, &[pod(0, 1), leaving(1)], &[]);
        check(1, &[pod(0, 1), pod(1, 1), pod(2, 1)], &[delete(2)]);
        check(1, &[pod(0, 1), pod(1, 1), leaving(2)], &[]);
        check(1, &[starting(0), pod(1, 1)], &[]);
        check(1, &[pod(0, 1), starting(1), starting(2)], &[]);
        check(1, &[pod(0, 1), pod(1, 1), starting(2)], &[delete(2)]);
        check(0, &[pod(0, 1)], &[delete(0)]);
        check(2, &[pod(0, 1), pod(1, 1)], &[]);
    }

    #[test]
    fn a_parallel_set_goes_all_at_once() {
        let check = |replicas, pods: &[StatefulPod], expected: &[Command]| {
            let spec = StatefulSetSpec {
                replicas,
                management: PodManagement::Parallel,
                ..StatefulSetSpec::default()
            };
            assert_eq!(sync(&spec, STEADY, pods, Timestamp(100)), expected, "{replicas} of {pods:?}");
        };
        check(3, &[], &[create(0, 1), create(1, 1), create(2, 1)]);
        check(3, &[starting(1)], &[create(0, 1), create(2, 1)]);
        check(1, &[pod(0, 1), pod(1, 1), starting(2), leaving(3)], &[delete(2), delete(1)]);
        check(3, &[failed(0), pod(2, 1)], &[delete(0), create(1, 1)]);
    }

    #[test]
    fn a_rollout_goes_from_the_top_down_to_the_partition() {
        let check = |partition, max_unavailable, pods: &[StatefulPod], expected: &[Command]| {
            let update = UpdateStrategy::RollingUpdate { partition, max_unavailable };
            let spec = StatefulSetSpec { replicas: 4, update, ..StatefulSetSpec::default() };
            assert_eq!(
                sync(&spec, ROLLOUT, pods, Timestamp(100)),
                expected,
                "{partition} {max_unavailable:?}"
            );
        };
        let all = |revisions: [u64; 4]| [0, 1, 2, 3].map(|ordinal| pod(ordinal, revisions[ordinal as usize]));
        check(0, None, &all([1, 1, 1, 1]), &[delete(3)]);
        check(0, None, &all([1, 1, 1, 2]), &[delete(2)]);
        check(2, None, &all([1, 1, 2, 2]), &[]);
        check(0, None, &all([2, 2, 2, 2]), &[]);
        check(0, None, &[pod(0, 1), pod(1, 1), pod(2, 1)], &[create(3, 2)]);
        check(2, None, &[pod(0, 1), pod(2, 2), pod(3, 2)], &[create(1, 1)]);
        check(0, None, &[pod(0, 1), pod(1, 1), pod(2, 1), starting(3)], &[]);
        let two = Some(IntOrPercent::Count(2));
        check(0, two, &all([1, 1, 1, 1]), &[delete(3), delete(2)]);
        check(3, two, &all([1, 1, 1, 1]), &[delete(3)]);
        check(0, Some(IntOrPercent::Percent(10)), &all([1, 1, 1, 1]), &[delete(3)]);
    }

    #[test]
    fn on_delete_replaces_only_what_is_missing() {
        let spec =
            StatefulSetSpec { replicas: 2, update: UpdateStrategy::OnDelete, ..StatefulSetSpec::default() };
        assert_eq!(sync(&spec, ROLLOUT, &[pod(0, 1), pod(1, 1)], Timestamp(100)), []);
        assert_eq!(sync(&spec, ROLLOUT, &[pod(0, 1)], Timestamp(100)), [create(1, 2)]);
    }

    #[test]
    fn ordinals_may_start_later_and_readiness_must_last() {
        let spec =
            StatefulSetSpec { replicas: 2, start: 5, min_ready: Period(50), ..StatefulSetSpec::default() };
        assert_eq!(sync(&spec, STEADY, &[], Timestamp(100)), [create(5, 1)]);
        let young = with(pod(5, 1), |pod| pod.ready_since = Some(Timestamp(60)));
        assert_eq!(sync(&spec, STEADY, &[young], Timestamp(100)), []);
        assert_eq!(sync(&spec, STEADY, &[young], Timestamp(110)), [create(6, 1)]);
        assert_eq!(sync(&spec, STEADY, &[pod(5, 1), pod(6, 1), pod(0, 1)], Timestamp(100)), [delete(0)]);
    }

    /// A whole rollout: the set is never more than one pod short, and the revisions settle at the end.
    #[test]
    fn a_rollout_ends_with_all_pods_updated() {
        let spec = StatefulSetSpec { replicas: 5, ..StatefulSetSpec::default() };
        let mut pods: Vec<StatefulPod> = (0..5).map(|ordinal| pod(ordinal, 1)).collect();
        let mut revisions = ROLLOUT;
        for now in (0..100).map(Timestamp) {
            pods.retain(|pod| !pod.pod.deleting);
            for command in sync(&spec, revisions, &pods, now) {
                match command {
                    Command::Create { ordinal, revision } => pods.push(pod(ordinal, revision)),
                    Command::Delete { pod: key } => {
                        pods.iter_mut()
                            .filter(|pod| pod.pod.key == key)
                            .for_each(|pod| pod.pod.deleting = true);
                    }
                }
            }
            assert!(pods.iter().filter(|pod| !pod.pod.deleting).count() >= 4, "{pods:?}");
            revisions = settle(&spec, revisions, &status(&spec, revisions, &pods, now));
        }
        assert_eq!(revisions, Revisions { current: 2, update: 2 });
        assert!(pods.iter().all(|pod| pod.revision == 2));
    }
}
