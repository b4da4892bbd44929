//! Autoscalers of workloads, and disruption budgets.

use super::super::thing::{Counts, Texts};
use super::{Writer, count_or_share, selector};
use model::names::WorkloadKind;
use model::quantity::MilliCpu;
use serde_json::{Value, json};
use simulator::controllers::disruption::DisruptionBudget;
use simulator::horizontal::{
    HorizontalSpec, MetricIdentifier, MetricSpec, MilliTarget, PodTarget, WholeTarget,
};
use simulator::world::{BudgetObject, WorkloadObject};

impl Writer<'_> {
    pub(super) fn horizontal(workload: &WorkloadObject, counts: Counts) -> Value {
        let Some(spec) = &workload.horizontal else { return json!({}) };
        let HorizontalSpec { min_replicas, max_replicas, metrics, .. } = &**spec;
        json!({
            "spec": {
                "scaleTargetRef": { "apiVersion": "apps/v1", "kind": target_kind(workload), "name": workload.reference.name() },
                "minReplicas": min_replicas,
                "maxReplicas": max_replicas,
                "metrics": metrics.iter().map(metric).collect::<Vec<_>>(),
            },
            "status": {
                "currentReplicas": counts.active, "desiredReplicas": workload.replicas, "currentMetrics": null,
            },
        })
    }

    pub(super) fn budget(&self, object: &BudgetObject, labels: &Texts) -> Value {
        let BudgetObject { budget, pods } = object;
        let (name, bound) = match budget {
            DisruptionBudget::MinAvailable(least) => ("minAvailable", least),
            DisruptionBudget::MaxUnavailable(most) => ("maxUnavailable", most),
        };
        let allowed = budget.allowed(*pods);
        let reason = if allowed > 0 { "SufficientPods" } else { "InsufficientPods" };
        json!({
            "metadata": { "generation": 1 },
            "spec": { name: count_or_share(*bound), "selector": selector(labels) },
            "status": {
                "observedGeneration": 1,
                "disruptionsAllowed": allowed,
                "currentHealthy": pods.healthy,
                "desiredHealthy": budget.desired_healthy(pods.replicas),
                "expectedPods": object.expected(),
                "conditions": [{
                    "type": "DisruptionAllowed", "status": if allowed > 0 { "True" } else { "False" },
                    "reason": reason, "message": "", "observedGeneration": 1,
                    "lastTransitionTime": self.date(self.thing.created_at),
                }],
            },
        })
    }
}

/// The kind of what an autoscaler scales.
pub(in crate::kube_api) fn target_kind(workload: &WorkloadObject) -> &'static str {
    match workload.reference.kind() {
        WorkloadKind::StatefulSet => "StatefulSet",
        WorkloadKind::ReplicaSet => "ReplicaSet",
        _ => "Deployment",
    }
}

fn metric(metric: &MetricSpec) -> Value {
    match metric {
        MetricSpec::Resource { resource, target } => {
            json!({ "type": "Resource", "resource": { "name": resource, "target": pod_target(*target) } })
        }
        MetricSpec::ContainerResource { resource, container, target } => json!({
            "type": "ContainerResource",
            "containerResource": { "name": resource, "container": container, "target": pod_target(*target) },
        }),
        MetricSpec::Pods { metric, average } => {
            json!({ "type": "Pods", "pods": { "metric": named(metric), "target": average_value(*average) } })
        }
        MetricSpec::Object { object, metric, target } => json!({
            "type": "Object",
            "object": {
                "describedObject": { "apiVersion": object.api_version, "kind": object.kind, "name": object.name },
                "metric": named(metric), "target": whole_target(*target),
            },
        }),
        MetricSpec::External { metric, target } => {
            json!({ "type": "External", "external": { "metric": named(metric), "target": whole_target(*target) } })
        }
    }
}

fn named(metric: &MetricIdentifier) -> Value {
    json!({ "name": metric.name })
}

fn pod_target(target: PodTarget) -> Value {
    match target {
        PodTarget::Utilization(percent) => {
            json!({ "type": "Utilization", "averageUtilization": percent.get() })
        }
        PodTarget::AverageValue(value) => average_value(value),
    }
}

fn whole_target(target: WholeTarget) -> Value {
    match target {
        WholeTarget::Value(value) => json!({ "type": "Value", "value": thousandths(value) }),
        WholeTarget::AverageValue(value) => average_value(value),
    }
}

fn average_value(value: MilliTarget) -> Value {
    json!({ "type": "AverageValue", "averageValue": thousandths(value) })
}

/// Thousandths of anything are written like those of a core.
fn thousandths(value: MilliTarget) -> String {
    MilliCpu(u64::try_from(value.milli()).unwrap_or(0)).to_string()
}
