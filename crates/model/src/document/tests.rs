//! Nasty inputs and the exact words their author reads.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]
#![expect(clippy::format_collect, reason = "rows are built for reading, not for speed")]
#![expect(clippy::format_push_string, reason = "rows are built for reading, not for speed")]

use super::*;
use expect_test::{Expect, expect};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Scenario {
    #[schemars(extend("x-drover-parse" = "name"))]
    name: String,
    #[serde(default)]
    seed: u32,
    #[schemars(length(min = 1))]
    clusters: Vec<Cluster>,
    #[serde(default)]
    agents: Vec<Agent>,
    #[serde(default)]
    #[schemars(extend("propertyNames" = {"x-drover-parse": "name"}))]
    labels: BTreeMap<String, String>,
    #[serde(default)]
    waves: BTreeMap<u32, f64>,
    limits: Option<Limits>,
    #[serde(default)]
    zones: std::collections::BTreeSet<String>,
    #[serde(default)]
    amounts: Vec<Amounts>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Amounts {
    cpu: Option<MilliCpu>,
    memory: Option<Bytes>,
    wait: Option<Period>,
    price: Option<MicroDollars>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Cluster {
    nodes: u16,
    cpu: Cpu,
    #[serde(default)]
    autoscaler: bool,
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    load: f64,
}

/// Takes text or a number and refuses odd values only when serde asks, to show that such a refusal has a place.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
#[expect(dead_code, reason = "only its shape matters")]
struct Cpu(u64);

impl TryFrom<String> for Cpu {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let value: u64 = text.parse().map_err(|_| "not checked by the leaf check".to_owned())?;
        if value == 13 { Err("thirteen cores are unlucky".to_owned()) } else { Ok(Self(value)) }
    }
}

impl JsonSchema for Cpu {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cpu".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "number"], "x-drover-parse": "cores" })
    }
}

fn check_cores(text: &str) -> Result<(), Refusal> {
    match text.parse::<u64>() {
        Ok(_) => Ok(()),
        Err(_) => Err(Refusal::new(format!("{} is not a number of cores", shown(text))).propose("write 4")),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Agent {
    when: When,
    decide: Decide,
    review: Option<Review>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
enum When {
    Every(u32),
    At(Vec<u32>),
    Any(Vec<When>),
    Never,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "strategy", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
enum Decide {
    Threshold { max_load: f64 },
    Random { seed: u64 },
    Stay,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Review {
    /// A person decides.
    Human,
    /// A rule decides.
    Auto,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape matters")]
enum Limits {
    Total(u32),
    Each { per_hour: u32, cool_down: u32 },
    Named { plan: String },
}

const VALID: &str = "\
name: three-waves
seed: 7
clusters:
  - { nodes: 2, cpu: 8, autoscaler: true, load: 0.5 }
  - nodes: 3
    cpu: \"4\"
agents:
  - when: { every: 60 }
    decide: { strategy: threshold, max_load: 0.8 }
    review: human
  - when: { any: [never, { at: [1, 2] }] }
    decide: { strategy: stay }
labels: { tier: gold }
waves: { 1: 0.5, 70: 1 }
limits: { per_hour: 20, cool_down: 600 }
zones: [a, b]
";

fn checks() -> Checks {
    Checks::default().with("cores", "4", check_cores)
}

fn outcome(name: &str, bytes: &[u8]) -> String {
    match read_with::<Scenario>(name, bytes, &checks()) {
        Ok(_) => "accepted".to_owned(),
        Err(problems) => problems.to_string(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written as literals")]
fn check(bytes: impl AsRef<[u8]>, expected: Expect) {
    expected.assert_eq(&outcome("a.yaml", bytes.as_ref()));
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written as literals")]
fn check_json(text: &str, expected: Expect) {
    expected.assert_eq(&outcome("a.json", text.as_bytes()));
}

/// A valid document with one value replaced.
fn with(key: &str, value: &str) -> String {
    let mut text = String::new();
    for (line_key, rest) in [("name", "w"), ("clusters", "[{ nodes: 1, cpu: 1 }]")] {
        let rest = if line_key == key { value } else { rest };
        text.push_str(&format!("{line_key}: {rest}\n"));
    }
    if !["name", "clusters"].contains(&key) {
        text.push_str(&format!("{key}: {value}\n"));
    }
    text
}

#[test]
fn valid_documents() {
    check(VALID, expect!["accepted"]);
    check(format!("\u{feff}---\n{VALID}...\n"), expect!["accepted"]);
    check(VALID.replace('\n', "\r\n"), expect!["accepted"]);
    check("name: &n w\nclusters: [&c { nodes: 1, cpu: 1 }, *c]\nlabels: { a: *n }\n", expect!["accepted"]);
    check("name: !!str 12\nclusters: [{ nodes: 0x10, cpu: 1 }]\n", expect!["accepted"]);
    check_json(
        "{\"name\":\"w\",\n\t\"clusters\":[{\"nodes\":1,\"cpu\":1}],\"labels\":{\"a\":\"\\ud83d\\ude00\\/\"}}",
        expect!["accepted"],
    );
    assert_eq!(unsupported::<Scenario>(), Vec::<String>::new());
}

#[test]
fn bytes_that_are_no_text() {
    check(
        b"",
        expect![[r#"
            a.yaml:1:1: the file is empty
              help: begin with a line such as clusters: [{ cpu: 4, nodes: 1 }]"#]],
    );
    check(
        "# nothing but a comment\n",
        expect![[r#"
            a.yaml:1:1: the file is empty
               1 | # nothing but a comment
                 | ^
              help: begin with a line such as clusters: [{ cpu: 4, nodes: 1 }]"#]],
    );
    check(
        b"name: w\nseed: \xff\n",
        expect![[r#"
        a.yaml:2:7: the byte 0xff is not valid UTF-8
           2 | seed: �
             |       ^
          help: save the file as UTF-8"#]],
    );
    check(
        b"\xff\xfen\0a\0",
        expect![[r#"
        a.yaml:1:1: the file is encoded as UTF-16
          help: save it as UTF-8"#]],
    );
    check(
        "name: w\nseed: 1\0\nclusters: []\n",
        expect![[r#"
        a.yaml:2:8: the character U+0000 is not allowed in a text file
           2 | seed: 1\u{0}
             |        ^
          help: remove the character, or write it as an escape inside double quotes"#]],
    );
    check(
        "name: \"a\u{1b}[31m\"\n",
        expect![[r#"
        a.yaml:1:9: the character U+001B is not allowed in a text file
           1 | name: "a\u{1b}[31m"
             |         ^
          help: remove the character, or write it as an escape inside double quotes"#]],
    );
    check(
        "name: w # \u{202e}\n",
        expect![[r#"
        a.yaml:1:11: the character U+202E is not allowed in a text file
           1 | name: w # \u{202e}
             |           ^
          help: remove the character, or write it as an escape inside double quotes"#]],
    );
    check(
        "name: \"a\\u0007b\"\nclusters: [{ nodes: 1, cpu: 1 }]\n",
        expect![[r#"
            a.yaml:1:7: name: the text contains the control character U+0007
               1 | name: "a\u0007b"
                 |       ^
              help: write a-b"#]],
    );
}

#[test]
fn yaml_syntax() {
    check(
        "name: w\n\tseed: 1\n",
        expect![[r#"
            a.yaml:2:1: name: a tab stands where YAML allows only spaces
               2 | \tseed: 1
                 | ^
              help: indent with spaces"#]],
    );
    check(
        "name: w: x\n",
        expect![[r#"
        a.yaml:1:8: a ':' is not possible here
           1 | name: w: x
             |        ^
          help: check the indentation, or put text that contains ': ' in quotes"#]],
    );
    check(
        "name: [a, b\n",
        expect![[r#"
            a.yaml:1:7: name[2]: the list that begins with '[' is not continued or closed
               1 | name: [a, b
                 |       ^
              help: add ',' or ']'"#]],
    );
    check(
        "name: \"abc\n",
        expect![[r#"
        a.yaml:1:7: name: a quoted text is not closed
           1 | name: "abc
             |       ^
          help: add the closing quote"#]],
    );
    check(
        "a: 1\n  b: 2\n",
        expect![[r#"
        a.yaml:2:4: a ':' is not possible here
           2 |   b: 2
             |    ^
          help: check the indentation, or put text that contains ': ' in quotes"#]],
    );
}

#[test]
fn yaml_documents_anchors_and_keys() {
    check(
        "name: w\n---\nname: x\n",
        expect![[r#"
        a.yaml:2:1: a second YAML document begins here
           2 | ---
             | ^
          help: put each document into its own file"#]],
    );
    check(
        "name: *x\n",
        expect![[r#"
        a.yaml:1:7: name: the alias refers to an anchor that was not set before
           1 | name: *x
             |       ^
          help: set it with '&' above"#]],
    );
    check(
        "name: &x [*x]\n",
        expect![[r#"
            a.yaml:1:11: name[0]: the alias stands inside the value it refers to
               1 | name: &x [*x]
                 |           ^
              help: write the value out"#]],
    );
    check(
        "? [a]\n: 1\n",
        expect![[r#"
            a.yaml:1:3: a key must be plain text, not a list or a mapping
               1 | ? [a]
                 |   ^
              help: write "key: value""#]],
    );
    check(
        "<<: {a: 1}\n",
        expect![[r#"
        a.yaml:1:1: merge keys (<<) are not part of YAML 1.2
           1 | <<: {a: 1}
             | ^
          help: repeat the keys, or use an alias for a whole value"#]],
    );
}

#[test]
fn yaml_tags_and_odd_values() {
    check(
        "name: !secret x\n",
        expect![[r#"
        a.yaml:1:7: name: the tag "!secret" is not supported
           1 | name: !secret x
             |       ^
          help: remove the tag"#]],
    );
    check(
        "name: @x\n",
        expect![[r#"
        a.yaml:1:7: name: a value cannot begin with this character
           1 | name: @x
             |       ^
          help: put the value in quotes"#]],
    );
    check(
        with("name", "w\nname: x\nname: y"),
        expect![[r#"
        a.yaml:2:1: the key "name" is already set in line 1
           2 | name: x
             | ^
          help: keep one of the two
        a.yaml:3:1: the key "name" is already set in line 1
           3 | name: y
             | ^
          help: keep one of the two"#]],
    );
    check(
        with("clusters", "[{ nodes: 1, nodes: 2, cpu: .nan, load: -.inf }]"),
        expect![[r#"
            a.yaml:2:24: clusters[0]: the key "nodes" is already set in line 2
               2 | clusters: [{ nodes: 1, nodes: 2, cpu: .nan, load: -.inf }]
                 |                        ^
              help: keep one of the two
            a.yaml:2:39: clusters[0].cpu: .nan is not a number that can be calculated with
               2 | clusters: [{ nodes: 1, nodes: 2, cpu: .nan, load: -.inf }]
                 |                                       ^
              help: write 4
            a.yaml:2:51: clusters[0].load: -.inf is not a number that can be calculated with
               2 | clusters: [{ nodes: 1, nodes: 2, cpu: .nan, load: -.inf }]
                 |                                                   ^
              help: write for instance 1.0"#]],
    );
}

#[test]
fn yaml_without_end() {
    check(
        "[".repeat(100),
        expect![[r#"
            a.yaml:1:65: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…: nested deeper than 64 levels
               1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
                 |                                                                 ^
              help: write it flatter; no file that is read here needs so many levels"#]],
    );
    check(
        format!("{}1", "- ".repeat(100)),
        expect![[r#"
            a.yaml:1:129: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…: nested deeper than 64 levels
               1 | … - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -…
                 |                                                                             ^
              help: write it flatter; no file that is read here needs so many levels"#]],
    );
}

#[test]
fn aliases_that_explode() {
    let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    check(
        laughs,
        expect![[r#"
        a.yaml:5:40: a4[6]: anchors and aliases copy more than 100000 values
           5 | a4: &a4 [*a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3]
             |                                        ^
          help: write the values out, or generate the file"#]],
    );
    let long = "x".repeat(1_000_000);
    check(
        format!("a: &a {long}\nb: [{}]\n", vec!["*a"; 50].join(", ")),
        expect![[r#"
        a.yaml:2:25: b[5]: anchors and aliases copy more than 100000 values
           2 | b: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, …
             |                         ^
          help: write the values out, or generate the file"#]],
    );
}

#[test]
fn json_syntax() {
    check_json(
        "{\"name\": \"w\", // comment\n}",
        expect![[r#"
        a.json:1:15: JSON has no comments
           1 | {"name": "w", // comment
             |               ^
          help: remove the comment, or name the file .yaml and use '#'"#]],
    );
    check_json(
        "{\"name\": \"w\",}",
        expect![[r#"
        a.json:1:14: JSON has no comma before a closing bracket
           1 | {"name": "w",}
             |              ^
          help: remove the comma"#]],
    );
    check_json(
        "{'name': 1}",
        expect![[r#"
        a.json:1:2: expected a key in double quotes
           1 | {'name': 1}
             |  ^
          help: write "key": value"#]],
    );
    check_json(
        "{\"name\": True}",
        expect![[r#"
        a.json:1:10: name: "True" is not JSON
           1 | {"name": True}
             |          ^
          help: write true"#]],
    );
}

#[test]
fn json_numbers_and_escapes() {
    check_json(
        "{\"seed\": 01}",
        expect![[r#"
        a.json:1:12: seed: this is not a JSON number
           1 | {"seed": 01}
             |            ^
          help: write digits without a leading zero"#]],
    );
    check_json(
        "{\"seed\": 1.}",
        expect![[r#"
        a.json:1:12: seed: expected digits behind the decimal point
           1 | {"seed": 1.}
             |            ^
          help: add a digit"#]],
    );
    check_json(
        "{\"seed\": NaN}",
        expect![[r#"
        a.json:1:10: seed: "NaN" is not a number that can be calculated with
           1 | {"seed": NaN}
             |          ^
          help: write a number"#]],
    );
    check_json(
        "{\"name\": \"\\ud83d\"}",
        expect![[r#"
        a.json:1:17: name: half of a surrogate pair
           1 | {"name": "\ud83d"}
             |                 ^
          help: write both halves, or the character itself"#]],
    );
    check_json(
        "{\"name\": \"a\nb\"}",
        expect![[r#"
        a.json:1:10: name: a quoted text is not closed
           1 | {"name": "a
             |          ^
          help: add the closing quote"#]],
    );
}

#[test]
fn json_structure() {
    check_json(
        "{\"name\": \"w\"} x",
        expect![[r#"
        a.json:1:15: text behind the end of the document
           1 | {"name": "w"} x
             |               ^
          help: a JSON file holds one value; remove the rest"#]],
    );
    check_json(
        "{\"name\": \"w\"",
        expect![[r#"
        a.json:1:13: the file ends inside a value
           1 | {"name": "w"
             |             ^
          help: add '}'"#]],
    );
    check_json(
        "{\"name\" 1}",
        expect![[r#"
        a.json:1:9: name: expected ':' behind the key
           1 | {"name" 1}
             |         ^
          help: write "key": value"#]],
    );
    check_json(
        "[1 2]",
        expect![[r#"
        a.json:1:4: [1]: expected ',' or ']'
           1 | [1 2]
             |    ^
          help: add a comma between values"#]],
    );
    check_json(
        "{\"name\": \"a\", \"name\": \"b\"}",
        expect![[r#"
            a.json:1:1: missing the key "clusters"
               1 | {"name": "a", "name": "b"}
                 | ^
              help: add for instance clusters: [{ cpu: 4, nodes: 1 }]
            a.json:1:15: the key "name" is already set in line 1
               1 | {"name": "a", "name": "b"}
                 |               ^
              help: keep one of the two"#]],
    );
    check_json(
        &"[".repeat(100_000),
        expect![[r#"
            a.json:1:65: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…: nested deeper than 64 levels
               1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
                 |                                                                 ^
              help: write it flatter; no file that is read here needs so many levels"#]],
    );
    check_json(
        "",
        expect![[r#"
            a.json:1:1: the file is empty
              help: begin with a line such as clusters: [{ cpu: 4, nodes: 1 }]"#]],
    );
    check_json(
        "\"\\x\"",
        expect![[r#"
        a.json:1:3: this escape is not known
           1 | "\x"
             |   ^
          help: double the backslash"#]],
    );
}

#[test]
fn schema_problems() {
    check(
        "- 1\n",
        expect![[r#"
        a.yaml:1:1: expected a mapping, found a list
           1 | - 1
             | ^
          help: write it as "key: value" lines without a leading '-'"#]],
    );
    check(
        "nam: w\nclutsers: []\nfoo: 1\n",
        expect![[r#"
            a.yaml:1:1: unknown key "nam"
               1 | nam: w
                 | ^
              help: did you mean "name"? known keys: agents, amounts, clusters, labels, limits, name, seed, waves, zones
            a.yaml:2:1: unknown key "clutsers"
               2 | clutsers: []
                 | ^
              help: did you mean "clusters"? known keys: agents, amounts, clusters, labels, limits, name, seed, waves, zones
            a.yaml:2:11: clusters: needs at least 1 entry, has 0
               2 | clutsers: []
                 |           ^
              help: write for instance [{ cpu: 4, nodes: 1 }]
            a.yaml:3:1: unknown key "foo"
               3 | foo: 1
                 | ^
              help: known keys: agents, amounts, clusters, labels, limits, name, seed, waves, zones"#]],
    );
    check(
        with("seed", "-3"),
        expect![[r#"
            a.yaml:3:7: seed: expected a whole number of at least 0, found -3
               3 | seed: -3
                 |       ^
              help: write at least 0, for instance 1"#]],
    );
    check(
        with("seed", "4294967296"),
        expect![[r#"
            a.yaml:3:7: seed: expected a whole number of at least 0 and at most 4294967295, found 4294967296
               3 | seed: 4294967296
                 |       ^
              help: write at most 4294967295"#]],
    );
    check(
        with("seed", "3.0"),
        expect![[r#"
        a.yaml:3:7: seed: expected a whole number of at least 0, found 3.0
           3 | seed: 3.0
             |       ^
          help: write 3"#]],
    );
    check(
        with("seed", "\"3\""),
        expect![[r#"
        a.yaml:3:7: seed: expected a whole number of at least 0, found "3"
           3 | seed: "3"
             |       ^
          help: remove the quotes: 3"#]],
    );
}

#[test]
fn leaves_of_the_wrong_kind() {
    check(
        with("seed", "1e999"),
        expect![[r#"
            a.yaml:3:7: seed: expected a whole number of at least 0, found 1e999
               3 | seed: 1e999
                 |       ^
              help: write for instance 1"#]],
    );
    check(
        with("name", "My Cluster"),
        expect![[r#"
        a.yaml:1:7: name: "My Cluster" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit
           1 | name: My Cluster
             |       ^
          help: write my-cluster"#]],
    );
    check(
        with("name", "12"),
        expect![[r#"
        a.yaml:1:7: name: expected text, found 12
           1 | name: 12
             |       ^
          help: put it in quotes: "12""#]],
    );
    check(
        with("name", ""),
        expect![[r#"
            a.yaml:1:5: name: expected text, found nothing
               1 | name:
                 |     ^
              help: write for instance member1"#]],
    );
}

#[test]
fn lists_of_the_wrong_kind() {
    check(
        with("clusters", "[]"),
        expect![[r#"
            a.yaml:2:11: clusters: needs at least 1 entry, has 0
               2 | clusters: []
                 |           ^
              help: write for instance [{ cpu: 4, nodes: 1 }]"#]],
    );
    check(
        with("clusters", "{ nodes: 1 }"),
        expect![[r#"
        a.yaml:2:11: clusters: expected a list, found a mapping
           2 | clusters: { nodes: 1 }
             |           ^
          help: begin each entry with '- '"#]],
    );
    check(
        with(
            "clusters",
            "\n  - { nodes: 70000, cpu: four, autoscaler: yes, load: 1.5 }\n  - { cpu: 13 }\n  - 7",
        ),
        expect![[r#"
            a.yaml:3:14: clusters[0].nodes: expected a whole number of at least 0 and at most 65535, found 70000
               3 |   - { nodes: 70000, cpu: four, autoscaler: yes, load: 1.5 }
                 |              ^
              help: write at most 65535
            a.yaml:3:26: clusters[0].cpu: "four" is not a number of cores
               3 |   - { nodes: 70000, cpu: four, autoscaler: yes, load: 1.5 }
                 |                          ^
              help: write 4
            a.yaml:3:44: clusters[0].autoscaler: expected true or false, found "yes"
               3 |   - { nodes: 70000, cpu: four, autoscaler: yes, load: 1.5 }
                 |                                            ^
              help: write true
            a.yaml:3:55: clusters[0].load: expected a number of at least 0.0 and at most 1.0, found 1.5
               3 |   - { nodes: 70000, cpu: four, autoscaler: yes, load: 1.5 }
                 |                                                       ^
              help: write at most 1
            a.yaml:4:5: clusters[1]: missing the key "nodes"
               4 |   - { cpu: 13 }
                 |     ^
              help: add for instance nodes: 1
            a.yaml:4:12: clusters[1].cpu: thirteen cores are unlucky
               4 |   - { cpu: 13 }
                 |            ^
              help: write for instance 4
            a.yaml:5:5: clusters[2]: expected a mapping, found 7
               5 |   - 7
                 |     ^
              help: begin with a line such as cpu: 4"#]],
    );
    check(
        with("clusters", "[{ nodes: 1, cpu: 13 }]"),
        expect![[r#"
            a.yaml:2:29: clusters[0].cpu: thirteen cores are unlucky
               2 | clusters: [{ nodes: 1, cpu: 13 }]
                 |                             ^
              help: write for instance 4"#]],
    );
}

#[test]
fn keys_and_repetitions() {
    check(
        with("labels", "{ Bad Key: x, ok: 5 }"),
        expect![[r#"
        a.yaml:3:11: labels["Bad Key"]: "Bad Key" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit
           3 | labels: { Bad Key: x, ok: 5 }
             |           ^
          help: write bad-key
        a.yaml:3:27: labels.ok: expected text, found 5
           3 | labels: { Bad Key: x, ok: 5 }
             |                           ^
          help: put it in quotes: "5""#]],
    );
    check(
        with("waves", "{ 1: 2, x: 3, 5: y }"),
        expect![[r#"
            a.yaml:3:16: waves: unknown key "x"
               3 | waves: { 1: 2, x: 3, 5: y }
                 |                ^
              help: keys are whole numbers here
            a.yaml:3:25: waves.5: expected a number, found "y"
               3 | waves: { 1: 2, x: 3, 5: y }
                 |                         ^
              help: write for instance 1.0"#]],
    );
    check(
        with("waves", "{ 99999999999: 2 }"),
        expect![[r#"
            a.yaml:3:10: waves: the key "99999999999" is not a whole number in range
               3 | waves: { 99999999999: 2 }
                 |          ^
              help: write for instance {}"#]],
    );
    check(
        with("zones", "[a, b, a]"),
        expect![[r#"
        a.yaml:3:15: zones[2]: is already listed in line 3
           3 | zones: [a, b, a]
             |               ^
          help: keep one of the two"#]],
    );
}

#[test]
fn amounts() {
    check(
        with("amounts", "[{ cpu: 0.5, memory: 16Gi, wait: 1h30m, price: 0.2688 }, { cpu: 350m }]"),
        expect!["accepted"],
    );
    check(
        with("amounts", "\n  - cpu: 4 cores\n    memory: 16GB\n    wait: 60\n    price: $3"),
        expect![[r#"
            a.yaml:4:10: amounts[0].cpu: cpu "4 cores" contains white space
               4 |   - cpu: 4 cores
                 |          ^
              help: did you mean 4?
            a.yaml:5:13: amounts[0].memory: memory "16GB" has the unknown suffix "GB"
               5 |     memory: 16GB
                 |             ^
              help: did you mean 16G (decimal) or 16Gi (binary)?
            a.yaml:6:11: amounts[0].wait: period "60" has no unit
               6 |     wait: 60
                 |           ^
              help: did you mean 1m?
            a.yaml:7:12: amounts[0].price: money "$3" does not start with a number
               7 |     price: $3
                 |            ^
              help: did you mean 3?"#]],
    );
    check(
        with("amounts", "\n  - cpu: -1\n    memory: [1]\n    wait: true\n    price: ~"),
        expect![[r#"
            a.yaml:4:10: amounts[0].cpu: expected text or a number of at least 0, found -1
               4 |   - cpu: -1
                 |          ^
              help: write at least 0, for instance 500m
            a.yaml:5:13: amounts[0].memory: expected text or a number of at least 0, found a list
               5 |     memory: [1]
                 |             ^
              help: write for instance 2Gi
            a.yaml:6:11: amounts[0].wait: expected text, found true
               6 |     wait: true
                 |           ^
              help: write for instance 10m"#]],
    );
}

/// A document with one agent.
fn agent(when: &str, decide: &str, review: &str) -> String {
    with("agents", &format!("\n  - when: {when}\n    decide: {decide}\n    review: {review}"))
}

const STAY: &str = "{ strategy: stay }";

#[test]
fn choices_by_key() {
    check(
        agent("{ evry: 60 }", STAY, "human"),
        expect![[r#"
        a.yaml:4:13: agents[0].when: expected the key every, at or any, found "evry"
           4 |   - when: { evry: 60 }
             |             ^
          help: did you mean "every"?"#]],
    );
    check(
        agent("{ every: x }", STAY, "human"),
        expect![[r#"
            a.yaml:4:20: agents[0].when.every: expected a whole number of at least 0, found "x"
               4 |   - when: { every: x }
                 |                    ^
              help: write for instance 1"#]],
    );
    check(
        agent("{ every: 1, at: [1] }", STAY, "human"),
        expect![[r#"
        a.yaml:4:23: agents[0].when: only one of the keys every, at or any may be set
           4 |   - when: { every: 1, at: [1] }
             |                       ^
          help: keep one of them"#]],
    );
    check(
        agent("{}", STAY, "human"),
        expect![[r#"
            a.yaml:4:11: agents[0].when: expected the key every, at or any, found an empty mapping
               4 |   - when: {}
                 |           ^
              help: write for instance never"#]],
    );
    check(
        agent("nevr", STAY, "human"),
        expect![[r#"
        a.yaml:4:11: agents[0].when: expected never, found "nevr"
           4 |   - when: nevr
             |           ^
          help: did you mean "never"?"#]],
    );
}

#[test]
fn choices_by_kind_and_depth() {
    check(
        agent("[1]", STAY, "human"),
        expect![[r#"
        a.yaml:4:11: agents[0].when: expected text or a mapping with the key any, at or every, found a list
           4 |   - when: [1]
             |           ^
          help: write it as "key: value" lines without a leading '-'"#]],
    );
    check(
        agent("{ any: [{ any: [{ every: -1 }] }] }", STAY, "human"),
        expect![[r#"
            a.yaml:4:36: agents[0].when.any[0].any[0].every: expected a whole number of at least 0, found -1
               4 |   - when: { any: [{ any: [{ every: -1 }] }] }
                 |                                    ^
              help: write at least 0, for instance 1"#]],
    );
}

#[test]
fn choices_by_tag() {
    check(
        agent("never", "{ strategy: treshold, max_load: 1 }", "humn"),
        expect![[r#"
        a.yaml:5:25: agents[0].decide.strategy: expected threshold, random or stay, found "treshold"
           5 |     decide: { strategy: treshold, max_load: 1 }
             |                         ^
          help: did you mean "threshold"?
        a.yaml:6:13: agents[0].review: expected human or auto, found "humn"
           6 |     review: humn
             |             ^
          help: did you mean "human"?"#]],
    );
    check(
        agent("never", "{ max_load: 1 }", "~"),
        expect![[r#"
        a.yaml:5:13: agents[0].decide: missing the key "strategy"
           5 |     decide: { max_load: 1 }
             |             ^
          help: add strategy: threshold, random or stay"#]],
    );
    check(
        agent("never", "{ strategy: threshold, maxload: high }", "human"),
        expect![[r#"
        a.yaml:5:36: agents[0].decide: unknown key "maxload"
           5 |     decide: { strategy: threshold, maxload: high }
             |                                    ^
          help: did you mean "max_load"? known keys: max_load, strategy"#]],
    );
}

#[test]
fn choices_by_shape() {
    check(
        with("limits", "{ per_hour: 1 }"),
        expect![[r#"
            a.yaml:3:9: limits: missing the key "cool_down"
               3 | limits: { per_hour: 1 }
                 |         ^
              help: add for instance cool_down: 1"#]],
    );
    check(
        with("limits", "{ plan: 5 }"),
        expect![[r#"
        a.yaml:3:17: limits.plan: expected text, found 5
           3 | limits: { plan: 5 }
             |                 ^
          help: put it in quotes: "5""#]],
    );
    check(
        with("limits", "-1"),
        expect![[r#"
            a.yaml:3:9: limits: expected a whole number of at least 0, found -1
               3 | limits: -1
                 |         ^
              help: write at least 0, for instance 1"#]],
    );
}

#[test]
fn long_and_many() {
    check(
        with("seed", &"9".repeat(1000)),
        expect![[r#"
            a.yaml:3:7: seed: expected a whole number of at least 0, found 999999999999999999999999999999999999999999999999999999999999…
               3 | seed: 9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999…
                 |       ^
              help: write for instance 1"#]],
    );
    check(
        with("name", &format!("{}!{}", "x".repeat(300), "y".repeat(300))),
        expect![[r#"
        a.yaml:1:7: name: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit
           1 | name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
             |       ^
          help: write xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"#]],
    );
    let many: String = (0..150).map(|index| format!("unknown{index}: 1\n")).collect();
    let problems = read_with::<Scenario>("a.yaml", many.as_bytes(), &checks()).unwrap_err();
    assert_eq!((problems.iter().count(), problems.count()), (100, 152));
    assert!(problems.to_string().ends_with("a.yaml: and 52 more"));
    let json = serde_json::to_string(&problems.iter().next()).unwrap();
    expect![[r#"{"path":"","line":1,"column":1,"message":"unknown key \"unknown0\"","proposal":"known keys: agents, amounts, clusters, labels, limits, name, seed, waves, zones","excerpt":{"text":"unknown0: 1","caret":0}}"#]].assert_eq(&json);
}

#[test]
fn later_checks_find_their_line() {
    let (_, document) = read_with::<Scenario>("a.yaml", VALID.as_bytes(), &checks()).unwrap();
    let at = |path: &str| {
        let problem = document.problem_at(path, "x", "y");
        (problem.line, problem.column)
    };
    assert_eq!(at("clusters[1].cpu"), (6, 10));
    assert_eq!(at("clusters[1].gpu"), (5, 5));
    assert_eq!(at("agents[1].when.any[1].at[0]"), (11, 33));
    assert_eq!(at(""), (1, 1));
    assert_eq!(document.find("waves.70").and_then(Node::integer), Some(1));
    assert!(document.find("clusters[9]").is_none());
}

#[test]
fn a_draft_has_what_could_be_read_and_doubts_the_rest() {
    let check = |text: &str, found: &[(&str, &str)], doubtful: &[&str], sure: &[&str]| {
        let draft = draft::<Scenario>("a.yaml", text.as_bytes(), &checks()).unwrap();
        for (path, spelling) in found {
            let node = draft.document.find(path);
            assert_eq!(node.and_then(Node::scalar), Some(*spelling), "{path} of {text}");
        }
        let covered = |paths: &[&str]| paths.iter().filter(|path| draft.doubts.cover(path)).count();
        assert_eq!((covered(doubtful), covered(sure)), (doubtful.len(), 0), "{text}");
        assert!(!draft.problems.is_empty());
    };
    check(
        "name: w\nclusters: [{ nodes: -1, cpu: 2 }]\n",
        &[("clusters[0].nodes", "1"), ("clusters[0].cpu", "2")],
        &["clusters[0].nodes"],
        &["name", "clusters[0]", "clusters[0].cpu"],
    );
    check(
        "name: w\nclusters: [{ nodes: 2, cpu: 13 }]\nsede: 3\n",
        &[("clusters[0].cpu", "4"), ("seed", "0")],
        &["clusters[0].cpu", "seed"],
        &["name", "clusters[0].nodes"],
    );
    check("name: w\nclutsers: [{ nodes: 2, cpu: 3 }]\n", &[("clusters[0].nodes", "2")], &[], &["clusters"]);
    check(
        "name: w\nname: v\nclusters: [{ node: 2, cpu: 3 }]\nother: 1\n",
        &[("name", "w"), ("clusters[0].nodes", "1")],
        &["name", "clusters[0].nodes", "agents", "limits"],
        &["clusters[0].cpu"],
    );
    let torn = draft::<Scenario>("a.yaml", b"name: [\n", &checks()).unwrap_err();
    assert_eq!(torn.count(), 1);
}

/// A tiny linear congruential generator (Knuth's MMIX constants): the test needs variety, not quality.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn mutate(bytes: &mut Vec<u8>, state: &mut u64) {
    const NASTY: &[u8] = b"\0\t\n\r {}[]:,-\"'&*!|>%@`#?~\\\xff\xc3\xe2\x80\xae09eE+.";
    let place = next(state) % (bytes.len() + 1);
    match next(state) % 4 {
        0 if place < bytes.len() => bytes[place] = NASTY[next(state) % NASTY.len()],
        1 if place < bytes.len() => drop(bytes.remove(place)),
        2 => {
            let end = (place + next(state) % 40).min(bytes.len());
            let copied = bytes[place..end].to_vec();
            let target = next(state) % (bytes.len() + 1);
            bytes.splice(target..target, copied);
        }
        _ => bytes.insert(place, NASTY[next(state) % NASTY.len()]),
    }
}

#[test]
fn mutations_never_panic_and_never_print_control_characters() {
    let json =
        "{\"name\":\"w\\u00e4\",\"clusters\":[{\"nodes\":1,\"cpu\":\"1\",\"load\":1.5e-3}],\"seed\":null}";
    let rounds = 3000;
    for seed in 0..rounds {
        let (name, text) = if seed % 3 == 0 { ("a.json", json) } else { ("a.yaml", VALID) };
        let mut bytes = text.as_bytes().to_vec();
        let mut state = seed;
        for _ in 0..=next(&mut state) % 6 {
            mutate(&mut bytes, &mut state);
        }
        let result = std::panic::catch_unwind(|| outcome(name, &bytes));
        let shown =
            result.unwrap_or_else(|_| panic!("seed {seed} panics on {:?}", String::from_utf8_lossy(&bytes)));
        assert!(
            !shown.chars().any(|c| c.is_control() && c != '\n'),
            "seed {seed} prints a control character"
        );
    }
}
