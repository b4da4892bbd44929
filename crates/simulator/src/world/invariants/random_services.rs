//! Random services, autoscalers of pods, power, networks and metrics for random federations.

use super::random_scenario::Dice;
use serde_json::{Value, json};

/// Lets some workloads serve, and measures everything, with draws of their own.
pub(super) fn add_services(dice: &mut Dice, scenario: &mut Value) {
    for pool in pools(scenario) {
        pool["power"] = match dice.between(0, 2) {
            0 => json!({ "idle": dice.between(0, 100), "max": dice.between(100, 300) }),
            1 => json!("xeon-e3-1270"),
            _ => continue,
        };
        pool["background_cpu"] = json!(format!("{}m", dice.between(0, 500)));
        pool["speed"] = json!(dice.between(1, 4) as f64 / 2.0);
    }
    for cluster in scenario["clusters"].as_array_mut().into_iter().flatten() {
        cluster["carbon"] = if dice.chance(50) { json!("fr") } else { json!(dice.between(10, 800)) };
    }
    let scaled = scaled_workloads(scenario);
    for workload in scenario["workloads"].as_array_mut().into_iter().flatten() {
        let kind = workload["kind"].as_str().unwrap_or_default().to_owned();
        if !matches!(kind.as_str(), "deployment" | "replicaset" | "statefulset") || dice.chance(30) {
            continue;
        }
        workload["service"] = service(dice);
        let name = format!("{kind}/default/{}", workload["name"].as_str().unwrap_or_default());
        if dice.chance(50) && !scaled.contains(&name) && workload["cpu"] != "0m" {
            workload["horizontal_autoscaler"] = autoscaler(dice);
        }
    }
    scenario["metrics"] = metrics(dice);
    let clusters = scenario["clusters"].as_array().map_or(1, Vec::len) as u64;
    if dice.chance(50) {
        scenario["network"] = network(dice, clusters);
    }
}

fn pools(scenario: &mut Value) -> impl Iterator<Item = &mut Value> {
    let clusters = scenario["clusters"].as_array_mut().into_iter().flatten();
    clusters.flat_map(|cluster| cluster["pools"].as_array_mut().into_iter().flatten())
}

/// Whose size the scenario changes; who else changes it would have the last word only sometimes.
fn scaled_workloads(scenario: &Value) -> Vec<String> {
    let events = scenario["events"].as_array().into_iter().flatten();
    let scales = events.filter(|event| event["change"].to_string().contains("replicas"));
    scales.filter_map(|event| event["workload"].as_str().map(str::to_owned)).collect()
}

fn service(dice: &mut Dice) -> Value {
    let level = match dice.between(0, 3) {
        0 => json!(dice.between(0, 80)),
        1 => json!({ "stages": [{ "for": "60s", "to": dice.between(0, 100) }, { "for": "90s", "to": 1 }] }),
        2 => json!({ "gaussian": { "mean": dice.between(0, 40), "standard_deviation": 15, "maximum": 90,
            "every": format!("{}s", dice.between(5, 60)) } }),
        _ => {
            json!({ "steps": { "list": [{ "for": "40s", "to": 50 }, { "for": "50s", "to": 0 }], "repeat": true } })
        }
    };
    let demand = if dice.chance(60) {
        json!({ "requests_per_second": level })
    } else {
        json!({ "users": level, "think_time": format!("{}ms", dice.between(0, 2_000)) })
    };
    let mut service = json!({
        "demand": demand,
        "cpu_per_request": format!("{}ms", dice.between(1, 100)),
        "wait_per_request": format!("{}ms", dice.between(0, 50)),
        "queue": dice.between(0, 200),
        "latency_noise": dice.between(0, 2) as f64 / 10.0,
        "model": dice.word(&["queueing", "queueing", "fluid"]),
    });
    if dice.chance(50) {
        service["time_out"] = json!(format!("{}s", dice.between(1, 20)));
    }
    if dice.chance(30) {
        service["slow_start"] = json!({ "factor": 3, "for": format!("{}s", dice.between(1, 40)) });
    }
    if dice.chance(20) {
        service["concurrency"] = json!(dice.between(1, 8));
    }
    service
}

fn autoscaler(dice: &mut Dice) -> Value {
    let target = json!({ "type": "Utilization", "averageUtilization": dice.between(20, 90) });
    let cpu = json!({ "type": "Resource", "resource": { "name": "cpu", "target": target } });
    let rate = json!({ "type": "AverageValue", "averageValue": dice.between(5, 30).to_string() });
    let rate =
        json!({ "type": "Pods", "pods": { "metric": { "name": "requests_per_second" }, "target": rate } });
    let metrics = match dice.between(0, 2) {
        0 => json!([cpu]),
        1 => json!([rate]),
        _ => json!([cpu, rate]),
    };
    json!({
        "minReplicas": dice.between(1, 3),
        "maxReplicas": dice.between(3, 12),
        "metrics": metrics,
        "behavior": { "scaleDown": { "stabilizationWindowSeconds": dice.between(0, 120) } },
    })
}

fn metrics(dice: &mut Dice) -> Value {
    json!({
        "every": format!("{}s", dice.between(1, 30)),
        "lag": dice.delay(0, 20),
        "window": format!("{}s", dice.between(1, 60)),
        "loss": dice.between(0, 3) as f64 / 10.0,
        "nodes": dice.chance(30),
    })
}

fn network(dice: &mut Dice, clusters: u64) -> Value {
    let target = format!("c{}", dice.between(0, clusters - 1));
    let to = match dice.between(0, 3) {
        0 => json!("nearest"),
        1 => json!("ready_replicas"),
        2 => json!({ "weights": { target.clone(): dice.between(1, 9) } }),
        _ => json!({ "cluster": target.clone() }),
    };
    let fallback = dice.word(&["move", "fail"]);
    json!({
        "areas": { "north": { "share": 0.7 }, "south": { "share": 0.3 } },
        "latency": [{ "from": "north", "to": target, "round_trip": format!("{}ms", dice.between(1, 200)) }],
        "otherwise": "30ms",
        "traffic": { "to": to, "when_unreachable": fallback },
    })
}
