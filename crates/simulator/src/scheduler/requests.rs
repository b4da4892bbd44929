//! What a pod asks for in total: containers, init containers, sidecars, overhead and pod-level resources.

use crate::kube::{CPU, Container, ContainerStatus, HUGE_PAGES_PREFIX, MEMORY, Pod, ResourceList};

/// What a container without a CPU request counts as when nodes are scored (thousandths of a core).
pub const DEFAULT_CPU_REQUEST: i64 = 100;
/// What a container without a memory request counts as when nodes are scored (200 MiB).
pub const DEFAULT_MEMORY_REQUEST: i64 = 200 * 1024 * 1024;

/// Which parts of a pod count.
#[derive(Clone, Debug, Default)]
pub struct RequestOptions {
    /// Use what the kubelet granted during a resize when that is more than the spec asks for.
    pub use_status: bool,
    pub exclude_overhead: bool,
    pub skip_pod_level: bool,
    /// Amounts for containers that do not name the resource.
    pub defaults: ResourceList,
}

/// The defaults for scoring: every container counts for something.
pub fn scoring_defaults() -> ResourceList {
    [(CPU, DEFAULT_CPU_REQUEST), (MEMORY, DEFAULT_MEMORY_REQUEST)].into_iter().collect()
}

/// Total requests of `pod`.
pub fn pod_requests(pod: &Pod, options: &RequestOptions) -> ResourceList {
    let effective = |container: &Container, is_init: bool| {
        let mut amounts = effective_requests(pod, container, is_init, options.use_status);
        for (name, &amount) in &options.defaults.0 {
            amounts.0.entry(name.clone()).or_insert(amount);
        }
        amounts
    };
    let mut total = aggregate(pod, effective);
    if !options.skip_pod_level
        && let Some(resources) = &pod.spec.resources
    {
        override_pod_level(&mut total, &resources.requests);
    }
    if !options.exclude_overhead {
        total.add(&pod.spec.overhead);
    }
    total
}

/// Total limits of `pod`; overhead is added only to what is limited at all.
pub fn pod_limits(pod: &Pod, options: &RequestOptions) -> ResourceList {
    let mut total = aggregate(pod, |container, _| container.resources.limits.clone());
    if !options.skip_pod_level
        && let Some(resources) = &pod.spec.resources
    {
        override_pod_level(&mut total, &resources.limits);
    }
    if !options.exclude_overhead {
        for (name, amount) in &pod.spec.overhead.0 {
            if let Some(limit) = total.0.get_mut(name).filter(|limit| **limit != 0) {
                *limit += amount;
            }
        }
    }
    total
}

/// Whether the pod as a whole, not only its containers, asks for something.
pub fn has_pod_level_requests(pod: &Pod) -> bool {
    pod.spec
        .resources
        .as_ref()
        .is_some_and(|resources| resources.requests.0.keys().any(|name| is_pod_level(name)))
}

fn is_pod_level(resource: &str) -> bool {
    resource == CPU || resource == MEMORY || resource.starts_with(HUGE_PAGES_PREFIX)
}

fn override_pod_level(total: &mut ResourceList, pod_level: &ResourceList) {
    for (name, &amount) in pod_level.0.iter().filter(|(name, _)| is_pod_level(name)) {
        total.0.insert(name.clone(), amount);
    }
}

/// Regular containers and sidecars run together; each init container runs alone beside the sidecars before it.
fn aggregate(pod: &Pod, amounts_of: impl Fn(&Container, bool) -> ResourceList) -> ResourceList {
    let mut running = ResourceList::default();
    for container in &pod.spec.containers {
        running.add(&amounts_of(container, false));
    }
    let (mut sidecars, mut starting) = (ResourceList::default(), ResourceList::default());
    for container in &pod.spec.init_containers {
        let mut amounts = amounts_of(container, true);
        if container.is_sidecar() {
            running.add(&amounts);
            sidecars.add(&amounts);
            starting.raise(&sidecars);
        } else {
            amounts.add(&sidecars);
            starting.raise(&amounts);
        }
    }
    running.raise(&starting);
    running
}

fn effective_requests(pod: &Pod, container: &Container, is_init: bool, use_status: bool) -> ResourceList {
    let spec = &container.resources.requests;
    if !use_status || (is_init && !container.is_sidecar()) {
        return spec.clone();
    }
    let statuses = pod.status.container_statuses.iter().chain(&pod.status.init_container_statuses);
    let status = statuses.rev().find(|status| status.name == container.name);
    let Some(ContainerStatus { resources: Some(actuated), allocated_resources, .. }) = status else {
        return spec.clone();
    };
    let mut amounts = if is_resize_infeasible(pod) { ResourceList::default() } else { spec.clone() };
    amounts.raise(&actuated.requests);
    amounts.raise(allocated_resources);
    amounts
}

fn is_resize_infeasible(pod: &Pod) -> bool {
    let pending = pod.status.conditions.iter().find(|condition| condition.kind == "PodResizePending");
    pending.is_some_and(|condition| condition.reason == "Infeasible")
}
