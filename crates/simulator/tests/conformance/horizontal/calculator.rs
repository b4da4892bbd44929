//! The replica calculator: one metric in, replicas out.

use super::fixture::{
    NOW, Pods, count, equal, list, moment, nothing, number, numbers, samples, seconds, settings, template,
};
use crate::table::{self, Case};
use serde_json::Value;
use simulator::controllers::pod::PodKey;
use simulator::horizontal::{
    Calculator, Current, MetricError, MilliTarget, PodSamples, Proposal, Sample, Tolerances, group,
    pod_request, pod_requests,
};
use std::num::NonZeroU32;

#[test]
fn hpa_replica_calculator() {
    table::run("hpa_replica_calculator", nothing, |case| match case.kind.as_str() {
        "resource" => resource(case),
        "metric" => metric(case),
        "groupPods" => groups(case),
        "calculateRequests" => requests(case),
        "calculatePodRequestsFromContainers" => request(case),
        other => Err(format!("unknown kind {other}")),
    });
}

fn resource(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let pods = Pods::of(&input["pods"]);
    let (resource, container) = (text(&input["resource"]["name"]), text(&input["resource"]["container"]));
    let container = Some(container).filter(|container| !container.is_empty());
    let measured = pod_metrics(&pods, input, container);
    let percent = NonZeroU32::new(count(&input["resource"]["targetUtilization"])).expect("a target");
    let proposal =
        calculate(input, &pods, |calculator| calculator.utilization(measured, resource, container, percent));
    match (proposal, case.want["errorContains"].as_str()) {
        (Err(error), Some(wanted)) => expect_error(&error, wanted),
        (Ok(proposal), None) => {
            equal("replicas", i64::from(proposal.replicas), number(&case.want["replicas"]))?;
            let current = Current::Utilization {
                percent: number(&case.want["utilization"]) as i32,
                average: number(&case.want["rawValueMilli"]),
            };
            equal("current", proposal.current, current)
        }
        (got, wanted) => Err(format!("got {got:?}, want error {wanted:?}")),
    }
}

/// What the metrics server knows of each pod: nothing unless every container that counts was measured.
fn pod_metrics(pods: &Pods, input: &Value, container: Option<&str>) -> PodSamples {
    let mut measured = PodSamples::new();
    for metric in list(&input["podMetrics"]) {
        let levels = list(&metric["levelsMilli"]);
        let containers = list(&metric["containers"]).iter().zip(levels);
        let chosen: Vec<i64> = containers
            .filter(|(json, _)| container.is_none_or(|name| json["name"] == name))
            .map(|(_, level)| number(level))
            .collect();
        if !chosen.is_empty() {
            let sample = Sample {
                at: moment(&input["metricTimestamp"]),
                window: seconds(&metric["windowSeconds"]),
                milli: chosen.iter().sum(),
            };
            measured.insert(pods.key(&metric["metadata"]["name"]), sample);
        }
    }
    measured
}

fn metric(case: &Case) -> Result<(), String> {
    let (input, want) = (&case.input, &case.want);
    let pods = Pods::of(&input["pods"]);
    let metric = &input["metric"];
    let levels = numbers(&metric["levelsMilli"]);
    let target = |key: &str| MilliTarget::new(number(&metric[key])).expect("a positive target");
    let proposal = calculate(input, &pods, |calculator| match text(&metric["type"]) {
        "pods" => {
            let samples = samples(&levels, moment(&input["metricTimestamp"]));
            calculator.average_value(samples, false, target("targetUsageMilli"))
        }
        "object" | "external" => calculator.value(&levels, target("targetUsageMilli")),
        _ => calculator.value_per_pod(&levels, target("perPodTargetUsageMilli"), calculator.current),
    });
    let proposal = proposal.map_err(|error| error.to_string())?;
    equal("replicas", i64::from(proposal.replicas), number(&want["replicas"]))?;
    let (Current::AverageValue(usage) | Current::Value(usage)) = proposal.current else {
        return Err(format!("unexpected {:?}", proposal.current));
    };
    equal("usage", usage, number(&want["usageMilli"]))
}

fn calculate(
    input: &Value,
    pods: &Pods,
    run: impl FnOnce(&Calculator<'_>) -> Result<Proposal, MetricError>,
) -> Result<Proposal, MetricError> {
    let tolerance = |key: &str| input["tolerances"][key].as_f64().expect("a tolerance");
    run(&Calculator {
        now: NOW,
        settings: &settings(input),
        tolerances: Tolerances { down: tolerance("scaleDown"), up: tolerance("scaleUp") },
        current: count(&input["currentReplicas"]),
        pods: &pods.view(),
    })
}

fn expect_error(error: &MetricError, wanted: &str) -> Result<(), String> {
    let is_right = match error {
        MetricError::Unavailable => wanted.contains("no metrics returned from resource metrics API"),
        MetricError::NoMatchingSamples => wanted.contains("no metrics returned matched known pods"),
        MetricError::MissingRequest { .. } => wanted.contains("missing request for"),
        _ => false,
    };
    equal(&format!("{error} for {wanted:?}"), is_right, true)
}

fn groups(case: &Case) -> Result<(), String> {
    let (input, want) = (&case.input, &case.want);
    let pods = Pods::of(&input["pods"]);
    let metrics = input["metrics"].as_object().into_iter().flatten();
    let samples: PodSamples = metrics
        .map(|(name, metric)| {
            let sample = Sample {
                at: moment(&metric["timestamp"]),
                window: seconds(&metric["windowSeconds"]),
                milli: number(&metric["valueMilli"]),
            };
            (pods.key(&Value::String(name.clone())), sample)
        })
        .collect();
    let groups = group(&pods.view(), &samples, input["resource"] == "cpu", &settings(input), NOW);
    equal("ready", groups.ready, count(&want["readyPodCount"]))?;
    let keys = |key: &str| -> Vec<PodKey> { list(&want[key]).iter().map(|name| pods.key(name)).collect() };
    equal("unready", sorted(groups.unready), sorted(keys("unreadyPods")))?;
    equal("missing", sorted(groups.missing), sorted(keys("missingPods")))?;
    equal("ignored", sorted(groups.ignored), sorted(keys("ignoredPods")))
}

fn sorted(mut keys: Vec<PodKey>) -> Vec<PodKey> {
    keys.sort_unstable();
    keys
}

fn requests(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let mut pods = Pods::of(&input["pods"]);
    if input["features"]["PodLevelResources"] == false {
        pods.drop_pod_level_resources();
    }
    let container = Some(text(&input["container"])).filter(|container| !container.is_empty());
    match pod_requests(&pods.view(), text(&input["resource"]), container) {
        Ok(got) => {
            let wanted = case.want["requestsMilli"].as_object().into_iter().flatten();
            let wanted = wanted.map(|(name, milli)| (pods.key(&Value::String(name.clone())), number(milli)));
            equal("requests", got, wanted.collect())
        }
        Err(error) => expect_text(&error, &input["pods"][0], &case.want["error"]),
    }
}

fn request(case: &Case) -> Result<(), String> {
    let pod = &case.input["pod"];
    let (resource, container) = (text(&case.input["resource"]), text(&case.input["container"]));
    match pod_request(PodKey(0), &template(pod), resource, Some(container)) {
        Ok(milli) => Err(format!("got {milli}")),
        Err(error) => expect_text(&error, pod, &case.want["error"]),
    }
}

/// Upstream's text, with the pod's number in place of its name.
fn expect_text(error: &MetricError, pod: &Value, wanted: &Value) -> Result<(), String> {
    let name = format!("Pod {}", text(&pod["metadata"]["name"]));
    equal("error", Some(error.to_string().replace("pod 0", &name).as_str()), wanted.as_str())
}

fn text(json: &Value) -> &str {
    json.as_str().unwrap_or_default()
}
