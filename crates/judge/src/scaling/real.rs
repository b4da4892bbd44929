//! The real side: the controller of horizontal autoscalers, with pods and measurements that are only written down.

use super::Answer;
use super::draw::{PodState, SAMPLED_BEFORE, Situation, WINDOW};
use crate::error::Problem;
use crate::real::name_of;
use model::calendar::Date;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use testbed::{Api, Bed, Listener, Plan, Watch, Workshop};

/// Autoscalers are looked at every other second.
const PATIENCE: Duration = Duration::from_mins(1);
const FLAGS: &[&str] = &["--horizontal-pod-autoscaler-sync-period=2s"];
const AUTOSCALERS: &str = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const PODS: &str = "/api/v1/namespaces/default/pods";
const MEASURED: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods";
const TYPES: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// A cluster with the controller of autoscalers and nobody else.
pub struct RealAutoscalers {
    bed: Bed,
    watch: Watch,
}

impl RealAutoscalers {
    pub fn start(directory: &Path, workshop: &Workshop, say: Listener<'_>) -> Result<Self, Problem> {
        let plan = Plan::controllers_alone(&["horizontal-pod-autoscaler-controller"], FLAGS);
        let bed = Bed::up(&plan, directory, workshop, say)?;
        let api = bed.members()[0].api();
        let types = Watch::begin(api, TYPES)?;
        api.create(TYPES, &measurements())?;
        types.find(PATIENCE, "a type for measurements", |change| {
            let conditions = change.object()["status"]["conditions"].as_array()?;
            let done = |one: &&Value| one["type"] == "Established" && one["status"] == "True";
            conditions.iter().find(done).map(drop)
        })?;
        let watch = Watch::begin(api, AUTOSCALERS)?;
        Ok(Self { bed, watch })
    }

    pub fn stop(self) -> Result<(), Problem> {
        Ok(self.bed.down()?)
    }

    fn api(&self) -> &Api {
        self.bed.members()[0].api()
    }

    /// Writes down all situations, and returns the moment they are about, in seconds since 1970, with the first answer
    /// to each.
    pub(super) fn decide(&mut self, situations: &[Situation]) -> Result<(u64, Vec<Answer>), Problem> {
        let now = seconds_now();
        for situation in situations {
            self.write(situation, now)?;
        }
        // The autoscalers come last, so that everything is there when they begin.
        for situation in situations {
            self.api().create(AUTOSCALERS, &autoscaler(situation))?;
        }
        let mut answers: BTreeMap<String, Answer> = BTreeMap::new();
        let wanted = situations.len();
        self.watch.find(PATIENCE, "the first decision of every autoscaler", |change| {
            let object = change.object();
            let of_this_batch = situations.iter().any(|situation| situation.name == name_of(object));
            if of_this_batch && object["status"]["conditions"].is_array() {
                answers.entry(name_of(object).to_owned()).or_insert_with(|| answer_in(object));
            }
            (answers.len() == wanted).then_some(())
        })?;
        self.clear()?;
        let in_order = situations.iter().map(|situation| answers.remove(&situation.name).unwrap_or_default());
        Ok((now, in_order.collect()))
    }

    fn write(&self, situation: &Situation, now: u64) -> Result<(), Problem> {
        self.api().create(DEPLOYMENTS, &deployment(situation))?;
        for pod in &situation.pods {
            self.write_pod(situation, pod, now)?;
        }
        Ok(())
    }

    fn write_pod(&self, situation: &Situation, pod: &PodState, now: u64) -> Result<(), Problem> {
        let labels = json!({ "app": situation.name });
        if let Some(usage) = &pod.usage {
            self.api().create(MEASURED, &measurement(pod, usage, &labels, now))?;
        }
        if pod.gone {
            return Ok(());
        }
        let object = json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": { "name": pod.name, "labels": labels },
            // With a node, a pod that was asked to go waits for it.
            "spec": { "containers": situation.containers, "nodeName": "nowhere" },
        });
        self.api().create(PODS, &object)?;
        self.api().merge(&format!("{PODS}/{}/status", pod.name), &status_of(pod, now))?;
        if pod.deleting {
            self.api().delete(&format!("{PODS}/{}?gracePeriodSeconds=600", pod.name))?;
        }
        Ok(())
    }

    fn clear(&self) -> Result<(), Problem> {
        for list in [AUTOSCALERS, DEPLOYMENTS, MEASURED] {
            self.api().delete(list)?;
        }
        Ok(self.api().delete_at_once(PODS)?)
    }
}

fn status_of(pod: &PodState, now: u64) -> Value {
    let ready = pod.ready.map(|(ready, before)| {
        let status = if ready { "True" } else { "False" };
        json!({ "type": "Ready", "status": status, "lastTransitionTime": written(now - before) })
    });
    json!({ "status": {
        "phase": pod.phase,
        "startTime": pod.started_before.map(|before| written(now - before)),
        "conditions": ready.into_iter().collect::<Vec<_>>(),
    } })
}

#[expect(clippy::disallowed_methods, reason = "the real controller reads the real clock")]
fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A moment as the API writes it.
fn written(seconds: u64) -> String {
    let Date { year, month, day } = Date::of_day((seconds / 86_400) as i64);
    let (hours, minutes) = (seconds / 3_600 % 24, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
}

/// Measurements are usually served by another server; to their readers, objects of a type of our own look the same.
fn measurements() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": "pods.metrics.k8s.io",
            "annotations": { "api-approved.kubernetes.io": "unapproved, for a test" },
        },
        "spec": {
            "group": "metrics.k8s.io",
            "scope": "Namespaced",
            "names": { "plural": "pods", "kind": "PodMetrics", "listKind": "PodMetricsList" },
            "versions": [{
                "name": "v1beta1",
                "served": true,
                "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } },
            }],
        },
    })
}

fn measurement(pod: &PodState, usage: &[(u64, u64)], labels: &Value, now: u64) -> Value {
    let container = |(number, (cpu, mebibytes)): (usize, &(u64, u64))| {
        json!({
            "name": format!("main{number}"),
            "usage": { "cpu": format!("{cpu}m"), "memory": format!("{mebibytes}Mi") },
        })
    };
    json!({
        "apiVersion": "metrics.k8s.io/v1beta1",
        "kind": "PodMetrics",
        "metadata": { "name": pod.name, "labels": labels },
        "timestamp": written(now - SAMPLED_BEFORE),
        "window": format!("{WINDOW}s"),
        "containers": usage.iter().enumerate().map(container).collect::<Vec<_>>(),
    })
}

fn deployment(situation: &Situation) -> Value {
    let labels = json!({ "app": situation.name });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": situation.name },
        "spec": {
            "replicas": situation.replicas,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": situation.containers } },
        },
    })
}

fn autoscaler(situation: &Situation) -> Value {
    let mut spec = situation.spec.clone();
    spec["scaleTargetRef"] = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "name": situation.name });
    json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": { "name": situation.name },
        "spec": spec,
    })
}

fn answer_in(object: &Value) -> Answer {
    let status = &object["status"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let condition =
        |one: &Value| format!("{} {} {}", text(&one["type"]), text(&one["status"]), text(&one["reason"]));
    let mut conditions: Vec<String> =
        status["conditions"].as_array().into_iter().flatten().map(condition).collect();
    conditions.sort_unstable();
    let metric = |one: &Value| {
        let source = if one["type"] == "Resource" { &one["resource"] } else { &one["containerResource"] };
        let percent =
            source["current"]["averageUtilization"].as_u64().map_or_else(String::new, |p| format!("{p}% "));
        format!("{} {percent}{}", text(&source["name"]), text(&source["current"]["averageValue"]))
    };
    let metrics = status["currentMetrics"].as_array().into_iter().flatten();
    Answer {
        desired: status["desiredReplicas"].as_u64().map_or(0, |number| number as u32),
        conditions,
        // A metric that could not be read leaves an empty place.
        metrics: metrics.filter(|one| one["type"] != "").map(metric).collect(),
    }
}
