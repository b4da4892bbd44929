//! What an operator can do wrong with a file, and what time can do to it.

use crate::storage::tables::runs;
use crate::storage::{Connection, Database, Error, Location, Transaction};
use crate::testing::Folder;
use std::fs;
use std::path::{Path, PathBuf};

fn open(path: &Path) -> Result<Database, Error> {
    Database::open(&Location::File(path.to_owned()))
}

fn check_refused(path: &Path, expected: &str) {
    let message = open(path).expect_err("it cannot be opened").to_string();
    assert!(message.contains(expected), "{message}");
}

/// A database with so many runs in it, closed.
fn filled(folder: &Folder, runs: usize) -> PathBuf {
    let path = folder.path().join("drover.db");
    let database = open(&path).expect("a fresh database opens");
    let enter = |transaction: &mut dyn Transaction, number: usize| {
        runs::create(transaction, &runs::tests::run(&format!("{number:05}")))
    };
    let entered = database.write(|transaction| (0..runs).try_for_each(|number| enter(transaction, number)));
    entered.expect("runs are entered");
    drop(database);
    path
}

#[test]
fn what_is_no_database_is_refused_with_a_proposal() {
    let folder = Folder::new("refused");
    check_refused(&folder.path().join("none/drover.db"), "none of the database does not exist; create it");
    check_refused(folder.path(), "is not a SQLite database; name another file");
    let text = folder.path().join("notes.txt");
    fs::write(&text, "Not a database, but long enough to be mistaken for one. ".repeat(100)).expect("a file");
    check_refused(&text, "is not a SQLite database; name another file");
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").expect("a file");
    check_refused(&empty, "is an empty file, and no desk leaves one; if it held a desk's data, restore");
}

/// What a first opening leaves that is killed at each of its steps.
#[test]
fn a_first_opening_that_was_killed_is_taken_up_again() {
    let folder = Folder::new("first");
    let path = |name: &str| folder.path().join(name);
    super::make(&path("made.db")).expect("a new file");
    let made = fs::read(path("made.db")).expect("the file");
    assert!(!made.is_empty(), "a file without a byte would be refused");
    open(&path("made.db")).expect("it has no tables yet");
    for (number, half) in [0, made.len() / 2, made.len()].into_iter().enumerate() {
        let name = format!("{number}.db");
        fs::write(path(&format!("{name}.beginning")), &made[..half]).expect("a file");
        fs::write(path(&format!("{name}-wal")), "of a database that somebody removed").expect("a file");
        open(&path(&name)).unwrap_or_else(|error| panic!("{half} bytes: {error}"));
    }
}

#[test]
fn a_read_only_file_is_refused() {
    let folder = Folder::new("read-only");
    let path = filled(&folder, 1);
    let mut permissions = fs::metadata(&path).expect("it exists").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("our own file");
    check_refused(&path, "it is marked as read-only; give whoever runs this the right to write");
}

#[test]
fn a_copy_that_cannot_be_written_is_read_and_left_as_it_is() {
    let folder = Folder::new("read-only-copy");
    let path = folder.path().join("100% of it?.db");
    fs::copy(filled(&folder, 1), &path).expect("a copy");
    let mut permissions = fs::metadata(&path).expect("it exists").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("our own file");
    let count = |connection: &mut dyn Connection| {
        connection.query("SELECT 1 AS found FROM runs", &[]).map(|rows| rows.len())
    };
    assert_eq!(Database::read_copy(&path, count).expect("it is readable"), 1);
    let mut alone = super::connect_alone(&path).expect("it is readable without anything beside it");
    assert_eq!(count(&mut alone).expect("it is readable"), 1);
}

#[test]
fn somebody_elses_database_is_left_alone() {
    let folder = Folder::new("foreign");
    let path = folder.path().join("recipes.db");
    let other = rusqlite::Connection::open(&path).expect("a new database");
    other.execute_batch("CREATE TABLE recipes (name TEXT)").expect("a new table");
    drop(other);
    check_refused(&path, "holds other tables than Drover's; give Drover a database of its own");
}

#[test]
fn a_second_desk_is_refused_and_the_first_named() {
    let folder = Folder::new("second");
    let path = filled(&folder, 1);
    let first = open(&path).expect("nobody else has it");
    check_refused(
        &path,
        &format!("is in use by another desk, process {}; stop that one", std::process::id()),
    );
    drop(first);
    open(&path).expect("the first is gone");
}

#[test]
fn damaged_pages_are_found_when_the_file_is_opened() {
    let folder = Folder::new("damaged");
    let path = filled(&folder, 500);
    let bytes = fs::read(&path).expect("the file");
    let pages = bytes.len() / 4_096;
    assert!(pages > 20, "every table has a page, and the runs need some");
    let mut found = 0;
    // The first page makes it a database at all; the last ones hold rows of runs.
    for page in 1..pages {
        let mut damaged = bytes.clone();
        damaged[page * 4_096..(page + 1) * 4_096].fill(0xA5);
        fs::write(&path, damaged).expect("our own file");
        match open(&path) {
            Ok(_) => {}
            Err(Error::Damaged { finding, .. }) => {
                found += 1;
                assert!(!finding.is_empty());
            }
            Err(other) => panic!("page {page}: {other}"),
        }
    }
    assert_eq!(found, pages - 1, "every page is looked at");
}

#[test]
fn a_row_that_lost_its_run_is_found() {
    let folder = Folder::new("orphan");
    let path = filled(&folder, 1);
    let other = rusqlite::Connection::open(&path).expect("the database");
    let orphan = "INSERT INTO snapshots VALUES ('h', 'no run', 0, 0, '{}')";
    other.execute_batch(&format!("PRAGMA foreign_keys = OFF; {orphan}")).expect("nobody checks");
    drop(other);
    check_refused(&path, "a row of snapshots refers to a row of runs that is missing");
}

#[test]
fn a_full_disk_is_told_from_other_failures() {
    let database = Database::open(&Location::Memory).expect("memory is there");
    let full = database.write(|transaction| {
        transaction.query("PRAGMA max_page_count = 60", &[])?;
        (0..).try_for_each(|number| runs::create(transaction, &runs::tests::run(&format!("{number:0500}"))))
    });
    assert!(matches!(full, Err(Error::Full { .. })), "{full:?}");
    let left = database.read(|connection| runs::newest(connection, 10)).expect("it can still be read");
    assert!(left.is_empty(), "nothing of a failed transaction is kept");
}

#[test]
fn a_database_in_memory_works_with_its_single_connection() {
    let database = Database::open(&Location::Memory).expect("memory is there");
    database
        .write(|transaction| runs::create(transaction, &runs::tests::run("a")))
        .expect("a run is entered");
    let inside = database.write(|_| database.read(|connection| runs::get(connection, "a")));
    assert!(matches!(inside, Err(Error::Nested)), "{inside:?}");
    assert!(database.read(|connection| runs::get(connection, "a")).expect("it can be read").is_some());
}

#[test]
fn commits_wait_for_the_disk() {
    let folder = Folder::new("durable");
    let database = open(&folder.path().join("drover.db")).expect("a fresh database opens");
    let settings = database.write(|transaction| {
        let mut ask =
            |name: &str| Ok(transaction.query(&format!("PRAGMA {name}"), &[])?[0].values()[0].clone());
        Ok((ask("synchronous")?, ask("journal_mode")?, ask("foreign_keys")?))
    });
    assert_eq!(settings.expect("pragmas answer"), (2.into(), "wal".into(), 1.into()));
}

#[test]
fn a_file_that_was_closed_has_everything_in_it() {
    let folder = Folder::new("closed");
    let path = folder.path().join("drover.db");
    let database = open(&path).expect("a fresh database opens");
    database
        .write(|transaction| runs::create(transaction, &runs::tests::run("a")))
        .expect("a run is entered");
    assert!(database.read(|connection| runs::get(connection, "a")).expect("it can be read").is_some());
    drop(database);
    let copy = folder.path().join("copy.db");
    fs::copy(&path, &copy).expect("a copy of the file alone");
    let database = open(&copy).expect("the copy opens");
    assert!(database.read(|connection| runs::get(connection, "a")).expect("it can be read").is_some());
    assert!(!folder.path().join("drover.db-wal").exists(), "nothing is left beside it");
}
