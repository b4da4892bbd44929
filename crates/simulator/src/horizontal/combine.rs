//! Several metrics, one wish: the largest of all proposals, unless metrics that fail could have asked for more.

use super::calculator::Calculator;
use super::conditions::ScalingActive;
use super::decision::{MetricError, Metrics, Proposal, Scale};
use super::spec::{MetricSpec, PodTarget, WholeTarget};
use crate::kube::CPU;

/// What all metrics together ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) replicas: u32,
    /// The metric that asks for it.
    pub(super) metric: usize,
}

/// One answer for each metric.
pub(super) fn proposals(
    calculator: &Calculator<'_>,
    specs: &[MetricSpec],
    scale: &Scale,
    metrics: &impl Metrics,
) -> Vec<Result<Proposal, MetricError>> {
    specs.iter().map(|spec| proposal(calculator, spec, scale, metrics)).collect()
}

/// The largest proposal. When a metric fails and the others would scale down, the first failure counts: the silent
/// metric might be the one that needs the replicas.
pub(super) fn wish(
    specs: &[MetricSpec],
    proposals: &[Result<Proposal, MetricError>],
    current: u32,
) -> Result<Wish, ScalingActive> {
    let mut wish: Option<Wish> = None;
    let mut failed = None;
    for (metric, (spec, proposal)) in specs.iter().zip(proposals).enumerate() {
        match proposal {
            Ok(proposal) if wish.is_none_or(|wish| proposal.replicas > wish.replicas) => {
                wish = Some(Wish { replicas: proposal.replicas, metric });
            }
            Ok(_) => {}
            Err(_) => failed = failed.or(Some(failure(spec))),
        }
    }
    match (wish, failed) {
        (Some(wish), None) => Ok(wish),
        (Some(wish), Some(_)) if wish.replicas >= current => Ok(wish),
        (_, Some(reason)) => Err(reason),
        // A checked spec has a metric.
        (None, None) => Ok(Wish { replicas: current, metric: 0 }),
    }
}

fn proposal(
    calculator: &Calculator<'_>,
    spec: &MetricSpec,
    scale: &Scale,
    metrics: &impl Metrics,
) -> Result<Proposal, MetricError> {
    match spec {
        MetricSpec::Resource { resource, target } => {
            resource_proposal(calculator, resource, None, *target, metrics)
        }
        MetricSpec::ContainerResource { resource, container, target } => {
            resource_proposal(calculator, resource, Some(container), *target, metrics)
        }
        MetricSpec::Pods { metric, average } => {
            calculator.average_value(metrics.pods(metric)?, false, *average)
        }
        MetricSpec::Object { object, metric, target } => {
            whole_proposal(calculator, &[metrics.object(object, metric)?], *target, scale)
        }
        MetricSpec::External { metric, target } => {
            whole_proposal(calculator, &metrics.external(metric)?, *target, scale)
        }
    }
}

fn resource_proposal(
    calculator: &Calculator<'_>,
    resource: &str,
    container: Option<&str>,
    target: PodTarget,
    metrics: &impl Metrics,
) -> Result<Proposal, MetricError> {
    let samples = metrics.resource(resource, container)?;
    match target {
        PodTarget::Utilization(percent) => calculator.utilization(samples, resource, container, percent),
        PodTarget::AverageValue(average) => calculator.average_value(samples, resource == CPU, average),
    }
}

fn whole_proposal(
    calculator: &Calculator<'_>,
    series: &[i64],
    target: WholeTarget,
    scale: &Scale,
) -> Result<Proposal, MetricError> {
    match target {
        WholeTarget::Value(target) => calculator.value(series, target),
        WholeTarget::AverageValue(target) => calculator.value_per_pod(series, target, scale.status_replicas),
    }
}

fn failure(spec: &MetricSpec) -> ScalingActive {
    match spec {
        MetricSpec::Resource { .. } => ScalingActive::FailedGetResourceMetric,
        MetricSpec::ContainerResource { .. } => ScalingActive::FailedGetContainerResourceMetric,
        MetricSpec::Pods { .. } => ScalingActive::FailedGetPodsMetric,
        MetricSpec::Object { .. } => ScalingActive::FailedGetObjectMetric,
        MetricSpec::External { .. } => ScalingActive::FailedGetExternalMetric,
    }
}
