//! What a pod asks for, by the scheduler's own rule.

use k8s_openapi::api::core::v1::{Container, PodSpec};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use std::collections::BTreeMap;

type Amounts = BTreeMap<String, Quantity>;

/// Containers and restartable init containers run side by side; an ordinary init container runs alone beside the restartable ones
/// that began before it. What is larger counts, and the overhead of the runtime comes on top.
pub(crate) fn of_pod(spec: &PodSpec) -> Resources {
    let mut together = Resources::default();
    let mut largest_start = Resources::default();
    for container in spec.init_containers.iter().flatten() {
        let own = of_container(container);
        if container.restart_policy.as_deref() == Some("Always") {
            together += own;
            largest_start = larger(largest_start, together);
        } else {
            largest_start = larger(largest_start, together + own);
        }
    }
    for container in &spec.containers {
        together += of_container(container);
    }
    let mut all = larger(together, largest_start);
    if let Some(whole) = spec.resources.as_ref().and_then(|resources| resources.requests.as_ref()) {
        all = instead(all, whole);
    }
    all += spec.overhead.as_ref().map(amounts).unwrap_or_default();
    Resources { pods: 1, ..all }
}

fn of_container(container: &Container) -> Resources {
    let resources = container.resources.as_ref();
    let asked = resources.and_then(|resources| resources.requests.as_ref()).map(amounts).unwrap_or_default();
    // A limit without a request is a request.
    match resources.and_then(|resources| resources.limits.as_ref()) {
        Some(limits) => {
            let known = resources.and_then(|resources| resources.requests.as_ref());
            let missing = |name: &str| known.is_none_or(|known| !known.contains_key(name));
            let limits: Amounts = limits
                .iter()
                .filter(|(name, _)| missing(name))
                .map(|(a, b)| (a.clone(), b.clone()))
                .collect();
            asked + amounts(&limits)
        }
        None => asked,
    }
}

fn larger(one: Resources, other: Resources) -> Resources {
    Resources::new(one.cpu.max(other.cpu), one.memory.max(other.memory), 0)
}

/// A pod's own requests stand in for those of its containers.
fn instead(sum: Resources, whole: &Amounts) -> Resources {
    let own = amounts(whole);
    Resources::new(
        if whole.contains_key("cpu") { own.cpu } else { sum.cpu },
        if whole.contains_key("memory") { own.memory } else { sum.memory },
        0,
    )
}

/// CPU, memory and pods of a list of resources; what cannot be read counts as none.
pub(crate) fn amounts(list: &Amounts) -> Resources {
    Resources::new(cpu(list.get("cpu")), memory(list.get("memory")), memory(list.get("pods")).0)
}

pub(crate) fn cpu(quantity: Option<&Quantity>) -> MilliCpu {
    quantity.and_then(|quantity| quantity.0.parse().ok()).unwrap_or_default()
}

pub(crate) fn memory(quantity: Option<&Quantity>) -> Bytes {
    quantity.and_then(|quantity| quantity.0.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(spec: serde_json::Value, cpu: u64, memory: u64) {
        let spec: PodSpec = serde_json::from_value(spec).unwrap();
        assert_eq!(of_pod(&spec), Resources::new(MilliCpu(cpu), Bytes(memory << 20), 1));
    }

    fn container(cpu: &str, memory: &str) -> serde_json::Value {
        json!({ "name": "c", "resources": { "requests": { "cpu": cpu, "memory": memory } } })
    }

    #[test]
    fn a_pod_asks_for_what_the_scheduler_counts() {
        check(json!({ "containers": [container("250m", "64Mi"), container("1", "1Gi")] }), 1_250, 1_088);
        check(json!({ "containers": [{ "name": "c" }] }), 0, 0);
        check(
            json!({ "containers": [container("100m", "10Mi")], "initContainers": [container("2", "1Mi")] }),
            2_000,
            10,
        );
        let mut side = container("500m", "5Mi");
        side["restartPolicy"] = json!("Always");
        check(
            json!({ "containers": [container("100m", "10Mi")], "initContainers": [side, container("400m", "1Mi")],
                "overhead": { "cpu": "10m", "memory": "1Mi" } }),
            910,
            16,
        );
        let limited = json!({ "name": "c", "resources": { "limits": { "cpu": "2", "memory": "8Mi" },
            "requests": { "cpu": "1" } } });
        check(json!({ "containers": [limited] }), 1_000, 8);
        check(
            json!({ "containers": [container("1", "1Mi")], "resources": { "requests": { "cpu": "3" } } }),
            3_000,
            1,
        );
    }
}
