//! What other programs and curious people rely on: fields, pipes, help texts, the schema, the conversion.

use crate::broken_wasp::{CONFIG, INPUT};
use crate::support::{Scratch, repository};
use expect_test::expect_file;
use serde_json::Value;
use simulator::scenario::raw::RawScenario;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use strategies::catalogue::StrategyConfig;

const COMMANDS: [&[&str]; 53] = [
    &["run"],
    &["broker"],
    &["record"],
    &["overlay"],
    &["check"],
    &["replay"],
    &["import"],
    &["import", "wasp"],
    &["import", "trace"],
    &["schema"],
    &["bench"],
    &["completions"],
    &["demo"],
    &["serve"],
    &["status"],
    &["token"],
    &["token", "create"],
    &["token", "list"],
    &["token", "revoke"],
    &["rec"],
    &["rec", "list"],
    &["rec", "show"],
    &["rec", "approve"],
    &["rec", "reject"],
    &["rec", "defer"],
    &["rec", "target"],
    &["rec", "watch"],
    &["exec"],
    &["exec", "list"],
    &["exec", "show"],
    &["exec", "abort"],
    &["exec", "rollback"],
    &["freeze"],
    &["freezes"],
    &["unfreeze"],
    &["mode"],
    &["mode", "show"],
    &["mode", "set"],
    &["clock"],
    &["clock", "run"],
    &["clock", "pause"],
    &["clock", "speed"],
    &["clock", "advance"],
    &["agent"],
    &["agent", "list"],
    &["agent", "show"],
    &["agent", "bench"],
    &["audit"],
    &["audit", "list"],
    &["audit", "export"],
    &["audit", "verify"],
    &["backup"],
    &["restore"],
];

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Sorted, as the parsed JSON has them.
fn check_keys(value: &Value, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let mut found = keys(value);
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn the_summary_has_its_fields() {
    let scenario = repository().join("scenarios/constant-load.yaml").display().to_string();
    let said = Scratch::new("fields").succeed(&["run", &scenario, "--json"]);
    let summary: Value = serde_json::from_str(&said.text).unwrap();
    let top = [
        "scenario",
        "strategy",
        "seed",
        "duration_s",
        "events",
        "journal_sha256",
        "meters",
        "recommendations",
        "infeasible",
    ];
    check_keys(&summary, &[&top[..], &["review"]].concat());
    let meters = [
        "pending_pods_mean",
        "pending_pods_max",
        "time_with_pending_ratio",
        "workload_moves",
        "repeat_moves",
        "migrated_pods",
        "migrated_pods_per_execution",
        "node_hours",
        "cost_usd",
        "cost_usd_per_interval",
    ];
    check_keys(&summary["meters"], &[&meters[..], &["clusters", "evicted_pods"]].concat());
    assert!(meters.iter().all(|key| summary["meters"][key].is_number()));
    check_keys(&summary["meters"]["clusters"], &["private", "public"]);
    let loads = ["cpu_load_mean", "cpu_load_max", "cpu_load_final", "limit_violation_ratio"];
    let memory = ["memory_load_mean", "memory_load_max", "memory_load_final"];
    check_keys(&summary["meters"]["clusters"]["private"], &[&loads[..], &memory].concat());
    let stages = [
        "pending",
        "approved",
        "rejected",
        "expired",
        "superseded",
        "applying",
        "applied",
        "failed",
        "rolled_back",
    ];
    check_keys(&summary["recommendations"], &[&stages[..], &["total"]].concat());
    let sum: u64 = stages.iter().map(|stage| summary["recommendations"][stage].as_u64().unwrap()).sum();
    assert_eq!(summary["recommendations"]["total"], sum);
    let infeasible = summary["infeasible"].as_array().unwrap();
    assert!(!infeasible.is_empty(), "160 cores do not fit, so something is out of reach");
    check_keys(&infeasible[0], &["limit", "cluster", "reason", "first_at_s", "last_at_s", "count"]);
    assert_eq!(summary["journal_sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let scratch = Scratch::new("pipe");
    let three_waves = repository().join("scenarios/three-waves.yaml").display().to_string();
    for arguments in [
        &["run", &three_waves] as &[&str],
        &["run", &three_waves, "--json"],
        &["schema", "scenario"],
        &["completions", "bash"],
    ] {
        let mut child =
            scratch.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!((output.status.code(), first.is_empty()), (Some(0), false), "{arguments:?}");
    }
}

#[test]
fn every_help_text_has_an_example() {
    let scratch = Scratch::new("help");
    for command in COMMANDS {
        let said = scratch.succeed(&[command, &["--help"]].concat());
        let example = format!("\n  drover {}", command.join(" "));
        assert!(said.text.contains("Example"), "{command:?}");
        assert!(said.text.contains(&example), "{command:?}: {}", said.text);
    }
    let listed = scratch.succeed(&["--help"]).text;
    assert!(COMMANDS.iter().all(|command| listed.contains(&format!("\n  {} ", command[0]))), "{listed}");
}

#[test]
fn the_published_schema_is_the_one_in_use() {
    let said = Scratch::new("schema").succeed(&["schema", "scenario"]);
    expect_file!["../../../../docs/scenario.schema.json"].assert_eq(&said.text);
    let unsupported = model::document::unsupported::<RawScenario<StrategyConfig>>();
    assert!(unsupported.is_empty(), "the schema says more than is checked: {unsupported:?}");
    let schema: Value = serde_json::from_str(&said.text).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    check_references(&schema, &schema);
}

#[test]
fn the_schema_of_a_desk_says_what_is_checked() {
    let said = Scratch::new("desk-schema").succeed(&["schema", "desk"]);
    let schema: Value = serde_json::from_str(&said.text).unwrap();
    check_references(&schema, &schema);
    let unsupported = model::document::unsupported::<server::config::raw::RawDesk>();
    assert!(unsupported.is_empty(), "the schema says more than is checked: {unsupported:?}");
}

fn check_references(part: &Value, whole: &Value) {
    if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
        assert!(whole.pointer(reference.trim_start_matches('#')).is_some(), "{reference} leads nowhere");
    }
    match part {
        Value::Object(entries) => entries.values().for_each(|value| check_references(value, whole)),
        Value::Array(items) => items.iter().for_each(|value| check_references(value, whole)),
        _ => {}
    }
}

#[test]
fn strategies_have_one_spelling_and_forgive_another() {
    let scratch = Scratch::new("spelling");
    let three_waves = repository().join("scenarios/three-waves.yaml").display().to_string();
    let strategy = |name: &str| {
        let said = scratch.succeed(&["run", &three_waves, "--strategy", name, "--json"]);
        serde_json::from_str::<Value>(&said.text).unwrap()["strategy"].clone()
    };
    for name in ["karmada-native", "karmada_native", "Karmada-Native"] {
        assert_eq!(strategy(name), "karmada-native");
    }
    assert_eq!(strategy("wasp_heuristic"), "wasp-heuristic");
}

#[test]
fn one_thing_is_counted_as_one() {
    let scratch = Scratch::new("check-one");
    scratch.write(
        "one.yaml",
        "drover: scenario/v1\nname: one\nduration: 1h\n\
         clusters: [{ name: member1, pools: [{ nodes: 1, cpu: 4, memory: 8Gi }] }]\n\
         workloads: [{ name: app, cluster: member1, replicas: 1, cpu: 1, memory: 1Gi }]\n",
    );
    assert_eq!(
        scratch.succeed(&["check", "one.yaml"]).text,
        "one.yaml: a scenario with 1 cluster and 1 workload\n"
    );
    scratch.write(
        "few.yaml",
        "drover: experiment/v1\nname: few\nscenarios: [one.yaml]\nstrategies: [hold]\nseeds: [1]\n",
    );
    let said = scratch.succeed(&["check", "few.yaml"]).text;
    assert_eq!(said, "few.yaml: an experiment with 1 scenario, 1 strategy and 1 seed: 1 run\n");
}

#[test]
fn a_converted_scenario_gives_the_same_meters() {
    let scratch = Scratch::new("import");
    scratch.write("config.yaml", CONFIG);
    scratch.write("input.json", INPUT);
    let direct = ["run", "--wasp-config", "config.yaml", "--wasp-input", "input.json", "--json"];
    let direct = scratch.succeed(&direct);
    scratch.succeed(&[
        "import",
        "wasp",
        "--config",
        "config.yaml",
        "--input",
        "input.json",
        "--out",
        "input.yaml",
    ]);
    scratch.succeed(&["check", "input.yaml"]);
    let converted = scratch.succeed(&["run", "input.yaml", "--json"]);
    assert_eq!(direct.text, converted.text);
    let summary: Value = serde_json::from_str(&direct.text).unwrap();
    assert!(summary["meters"]["workload_moves"].as_u64().unwrap() > 0, "a run without moves shows little");
    let printed = scratch.succeed(&["import", "wasp", "--config", "config.yaml", "--input", "input.json"]);
    assert_eq!(printed.text.as_bytes(), scratch.read("input.yaml"));
}

#[test]
fn examples_in_the_guide_are_sound() {
    let scratch = Scratch::new("guide");
    let guide = repository().join("docs/guide");
    let mut examples = 0;
    for name in crate::support::names(&guide) {
        let page = std::fs::read_to_string(guide.join(&name)).unwrap();
        let blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
        for block in blocks.filter(|block| block.starts_with("drover: ")) {
            examples += 1;
            // Others name files beside them, take a while or ask somebody; that they are sound is enough.
            let here = repository().join("scenarios").display().to_string();
            scratch.write("example.yaml", block.replace("../scenarios", &here));
            if block.starts_with("drover: scenario/") {
                scratch.succeed(&["run", "example.yaml", "--out", "out"]);
            } else {
                scratch.succeed(&["check", "example.yaml"]);
            }
        }
    }
    assert!(examples > 0, "the guide shows no scenario");
}
