//! Random nodes: sizes, labels, zones, taints, images, some closed for new pods.

use super::Flavour;
use crate::dice::Dice;
use serde_json::{Map, Value, json};

/// What nodes hold, and pods may be of: name, and size in mebibytes.
pub(super) const IMAGES: [(&str, u64); 5] = [
    ("example.org/small:1", 12),
    ("example.org/web:2", 140),
    ("example.org/base", 310),
    ("example.org/model:7", 1_900),
    ("example.org/huge:1", 4_000),
];

pub(super) const DISKS: [&str; 3] = ["ssd", "hdd", "nvme"];

/// The last one has no images: nobody has to hear of it before it counts.
pub(super) fn draw(dice: &mut Dice, case: u64, flavour: Flavour) -> Vec<Value> {
    let count = match flavour {
        Flavour::Wide => dice.between(100, 320),
        Flavour::Preempting => dice.between(6, 40),
        _ => dice.between(8, 70),
    };
    let zones = dice.between(1, 5);
    // Equal nodes make ties, uneven ones make scores.
    let even = dice.chance(40);
    let mut nodes: Vec<Value> =
        (0..count).map(|number| node(dice, &format!("c{case}n{number:03}"), zones, even)).collect();
    if let Some(last) = nodes.last_mut() {
        last["status"]["images"] = json!([]);
    }
    nodes
}

fn node(dice: &mut Dice, name: &str, zones: u64, even: bool) -> Value {
    let resources = resources(dice, even);
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": { "name": name, "labels": labels(dice, name, zones) },
        "spec": { "taints": taints(dice), "unschedulable": dice.chance(4) },
        "status": {
            "capacity": resources,
            "allocatable": resources,
            "images": images(dice),
            "conditions": [{ "type": "Ready", "status": "True" }],
        },
    })
}

fn labels(dice: &mut Dice, name: &str, zones: u64) -> Map<String, Value> {
    let mut labels = Map::new();
    let mut put = |key: &str, value: String| drop(labels.insert(key.to_owned(), Value::String(value)));
    if dice.chance(98) {
        put("kubernetes.io/hostname", name.to_owned());
    }
    if dice.chance(93) {
        let zone = dice.between(1, zones);
        put("topology.kubernetes.io/zone", format!("zone{zone}"));
        put("topology.kubernetes.io/region", format!("region{}", zone % 2));
    }
    if dice.chance(80) {
        put("disk", dice.one_of(&DISKS).to_owned());
    }
    if dice.chance(60) {
        put("generation", dice.between(1, 9).to_string());
    }
    if dice.chance(20) {
        put("quiet", "yes".to_owned());
    }
    labels
}

fn taints(dice: &mut Dice) -> Vec<Value> {
    let known = [
        ("dedicated", "batch", "NoSchedule", 8),
        ("dedicated", "model", "NoSchedule", 5),
        ("spot", "true", "PreferNoSchedule", 15),
        ("old", "", "PreferNoSchedule", 10),
        ("leaving", "", "NoExecute", 4),
    ];
    let mut taints: Vec<Value> = Vec::new();
    for (key, value, effect, percent) in known {
        let taken = taints.iter().any(|taint| taint["key"] == key && taint["effect"] == effect);
        if dice.chance(percent) && !taken {
            taints.push(json!({ "key": key, "value": value, "effect": effect }));
        }
    }
    taints
}

fn resources(dice: &mut Dice, even: bool) -> Value {
    let (cpu, memory) = if even {
        let size = dice.number(&[4, 4, 8]);
        (size * 1_000, size * 4 * 1_024)
    } else {
        (dice.between(20, 160) * 100 + dice.number(&[0, 0, 7, 50]), dice.between(2_000, 70_000))
    };
    let pods = if dice.chance(12) { dice.between(2, 9) } else { 110 };
    let mut amounts = json!({
        "cpu": format!("{cpu}m"),
        "memory": format!("{memory}Mi"),
        "pods": pods.to_string(),
    });
    if dice.chance(70) {
        amounts["ephemeral-storage"] = json!(format!("{}Gi", dice.between(5, 200)));
    }
    if dice.chance(15) {
        amounts["example.org/gpu"] = json!(dice.number(&[1, 2, 4, 8]).to_string());
    }
    amounts
}

fn images(dice: &mut Dice) -> Vec<Value> {
    let mut held: Vec<_> = IMAGES.iter().collect();
    held.retain(|_| dice.chance(30));
    let image = |name: &str, mebibytes: u64| {
        let tagged = if name.contains(':') { name.to_owned() } else { format!("{name}:latest") };
        json!({ "names": [tagged], "sizeBytes": mebibytes << 20 })
    };
    held.into_iter().map(|(name, mebibytes)| image(name, *mebibytes)).collect()
}

/// The CPU that a node of ours offers.
pub(super) fn milli_cpu(node: &Value) -> u64 {
    let text = node["status"]["allocatable"]["cpu"].as_str().unwrap_or_default();
    text.trim_end_matches('m').parse().unwrap_or(0)
}
