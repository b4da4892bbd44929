//! What pods request of one resource, in thousandths, for utilisation.

use super::decision::MetricError;
use super::pods::TargetPod;
use crate::controllers::pod::PodKey;
use crate::kube::{self, CPU};
use crate::scheduler::requests::{self, RequestOptions, has_pod_level_requests};
use std::collections::BTreeMap;

/// Requests of every pod; one pod without them spoils the whole metric, since a share of nothing has no meaning.
pub fn pod_requests(
    pods: &[TargetPod<'_>],
    resource: &str,
    container: Option<&str>,
) -> Result<BTreeMap<PodKey, i64>, MetricError> {
    let mut known: Option<(&kube::Pod, i64)> = None;
    let mut requests = BTreeMap::new();
    for pod in pods {
        let request = match known {
            Some((template, request)) if std::ptr::eq(template, pod.template) => request,
            _ => pod_request(pod.key, pod.template, resource, container)?,
        };
        known = Some((pod.template, request));
        requests.insert(pod.key, request);
    }
    Ok(requests)
}

/// The request of one pod: of `container`, else of the pod as a whole, else of its containers and sidecars together.
pub fn pod_request(
    key: PodKey,
    pod: &kube::Pod,
    resource: &str,
    container: Option<&str>,
) -> Result<i64, MetricError> {
    if container.is_none() && has_pod_level_requests(pod) {
        let total = requests::pod_requests(pod, &RequestOptions::default()).get(resource);
        let missing = || MetricError::MissingPodRequest { resource: resource.to_owned(), pod: key };
        return total.map(|amount| milli(resource, amount)).ok_or_else(missing);
    }
    let sidecars = pod.spec.init_containers.iter().filter(|container| container.is_sidecar());
    let mut all = pod.spec.containers.iter().chain(sidecars);
    let request_of = |container: &kube::Container| {
        let amount = container.resources.requests.get(resource);
        amount.map(|amount| milli(resource, amount)).ok_or_else(|| MetricError::MissingRequest {
            resource: resource.to_owned(),
            container: container.name.clone(),
            pod: key,
        })
    };
    match container {
        None => all.try_fold(0_i64, |sum, container| Ok(sum.saturating_add(request_of(container)?))),
        Some(name) => match all.find(|container| container.name == name) {
            Some(container) => request_of(container),
            None => Err(MetricError::MissingContainer { container: name.to_owned(), pod: key }),
        },
    }
}

/// CPU is kept in thousandths already, everything else in units.
fn milli(resource: &str, amount: i64) -> i64 {
    if resource == CPU { amount } else { amount.saturating_mul(1000) }
}
