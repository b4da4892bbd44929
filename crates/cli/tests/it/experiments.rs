//! Experiments as a person meets them: compared, killed, resumed, packed, tampered with.

use crate::support::{Said, Scratch, names, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn scenario(name: &str) -> String {
    repository().join("scenarios").join(format!("{name}.yaml")).display().to_string()
}

/// What is made of the results: everything in the folder but the cells.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in names(folder).into_iter().filter(|name| name != "cells") {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = results(&path).into_iter();
            found.extend(below.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.text).unwrap()
}

#[test]
fn strategies_are_compared_and_everything_agrees() {
    let scratch = Scratch::new("compare");
    let waves = scenario("three-waves");
    let base = ["compare", &waves, "--strategies", "hold,planner", "--seeds", "1..5"];
    let said = scratch.succeed(&[&base[..], &["--out", "out"]].concat());
    assert!(said.text.contains("three-waves") && said.text.contains("hold (baseline)"), "{}", said.text);
    let printed = json(&scratch.succeed(&[&base[..], &["--json", "--jobs", "1"]].concat()));
    let written: Value = serde_json::from_slice(&scratch.read("out/results.json")).unwrap();
    assert_eq!(printed, written, "one job or many, with a folder or without");
    for name in ["results.csv", "cells.csv", "table.md", "table.tex", "values.parquet"] {
        assert!(!scratch.read(&format!("out/{name}")).is_empty(), "{name}");
    }
    let csv = String::from_utf8(scratch.read("out/results.csv")).unwrap();
    let columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let mean = columns.iter().position(|column| *column == "mean").unwrap();
    for metric in written["scenarios"][0]["metrics"].as_array().unwrap() {
        for strategy in metric["strategies"].as_array().unwrap() {
            let (name, key) = (strategy["strategy"].as_str().unwrap(), metric["metric"].as_str().unwrap());
            let line =
                csv.lines().find(|line| line.starts_with(&format!("three-waves,{name},{key},"))).unwrap();
            let cell: f64 = line.split(',').nth(mean).unwrap().parse().unwrap();
            assert_eq!(Some(cell), strategy["estimate"]["mean"].as_f64(), "{name} {key}");
        }
    }
    let before = results(&scratch.path("out"));
    scratch.succeed(&[&base[..], &["--out", "out"]].concat());
    assert!(before == results(&scratch.path("out")), "known cells gave other bytes");
}

const EXPERIMENT: &str = "drover: experiment/v1
name: short
scenarios: [waves.yaml]
strategies:
  - hold
  - { decide: { strategy: planner }, grid: { headroom: [0, 0.1] } }
seeds: 1..4
grid: { reviewer.delay: [5s, 1m] }
";

fn with_experiment(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("waves.yaml", fs::read(scenario("three-waves")).unwrap());
    scratch.write("short.yaml", EXPERIMENT);
    scratch
}

#[test]
#[expect(clippy::disallowed_methods, reason = "another process has to get somewhere first")]
fn an_experiment_that_was_killed_goes_on_to_the_same_bytes() {
    let scratch = with_experiment("killed-experiment");
    let mut child = scratch
        .command(&["experiment", "run", "short.yaml", "--out", "killed", "--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let cells = scratch.path("killed/cells");
    // A minute at most, on a machine that does much else.
    for _ in 0..12_000 {
        if cells.is_dir() && names(&cells).len() >= 3 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = names(&cells).iter().filter(|name| !name.contains("draft")).count();
    assert!((1..24).contains(&kept), "{kept} of 24 runs were finished when it was killed");
    let said = scratch.succeed(&["experiment", "status", "short.yaml", "--out", "killed"]);
    assert!(said.text.contains(&format!("{kept} of 24 runs are finished")), "{}", said.text);
    let refused = scratch.drover(&["experiment", "export", "short.yaml", "--out", "killed", "--to", "x"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("runs are not finished"), "{}", refused.errors);
    scratch.succeed(&["experiment", "resume", "short.yaml", "--out", "killed"]);
    scratch.succeed(&["experiment", "run", "short.yaml", "--out", "whole"]);
    assert!(results(&scratch.path("killed")) == results(&scratch.path("whole")), "the results differ");
    let table = String::from_utf8(scratch.read("whole/table.md")).unwrap();
    assert!(
        table.contains("three-waves reviewer.delay=1m") && table.contains("planner headroom=0.1"),
        "{table}"
    );
}

#[test]
fn a_pack_is_verified_elsewhere_and_any_change_is_found() {
    let scratch = with_experiment("packed");
    scratch.succeed(&["experiment", "run", "short.yaml", "--out", "out"]);
    scratch.succeed(&["experiment", "pack", "short.yaml", "--out", "out", "--to", "short.tar"]);
    let elsewhere = Scratch::new("packed-elsewhere");
    let pack = scratch.read("short.tar");
    elsewhere.write("short.tar", &pack);
    let said = elsewhere.succeed(&["experiment", "verify", "short.tar"]);
    assert!(said.text.contains("are the same, byte by byte"), "{}", said.text);
    // A byte of an input, of a result, of a name, and the end of the file.
    let find = |text: &[u8]| pack.windows(text.len()).position(|part| part == text).unwrap();
    for at in [find(b"duration: "), find(b"scenario,strategy,metric"), find(b"results/cells.csv")] {
        let mut changed = pack.clone();
        changed[at] ^= 1;
        elsewhere.write("changed.tar", changed);
        let said = elsewhere.drover(&["experiment", "verify", "changed.tar"]);
        assert_eq!(said.code, Some(2), "byte {at}: {}", said.text);
    }
    elsewhere.write("cut.tar", &pack[..pack.len() / 2]);
    assert_eq!(elsewhere.drover(&["experiment", "verify", "cut.tar"]).code, Some(2));
    assert_eq!(elsewhere.drover(&["experiment", "verify", "missing.tar"]).code, Some(2));
}

/// Reads a picture that has something on it; says how wide and how high it is.
fn picture(file: &[u8]) -> (u32, u32) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.starts_with(&[255]) && pixels.iter().any(|part| *part < 128), "nothing on white paper");
    (info.width, info.height)
}

fn is_picture(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "png")
}

#[test]
fn figures_are_written_in_pixels_where_asked_and_never_packed() {
    let scratch = Scratch::new("pixels");
    scratch.write("waves.yaml", fs::read(scenario("three-waves")).unwrap());
    let experiment =
        EXPERIMENT.replace("[5s, 1m]", "[5s]").replace("[0, 0.1]", "[0]").replace("1..4", "1..2");
    scratch.write("short.yaml", experiment);
    scratch.succeed(&["experiment", "run", "short.yaml", "--out", "out", "--png"]);
    let files = results(&scratch.path("out"));
    let (pictures, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
        files.into_iter().partition(|(name, _)| is_picture(name));
    let drawn = others.keys().filter_map(|name| name.strip_suffix(".svg"));
    let expected: Vec<String> = drawn.map(|name| format!("{name}.png")).collect();
    assert_eq!(pictures.keys().cloned().collect::<Vec<_>>(), expected);
    for (name, file) in &pictures {
        let svg = String::from_utf8(others[&name.replace(".png", ".svg")].clone()).unwrap();
        let height = svg.split("viewBox=\"0 0 960 ").nth(1).unwrap().split('"').next().unwrap();
        let height: f64 = height.parse().unwrap();
        assert_eq!(picture(file), (1_920, (height * 2.0).round() as u32), "{name}");
    }
    let export = ["experiment", "export", "short.yaml", "--out", "out", "--format", "png", "--to", "to"];
    let said = scratch.succeed(&export);
    assert_eq!(said.text.lines().count(), pictures.len());
    assert!(results(&scratch.path("to")) == pictures, "the exported pictures differ");
    scratch.succeed(&["experiment", "pack", "short.yaml", "--out", "out", "--to", "short.tar"]);
    assert!(!scratch.read("short.tar").windows(4).any(|part| part == b".png"), "packs are compared by bytes");
    scratch.succeed(&["experiment", "run", "short.yaml", "--out", "out"]);
    assert!(
        results(&scratch.path("out")) == others,
        "pictures of former results are gone, the rest is the same"
    );
}

#[test]
fn comparisons_and_runs_are_drawn_in_pixels_where_asked() {
    let scratch = Scratch::new("compare-pixels");
    let waves = scenario("three-waves");
    let compare = ["compare", &waves, "--strategies", "hold,planner", "--seeds", "1..2", "--png"];
    let refused = scratch.drover(&compare);
    assert!(refused.code == Some(2) && refused.errors.contains("--out"), "{}", refused.errors);
    scratch.succeed(&[&compare[..], &["--out", "compared"]].concat());
    scratch.succeed(&["run", &waves, "--out", "run", "--png"]);
    for folder in ["compared/figures", "run/figures"] {
        let files = results(&scratch.path(folder));
        let (pictures, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| is_picture(name));
        assert!(pictures.len() == others.len() && pictures.len() >= 4, "{folder}: {:?}", files.keys());
        for (name, file) in pictures {
            assert_eq!(picture(file).0, 1_920, "{name}");
        }
    }
    scratch.succeed(&["run", &waves, "--out", "run"]);
    assert!(!names(&scratch.path("run/figures")).iter().any(|name| is_picture(name)));
}

#[test]
fn runs_that_take_too_long_are_counted_and_nothing_is_averaged() {
    let scratch = Scratch::new("too-long");
    let waves = scenario("three-waves");
    let arguments =
        ["compare", &waves, "--strategies", "hold,planner", "--seeds", "1..2", "--time-limit", "0", "--json"];
    let said = scratch.drover(&arguments);
    assert_eq!(said.code, Some(1), "{}", said.errors);
    let strategies = json(&said)["scenarios"][0]["strategies"].clone();
    for strategy in strategies.as_array().unwrap() {
        assert_eq!((&strategy["completed"], &strategy["timed_out"]), (&0.into(), &2.into()), "{strategy}");
    }
    assert_eq!(json(&said)["scenarios"][0]["metrics"], serde_json::json!([]));
}

#[test]
fn everything_wrong_with_an_experiment_is_said_at_once() {
    let scratch = with_experiment("wrong");
    let broken = EXPERIMENT
        .replace("  - hold\n", "  - holt\n  - threshold\n  - threshold\n")
        .replace("seeds: 1..4", "seeds: 4..1\nbaseline: nobody\nmetrics: [cost]");
    scratch.write("broken.yaml", broken);
    let said = scratch.drover(&["check", "broken.yaml"]);
    assert_eq!(said.code, Some(2));
    let expected = ["holt", "is there twice", "1 comes before 4", "nobody", "there is no metric \"cost\""];
    for part in expected {
        assert!(said.errors.contains(part), "{part}: {}", said.errors);
    }
    scratch
        .write("nowhere.yaml", EXPERIMENT.replace("reviewer.delay: [5s, 1m]", "\"clusters[9].name\": [x]"));
    let said = scratch.drover(&["check", "nowhere.yaml"]);
    assert!(said.code == Some(2) && said.errors.contains("leads nowhere"), "{}", said.errors);
    scratch.write("value.yaml", EXPERIMENT.replace("[5s, 1m]", "[5s, soon]"));
    let said = scratch.drover(&["check", "value.yaml"]);
    assert!(said.code == Some(2) && said.errors.contains("with reviewer.delay=soon"), "{}", said.errors);
    let said = scratch.drover(&[
        "compare",
        "waves.yaml",
        "--strategies",
        "holt,hold",
        "--seeds",
        "x",
        "--metrics",
        "cost",
    ]);
    assert_eq!(said.code, Some(2));
    assert!(["holt", "--seeds", "cost"].iter().all(|part| said.errors.contains(part)), "{}", said.errors);
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let scratch = with_experiment("not-ours");
    fs::create_dir(scratch.path("precious")).unwrap();
    scratch.write("precious/thesis.txt", "mine");
    let said = scratch.drover(&["experiment", "run", "short.yaml", "--out", "precious"]);
    assert_eq!(said.code, Some(2));
    assert_eq!(names(&scratch.path("precious")), ["thesis.txt"]);
}

#[test]
fn shipped_experiments_are_free_of_problems() {
    let folder = repository().join("experiments");
    let scratch = Scratch::new("shipped-experiments");
    for name in names(&folder) {
        let path = folder.join(&name).display().to_string();
        let said = scratch.succeed(&["check", &path]);
        assert!(said.text.contains("an experiment with"), "{}", said.text);
    }
}
