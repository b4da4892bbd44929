//! Upstream's tables for workload controllers.

use crate::table::{self, Case};
use model::time::{Period, Timestamp};
use serde_json::Value;
use simulator::controllers::deployment::rolling::{self, OldSet};
use simulator::controllers::deployment::status::{self, DeploymentStatus, Progress, ProgressReason};
use simulator::controllers::deployment::{
    Command, DeploymentSpec, ReplicaSetKey, ReplicaSetView, SizeMarks, Strategy, proportional,
    resolve_limits, sync,
};
use simulator::controllers::int_or_percent::{IntOrPercent, NotAPercentage};
use simulator::controllers::replica_set::ReplicaSetStatus;
use std::fmt::Debug;

#[test]
fn deployment() {
    table::run("deployment", left_out, |case| match case.kind.as_str() {
        "reconcileNewReplicaSet" => reconcile_new(case),
        "reconcileOldReplicaSets" => reconcile_old(case),
        "cleanupUnhealthyReplicas" => clean_up_unhealthy(case),
        "scaleDownOldReplicaSets" => scale_down_old(case),
        "scale" => scale(case),
        "replicaCounts" => replica_counts(case),
        "resolveFenceposts" => fenceposts(case),
        "newRSNewReplicas" => new_set_size(case),
        "deploymentComplete" => complete(case),
        "deploymentProgressing" => progressing(case),
        "deploymentTimedOut" => timed_out(case),
        "maxUnavailable" => {
            equal(spec_of(&case.input["deployment"]).max_unavailable(), number(&case.want["result"]))
        }
        "minAvailable" => {
            equal(spec_of(&case.input["deployment"]).min_available(), number(&case.want["result"]))
        }
        "replicaSetFraction" => fraction(case),
        other => Err(format!("unknown kind {other}")),
    });
}

fn left_out(case: &Case) -> Option<&'static str> {
    let unknown_terminating = case.kind == "replicaCounts" && case.want["terminating"].is_null();
    unknown_terminating.then_some(
        "a replica set that was synced by a controller too old to report terminating pods; here every replica set \
         reports them, the type has no unknown",
    )
}

fn reconcile_new(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let new = set(2, number(&input["newReplicas"]), 0);
    let old = set(1, number(&input["oldReplicas"]), number(&input["oldReplicas"]));
    let spec = rolling_spec(input, "deploymentReplicas");
    let scaled = scaled_to(&sync(&spec, Some(&new), &[old]), new.key);
    let wanted = case.want["scaled"] == true;
    equal(scaled, wanted.then(|| number(&case.want["newReplicas"])))
}

fn reconcile_old(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let new = set(2, number(&input["newReplicas"]), number(&input["readyPodsFromNewRS"]));
    let old = set(1, number(&input["oldReplicas"]), number(&input["readyPodsFromOldRS"]));
    let spec = rolling_spec(input, "deploymentReplicas");
    let scaled = scaled_to(&sync(&spec, Some(&new), &[old]), old.key);
    let wanted = case.want["scaled"] == true;
    equal(scaled, wanted.then(|| number(&case.want["oldReplicas"])))
}

fn clean_up_unhealthy(case: &Case) -> Result<(), String> {
    let view = set(1, number(&case.input["oldReplicas"]), number(&case.input["readyPods"]));
    let mut sets = [OldSet { view: &view, target: view.replicas }];
    let removed = rolling::remove_unhealthy(&mut sets, number(&case.input["maxCleanupCount"]));
    equal(removed, Some(number(&case.want["cleanupCount"])))?;
    equal(view.replicas - sets[0].target, number(&case.want["cleanupCount"]))
}

fn scale_down_old(case: &Case) -> Result<(), String> {
    let view = set(1, number(&case.input["oldReplicas"]), number(&case.input["readyPods"]));
    let mut sets = [OldSet { view: &view, target: view.replicas }];
    let removed = rolling::remove_surplus(&rolling_spec(&case.input, "deploymentReplicas"), 0, &mut sets);
    equal(removed > 0, case.want["scaled"] == true)?;
    if removed > 0 { equal(sets[0].target, number(&case.want["oldReplicas"])) } else { Ok(()) }
}

/// Upstream calls the scaling step alone; a paused deployment does nothing but scale (and clean up, which without a
/// history limit does nothing).
fn scale(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let deployment = spec_of(&input["deployment"]);
    let spec = DeploymentSpec { paused: true, revision_history_limit: None, ..deployment };
    let new = input["newRS"].is_object().then(|| view_of(&input["newRS"], 0));
    let old: Vec<_> = list(&input["oldRSs"]).iter().zip(1..).map(|(json, key)| view_of(json, key)).collect();
    let commands = sync(&spec, new.as_ref(), &old);
    let size_after = |view: &ReplicaSetView, json: &Value| {
        let ignored = list(&input["replicaSetsNotUpdated"]).contains(&json["metadata"]["name"]);
        let changed = if ignored { None } else { scaled_to(&commands, view.key) };
        changed.unwrap_or(view.replicas)
    };
    if let Some(view) = new {
        equal(size_after(&view, &input["newRS"]), number(&case.want["newRS"]["replicas"]))?;
    }
    let sizes: Vec<u32> =
        old.iter().zip(list(&input["oldRSs"])).map(|(view, json)| size_after(view, json)).collect();
    let wanted: Vec<u32> = list(&case.want["oldRSs"]).iter().map(|json| number(&json["replicas"])).collect();
    equal(sizes, wanted)
}

/// A set that was never synced has no terminating pods to report; the table writes that as null.
fn replica_counts(case: &Case) -> Result<(), String> {
    let sets = list(&case.input["sets"]).iter().map(|json| {
        let replicas = number(&json["statusReplicas"]);
        let terminating = json["terminatingReplicas"].as_u64().unwrap_or(0) as u32;
        let status = ReplicaSetStatus { replicas, terminating, ..ReplicaSetStatus::default() };
        ReplicaSetView { status, ..set(0, number(&json["specReplicas"]), 0) }
    });
    let status = status::of(None, &sets.collect::<Vec<_>>());
    // Nothing is available, so every wanted pod is unavailable.
    equal(status.unavailable, number(&case.want["specCount"]))?;
    equal(status.replicas, number(&case.want["actualCount"]))?;
    equal(status.terminating, number(&case.want["terminating"]))
}

fn fenceposts(case: &Case) -> Result<(), String> {
    let limits =
        limit(&case.input["maxSurge"]).and_then(|surge| Ok((surge, limit(&case.input["maxUnavailable"])?)));
    match limits {
        Err(_) => equal(true, case.want["error"] == true),
        Ok((surge, unavailable)) => {
            equal(false, case.want["error"] == true)?;
            let wanted = (number(&case.want["surge"]), number(&case.want["unavailable"]));
            equal(resolve_limits(surge, unavailable, number(&case.input["desired"])), wanted)
        }
    }
}

fn new_set_size(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let mut spec = rolling_spec(input, "depReplicas");
    if input["strategyType"] == "Recreate" {
        spec.strategy = Strategy::Recreate;
    }
    let new = number(&input["newRSReplicas"]);
    let others: u32 = list(&input["allRSsReplicas"]).iter().map(number).sum();
    equal(rolling::new_set_size(&spec, others, new), number(&case.want["result"]))
}

fn complete(case: &Case) -> Result<(), String> {
    let deployment = &case.input["deployment"];
    let replicas = spec_of(deployment).replicas;
    equal(Value::Bool(counts(&deployment["status"]).is_complete(replicas)), case.want["result"].clone())
}

fn progressing(case: &Case) -> Result<(), String> {
    let before = counts(&case.input["deployment"]["status"]);
    let after = counts(&case.input["newStatus"]);
    equal(Value::Bool(after.has_progressed_since(&before)), case.want["result"].clone())
}

fn timed_out(case: &Case) -> Result<(), String> {
    let deployment = &case.input["deployment"];
    let condition = &deployment["status"]["conditions"][0];
    let reason = match condition["reason"].as_str() {
        Some("NewReplicaSetAvailable") => ProgressReason::NewReplicaSetAvailable,
        None => ProgressReason::ReplicaSetUpdated,
        Some(other) => return Err(format!("unknown reason {other}")),
    };
    let progress = Progress { reason, updated: time_of_day(&condition["lastUpdateTime"]) };
    let timed_out = progress.is_timed_out(&spec_of(deployment), time_of_day(&case.input["nowTime"]));
    equal(Value::Bool(timed_out), case.want["result"].clone())
}

fn fraction(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let spec = DeploymentSpec {
        replicas: number(&input["deploymentReplicas"]),
        strategy: Strategy::RollingUpdate {
            max_surge: IntOrPercent::Count(number(&input["deploymentMaxSurge"])),
            max_unavailable: IntOrPercent::Count(number(&input["maxUnavailable"])),
        },
        ..DeploymentSpec::default()
    };
    let max = annotation(&input["rsAnnotations"], "max-replicas");
    let marks = max.map(|max| SizeMarks { desired: max, max });
    let view = ReplicaSetView { marks, ..set(1, number(&input["rsReplicas"]), 0) };
    let fraction = proportional::fraction(&spec, &view, number(&input["deploymentStatusReplicas"]));
    equal(Some(fraction), case.want["fraction"].as_i64())
}

fn set(key: u32, replicas: u32, available: u32) -> ReplicaSetView {
    ReplicaSetView {
        key: ReplicaSetKey(key),
        created: Timestamp::EPOCH,
        revision: u64::from(key),
        marks: None,
        replicas,
        status: ReplicaSetStatus { replicas, ready: available, available, terminating: 0 },
        observed: true,
        deleting: false,
    }
}

fn view_of(json: &Value, key: u32) -> ReplicaSetView {
    let annotations = &json["metadata"]["annotations"];
    let marks = annotation(annotations, "desired-replicas").zip(annotation(annotations, "max-replicas"));
    ReplicaSetView {
        created: time_of_day(&json["metadata"]["creationTimestamp"]),
        revision: u64::MAX - u64::from(key),
        marks: marks.map(|(desired, max)| SizeMarks { desired, max }),
        status: ReplicaSetStatus::default(),
        ..set(key, number(&json["spec"]["replicas"]), 0)
    }
}

fn annotation(annotations: &Value, name: &str) -> Option<u32> {
    annotations[format!("deployment.kubernetes.io/{name}")]
        .as_str()
        .map(|text| text.parse().expect("a number"))
}

fn rolling_spec(input: &Value, replicas: &str) -> DeploymentSpec {
    let strategy = Strategy::RollingUpdate {
        max_surge: limit(&input["maxSurge"]).expect("a limit"),
        max_unavailable: limit(&input["maxUnavailable"]).expect("a limit"),
    };
    DeploymentSpec { replicas: number(&input[replicas]), strategy, ..DeploymentSpec::default() }
}

fn spec_of(deployment: &Value) -> DeploymentSpec {
    let spec = &deployment["spec"];
    let update = &spec["strategy"]["rollingUpdate"];
    let strategy = if spec["strategy"]["type"] == "Recreate" {
        Strategy::Recreate
    } else {
        Strategy::RollingUpdate {
            max_surge: limit(&update["maxSurge"]).expect("a limit"),
            max_unavailable: limit(&update["maxUnavailable"]).expect("a limit"),
        }
    };
    // The API's largest number means "no deadline".
    let seconds = spec["progressDeadlineSeconds"].as_u64().filter(|seconds| *seconds != i32::MAX as u64);
    DeploymentSpec {
        replicas: spec["replicas"].as_u64().unwrap_or(0) as u32,
        strategy,
        progress_deadline: seconds.map(Period::from_secs),
        ..DeploymentSpec::default()
    }
}

fn counts(status: &Value) -> DeploymentStatus {
    let count = |name: &str| status[name].as_u64().unwrap_or(0) as u32;
    DeploymentStatus {
        replicas: count("replicas"),
        updated: count("updatedReplicas"),
        ready: count("readyReplicas"),
        available: count("availableReplicas"),
        ..DeploymentStatus::default()
    }
}

fn limit(json: &Value) -> Result<IntOrPercent, NotAPercentage> {
    match json {
        Value::Null => Ok(IntOrPercent::Count(0)),
        Value::String(text) => text.parse(),
        count => Ok(IntOrPercent::Count(number(count))),
    }
}

fn scaled_to(commands: &[Command], key: ReplicaSetKey) -> Option<u32> {
    commands.iter().find_map(|command| match command {
        Command::Scale { set, replicas, .. } if *set == key => Some(*replicas),
        _ => None,
    })
}

/// The time since midnight; the tables stay within a day.
fn time_of_day(json: &Value) -> Timestamp {
    let Some(text) = json.as_str() else { return Timestamp::EPOCH };
    let clock = text.split_once('T').expect("date and time").1.trim_end_matches('Z');
    let seconds =
        clock.split(':').fold(0, |total, part| total * 60 + part.parse::<u64>().expect("two digits"));
    Timestamp::EPOCH + Period::from_secs(seconds)
}

fn list(json: &Value) -> &[Value] {
    json.as_array().map_or(&[], Vec::as_slice)
}

fn number(json: &Value) -> u32 {
    json.as_u64()
        .and_then(|value| u32::try_from(value).ok())
        .unwrap_or_else(|| panic!("{json} is not a count"))
}

fn equal<T: PartialEq + Debug>(got: T, wanted: T) -> Result<(), String> {
    let pair = (got, wanted);
    if pair.0 == pair.1 { Ok(()) } else { Err(format!("got {:?}, want {:?}", pair.0, pair.1)) }
}
