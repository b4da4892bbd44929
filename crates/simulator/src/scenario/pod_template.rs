//! Turns the short form of a workload (CPU, memory, labels) and any Kubernetes pod fields into one pod template.

use super::PodTemplate;
use super::raw::{RawPodTimes, RawWorkload};
use crate::kube;
use crate::scheduler::requests::{RequestOptions, pod_requests};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use serde_json::{Value, json};

/// What is wrong with the `pod` fields of a workload: in which of them, a sentence, and what to do.
#[derive(Debug)]
pub(super) struct PodFault {
    pub(super) key: Option<String>,
    pub(super) message: String,
    pub(super) proposal: Option<&'static str>,
}

impl PodFault {
    fn new(key: Option<&str>, message: impl Into<String>, proposal: Option<&'static str>) -> Self {
        Self { key: key.map(str::to_owned), message: message.into(), proposal }
    }
}

/// Builds the template of one copy of a workload.
pub(super) fn build(raw: &RawWorkload, name: &str, times: &RawPodTimes) -> Result<PodTemplate, PodFault> {
    let mut spec = raw.pod.clone().unwrap_or_default();
    if spec.contains_key("containers") && (raw.cpu.0 > 0 || raw.memory.0 > 0) {
        let message =
            "the containers say what they request, so `cpu` and `memory` beside them have no meaning";
        return Err(PodFault::new(
            Some("containers"),
            message,
            Some("remove `cpu` and `memory`, or the containers"),
        ));
    }
    if spec.contains_key("nodeName") {
        let proposal = Some("use nodeSelector or affinity");
        return Err(PodFault::new(Some("nodeName"), "a fixed node would bypass the scheduler", proposal));
    }
    spec.entry("containers").or_insert_with(|| json!([container(raw.cpu, raw.memory)]));
    spec.entry("priority").or_insert_with(|| json!(raw.priority));
    let object = json!({ "metadata": metadata(raw, name), "spec": spec });
    let pod: kube::Pod = serde_json::from_value(object)
        .map_err(|error| PodFault::new(unreadable_key(raw).as_deref(), error.to_string(), None))?;
    Ok(PodTemplate {
        each: requests_of(&pod)?,
        priority: pod.priority(),
        pod,
        start_time: raw.start_time.unwrap_or(times.start_time),
        stop_time: raw.stop_time.unwrap_or(times.stop_time),
    })
}

/// The field of the pod that cannot be read, found by reading each alone.
fn unreadable_key(raw: &RawWorkload) -> Option<String> {
    let reads = |key: &str, value: &Value| {
        serde_json::from_value::<kube::Pod>(json!({ "metadata": {}, "spec": { key: value } })).is_ok()
    };
    raw.pod.iter().flatten().find(|(key, value)| !reads(key, value)).map(|(key, _)| key.clone())
}

/// A pod without a request for a resource gets none: that is not the same as a request for zero.
fn container(cpu: MilliCpu, memory: Bytes) -> Value {
    let mut requests = serde_json::Map::new();
    if cpu.0 > 0 {
        requests.insert("cpu".into(), json!(cpu.to_string()));
    }
    if memory.0 > 0 {
        requests.insert("memory".into(), json!(memory.to_string()));
    }
    json!({ "name": "main", "resources": { "requests": requests } })
}

fn metadata(raw: &RawWorkload, name: &str) -> Value {
    let mut labels = raw.labels.clone();
    labels.entry("app".to_owned()).or_insert_with(|| name.to_owned());
    json!({
        "name": name,
        "namespace": raw.namespace,
        "labels": labels,
        "ownerReferences": owners(raw, name),
    })
}

/// Bare pods have no owner, so the scheduler's default spreading does not apply to them.
fn owners(raw: &RawWorkload, name: &str) -> Value {
    use model::names::WorkloadKind as Kind;
    let kind = match raw.kind {
        Kind::Deployment | Kind::ReplicaSet => "ReplicaSet",
        Kind::StatefulSet => "StatefulSet",
        Kind::DaemonSet => "DaemonSet",
        Kind::Job | Kind::CronJob => "Job",
        Kind::Pod => return json!([]),
    };
    json!([{ "apiVersion": "apps/v1", "kind": kind, "name": name, "controller": true }])
}

fn requests_of(pod: &kube::Pod) -> Result<Resources, PodFault> {
    let requests = pod_requests(pod, &RequestOptions::default());
    let amount = |name: &str| {
        let amount = requests.get(name).unwrap_or(0);
        let fault = || format!("the containers together request less than nothing of {name}");
        u64::try_from(amount).map_err(|_| PodFault::new(Some("containers"), fault(), None))
    };
    Ok(Resources::new(MilliCpu(amount(kube::CPU)?), Bytes(amount(kube::MEMORY)?), 1))
}

/// The same template with other requests: what a rolling update of CPU or memory makes.
pub(super) fn with_requests(
    template: &PodTemplate,
    cpu: Option<MilliCpu>,
    memory: Option<Bytes>,
) -> PodTemplate {
    let mut updated = template.clone();
    if let Some(first) = updated.pod.spec.containers.first_mut() {
        let mut set = |name: &str, amount: Option<u64>| {
            if let Some(amount) = amount {
                first.resources.requests.0.insert(name.to_owned(), amount as i64);
            }
        };
        set(kube::CPU, cpu.map(|amount| amount.0));
        set(kube::MEMORY, memory.map(|amount| amount.0));
    }
    updated.each = requests_of(&updated.pod).unwrap_or(updated.each);
    updated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_form_and_pod_fields_make_one_template() {
        let raw: RawWorkload = serde_json::from_value(json!({
            "name": "web", "cluster": "a", "cpu": "500m", "memory": "1Gi", "priority": 5,
            "pod": { "tolerations": [{ "key": "gpu", "operator": "Exists" }] }
        }))
        .unwrap();
        let template = build(&raw, "web", &RawPodTimes::default()).unwrap();
        assert_eq!(template.each, Resources::new(MilliCpu(500), Bytes(1 << 30), 1));
        assert_eq!(template.priority, 5);
        assert_eq!(template.pod.spec.tolerations.len(), 1);
        let bigger = with_requests(&template, Some(MilliCpu(2_000)), None);
        assert_eq!(bigger.each.cpu, MilliCpu(2_000));
    }

    #[test]
    fn contradictions_are_refused() {
        let check = |workload: Value| {
            let raw: RawWorkload = serde_json::from_value(workload).unwrap();
            let fault = build(&raw, "web", &RawPodTimes::default()).unwrap_err();
            format!("{:?}: {}; {:?}", fault.key, fault.message, fault.proposal)
        };
        let twice = check(json!({ "name": "web", "cluster": "a", "cpu": 1, "pod": { "containers": [] } }));
        assert!(twice.contains("containers"), "{twice}");
        let bypass = check(json!({ "name": "web", "cluster": "a", "pod": { "nodeName": "n" } }));
        assert!(bypass.contains("nodeSelector"), "{bypass}");
        let unreadable = check(json!({ "name": "web", "cluster": "a", "pod": { "tolerations": 5 } }));
        assert!(unreadable.starts_with("Some(\"tolerations\"): "), "{unreadable}");
    }
}
