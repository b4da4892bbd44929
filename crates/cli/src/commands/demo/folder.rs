//! The folder of a demo: one that goes with it, or one that stays.

use crate::failure::Failure;
use anyhow::{Context, anyhow};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder that is removed when it is dropped, unless somebody wants to keep it.
pub(super) struct Folder {
    path: PathBuf,
    is_kept: bool,
}

impl Folder {
    pub(super) fn new(keep: Option<&Path>) -> Result<Self, Failure> {
        let (path, is_kept) = match keep {
            Some(path) => (path.to_owned(), true),
            None => (temporary()?, false),
        };
        let made = if is_kept { fs::create_dir_all(&path) } else { make_private(&path) };
        made.with_context(|| format!("the folder {} could not be made", path.display()))?;
        Ok(Self { path, is_kept })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder from wherever it is called.
    pub(super) fn cleanup(&self) -> impl FnOnce() + Send + 'static {
        let (path, is_kept) = (self.path.clone(), self.is_kept);
        move || remove(&path, is_kept)
    }

    pub(super) const fn farewell(&self) -> &'static str {
        if self.is_kept {
            "Ctrl-C ends the demo; the same command goes on with it."
        } else {
            "Ctrl-C ends the demo and removes its data."
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove(&self.path, self.is_kept);
    }
}

fn remove(path: &Path, is_kept: bool) {
    if !is_kept {
        let _ = fs::remove_dir_all(path);
    }
}

/// A name that nobody can have prepared something under.
fn temporary() -> Result<PathBuf, Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("the system has no random numbers to give: {error}"))?;
    Ok(std::env::temp_dir().join(format!("drover-demo-{:016x}", u64::from_be_bytes(bytes))))
}

#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Writes a line that nobody else on the machine can read, also not while it is written.
pub(super) fn write_private(path: &Path, line: &str) -> io::Result<()> {
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    writeln!(options.open(path)?, "{line}")
}
