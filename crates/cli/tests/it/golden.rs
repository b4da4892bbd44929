//! Every shipped scenario is documentation and a test at once: its numbers stand in `golden/`.
//!
//! `make fix` writes them anew; the difference is then there to be read.

use crate::support::{Scratch, names, repository, shipped_scenarios};
use expect_test::expect_file;

#[test]
fn shipped_scenarios_give_their_golden_numbers() {
    for (name, path) in shipped_scenarios() {
        let scratch = Scratch::new("golden");
        let said = scratch.succeed(&["run", &path, "--out", "out", "--json"]);
        let summary = String::from_utf8(scratch.read("out/summary.json")).unwrap();
        assert_eq!(said.text, summary, "--json prints what summary.json holds");
        expect_file![format!("golden/{name}.json")].assert_eq(&summary);
    }
}

#[test]
fn no_golden_file_is_left_over() {
    let folder = repository().join("crates/cli/tests/it/golden");
    let expected: Vec<String> = shipped_scenarios().iter().map(|(name, _)| format!("{name}.json")).collect();
    assert_eq!(names(&folder), expected);
}

#[test]
fn shipped_scenarios_are_free_of_problems() {
    let scenarios = shipped_scenarios();
    let mut arguments = vec!["check"];
    arguments.extend(scenarios.iter().map(|(_, path)| path.as_str()));
    let said = Scratch::new("clean").succeed(&arguments);
    assert_eq!((said.text.lines().count(), said.errors.as_str()), (scenarios.len(), ""));
    assert!(said.text.lines().all(|line| line.contains(": a scenario with ")), "{}", said.text);
}
