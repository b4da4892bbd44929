//! Random workloads with an autoscaler: pods in every condition, and what is measured of them.

use crate::dice::Dice;
use serde_json::{Value, json};

/// A workload, its autoscaler and everything it is decided by. Times are seconds before the moment of the decision.
pub(crate) struct Situation {
    pub(crate) name: String,
    pub(crate) replicas: u32,
    /// The spec of the autoscaler, without the workload it belongs to.
    pub(crate) spec: Value,
    pub(crate) containers: Vec<Value>,
    pub(crate) pods: Vec<PodState>,
}

pub(crate) struct PodState {
    pub(crate) name: String,
    pub(crate) phase: &'static str,
    pub(crate) deleting: bool,
    /// There are only measurements left of it.
    pub(crate) gone: bool,
    pub(crate) started_before: Option<u64>,
    /// Whether it is ready, and since when.
    pub(crate) ready: Option<(bool, u64)>,
    /// Usage of each container: thousandths of a core, and mebibytes.
    pub(crate) usage: Option<Vec<(u64, u64)>>,
}

/// Ends of the windows of all samples, and their length.
pub(crate) const SAMPLED_BEFORE: u64 = 5;
pub(crate) const WINDOW: u64 = 30;

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;

impl Situation {
    pub(super) fn draw(dice: &mut Dice, number: u64) -> Self {
        let name = format!("a{number}");
        let containers = containers(dice);
        let replicas = if dice.chance(4) { 0 } else { dice.between(1, 12) as u32 };
        let count = if dice.chance(85) { u64::from(replicas) } else { dice.between(0, 12) };
        // Most pods of a workload are about as busy.
        let load = dice.between(5, 250);
        let pods = (0..count).map(|pod| pod_state(dice, &format!("{name}-{pod}"), containers.len(), load));
        Self { pods: pods.collect(), replicas, spec: spec(dice), containers, name }
    }
}

fn containers(dice: &mut Dice) -> Vec<Value> {
    let count = if dice.chance(75) { 1 } else { 2 };
    let mut containers = Vec::new();
    for number in 0..count {
        let mut requests = json!({});
        if !dice.chance(4) {
            requests["cpu"] = json!(format!("{}m", dice.number(&[100, 250, 333, 1_000])));
        }
        if !dice.chance(4) {
            requests["memory"] = json!(format!("{}Mi", dice.number(&[64, 100, 512])));
        }
        let name = format!("main{number}");
        containers.push(
            json!({ "name": name, "image": "example.org/nowhere:1", "resources": { "requests": requests } }),
        );
    }
    containers
}

/// Moments are far from every border, so that a decision some seconds later is the same.
fn pod_state(dice: &mut Dice, name: &str, containers: usize, load: u64) -> PodState {
    let young = dice.chance(30);
    let started = if young { 2 * MINUTE } else { HOUR };
    let since = match (young, dice.chance(70)) {
        // Ready for longer than a window, or for less.
        (true, true) => 80,
        (true, false) => 20,
        // Changed long after the start, or right after it.
        (false, true) => HOUR / 2,
        (false, false) => HOUR - 10,
    };
    let usage = |dice: &mut Dice| (load * dice.between(50, 150) / 100, dice.between(10, 200));
    let phase = match dice.between(1, 20) {
        1 | 2 => "Pending",
        3 => "Failed",
        4 => "Succeeded",
        _ => "Running",
    };
    PodState {
        name: name.to_owned(),
        phase,
        // A pod that has ended does not wait for its node.
        deleting: matches!(phase, "Pending" | "Running") && dice.chance(5),
        gone: dice.chance(3),
        started_before: (!dice.chance(5)).then_some(started),
        ready: (!dice.chance(5)).then(|| (dice.chance(80), since)),
        usage: (!dice.chance(10)).then(|| (0..containers).map(|_| usage(dice)).collect()),
    }
}

fn spec(dice: &mut Dice) -> Value {
    let minimum = dice.between(1, 4);
    let mut spec = json!({ "minReplicas": minimum, "maxReplicas": minimum + dice.between(0, 12) });
    let count = if dice.chance(70) { 1 } else { 2 };
    spec["metrics"] = (0..count).map(|_| metric(dice)).collect();
    let mut behavior = json!({});
    for direction in ["scaleUp", "scaleDown"] {
        if dice.chance(50) {
            behavior[direction] = rules(dice);
        }
    }
    if behavior != json!({}) {
        spec["behavior"] = behavior;
    }
    spec
}

fn metric(dice: &mut Dice) -> Value {
    let resource = dice.one_of(&["cpu", "cpu", "memory"]);
    let target = match (dice.chance(65), resource) {
        (true, _) => json!({ "type": "Utilization", "averageUtilization": dice.number(&[20, 50, 80, 100]) }),
        (false, "cpu") => {
            json!({ "type": "AverageValue", "averageValue": format!("{}m", dice.number(&[30, 100, 150])) })
        }
        _ => json!({ "type": "AverageValue", "averageValue": format!("{}Mi", dice.number(&[40, 100])) }),
    };
    if dice.chance(80) {
        return json!({ "type": "Resource", "resource": { "name": resource, "target": target } });
    }
    let source = json!({ "name": resource, "container": "main0", "target": target });
    json!({ "type": "ContainerResource", "containerResource": source })
}

fn rules(dice: &mut Dice) -> Value {
    let mut rules = json!({ "stabilizationWindowSeconds": dice.number(&[0, 0, 0, 60, 300]) });
    if dice.chance(30) {
        rules["selectPolicy"] = json!(dice.one_of(&["Max", "Min", "Disabled"]));
    }
    if dice.chance(60) {
        let count = dice.between(1, 2);
        let policies = (0..count).map(|_| {
            let (kind, value) = if dice.chance(50) {
                ("Pods", dice.between(1, 5))
            } else {
                ("Percent", dice.number(&[10, 25, 50, 100, 150]))
            };
            json!({ "type": kind, "value": value, "periodSeconds": dice.number(&[15, 60]) })
        });
        rules["policies"] = policies.collect();
    }
    if dice.chance(25) {
        rules["tolerance"] = json!(dice.one_of(&["0", "50m", "300m"]));
    }
    rules
}
