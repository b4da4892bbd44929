//! Turns the short form of a workload (CPU, memory, labels) and any Kubernetes pod fields into one pod template.

use super::PodTemplate;
use super::raw::{RawPodTimes, RawWorkload};
use crate::kube;
use crate::scheduler::requests::{RequestOptions, pod_requests};
use crate::scheduler::{MOST_OTHER_RESOURCES, is_other_resource};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::resources::Resources;
use serde_json::{Value, json};

/// What is wrong with the `pod` fields of a workload: in which of them, a sentence, and what to do.
#[derive(Debug)]
pub(super) struct PodFault {
    pub(super) key: Option<String>,
    pub(super) message: String,
    pub(super) proposal: String,
}

impl PodFault {
    fn new(key: Option<&str>, message: impl Into<String>, proposal: impl Into<String>) -> Self {
        Self { key: key.map(str::to_owned), message: message.into(), proposal: proposal.into() }
    }
}

/// Every field of a pod that is heeded, as a proposal shows it.
const EXAMPLES: &[(&str, &str)] = &[
    ("affinity", "{ podAntiAffinity: {} }"),
    ("containers", "[{ name: main, resources: { requests: { cpu: 500m, memory: 1Gi } } }]"),
    ("hostNetwork", "true"),
    ("initContainers", "[{ name: prepare, resources: { requests: { cpu: 500m } } }]"),
    ("nodeSelector", "{ disk: ssd }"),
    ("overhead", "{ cpu: 100m, memory: 64Mi }"),
    ("preemptionPolicy", "Never"),
    ("priority", "1000"),
    ("resources", "{ requests: { cpu: 500m, memory: 1Gi } }"),
    ("schedulerName", "default-scheduler"),
    ("schedulingGates", "[{ name: wait }]"),
    ("terminationGracePeriodSeconds", "30"),
    ("tolerations", "[{ key: gpu, operator: Exists }]"),
    (
        "topologySpreadConstraints",
        "[{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule }]",
    ),
];

/// Builds the template of one copy of a workload, or says everything that is wrong with its pod.
pub(super) fn build(
    raw: &RawWorkload,
    name: &str,
    times: &RawPodTimes,
) -> Result<PodTemplate, Vec<PodFault>> {
    let mut spec = raw.pod.clone().unwrap_or_default();
    let mut faults = contradictions(raw);
    spec.entry("containers").or_insert_with(|| json!([container(raw.cpu, raw.memory)]));
    spec.entry("priority").or_insert_with(|| json!(raw.priority));
    let object = json!({ "metadata": metadata(raw, name), "spec": spec });
    let pod = match serde_json::from_value::<kube::Pod>(object) {
        Ok(pod) => pod,
        Err(error) => {
            faults.extend(unreadable(raw, &error.to_string()));
            return Err(faults);
        }
    };
    match requests_of(&pod) {
        Ok(each) if faults.is_empty() => Ok(PodTemplate {
            each,
            priority: pod.priority(),
            cpu_limit: raw.cpu_limit.or_else(|| limit_of(&pod)),
            cpu_use: MilliCpu(usual_use(raw).share_of(each.cpu.0)),
            memory_use: Bytes(raw.memory_use.unwrap_or(Ratio::ONE).share_of(each.memory.0)),
            pod,
            start_time: raw.start_time.as_ref().unwrap_or(&times.start_time).clone(),
            stop_time: raw.stop_time.as_ref().unwrap_or(&times.stop_time).clone(),
        }),
        requests => {
            faults.extend(requests.err());
            Err(faults)
        }
    }
}

fn contradictions(raw: &RawWorkload) -> Vec<PodFault> {
    let has = |key: &str| raw.pod.as_ref().is_some_and(|pod| pod.contains_key(key));
    let mut faults = Vec::new();
    if has("containers") && (raw.cpu.0 > 0 || raw.memory.0 > 0) {
        let message =
            "the containers say what they request, so `cpu` and `memory` beside them have no meaning";
        let proposal = "remove `cpu` and `memory`, or the containers";
        faults.push(PodFault::new(Some("containers"), message, proposal));
    }
    if has("nodeName") {
        let message = "a fixed node would bypass the scheduler";
        faults.push(PodFault::new(Some("nodeName"), message, "use nodeSelector or affinity"));
    }
    faults
}

/// The fields of the pod that cannot be read, found by reading each alone.
fn unreadable(raw: &RawWorkload, whole: &str) -> Vec<PodFault> {
    let fault = |(key, value): (&String, &Value)| {
        let alone = json!({ "metadata": {}, "spec": { key: value } });
        let error = serde_json::from_value::<kube::Pod>(alone).err()?;
        let example = EXAMPLES.iter().find(|(known, _)| known == key);
        let proposal = example.map_or_else(
            || format!("write {key} as in a Kubernetes pod, or remove it"),
            |(_, example)| format!("write for instance {key}: {example}"),
        );
        Some(PodFault::new(Some(key), error.to_string(), proposal))
    };
    let found: Vec<PodFault> = raw.pod.iter().flatten().filter_map(fault).collect();
    if found.is_empty() {
        return vec![PodFault::new(None, whole, "write the fields as in a Kubernetes pod, or remove them")];
    }
    found
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
    labels.entry("app".to_owned()).or_insert_with(|| label_value(name));
    json!({
        "name": name,
        "namespace": raw.namespace,
        "labels": labels,
        "annotations": raw.annotations,
        "ownerReferences": owners(raw, name),
    })
}

/// A name may have 253 letters, the value of a label 63: of a longer one the beginning, and a hash that tells it from others.
fn label_value(name: &str) -> String {
    const LONGEST: usize = 63;
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let hash = model::hash::ContentHash::of(&name).to_string();
    format!("{}-{}", &name[..LONGEST - 11], &hash[..10])
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
    let others = requests.0.keys().filter(|name| is_other_resource(name)).count();
    if others > MOST_OTHER_RESOURCES {
        let message =
            format!("{others} resources beside CPU and memory are more than the scheduler can weigh");
        let proposal = format!("request at most {MOST_OTHER_RESOURCES} of them");
        return Err(PodFault::new(Some("containers"), message, proposal));
    }
    let amount = |name: &str| {
        let amount = requests.get(name).unwrap_or(0);
        let message = || format!("the containers together request less than nothing of {name}");
        let usual = if name == kube::CPU { "500m" } else { "1Gi" };
        let proposal = || format!("write at least 0, for instance requests: {{ {name}: {usual} }}");
        u64::try_from(amount).map_err(|_| PodFault::new(Some("containers"), message(), proposal()))
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
    let before = updated.each;
    updated.each = requests_of(&updated.pod).unwrap_or(updated.each);
    let use_of = |used: u64, before: u64, now: u64| {
        if before > 0 { Ratio::of(used, before).share_of(now) } else { used }
    };
    updated.cpu_use = MilliCpu(use_of(updated.cpu_use.0, before.cpu.0, updated.each.cpu.0));
    updated.memory_use = Bytes(use_of(updated.memory_use.0, before.memory.0, updated.each.memory.0));
    updated
}

/// A pod uses what it requests, unless its workload says otherwise; a service uses CPU for its requests only.
fn usual_use(raw: &RawWorkload) -> Ratio {
    let otherwise = if raw.service.is_some() { Ratio::ZERO } else { Ratio::ONE };
    raw.cpu_use.unwrap_or(otherwise)
}

/// The limits of all containers together; none if one of them has none.
fn limit_of(pod: &kube::Pod) -> Option<MilliCpu> {
    let limits = pod.spec.containers.iter().map(|container| container.resources.limits.get(kube::CPU));
    let sum: i64 = limits.sum::<Option<i64>>()?;
    u64::try_from(sum).ok().filter(|limit| *limit > 0).map(MilliCpu)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::{ClusterState, Profile};

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
        let check = |workload: Value, parts: &[&str]| {
            let raw: RawWorkload = serde_json::from_value(workload).unwrap();
            let faults = build(&raw, "web", &RawPodTimes::default()).unwrap_err();
            assert_eq!(faults.len(), parts.len(), "{faults:?}");
            for (fault, part) in faults.iter().zip(parts) {
                let said = format!("{:?}: {}; {}", fault.key, fault.message, fault.proposal);
                assert!(said.contains(part), "{said}");
            }
        };
        let both = json!({ "name": "web", "cluster": "a", "cpu": 1, "pod": { "containers": [] } });
        check(both, &["remove `cpu` and `memory`"]);
        check(json!({ "name": "web", "cluster": "a", "pod": { "nodeName": "n" } }), &["nodeSelector"]);
        let several = json!({ "nodeName": "n", "tolerations": 5, "hostNetwork": [] });
        let parts = ["Some(\"nodeName\")", "Some(\"hostNetwork\")", "Some(\"tolerations\")"];
        check(json!({ "name": "web", "cluster": "a", "pod": several }), &parts);
    }

    #[test]
    fn more_resources_than_the_scheduler_weighs_are_refused() {
        let with = |count: usize| {
            let requests: serde_json::Map<String, Value> =
                (0..count).map(|number| (format!("example.com/r{number}"), json!(1))).collect();
            let containers = json!([{ "name": "main", "resources": { "requests": requests } }]);
            let raw = json!({ "name": "web", "cluster": "a", "pod": { "containers": containers } });
            build(&serde_json::from_value(raw).unwrap(), "web", &RawPodTimes::default())
        };
        assert!(with(MOST_OTHER_RESOURCES).is_ok());
        let faults = with(MOST_OTHER_RESOURCES + 1).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].proposal.contains("at most 60"), "{faults:?}");
    }

    #[test]
    fn a_name_longer_than_a_label_is_told_from_others_all_the_same() {
        let long = |last: char| format!("{}{last}", "settlement-of-payments-".repeat(5));
        let (one, other) = (label_value(&long('a')), label_value(&long('b')));
        assert_eq!((one.len(), label_value("web").as_str()), (63, "web"));
        assert_ne!(one, other);
        let raw = json!({ "name": long('a'), "cluster": "a", "cpu": 1, "memory": "1Gi" });
        let built =
            build(&serde_json::from_value(raw).unwrap(), &long('a'), &RawPodTimes::default()).unwrap();
        let labels = built.pod.metadata.labels.clone();
        let selector = kube::LabelSelector { match_labels: labels, ..kube::LabelSelector::default() };
        let mut state = ClusterState::new(Profile::default()).unwrap();
        assert!(state.intern_selected(&built.pod, &selector).is_ok());
    }

    #[test]
    fn the_examples_are_right() {
        for (key, example) in EXAMPLES {
            let text = format!("name: web\ncluster: a\npod: {{ {key}: {example} }}\n");
            let (raw, _) = model::document::read::<Value>("example.yaml", text.as_bytes()).unwrap();
            let raw: RawWorkload = serde_json::from_value(raw).unwrap();
            build(&raw, "web", &RawPodTimes::default()).unwrap_or_else(|fault| panic!("{key}: {fault:?}"));
        }
    }
}
