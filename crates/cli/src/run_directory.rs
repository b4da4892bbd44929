//! Writing a run directory: everything or nothing.

use crate::failure::Failure;
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that appears under its name only when it is complete.
pub(crate) struct RunDirectory {
    target: PathBuf,
    draft: PathBuf,
}

/// A folder with this file was written by us and may be replaced.
const MARK: &str = "summary.json";

impl RunDirectory {
    /// Begins a draft beside the target.
    pub(crate) fn begin(target: &Path) -> Result<Self, Failure> {
        let name = target.file_name().ok_or_else(|| {
            Failure::Input(format!("{}: is not a folder name; write for instance --out runs/first", target.display()))
        })?;
        let is_empty = |path: &Path| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
        if target.exists() && !target.join(MARK).exists() && !is_empty(target) {
            return Err(Failure::Input(format!(
                "{}: exists and is not a run of drover; choose another --out",
                target.display()
            )));
        }
        let mut draft_name = std::ffi::OsString::from(".");
        draft_name.push(name);
        draft_name.push(format!(".draft-{}", std::process::id()));
        let draft = target.with_file_name(draft_name);
        fs::create_dir_all(&draft).with_context(|| format!("{} could not be created", draft.display()))?;
        Ok(Self { target: target.to_owned(), draft })
    }

    /// Where a file of the draft lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.draft.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
        }
        Ok(fs::write(&path, content).with_context(|| format!("{} could not be written", path.display()))?)
    }

    /// Puts the finished draft in place of what was there before.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        if self.target.exists() {
            let old = self.draft.with_extension("old");
            fs::rename(&self.target, &old).with_context(|| format!("{} could not be replaced", self.target.display()))?;
            fs::rename(&self.draft, &self.target)
                .with_context(|| format!("{} could not be put in place", self.target.display()))?;
            fs::remove_dir_all(&old).with_context(|| format!("{} could not be removed", old.display()))?;
        } else {
            fs::rename(&self.draft, &self.target)
                .with_context(|| format!("{} could not be put in place", self.target.display()))?;
        }
        Ok(())
    }
}

impl Drop for RunDirectory {
    /// A draft that was not finished leaves nothing behind.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.draft);
    }
}
