//! Jobs step by step: counting, back-off, deadlines, indexes, suspension.

use super::super::pod::tests::running;
use super::*;

const SECOND: u64 = 1_000;

fn run(spec: &JobSpec, state: &mut JobState, pods: &[JobPod], now: u64) -> Step {
    sync(spec, state, pods, Timestamp(now))
}

fn pod(key: u32) -> JobPod {
    JobPod { pod: running(key), index: None, ended: None, counted: false }
}

fn ended(key: u32, phase: PodPhase, at: u64) -> JobPod {
    let view = PodView { phase, ready_since: None, ..running(key) };
    JobPod { pod: view, index: None, ended: Some(Timestamp(at)), counted: false }
}

fn indexed(pod: JobPod, index: u32) -> JobPod {
    JobPod { index: Some(index), ..pod }
}

fn leaving(key: u32) -> JobPod {
    JobPod { pod: PodView { deleting: true, ..running(key) }, ..pod(key) }
}

fn create() -> Command {
    Command::Create { index: None }
}

fn delete(key: u32) -> Command {
    Command::Delete { pod: PodKey(key) }
}

fn count(key: u32) -> Command {
    Command::Count { pod: PodKey(key) }
}

#[test]
fn back_off_doubles_up_to_ten_minutes() {
    let seconds: Vec<u64> = (0..10).map(|failures| back_off(failures).as_millis() / SECOND).collect();
    assert_eq!(seconds, [0, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
    assert_eq!(back_off(u32::MAX), LONGEST_BACK_OFF);
}

#[test]
fn pods_run_until_enough_have_succeeded() {
    let check = |spec: JobSpec, succeeded, pods: &[JobPod], expected: &[Command]| {
        let mut state = JobState { succeeded, ..JobState::default() };
        assert_eq!(run(&spec, &mut state, pods, 100).commands, expected, "{spec:?}");
        state.stage
    };
    let four = JobSpec { parallelism: 2, completions: Some(4), ..JobSpec::default() };
    let any = JobSpec { parallelism: 2, completions: None, ..JobSpec::default() };
    let done = Stage::Finished { outcome: Outcome::Complete, at: Timestamp(100) };
    assert_eq!(check(four, 0, &[], &[create(), create()]), Stage::Running);
    assert_eq!(check(four, 3, &[], &[create()]), Stage::Running);
    assert_eq!(check(four, 2, &[pod(1), pod(2)], &[]), Stage::Running);
    assert_eq!(check(four, 3, &[ended(1, PodPhase::Succeeded, 90)], &[count(1)]), done);
    assert_eq!(check(four, 0, &[pod(1), pod(2), pod(3)], &[delete(1)]), Stage::Running);
    assert_eq!(check(four, 4, &[leaving(1)], &[count(1)]), Stage::Ending(Outcome::Complete));
    assert_eq!(check(any, 0, &[pod(1)], &[create()]), Stage::Running);
    assert_eq!(check(any, 0, &[ended(1, PodPhase::Succeeded, 9), pod(2)], &[count(1)]), Stage::Running);
    assert_eq!(check(any, 0, &[ended(1, PodPhase::Succeeded, 9)], &[count(1)]), done);
    let nothing = JobSpec { completions: Some(0), ..JobSpec::default() };
    assert_eq!(check(nothing, 0, &[], &[]), done);
}

#[test]
fn a_failed_pod_is_replaced_after_the_back_off() {
    let spec = JobSpec::default();
    let mut state = JobState::default();
    let failed = ended(1, PodPhase::Failed, 50 * SECOND);
    let step = run(&spec, &mut state, &[failed], 51 * SECOND);
    assert_eq!(step, Step { commands: vec![count(1)], wake: Some(Timestamp(60 * SECOND)) });
    let seen = JobPod { counted: true, ..failed };
    assert_eq!(run(&spec, &mut state, &[seen], 60 * SECOND - 1).commands, []);
    assert_eq!(run(&spec, &mut state, &[seen], 60 * SECOND).commands, [create()]);
    let step = run(&spec, &mut state, &[seen, ended(2, PodPhase::Failed, 70 * SECOND)], 70 * SECOND);
    assert_eq!(step.wake, Some(Timestamp(90 * SECOND)));
    assert_eq!((state.failed, state.succeeded), (2, 0));
}

#[test]
fn a_success_resets_the_back_off() {
    let spec = JobSpec { completions: Some(3), ..JobSpec::default() };
    let check = |pods: &[JobPod], wake: Option<u64>| {
        let mut state =
            JobState { failures_in_a_row: 3, last_failure: Timestamp(40 * SECOND), ..JobState::default() };
        assert_eq!(run(&spec, &mut state, pods, 60 * SECOND).wake, wake.map(Timestamp), "{pods:?}");
    };
    let (success, failure) =
        (|at| ended(1, PodPhase::Succeeded, at * SECOND), |at| ended(2, PodPhase::Failed, at * SECOND));
    check(&[], Some(80 * SECOND));
    check(&[failure(55)], Some(135 * SECOND));
    check(&[success(50)], None);
    check(&[success(50), failure(45)], None);
    check(&[success(50), failure(50)], None);
    check(&[success(50), failure(55)], Some(65 * SECOND));
}

#[test]
fn too_many_failures_end_the_job_and_its_pods() {
    let spec = JobSpec { parallelism: 3, completions: Some(3), backoff_limit: 1, ..JobSpec::default() };
    let mut state = JobState { failed: 1, ..JobState::default() };
    let pods = [ended(1, PodPhase::Failed, 5), pod(2)];
    assert_eq!(run(&spec, &mut state, &pods, 10).commands, [count(1), delete(2)]);
    assert_eq!(state.stage, Stage::Ending(Outcome::BackoffLimitExceeded));
    assert_eq!(state.failed, 3);
    let last = JobPod { counted: true, ..leaving(2) };
    assert_eq!(run(&spec, &mut state, &[last], 20), Step::default());
    assert_eq!(state.stage, Stage::Ending(Outcome::BackoffLimitExceeded));
    run(&spec, &mut state, &[], 30);
    assert_eq!(state.stage, Stage::Finished { outcome: Outcome::BackoffLimitExceeded, at: Timestamp(30) });
    assert_eq!(removal_time(&spec, &state), None);
    assert_eq!(removal_time(&JobSpec { time_to_live: Some(Period(5)), ..spec }, &state), Some(Timestamp(35)));
}

#[test]
fn restarts_count_only_if_containers_restart_in_place() {
    let check = |restart, backoff_limit, restarts, fails: bool| {
        let spec = JobSpec { restart, backoff_limit, ..JobSpec::default() };
        let mut state = JobState::default();
        let running = JobPod { pod: PodView { restarts, ..running(1) }, ..pod(1) };
        run(&spec, &mut state, &[running], 10);
        assert_eq!(state.stage != Stage::Running, fails, "{restart:?} {backoff_limit} {restarts}");
    };
    check(RestartPolicy::Never, 2, 9, false);
    check(RestartPolicy::OnFailure, 2, 1, false);
    check(RestartPolicy::OnFailure, 2, 2, true);
    check(RestartPolicy::OnFailure, 0, 0, false);
    check(RestartPolicy::OnFailure, 0, 1, true);
}

#[test]
fn the_deadline_counts_from_the_start_or_the_resumption() {
    let spec = JobSpec { active_deadline: Some(Period(100)), ..JobSpec::default() };
    let mut state = JobState::default();
    assert_eq!(
        run(&spec, &mut state, &[], 10),
        Step { commands: vec![create()], wake: Some(Timestamp(110)) }
    );
    assert_eq!(run(&spec, &mut state, &[pod(1)], 109).commands, []);
    let suspended = JobSpec { suspend: true, ..spec };
    assert_eq!(run(&suspended, &mut state, &[pod(1)], 109), Step { commands: vec![delete(1)], wake: None });
    assert_eq!(state.stage, Stage::Suspended);
    assert_eq!(
        run(&spec, &mut state, &[], 500),
        Step { commands: vec![create()], wake: Some(Timestamp(600)) }
    );
    assert_eq!(run(&spec, &mut state, &[pod(2)], 600).commands, [delete(2)]);
    assert_eq!(state.stage, Stage::Ending(Outcome::DeadlineExceeded));
}

#[test]
fn indexes_are_filled_from_the_lowest_and_kept_unique() {
    let spec =
        JobSpec { parallelism: 3, completions: Some(5), mode: CompletionMode::Indexed, ..JobSpec::default() };
    let check = |done: &[u32], pods: &[JobPod], expected: &[Command]| {
        let mut state = JobState { succeeded: done.len() as u32, ..JobState::default() };
        for index in done {
            state.done.insert(*index);
        }
        assert_eq!(state.done.count(), state.succeeded);
        assert_eq!(run(&spec, &mut state, pods, 100).commands, expected, "{done:?} {pods:?}");
        state
    };
    let at = |index| Command::Create { index: Some(index) };
    check(&[], &[], &[at(0), at(1), at(2)]);
    check(&[0, 2], &[indexed(pod(1), 1)], &[at(3), at(4)]);
    check(&[], &[indexed(pod(1), 0), indexed(pod(2), 0), indexed(pod(3), 7)], &[delete(1), delete(3)]);
    let twice = [indexed(ended(1, PodPhase::Succeeded, 5), 0), indexed(ended(2, PodPhase::Succeeded, 6), 0)];
    let state = check(&[], &twice, &[count(1), count(2), at(1), at(2), at(3)]);
    assert_eq!(state.succeeded, 1);
}

#[test]
fn pods_on_their_way_out_are_replaced_as_the_policy_says() {
    let check = |replacement, expected: &[Command], failed| {
        let mut state = JobState::default();
        let spec = JobSpec { replacement, ..JobSpec::default() };
        let gone = JobPod { ended: Some(Timestamp(0)), ..leaving(1) };
        assert_eq!(run(&spec, &mut state, &[gone], 100 * SECOND).commands, expected, "{replacement:?}");
        assert_eq!(state.failed, failed);
    };
    check(PodReplacement::TerminatingOrFailed, &[count(1), create()], 1);
    check(PodReplacement::Failed, &[], 0);
}

/// Every third pod fails; the job still completes, within its limits all the way.
#[test]
fn a_job_with_some_failures_completes() {
    let spec = JobSpec { parallelism: 4, completions: Some(10), backoff_limit: 20, ..JobSpec::default() };
    let mut state = JobState::default();
    let mut pods: Vec<JobPod> = Vec::new();
    let mut made = 0;
    for now in (0..5_000 * SECOND).step_by(SECOND as usize) {
        for command in run(&spec, &mut state, &pods, now).commands {
            match command {
                Command::Create { .. } => {
                    made += 1;
                    pods.push(JobPod {
                        pod: PodView { created: Timestamp(now), ..running(made) },
                        ..pod(made)
                    });
                }
                Command::Count { pod: key } => pods.retain(|pod| pod.pod.key != key),
                Command::Delete { pod } => panic!("{pod:?} was wanted"),
            }
        }
        assert!(pods.iter().filter(|pod| pod.pod.is_active()).count() <= 4);
        for JobPod { pod, ended, .. } in
            pods.iter_mut().filter(|pod| pod.pod.created + Period(5 * SECOND) <= Timestamp(now))
        {
            pod.phase = if pod.key.0 % 3 == 0 { PodPhase::Failed } else { PodPhase::Succeeded };
            *ended = Some(Timestamp(now));
        }
    }
    assert!(matches!(state.stage, Stage::Finished { outcome: Outcome::Complete, .. }), "{state:?}");
    assert_eq!(state.succeeded, 10);
}
