//! Runs every tidy check on the tree.

use crate::cargo::{self, Metadata, Package};
use crate::files::Files;
use crate::finding::Finding;
use crate::{decisions, floor_plan, lengths, links, make_targets, marks, modules, whitespace};
use anyhow::{Context, Result};
use std::path::Path;

pub(crate) struct Report {
    /// One line per crate: the length of its typical function.
    pub(crate) medians: Vec<String>,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) fn inspect(root: &Path) -> Result<Report> {
    let files = Files::read(root)?;
    let workspace = cargo::workspace(root)?;
    let mut findings = floor_plan::check(&workspace.packages);
    findings.extend(modules::check(&files, &roots(root, &workspace)?));
    for (path, text) in &files.texts {
        findings.extend(marks::check(path, text));
        findings.extend(whitespace::check(path, text));
    }
    for (path, text) in files.with_extension("rs") {
        findings.extend(lengths::check(path, text));
    }
    findings.extend(links::check(&files));
    findings.extend(make_targets::check(&files));
    findings.extend(decisions::check(&files));
    let mut medians = Vec::new();
    for package in &workspace.packages {
        let folder = folder(root, package)?;
        let sources = files.with_extension("rs").filter(|(path, _)| path.starts_with(&folder));
        let (line, finding) = lengths::check_median(&package.name, sources);
        medians.push(line);
        findings.extend(finding);
    }
    findings.sort();
    Ok(Report { medians, findings })
}

fn roots(root: &Path, workspace: &Metadata) -> Result<Vec<String>> {
    let targets = workspace.packages.iter().flat_map(|package| &package.targets);
    targets.map(|target| relative(root, Path::new(&target.src_path))).collect()
}

/// The folder of a package, with a slash at the end.
fn folder(root: &Path, package: &Package) -> Result<String> {
    let manifest = Path::new(&package.manifest_path);
    Ok(format!("{}/", relative(root, manifest.parent().unwrap_or(manifest))?))
}

fn relative(root: &Path, path: &Path) -> Result<String> {
    let inside =
        path.strip_prefix(root).with_context(|| format!("{} is not in the repository", path.display()))?;
    Ok(inside.to_string_lossy().replace('\\', "/"))
}
