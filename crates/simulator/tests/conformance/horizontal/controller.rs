//! One reconciliation of the whole controller.

use super::behavior::recommendations;
use super::fixture::{NOW, Pods, count, equal, list, nothing, numbers, read, samples, settings};
use crate::table::{self, Case};
use serde_json::{Value, json};
use simulator::horizontal::{
    Condition, Conditions, Controller, Current, Decision, HorizontalSpec, MetricIdentifier, Metrics,
    ObjectReference, PodSamples, Reason, Scale, Selection, Unavailable,
};

/// Upstream's tests use a metric type that does not exist. Here no spec can hold one, so an external metric that
/// nobody answers for takes its place; only the name of the reason differs.
const UNKNOWN_TYPE: &str = "CheddarCheese";
const REASON_OF_UNKNOWN_TYPE: &str = "InvalidMetricSourceType";
const REASON_OF_STAND_IN: &str = "FailedGetExternalMetric";

#[test]
fn hpa_controller() {
    table::run("hpa_controller", nothing, reconcile);
}

fn reconcile(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let spec = spec(&input["hpa"]["spec"])?;
    let pods = Pods::of(&input["pods"]);
    let scale = Scale {
        spec_replicas: count(&input["scale"]["specReplicas"]),
        status_replicas: count(&input["scale"]["statusReplicas"]),
        selection: Selection::Clear,
    };
    let mut controller = match &input["recommendations"] {
        Value::Null => Controller::new(settings(input)),
        log => Controller::with_recommendations(settings(input), recommendations(log)),
    };
    let metrics = Reported { levels: numbers(&input["reportedLevelsMilli"]) };
    let decision = controller.reconcile(NOW, &spec, Some(scale), &pods.view(), &metrics);
    expect(case, scale.spec_replicas, &decision)?;
    expect_metrics(case, scale.spec_replicas, &decision)
}

fn expect(case: &Case, current: u32, decision: &Decision) -> Result<(), String> {
    let want = &case.want;
    let replicas = decision.rescale.map_or(current, |rescale| rescale.to);
    equal("replicas", replicas, count(&want["desiredReplicas"]))?;
    equal("updated", decision.rescale.is_some(), want["scaleUpdated"] == true)?;
    let wanted: Vec<String> = list(&want["conditions"])
        .iter()
        .map(|json| {
            format!("{} {} {}", text(&json["type"]), text(&json["status"]), stand_in(&json["reason"]))
        })
        .collect();
    equal("conditions", told(&decision.conditions), wanted)?;
    let action = decision.rescale.map_or(current, |rescale| rescale.to);
    equal("action", direction(current, action), text(&want["reconciliationAction"]))?;
    let error = if decision.failure.is_some() { "internal" } else { "none" };
    equal("error", error, text(&want["reconciliationError"]))
}

/// What each metric asked for, by its type.
fn expect_metrics(case: &Case, current: u32, decision: &Decision) -> Result<(), String> {
    let specs = list(&case.input["hpa"]["spec"]["metrics"]);
    for (spec, proposal) in specs.iter().zip(&decision.metrics) {
        let (kind, want) = (text(&spec["type"]), &case.want);
        let wanted_error = text(&want["metricComputationErrors"][kind]);
        equal(kind, proposal.is_err(), matches!(wanted_error, "internal" | "spec"))?;
        let action = proposal.as_ref().map_or("none", |proposal| direction(current, proposal.replicas));
        equal(kind, action, text(&want["metricComputationActions"][kind]))?;
        if let (Some(wanted), Ok(proposal)) = (want["cpuUtilization"].as_i64(), proposal)
            && let Current::Utilization { percent, .. } = proposal.current
        {
            equal("utilization", i64::from(percent), wanted)?;
        }
    }
    Ok(())
}

fn direction(from: u32, to: u32) -> &'static str {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => "scale_down",
        std::cmp::Ordering::Equal => "none",
        std::cmp::Ordering::Greater => "scale_up",
    }
}

fn told(conditions: &Conditions) -> Vec<String> {
    fn line<R: Reason>(kind: &str, condition: Option<Condition<R>>) -> Option<String> {
        let reason = condition?.reason;
        let status = if reason.holds() { "True" } else { "False" };
        Some(format!("{kind} {status} {}", reason.name()))
    }
    let lines = [
        line("AbleToScale", conditions.able_to_scale),
        line("ScalingActive", conditions.scaling_active),
        line("ScalingLimited", conditions.scaling_limited),
    ];
    lines.into_iter().flatten().collect()
}

fn stand_in(reason: &Value) -> &str {
    match text(reason) {
        REASON_OF_UNKNOWN_TYPE => REASON_OF_STAND_IN,
        reason => reason,
    }
}

/// The table's spec as a user would write it. What the API server would refuse is put in afterwards.
fn spec(json: &Value) -> Result<HorizontalSpec, String> {
    let mut written = json.clone();
    let minimum = json["minReplicas"].as_u64().map_or(1, |minimum| minimum as u32);
    written["minReplicas"] = json!(minimum.max(1));
    written.as_object_mut().ok_or("not a spec")?.remove("scaleTargetRef");
    for metric in written["metrics"].as_array_mut().into_iter().flatten() {
        if metric["type"] == UNKNOWN_TYPE {
            let target = json!({"type": "Value", "value": 1});
            *metric = json!({
                "type": "External",
                "external": {"metric": {"name": UNKNOWN_TYPE}, "target": target},
            });
        } else if metric["resource"]["target"]["type"] == "" {
            let percent = metric["resource"]["target"]["averageUtilization"].as_u64().unwrap_or(80);
            metric["resource"]["target"] = json!({"type": "Utilization", "averageUtilization": percent});
        }
    }
    Ok(HorizontalSpec { min_replicas: minimum, ..read(&written)? })
}

/// Fresh measurements; two containers share a pod's usage.
struct Reported {
    levels: Vec<i64>,
}

impl Metrics for Reported {
    fn resource(&self, _: &str, container: Option<&str>) -> Result<PodSamples, Unavailable> {
        let containers = if container.is_some() { 1 } else { 2 };
        let levels: Vec<i64> = self.levels.iter().map(|level| level / 2 * containers).collect();
        Ok(samples(&levels, NOW))
    }

    fn pods(&self, _: &MetricIdentifier) -> Result<PodSamples, Unavailable> {
        Ok(samples(&self.levels, NOW))
    }

    fn object(&self, _: &ObjectReference, _: &MetricIdentifier) -> Result<i64, Unavailable> {
        self.levels.first().copied().ok_or(Unavailable)
    }

    fn external(&self, metric: &MetricIdentifier) -> Result<Vec<i64>, Unavailable> {
        if metric.name == UNKNOWN_TYPE { Err(Unavailable) } else { Ok(self.levels.clone()) }
    }
}

fn text(json: &Value) -> &str {
    json.as_str().unwrap_or_default()
}
