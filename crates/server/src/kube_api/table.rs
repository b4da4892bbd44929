//! Objects as lines for a terminal.

use super::age::age;
use super::calendar::Calendar;
use super::columns;
use super::kinds::Resource;
use model::time::Timestamp;
use serde_json::{Value, json};

const NONE: &str = "<none>";

/// Which part of each object a line carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    Nothing,
    Metadata,
    Object,
}

impl Carried {
    pub(super) fn of(text: Option<&str>) -> Self {
        match text {
            Some("None") => Self::Nothing,
            Some("Object") => Self::Object,
            _ => Self::Metadata,
        }
    }
}

/// Makes lines at one moment.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) resource: Resource,
    pub(super) calendar: Calendar,
    pub(super) now: Timestamp,
    pub(super) carried: Carried,
}

impl Lines {
    /// A table of objects. Who watches is told the columns once.
    pub(super) fn table(&self, objects: &[Value], metadata: &Value, with_columns: bool) -> Value {
        let columns = if with_columns { columns::definitions(self.resource) } else { Vec::new() };
        json!({
            "kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata,
            "columnDefinitions": columns,
            "rows": objects.iter().map(|object| self.row(object)).collect::<Vec<_>>(),
        })
    }

    fn row(&self, object: &Value) -> Value {
        let carried = match self.carried {
            Carried::Nothing => Value::Null,
            Carried::Metadata => only_metadata(object),
            Carried::Object => object.clone(),
        };
        json!({ "cells": self.cells(object), "object": carried })
    }

    fn cells(&self, object: &Value) -> Vec<Value> {
        let name = object["metadata"]["name"].clone();
        let age = self.age_of(&object["metadata"]["creationTimestamp"]);
        let (spec, status) = (&object["spec"], &object["status"]);
        let count = |value: &Value| json!(value.as_u64().unwrap_or(0));
        match self.resource {
            Resource::Namespaces => vec![name, status["phase"].clone(), age],
            Resource::Nodes => node(object, name, age),
            Resource::Pods => pod(object, name, age),
            Resource::Events => self.event(object, name),
            Resource::Deployments => {
                let ready = format!("{}/{}", count(&status["readyReplicas"]), count(&spec["replicas"]));
                let numbers =
                    [json!(ready), count(&status["updatedReplicas"]), count(&status["availableReplicas"])];
                joined([name], numbers, age, &made_of(spec, true))
            }
            Resource::ReplicaSets => {
                let numbers = [&spec["replicas"], &status["replicas"], &status["readyReplicas"]].map(count);
                joined([name], numbers, age, &made_of(spec, true))
            }
            Resource::StatefulSets => {
                let ready = format!("{}/{}", count(&status["readyReplicas"]), count(&spec["replicas"]));
                joined([name], [json!(ready)], age, &made_of(spec, false))
            }
            Resource::DaemonSets => {
                let numbers = [
                    "desiredNumberScheduled",
                    "currentNumberScheduled",
                    "numberReady",
                    "updatedNumberScheduled",
                    "numberAvailable",
                ];
                let mut cells = vec![name];
                cells.extend(numbers.map(|number| count(&status[number])));
                cells.push(json!(pairs(&spec["template"]["spec"]["nodeSelector"])));
                joined(cells, [], age, &made_of(spec, true))
            }
            Resource::Jobs => self.job(object, name, age),
            Resource::CronJobs => self.cron_job(object, name, age),
            Resource::HorizontalPodAutoscalers => horizontal(object, name, age),
            Resource::PodDisruptionBudgets => {
                let bound = |value: &Value| if value.is_null() { json!("N/A") } else { json!(plain(value)) };
                let allowed = count(&status["disruptionsAllowed"]);
                vec![name, bound(&spec["minAvailable"]), bound(&spec["maxUnavailable"]), allowed, age]
            }
            Resource::NodeMetrics | Resource::PodMetrics => measured(object, name),
        }
    }

    /// How long ago something was; the clusters' clock tells, not that of whoever looks.
    fn age_of(&self, date: &Value) -> Value {
        let moment = date.as_str().and_then(|date| self.calendar.moment(date));
        let seconds = moment.map(|moment| (self.now.0 as i64 - moment).div_euclid(1_000));
        json!(seconds.map_or_else(|| "<unknown>".to_owned(), age))
    }

    fn event(&self, event: &Value, name: Value) -> Vec<Value> {
        let newer = !event["regarding"].is_null();
        let (about, message) = if newer { ("regarding", "note") } else { ("involvedObject", "message") };
        let stamp = |old: &str, new: &str| self.age_of(&event[if newer { new } else { old }]);
        let kind = event[about]["kind"].as_str().unwrap_or_default().to_lowercase();
        let source = if newer { &event["reportingController"] } else { &event["source"]["component"] };
        vec![
            stamp("lastTimestamp", "deprecatedLastTimestamp"),
            event["type"].clone(),
            event["reason"].clone(),
            json!(format!("{kind}/{}", plain(&event[about]["name"]))),
            json!(""),
            source.clone(),
            event[message].clone(),
            stamp("firstTimestamp", "deprecatedFirstTimestamp"),
            json!("1"),
            name,
        ]
    }

    fn job(&self, job: &Value, name: Value, age: Value) -> Vec<Value> {
        let (spec, status) = (&job["spec"], &job["status"]);
        let state = status["conditions"][0]["type"].as_str().unwrap_or("Running");
        let done = format!("{}/{}", plain(&status["succeeded"]), plain(&spec["completions"]));
        let end = status["completionTime"].as_str().and_then(|date| self.calendar.moment(date));
        let begun = status["startTime"].as_str().and_then(|date| self.calendar.moment(date));
        let lasted = begun.map(|begun| super::age::age((end.unwrap_or(self.now.0 as i64) - begun) / 1_000));
        let lasted = json!(lasted.unwrap_or_default());
        joined([name, json!(state), json!(done), lasted], [], age, &made_of(spec, true))
    }

    fn cron_job(&self, job: &Value, name: Value, age: Value) -> Vec<Value> {
        let (spec, status) = (&job["spec"], &job["status"]);
        let active = status["active"].as_array().map_or(0, Vec::len);
        let last = &status["lastScheduleTime"];
        let last = if last.is_null() { json!(NONE) } else { self.age_of(last) };
        let suspended = if spec["suspend"] == true { "True" } else { "False" };
        let cells = [name, spec["schedule"].clone(), json!(NONE), json!(suspended), json!(active), last];
        joined(cells, [], age, &made_of(&spec["jobTemplate"]["spec"], true))
    }
}

fn joined<const N: usize>(
    first: impl IntoIterator<Item = Value>,
    numbers: [Value; N],
    age: Value,
    last: &[String],
) -> Vec<Value> {
    let last = last.iter().map(|text| json!(text));
    first.into_iter().chain(numbers).chain([age]).chain(last).collect()
}

/// An object without what it says and how it stands.
pub(super) fn only_metadata(object: &Value) -> Value {
    json!({ "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": object["metadata"] })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `a=b,c=d`, or that there is nothing.
fn pairs(labels: &Value) -> String {
    let all = labels.as_object().into_iter().flatten();
    let text = all.map(|(key, value)| format!("{key}={}", plain(value))).collect::<Vec<_>>().join(",");
    if text.is_empty() { NONE.to_owned() } else { text }
}

/// Containers, images and, if wanted, the selector of a workload.
fn made_of(spec: &Value, with_selector: bool) -> Vec<String> {
    let containers = spec["template"]["spec"]["containers"].as_array();
    let all = |key: &str| {
        let texts = containers.into_iter().flatten().map(|container| plain(&container[key]));
        texts.collect::<Vec<_>>().join(",")
    };
    let selector = with_selector.then(|| pairs(&spec["selector"]["matchLabels"]));
    [all("name"), all("image")].into_iter().chain(selector).collect()
}

fn node(node: &Value, name: Value, age: Value) -> Vec<Value> {
    let conditions = node["status"]["conditions"].as_array().into_iter().flatten();
    let ready = conditions.filter(|one| one["type"] == "Ready").any(|one| one["status"] == "True");
    let mut state = if ready { "Ready" } else { "NotReady" }.to_owned();
    if node["spec"]["unschedulable"] == true {
        state.push_str(",SchedulingDisabled");
    }
    let prefix = "node-role.kubernetes.io/";
    let labels = node["metadata"]["labels"].as_object().into_iter().flatten();
    let roles: Vec<&str> = labels.filter_map(|(key, _)| key.strip_prefix(prefix)).collect();
    let roles = if roles.is_empty() { NONE.to_owned() } else { roles.join(",") };
    let info = &node["status"]["nodeInfo"];
    vec![
        name,
        json!(state),
        json!(roles),
        age,
        info["kubeletVersion"].clone(),
        json!(NONE),
        json!(NONE),
        info["osImage"].clone(),
        info["kernelVersion"].clone(),
        info["containerRuntimeVersion"].clone(),
    ]
}

fn pod(pod: &Value, name: Value, age: Value) -> Vec<Value> {
    let statuses: Vec<&Value> = pod["status"]["containerStatuses"].as_array().into_iter().flatten().collect();
    let ready = statuses.iter().filter(|one| one["ready"] == true).count();
    let all = pod["spec"]["containers"].as_array().map_or(0, Vec::len);
    let or_none = |value: &Value| if value.is_null() { json!(NONE) } else { value.clone() };
    vec![
        name,
        json!(format!("{ready}/{all}")),
        json!(pod_state(pod, &statuses)),
        json!("0"),
        age,
        or_none(&pod["status"]["podIP"]),
        or_none(&pod["spec"]["nodeName"]),
        or_none(&pod["status"]["nominatedNodeName"]),
        json!(NONE),
    ]
}

fn pod_state(pod: &Value, statuses: &[&Value]) -> String {
    let reason = |state: &str| statuses.iter().find_map(|one| one["state"][state]["reason"].as_str());
    let said = reason("waiting").or_else(|| reason("terminated")).map(str::to_owned);
    if !pod["metadata"]["deletionTimestamp"].is_null() {
        return "Terminating".to_owned();
    }
    said.unwrap_or_else(|| plain(&pod["status"]["phase"]))
}

fn horizontal(object: &Value, name: Value, age: Value) -> Vec<Value> {
    let spec = &object["spec"];
    let target = &spec["scaleTargetRef"];
    let reference = format!("{}/{}", plain(&target["kind"]), plain(&target["name"]));
    let metrics = spec["metrics"].as_array().into_iter().flatten();
    let targets = metrics.map(metric_target).collect::<Vec<_>>().join(", ");
    let replicas = object["status"]["currentReplicas"].clone();
    let bound = |key: &str| json!(plain(&spec[key]));
    vec![name, json!(reference), json!(targets), bound("minReplicas"), bound("maxReplicas"), replicas, age]
}

/// What a metric should be; what it is now, the object does not say.
fn metric_target(metric: &Value) -> String {
    let parts = metric.as_object().into_iter().flatten();
    let part = parts.map(|(_, value)| value).find(|value| value["target"].is_object()).unwrap_or(metric);
    let target = &part["target"];
    let what = part["name"].as_str().or(part["metric"]["name"].as_str()).unwrap_or("metric");
    match &target["averageUtilization"] {
        Value::Null => {
            let value =
                if target["averageValue"].is_null() { &target["value"] } else { &target["averageValue"] };
            format!("{what}: <unknown>/{}", plain(value))
        }
        percent => format!("{what}: <unknown>/{percent}%"),
    }
}

fn measured(object: &Value, name: Value) -> Vec<Value> {
    let usage = match object["containers"].as_array() {
        Some(containers) => containers.first().map_or(&Value::Null, |one| &one["usage"]),
        None => &object["usage"],
    };
    vec![name, json!(plain(&usage["cpu"])), json!(plain(&usage["memory"])), object["window"].clone()]
}
