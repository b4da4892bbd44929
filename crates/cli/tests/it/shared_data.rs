//! WASP's own files and a public trace, unchanged. Needs the shared data folder (see `make test-shared`).

use crate::support::{Scratch, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn shared(folder: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told where the shared data lies")]
    let shared =
        std::env::var("DROVER_SHARED").map_or_else(|_| repository().join("../shared"), PathBuf::from);
    shared.join("data").join(folder)
}

fn wasp(name: &str) -> PathBuf {
    shared("wasp").join(name)
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

/// A table by name of the row: what stands in the named columns, empty cells as nothing. No cell of these has quotes.
fn columns(text: &str, names: [&str; 3]) -> BTreeMap<String, [Option<f64>; 3]> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let places = names.map(|name| header.iter().position(|column| *column == name).unwrap());
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[0].to_owned(), places.map(|place| cells[place].parse().ok()))
    };
    lines.map(row).collect()
}

fn openb_pods() -> PathBuf {
    shared("traces").join("openb_pod_list_default.csv")
}

fn openb_scenario(scratch: &Scratch, pods: &Path, out: &str) {
    let nodes = shared("traces").join("openb_node_list_all_node.csv");
    let [pods, nodes] = [pods, &nodes].map(|path| path.display().to_string());
    let import = ["import", "trace", "--format", "openb", &pods, "--nodes", &nodes, "--name", "openb"];
    scratch.succeed(&[&import[..], &["--out", out]].concat());
}

#[test]
fn the_openb_trace_is_replayed_and_no_pod_is_lost() {
    let scratch = Scratch::new("openb");
    openb_scenario(&scratch, &openb_pods(), "openb.yaml");
    for out in ["first", "second"] {
        let pods = format!("{out}.csv");
        scratch.succeed(&["run", "openb.yaml", "--out", out, "--export-pods", &pods]);
    }
    for file in ["{}.csv", "{}/journal.jsonl", "{}/summary.json", "{}/series.csv", "{}/report.html"] {
        let [first, second] = ["first", "second"].map(|out| scratch.read(&file.replace("{}", out)));
        assert_eq!(first, second, "{file}");
    }
    let recorded = std::fs::read_to_string(openb_pods()).unwrap();
    let recorded = columns(&recorded, ["creation_time", "scheduled_time", "deletion_time"]);
    let replayed = String::from_utf8(scratch.read("first.csv")).unwrap();
    let replayed = columns(&replayed, ["arrival_s", "start_s", "run_s"]);
    assert_eq!((recorded.len(), replayed.len()), (8_152, 8_152));
    assert!(recorded.keys().eq(replayed.keys()));
    let mut ran_as_recorded = 0;
    for (name, [created, scheduled, deleted]) in &recorded {
        let [arrived, started, ran] = replayed[name];
        assert_eq!(arrived, *created, "{name}");
        let lasted = scheduled.or(started).and_then(|from| Some((*deleted)? - from));
        ran_as_recorded += u32::from(started.is_some() && ran == lasted);
    }
    assert_eq!(ran_as_recorded, 8_152, "each ran as long as it did in the trace");
    let exported = ["--export-pods", "again.openb", "--export-format", "openb"];
    scratch.succeed(&[&["run", "openb.yaml"], &exported[..]].concat());
    openb_scenario(&scratch, &scratch.path("again.openb"), "again.yaml");
    scratch.succeed(&["run", "again.yaml", "--export-pods", "again.csv"]);
    assert_eq!(
        scratch.read("again.csv"),
        scratch.read("first.csv"),
        "what is exported is imported as the same"
    );
    let expected = "2046 at once, 5209 later, 897 never; median 2 s, 90 % 106 s, longest 14330 s";
    assert_eq!(waits(&recorded), expected);
    let expected = "8152 at once, 0 later, 0 never; median 0 s, 90 % 0 s, longest 0 s";
    assert_eq!(waits(&replayed), expected);
}

/// How many pods got a node at once, later, and never, and how long those that got one waited. The guide has these.
fn waits(pods: &BTreeMap<String, [Option<f64>; 3]>) -> String {
    let waits = pods.values().map(|[arrival, start, _]| Some((*start)? - (*arrival)?));
    let mut waits: Vec<Option<f64>> = waits.collect();
    let never = waits.iter().filter(|wait| wait.is_none()).count();
    let at_once = waits.iter().filter(|wait| **wait == Some(0.0)).count();
    waits.retain(Option::is_some);
    waits.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let share = |part: usize| waits[(waits.len() - 1) * part / 100].unwrap();
    let later = waits.len() - at_once;
    let [median, most, longest] = [50, 90, 100].map(share);
    format!(
        "{at_once} at once, {later} later, {never} never; median {median} s, 90 % {most} s, longest {longest} s"
    )
}

#[test]
fn on_a_hundredth_of_its_nodes_the_openb_trace_waits_and_still_loses_nothing() {
    let scratch = Scratch::new("openb-small");
    openb_scenario(&scratch, &openb_pods(), "openb.yaml");
    let yaml = String::from_utf8(scratch.read("openb.yaml")).unwrap();
    let fewer = |line: &str| match line.split_once("nodes: ") {
        Some((before, after)) => {
            let digits = after.find(|one: char| !one.is_ascii_digit()).unwrap_or(after.len());
            let nodes: u32 = after[..digits].parse().unwrap();
            format!("{before}nodes: {}{}", nodes / 100, &after[digits..])
        }
        None => line.to_owned(),
    };
    let yaml: Vec<String> = yaml.lines().map(fewer).collect();
    scratch.write("small.yaml", yaml.join("\n"));
    scratch.succeed(&["run", "small.yaml", "--export-pods", "small.csv"]);
    let replayed = String::from_utf8(scratch.read("small.csv")).unwrap();
    let replayed = columns(&replayed, ["arrival_s", "start_s", "run_s"]);
    assert_eq!(replayed.len(), 8_152);
    let expected = "8072 at once, 39 later, 41 never; median 0 s, 90 % 0 s, longest 1943153 s";
    assert_eq!(waits(&replayed), expected);
}

#[test]
fn the_azure_requests_are_all_counted() {
    let scratch = Scratch::new("azure");
    let requests = shared("traces").join("AzureLLMInferenceTrace_code.csv").display().to_string();
    let import =
        ["import", "trace", "--format", "azure-llm", &requests, "--every", "1s", "--out", "demand.csv"];
    let said = scratch.succeed(&import);
    let demand = String::from_utf8(scratch.read("demand.csv")).unwrap();
    let per_second =
        demand.lines().skip(1).map(|line| line.split_once(',').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(per_second.sum::<u64>(), 8_819, "{}", said.errors);
}
