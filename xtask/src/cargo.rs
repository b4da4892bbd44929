//! What cargo knows about the workspace and its dependencies.

use crate::command::run;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    /// Where the package was downloaded from; none for one that lies on this disk.
    pub(crate) source: Option<String>,
    pub(crate) manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or none for a normal one.
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) src_path: String,
}

/// The packages of the workspace alone.
pub(crate) fn workspace(root: &Path) -> Result<Metadata> {
    metadata(root, &["--no-deps", "--offline"])
}

/// The workspace and everything it depends on, with a sentence that says how complete the list is.
pub(crate) fn whole_graph(root: &Path) -> Result<(Metadata, String)> {
    // A build downloads only what this platform needs, so the offline answer may be missing on a fresh machine.
    let attempts = [&["--locked", "--offline"][..], &["--locked"]];
    if let Some(found) = attempts.iter().find_map(|flags| metadata(root, flags).ok()) {
        let scope = format!("{} packages, for all platforms", found.packages.len());
        return Ok((found, scope));
    }
    let host = run(root, "rustc", &["--print", "host-tuple"])?;
    let host = host.trim();
    let found = metadata(root, &["--locked", "--offline", "--filter-platform", host])?;
    let scope = format!("{} packages, for {host} only: the others are not downloaded", found.packages.len());
    Ok((found, scope))
}

fn metadata(root: &Path, flags: &[&str]) -> Result<Metadata> {
    let text = run(root, "cargo", &[&["metadata", "--format-version", "1"], flags].concat())?;
    serde_json::from_str(&text).context("cargo metadata has an unknown form")
}
