//! The lock beside a database file. Two desks on one file would each believe that only they write.

use crate::storage::port::error::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Held as long as it lives; the system gives it back when the process ends in whatever way.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, Error> {
        let path = beside(database);
        let mut file = open(&path, database)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse {
                    place: database.display().to_string(),
                    holder: holder(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(Error::File { attempt: "lock", path, source }),
        }
        // Only for whoever finds the lock taken; the lock itself does not depend on it.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}

/// The lock of `drover.db` is `drover.db.lock`. It stays when the desk ends: removing it would race with the next one.
fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn open(path: &Path, database: &Path) -> Result<File, Error> {
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    opened.map_err(|source| match source.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::ReadOnly {
            place: database.display().to_string(),
            problem: format!("{}: {source}", path.display()),
        },
        _ => Error::File { attempt: "open", path: path.to_owned(), source },
    })
}

fn holder(file: &mut File) -> String {
    let mut process = String::new();
    let read = file.read_to_string(&mut process);
    if read.is_ok() && !process.is_empty() { format!(", process {process}") } else { String::new() }
}
