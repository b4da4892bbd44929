//! Random wishes about nodes, neighbours and even spreading.

use super::TEAM;
use super::nodes::DISKS;
use crate::dice::Dice;
use serde_json::{Value, json};

pub(super) const HOSTNAME: &str = "kubernetes.io/hostname";
pub(super) const ZONE: &str = "topology.kubernetes.io/zone";
const KEYS: [&str; 5] = [HOSTNAME, HOSTNAME, ZONE, "topology.kubernetes.io/region", "disk"];

pub(super) fn node_affinity(dice: &mut Dice, nodes: &[Value]) -> Value {
    let mut wishes = json!({});
    let is_required = dice.chance(50);
    if is_required {
        let count = dice.between(1, 2);
        let terms: Vec<Value> = (0..count).map(|_| required_node_term(dice, nodes)).collect();
        wishes["requiredDuringSchedulingIgnoredDuringExecution"] = json!({ "nodeSelectorTerms": terms });
    }
    if !is_required || dice.chance(40) {
        let count = dice.between(1, 3);
        let terms = (0..count).map(|_| {
            json!({ "weight": dice.between(1, 100), "preference": { "matchExpressions": expressions(dice) } })
        });
        wishes["preferredDuringSchedulingIgnoredDuringExecution"] = terms.collect();
    }
    wishes
}

/// Labels mostly; sometimes nodes by name.
fn required_node_term(dice: &mut Dice, nodes: &[Value]) -> Value {
    if !dice.chance(6) {
        return json!({ "matchExpressions": expressions(dice) });
    }
    let name = &nodes[dice.index(nodes.len())]["metadata"]["name"];
    let operator = dice.one_of(&["In", "NotIn"]);
    json!({ "matchFields": [{ "key": "metadata.name", "operator": operator, "values": [name] }] })
}

fn expressions(dice: &mut Dice) -> Vec<Value> {
    let count = if dice.chance(75) { 1 } else { 2 };
    (0..count).map(|_| expression(dice)).collect()
}

fn expression(dice: &mut Dice) -> Value {
    let disk = dice.one_of(&DISKS);
    let zone = format!("zone{}", dice.between(1, 4));
    let generation = dice.between(2, 8).to_string();
    match dice.between(1, 7) {
        1 => json!({ "key": "disk", "operator": "In", "values": [disk, "tape"] }),
        2 => json!({ "key": "disk", "operator": "NotIn", "values": [disk] }),
        3 => json!({ "key": "quiet", "operator": "Exists" }),
        4 => json!({ "key": "quiet", "operator": "DoesNotExist" }),
        5 => json!({ "key": "generation", "operator": "Gt", "values": [generation] }),
        6 => json!({ "key": "generation", "operator": "Lt", "values": [generation] }),
        _ => json!({ "key": ZONE, "operator": "In", "values": [zone, "zone1"] }),
    }
}

/// Terms that serve as affinity and as anti-affinity.
pub(super) fn pod_affinity(dice: &mut Dice, apps: &[String]) -> Value {
    let mut wishes = json!({});
    let is_required = dice.chance(45);
    if is_required {
        wishes["requiredDuringSchedulingIgnoredDuringExecution"] = json!([pod_term(dice, apps)]);
    }
    if !is_required || dice.chance(25) {
        let count = dice.between(1, 2);
        let terms = (0..count)
            .map(|_| json!({ "weight": dice.between(1, 100), "podAffinityTerm": pod_term(dice, apps) }));
        wishes["preferredDuringSchedulingIgnoredDuringExecution"] = terms.collect();
    }
    wishes
}

fn pod_term(dice: &mut Dice, apps: &[String]) -> Value {
    let app = &apps[dice.index(apps.len())];
    let other = &apps[dice.index(apps.len())];
    let mut term = json!({
        "topologyKey": dice.one_of(&KEYS),
        "labelSelector": match dice.between(1, 5) {
            1 => json!({ "matchExpressions": [{ "key": "app", "operator": "In", "values": [app, other] }] }),
            2 => json!({ "matchExpressions": [{ "key": "version", "operator": "NotIn", "values": ["one"] }] }),
            _ => json!({ "matchLabels": { "app": app } }),
        },
    });
    match dice.between(1, 20) {
        1 => term["namespaces"] = json!(["default", "annex"]),
        2 => term["namespaceSelector"] = json!({ "matchLabels": { TEAM.0: TEAM.1 } }),
        3 => term["namespaceSelector"] = json!({}),
        4 if term["labelSelector"]["matchLabels"].is_object() => term["matchLabelKeys"] = json!(["version"]),
        5 if term["labelSelector"]["matchLabels"].is_object() => {
            term["mismatchLabelKeys"] = json!(["version"]);
        }
        _ => {}
    }
    term
}

/// One or two constraints on the pods of an app.
pub(super) fn spread(dice: &mut Dice, app: &str) -> Value {
    let first = dice.one_of(&[HOSTNAME, ZONE, ZONE, "disk"]);
    let mut constraints = vec![constraint(dice, app, first)];
    if dice.chance(30) {
        let second = if first == HOSTNAME { ZONE } else { HOSTNAME };
        constraints.push(constraint(dice, app, second));
    }
    Value::Array(constraints)
}

fn constraint(dice: &mut Dice, app: &str, key: &str) -> Value {
    let hard = dice.chance(50);
    let mut constraint = json!({
        "maxSkew": dice.number(&[1, 1, 2, 3]),
        "topologyKey": key,
        "whenUnsatisfiable": if hard { "DoNotSchedule" } else { "ScheduleAnyway" },
        "labelSelector": { "matchLabels": { "app": app } },
    });
    if hard && dice.chance(15) {
        constraint["minDomains"] = json!(dice.between(1, 4));
    }
    if dice.chance(15) {
        constraint["nodeAffinityPolicy"] = json!(dice.one_of(&["Honor", "Ignore"]));
    }
    if dice.chance(20) {
        constraint["nodeTaintsPolicy"] = json!(dice.one_of(&["Honor", "Ignore"]));
    }
    if dice.chance(10) {
        constraint["matchLabelKeys"] = json!(["version"]);
    }
    constraint
}
