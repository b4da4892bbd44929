//! Jobs and CronJobs: pods that end.

use super::{Site, Wanted};
use crate::controllers::cron_job::{self, ChildJob, CronJobSpec, CronJobState, JobKey};
use crate::controllers::cron_schedule::Schedule;
use crate::controllers::job::{self, Command, JobPod, JobSpec, JobState, Stage};
use crate::world::objects::{ControllerObject, JobObject};
use crate::world::pods::{Phase, PodKey};
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

const MOST_STEPS: u32 = 64;

#[derive(Clone, Debug)]
pub(super) struct JobRun {
    completions: u32,
    state: JobState,
    pods: Vec<PodKey>,
    counted: BTreeSet<PodKey>,
}

impl JobRun {
    pub(super) fn new(completions: u32) -> Self {
        Self { completions, state: JobState::default(), pods: Vec::new(), counted: BTreeSet::new() }
    }

    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        let spec = JobSpec {
            parallelism: wanted.replicas,
            completions: Some(self.completions),
            ..JobSpec::default()
        };
        let mut wake = None;
        for _ in 0..MOST_STEPS {
            self.forget_counted(site);
            let views = self.views(site);
            let step = job::sync(&spec, &mut self.state, &views, site.now());
            wake = step.wake;
            if step.commands.is_empty() {
                break;
            }
            for command in step.commands {
                self.carry_out(command, wanted, site);
            }
        }
        wake
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        site.stop_all(&mut self.pods)
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.pods.clone()
    }

    pub(super) const fn is_finished(&self) -> bool {
        matches!(self.state.stage, Stage::Finished { .. })
    }

    pub(super) fn shown(&self, key: u32, scheduled_at: Option<Timestamp>) -> JobObject {
        let JobState { stage, started, succeeded, failed, .. } = &self.state;
        JobObject {
            key,
            scheduled_at,
            started_at: *started,
            completions: self.completions,
            succeeded: *succeeded,
            failed: *failed,
            finished: match stage {
                Stage::Finished { outcome, at } => Some((*outcome, *at)),
                _ => None,
            },
        }
    }

    fn outcome(&self) -> Option<job::Outcome> {
        match self.state.stage {
            Stage::Finished { outcome, .. } => Some(outcome),
            _ => None,
        }
    }

    fn forget_counted(&mut self, site: &mut Site<'_>) {
        for key in self.counted.clone() {
            if site.get(key).is_some_and(|record| record.phase == Phase::Succeeded) {
                site.cluster.discard(key);
            }
        }
        site.prune(&mut self.pods);
        self.counted.retain(|key| site.get(*key).is_some());
    }

    fn views(&self, site: &Site<'_>) -> Vec<JobPod> {
        let known = self.pods.iter().filter_map(|key| Some((key, site.get(*key)?)));
        known
            .map(|(key, record)| JobPod {
                pod: record.view(),
                index: None,
                ended: record.ended_at,
                counted: self.counted.contains(key),
            })
            .collect()
    }

    fn carry_out(&mut self, command: Command, wanted: &Wanted<'_>, site: &mut Site<'_>) {
        match command {
            Command::Create { .. } => {
                let id = site.intern(wanted.template);
                self.pods.push(site.create(0, 0, id, wanted.template));
            }
            Command::Delete { pod } => {
                let key = site.key(pod);
                self.counted.insert(key);
                site.stop(key);
            }
            Command::Count { pod } => {
                self.counted.insert(site.key(pod));
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct CronRun {
    spec: CronJobSpec,
    state: CronJobState,
    completions: u32,
    jobs: BTreeMap<u32, (Timestamp, JobRun)>,
    leaving: Vec<JobRun>,
    next_key: u32,
}

impl CronRun {
    pub(super) fn new(schedule: Schedule, completions: u32, now: Timestamp) -> Self {
        Self {
            spec: CronJobSpec::new(schedule),
            state: CronJobState { created: now, last_scheduled: None },
            completions,
            jobs: BTreeMap::new(),
            leaving: Vec::new(),
            next_key: 0,
        }
    }

    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        self.leaving.retain_mut(|run| run.stop(site));
        let children: Vec<ChildJob> =
            self.jobs.iter().map(|(key, (scheduled, run))| child(*key, *scheduled, run)).collect();
        let step = cron_job::sync(&self.spec, &mut self.state, &children, Period::ZERO, site.now());
        for command in step.commands {
            match command {
                cron_job::Command::CreateJob { scheduled } => {
                    self.next_key += 1;
                    self.jobs.insert(self.next_key, (scheduled, JobRun::new(self.completions)));
                }
                cron_job::Command::DeleteJob { job } => {
                    let removed = self.jobs.remove(&job.0).map(|(_, run)| run);
                    self.leaving.extend(removed);
                }
            }
        }
        self.leaving.retain_mut(|run| run.stop(site));
        let wakes = self.jobs.values_mut().filter_map(|(_, run)| run.sync(wanted, site));
        wakes.chain(step.wake).min()
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        let mut left = false;
        for (_, run) in self.jobs.values_mut() {
            left |= run.stop(site);
        }
        for run in &mut self.leaving {
            left |= run.stop(site);
        }
        left
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.jobs.values().map(|(_, run)| run).chain(&self.leaving).flat_map(JobRun::pods).collect()
    }
}

impl CronRun {
    pub(super) fn shown(&self) -> ControllerObject {
        let jobs = self.jobs.iter().map(|(key, (scheduled, run))| run.shown(*key, Some(*scheduled)));
        let schedule = self.spec.schedule;
        ControllerObject::CronJob {
            schedule,
            last_scheduled: self.state.last_scheduled,
            jobs: jobs.collect(),
        }
    }

    /// Its pods with the jobs that they belong to; those of jobs that are on their way out belong to none.
    pub(super) fn children(&self) -> Vec<(PodKey, u32)> {
        let of = |(key, (_, run)): (&u32, &(Timestamp, JobRun))| -> Vec<(PodKey, u32)> {
            run.pods.iter().map(|pod| (*pod, *key)).collect()
        };
        self.jobs.iter().flat_map(of).collect()
    }
}

fn child(key: u32, scheduled: Timestamp, run: &JobRun) -> ChildJob {
    ChildJob { job: JobKey(key), scheduled, started: run.state.started, outcome: run.outcome() }
}
