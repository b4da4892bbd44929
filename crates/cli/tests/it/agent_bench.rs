//! `drover agent bench` from the outside: answers, cassettes, files and exit codes.

use crate::support::{Scratch, repository};
use serde_json::Value;

const FEW: [&str; 4] = ["--cases", "over-load,overflow,names-that-order", "--repetitions", "2"];

fn bench<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["agent", "bench"].into_iter().chain(FEW).chain(more.iter().copied()).collect()
}

#[test]
fn a_recorded_bench_is_the_same_without_anybody_to_ask() {
    let scratch = Scratch::new("agent-bench-cassette");
    let recorded =
        scratch.succeed(&bench(&["--stand-in", "wasp-like", "--cassette", "answers.jsonl", "--json"]));
    let replayed = scratch.succeed(&bench(&["--cassette", "answers.jsonl", "--json", "--out", "bench"]));
    let numbers = |text: &str| {
        let mut value: Value = serde_json::from_str(text).unwrap();
        assert!(value["answered_by"].take().is_string());
        value
    };
    assert_eq!(numbers(&recorded.text), numbers(&replayed.text));
    assert_eq!(scratch.read("bench/bench.json"), replayed.text.as_bytes());
    let shown = String::from_utf8(scratch.read("bench/bench.md")).unwrap();
    assert!(shown.contains("| over-load |"), "{shown}");

    // A recording that was killed is gone on with, and what is not on it is not invented.
    let mut cut = scratch.read("answers.jsonl");
    cut.truncate(cut.len() / 2);
    scratch.write("answers.jsonl", cut);
    let holes = scratch.drover(&bench(&["--cassette", "answers.jsonl"]));
    assert_eq!(holes.code, Some(2));
    assert!(holes.errors.contains("calls are not on the cassette"), "{}", holes.errors);
    let mended =
        scratch.succeed(&bench(&["--stand-in", "wasp-like", "--cassette", "answers.jsonl", "--json"]));
    assert_eq!(mended.text, recorded.text);
}

/// Somebody at an address where nobody listens; reading `models.yaml` needs no network.
fn models_of_nobody(scratch: &Scratch) {
    let text = "drover: models/v1\nmodels:\n  endpoint: http://127.0.0.1:9/v1\n  tries: 1\n  timeout: 2s\n";
    scratch.write("models.yaml", text);
}

#[test]
fn nobody_is_credited_with_the_answers_of_somebody_else() {
    let scratch = Scratch::new("agent-bench-who");
    models_of_nobody(&scratch);
    let heading = |more: &[&str]| {
        let said = scratch.succeed(&bench(&[&["--cassette", "answers.jsonl"], more].concat()));
        said.text.lines().next().unwrap().to_owned()
    };
    let part = "answered by the stand-in wasp-like (seed 1)";
    for more in [&["--stand-in", "wasp-like"][..], &["--stand-in", "wasp-like"]] {
        let shown = heading(more);
        assert!(shown.contains(&format!("{part}:")), "{shown}");
    }
    let replayed = heading(&[]);
    assert!(replayed.contains(&format!("{part}, from a cassette:")), "{replayed}");
    assert_eq!(heading(&["--models", "models.yaml", "--cassette-mode", "replay"]), replayed);

    let before = scratch.read("answers.jsonl");
    for (more, name) in [
        (&["--models", "models.yaml"][..], "http://127.0.0.1:9/v1"),
        (&["--models", "models.yaml", "--cassette-mode", "record"], "http://127.0.0.1:9/v1"),
        (&["--stand-in", "careful"], "the stand-in careful (seed 1)"),
        (&["--stand-in", "wasp-like", "--stand-in-seed", "2"], "the stand-in wasp-like (seed 2)"),
    ] {
        let said = scratch.drover(&bench(&[&["--cassette", "answers.jsonl"], more].concat()));
        assert_eq!((said.code, said.text.as_str()), (Some(2), ""), "{more:?}: {}", said.errors);
        let parts = ["holds answers of the stand-in wasp-like (seed 1)", name, "another cassette"];
        assert!(parts.iter().all(|part| said.errors.contains(part)), "{more:?}: {}", said.errors);
    }
    assert!(before == scratch.read("answers.jsonl"), "a refused cassette was written to");

    // A cassette that was recorded before lines said who answered is played, and nobody is credited with it.
    let text = String::from_utf8(before).unwrap();
    scratch.write("answers.jsonl", text.replace("\"answered_by\":\"the stand-in wasp-like (seed 1)\",", ""));
    for more in [&[][..], &["--models", "models.yaml"]] {
        let shown = heading(more);
        assert!(shown.contains("answered by a cassette:"), "{shown}");
    }
}

#[test]
fn a_bench_that_nobody_answered_is_none() {
    let scratch = Scratch::new("agent-bench-nobody");
    models_of_nobody(&scratch);
    let said = scratch.drover(&bench(&["--models", "models.yaml", "--out", "bench"]));
    assert_eq!((said.code, said.text.as_str()), (Some(1), ""), "{}", said.errors);
    for part in ["not a single call was answered", " unreachable", "http://127.0.0.1:9/v1", "models.yaml"] {
        assert!(said.errors.contains(part), "{part} is not in {}", said.errors);
    }
    assert!(!scratch.path("bench").exists(), "there is nothing to write");
    let waves = repository().join("scenarios/three-waves.yaml").display().to_string();
    let run = ["run", &waves, "--strategy", "language-model", "--models", "models.yaml"];
    let shown = scratch.succeed(&run).text;
    assert!(shown.contains(" unreachable"), "{shown}");
}

#[test]
fn a_table_is_shown_and_any_strategy_can_be_measured() {
    let scratch = Scratch::new("agent-bench-table");
    let shown = scratch.succeed(&bench(&["--stand-in", "careful"])).text;
    for part in
        ["language-model openai/gpt-5-mini", "as good as the best", "exactly as asked for", "over-load"]
    {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    scratch.write("agent.yaml", "strategy: threshold\n");
    let shown = scratch.succeed(&bench(&["--agent", "agent.yaml"])).text;
    assert!(shown.starts_with("threshold, answered by nobody: 3 cases"), "{shown}");
    assert!(!shown.contains("Injections"), "{shown}");
}

#[test]
fn mistakes_are_refused_with_a_proposal() {
    let scratch = Scratch::new("agent-bench-mistakes");
    scratch.write("agent.yaml", "strategy: language-model\nspecialists: [{ name: mood }]\n");
    scratch.write("typo.yaml", "strategy: language-model\nmodle: x\n");
    scratch.write("no-cassette.jsonl", "{}\n");
    let check = |arguments: &[&str], part: &str| {
        let all: Vec<&str> = ["agent", "bench"].into_iter().chain(arguments.iter().copied()).collect();
        let said = scratch.drover(&all);
        assert_eq!(said.code, Some(2), "{arguments:?}: {}", said.errors);
        assert!(said.errors.contains(part), "{arguments:?}: {}", said.errors);
    };
    check(&[], "say who answers: --models FILE");
    check(&["--stand-in", "careful", "--cases", "over-laod"], "did you mean \"over-load\"?");
    check(&["--stand-in", "careful", "--cases", "chain,chain"], "chain is there twice");
    check(&["--stand-in", "careful", "--agent", "agent.yaml"], "no shipped policy for a specialist \"mood\"");
    check(&["--stand-in", "careful", "--agent", "typo.yaml"], "model");
    check(&["--cassette", "nowhere.jsonl"], "cannot be opened");
    check(&["--cassette", "no-cassette.jsonl"], "line 1: this is no cassette");
    check(&["--cassette", "new.jsonl", "--cassette-mode", "record"], "somebody has to be asked");
    assert!(!scratch.path("new.jsonl").exists());
}
