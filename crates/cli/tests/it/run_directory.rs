//! What is on the disk after a run, after a killed run, and where a run must not write.

use crate::support::{Scratch, names};
use std::time::{Duration, Instant};

const SMALL: &str = "\
drover: scenario/v1
name: small
duration: 1m
clusters:
  - { name: only, pools: [{ nodes: 1, cpu: 4, memory: 8Gi }] }
";

/// Large enough that it cannot be over before it is killed.
const LARGE: &str = "\
drover: scenario/v1
name: large
duration: 300d
clusters:
  - { name: left, pools: [{ nodes: 200, cpu: 8, memory: 16Gi }] }
  - { name: right, pools: [{ nodes: 200, cpu: 8, memory: 16Gi }] }
workloads:
  - { name: \"app-{n}\", copies: 1000, cluster: left, replicas: 2, cpu: 1, memory: 1Gi }
agents:
  - { name: keeper, decide: { strategy: planner } }
";

#[test]
#[expect(clippy::disallowed_methods, reason = "the test waits for a real process")]
fn a_killed_run_leaves_no_target_and_the_next_one_sweeps() {
    let scratch = Scratch::new("killed");
    scratch.write("large.yaml", LARGE);
    scratch.write("small.yaml", SMALL);
    let mut child = scratch.command(&["run", "large.yaml", "--out", "out"]).spawn().unwrap();
    let begun = Instant::now();
    let is_writing = || {
        let draft = scratch.names().into_iter().find(|name| name.starts_with(".out.draft-"));
        draft.is_some_and(|draft| {
            scratch.path(&draft).join("journal.jsonl").metadata().is_ok_and(|file| file.len() > 0)
        })
    };
    while !is_writing() {
        assert!(begun.elapsed() < Duration::from_mins(1), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    // A live draft is not swept by a neighbour with the same target.
    assert_eq!(child.try_wait().unwrap(), None, "the run was over too soon");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!scratch.path("out").exists(), "half a run stands under its name");
    scratch.succeed(&["run", "small.yaml", "--out", "out"]);
    assert_eq!(scratch.names(), ["large.yaml", "out", "small.yaml"], "the dead draft was not removed");
}

#[test]
fn a_second_run_replaces_the_first() {
    let scratch = Scratch::new("replaced");
    scratch.write("small.yaml", SMALL);
    let summary = |seed: &str| {
        scratch.succeed(&["run", "small.yaml", "--seed", seed, "--out", "runs/out"]);
        assert_eq!(scratch.names(), ["runs", "small.yaml"]);
        assert_eq!(names(&scratch.path("runs")), ["out"]);
        scratch.read("runs/out/summary.json")
    };
    assert_ne!(summary("1"), summary("2"));
}

#[test]
fn other_peoples_folders_are_left_alone() {
    let scratch = Scratch::new("foreign");
    scratch.write("small.yaml", SMALL);
    let check = |part: &str| {
        let before = names(&scratch.path("precious"));
        let said = scratch.drover(&["run", "small.yaml", "--out", "precious"]);
        assert_eq!(said.code, Some(2), "{}", said.errors);
        assert!(said.errors.contains(part), "{}", said.errors);
        assert_eq!((names(&scratch.path("precious")), scratch.names().len()), (before, 2));
    };
    std::fs::create_dir(scratch.path("precious")).unwrap();
    scratch.write("precious/summary.json", "my own\n");
    check("exists and is not a run of drover");
    std::fs::remove_file(scratch.path("precious/summary.json")).unwrap();
    scratch.succeed(&["run", "small.yaml", "--out", "precious"]);
    scratch.write("precious/notes.txt", "thoughts\n");
    check("holds \"notes.txt\", which is not part of a run");
    scratch.write("file", "");
    let said = scratch.drover(&["run", "small.yaml", "--out", "file"]);
    assert_eq!((said.code, said.errors.contains("is a file, not a folder")), (Some(2), true));
}

#[test]
fn a_folder_that_cannot_be_made_is_the_machines_fault() {
    let scratch = Scratch::new("in-the-way");
    scratch.write("small.yaml", SMALL);
    scratch.write("file", "");
    let check = |out: &str| {
        let said = scratch.drover(&["run", "small.yaml", "--out", out]);
        assert_eq!(said.code, Some(1), "{}", said.errors);
        assert!(said.errors.contains("could not be created\n  because: "), "{}", said.errors);
    };
    check("file/out");
    // Nobody, not even root, can make a folder there.
    if cfg!(target_os = "linux") {
        check("/proc/drover-out");
    }
    assert_eq!(scratch.names(), ["file", "small.yaml"]);
}
