//! Finds `make` commands in Markdown files whose target the Makefile does not have.

use crate::files::Files;
use crate::finding::Finding;
use crate::markdown::{self, Line};
use std::collections::BTreeSet;

pub(crate) fn check(files: &Files) -> Vec<Finding> {
    let known = targets(files.texts.get("Makefile").map_or("", String::as_str));
    let mut findings = Vec::new();
    for (path, text) in files.with_extension("md") {
        for line in markdown::lines(text) {
            for target in mentioned(&line).into_iter().filter(|target| !known.contains(target)) {
                findings.push(Finding::at(
                    path,
                    line.number,
                    format!("the Makefile has no target `{target}`"),
                ));
            }
        }
    }
    findings
}

/// The targets a Makefile defines; special ones such as `.PHONY` begin with a dot and are not for people.
fn targets(makefile: &str) -> BTreeSet<&str> {
    makefile
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_alphanumeric()))
        .filter_map(|line| line.split_once(':'))
        .filter(|(names, after)| !names.contains('=') && !after.starts_with(['=', ':']))
        .flat_map(|(names, _)| names.split_whitespace())
        .collect()
}

/// Targets named in code: in prose "make sure" is English.
fn mentioned<'a>(line: &Line<'a>) -> Vec<&'a str> {
    match line.fence {
        None => markdown::split_spans(line.text).1.into_iter().flat_map(in_command).collect(),
        Some("" | "sh" | "bash" | "shell" | "console") => {
            in_command(line.text.trim_start().trim_start_matches("$ "))
        }
        Some(_) => Vec::new(),
    }
}

fn in_command(text: &str) -> Vec<&str> {
    let commands = text.split('#').next().unwrap_or_default().split(['&', ';', '|']);
    commands.flat_map(in_single_command).collect()
}

fn in_single_command(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace().skip_while(|word| word.contains('='));
    if words.next() != Some("make") {
        return Vec::new();
    }
    // Flags, the number after `--jobs` and variables are not targets; anything odd ends the command.
    let is_target = |word: &&str| word.starts_with(char::is_alphabetic) && !word.contains('=');
    let is_plain =
        |word: &&str| word.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_=./".contains(sign));
    words.take_while(is_plain).filter(is_target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    const MAKEFILE: &str =
        ".PHONY: all\nVALUE := gone\nOTHER = gone: too\ntest demo: setup ## Run\n\tcargo: no\n";

    fn check_page(page: &str, unknown: &[&str]) {
        let files = Files::from_texts(&[("Makefile", MAKEFILE), ("a.md", page)]);
        let expected: Vec<String> =
            unknown.iter().map(|target| format!("a.md:1: the Makefile has no target `{target}`")).collect();
        assert_found(&check(&files), &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn known_targets() {
        check_page("run `make test`, `make`, `make --jobs 2 test`; make sure it passes\n", &[]);
        check_page(
            "`make --jobs=2 test demo`, `NAME=value make test OTHER=value`, `cargo test && make demo`\n",
            &[],
        );
        assert_eq!(targets(MAKEFILE).into_iter().collect::<Vec<_>>(), ["demo", "test"]);
    }

    #[test]
    fn unknown_targets() {
        check_page("`make gone` and `make VALUE=1 test other`\n", &["gone", "other"]);
        check_page("`cd x && make gone  # why`\n", &["gone"]);
    }

    #[test]
    fn only_shell_fences_hold_commands() {
        let fenced = |word: &str| format!("```{word}\n$ make gone\n```\n");
        for (word, count) in [("sh", 1), ("", 1), ("console", 1), ("text", 0), ("rust", 0)] {
            let files = Files::from_texts(&[("Makefile", MAKEFILE), ("a.md", &fenced(word))]);
            assert_eq!(check(&files).len(), count, "{word}");
        }
    }
}
