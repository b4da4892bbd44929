//! Jobs and CronJobs; autoscalers of workloads, and disruption budgets.

use super::super::kinds::Resource;
use super::super::thing::{Facts, JobFacts, Thing};
use super::workload::{active, replicas, workload};
use super::{Samples, StateFamily, family};
use simulator::horizontal::HorizontalSpec;
use simulator::world::{BudgetObject, ControllerObject};

const JOBS: Resource = Resource::Jobs;
const CRON: Resource = Resource::CronJobs;
const AUTOSCALERS: Resource = Resource::HorizontalPodAutoscalers;
const BUDGETS: Resource = Resource::PodDisruptionBudgets;

/// Why jobs fail, as upstream tells it apart.
const REASONS: [&str; 3] = ["BackoffLimitExceeded", "DeadlineExceeded", "Evicted"];

pub(super) const FAMILIES: &[StateFamily] = &[
    family(JOBS, "kube_job_info", "A job; always 1.", |_, samples| samples.mark(&[])),
    family(JOBS, "kube_job_owner", "Who owns a job; always 1.", |thing, samples| samples.owner(thing)),
    family(JOBS, "kube_job_spec_parallelism", "Pods that should run at the same time.", |thing, samples| {
        count_of(thing, samples, |facts| facts.parallelism);
    }),
    family(JOBS, "kube_job_spec_completions", "Pods that should end well.", |thing, samples| {
        count_of(thing, samples, |facts| facts.job.completions);
    }),
    family(JOBS, "kube_job_status_active", "Pods that wait or run.", |thing, samples| {
        count_of(thing, samples, |facts| facts.counts.active);
    }),
    family(JOBS, "kube_job_status_succeeded", "Pods that ended well.", |thing, samples| {
        count_of(thing, samples, |facts| facts.job.succeeded);
    }),
    family(JOBS, "kube_job_status_failed", "Pods that failed, or why the job did.", failures),
    family(JOBS, "kube_job_complete", "Whether a job has ended well.", |thing, samples| {
        ended(thing, samples, "Complete");
    }),
    family(JOBS, "kube_job_failed", "Whether a job has failed.", |thing, samples| {
        ended(thing, samples, "Failed");
    }),
    family(CRON, "kube_cronjob_info", "A CronJob and its schedule; always 1.", schedule),
    family(CRON, "kube_cronjob_spec_suspend", "Whether it makes no more jobs.", |_, samples| {
        samples.count(0);
    }),
    family(CRON, "kube_cronjob_status_active", "Jobs of it that have not ended.", |thing, samples| {
        if let Facts::CronJob { active, .. } = &thing.facts {
            samples.add(&[], active.len() as f64);
        }
    }),
    family(AUTOSCALERS, "kube_horizontalpodautoscaler_info", "What it scales; always 1.", target),
    family(AUTOSCALERS, "kube_horizontalpodautoscaler_spec_min_replicas", "Its least.", |thing, samples| {
        samples.count(horizontal(thing).map(|spec| spec.min_replicas));
    }),
    family(AUTOSCALERS, "kube_horizontalpodautoscaler_spec_max_replicas", "Its most.", |thing, samples| {
        samples.count(horizontal(thing).map(|spec| spec.max_replicas));
    }),
    family(AUTOSCALERS, "kube_horizontalpodautoscaler_status_current_replicas", "Pods there are.", active),
    family(AUTOSCALERS, "kube_horizontalpodautoscaler_status_desired_replicas", "Pods it wants.", replicas),
    family(
        BUDGETS,
        "kube_poddisruptionbudget_status_current_healthy",
        "Pods that are healthy.",
        |thing, samples| {
            samples.count(budget(thing).map(|of| of.pods.healthy));
        },
    ),
    family(
        BUDGETS,
        "kube_poddisruptionbudget_status_desired_healthy",
        "Pods that have to stay healthy.",
        |thing, samples| {
            samples.count(budget(thing).map(|of| of.budget.desired_healthy(of.pods.replicas)));
        },
    ),
    family(
        BUDGETS,
        "kube_poddisruptionbudget_status_pod_disruptions_allowed",
        "Pods that may be evicted now.",
        |thing, samples| {
            samples.count(budget(thing).map(|of| of.budget.allowed(of.pods)));
        },
    ),
    family(
        BUDGETS,
        "kube_poddisruptionbudget_status_expected_pods",
        "Pods that it counts.",
        |thing, samples| {
            samples.count(budget(thing).map(BudgetObject::expected));
        },
    ),
];

fn job(thing: &Thing) -> Option<&JobFacts> {
    if let Facts::Job(facts) = &thing.facts { Some(facts) } else { None }
}

fn count_of(thing: &Thing, samples: &mut Samples<'_, '_>, count: fn(&JobFacts) -> u32) {
    samples.count(job(thing).map(count));
}

/// Upstream counts pods while the reason is not known, and afterwards says which of the reasons it was.
fn failures(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some(facts) = job(thing) else { return };
    match facts.ending() {
        _ if facts.job.failed == 0 => samples.count(0),
        Some(("Failed", reason)) => samples.one_of(&[], "reason", &REASONS, reason),
        _ => samples.add(&[("reason", "")], f64::from(facts.job.failed)),
    }
}

fn ended(thing: &Thing, samples: &mut Samples<'_, '_>, how: &str) {
    if job(thing).and_then(JobFacts::ending).is_some_and(|(kind, _)| kind == how) {
        samples.condition(&[], "condition", "true");
    }
}

fn schedule(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Facts::CronJob { workload, .. } = &thing.facts else { return };
    if let ControllerObject::CronJob { schedule, .. } = &workload.controller {
        let schedule = schedule.to_string();
        samples.mark(&[("schedule", &schedule), ("concurrency_policy", "Allow"), ("timezone", "local")]);
    }
}

fn horizontal(thing: &Thing) -> Option<&HorizontalSpec> {
    workload(thing).and_then(|(workload, _)| workload.horizontal.as_deref())
}

fn target(thing: &Thing, samples: &mut Samples<'_, '_>) {
    let Some((workload, _)) = workload(thing) else { return };
    samples.mark(&[
        ("scaletargetref_api_version", "apps/v1"),
        ("scaletargetref_kind", super::super::render::policy::target_kind(workload)),
        ("scaletargetref_name", workload.reference.name()),
    ]);
}

fn budget(thing: &Thing) -> Option<&BudgetObject> {
    if let Facts::Budget { budget, .. } = &thing.facts { Some(budget) } else { None }
}
