//! Broken files of WASP's: the same promises as for our own.

use crate::support::Scratch;
use expect_test::{Expect, expect};

pub(crate) const CONFIG: &str = "\
clusters:
  member1: { nodes: 2, cpu: \"8\", memory: \"16Gi\" }
  member2: { nodes: 2, cpu: \"8\", memory: \"16Gi\", autoscaler: true }
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
    refuse(("", ""), ("\"create\"", "\"crate\""), &expect![]);
    refuse(("", ""), ("\"label\": \"public\"", "\"label\": \"nowhere\""), &expect![]);
    refuse(("", ""), ("300 }", "300 },"), &expect![]);
    refuse(("cpu: \"8\"", "cpu: \"-8\""), ("\"memory\": \"2\"", "\"memory\": \"a lot\""), &expect![]);
}
