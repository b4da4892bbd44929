//! Stabilisation, limits and scale events.

use super::fixture::{NOW, behavior, count, equal, list, moment, nothing, number, rules, seconds, settings};
use crate::table::{self, Case};
use model::quantity::Format;
use serde_json::Value;
use simulator::horizontal::{
    Bounds, Events, Reason, Recommendation, ScaleEvent, ScalingLimited, changed_within, limit,
    limit_with_behavior, quantity, scale_down_limit, scale_up_limit, stabilize, stabilize_with_behavior,
    store_event,
};

#[test]
fn hpa_behavior() {
    table::run("hpa_behavior", nothing, |case| match case.kind.as_str() {
        "convertDesiredReplicasWithRules" => limited(case),
        "convertDesiredReplicasWithBehaviorRate" => limited_with_behavior(case),
        "scaleUpLimitWithScalingRules" => pace(case, true),
        "scaleDownLimitWithBehaviors" => pace(case, false),
        "stabilizeRecommendation" => stabilized(case),
        "stabilizeRecommendationWithBehaviors" => stabilized_with_behavior(case),
        "storeScaleEvent" => stored(case),
        "buildQuantity" => printed(case),
        other => Err(format!("unknown kind {other}")),
    });
}

fn limited(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let (current, desired) = (count(&input["currentReplicas"]), count(&input["desiredReplicas"]));
    expect_limit(case, limit(current, desired, bounds(input), &settings(input)))
}

fn limited_with_behavior(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let written = behavior(&input["scaleUpRulesSpec"], &input["scaleDownRulesSpec"])?;
    let defaulted = behavior(&input["scaleUpRules"], &input["scaleDownRules"])?;
    equal("defaults", &written, &defaulted)?;
    let (current, desired) = (count(&input["currentReplicas"]), count(&input["desiredReplicas"]));
    let (ups, downs) = (events(&input["scaleUpEvents"]), events(&input["scaleDownEvents"]));
    let events = Events { ups: &ups, downs: &downs };
    expect_limit(case, limit_with_behavior(NOW, current, desired, bounds(input), &written, events))
}

fn expect_limit(case: &Case, (replicas, reason): (u32, ScalingLimited)) -> Result<(), String> {
    equal("replicas", replicas, count(&case.want["replicas"]))?;
    equal("condition", Some(reason.name()), case.want["condition"].as_str())
}

fn pace(case: &Case, is_up: bool) -> Result<(), String> {
    let input = &case.input;
    let (ups, downs) = (events(&input["scaleUpEvents"]), events(&input["scaleDownEvents"]));
    let events = Events { ups: &ups, downs: &downs };
    let function = if is_up { scale_up_limit } else { scale_down_limit };
    let limit = function(NOW, count(&input["currentReplicas"]), &rules(&input["rules"])?, events);
    equal("limit", limit, count(&case.want["limit"]))
}

fn stabilized(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let mut log = recommendations(&input["recommendations"]);
    let window = settings(input).downscale_stabilization;
    let replicas = stabilize(&mut log, NOW, count(&input["desiredReplicas"]), window);
    equal("replicas", replicas, count(&case.want["replicas"]))?;
    equal("log", log.len() as i64, number(&case.want["recommendationLogLength"]))
}

fn stabilized_with_behavior(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let mut log = recommendations(&input["recommendations"]);
    let (current, desired) = (count(&input["currentReplicas"]), count(&input["desiredReplicas"]));
    let up = seconds(&input["scaleUpStabilizationWindowSeconds"]);
    let down = seconds(&input["scaleDownStabilizationWindowSeconds"]);
    let replicas = stabilize_with_behavior(&mut log, NOW, current, desired, up, down);
    equal("replicas", replicas, count(&case.want["replicas"]))?;
    if case.want["recommendations"].is_null() {
        return Ok(());
    }
    let wanted: Vec<u32> = list(&case.want["recommendations"]).iter().map(count).collect();
    equal("log", log.iter().map(|entry| entry.replicas).collect(), wanted)
}

fn stored(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let mut log = events(&input["prevScaleEvents"]);
    let period = seconds(&input["replicasChangePeriodSeconds"]);
    let changed = changed_within(&log, period, NOW);
    equal("changed", changed, count(&case.want["replicasChangeInPeriod"]))?;
    if !input["scalingRules"].is_null() {
        store_event(&mut log, &rules(&input["scalingRules"])?, count(&input["replicaChange"]), NOW);
    }
    let got: Vec<_> = log.iter().map(|event| (event.change, event.outdated)).collect();
    let wanted = list(&case.want["newScaleEvents"]).iter();
    let wanted = wanted.map(|event| (count(&event["replicaChange"]), event["outdated"] == true)).collect();
    equal("events", got, wanted)
}

fn printed(case: &Case) -> Result<(), String> {
    let resource = case.input["resource"].as_str().unwrap_or_default();
    let quantity = quantity(resource, number(&case.input["rawProposalMilli"]));
    let format = match quantity.format() {
        Format::BinarySi => "BinarySI",
        Format::DecimalSi => "DecimalSI",
        Format::DecimalExponent => "DecimalExponent",
    };
    equal("format", Some(format), case.want["format"].as_str())?;
    equal("text", Some(quantity.to_string().as_str()), case.want["quantity"].as_str())
}

fn bounds(input: &Value) -> Bounds {
    Bounds { minimum: count(&input["minReplicas"]), maximum: count(&input["maxReplicas"]) }
}

fn events(json: &Value) -> Vec<ScaleEvent> {
    let event = |json: &Value| ScaleEvent {
        change: count(&json["replicaChange"]),
        at: moment(json),
        outdated: json["outdated"] == true,
    };
    list(json).iter().map(event).collect()
}

pub(super) fn recommendations(json: &Value) -> Vec<Recommendation> {
    let entry = |json: &Value| Recommendation { replicas: count(&json["recommendation"]), at: moment(json) };
    list(json).iter().map(entry).collect()
}
