//! Finished cells in a folder, one file each, named after their content.

use crate::failure::Failure;
use anyhow::Context;
use lab::experiment::cell::{CellKey, CellResult};
use lab::experiment::runner::CellStore;
use model::hash::ContentHash;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder of cells. A file appears under its name only when it is complete, so a process that is killed leaves nothing half.
pub(crate) struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned() })
    }

    fn path(&self, key: CellKey) -> PathBuf {
        self.folder.join(format!("{}.json", key.0))
    }

    pub(crate) fn has(&self, key: CellKey) -> bool {
        self.path(key).is_file()
    }
}

impl CellStore for FolderStore {
    /// A file that is not a cell, as after a full disk, is as good as none.
    fn find(&self, key: CellKey) -> io::Result<Option<CellResult>> {
        match fs::read(self.path(key)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn keep(&self, key: CellKey, result: &CellResult) -> io::Result<()> {
        let path = self.path(key);
        let draft = path.with_extension(format!("draft-{}", std::process::id()));
        fs::write(&draft, serde_json::to_vec(result)?)?;
        fs::rename(&draft, &path)
    }
}

/// Stands for this very program: cells of another build are run again.
pub(crate) fn fingerprint() -> Result<String, Failure> {
    let path = std::env::current_exe().context("this program does not know where it lies")?;
    let bytes = fs::read(&path).with_context(|| format!("{} could not be read", path.display()))?;
    Ok(ContentHash::of_bytes(&bytes).to_string())
}
