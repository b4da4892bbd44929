//! A run with services, power, carbon and faults, from the scenario to everything a person reads afterwards.

use crate::support::{Scratch, names};
use serde_json::{Value, json};

/// `web` is cut off for two of ten minutes; nobody reviews at the end.
const BAD_DAY: &str = "\
drover: scenario/v1
name: bad-day
duration: 10m
clusters:
  - name: left
    carbon: 100
    pools: [{ name: p, nodes: 2, cpu: 4, memory: 8Gi, power: { idle: 100, max: 200 } }]
  - name: right
    pools: [{ name: p, nodes: 1, cpu: 4, memory: 8Gi, power: { idle: 50, max: 90 } }]
metrics: { every: 15s, lag: 0s, window: 30s, loss: 0 }
pods: { start_time: 2s, stop_time: 1s }
workloads:
  - name: web
    cluster: left
    replicas: 2
    cpu: 1
    memory: 1Gi
    service: { demand: { requests_per_second: 20 }, cpu_per_request: 50ms }
    objective: { latency_p95: 500ms, errors: 0.01 }
    horizontal_autoscaler:
      maxReplicas: 4
      metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }]
  - name: login
    cluster: right
    cpu: 1
    memory: 1Gi
    service: { demand: { requests_per_second: 5 }, cpu_per_request: 10ms }
    objective: { latency_p95: 500ms }
faults:
  - { fault: { partition: { cluster: left, clients: true } }, at: 3m, for: 2m }
  - { fault: { node_crash: { cluster: left, nodes: 2 } }, at: 7m, for: 30s }
  - { fault: { reviewer: {} }, at: 9m, for: 5m }
";

fn run(scratch: &Scratch) -> String {
    scratch.write("bad-day.yaml", BAD_DAY);
    scratch.succeed(&["run", "bad-day.yaml", "--out", "out"]).text
}

#[test]
fn a_run_with_services_has_their_files_and_replaces_itself() {
    let scratch = Scratch::new("services-files");
    run(&scratch);
    let files = ["figures", "journal.jsonl", "report.html", "series.csv", "services.csv", "summary.json"];
    assert_eq!(names(&scratch.path("out")), files);
    let figures = names(&scratch.path("out/figures"));
    for figure in ["service-web.svg", "service-login.svg", "faults.svg", "power.svg"] {
        assert!(figures.iter().any(|name| name == figure), "{figure} is not among {figures:?}");
    }
    let csv = String::from_utf8(scratch.read("out/services.csv")).unwrap();
    assert!(csv.starts_with("time_s,service,demand_per_s,"), "{csv}");
    assert!(csv.contains("\n240,deployment/default/web,20,,0,"), "web answers while it is cut off");
    // A folder with services.csv is a run of ours.
    let before = scratch.read("out/report.html");
    run(&scratch);
    assert_eq!(scratch.read("out/report.html"), before);
}

#[test]
fn the_summary_says_what_went_wrong_and_whom_it_hit() {
    let scratch = Scratch::new("services-summary");
    run(&scratch);
    let summary: Value = serde_json::from_slice(&scratch.read("out/summary.json")).unwrap();
    let faults = summary["faults"].as_array().unwrap();
    let told: Vec<Value> = faults
        .iter()
        .map(|fault| json!([fault["kind"], fault["cluster"], fault["from_s"], fault["to_s"], fault["ended"]]))
        .collect();
    let expected = [
        json!(["partition", "left", 180, 300, true]),
        json!(["node_crash", "left", 420, 450, true]),
        json!(["reviewer", null, 540, 600, false]),
    ];
    assert_eq!(told, expected);
    assert_eq!((&faults[0]["clients"], &faults[0]["hit"]["measurements"]), (&json!(true), &json!(8)));
    assert_eq!(faults[1]["hit"]["nodes"], 2);
    assert!(faults[1]["hit"]["pods"].as_u64().unwrap() >= 2, "{}", faults[1]);
    let meters = &summary["meters"];
    assert!(meters["energy_kwh"].as_f64().unwrap() > 0.0 && meters["carbon_kg"].as_f64().unwrap() > 0.0);
    let web = &meters["services"]["deployment/default/web"];
    assert_eq!(web["objective"], json!({ "latency_p95_ms": 500, "errors_ratio": 0.01 }));
    assert!(web["rescales"].is_u64());
    // Two minutes cut off, and some of the crash; clients who reach nobody are not served as promised.
    assert!(web["downtime_s"].as_f64().unwrap() >= 120.0, "{web}");
    assert!(web["objective_missed_time_ratio"].as_f64().unwrap() >= 0.2, "{web}");
    assert!(meters["services"]["deployment/default/login"].get("rescales").is_none());
}

#[test]
fn a_person_reads_it_on_the_terminal_and_on_the_page() {
    let scratch = Scratch::new("services-read");
    let text = run(&scratch);
    for part in [
        "Energy  ",
        "CO₂e",
        "\nweb  ",
        "objective missed; not met for ",
        "found nobody ready or reachable",
        "What went wrong: 3 faults",
        "at 180 s for 120 s: left was cut off from the federation and from clients; hit 8 measurements",
        "at 540 s until the end (60 s): Nobody reviewed; hit nobody",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let page = String::from_utf8(scratch.read("out/report.html")).unwrap();
    for part in [
        "<h1>web missed its objective: ",
        "web was down for ",
        "<h2 id=\"services-heading\">Services</h2>",
        "<h2 id=\"faults-heading\">What went wrong</h2>",
        "<h2 id=\"power-heading\">Power and carbon</h2>",
        "id=\"service-web-title\"",
        "2 nodes of left crashed",
    ] {
        assert!(page.contains(part), "{part:?} is not on the page");
    }
}
