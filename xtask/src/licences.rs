//! Checks that every dependency may be shipped with an Apache-2.0 product and comes from the public registry.

use crate::cargo::{self, Package};
use crate::finding::Finding;
use crate::spdx::Expression;
use anyhow::Result;
use std::path::Path;

/// Licences that ask for no more than to be named. What is not here is refused, copyleft above all: GPL, AGPL, LGPL,
/// BUSL and SSPL have no place in a binary that others build products on.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Package, its licence (empty when it states none), and why it may be used all the same. The place for a library
/// under MPL-2.0 that is used unchanged.
type Exception = (&'static str, &'static str, &'static str);
const EXCEPTIONS: &[Exception] = &[];

const REGISTRIES: &[&str] =
    &["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

pub(crate) struct Report {
    pub(crate) scope: String,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) fn inspect(root: &Path) -> Result<Report> {
    let (metadata, scope) = cargo::whole_graph(root)?;
    let findings = check(&metadata.packages, &metadata.workspace_members, EXCEPTIONS);
    Ok(Report { scope, findings })
}

fn check(packages: &[Package], members: &[String], exceptions: &[Exception]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let place = format!("{} {}", package.name, package.version);
        let problems = [licence_problem(package, exceptions), source_problem(package, members)];
        findings.extend(problems.into_iter().flatten().map(|problem| Finding::about(&place, problem)));
    }
    for (name, licence, _) in exceptions {
        if !packages.iter().any(|package| package.name == *name && stated(package) == *licence) {
            findings.push(Finding::about(name, format!("the exception for `{licence}` is no longer needed")));
        }
    }
    findings
}

fn stated(package: &Package) -> &str {
    package.license.as_deref().unwrap_or_default()
}

fn licence_problem(package: &Package, exceptions: &[Exception]) -> Option<String> {
    let licence = stated(package);
    if exceptions.iter().any(|(name, granted, _)| *name == package.name && *granted == licence) {
        return None;
    }
    if licence.is_empty() {
        return Some("states no licence; without one nobody may use it".to_owned());
    }
    match Expression::parse(licence) {
        Err(error) => Some(format!("the licence cannot be read: {error}")),
        Ok(expression) if expression.is_satisfied(&|name| ALLOWED.contains(&name)) => None,
        Ok(_) => {
            Some(format!("`{licence}` is not allowed; see ALLOWED and EXCEPTIONS in xtask/src/licences.rs"))
        }
    }
}

fn source_problem(package: &Package, members: &[String]) -> Option<String> {
    match &package.source {
        None if members.contains(&package.id) => None,
        None => Some(format!("comes from a folder outside the workspace: {}", package.manifest_path)),
        Some(source) if REGISTRIES.contains(&source.as_str()) => None,
        Some(source) => Some(format!("comes from {source}; only the public registry is there for everyone")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;
    use serde_json::json;

    fn package(licence: Option<&str>, source: Option<&str>) -> Package {
        let text = json!({
            "id": "here#a", "name": "a", "version": "1.0.0", "license": licence, "source": source,
            "manifest_path": "a/Cargo.toml", "dependencies": [], "targets": [],
        });
        serde_json::from_value(text).expect("the form of cargo metadata")
    }

    fn check_licence(licence: Option<&str>, exceptions: &[Exception], expected: &[&str]) {
        assert_found(&check(&[package(licence, Some(REGISTRIES[0]))], &[], exceptions), expected);
    }

    #[test]
    fn permissive_licences_pass() {
        for licence in
            ["MIT", "MIT OR Apache-2.0 OR LGPL-2.1-or-later", "(MIT OR Apache-2.0) AND Unicode-3.0"]
        {
            check_licence(Some(licence), &[], &[]);
        }
    }

    #[test]
    fn others_are_refused() {
        for licence in
            ["GPL-3.0-only", "AGPL-3.0-or-later", "LGPL-3.0-only", "BUSL-1.1", "SSPL-1.0", "MPL-2.0"]
        {
            let problem = "is not allowed; see ALLOWED and EXCEPTIONS in xtask/src/licences.rs";
            check_licence(Some(licence), &[], &[&format!("a 1.0.0: `{licence}` {problem}")]);
        }
        check_licence(None, &[], &["a 1.0.0: states no licence; without one nobody may use it"]);
        check_licence(
            Some("MIT OR"),
            &[],
            &["a 1.0.0: the licence cannot be read: expected a licence, found the end"],
        );
    }

    #[test]
    fn an_exception_counts_for_one_package_and_one_licence() {
        check_licence(Some("MPL-2.0"), &[("a", "MPL-2.0", "used unchanged")], &[]);
        check_licence(None, &[("a", "", "public domain, says its README")], &[]);
        check_licence(
            Some("MIT"),
            &[("a", "MPL-2.0", "used unchanged")],
            &["a: the exception for `MPL-2.0` is no longer needed"],
        );
    }

    #[test]
    fn packages_come_from_the_workspace_or_the_registry() {
        let members = ["here#a".to_owned()];
        assert_found(&check(&[package(Some("MIT"), None)], &members, &[]), &[]);
        assert_found(
            &check(&[package(Some("MIT"), None)], &[], &[]),
            &["a 1.0.0: comes from a folder outside the workspace: a/Cargo.toml"],
        );
        assert_found(
            &check(&[package(Some("MIT"), Some("git+https://example.org/a"))], &[], &[]),
            &[
                "a 1.0.0: comes from git+https://example.org/a; only the public registry is there for everyone",
            ],
        );
    }
}
