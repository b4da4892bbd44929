//! CronJob: starts a job at each due moment, in UTC, and keeps the last few that finished.

use super::cron_schedule::Schedule;
use super::job::Outcome;
use model::time::{Period, Timestamp};

/// Upstream looks this much after a due moment, so that clocks that differ a little agree that it has come.
pub const WAKE_DELAY: Period = Period::from_millis(100);
/// With more missed runs than this, upstream warns that the clock or the deadline may be wrong.
const MANY_MISSED: u64 = 100;

/// The owner's dense number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobKey(pub u32);

/// What happens at a due moment when the job before still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concurrency {
    /// Both run.
    Allow,
    /// The new one is skipped.
    Forbid,
    /// The old one is deleted.
    Replace,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CronJobSpec {
    pub schedule: Schedule,
    pub concurrency: Concurrency,
    /// How late a job may start; nothing: however late.
    pub starting_deadline: Option<Period>,
    pub suspend: bool,
    /// How many successful jobs are kept; nothing: all.
    pub successful_history: Option<u32>,
    /// How many failed jobs are kept; nothing: all.
    pub failed_history: Option<u32>,
}

impl CronJobSpec {
    /// The API's defaults for everything but the schedule.
    pub fn new(schedule: Schedule) -> Self {
        Self {
            schedule,
            concurrency: Concurrency::Allow,
            starting_deadline: None,
            suspend: false,
            successful_history: Some(3),
            failed_history: Some(1),
        }
    }
}

/// What a CronJob remembers between syncs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CronJobState {
    pub created: Timestamp,
    /// The due moment of the last job it started.
    pub last_scheduled: Option<Timestamp>,
}

/// One job that the CronJob started and that still exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildJob {
    pub job: JobKey,
    /// The due moment it was started for.
    pub scheduled: Timestamp,
    pub started: Option<Timestamp>,
    /// How it ended; nothing while it runs.
    pub outcome: Option<Outcome>,
}

/// What the CronJob does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    CreateJob { scheduled: Timestamp },
    DeleteJob { job: JobKey },
}

/// What came of a look at the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A job starts. `many_missed`: over a hundred due moments have passed unused.
    Started {
        many_missed: bool,
    },
    Suspended,
    /// No due moment since the last one used.
    NotDue,
    /// The due moment lies further back than the deadline allows.
    TooLate {
        scheduled: Timestamp,
    },
    /// The job of this due moment is already there.
    AlreadyStarted,
    /// The job before still runs and must not be joined.
    StillRunning,
}

/// What to do now, why, and when to ask again if nothing else happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub commands: Vec<Command>,
    pub verdict: Verdict,
    pub wake: Option<Timestamp>,
}

/// The name of the job for a due moment: the calendar minute keeps it unique. `origin` as in [`sync`].
pub fn job_name(cron_job: &str, scheduled: Timestamp, origin: Period) -> String {
    const MILLISECONDS_PER_MINUTE: u64 = 60_000;
    let calendar = scheduled + origin;
    format!("{cron_job}-{}", calendar.as_millis() / MILLISECONDS_PER_MINUTE)
}

/// One look: starts what is due and forgets old jobs. `origin` is the calendar time of moment 0, in time since
/// 1970-01-01T00:00Z.
pub fn sync(
    spec: &CronJobSpec,
    state: &mut CronJobState,
    children: &[ChildJob],
    origin: Period,
    now: Timestamp,
) -> Step {
    let mut commands = Vec::new();
    let verdict = start_due(spec, state, children, origin, now, &mut commands);
    let wake = if verdict == Verdict::Suspended { None } else { next_look(spec, state, origin, now) };
    forget_old(children, spec.successful_history, |outcome| outcome == Outcome::Complete, &mut commands);
    forget_old(children, spec.failed_history, |outcome| outcome != Outcome::Complete, &mut commands);
    Step { commands, verdict, wake }
}

fn start_due(
    spec: &CronJobSpec,
    state: &mut CronJobState,
    children: &[ChildJob],
    origin: Period,
    now: Timestamp,
    commands: &mut Vec<Command>,
) -> Verdict {
    if spec.suspend {
        return Verdict::Suspended;
    }
    let due = latest_due(&spec.schedule, earliest(spec, state, now), origin, now);
    let Some(scheduled) = due.latest else { return explain_rest(spec, state, origin, now) };
    let running = || children.iter().filter(|child| child.outcome.is_none());
    if state.last_scheduled == Some(scheduled) || running().any(|child| child.scheduled == scheduled) {
        return Verdict::AlreadyStarted;
    }
    match spec.concurrency {
        Concurrency::Forbid if running().next().is_some() => return Verdict::StillRunning,
        Concurrency::Replace => commands.extend(running().map(|child| Command::DeleteJob { job: child.job })),
        Concurrency::Forbid | Concurrency::Allow => {}
    }
    commands.push(Command::CreateJob { scheduled });
    state.last_scheduled = Some(scheduled);
    Verdict::Started { many_missed: due.missed > MANY_MISSED }
}

/// Nothing can be started: because nothing was due, or because the deadline has passed.
fn explain_rest(spec: &CronJobSpec, state: &CronJobState, origin: Period, now: Timestamp) -> Verdict {
    let missed =
        spec.starting_deadline.and_then(|_| latest_due(&spec.schedule, last_used(state), origin, now).latest);
    missed.map_or(Verdict::NotDue, |scheduled| Verdict::TooLate { scheduled })
}

fn last_used(state: &CronJobState) -> Timestamp {
    state.last_scheduled.unwrap_or(state.created)
}

/// The moment after which a due moment may still be used.
fn earliest(spec: &CronJobSpec, state: &CronJobState, now: Timestamp) -> Timestamp {
    let last = last_used(state);
    spec.starting_deadline.map_or(last, |deadline| now.saturating_sub(deadline).max(last))
}

/// The due moments between two points in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Due {
    latest: Option<Timestamp>,
    /// Roughly how many have passed, 0 if at most one has.
    missed: u64,
}

/// The latest due moment up to now. As upstream, it does not walk through all moments since `earliest`: it takes the
/// first interval as typical, jumps close to now and walks from there. For an irregular schedule the walk may find
/// nothing, and the run is lost.
fn latest_due(schedule: &Schedule, earliest: Timestamp, origin: Period, now: Timestamp) -> Due {
    let next = |moment| schedule.next_after(moment, origin);
    let past = |moment: &Timestamp| *moment <= now;
    let Some(first) = next(earliest).filter(past) else { return Due { latest: None, missed: 0 } };
    let Some(second) = next(first).filter(past) else { return Due { latest: Some(first), missed: 0 } };
    let interval = second.since(first);
    let missed = now.since(first).as_millis() / interval.as_millis() + 1;
    let jump = first + interval.saturating_mul(missed - 2);
    let latest = std::iter::successors(next(jump), |moment| next(*moment)).take_while(past).last();
    Due { latest, missed }
}

fn next_look(spec: &CronJobSpec, state: &CronJobState, origin: Period, now: Timestamp) -> Option<Timestamp> {
    let last = last_used(state);
    let due = latest_due(&spec.schedule, last, origin, now);
    let base = due.latest.unwrap_or(if due.missed == 0 { last } else { now });
    spec.schedule.next_after(base, origin).map(|moment| moment + WAKE_DELAY)
}

/// Deletes the jobs that started first, beyond the limit, among those with a certain kind of outcome.
fn forget_old(
    children: &[ChildJob],
    limit: Option<u32>,
    kind: impl Fn(Outcome) -> bool,
    commands: &mut Vec<Command>,
) {
    let Some(limit) = limit else { return };
    let finished = children.iter().filter(|child| child.outcome.is_some_and(&kind));
    let surplus = finished.clone().count().saturating_sub(limit as usize);
    if surplus == 0 {
        return;
    }
    let mut jobs: Vec<&ChildJob> = finished.collect();
    jobs.sort_unstable_by_key(|child| (child.started.is_none(), child.started, child.job));
    commands.extend(jobs.iter().take(surplus).map(|child| Command::DeleteJob { job: child.job }));
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Period = Period::from_minutes(1);
    const EPOCH: Period = Period::ZERO;

    fn minute(count: u64) -> Timestamp {
        Timestamp::EPOCH + MINUTE.saturating_mul(count)
    }

    fn every_ten_minutes() -> CronJobSpec {
        CronJobSpec::new(Schedule::parse("*/10 * * * *").unwrap())
    }

    fn child(job: u32, scheduled: u64, outcome: Option<Outcome>) -> ChildJob {
        let scheduled = minute(scheduled);
        ChildJob { job: JobKey(job), scheduled, started: Some(scheduled), outcome }
    }

    fn create(scheduled: u64) -> Command {
        Command::CreateJob { scheduled: minute(scheduled) }
    }

    fn delete(job: u32) -> Command {
        Command::DeleteJob { job: JobKey(job) }
    }

    #[test]
    fn a_job_starts_at_each_due_moment_and_once() {
        let check = |last: Option<u64>, now: u64, verdict, commands: &[Command], wake: u64| {
            let mut state = CronJobState { created: minute(5), last_scheduled: last.map(minute) };
            let step = sync(&every_ten_minutes(), &mut state, &[], EPOCH, minute(now));
            assert_eq!((step.verdict, step.commands.as_slice()), (verdict, commands), "{last:?} {now}");
            assert_eq!(step.wake, Some(minute(wake) + WAKE_DELAY), "{last:?} {now}");
        };
        let started = Verdict::Started { many_missed: false };
        check(None, 6, Verdict::NotDue, &[], 10);
        check(None, 10, started, &[create(10)], 20);
        check(Some(10), 10, Verdict::NotDue, &[], 20);
        check(Some(10), 19, Verdict::NotDue, &[], 20);
        check(Some(10), 25, started, &[create(20)], 30);
        // Of several missed moments only the last is made up for.
        check(Some(10), 55, started, &[create(50)], 60);
        check(Some(10), 1_005, started, &[create(1_000)], 1_010);
        check(Some(10), 1_025, Verdict::Started { many_missed: true }, &[create(1_020)], 1_030);
    }

    #[test]
    fn a_late_start_needs_the_deadline_to_allow_it() {
        let check = |deadline: Option<u64>, now, verdict| {
            let starting_deadline = deadline.map(|minutes| MINUTE.saturating_mul(minutes));
            let spec = CronJobSpec { starting_deadline, ..every_ten_minutes() };
            let mut state = CronJobState { created: minute(0), last_scheduled: Some(minute(10)) };
            assert_eq!(
                sync(&spec, &mut state, &[], EPOCH, minute(now)).verdict,
                verdict,
                "{deadline:?} {now}"
            );
        };
        let started = Verdict::Started { many_missed: false };
        check(None, 29, started);
        check(Some(9), 28, started);
        check(Some(5), 28, Verdict::TooLate { scheduled: minute(20) });
        check(Some(5), 18, Verdict::NotDue);
        check(Some(100), 2_001, started);
    }

    #[test]
    fn an_irregular_schedule_may_lose_a_missed_run() {
        let spec = CronJobSpec::new(Schedule::parse("0,1 0 * * *").unwrap());
        let mut state = CronJobState { created: minute(1_439), last_scheduled: None };
        let step = sync(&spec, &mut state, &[], EPOCH, minute(1_440 + 720));
        assert_eq!(step.verdict, Verdict::NotDue);
        assert_eq!(step.wake, Some(minute(2_880) + WAKE_DELAY));
    }

    #[test]
    fn a_running_job_is_joined_respected_or_replaced() {
        let check = |concurrency, children: &[ChildJob], verdict, commands: &[Command]| {
            let spec = CronJobSpec { concurrency, ..every_ten_minutes() };
            let mut state = CronJobState { created: minute(0), last_scheduled: Some(minute(10)) };
            let step = sync(&spec, &mut state, children, EPOCH, minute(20));
            assert_eq!((step.verdict, step.commands.as_slice()), (verdict, commands), "{concurrency:?}");
        };
        let started = Verdict::Started { many_missed: false };
        let (running, done) = (child(1, 10, None), child(1, 10, Some(Outcome::Complete)));
        check(Concurrency::Allow, &[running], started, &[create(20)]);
        check(Concurrency::Forbid, &[running], Verdict::StillRunning, &[]);
        check(Concurrency::Forbid, &[done], started, &[create(20)]);
        check(Concurrency::Replace, &[running], started, &[delete(1), create(20)]);
        check(Concurrency::Allow, &[child(1, 20, None)], Verdict::AlreadyStarted, &[]);
    }

    #[test]
    fn a_suspended_cron_job_only_forgets() {
        let spec = CronJobSpec { suspend: true, ..every_ten_minutes() };
        let mut state = CronJobState { created: minute(0), last_scheduled: None };
        let step = sync(&spec, &mut state, &[], EPOCH, minute(30));
        assert_eq!(step, Step { commands: vec![], verdict: Verdict::Suspended, wake: None });
    }

    #[test]
    fn history_keeps_the_latest_of_each_kind() {
        let check = |successful_history, failed_history, commands: &[Command]| {
            let spec = CronJobSpec { successful_history, failed_history, ..every_ten_minutes() };
            let mut state = CronJobState { created: minute(0), last_scheduled: Some(minute(60)) };
            let outcome = |job| if job % 2 == 0 { Outcome::Complete } else { Outcome::DeadlineExceeded };
            let children: Vec<_> =
                (1..=6).map(|job| child(job, 70 - u64::from(job), Some(outcome(job)))).collect();
            assert_eq!(sync(&spec, &mut state, &children, EPOCH, minute(60)).commands, commands);
        };
        check(None, None, &[]);
        check(Some(3), Some(1), &[delete(5), delete(3)]);
        check(Some(0), Some(9), &[delete(6), delete(4), delete(2)]);
    }

    #[test]
    fn names_carry_the_calendar_minute() {
        assert_eq!(job_name("backup", minute(10), EPOCH), "backup-10");
        assert_eq!(job_name("backup", minute(10), Period::from_hours(1)), "backup-70");
    }
}
