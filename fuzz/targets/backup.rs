//! A backup in which somebody wrote.
#![no_main]
use fuzz::{Desk, written_over};
use server::storage::{Database, Location};
use server::testing::Folder;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What a desk at work left, and a folder to work in.
static BACKUP: LazyLock<(Vec<u8>, PathBuf)> = LazyLock::new(|| {
    let folder = Folder::new("fuzz").keep();
    let source = Location::File(folder.join("source.db"));
    drop(Desk::open(&source));
    let copy = folder.join("copy.db");
    let database = std::iter::repeat_with(|| Database::open(&source)).take(1_000).find_map(Result::ok);
    database.expect("the desk let go of it").backup(&copy).expect("a backup");
    (std::fs::read(&copy).expect("the backup"), folder)
});

libfuzzer_sys::fuzz_target!(|edits: &[u8]| {
    let (original, folder) = &*BACKUP;
    let (backup, target) = (folder.join("edited.db"), folder.join("restored.db"));
    for name in ["edited.db", "restored.db", "restored.db-wal", "restored.db-shm", "restored.db.lock"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
    std::fs::write(&backup, written_over(original, edits)).expect("a file");
    let _ = Database::check_backup(&backup);
    let _ = Database::restore(&backup, &Location::File(target));
});
