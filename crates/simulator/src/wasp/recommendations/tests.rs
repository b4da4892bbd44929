//! Every form of the list, read and written.

use super::*;
use expect_test::{Expect, expect};

fn recommendation(
    batch_id: Option<u64>,
    origin_cluster: Option<u64>,
    reason: Option<&str>,
) -> WaspRecommendation {
    WaspRecommendation {
        batch_id,
        workload_id: "default/78".to_owned(),
        kind: WaspKind::Deployment,
        origin_cluster,
        destination_cluster: 1,
        reason: reason.map(str::to_owned),
    }
}

#[test]
fn all_forms_are_read() {
    let check = |name: &str, text: &str, expected: WaspRecommendation| {
        let read =
            read_recommendations(name, text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!((read.value, read.notices), (vec![expected], vec![]), "{text}");
    };
    check(
        "r.json",
        r#"[{"batch_id": 1, "workload_id": "default/78", "kind": "deployment", "origin_cluster": 0,
             "destination_cluster": 1, "reason": "high pending", "label": 0}]"#,
        recommendation(Some(1), Some(0), Some("high pending")),
    );
    check(
        "r.json",
        r#"[{"batch_id": null, "workload_id": "default/78", "kind": "deployment", "origin_cluster": 0, "destination_cluster": 1}]"#,
        recommendation(None, Some(0), None),
    );
    check(
        "r.json",
        r#"[{"workload_id": "default/78", "kind": "deployment", "label": 1}]"#,
        recommendation(None, None, None),
    );
    check(
        "r.csv",
        "workload_id,kind,origin_cluster,destination_cluster,reason\r\ndefault/78,deployment,0,1,\"a, \"\"b\"\"\nc\"\r\n",
        recommendation(None, Some(0), Some("a, \"b\"\nc")),
    );
    check("r.csv", "workload_id,kind,label\ndefault/78,Deployment,1\n\n", recommendation(None, None, None));
}

#[test]
fn what_is_written_reads_back() {
    let list = vec![
        recommendation(Some(3), Some(0), Some("x, \"y\"\nz")),
        recommendation(Some(3), Some(1), Some("é")),
    ];
    let json = recommendations_json(&list);
    assert_eq!(read_recommendations("r.json", json.as_bytes()).unwrap().value, list);
    let csv = recommendations_csv(&list);
    let without_batch: Vec<WaspRecommendation> =
        list.into_iter().map(|entry| WaspRecommendation { batch_id: None, ..entry }).collect();
    assert_eq!(read_recommendations("r.csv", csv.as_bytes()).unwrap().value, without_batch);
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written as literals")]
fn check(name: &str, text: &str, expected: Expect) {
    expected.assert_eq(&match read_recommendations(name, text.as_bytes()) {
        Ok(read) => read.notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(problems) => problems.to_string(),
    });
}

#[test]
fn broken_lists() {
    check(
        "r.json",
        r#"[{"kind": "pod", "destination_cluster": -1}, 3]"#,
        expect![[r#"
            r.json:1:2: [0]: missing the key "workload_id"
               1 | [{"kind": "pod", "destination_cluster": -1}, 3]
                 |  ^
              help: add for instance "workload_id": "default/78"
            r.json:1:11: [0].kind: expected deployment or job, found "pod"
               1 | [{"kind": "pod", "destination_cluster": -1}, 3]
                 |           ^
              help: write "deployment"
            r.json:1:41: [0].destination_cluster: expected a whole number of at least 0, found -1
               1 | [{"kind": "pod", "destination_cluster": -1}, 3]
                 |                                         ^
              help: write for instance 1
            r.json:1:46: [1]: expected a mapping, found 3
               1 | [{"kind": "pod", "destination_cluster": -1}, 3]
                 |                                              ^
              help: put it into braces: { "key": value }"#]],
    );
    check(
        "r.json",
        r#"{"decisions": []}"#,
        expect![[r#"
            r.json:1:1: expected a list, found a mapping
               1 | {"decisions": []}
                 | ^
              help: put it into brackets: [ … ]"#]],
    );
}

#[test]
fn broken_tables() {
    check(
        "r.csv",
        "",
        expect![[r"
        r.csv:1:1: expected the columns workload_id,kind,origin_cluster,destination_cluster,reason, or workload_id,kind,label
          help: name the columns in the first line"]],
    );
    check(
        "r.csv",
        "a,b\n1,2\n",
        expect![[r"
        r.csv:1:1: expected the columns workload_id,kind,origin_cluster,destination_cluster,reason, or workload_id,kind,label
          help: name the columns in the first line"]],
    );
    check(
        "r.csv",
        "workload_id,kind,label\nx,deployment\nx,pod,1\n,job,1\nx,job,one\nx,job,\n",
        expect![[r#"
            r.csv:2:1: expected 3 fields, found 2
              help: put text that contains a comma in quotes
            r.csv:3:3: kind: expected deployment or job, found "pod"
              help: write deployment or job
            r.csv:4:1: workload_id: must not be empty
              help: fill it in, or remove the row
            r.csv:5:7: label: expected a whole number, found "one"
              help: write for instance 1
            r.csv:6:1: destination_cluster: must not be empty
              help: fill it in, or remove the row"#]],
    );
    check(
        "r.csv",
        "workload_id,kind,label,colour\nx,job,1,red\n",
        expect![[r#"1: "colour": WASP has no such column; ignored"#]],
    );
    check(
        "r.csv",
        "workload_id,kind,label\nx,job,1\u{1b}\n",
        expect![[r"
            r.csv:1:1: the file contains control characters
              help: remove them"]],
    );
}

#[test]
fn a_flood_of_notices_is_counted() {
    let entry = r#"{"workload_id":"a","kind":"job","destination_cluster":1,"x":1,"y":2}"#;
    let text = format!("[{}]", vec![entry; 600].join(","));
    let notices = read_recommendations("r.json", text.as_bytes()).unwrap().notices;
    assert_eq!(notices.len(), 1001);
    assert_eq!(notices[1000].message, "and 200 more notices");
}
