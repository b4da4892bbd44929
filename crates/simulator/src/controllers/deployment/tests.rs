//! Rollouts played step by step, with pods that start, become ready and go on a schedule.

use super::status::{self, Progress, ProgressReason};
use super::*;

fn second(count: u64) -> Timestamp {
    Timestamp::EPOCH + Period::from_secs(count)
}

fn set(key: u32, replicas: u32, available: u32) -> ReplicaSetView {
    ReplicaSetView {
        key: ReplicaSetKey(key),
        created: Timestamp(u64::from(key)),
        revision: u64::from(key),
        marks: None,
        replicas,
        status: ReplicaSetStatus { replicas, ready: available, available, terminating: 0 },
        observed: true,
        deleting: false,
    }
}

fn marked(view: ReplicaSetView, desired: u32, max: u32) -> ReplicaSetView {
    ReplicaSetView { marks: Some(SizeMarks { desired, max }), ..view }
}

fn rolling(replicas: u32, surge: IntOrPercent, unavailable: IntOrPercent) -> DeploymentSpec {
    let strategy = Strategy::RollingUpdate { max_surge: surge, max_unavailable: unavailable };
    DeploymentSpec { replicas, strategy, ..DeploymentSpec::default() }
}

/// A little world: every sync, pods asked for appear, later become ready, and pods no longer wanted vanish.
struct Rehearsal {
    spec: DeploymentSpec,
    sets: Vec<ReplicaSetView>,
    new: Option<usize>,
    log: Vec<Command>,
}

impl Rehearsal {
    fn sync(&mut self) -> bool {
        let new = self.new.map(|index| self.sets[index]);
        let old: Vec<_> =
            self.sets.iter().filter(|set| Some(set.key) != new.map(|set| set.key)).copied().collect();
        let commands = sync(&self.spec, new.as_ref(), &old);
        for command in &commands {
            self.carry_out(*command);
        }
        self.log.extend(&commands);
        !commands.is_empty()
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::CreateReplicaSet { replicas, revision, marks } => {
                self.new = Some(self.sets.len());
                let view = set(self.sets.len() as u32 + 1, replicas, 0);
                let status = ReplicaSetStatus::default();
                self.sets.push(ReplicaSetView { revision, marks: Some(marks), status, ..view });
            }
            Command::SetRevision { set, revision } => self.find(set).revision = revision,
            Command::Scale { set, replicas, marks } => {
                *self.find(set) = ReplicaSetView { replicas, marks: Some(marks), ..*self.find(set) };
            }
            Command::DeleteReplicaSet { set } => {
                let new = self.new.map(|index| self.sets[index].key);
                self.sets.retain(|view| view.key != set);
                self.new = self.sets.iter().position(|view| Some(view.key) == new);
            }
        }
    }

    fn find(&mut self, key: ReplicaSetKey) -> &mut ReplicaSetView {
        self.sets.iter_mut().find(|set| set.key == key).expect("commands name sets that exist")
    }

    fn pods_move(&mut self) {
        self.pods_move_by(1, 1);
    }

    /// Each set moves: surplus pods end, missing pods start, and pods started earlier become available.
    fn pods_move_by(&mut self, start: u32, become_available: u32) {
        for set in &mut self.sets {
            let ReplicaSetStatus { replicas, available, .. } = set.status;
            let available = (available + become_available).min(replicas);
            let replicas = (replicas + start).min(set.replicas);
            let available = available.min(replicas);
            set.status = ReplicaSetStatus { replicas, ready: available, available, terminating: 0 };
        }
    }

    fn check_limits(&self) {
        let available: u32 = self.sets.iter().map(|set| set.status.available.min(set.replicas)).sum();
        let wanted: u32 = self.sets.iter().map(|set| set.replicas).sum();
        let spec = &self.spec;
        assert!(available >= spec.min_available(), "{available} available: {:?}\n{:?}", self.sets, self.log);
        assert!(
            wanted <= spec.replicas + spec.max_surge(),
            "{wanted} wanted: {:?}\n{:?}",
            self.sets,
            self.log
        );
    }

    fn status(&self) -> status::DeploymentStatus {
        let new = self.new.map(|index| self.sets[index]);
        let old: Vec<_> =
            self.sets.iter().filter(|set| Some(set.key) != new.map(|set| set.key)).copied().collect();
        status::of(new.as_ref(), &old)
    }
}

#[test]
fn a_rolling_update_stays_within_its_limits_and_ends() {
    use IntOrPercent::{Count, Percent};
    let limits = [
        (Percent(25), Percent(25)),
        (Count(1), Count(0)),
        (Count(0), Count(1)),
        (Count(0), Count(0)),
        (Percent(100), Percent(0)),
        (Percent(0), Percent(100)),
        (Count(3), Count(2)),
        (Percent(10), Percent(30)),
    ];
    for (surge, unavailable) in limits {
        for replicas in [0, 1, 2, 3, 7, 10, 33] {
            let spec = rolling(replicas, surge, unavailable);
            let marks = spec.size_marks();
            let old = marked(set(1, replicas, replicas), marks.desired, marks.max);
            let mut rehearsal = Rehearsal { spec, sets: vec![old], new: None, log: Vec::new() };
            for round in 0.. {
                let busy = rehearsal.sync();
                rehearsal.check_limits();
                if !busy && rehearsal.status().is_complete(replicas) {
                    break;
                }
                rehearsal.pods_move();
                rehearsal.check_limits();
                assert!(round < 500, "stuck: {:?}", rehearsal.sets);
            }
            assert_eq!(rehearsal.sets[0].replicas, 0, "{surge:?} {unavailable:?} {replicas}");
            assert_eq!(rehearsal.sets[1].revision, 2);
        }
    }
}

fn any_limit() -> impl proptest::strategy::Strategy<Value = IntOrPercent> {
    use proptest::prelude::*;
    prop_oneof![(0..6_u32).prop_map(IntOrPercent::Count), (0..120_u32).prop_map(IntOrPercent::Percent)]
}

proptest::proptest! {
    /// Whatever the pace of the pods, and with a further template in the middle of the rollout.
    #[test]
    fn no_pace_breaks_the_limits(
        replicas in 0..40_u32,
        surge in any_limit(),
        unavailable in any_limit(),
        second_template_at in 0..30_usize,
        pace in proptest::collection::vec((0..5_u32, 0..5_u32), 60),
    ) {
        let spec = rolling(replicas, surge, unavailable);
        let marks = spec.size_marks();
        let old = marked(set(1, replicas, replicas), marks.desired, marks.max);
        let mut rehearsal = Rehearsal { spec, sets: vec![old], new: None, log: Vec::new() };
        let steady = std::iter::repeat_n((1, 1), 200);
        for (round, (start, become_available)) in pace.into_iter().chain(steady).enumerate() {
            if round == second_template_at {
                rehearsal.new = None;
            }
            rehearsal.sync();
            rehearsal.check_limits();
            rehearsal.pods_move_by(start, become_available);
            rehearsal.check_limits();
        }
        proptest::prop_assert!(rehearsal.status().is_complete(replicas), "{:?}", rehearsal.sets);
    }
}

#[test]
fn three_templates_in_a_row_and_a_new_size_end_with_the_last_one() {
    let mut rehearsal = Rehearsal {
        spec: DeploymentSpec { replicas: 12, ..DeploymentSpec::default() },
        sets: vec![],
        new: None,
        log: vec![],
    };
    for template in 1..=3 {
        rehearsal.new = None;
        for _ in 0..4 {
            rehearsal.sync();
            rehearsal.pods_move();
        }
        assert_eq!(rehearsal.sets.len(), template);
    }
    rehearsal.spec.replicas = 20;
    for _ in 0..100 {
        rehearsal.sync();
        rehearsal.pods_move();
    }
    assert!(rehearsal.status().is_complete(20), "{:?}", rehearsal.sets);
    assert_eq!(rehearsal.sets.iter().map(|set| set.replicas).collect::<Vec<_>>(), [0, 0, 20]);
    assert!(!rehearsal.sync(), "nothing is left to do");
}

#[test]
fn recreate_waits_for_the_last_old_pod() {
    let spec = DeploymentSpec { replicas: 3, strategy: Strategy::Recreate, ..DeploymentSpec::default() };
    let marks = spec.size_marks();
    let check = |why: &str, old: ReplicaSetView, expected: &[Command]| {
        assert_eq!(sync(&spec, None, &[marked(old, 3, 3)]), expected, "{why}");
    };
    let gone = |replicas, terminating| ReplicaSetView {
        status: ReplicaSetStatus { replicas, terminating, ..ReplicaSetStatus::default() },
        ..set(1, 0, 0)
    };
    check("old pods go", set(1, 3, 3), &[Command::Scale { set: ReplicaSetKey(1), replicas: 0, marks }]);
    check("not yet seen gone", gone(3, 0), &[]);
    check("still terminating", gone(0, 1), &[]);
    check("all gone", gone(0, 0), &[Command::CreateReplicaSet { replicas: 3, revision: 2, marks }]);
}

#[test]
fn going_back_to_an_old_template_makes_its_set_the_newest_revision() {
    let spec = rolling(4, IntOrPercent::Count(1), IntOrPercent::Count(0));
    let marks = spec.size_marks();
    let (back, current) = (set(1, 0, 0), marked(set(2, 4, 4), marks.desired, marks.max));
    let expected = [
        Command::SetRevision { set: ReplicaSetKey(1), revision: 3 },
        Command::Scale { set: ReplicaSetKey(1), replicas: 1, marks },
    ];
    assert_eq!(sync(&spec, Some(&back), &[current]), expected);
}

#[test]
fn unhealthy_old_pods_go_first_and_from_the_oldest_set() {
    let spec = rolling(10, IntOrPercent::Count(0), IntOrPercent::Count(2));
    let check = |old: &[ReplicaSetView], new: ReplicaSetView, expected: &[(u32, u32)]| {
        let commands = sync(&spec, Some(&new), old);
        let sizes: Vec<_> = commands
            .iter()
            .map(|command| match command {
                Command::Scale { set, replicas, .. } => (set.0, *replicas),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(sizes, expected);
    };
    check(&[set(2, 5, 4), set(1, 5, 4)], set(3, 0, 0), &[(1, 4), (2, 4)]);
    check(&[set(2, 5, 5), set(1, 5, 2)], set(3, 0, 0), &[(1, 3)]);
    check(&[set(1, 8, 8)], set(3, 2, 0), &[]);
    check(&[set(1, 8, 8)], set(3, 2, 1), &[(1, 7)]);
    // New pods that do not serve yet use up what may be missing: even an unhealthy old pod stays.
    check(&[set(1, 8, 7)], set(3, 2, 0), &[]);
    // The old set still reports a pod that it was told to remove: nothing happens until it has caught up.
    check(&[set(1, 7, 8)], set(3, 3, 2), &[]);
}

#[test]
fn a_paused_deployment_scales_but_does_not_roll() {
    let spec = DeploymentSpec { paused: true, ..rolling(10, IntOrPercent::Count(2), IntOrPercent::Count(0)) };
    let marks = spec.size_marks();
    assert_eq!(sync(&spec, None, &[marked(set(1, 10, 10), 10, 12)]), []);
    let grown = Command::Scale { set: ReplicaSetKey(1), replicas: 10, marks };
    assert_eq!(sync(&spec, None, &[marked(set(1, 5, 5), 5, 7)]), [grown]);
}

#[test]
fn history_keeps_the_newest_revisions() {
    let check = |limit: Option<u32>, old: &[ReplicaSetView], deleted: &[u32]| {
        let spec = DeploymentSpec {
            revision_history_limit: limit,
            ..rolling(2, IntOrPercent::Count(1), IntOrPercent::Count(0))
        };
        let commands = sync(&spec, Some(&marked(set(9, 2, 2), 2, 3)), old);
        let expected: Vec<_> =
            deleted.iter().map(|key| Command::DeleteReplicaSet { set: ReplicaSetKey(*key) }).collect();
        assert_eq!(commands, expected, "limit {limit:?}");
    };
    let old = [set(3, 0, 0), set(1, 0, 0), set(2, 0, 0)];
    check(None, &old, &[]);
    check(Some(3), &old, &[]);
    check(Some(1), &old, &[1, 2]);
    check(Some(0), &old, &[1, 2, 3]);
    // One that was rolled back to is as new as the rollback, however old it is: here the first of four, as the fifth revision.
    let rolled_back = ReplicaSetView { revision: 5, ..set(1, 0, 0) };
    check(Some(2), &[rolled_back, set(2, 0, 0), set(3, 0, 0), set(4, 0, 0)], &[2, 3]);
    check(Some(1), &[set(3, 0, 0), ReplicaSetView { observed: false, ..set(1, 0, 0) }, set(2, 0, 0)], &[2]);
    check(Some(1), &[set(3, 0, 0), ReplicaSetView { deleting: true, ..set(1, 0, 0) }], &[]);
}

#[test]
fn progress_is_kept_until_the_deadline_passes() {
    use ProgressReason::{
        NewReplicaSetAvailable, Paused, ProgressDeadlineExceeded, ReplicaSetUpdated, Resumed,
    };
    let spec = DeploymentSpec {
        replicas: 2,
        progress_deadline: Some(Period::from_secs(10)),
        ..DeploymentSpec::default()
    };
    let counts = |updated, available| status::DeploymentStatus {
        replicas: 2,
        updated,
        ready: available,
        available,
        ..status::DeploymentStatus::default()
    };
    let check = |before, after, reason, now, expected, updated| {
        let current = Some(Progress { reason, updated: second(5) });
        let next = status::next_progress(&spec, &before, &after, current, false, now).unwrap();
        assert_eq!(next, Progress { reason: expected, updated }, "{before:?} {after:?} {reason:?} {now}");
    };
    let (half, full) = (counts(1, 1), counts(2, 2));
    check(half, full, ReplicaSetUpdated, second(8), NewReplicaSetAvailable, second(8));
    check(counts(0, 1), half, ReplicaSetUpdated, second(8), ReplicaSetUpdated, second(8));
    check(half, half, ReplicaSetUpdated, second(15), ReplicaSetUpdated, second(5));
    check(half, half, ReplicaSetUpdated, second(16), ProgressDeadlineExceeded, second(16));
    check(half, half, ProgressDeadlineExceeded, second(99), ProgressDeadlineExceeded, second(5));
    check(half, half, Paused, second(99), Resumed, second(99));
    check(full, counts(2, 1), NewReplicaSetAvailable, second(99), NewReplicaSetAvailable, second(5));
    let waiting = Some(Progress { reason: ReplicaSetUpdated, updated: second(5) });
    assert_eq!(status::next_progress_check(&spec, &half, waiting), Some(second(16)));
    assert_eq!(status::next_progress_check(&spec, &full, waiting), None);
}
