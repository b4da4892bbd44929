//! Folders and files, with errors that say what was attempted.

use crate::error::Error;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// A folder that only its owner enters: there are private keys in it.
pub(crate) fn private_folder(path: &Path) -> Result<(), Error> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(Error::file("create", path))
}

pub(crate) fn folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(Error::file("create", path))
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::file("write", path))
}

/// Writes a file that others may read at any moment: they see the old one or the new one.
pub(crate) fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    let fresh = path.with_extension("new");
    write(&fresh, text)?;
    fs::rename(&fresh, path).map_err(Error::file("write", path))
}

pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}

/// What lies in a folder, in order; nothing if there is no such folder.
pub(crate) fn entries(path: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The end of a file, for an error message.
pub(crate) fn tail(path: &Path, lines: usize) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Takes a lock that ends with this process; nothing if another has it.
pub(crate) fn try_lock(path: &Path) -> Result<Option<File>, Error> {
    let file = File::create(path).map_err(Error::file("create", path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Error::file("lock", path)(error)),
    }
}
