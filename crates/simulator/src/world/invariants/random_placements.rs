//! Placement rules for random federations: workloads that Karmada's scheduler puts into clusters, and moves out of lost ones.

use super::random_scenario::Dice;
use serde_json::{Value, json};

/// Lets the federation place some workloads, with draws of its own.
pub(super) fn add_placements(dice: &mut Dice, scenario: &mut Value) {
    let clusters = scenario["clusters"].as_array().map_or(1, Vec::len) as u64;
    let mut is_placed = false;
    for workload in scenario["workloads"].as_array_mut().into_iter().flatten() {
        let kind = workload["kind"].as_str().unwrap_or_default();
        if !matches!(kind, "deployment" | "replicaset") || dice.chance(50) {
            continue;
        }
        if let Some(map) = workload.as_object_mut() {
            map.remove("cluster");
        }
        workload["placement"] = placement(dice, clusters);
        is_placed = true;
    }
    if is_placed && dice.chance(70) {
        scenario["failover"] = json!({
            "lost_after": format!("{}s", dice.between(0, 60)),
            "toleration": format!("{}s", dice.between(0, 120)),
            "grace_period": format!("{}s", dice.between(1, 200)),
        });
    }
}

fn placement(dice: &mut Dice, clusters: u64) -> Value {
    let mut names: Vec<String> = (0..clusters).map(|index| format!("c{index}")).collect();
    if clusters > 1 && dice.chance(40) {
        names.remove(dice.between(0, clusters - 1) as usize);
    }
    let scheduling = match dice.between(0, 2) {
        0 => json!({ "replicaSchedulingType": "Duplicated" }),
        1 => json!({ "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated" }),
        _ => json!({
            "replicaSchedulingType": "Divided",
            "replicaDivisionPreference": "Weighted",
            "weightPreference": { "dynamicWeight": "AvailableReplicas" },
        }),
    };
    json!({ "clusterAffinity": { "clusterNames": names }, "replicaScheduling": scheduling })
}
