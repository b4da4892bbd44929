//! The files of the repository as text: what git tracks or would track, never what it ignores.

use crate::command::run;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Paths are relative to the repository and use `/`.
#[derive(Default)]
pub(crate) struct Files {
    /// Every file, pictures included.
    pub(crate) paths: BTreeSet<String>,
    /// The text of those that are UTF-8.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Files {
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut files = Self::default();
        for path in listed(root)? {
            let full = root.join(&path);
            // Git still lists a file that was deleted but not yet committed.
            if !full.is_file() {
                continue;
            }
            let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.texts.insert(path.clone(), text);
            }
            files.paths.insert(path);
        }
        Ok(files)
    }

    pub(crate) fn with_extension(&self, extension: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .filter(move |(path, _)| has_extension(path, extension))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Whether a file or a folder with this path exists.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty()
            || self.paths.contains(path)
            || self.paths.iter().any(|file| file.starts_with(&folder))
    }

    #[cfg(test)]
    pub(crate) fn from_texts(texts: &[(&str, &str)]) -> Self {
        Self {
            paths: texts.iter().map(|(path, _)| (*path).to_owned()).collect(),
            texts: texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        }
    }
}

pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn listed(root: &Path) -> Result<Vec<String>> {
    let listing = run(root, "git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    Ok(listing.split_terminator('\0').map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_exists_when_a_file_lies_in_it() {
        let files = Files::from_texts(&[("docs/guide/start.md", "")]);
        for (path, exists) in [
            ("docs", true),
            ("docs/guide", true),
            ("docs/guide/start.md", true),
            ("docs/gui", false),
            ("", true),
        ] {
            assert_eq!(files.contains(path), exists, "{path}");
        }
    }
}
