//! Jobs and CronJobs.

use super::super::thing::{JobFacts, Reference};
use super::super::things::chosen_labels;
use super::pod::template;
use super::{Writer, pointer, selector};
use serde_json::{Value, json};
use simulator::controllers::job::Outcome;
use simulator::world::{ControllerObject, WorkloadObject};

impl Writer<'_> {
    pub(super) fn job(&self, facts: &JobFacts) -> Value {
        let JobFacts { job, parallelism, template: from, counts } = facts;
        let labels = &self.thing.labels;
        let mut status = json!({ "succeeded": job.succeeded, "failed": job.failed, "ready": counts.ready });
        if counts.active > 0 {
            status["active"] = json!(counts.active);
        }
        if let Some(at) = job.started_at {
            status["startTime"] = json!(self.date(at));
        }
        if let (Some((kind, reason)), Some((outcome, at))) = (facts.ending(), job.finished) {
            let at = self.date(at);
            status["conditions"] = json!([
                { "type": kind, "status": "True", "reason": reason, "lastProbeTime": at, "lastTransitionTime": at }
            ]);
            if outcome == Outcome::Complete {
                status["completionTime"] = json!(at);
            }
        }
        json!({
            "metadata": { "generation": 1 },
            "spec": {
                "parallelism": parallelism, "completions": job.completions, "backoffLimit": 6,
                "completionMode": "NonIndexed", "suspend": false, "podReplacementPolicy": "TerminatingOrFailed",
                "selector": selector(labels),
                "template": template(&from.0.pod, labels, true),
            },
            "status": status,
        })
    }

    pub(super) fn cron_job(&self, workload: &WorkloadObject, active: &[Reference]) -> Value {
        let ControllerObject::CronJob { schedule, last_scheduled, jobs } = &workload.controller else {
            return json!({});
        };
        let labels = chosen_labels(&workload.template);
        let completions = jobs.first().map_or(workload.replicas, |job| job.completions);
        let mut status = json!({});
        if !active.is_empty() {
            status["active"] = active.iter().map(pointer).collect();
        }
        if let Some(at) = last_scheduled {
            status["lastScheduleTime"] = json!(self.date(*at));
        }
        json!({
            "metadata": { "generation": workload.revision },
            "spec": {
                "schedule": schedule.to_string(), "suspend": false, "concurrencyPolicy": "Allow",
                "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1,
                "jobTemplate": { "metadata": {}, "spec": {
                    "parallelism": workload.replicas, "completions": completions,
                    "template": template(&workload.template.0.pod, &labels, true),
                } },
            },
            "status": status,
        })
    }
}
