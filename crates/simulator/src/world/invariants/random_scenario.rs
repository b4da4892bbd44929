//! Small federations of every shape, as the file a person could have written.

use crate::randomness::Stream;
use serde_json::{Map, Value, json};

/// Chance in the words of a generator.
#[derive(Clone)]
pub(super) struct Dice(pub(super) Stream);

impl Dice {
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0.between(least, most)
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    /// One of them, if there are any.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.0.below(items.len() as u64) as usize])
    }

    pub(super) fn word<'a>(&mut self, words: &[&'a str]) -> &'a str {
        self.pick(words).copied().expect("there is a word")
    }

    /// A length of time, fixed or varying.
    pub(super) fn delay(&mut self, least: u64, most: u64) -> String {
        let (one, other) = (self.between(least, most), self.between(least, most));
        if self.chance(50) { format!("{one}s") } else { format!("{}s..{}s", one.min(other), one.max(other)) }
    }
}

/// A scenario without agents: those are the test's.
pub(super) fn scenario(dice: &mut Dice) -> Value {
    let duration = dice.between(180, 900);
    let mut clusters: Vec<Value> = (0..dice.between(1, 4)).map(|index| cluster(dice, index)).collect();
    let count = if dice.chance(70) { dice.between(1, 8) } else { dice.between(9, 25) };
    let workloads: Vec<Value> =
        (0..count).map(|index| workload(dice, index, clusters.len() as u64, duration)).collect();
    let events: Vec<Value> =
        workloads.iter().filter_map(|workload| event(dice, workload, duration)).collect();
    let mut scenario = json!({
        "drover": "scenario/v1",
        "name": "random",
        "kubernetes": dice.word(&["1.34", "1.35", "1.36"]),
        "duration": format!("{duration}s"),
        "workloads": workloads,
        "events": events,
        "pods": { "start_time": dice.delay(0, 20), "stop_time": dice.delay(0, 10) },
        "migration": {
            "mode": dice.word(&["make-before-break", "recreate"]),
            "propagation": dice.delay(0, 10),
            "ready_within": format!("{}s", dice.between(10, 180)),
        },
        "observation": { "every": "15s", "delay": format!("{}s", dice.between(0, 5)) },
        "guardrails": {
            "enforce_limits": dice.chance(50),
            "cool_down": format!("{}s", dice.between(0, 60)),
        },
        "review": { "mode": dice.word(&["auto", "auto", "simulated"]), "expires_after": "60s" },
        "reviewer": { "delay": dice.delay(0, 30), "rejects": 0.1, "ignores": 0.1 },
    });
    // Drawn last, so that all else is as it was before these were possible.
    for cluster in &mut clusters {
        if dice.chance(30) {
            cluster["autoscaler"] = karpenter(dice);
        }
        for pool in cluster["pools"].as_array_mut().into_iter().flatten() {
            if dice.chance(20) {
                let price = dice.word(&["0.02", "0.1"]);
                pool["spot"] =
                    json!({ "price_per_hour": price, "interruptions_per_hour": dice.between(0, 20) });
            }
        }
    }
    scenario["clusters"] = json!(clusters);
    scenario
}

fn karpenter(dice: &mut Dice) -> Value {
    let policies = ["WhenEmpty", "WhenEmptyOrUnderutilized", "WhenEmptyOrUnderutilized", "Balanced", "Never"];
    json!({
        "kind": "karpenter",
        "consolidation": dice.word(&policies),
        "consolidate_after": format!("{}s", dice.between(0, 40)),
        "budget": dice.word(&["0", "1", "10%", "50%", "100%"]),
        "batch_max": format!("{}s", dice.between(1, 10)),
        "spot_to_spot": dice.chance(30),
    })
}

fn cluster(dice: &mut Dice, index: u64) -> Value {
    let pools: Vec<Value> = (0..dice.between(1, 3)).map(|number| pool(dice, number)).collect();
    let mut cluster = json!({ "name": format!("c{index}"), "pools": pools });
    if dice.chance(50) {
        cluster["autoscaler"] = json!({
            "scan_every": "10s",
            "unneeded_for": format!("{}s", dice.between(0, 60)),
            "delay_after_add": format!("{}s", dice.between(0, 60)),
        });
    }
    cluster
}

fn pool(dice: &mut Dice, number: u64) -> Value {
    let nodes = dice.between(0, 4);
    let mut pool = json!({
        "name": format!("p{number}"),
        "nodes": nodes,
        "cpu": dice.between(1, 8).to_string(),
        "memory": format!("{}Gi", dice.between(2, 16)),
        "pods": dice.between(2, 20),
        "overhead": { "cpu": "100m", "memory": "256Mi" },
        "labels": { "tier": dice.word(&["a", "b"]) },
        "price_per_hour": dice.word(&["0.05", "0.1", "0.4"]),
        "minimum": dice.between(0, nodes),
        "maximum": nodes + dice.between(0, 4),
        "boot_time": dice.delay(0, 60),
    });
    if dice.chance(50) {
        pool["zones"] = json!(["z1", "z2", "z3"][..dice.between(1, 3) as usize]);
    }
    if dice.chance(25) {
        let effect = dice.word(&["NoSchedule", "PreferNoSchedule", "NoExecute"]);
        pool["taints"] = json!([{ "key": "special", "effect": effect }]);
    }
    pool
}

fn workload(dice: &mut Dice, index: u64, clusters: u64, duration: u64) -> Value {
    let kinds =
        ["deployment", "deployment", "replicaset", "statefulset", "job", "cronjob", "daemonset", "pod"];
    let kind = dice.word(&kinds);
    let at = if dice.chance(50) { 0 } else { dice.between(0, duration / 2) };
    let mut workload = json!({
        "name": format!("w{index}"),
        "kind": kind,
        "cluster": format!("c{}", dice.between(0, clusters - 1)),
        "at": format!("{at}s"),
        "replicas": dice.between(0, 6),
        "cpu": format!("{}m", dice.between(0, 20) * 100),
        "memory": format!("{}Mi", dice.between(0, 24) * 128),
        "priority": *dice.pick(&[0, 0, 0, 10, 100]).expect("there is one"),
        "movable": dice.chance(85),
        "labels": { "group": dice.word(&["x", "y"]) },
        "pod": pod(dice),
    });
    if dice.chance(20) {
        workload["until"] = json!(format!("{}s", dice.between(at + 1, duration)));
    }
    if dice.chance(30) {
        workload["start_time"] = json!(dice.delay(0, 40));
        workload["stop_time"] = json!(dice.delay(0, 40));
    }
    match kind {
        "deployment" if dice.chance(50) => {
            workload["max_surge"] = json!(dice.word(&["0", "1", "50%", "100%"]));
            workload["max_unavailable"] = json!(dice.word(&["1", "2", "50%"]));
        }
        "job" | "cronjob" => {
            workload["run_time"] = json!(dice.delay(1, 90));
            workload["completions"] = json!(dice.between(1, 6));
        }
        "pod" if dice.chance(50) => workload["run_time"] = json!(dice.delay(1, 90)),
        _ => {}
    }
    if kind == "cronjob" {
        workload["schedule"] = json!(dice.word(&["* * * * *", "*/2 * * * *", "*/5 * * * *"]));
    }
    workload
}

/// The fields of a pod that make scheduling hard.
fn pod(dice: &mut Dice) -> Value {
    let mut pod = Map::new();
    if dice.chance(15) {
        pod.insert("nodeSelector".into(), json!({ "tier": dice.word(&["a", "b"]) }));
    }
    if dice.chance(30) {
        pod.insert("tolerations".into(), json!([{ "key": "special", "operator": "Exists" }]));
    }
    let mine = json!({ "matchLabels": { "group": dice.word(&["x", "y"]) } });
    let key = dice.word(&["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
    if dice.chance(20) {
        let when = dice.word(&["DoNotSchedule", "ScheduleAnyway"]);
        pod.insert("topologySpreadConstraints".into(), json!([{
            "maxSkew": dice.between(1, 2), "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": mine,
        }]));
    }
    if dice.chance(20) {
        let term = json!({ "labelSelector": mine, "topologyKey": key });
        let which = dice.word(&["podAffinity", "podAntiAffinity"]);
        let term = if dice.chance(60) {
            json!({ "requiredDuringSchedulingIgnoredDuringExecution": [term] })
        } else {
            let weighted = json!({ "weight": 10, "podAffinityTerm": term });
            json!({ "preferredDuringSchedulingIgnoredDuringExecution": [weighted] })
        };
        pod.insert("affinity".into(), json!({ which: term }));
    }
    if dice.chance(10) {
        pod.insert("preemptionPolicy".into(), json!("Never"));
    }
    if dice.chance(3) {
        pod.insert("schedulingGates".into(), json!([{ "name": "closed" }]));
    }
    Value::Object(pod)
}

fn event(dice: &mut Dice, workload: &Value, duration: u64) -> Option<Value> {
    if dice.chance(55) {
        return None;
    }
    let kind = workload["kind"].as_str()?;
    let name = format!("{kind}/default/{}", workload["name"].as_str()?);
    let change = match dice.between(0, 9) {
        0 => json!({ "delete": {} }),
        1..=4 => json!({ "scale": { "replicas": dice.between(0, 8) } }),
        5..=7 => json!({ "update": { "cpu": format!("{}m", dice.between(1, 15) * 100) } }),
        _ => json!({ "update": { "memory": "1Gi", "replicas": dice.between(0, 8) } }),
    };
    let event =
        json!({ "at": format!("{}s", dice.between(0, duration)), "workload": name, "change": change });
    // None of them has a size; the draws are made all the same, so that the rest of a seed's scenario stays as it is.
    let has_size = !matches!(kind, "pod" | "daemonset" | "cronjob");
    let is_size = change.to_string().contains("replicas");
    (has_size || !is_size).then_some(event)
}

/// Gives some workloads disruption budgets, with draws of their own.
pub(super) fn add_budgets(dice: &mut Dice, scenario: &mut Value) {
    for workload in scenario["workloads"].as_array_mut().into_iter().flatten() {
        let budget = match workload["kind"].as_str() {
            Some("daemonset") => continue,
            Some("job" | "cronjob" | "pod") => {
                json!({ "min_available": dice.between(0, 2).to_string() })
            }
            _ => {
                let bound = dice.word(&["min_available", "max_unavailable"]);
                json!({ bound: dice.word(&["0", "1", "2", "30%", "50%", "100%"]) })
            }
        };
        if dice.chance(60) {
            workload["disruption_budget"] = budget;
        }
    }
}

/// Lets things go wrong, with draws of their own.
pub(super) fn add_faults(dice: &mut Dice, scenario: &mut Value) {
    let clusters = scenario["clusters"].as_array().map_or(1, Vec::len) as u64;
    let duration = scenario["duration"].as_str().and_then(|text| text.trim_end_matches('s').parse().ok());
    let duration = duration.expect("a random scenario lasts some seconds");
    let faults: Vec<Value> = (0..dice.between(1, 5)).map(|_| fault(dice, clusters, duration)).collect();
    scenario["faults"] = json!(faults);
    for workload in scenario["workloads"].as_array_mut().into_iter().flatten() {
        if dice.chance(40) {
            let toleration = json!({ "key": "node.kubernetes.io/unreachable", "operator": "Exists",
                "effect": "NoExecute", "tolerationSeconds": dice.between(0, 60) });
            let mut tolerations = workload["pod"]["tolerations"].as_array().cloned().unwrap_or_default();
            tolerations.push(toleration);
            workload["pod"]["tolerations"] = json!(tolerations);
        }
    }
}

fn fault(dice: &mut Dice, clusters: u64, duration: u64) -> Value {
    let cluster = format!("c{}", dice.between(0, clusters - 1));
    let kind = match dice.between(0, 9) {
        0..=3 => json!({ "node_crash": { "cluster": cluster, "nodes": dice.between(1, 3) } }),
        4..=5 => json!({ "partition": { "cluster": cluster, "clients": dice.chance(50) } }),
        6..=7 => {
            json!({ "api": { "cluster": cluster, "delay": dice.delay(0, 20), "fails": dice.between(0, 2) as f64 / 2.0 } })
        }
        8 => json!({ "lost_metrics": { "cluster": cluster } }),
        _ => json!({ "reviewer": {} }),
    };
    let mut fault = json!({ "fault": kind, "for": dice.delay(1, 300) });
    match dice.between(0, 2) {
        0 => fault["at"] = json!(format!("{}s", dice.between(0, duration))),
        1 => fault["every"] = json!(dice.delay(10, 120)),
        _ => fault["per_hour"] = json!(dice.between(5, 60)),
    }
    fault
}
