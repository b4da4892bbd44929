//! Same build, same scenario, same seed: the same bytes; and a journal that was touched is found out.

use crate::support::{Scratch, names, repository};
use model::hash::ContentHash;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn three_waves() -> String {
    repository().join("scenarios/three-waves.yaml").display().to_string()
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = contents(&path).into_iter();
            found.extend(below.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let scratch = Scratch::new("same-bytes");
    for (seed, out) in [("7", "first"), ("7", "second"), ("8", "third")] {
        scratch.succeed(&["run", &three_waves(), "--seed", seed, "--out", out]);
    }
    let [first, second, third] = ["first", "second", "third"].map(|out| contents(&scratch.path(out)));
    let expected = [
        "figures/cpu-allocated.svg",
        "figures/cpu-requested.svg",
        "figures/nodes-and-cost.svg",
        "figures/pending-pods.svg",
        "journal.jsonl",
        "report.html",
        "series.csv",
        "summary.json",
    ];
    assert_eq!(first.keys().collect::<Vec<_>>(), expected);
    assert!(first == second, "the same seed gave other bytes");
    assert!(first["journal.jsonl"] != third["journal.jsonl"], "another seed gave the same journal");
}

#[test]
fn the_hash_in_the_summary_is_that_of_the_journal() {
    let scratch = Scratch::new("hash");
    scratch.succeed(&["run", &three_waves(), "--out", "out"]);
    let summary: serde_json::Value = serde_json::from_slice(&scratch.read("out/summary.json")).unwrap();
    let hash = serde_json::json!(ContentHash::of_bytes(&scratch.read("out/journal.jsonl")));
    assert_eq!(summary["journal_sha256"], hash);
    let said = scratch.succeed(&["replay", "out/journal.jsonl"]);
    assert!(said.text.starts_with("agrees: three-waves with planner, seed 1: "), "{}", said.text);
    let said = scratch.succeed(&["replay", "out/journal.jsonl", "--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&said.text).unwrap();
    assert_eq!((&verdict["agrees"], &verdict["journal_sha256"]), (&true.into(), &hash));
}

#[test]
fn replay_agrees_whatever_decided() {
    let scratch = Scratch::new("replay");
    for strategy in ["hold", "threshold", "planner", "karmada-native", "wasp-heuristic"] {
        scratch.succeed(&["run", &three_waves(), "--strategy", strategy, "--review", "auto", "--out", "out"]);
        let said = scratch.succeed(&["replay", "out/journal.jsonl"]);
        assert!(said.text.starts_with("agrees: "), "{strategy}: {}", said.text);
    }
}

/// A line without its hash, as the chain sees it.
fn body(line: &str) -> String {
    format!("{}}}", line.rsplit_once(",\"hash\":\"").unwrap().0)
}

/// The journal with a chain that fits it again, as somebody would do who wants to hide a change.
fn rechained(lines: impl Iterator<Item = String>) -> String {
    let mut hash = ContentHash::ZERO;
    let mut chained = Vec::new();
    for line in lines {
        let body = body(&line);
        hash = hash.chain(body.as_bytes());
        chained.push(format!("{},\"hash\":\"{hash}\"}}\n", &body[..body.len() - 1]));
    }
    chained.concat()
}

#[test]
fn a_touched_journal_is_found_out() {
    let scratch = Scratch::new("touched");
    scratch.succeed(&["run", &three_waves(), "--out", "out"]);
    let journal = String::from_utf8(scratch.read("out/journal.jsonl")).unwrap();
    let lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    assert_eq!(rechained(lines.iter().cloned()), journal, "the test itself must chain as the program does");
    let without = |index: usize| -> String {
        lines.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, line)| line.clone() + "\n").collect()
    };
    let check = |what: &str, text: &str, code: i32, part: &str| {
        scratch.write("touched.jsonl", text);
        let said = scratch.drover(&["replay", "touched.jsonl"]);
        assert_eq!(said.code, Some(code), "{what}: {}{}", said.text, said.errors);
        let all = said.text + &said.errors;
        assert!(all.contains(part), "{what}: {all}");
    };
    let flipped = journal.replacen("\"pods\":220", "\"pods\":221", 1);
    check("a flipped digit", &flipped, 2, "line 3 was changed");
    check("a dropped line", &without(4), 2, "line 5 was changed, or a line before it is missing");
    check("a swapped line", &(lines[0].clone() + "\n" + &lines[2] + "\n"), 2, "line 2 was changed");
    check("a lost end", &without(lines.len() - 1), 2, "without its closing line: the run was cut off");
    check("half a line", &journal[..journal.len() / 2], 2, "without its closing line: the run was cut off");
    check("nothing at all", "", 2, "cut off");
    check("something else", "hello\n", 2, "line 1 is not a line of a Drover journal");
    let future = lines.iter().map(|line| line.replace("\"drover_journal\":1", "\"drover_journal\":9"));
    check("another version", &rechained(future), 2, "format version 9; this build reads version 1");
    let unfounded = lines.iter().map(|line| {
        line.replace("\"held\":{\"because\":\"within_limits\"}", "\"held\":{\"because\":\"mood\"}")
    });
    check("another decision", &rechained(unfounded), 1, "first at entry 4");
    let unasked = lines.iter().map(|line| line.replace("\"effects\":[\"observe\"]", "\"effects\":[]"));
    check("an effect left out", &rechained(unasked), 1, "recorded: nothing\n  replayed: \"observe\"");
}
