//! Reads an upstream table and runs every row; a row left out must be named with its reason.
#![expect(unreachable_pub, reason = "the rooms of this one test binary share the harness")]
#![expect(clippy::print_stdout, reason = "the counts and the rows left out belong in the test output")]

use serde_json::Value;
use std::path::PathBuf;

/// One row of a table: what upstream feeds in and what it asserts.
pub struct Case {
    pub test: String,
    pub name: String,
    pub kind: String,
    pub input: Value,
    pub want: Value,
}

/// All rows of `<file>.jsonl`.
pub fn load(file: &str) -> Vec<Case> {
    let path = folder().join(format!("{file}.jsonl"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}; run `make test-shared`", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
}

/// Runs `check` on every row, collects all failures and reports them together. Rows for which `left_out` gives a
/// reason are listed, not run.
pub fn run(
    file: &str,
    left_out: impl Fn(&Case) -> Option<&'static str>,
    check: impl Fn(&Case) -> Result<(), String>,
) {
    let cases = load(file);
    let (mut passed, mut skipped, mut failures) = (0, Vec::new(), Vec::new());
    for case in &cases {
        if let Some(reason) = left_out(case) {
            skipped.push(format!("{}/{} ({}): {reason}", case.test, case.name, case.kind));
            continue;
        }
        match check(case) {
            Ok(()) => passed += 1,
            Err(why) => failures.push(format!("{}/{} ({}): {why}", case.test, case.name, case.kind)),
        }
    }
    println!("{file}: {passed} passed, {} left out, {} failed", skipped.len(), failures.len());
    for line in &skipped {
        println!("  left out: {line}");
    }
    assert!(
        failures.is_empty(),
        "{file}: {} of {} rows fail\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

fn folder() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told where the shared data lies")]
    let chosen = std::env::var("DROVER_SHARED").ok();
    let root = chosen
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    root.join("data/conformance")
}

fn parse(line: &str) -> Case {
    let row: Value = serde_json::from_str(line).expect("a table row is JSON");
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    Case {
        test: text("test"),
        name: text("case"),
        kind: text("kind"),
        input: row["input"].clone(),
        want: row["want"].clone(),
    }
}
