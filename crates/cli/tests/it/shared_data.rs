//! WASP's own files, unchanged. Needs the shared data folder (see `make test-shared`).

use crate::support::{Scratch, repository};
use serde_json::Value;
use std::path::PathBuf;

fn wasp(name: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told where the shared data lies")]
    let shared =
        std::env::var("DROVER_SHARED").map_or_else(|_| repository().join("../shared"), PathBuf::from);
    shared.join("data/wasp").join(name)
}

fn path(name: &str) -> String {
    wasp(name).display().to_string()
}

/// The keys of WASP's configuration that change something here; every other key has to be named as ignored.
const HEEDED: [&str; 16] = [
    "clusters.member1.nodes",
    "clusters.member1.cpu",
    "clusters.member1.memory",
    "clusters.member1.autoscaler",
    "clusters.member2.nodes",
    "clusters.member2.cpu",
    "clusters.member2.memory",
    "clusters.member2.autoscaler",
    "ai-engine.enabled",
    "ai-engine.ai.scheduler_interval",
    "ai-engine.ai.timestamp_lookback_seconds",
    "ai-engine.ai.fetch_metrics_immediately",
    "ai-engine.ai.cluster_selection.listed_clusters",
    "monitor.collection_interval",
    "actuator.mode",
    "actuator.orchestrator",
];

/// Paths of everything in a document that has no keys below it.
fn leaves(node: &model::document::Node, path: &str, found: &mut Vec<String>) {
    if node.entries().is_empty() {
        found.push(path.to_owned());
    }
    for entry in node.entries() {
        let inner = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        leaves(&entry.value, &inner, found);
    }
}

#[test]
fn wasps_files_run_unchanged_and_what_has_no_effect_is_named() {
    let scratch = Scratch::new("wasp");
    for input in ["input.json", "input_varia.json"] {
        let said = scratch.succeed(&[
            "run",
            "--wasp-config",
            &path("config.yaml"),
            "--wasp-input",
            &path(input),
            "--out",
            "out",
            "--wasp-out",
            "wasp-out",
        ]);
        assert!(said.text.contains("Simulated"), "{}", said.text);
        let config = std::fs::read(wasp("config.yaml")).unwrap();
        let document = model::document::Document::from_bytes("config.yaml", &config).unwrap();
        let mut keys = Vec::new();
        leaves(document.root(), "", &mut keys);
        assert!(keys.len() > 60, "{}", keys.len());
        for key in keys {
            let is_heeded = HEEDED.contains(&key.as_str());
            let is_named = said.errors.contains(&format!(": {key}: "));
            assert!(is_heeded != is_named, "{key}: heeded {is_heeded}, named {is_named}");
        }
        scratch.succeed(&["replay", "out/journal.jsonl"]);
    }
}

#[test]
fn the_shipped_varying_load_is_wasps() {
    let scratch = Scratch::new("varying");
    scratch.write(
        "config.yaml",
        "\
clusters:
  private: { nodes: 38, cpu: \"8\", memory: \"16Gi\" }
  public: { nodes: 38, cpu: \"8\", memory: \"16Gi\", autoscaler: true }
ai-engine: { ai: { scheduler_interval: 60 } }
",
    );
    let shipped = repository().join("scenarios/varying-load.yaml").display().to_string();
    let input = path("input_varia.json");
    for strategy in ["hold", "threshold", "planner", "karmada-native", "wasp-heuristic"] {
        let meters = |source: &[&str]| {
            let options = ["--strategy", strategy, "--review", "auto", "--json"];
            let said = scratch.succeed(&[&["run"], source, &options].concat());
            serde_json::from_str::<Value>(&said.text).unwrap()["meters"].clone()
        };
        let original = meters(&["--wasp-config", "config.yaml", "--wasp-input", &input]);
        assert_eq!(original, meters(&[&shipped]), "{strategy}");
    }
}
