//! Broken files of WASP's: the same promises as for our own.

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

fn refuse(config: (&str, &str), input: (&str, &str), expected: &Expect) {
    let scratch = Scratch::new("broken-wasp");
    scratch.write("config.yaml", CONFIG.replace(config.0, config.1));
    scratch.write("input.json", INPUT.replace(input.0, input.1));
    let files = ["run", "--wasp-config", "config.yaml", "--wasp-input", "input.json", "--out", "out"];
    let said = scratch.drover(&files);
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert_eq!(scratch.names(), ["config.yaml", "input.json"], "something was written");
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
        ("nodes: 2", "nodes: two"),
        ("", ""),
        &expect![[r#"
        config.yaml:2:21: clusters.member1.nodes: expected a whole number of at least 0, found "two"
           2 |   member1: { nodes: two, cpu: "8", memory: "16Gi" }
             |                     ^
        config.yaml:3:21: clusters.member2.nodes: expected a whole number of at least 0, found "two"
           3 |   member2: { nodes: two, cpu: "8", memory: "16Gi", autoscaler: true }
             |                     ^
        nothing was written
    "#]],
    );
    refuse(
        ("", ""),
        ("\"label\": \"public\"", "\"label\": \"nowhere\""),
        &expect![[r#"
            input.json:4: end: there is no cluster "nowhere"
              help: known: member1, member2, private, public
            nothing was written
        "#]],
    );
    refuse(
        ("", ""),
        ("300 }", "300 },"),
        &expect![[r"
        input.json:5:1: data[3]: JSON has no comma before a closing bracket
           5 | ] }
             | ^
          help: remove the comma
        nothing was written
    "]],
    );
    refuse(
        ("cpu: \"8\"", "cpu: \"-8\""),
        ("\"memory\": \"2\"", "\"memory\": \"a lot\""),
        &expect![[r#"
        config.yaml:2:29: clusters.member1.cpu: cpu "-8" is negative
           2 |   member1: { nodes: 2, cpu: "-8", memory: "16Gi" }
             |                             ^
        config.yaml:3:29: clusters.member2.cpu: cpu "-8" is negative
           3 |   member2: { nodes: 2, cpu: "-8", memory: "16Gi", autoscaler: true }
             |                             ^
        input.json:2:99: data[0].memory: memory "a lot" contains white space
           2 | …: "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "a lot", "label": "privat…
             |                                                                             ^
        input.json:3:99: data[1].memory: memory "a lot" contains white space
           3 | …: "deployment", "action": "create", "replicas": "8", "cpu": "1", "memory": "a lot", "label": "privat…
             |                                                                             ^
        input.json:4:99: data[2].memory: memory "a lot" contains white space
           4 | …: "deployment", "action": "create", "replicas": "1", "cpu": "1", "memory": "a lot", "label": "public…
             |                                                                             ^
        nothing was written
    "#]],
    );
}
