//! Which room may know which: the arrows between the crates, and what the pure rooms may bring in from outside.

use crate::cargo::{Dependency, Package};
use crate::finding::Finding;
use std::collections::BTreeSet;

/// An arrow also allows everything its end leads to.
const ARROWS: &[(&str, &[&str])] = &[
    ("cli", &["server", "kubernetes", "testbed"]),
    ("server", &["lab"]),
    ("lab", &["simulator", "strategies"]),
    ("simulator", &["control"]),
    ("strategies", &["control", "learning"]),
    ("kubernetes", &["control", "testbed"]),
    ("control", &["model"]),
    ("learning", &["model"]),
    ("testbed", &["model"]),
    ("judge", &["simulator", "testbed"]),
    ("model", &[]),
    ("xtask", &[]),
];

const PURE: &[&str] = &["model", "control", "strategies", "learning", "simulator"];

/// What pure crates may use: none of these reads a clock, a file, the network, the environment or entropy.
const PURE_DEPENDENCIES: &[&str] = &[
    "libm",
    "rand_chacha",
    "rand_core",
    "saphyr-parser",
    "schemars",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
];

/// What their tests may use besides.
const PURE_TEST_DEPENDENCIES: &[&str] = &["expect-test", "proptest"];

/// Libraries that one room alone may know, so that they can be replaced there.
const OWNED: &[(&str, &str)] = &[
    ("axum", "server"),
    ("clap", "cli"),
    ("k8s-openapi", "kubernetes"),
    ("kube", "kubernetes"),
    ("postgres", "server"),
    ("tokio-postgres-rustls", "server"),
    ("miniz_oxide", "lab"),
    ("rusqlite", "server"),
    ("tiny-skia", "lab"),
    ("ttf-parser", "lab"),
    ("utoipa", "server"),
];

/// `packages` are those of the workspace.
pub(crate) fn check(packages: &[Package]) -> Vec<Finding> {
    let rooms: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in packages {
        if arrows(&package.name).is_none() {
            let message = "is not on the floor plan; try a module first, or add the crate and its arrows to \
                           xtask/src/floor_plan.rs";
            findings.push(Finding::about(&package.name, message));
            continue;
        }
        for dependency in &package.dependencies {
            let problem = if rooms.contains(dependency.name.as_str()) {
                inner_problem(&package.name, &dependency.name)
            } else {
                outer_problem(&package.name, dependency)
            };
            findings.extend(problem.map(|problem| Finding::about(&edge(&package.name, dependency), problem)));
        }
    }
    findings
}

/// The edge as a reader looks for it in `Cargo.toml`.
fn edge(from: &str, dependency: &Dependency) -> String {
    let kind = dependency.kind.as_ref().map(|kind| format!(" ({kind}-dependency)")).unwrap_or_default();
    format!("{from} -> {}{kind}", dependency.name)
}

fn inner_problem(from: &str, to: &str) -> Option<String> {
    let allowed = reachable(from);
    let list =
        if allowed.is_empty() { "no other".to_owned() } else { Vec::from_iter(allowed.clone()).join(", ") };
    // A crate's tests may switch on features of the crate itself.
    (from != to && !allowed.contains(to))
        .then(|| format!("is not an arrow of the floor plan; {from} may know {list} (see ARROWS in xtask/src/floor_plan.rs)"))
}

fn outer_problem(from: &str, dependency: &Dependency) -> Option<String> {
    let name = dependency.name.as_str();
    if let Some((_, owner)) = OWNED.iter().find(|(library, owner)| *library == name && *owner != from) {
        return Some(format!("only {owner} may know {name}, so that it can be replaced there"));
    }
    let for_tests = dependency.kind.as_deref() == Some("dev") && PURE_TEST_DEPENDENCIES.contains(&name);
    (PURE.contains(&from) && !for_tests && !PURE_DEPENDENCIES.contains(&name)).then(|| {
        format!(
            "{from} is pure: the same inputs must give the same bytes, so it uses no library that could reach a \
             clock, a file, the network, the environment or entropy; one that is pure itself is added to \
             PURE_DEPENDENCIES in xtask/src/floor_plan.rs"
        )
    })
}

fn arrows(from: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(room, _)| *room == from).map(|(_, ends)| *ends)
}

fn reachable(from: &str) -> BTreeSet<&'static str> {
    let ends = arrows(from).unwrap_or_default();
    ends.iter().flat_map(|end| reachable(end).into_iter().chain([*end])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;
    use serde_json::json;

    /// A workspace with all rooms, in which `from` depends on `name`.
    fn check_edge(from: &str, name: &str, kind: Option<&str>, expected: Option<&str>) {
        let packages: Vec<Package> = ARROWS
            .iter()
            .map(|(room, _)| {
                let edges = if *room == from { vec![json!({ "name": name, "kind": kind })] } else { vec![] };
                package(room, &edges)
            })
            .collect();
        let lines: Vec<String> = check(&packages).iter().map(ToString::to_string).collect();
        match expected {
            None => assert!(lines.is_empty(), "{lines:?}"),
            Some(start) => assert!(lines.len() == 1 && lines[0].starts_with(start), "{start}: {lines:?}"),
        }
    }

    fn package(name: &str, dependencies: &[serde_json::Value]) -> Package {
        let text = json!({
            "id": name, "name": name, "version": "0.1.0", "license": null, "source": null,
            "manifest_path": "", "dependencies": dependencies, "targets": [],
        });
        serde_json::from_value(text).expect("the form of cargo metadata")
    }

    #[test]
    fn arrows_and_what_lies_further_right_are_allowed() {
        for (from, to) in [
            ("cli", "model"),
            ("cli", "kubernetes"),
            ("cli", "learning"),
            ("server", "strategies"),
            ("lab", "learning"),
            ("strategies", "learning"),
            ("simulator", "model"),
            ("kubernetes", "control"),
            ("kubernetes", "testbed"),
            ("cli", "testbed"),
            ("testbed", "model"),
            ("judge", "simulator"),
            ("judge", "testbed"),
        ] {
            check_edge(from, to, None, None);
            check_edge(from, to, Some("dev"), None);
        }
    }

    #[test]
    fn other_edges_are_named() {
        for (from, to) in [
            ("model", "control"),
            ("strategies", "simulator"),
            ("simulator", "strategies"),
            ("simulator", "learning"),
            ("learning", "control"),
            ("kubernetes", "simulator"),
            ("server", "kubernetes"),
            ("server", "testbed"),
            ("testbed", "control"),
            ("cli", "judge"),
            ("judge", "server"),
            ("lab", "cli"),
            ("xtask", "model"),
        ] {
            check_edge(from, to, None, Some(&format!("{from} -> {to}: is not an arrow of the floor plan")));
            check_edge(
                from,
                to,
                Some("dev"),
                Some(&format!("{from} -> {to} (dev-dependency): is not an arrow")),
            );
        }
    }

    #[test]
    fn pure_rooms_bring_in_pure_libraries_only() {
        for room in PURE {
            check_edge(room, "serde", None, None);
            check_edge(room, "proptest", Some("dev"), None);
            check_edge(room, "proptest", None, Some(&format!("{room} -> proptest: {room} is pure")));
            check_edge(room, "tokio", None, Some(&format!("{room} -> tokio: {room} is pure")));
            check_edge(
                room,
                "tempfile",
                Some("dev"),
                Some(&format!("{room} -> tempfile (dev-dependency): {room} is")),
            );
        }
        check_edge("cli", "tokio", None, None);
    }

    #[test]
    fn a_library_with_an_owner_stays_there() {
        check_edge("cli", "clap", None, None);
        check_edge("server", "clap", None, Some("server -> clap: only cli may know clap"));
        check_edge("lab", "kube", None, Some("lab -> kube: only kubernetes may know kube"));
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        let found = check(&[package("utils", &[])]);
        assert_found(
            &found,
            &["utils: is not on the floor plan; try a module first, or add the crate and its arrows to \
               xtask/src/floor_plan.rs"],
        );
    }
}
