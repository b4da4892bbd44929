//! The broker's quirks, row by row.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::*;
use expect_test::{Expect, expect};

/// One event from `key: value` pairs over a working default.
fn event(changes: &[(&str, &str)]) -> String {
    let mut fields = vec![
        ("id", "\"web\""),
        ("kind", "\"deployment\""),
        ("action", "\"create\""),
        ("replicas", "\"2\""),
        ("cpu", "\"1\""),
        ("memory", "\"2\""),
        ("job_duration", "\"\""),
        ("label", "\"member1\""),
        ("timestamp", "1"),
    ];
    for (key, value) in changes {
        fields.retain(|(known, _)| known != key);
        if !value.is_empty() {
            fields.push((key, value));
        }
    }
    let pairs: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn input(events: &[String]) -> String {
    format!(" {{ \"config\": {{ \"namespace\": \"default\" }},\n\"data\": [\n{}\n] }}", events.join(",\n"))
}

fn read(events: &[String]) -> Read<WaspInput> {
    read_input("input.json", input(events).as_bytes()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn one(changes: &[(&str, &str)]) -> WaspEvent {
    read(&[event(changes)]).value.events.remove(0)
}

#[test]
fn amounts_mean_what_the_broker_makes_of_them() {
    let cpu = |kind: &str, cpu: &str| one(&[("kind", kind), ("cpu", cpu)]).cpu.map(|cpu| cpu.0);
    assert_eq!(cpu("\"deployment\"", "\"1\""), Some(1000));
    assert_eq!(cpu("\"deployment\"", "\"8.0\""), Some(8000));
    assert_eq!(cpu("\"Deployment\"", "\"250m\""), Some(250));
    assert_eq!(cpu("\"job\"", "\"4\""), Some(4));
    assert_eq!(cpu("\"JOB\"", "\"4.0\""), Some(4000));
    assert_eq!(cpu("\"job\"", "\"4m\""), Some(4));
    assert_eq!(cpu("\"job\"", "4"), Some(4));
    let memory = |memory: &str| one(&[("memory", memory)]).memory.map(|memory| memory.0 / MEBIBYTE);
    assert_eq!(memory("\"2\""), Some(2048));
    assert_eq!(memory("\"0.0848\""), Some(86));
    assert_eq!(memory("\"256Mi\""), Some(256));
    assert_eq!(memory("2"), Some(2048));
    assert_eq!(memory("\"1e1\""), Some(10240));
}

#[test]
fn labels_durations_and_cases() {
    for label in ["\"\"", "\"na\"", "\"N/A\"", "\"NaN\"", "\" none \"", "null", ""] {
        assert_eq!(one(&[("label", label)]).label, None, "{label}");
    }
    assert_eq!(one(&[("label", "\"private\"")]).label.as_deref(), Some("private"));
    assert_eq!(one(&[("action", "\"CREATE\"")]).action, WaspAction::Create);
    assert_eq!(one(&[("kind", "\"job\""), ("job_duration", "\"90\"")]).duration, Some(Period::from_secs(90)));
    assert_eq!(
        one(&[("workload_type", "\"memory-intensive\"")]).workload_type.as_deref(),
        Some("memory-intensive")
    );
    let delete =
        one(&[("action", "\"delete\""), ("replicas", ""), ("cpu", ""), ("memory", "\"\""), ("label", "")]);
    assert_eq!(
        (delete.action, delete.cpu, delete.memory, delete.label),
        (WaspAction::Delete, None, None, None)
    );
    let update =
        one(&[("action", "\"update\""), ("replicas", "\"5\""), ("cpu", "\"\""), ("memory", "\"3\"")]);
    assert_eq!((update.replicas, update.cpu, update.memory), (5, None, Some(Bytes(3 << 30))));
}

#[test]
fn events_are_sorted_and_the_finalizer_only_ends() {
    let at = |id: &str, second: &str| event(&[("id", id), ("timestamp", second)]);
    let finalizer = event(&[("id", "\"finalizer\""), ("replicas", "\"0\""), ("timestamp", "200")]);
    let Read { value, notices } = read(&[at("\"c\"", "70"), finalizer, at("\"b\"", "1"), at("\"a\"", "70")]);
    assert_eq!(notices, []);
    let ids: Vec<&str> = value.events.iter().map(|event| event.id.as_str()).collect();
    assert_eq!(ids, ["b", "c", "a"]);
    assert_eq!(value.end, Period::from_secs(200));
    // A workload of none is still a workload; only the sentinel disappears.
    assert_eq!(one(&[("replicas", "\"0\"")]).replicas, 0);
    assert_eq!(one(&[("replicas", "\"0\"")]).line, 3);
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written as literals")]
fn check(events: &[String], expected: Expect) {
    let said = match read_input("i.json", input(events).as_bytes()) {
        Ok(read) => read.notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(problems) => problems.to_string(),
    };
    expected.assert_eq(&said);
}

#[test]
fn what_has_no_effect_is_named() {
    check(
        &[
            event(&[("kind", "\"statefulset\""), ("cpu", "\"nonsense\"")]),
            event(&[("action", "\"scale\"")]),
            event(&[("replicas", "\"two\"")]),
            event(&[("replicas", "")]),
            event(&[("timestamp", "")]),
            event(&[("job_duration", "\"30\"")]),
            event(&[("colour", "\"red\"")]),
        ],
        expect![[r#"
            3: data[0].kind: "statefulset" is not known to WASP; the event is skipped
            4: data[1].action: "scale" is not known to WASP; the event is skipped
            5: data[2].replicas: "two" is not a whole number; WASP takes it for 0
            6: data[3].replicas: "" is not a whole number; WASP takes it for 0
            7: data[4].timestamp: not set; the event happens at 0
            8: data[5].job_duration: only jobs run for a time; ignored
            9: data[6].colour: WASP has no such key; ignored"#]],
    );
    let header = "{\"config\": {\"namespace\": \"prod\", \"kubeconfig\": \"k\"}, \"data\": [], \"x\": 1}";
    let read = read_input("i.json", header.as_bytes()).unwrap();
    let said: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
    expect![[r#"
        1: config.namespace: WASP creates everything in the namespace default, whatever this says; ignored
        1: config.kubeconfig: a simulated federation needs no access file; ignored
        1: x: WASP has no such key; ignored"#]]
    .assert_eq(&said.join("\n"));
}

#[test]
fn what_the_broker_would_fail_on_is_a_problem() {
    check(
        &[
            event(&[("id", "\"My App\"")]),
            event(&[("id", "")]),
            event(&[("cpu", "\"one\"")]),
            event(&[("cpu", "\"\"")]),
            event(&[("kind", "\"job\""), ("cpu", "\"-4\"")]),
            event(&[("memory", "\"2GB\"")]),
            event(&[("memory", "\"NaN\"")]),
            event(&[("memory", "\"1e30\"")]),
            event(&[("memory", "\"-1\"")]),
            event(&[("memory", "[1]")]),
        ],
        expect![[r#"
            i.json:3:150: data[0].id: "My App" is not a name: a name has at most 253 lower-case letters, digits, '-' and '.', and each part begins and ends with a letter or digit
               3 | …emory": "2", "job_duration": "", "label": "member1", "timestamp": 1, "id": "My App"},
                 |                                                                             ^
              help: write my-app
            i.json:4:1: data[1]: missing the key "id"
               4 | {"kind": "deployment", "action": "create", "replicas": "2", "cpu": "1", "memory": "2", "job_duration…
                 | ^
              help: add for instance "id": "web"
            i.json:5:152: data[2].cpu: cpu "one" does not start with a number
               5 | …mory": "2", "job_duration": "", "label": "member1", "timestamp": 1, "cpu": "one"},
                 |                                                                             ^
              help: write for instance "2"
            i.json:6:152: data[3].cpu: cpu "" is empty
               6 | …mory": "2", "job_duration": "", "label": "member1", "timestamp": 1, "cpu": ""},
                 |                                                                             ^
              help: write for instance "2"
            i.json:7:145: data[4].cpu: CPU must not be negative
               7 | …b_duration": "", "label": "member1", "timestamp": 1, "kind": "job", "cpu": "-4"},
                 |                                                                             ^
              help: write thousandths of a core: "500"
            i.json:8:152: data[5].memory: memory "2GB" has the unknown suffix "GB"
               8 | …u": "1", "job_duration": "", "label": "member1", "timestamp": 1, "memory": "2GB"},
                 |                                                                             ^
              help: did you mean 2G (decimal) or 2Gi (binary)?
            i.json:9:152: data[6].memory: "NaN" GiB is not an amount of memory
               9 | …u": "1", "job_duration": "", "label": "member1", "timestamp": 1, "memory": "NaN"},
                 |                                                                             ^
              help: write for instance "4Gi"
            i.json:10:152: data[7].memory: "1e30" GiB is not an amount of memory
              10 | …u": "1", "job_duration": "", "label": "member1", "timestamp": 1, "memory": "1e30"},
                 |                                                                             ^
              help: write for instance "4Gi"
            i.json:11:152: data[8].memory: "-1" GiB is not an amount of memory
              11 | …u": "1", "job_duration": "", "label": "member1", "timestamp": 1, "memory": "-1"},
                 |                                                                             ^
              help: write for instance "4Gi"
            i.json:12:152: data[9].memory: expected text, found a list
              12 | …u": "1", "job_duration": "", "label": "member1", "timestamp": 1, "memory": [1]}
                 |                                                                             ^
              help: write one value in quotes, not a list or a mapping"#]],
    );
}

#[test]
fn numbers_that_the_broker_would_fail_on_are_problems() {
    check(
        &[
            event(&[("replicas", "\"-1\"")]),
            event(&[("timestamp", "-5")]),
            event(&[("timestamp", "1.5")]),
            event(&[("kind", "\"job\""), ("job_duration", "\"long\"")]),
            "7".to_owned(),
        ],
        expect![[r#"
            i.json:3:152: data[0].replicas: expected 0 to 4294967295, found -1
               3 | …: "2", "job_duration": "", "label": "member1", "timestamp": 1, "replicas": "-1"},
                 |                                                                             ^
              help: write for instance 1
            i.json:4:154: data[1].timestamp: expected a whole number of at least 0, found -5
               4 | …: "1", "memory": "2", "job_duration": "", "label": "member1", "timestamp": -5},
                 |                                                                             ^
              help: write for instance 60
            i.json:5:154: data[2].timestamp: expected a whole number of at least 0, found 1.5
               5 | …: "1", "memory": "2", "job_duration": "", "label": "member1", "timestamp": 1.5},
                 |                                                                             ^
              help: write for instance 60
            i.json:6:146: data[3].job_duration: expected seconds, found "long"
               6 | …": "2", "label": "member1", "timestamp": 1, "kind": "job", "job_duration": "long"},
                 |                                                                             ^
              help: write a number of seconds, such as "30"
            i.json:7:1: data[4]: expected a mapping, found 7
               7 | 7
                 | ^
              help: put it into braces: { "key": value }"#]],
    );
}

#[test]
fn files_of_another_shape() {
    let said = |text: &str| read_input("i.json", text.as_bytes()).unwrap_err().to_string();
    expect![[r#"
        i.json:1:1: missing the key "data"
           1 | {}
             | ^
          help: add for instance "data": []"#]]
    .assert_eq(&said("{}"));
    expect![[r#"
        i.json:1:1: expected a mapping, found a list
           1 | []
             | ^
          help: begin with { "data": [ … ] }"#]]
    .assert_eq(&said("[]"));
    expect![[r#"
        i.json:1:10: data: expected a list, found a mapping
           1 | {"data": {}}
             |          ^
          help: put it into brackets: [ … ]"#]]
    .assert_eq(&said("{\"data\": {}}"));
}
