//! Free ports on the loopback interface.

use crate::error::Error;
use crate::files;
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Below the range from which Linux takes the ports of outgoing connections (32768 to 60999): there, one of the many
/// connections between our own processes could take a port before its process listens.
const FIRST: u16 = 20_000;

/// A bed of two members and Karmada takes about forty ports.
const BLOCK: u16 = 100;
const BLOCKS: u16 = 120;

/// What this process took, for as long as it lives.
static OWN: Mutex<Own> = Mutex::new(Own { blocks: Vec::new(), tried: 0, next: FIRST, end: FIRST });

struct Own {
    /// Locks that end with this process; nothing where none could be made.
    blocks: Vec<Option<File>>,
    /// Blocks that were tried.
    tried: u16,
    next: u16,
    end: u16,
}

/// A port nobody listens on, that no other process which asks here gets while this one lives.
pub(crate) fn free() -> Result<u16, Error> {
    // Under the lock numbers are only counted up.
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.take(&std::env::temp_dir().join("drover-ports"))
}

impl Own {
    fn take(&mut self, folder: &Path) -> Result<u16, Error> {
        loop {
            while self.next < self.end {
                let port = self.next;
                self.next += 1;
                if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
                    return Ok(port);
                }
            }
            self.claim(folder)?;
        }
    }

    /// The next block that nobody else has. Where locks cannot be made, only who listens already is seen.
    fn claim(&mut self, folder: &Path) -> Result<(), Error> {
        let begin = (std::process::id() % u32::from(BLOCKS)) as u16;
        while self.tried < BLOCKS {
            let block = (begin + self.tried) % BLOCKS;
            self.tried += 1;
            let lock = lock(folder, block);
            if !matches!(lock, Ok(None)) {
                self.blocks.push(lock.ok().flatten());
                self.next = FIRST + block * BLOCK;
                self.end = self.next + BLOCK;
                return Ok(());
            }
        }
        let last = FIRST + BLOCKS * BLOCK - 1;
        Err(Error::Plan(format!("no port from {FIRST} to {last} is free")))
    }
}

fn lock(folder: &Path, block: u16) -> Result<Option<File>, Error> {
    files::folder(folder)?;
    let path: PathBuf = folder.join(block.to_string());
    files::try_lock(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody() -> Own {
        Own { blocks: Vec::new(), tried: 0, next: FIRST, end: FIRST }
    }

    #[test]
    fn no_port_is_given_twice() {
        let mut ports: Vec<u16> = (0..150).map(|_| free().unwrap()).collect();
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 150);
    }

    #[test]
    fn two_who_ask_at_once_get_different_ports_until_one_is_gone() {
        let folder = std::env::temp_dir().join(format!("drover-ports-test-{}", std::process::id()));
        let (mut one, mut two) = (nobody(), nobody());
        let (first, second) = (one.take(&folder).unwrap(), two.take(&folder).unwrap());
        assert!(first.abs_diff(second) >= BLOCK - 1, "{first} and {second} are in one block");
        drop(one);
        assert!(nobody().take(&folder).unwrap().abs_diff(first) < BLOCK, "its block is free again");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn without_locks_a_port_is_still_found() {
        let file = std::env::temp_dir().join(format!("drover-ports-file-{}", std::process::id()));
        std::fs::write(&file, "no folder").unwrap();
        assert!(nobody().take(&file).is_ok());
        std::fs::remove_file(&file).unwrap();
    }
}
