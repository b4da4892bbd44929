//! Job: runs pods until enough have succeeded, or too many have failed, or the time is up.
//!
//! Pod failure policies, success policies and limits per index are not modelled.

use super::pod::{PodKey, PodPhase, PodView};
use super::slow_start::PODS_PER_SYNC;
use model::time::{Period, Timestamp};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The wait after the first failure; it doubles with every further one.
pub const FIRST_BACK_OFF: Period = Period::from_secs(10);
/// The longest wait between a failure and the next attempt.
pub const LONGEST_BACK_OFF: Period = Period::from_secs(600);

/// Upstream looks at a job at most once in this time when only its pods changed.
pub const SYNC_PERIOD: Period = Period::from_secs(1);

/// Whether each completion is a piece of work of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionMode {
    NonIndexed,
    /// Every index from 0 to completions − 1 must succeed once.
    Indexed,
}

/// What happens to a pod whose container fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestartPolicy {
    /// The pod fails.
    Never,
    /// The container restarts in the pod.
    OnFailure,
}

/// When a pod on its way out is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodReplacement {
    /// At once; it counts as failed.
    TerminatingOrFailed,
    /// When it has ended.
    Failed,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobSpec {
    pub parallelism: u32,
    /// Without a number, one success is enough and the other pods may finish their work. An indexed job has one.
    pub completions: Option<u32>,
    pub mode: CompletionMode,
    pub restart: RestartPolicy,
    pub replacement: PodReplacement,
    pub backoff_limit: u32,
    pub active_deadline: Option<Period>,
    pub suspend: bool,
    /// How long a finished job stays; nothing: for ever.
    pub time_to_live: Option<Period>,
}

impl Default for JobSpec {
    /// The API's defaults.
    fn default() -> Self {
        Self {
            parallelism: 1,
            completions: Some(1),
            mode: CompletionMode::NonIndexed,
            restart: RestartPolicy::Never,
            replacement: PodReplacement::TerminatingOrFailed,
            backoff_limit: 6,
            active_deadline: None,
            suspend: false,
            time_to_live: None,
        }
    }
}

/// How a job ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Complete,
    BackoffLimitExceeded,
    DeadlineExceeded,
}

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Running,
    Suspended,
    /// The outcome is known, the last pods are still on their way out.
    Ending(Outcome),
    Finished {
        outcome: Outcome,
        at: Timestamp,
    },
}

/// The indexes of an indexed job that have succeeded. Work is handed out from the lowest index, so nearly all of them
/// lie below one mark, and looking for open ones starts there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DoneIndexes {
    /// All indexes below are done.
    below: u32,
    beyond: BTreeSet<u32>,
}

impl DoneIndexes {
    pub fn contains(&self, index: u32) -> bool {
        index < self.below || self.beyond.contains(&index)
    }

    pub fn count(&self) -> u32 {
        self.below + self.beyond.len() as u32
    }

    fn insert(&mut self, index: u32) {
        if index >= self.below {
            self.beyond.insert(index);
        }
        while self.beyond.remove(&self.below) {
            self.below += 1;
        }
    }
}

/// What a job remembers between syncs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobState {
    pub stage: Stage,
    /// The start of the present period of activity.
    pub started: Option<Timestamp>,
    pub succeeded: u32,
    pub failed: u32,
    /// The indexes that are done; empty unless the job is indexed.
    pub done: DoneIndexes,
    failures_in_a_row: u32,
    last_failure: Timestamp,
}

/// One pod of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobPod {
    pub pod: PodView,
    pub index: Option<u32>,
    /// When its containers ended, or for a pod that is deleted when that was asked for.
    pub ended: Option<Timestamp>,
    /// The job knows its result; see [`Command`].
    pub counted: bool,
}

/// What the job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Create {
        index: Option<u32>,
    },
    /// Delete the pod and show it as `counted` from now on: being removed is not a failure.
    Delete {
        pod: PodKey,
    },
    /// The result is in the state: show the pod as `counted` from now on.
    Count {
        pod: PodKey,
    },
}

/// What to do now, and when to ask again if nothing else happens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub commands: Vec<Command>,
    pub wake: Option<Timestamp>,
}

impl Default for JobState {
    fn default() -> Self {
        Self {
            stage: Stage::Running,
            started: None,
            succeeded: 0,
            failed: 0,
            done: DoneIndexes::default(),
            failures_in_a_row: 0,
            last_failure: Timestamp::EPOCH,
        }
    }
}

impl JobState {
    /// When the next pod may start after the failures so far.
    fn next_attempt(&self) -> Timestamp {
        match self.failures_in_a_row {
            0 => Timestamp::EPOCH,
            failures => self.last_failure + back_off(failures),
        }
    }
}

/// The wait after a number of failures in a row.
pub fn back_off(failures: u32) -> Period {
    let Some(doublings) = failures.checked_sub(1) else { return Period::ZERO };
    // 2^6 × 10 s is beyond the longest wait.
    FIRST_BACK_OFF.saturating_mul(1 << doublings.min(6)).min(LONGEST_BACK_OFF)
}

/// When a finished job is removed.
pub fn removal_time(spec: &JobSpec, state: &JobState) -> Option<Timestamp> {
    match (state.stage, spec.time_to_live) {
        (Stage::Finished { at, .. }, Some(period)) => Some(at + period),
        _ => None,
    }
}

/// One step: counts results, ends the job if its outcome is known, else adds or removes pods.
pub fn sync(spec: &JobSpec, state: &mut JobState, pods: &[JobPod], now: Timestamp) -> Step {
    let mut step = Step::default();
    if matches!(state.stage, Stage::Finished { .. }) {
        return step;
    }
    start(spec, state, now);
    count_results(spec, state, pods, now, &mut step.commands);
    if let Some(outcome) = failure(spec, state, pods, now) {
        state.stage = Stage::Ending(outcome);
    }
    if let Stage::Ending(outcome) = state.stage {
        end_pods(state, pods, &mut step.commands);
        finish_if_empty(state, outcome, pods, now);
        return step;
    }
    let active = manage(spec, state, pods, now, &mut step);
    let enough = state.succeeded >= spec.completions.unwrap_or(1);
    if enough && active == 0 {
        state.stage = Stage::Ending(Outcome::Complete);
        finish_if_empty(state, Outcome::Complete, pods, now);
    } else if let (Some(deadline), Some(started)) =
        (spec.active_deadline, state.started.filter(|_| !spec.suspend))
    {
        let expiry = started + deadline;
        step.wake = Some(step.wake.map_or(expiry, |wake| wake.min(expiry)));
    }
    step
}

fn start(spec: &JobSpec, state: &mut JobState, now: Timestamp) {
    if spec.suspend {
        if state.stage == Stage::Running {
            state.stage = Stage::Suspended;
        }
    } else if state.stage == Stage::Suspended {
        // A deadline counts from the moment the job is resumed.
        state.stage = Stage::Running;
        state.started = Some(now);
    } else if state.started.is_none() {
        state.started = Some(now);
    }
}

fn has_failed(spec: &JobSpec, pod: &PodView) -> bool {
    let replaced_at_once = spec.replacement == PodReplacement::TerminatingOrFailed;
    pod.phase == PodPhase::Failed || (replaced_at_once && pod.deleting && pod.phase != PodPhase::Succeeded)
}

fn is_valid_index(spec: &JobSpec, index: Option<u32>) -> bool {
    spec.mode == CompletionMode::NonIndexed
        || index.zip(spec.completions).is_some_and(|(index, all)| index < all)
}

fn count_results(
    spec: &JobSpec,
    state: &mut JobState,
    pods: &[JobPod],
    now: Timestamp,
    commands: &mut Vec<Command>,
) {
    let mut last_success = None;
    let mut failures: Vec<Timestamp> = Vec::new();
    for JobPod { pod, index, ended, .. } in pods.iter().filter(|pod| !pod.counted) {
        let (succeeded, failed) = (pod.phase == PodPhase::Succeeded, has_failed(spec, pod));
        if !succeeded && !failed {
            continue;
        }
        commands.push(Command::Count { pod: pod.key });
        if !is_valid_index(spec, *index) {
            continue;
        }
        let ended = ended.unwrap_or(now);
        if succeeded {
            count_success(spec, state, *index);
            last_success = last_success.max(Some(ended));
        } else {
            state.failed += 1;
            failures.push(ended);
        }
    }
    remember_failures(state, last_success, &failures);
}

fn count_success(spec: &JobSpec, state: &mut JobState, index: Option<u32>) {
    match (spec.mode, index) {
        (CompletionMode::Indexed, Some(index)) => {
            state.done.insert(index);
            state.succeeded = state.done.count();
        }
        _ => state.succeeded += 1,
    }
}

/// A success wipes out the failures up to then.
fn remember_failures(state: &mut JobState, last_success: Option<Timestamp>, failures: &[Timestamp]) {
    if last_success.is_some() {
        state.failures_in_a_row = 0;
        state.last_failure = Timestamp::EPOCH;
    }
    for moment in failures.iter().filter(|moment| last_success.is_none_or(|success| **moment > success)) {
        state.failures_in_a_row += 1;
        state.last_failure = state.last_failure.max(*moment);
    }
}

fn failure(spec: &JobSpec, state: &JobState, pods: &[JobPod], now: Timestamp) -> Option<Outcome> {
    if matches!(state.stage, Stage::Ending(_)) {
        return None;
    }
    if state.failed > spec.backoff_limit || too_many_restarts(spec, pods) {
        return Some(Outcome::BackoffLimitExceeded);
    }
    let running_for = state.started.filter(|_| !spec.suspend).map(|started| now.since(started));
    let overdue = running_for.zip(spec.active_deadline).is_some_and(|(period, deadline)| period >= deadline);
    overdue.then_some(Outcome::DeadlineExceeded)
}

/// Restarts within pods count against the limit as failed pods do; here reaching it is enough, as upstream has it.
fn too_many_restarts(spec: &JobSpec, pods: &[JobPod]) -> bool {
    let unfinished = pods.iter().filter(|pod| matches!(pod.pod.phase, PodPhase::Running | PodPhase::Pending));
    let restarts: u32 = unfinished.map(|pod| pod.pod.restarts).sum();
    spec.restart == RestartPolicy::OnFailure && restarts >= spec.backoff_limit.max(1)
}

/// Removes what still runs; a pod that the end of a failed job cuts short counts as failed.
fn end_pods(state: &mut JobState, pods: &[JobPod], commands: &mut Vec<Command>) {
    for JobPod { pod, counted, .. } in pods.iter().filter(|pod| pod.pod.is_active()) {
        commands.push(Command::Delete { pod: pod.key });
        state.failed += u32::from(!counted);
    }
}

fn finish_if_empty(state: &mut JobState, outcome: Outcome, pods: &[JobPod], now: Timestamp) {
    if pods.iter().all(|pod| pod.pod.is_finished()) {
        state.stage = Stage::Finished { outcome, at: now };
    }
}

/// Adds or removes pods, never both in one step. Returns how many will be active.
fn manage(spec: &JobSpec, state: &JobState, pods: &[JobPod], now: Timestamp, step: &mut Step) -> u32 {
    let mut active: Vec<&JobPod> = pods.iter().filter(|pod| pod.pod.is_active()).collect();
    let count = active.len() as u32;
    let wanted = if spec.suspend { 0 } else { wanted_pods(spec, state, count) };
    let limit = if spec.suspend { count } else { PODS_PER_SYNC };
    let mut victims = surplus(spec, &mut active, count.saturating_sub(wanted) as usize);
    victims.truncate(limit as usize);
    if !victims.is_empty() {
        let removed = victims.len() as u32;
        step.commands.extend(victims.into_iter().map(|pod| Command::Delete { pod }));
        return count - removed;
    }
    let leaving = match spec.replacement {
        PodReplacement::TerminatingOrFailed => 0,
        PodReplacement::Failed => pods.iter().filter(|pod| pod.pod.is_terminating()).count() as u32,
    };
    let missing = wanted.saturating_sub(leaving + count).min(PODS_PER_SYNC);
    if missing == 0 {
        return count;
    }
    if state.next_attempt() > now {
        step.wake = Some(state.next_attempt());
        return count;
    }
    count + create(spec, state, pods, missing, &mut step.commands)
}

fn wanted_pods(spec: &JobSpec, state: &JobState, active: u32) -> u32 {
    match spec.completions {
        Some(completions) => completions.saturating_sub(state.succeeded).min(spec.parallelism),
        None if state.succeeded > 0 => active,
        None => spec.parallelism,
    }
}

/// The pods to remove: repeated and impossible indexes always, then those that have got least far.
fn surplus(spec: &JobSpec, active: &mut Vec<&JobPod>, at_least: usize) -> Vec<PodKey> {
    let mut victims = Vec::new();
    if spec.mode == CompletionMode::Indexed {
        active.sort_by_key(|pod| (pod.index, removal_order(&pod.pod)));
        let mut kept: Vec<&JobPod> = Vec::with_capacity(active.len());
        for (position, pod) in active.iter().enumerate() {
            // Of several pods with one index the one that has got furthest, the last, stays.
            let repeated = active.get(position + 1).is_some_and(|next| next.index == pod.index);
            if repeated || !is_valid_index(spec, pod.index) {
                victims.push(pod.pod.key);
            } else {
                kept.push(pod);
            }
        }
        *active = kept;
    }
    let more = at_least.saturating_sub(victims.len());
    if more > 0 {
        active.sort_by_key(|pod| removal_order(&pod.pod));
        victims.extend(active.iter().take(more).map(|pod| pod.pod.key));
    }
    victims
}

/// Less far, ready more recently, more restarts, newer: first. Unlike in a ReplicaSet ages are not rounded.
fn removal_order(pod: &PodView) -> impl Ord + use<> {
    let readiness = (pod.is_ready(), Reverse(pod.ready_since));
    (pod.node.is_some(), pod.phase, readiness, Reverse(pod.restarts), Reverse(pod.created), pod.uid)
}

fn create(
    spec: &JobSpec,
    state: &JobState,
    pods: &[JobPod],
    missing: u32,
    commands: &mut Vec<Command>,
) -> u32 {
    if spec.mode == CompletionMode::NonIndexed {
        commands.extend((0..missing).map(|_| Command::Create { index: None }));
        return missing;
    }
    let completions = spec.completions.expect("an indexed job has completions");
    let occupies = |pod: &&JobPod| {
        pod.pod.is_active() || (spec.replacement == PodReplacement::Failed && pod.pod.is_terminating())
    };
    let taken: BTreeSet<u32> = pods.iter().filter(occupies).filter_map(|pod| pod.index).collect();
    let before = commands.len();
    let open = state.done.below..completions;
    let free = open.filter(|index| !taken.contains(index) && !state.done.contains(*index));
    commands.extend(free.take(missing as usize).map(|index| Command::Create { index: Some(index) }));
    (commands.len() - before) as u32
}

#[cfg(test)]
mod tests;
