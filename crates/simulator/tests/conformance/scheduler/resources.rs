//! NodeResourcesFit and NodeResourcesBalancedAllocation.

use super::cluster::{Cluster, compare_scores, compare_verdicts, equal, in_both_orders, profile, read};
use crate::table::{Case, run};
use serde_json::{Value, json};
use simulator::kube::Pod;
use simulator::scheduler::plugins::node_resources_balanced;
use simulator::scheduler::plugins::node_resources_fit::{self, Missing, ScoredResource};
use simulator::scheduler::requests::{RequestOptions, pod_requests, scoring_defaults};
use simulator::scheduler::{FitScoring, Profile, ProfileError, ResourceWeight, ScoringStrategy, ShapePoint};

const DYNAMIC_RESOURCES: &str = "device classes (dynamic resource allocation) are not modelled; with them the filter \
                                 leaves the resource to another plugin";

fn strings(value: &Value) -> Vec<String> {
    value.as_array().map_or_else(Vec::new, |list| {
        list.iter().map(|one| one.as_str().expect("a text").to_owned()).collect()
    })
}

fn fit_profile(input: &Value) -> Profile {
    Profile {
        ignored_resources: strings(&input["args"]["ignoredResources"]),
        ignored_resource_groups: strings(&input["args"]["ignoredResourceGroups"]),
        ..profile(input)
    }
}

#[test]
fn fit() {
    let depends_on_device_class = |case: &Case| {
        let delegated = ["backed by DRA", "backed by DRA, nil draManager", "was backed by Device Plugin"];
        case.input["features"]["DRAExtendedResource"] == true
            && delegated.iter().any(|name| case.name.contains(&format!("resource {name}")))
    };
    run(
        "noderesources_fit",
        |case| depends_on_device_class(case).then_some(DYNAMIC_RESOURCES),
        |case| in_both_orders(|order| check_fit(case, order)),
    );
}

fn check_fit(case: &Case, order: bool) -> Result<(), String> {
    let cluster = Cluster::new(case, fit_profile(&case.input), order).map_err(|error| error.to_string())?;
    let template = cluster.template();
    if case.kind == "isFit" {
        let node = cluster.nodes.first();
        let fits =
            node.is_some_and(|&node| node_resources_fit::filter(&cluster.state, &template, node).is_ok());
        return equal("fits", &case.want["fits"], &Value::from(fits));
    }
    if let Err(rejection) = node_resources_fit::admit(&cluster.state, &template) {
        equal("preFilter", &case.want["preFilter"]["code"], &json!("UnschedulableAndUnresolvable"))?;
        return equal("reasons", &case.want["preFilter"]["reasons"], &json!([rejection.text()]));
    }
    let names = cluster.state.other_resource_names(&template);
    let others: Vec<_> = names.iter().map(String::as_str).collect();
    let filter = |node| node_resources_fit::filter(&cluster.state, &template, node);
    compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &others)?;
    if let Some(want) = case.want["insufficientResources"].as_array() {
        // The table lists what is missing with the profile's ignored resources left out, too.
        let got = node_resources_fit::missing(&cluster.state, &template, cluster.nodes[0]);
        let got: Vec<_> = got.iter().map(|one| describe(one, &cluster)).collect();
        return equal("insufficient", want, &got);
    }
    Ok(())
}

fn describe(missing: &Missing, cluster: &Cluster) -> Value {
    let name = match missing.resource {
        None => "pods",
        Some(ScoredResource::Cpu) => "cpu",
        Some(ScoredResource::Memory) => "memory",
        Some(ScoredResource::EphemeralStorage) => "ephemeral-storage",
        Some(ScoredResource::Other(other)) => cluster.state.resource_name(other),
    };
    let reason =
        if missing.resource.is_none() { "Too many pods".to_owned() } else { format!("Insufficient {name}") };
    json!({
        "resourceName": name,
        "reason": reason,
        "requested": missing.requested,
        "used": missing.used,
        "capacity": missing.capacity,
        "unresolvable": missing.unresolvable(),
    })
}

fn weights(value: &Value) -> Vec<ResourceWeight> {
    let list = value.as_array().cloned().unwrap_or_default();
    let weight = |one: &Value| ResourceWeight {
        name: one["name"].as_str().expect("a name").to_owned(),
        weight: one["weight"].as_i64().expect("a weight"),
    };
    list.iter().map(weight).collect()
}

/// Points with scores times `scale`.
fn shape(value: &Value, scale: i64) -> Vec<ShapePoint> {
    let points = value.as_array().cloned().unwrap_or_default();
    let number = |one: &Value, key: &str| one[key].as_i64().unwrap_or(0);
    let point = |one: &Value| ShapePoint {
        utilization: number(one, "utilization"),
        score: number(one, "score") * scale,
    };
    points.iter().map(point).collect()
}

fn strategy(args: &Value) -> Result<FitScoring, ProfileError> {
    let scoring = &args["scoringStrategy"];
    let strategy = match scoring["type"].as_str() {
        Some("LeastAllocated") => ScoringStrategy::LeastAllocated,
        Some("MostAllocated") => ScoringStrategy::MostAllocated,
        Some("RequestedToCapacityRatio") => ScoringStrategy::RequestedToCapacityRatio(shape(
            &scoring["requestedToCapacityRatio"]["shape"],
            10,
        )),
        other => panic!("strategy {other:?}"),
    };
    FitScoring::new(strategy, weights(&scoring["resources"]))
}

#[test]
fn score() {
    run(
        "noderesources_score",
        |_| None,
        |case| match case.kind.as_str() {
            "brokenLinear" => check_broken_linear(case),
            "nonZeroRequest" => check_non_zero(case),
            _ => in_both_orders(|order| check_score(case, order)),
        },
    );
}

fn check_broken_linear(case: &Case) -> Result<(), String> {
    let shape = shape(&case.input["shape"], 1);
    let utilizations: Vec<i64> = read(&case.input["utilizations"]);
    let got: Vec<_> =
        utilizations.iter().map(|&one| node_resources_fit::broken_linear(&shape, one)).collect();
    equal("scores", &case.want["scores"], &json!(got))
}

fn check_non_zero(case: &Case) -> Result<(), String> {
    let pod: Pod = read(&case.input["pod"]);
    let options = RequestOptions { defaults: scoring_defaults(), skip_pod_level: true, ..Default::default() };
    let total = pod_requests(&pod, &options);
    equal(
        "requests",
        &case.want["requests"],
        &json!({ "cpu": total.get("cpu"), "memory": total.get("memory") }),
    )
}

fn check_score(case: &Case, order: bool) -> Result<(), String> {
    let args = &case.input["args"];
    let balanced = case.input["plugin"] == "NodeResourcesBalancedAllocation";
    let mut profile = profile(&case.input);
    if balanced {
        profile.balanced_resources = weights(&args["resources"]);
    } else {
        let must_fail = case.want["newPluginErrors"].is_array() || case.want["scoreStatusCode"] == "Error";
        match strategy(args) {
            Ok(_) if must_fail => return Err("wrong arguments were accepted".to_owned()),
            Ok(scoring) => profile.fit_scoring = scoring,
            Err(error) => return check_refusal(case, &error, must_fail),
        }
    }
    let cluster = Cluster::new(case, profile, order).map_err(|error| error.to_string())?;
    let template = cluster.template();
    let mut scores = Vec::new();
    if balanced && !node_resources_balanced::scores(&template) {
        if case.input["runPreScore"] == true {
            return equal("preScore", &case.want["preScore"]["code"], &json!("Skip"));
        }
        scores.resize(cluster.nodes.len(), 0);
    } else if balanced {
        scores.extend(
            cluster.nodes.iter().map(|&node| node_resources_balanced::score(&cluster.state, &template, node)),
        );
    } else {
        scores.extend(
            cluster.nodes.iter().map(|&node| node_resources_fit::score(&cluster.state, &template, node)),
        );
    }
    compare_scores(&case.want["scores"], &cluster.state, &cluster.nodes, &scores)
}

/// Upstream prints `path: Invalid value`; an empty list it only refuses when scoring.
fn check_refusal(case: &Case, error: &ProfileError, must_fail: bool) -> Result<(), String> {
    let Some(wanted) = case.want["newPluginErrors"].as_array() else {
        return if must_fail { Ok(()) } else { Err(error.to_string()) };
    };
    let matches = |want: &Value| {
        want.as_str().is_some_and(|want| want.starts_with(&format!("{}: Invalid value", error.path)))
    };
    if wanted.iter().any(matches) { Ok(()) } else { Err(format!("want {wanted:?}, got {error}")) }
}
