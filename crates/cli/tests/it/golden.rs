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
    let expected: Vec<String> = shipped_scenarios().iter().map(|(name, _)| format!("{name}.json")).collect();
    let found = names(&repository().join("crates/cli/tests/it/golden"));
    assert_eq!(found, expected, "a golden file is left over");
}

#[test]
fn the_figure_on_the_front_page_is_from_this_build() {
    let scratch = Scratch::new("front-page");
    let path = repository().join("scenarios/three-waves.yaml").display().to_string();
    scratch.succeed(&["run", &path, "--out", "out"]);
    let figure = String::from_utf8(scratch.read("out/figures/cpu-allocated.svg")).unwrap();
    expect_file!["../../../../docs/images/three-waves.svg"].assert_eq(&figure);
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
