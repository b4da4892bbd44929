//! Keeps the house in order: tidy checks on the tree and a licence check on the dependencies. Changes nothing.

mod cargo;
mod command;
mod decisions;
mod files;
mod finding;
mod floor_plan;
mod lengths;
mod lexer;
mod licences;
mod links;
mod make_targets;
mod markdown;
mod marks;
mod modules;
mod spdx;
mod tidy;
mod whitespace;

use anyhow::{Result, bail};
use finding::Finding;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  tidy      check the tree: floor plan, orphan files, lengths, marks, links, decision pages
  licences  check the licence and the source of every dependency";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match answer(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(text) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn answer(arguments: &[&str]) -> Result<String> {
    match arguments {
        ["tidy"] => {
            let report = tidy::inspect(&root())?;
            conclude(&report.medians.join("\n"), &report.findings)
        }
        ["licences"] => {
            let report = licences::inspect(&root())?;
            conclude(&report.scope, &report.findings)
        }
        [] | ["help" | "--help" | "-h"] => Ok(USAGE.to_owned()),
        _ => bail!("unknown command `{}`\n{USAGE}", arguments.join(" ")),
    }
}

/// The repository, found from where this crate was built, so that the command works from any folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies inside the repository").to_owned()
}

fn conclude(measured: &str, findings: &[Finding]) -> Result<String> {
    if findings.is_empty() {
        return Ok(format!("{measured}\nnothing found"));
    }
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    bail!("{measured}\n{}\nfindings: {}", lines.join("\n"), lines.len())
}

#[expect(clippy::print_stdout, reason = "the command's answer goes to the terminal")]
fn say(text: &str) {
    println!("{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let answer = answer(&["tidy"]).unwrap_or_else(|error| panic!("{error:#}"));
        println!("{answer}");
    }

    #[test]
    fn the_dependencies_may_be_used() {
        let answer = answer(&["licences"]).unwrap_or_else(|error| panic!("{error:#}"));
        println!("{answer}");
    }

    #[test]
    fn findings_are_a_failure() {
        let findings = [Finding::at("a.rs", 3, "too long"), Finding::about("b.rs", "orphan")];
        let error = conclude("2 files", &findings).expect_err("there are findings");
        assert_eq!(error.to_string(), "2 files\na.rs:3: too long\nb.rs: orphan\nfindings: 2");
        assert_eq!(conclude("2 files", &[]).expect("none"), "2 files\nnothing found");
    }

    #[test]
    fn unknown_commands_are_refused() {
        assert!(answer(&["tidyy"]).is_err());
        assert_eq!(answer(&["--help"]).expect("help"), USAGE);
    }
}
