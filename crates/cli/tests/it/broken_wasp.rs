//! Broken files of WASP's: the same promises as for our own.

use crate::broken::complete;
use crate::support::Scratch;
use expect_test::{Expect, expect};

pub(crate) const CONFIG: &str = "\
clusters:
  member1: { nodes: 2, cpu: \"8\", memory: \"16Gi\" }
  member2: { nodes: 2, cpu: \"8\", memory: \"16Gi\", autoscaler: true }
ai-engine: { ai: { scheduler_interval: 60 } }
actuator: { mode: auto }
";

pub(crate) const INPUT: &str = r#"{ "data": [
  { "id": "web", "kind": "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "2", "label": "private", "timestamp": 1 },
  { "id": "api", "kind": "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "2", "label": "private", "timestamp": 70 },
  { "id": "end", "kind": "deployment", "action": "create", "replicas": "1", "cpu": "1", "memory": "2", "label": "public", "timestamp": 300 }
] }
"#;

fn refuse(scratch: &str, config: (&str, &str), input: (&str, &str), expected: &Expect) {
    let scratch = Scratch::new(scratch);
    scratch.write("config.yaml", CONFIG.replace(config.0, config.1));
    scratch.write("input.json", INPUT.replace(input.0, input.1));
    let files = ["run", "--wasp-config", "config.yaml", "--wasp-input", "input.json", "--out", "out"];
    let said = scratch.drover(&files);
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert_eq!(scratch.names(), ["config.yaml", "input.json"], "something was written");
    assert!(complete("a file of WASP's", &said.errors), "no path: {}", said.errors);
    expected.assert_eq(&said.errors);
    let imported = scratch.drover(&[
        "import",
        "wasp",
        "--config",
        "config.yaml",
        "--input",
        "input.json",
        "--out",
        "out",
    ]);
    assert_eq!((imported.code, scratch.names().len()), (Some(2), 2));
}

#[test]
fn broken_configurations_and_events_are_refused() {
    refuse(
        "broken-wasp",
        ("nodes: 2", "nodes: two"),
        ("", ""),
        &expect![[r#"
            config.yaml:2:21: clusters.member1.nodes: expected a whole number of at least 0, found "two"
               2 |   member1: { nodes: two, cpu: "8", memory: "16Gi" }
                 |                     ^
              help: write for instance 1
            config.yaml:3:21: clusters.member2.nodes: expected a whole number of at least 0, found "two"
               3 |   member2: { nodes: two, cpu: "8", memory: "16Gi", autoscaler: true }
                 |                     ^
              help: write for instance 1
            2 problems found; nothing was written
        "#]],
    );
    refuse(
        "broken-wasp",
        ("", ""),
        ("\"label\": \"public\"", "\"label\": \"nowhere\""),
        &expect![[r#"
            input.json:4:113: data[2].label: there is no cluster "nowhere"
               4 | …, "action": "create", "replicas": "1", "cpu": "1", "memory": "2", "label": "nowhere", "timestamp": 3…
                 |                                                                             ^
              help: known: member1, member2, private, public
            1 problem found; nothing was written
        "#]],
    );
    refuse(
        "broken-wasp",
        ("", ""),
        ("300 }", "300 },"),
        &expect![[r"
            input.json:5:1: data[3]: JSON has no comma before a closing bracket
               5 | ] }
                 | ^
              help: remove the comma
            1 problem found; nothing was written
        "]],
    );
}

#[test]
fn the_problems_of_both_files_come_together() {
    refuse(
        "both-wasp",
        ("cpu: \"8\"", "cpu: \"-8\""),
        ("\"memory\": \"2\"", "\"memory\": \"a lot\""),
        &expect![[r#"
            config.yaml:2:29: clusters.member1.cpu: cpu "-8" is negative
               2 |   member1: { nodes: 2, cpu: "-8", memory: "16Gi" }
                 |                             ^
              help: write for instance "2"
            config.yaml:3:29: clusters.member2.cpu: cpu "-8" is negative
               3 |   member2: { nodes: 2, cpu: "-8", memory: "16Gi", autoscaler: true }
                 |                             ^
              help: write for instance "2"
            input.json:2:99: data[0].memory: memory "a lot" contains white space
               2 | …: "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "a lot", "label": "privat…
                 |                                                                             ^
              help: write for instance "4Gi"
            input.json:3:99: data[1].memory: memory "a lot" contains white space
               3 | …: "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "a lot", "label": "privat…
                 |                                                                             ^
              help: write for instance "4Gi"
            input.json:4:99: data[2].memory: memory "a lot" contains white space
               4 | …: "deployment", "action": "create", "replicas": "1", "cpu": "1", "memory": "a lot", "label": "public…
                 |                                                                             ^
              help: write for instance "4Gi"
            5 problems found; nothing was written
        "#]],
    );
    refuse(
        "both-wasp",
        ("nodes: 2, cpu: \"8\", memory: \"16Gi\" }", "nodes: 2, nodes: 3, cpu: .nan }"),
        ("\"label\": \"public\"", "\"label\": \"membr2\", \"cpu\": \"2\""),
        &expect![[r#"
            config.yaml:2:12: clusters.member1: missing the key "memory"
               2 |   member1: { nodes: 2, nodes: 3, cpu: .nan }
                 |            ^
              help: add for instance "memory": "4Gi"
            config.yaml:2:24: clusters.member1: the key "nodes" is already set in line 2
               2 |   member1: { nodes: 2, nodes: 3, cpu: .nan }
                 |                        ^
              help: keep one of the two
            config.yaml:2:39: clusters.member1.cpu: .nan is not a number that can be calculated with
               2 |   member1: { nodes: 2, nodes: 3, cpu: .nan }
                 |                                       ^
              help: write for instance "2"
            input.json:4:113: data[2].label: there is no cluster "membr2"
               4 | …, "action": "create", "replicas": "1", "cpu": "1", "memory": "2", "label": "membr2", "cpu": "2", "ti…
                 |                                                                             ^
              help: did you mean "member2"?
            input.json:4:123: data[2]: the key "cpu" is already set in line 4
               4 | …: "create", "replicas": "1", "cpu": "1", "memory": "2", "label": "membr2", "cpu": "2", "timestamp": …
                 |                                                                             ^
              help: keep one of the two
            5 problems found; nothing was written
        "#]],
    );
}
