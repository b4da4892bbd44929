//! Deployments and the sets of pods that others make.

use super::super::naming::template_hash;
use super::super::thing::{Counts, SetFacts};
use super::super::things::chosen_labels;
use super::pod::template;
use super::{Writer, condition, count_or_share, selector};
use serde_json::{Value, json};
use simulator::world::{ControllerObject, WorkloadObject};

const REVISION: &str = "deployment.kubernetes.io/revision";

impl Writer<'_> {
    pub(super) fn deployment(&self, workload: &WorkloadObject, counts: Counts) -> Value {
        let labels = chosen_labels(&workload.template);
        let ControllerObject::Deployment { sets, max_surge, max_unavailable } = &workload.controller else {
            return json!({});
        };
        let newest = sets.iter().find(|set| set.made_from == workload.revision);
        let rolling = json!({ "maxSurge": count_or_share(*max_surge), "maxUnavailable": count_or_share(*max_unavailable) });
        let mut spec = json!({
            "replicas": workload.replicas,
            "selector": selector(&labels),
            "template": template(&workload.template.0.pod, &labels, false),
            "revisionHistoryLimit": 10,
            "progressDeadlineSeconds": 600,
        });
        spec["strategy"] = json!({ "type": "RollingUpdate", "rollingUpdate": rolling });
        let mut status = counted(workload.replicas, counts);
        status["observedGeneration"] = json!(workload.revision);
        status["conditions"] = self.progress(workload, counts);
        json!({
            "metadata": {
                "generation": workload.revision,
                "annotations": { REVISION: newest.map_or(workload.revision, |set| set.revision).to_string() },
            },
            "spec": spec,
            "status": status,
        })
    }

    fn progress(&self, workload: &WorkloadObject, counts: Counts) -> Value {
        let since = self.date(workload.created_at);
        let enough = counts.ready >= workload.replicas;
        let name = &self.thing.name;
        let set = format!("{name}-{}", template_hash(name, workload.revision));
        let available = if enough {
            condition(
                "Available",
                true,
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.",
                &since,
            )
        } else {
            let message = "Deployment does not have minimum availability.";
            condition("Available", false, "MinimumReplicasUnavailable", message, &since)
        };
        let (reason, message) = if enough && counts.updated >= workload.replicas {
            ("NewReplicaSetAvailable", format!("ReplicaSet \"{set}\" has successfully progressed."))
        } else {
            ("ReplicaSetUpdated", format!("ReplicaSet \"{set}\" is progressing."))
        };
        json!([available, condition("Progressing", true, reason, &message, &since)])
    }

    pub(super) fn replica_set(&self, facts: &SetFacts) -> Value {
        let labels = &self.thing.labels;
        let Counts { active, ready, .. } = facts.counts;
        let mut object = json!({
            "metadata": { "generation": 1 },
            "spec": {
                "replicas": facts.replicas,
                "selector": selector(labels),
                "template": template(&facts.template.0.pod, labels, false),
            },
            "status": {
                "replicas": active, "fullyLabeledReplicas": active, "readyReplicas": ready,
                "availableReplicas": ready, "observedGeneration": 1,
            },
        });
        if let Some(wanted) = facts.wanted {
            object["metadata"]["annotations"] = json!({
                REVISION: facts.revision.to_string(),
                "deployment.kubernetes.io/desired-replicas": wanted.to_string(),
            });
        }
        object
    }

    pub(super) fn stateful_set(&self, workload: &WorkloadObject, counts: Counts) -> Value {
        let labels = chosen_labels(&workload.template);
        let name = &self.thing.name;
        let revision = |number: u64| format!("{name}-{}", template_hash(name, number));
        let ControllerObject::StatefulSet { current } = workload.controller else { return json!({}) };
        let Counts { active, ready, updated } = counts;
        json!({
            "metadata": { "generation": workload.revision },
            "spec": {
                "replicas": workload.replicas,
                "selector": selector(&labels),
                "serviceName": name,
                "podManagementPolicy": "OrderedReady",
                "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "partition": 0 } },
                "revisionHistoryLimit": 10,
                "template": template(&workload.template.0.pod, &labels, false),
            },
            "status": {
                "observedGeneration": workload.revision,
                "replicas": active, "readyReplicas": ready, "availableReplicas": ready,
                "currentReplicas": if current == workload.revision { active } else { active - updated },
                "updatedReplicas": updated,
                "currentRevision": revision(current), "updateRevision": revision(workload.revision),
            },
        })
    }

    pub(super) fn daemon_set(workload: &WorkloadObject, counts: Counts) -> Value {
        let labels = chosen_labels(&workload.template);
        let Counts { active, ready, .. } = counts;
        json!({
            "metadata": { "generation": workload.revision },
            "spec": {
                "selector": selector(&labels),
                "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 0, "maxUnavailable": 1 } },
                "revisionHistoryLimit": 10,
                "template": template(&workload.template.0.pod, &labels, false),
            },
            "status": {
                "observedGeneration": workload.revision,
                "desiredNumberScheduled": active, "currentNumberScheduled": active, "numberMisscheduled": 0,
                "numberReady": ready, "numberAvailable": ready, "numberUnavailable": active - ready,
                "updatedNumberScheduled": active,
            },
        })
    }
}

/// Counts that are zero are left out, as upstream does.
fn counted(wanted: u32, Counts { active, ready, updated }: Counts) -> Value {
    let mut status = json!({});
    for (name, count) in [
        ("replicas", active),
        ("updatedReplicas", updated),
        ("readyReplicas", ready),
        ("availableReplicas", ready),
        ("unavailableReplicas", wanted.max(active).saturating_sub(ready)),
    ] {
        if count > 0 {
            status[name] = json!(count);
        }
    }
    status
}
