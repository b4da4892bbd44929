//! From either database, into either database, and nothing is lost.

use super::*;
use crate::storage::database::open_session;
use crate::storage::tables::recommendations::tests::{item, whole};
use crate::storage::tables::{recommendations, runs, webhooks};
use crate::storage::{Database, Location};
use crate::testing::{Folder, on_both, on_each_location, without_triggers};
use std::sync::atomic::{AtomicBool, Ordering};

/// Something in every table.
fn fill_every_table(database: &Database) -> Result<(), Error> {
    let items: Vec<_> = (1..=450).map(item).collect();
    recommendations::tests::fill(database, &items)?;
    database.write(|transaction| {
        let entries: Vec<_> = (1..=450).map(journal::tests::entry).collect();
        journal::append_all(transaction, &entries)?;
        (1..=450)
            .map(whole)
            .try_for_each(|whole| recommendations::put_whole(transaction, &whole).map(drop))?;
        webhooks::create(transaction, &webhooks::tests::webhook("hook"))?;
        let hash = "'00000000000000000000000000000000000000000000000000000000000000aa'";
        for row in [
            format!("snapshots VALUES ({hash}, 'a', 5, 6, '{{}}')"),
            format!("reviews VALUES ('a', 1, 1, 'anna', 'approve', NULL, {hash}, 1, 2)"),
            "executions VALUES ('a', 1, 'applied', 1, 2, '[]', NULL, NULL)".to_owned(),
            "freezes VALUES ('f', 'cluster', 'north', 'Sale 50 % – ''now''', 'anna', 1, NULL, NULL, NULL)"
                .to_owned(),
            "modes VALUES ('', '', 'ask', '{}', 'anna', 1)".to_owned(),
            "track_records VALUES ('planner', 'cost', 3, 2, -0.1, 1e300, 1)".to_owned(),
            format!("tokens VALUES ('t', 'n', 'viewer', '[]', {hash}, 'anna', 1, NULL, NULL, NULL)"),
            format!("sessions VALUES ({hash}, 'anna', 'viewer', '[]', {hash}, 1, 2, NULL, 3)"),
            format!("one_time_logins VALUES ({hash}, 'viewer', 1, NULL, 'anna')"),
            format!("idempotency VALUES ('anna', 'k', {hash}, 200, '[]', '', 1)"),
            "deliveries VALUES ('hook', 1, 0, '1-0', 'mode.set', '{}', 1, 0, 1, 'waiting', NULL, 1)"
                .to_owned(),
            format!("models VALUES ({hash}, 'm', 'table', '[]', 3, 'anna', 1, 'AAAA')"),
            "settings VALUES ('s', '9223372036854775807', 1)".to_owned(),
            "comparisons VALUES (1, 'done', '{}', '[0.1]', 'a text', '[]')".to_owned(),
            "checkpoints VALUES ('a', 5, '{}')".to_owned(),
        ] {
            transaction.execute(&format!("INSERT INTO {row}"), &[])?;
        }
        Ok(())
    })
}

fn everything(database: &Database) -> Result<Vec<(&'static str, Vec<Row>)>, Error> {
    database.read(|connection| {
        let rows = |table: &Table| {
            let sql = format!("SELECT * FROM {} ORDER BY {}", table.name, table.key.join(", "));
            Ok((table.name, connection.query(&sql, &[])?))
        };
        tables::ALL.iter().map(rows).collect()
    })
}

#[test]
fn a_backup_of_either_database_is_restored_into_either() {
    on_both(|database| {
        fill_every_table(database)?;
        let kept = everything(database)?;
        for (name, rows) in &kept {
            assert!(!rows.is_empty(), "{name} has nothing that could be lost");
        }
        let folder = Folder::new("backup");
        let path = folder.path().join("it's a copy.db");
        database.backup(&path)?;
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing else is left there");
        on_each_location(|location| {
            let restored = Database::restore(&path, location)?;
            assert_eq!(everything(&restored)?, kept);
            restored.write(|transaction| journal::append(transaction, &journal::tests::entry(451)))?;
            drop(restored);
            let again = Database::restore(&path, location);
            assert!(matches!(again, Err(Error::NotEmpty { .. })), "{again:?}");
            Ok(())
        });
        assert_eq!(everything(&Database::open(&Location::File(path))?)?, kept, "it can be opened as it is");
        Ok(())
    });
}

#[test]
fn a_backup_is_of_one_moment_while_others_write() {
    on_both(|database| {
        database.write(|transaction| runs::create(transaction, &runs::tests::run("a")))?;
        let append = |number| {
            database.write(|transaction| journal::append(transaction, &journal::tests::entry(number)))
        };
        (1..=300).try_for_each(|number| append(number).map(drop))?;
        let folder = Folder::new("busy");
        let over = AtomicBool::new(false);
        let ends = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                (301..)
                    .take_while(|_| !over.load(Ordering::Relaxed))
                    .try_for_each(|number| append(number).map(drop))
            });
            let backups = (0..3).map(|number| {
                let path = folder.path().join(format!("{number}.db"));
                database.backup(&path)?;
                journal::verify(&mut *sqlite::open_finished_copy(&path)?, 1, i64::MAX, &mut |_| {})
            });
            let ends = backups.collect::<Result<Vec<_>, Error>>();
            over.store(true, Ordering::Relaxed);
            writer.join().expect("no panic")?;
            ends
        })?;
        for found in ends {
            assert!(matches!(found, Verification::Intact { entries: 300.., .. }), "{found:?}");
        }
        Ok(())
    });
}

#[test]
fn nothing_is_overwritten() {
    on_both(|database| {
        let folder = Folder::new("overwrite");
        let path = folder.path().join("copy.db");
        fs::write(&path, "precious").expect("a file");
        let refused = database.backup(&path);
        assert!(matches!(refused, Err(Error::Exists { .. })), "{refused:?}");
        assert_eq!(fs::read(&path).expect("still there"), b"precious");
        let missing = database.backup(&folder.path().join("none/copy.db"));
        assert!(matches!(missing, Err(Error::FolderMissing { .. })), "{missing:?}");
        Ok(())
    });
}

#[test]
fn an_older_backup_is_brought_up_to_date_and_stays_as_it_is() {
    let folder = Folder::new("older");
    let path = folder.path().join("older.db");
    let older = Location::File(path.clone());
    let mut session = open_session(&older).expect("a new file");
    migrations::bring_up_to_date(&mut *session, "older", &MIGRATIONS[..2], &mut |_| {}).expect("two steps");
    session
        .batch("INSERT INTO runs VALUES ('a', 'real', 's', 'h', '1', 'b', '{}', 1, NULL, 'ended', 0)")
        .expect("a run");
    session.batch("PRAGMA journal_mode = DELETE").expect("one file");
    drop(session);
    let before = fs::read(&path).expect("the backup");
    on_each_location(|location| {
        let restored = Database::restore(&path, location)?;
        let found = restored.read(|connection| connection.query("SELECT id FROM runs", &[]))?;
        assert_eq!(found.len(), 1);
        Ok(())
    });
    assert_eq!(fs::read(&path).expect("the backup"), before);
    assert!(!folder.path().join("older.db.partial").exists());
}

#[test]
fn what_is_no_backup_is_refused() {
    let folder = Folder::new("no-backup");
    let target = Location::Memory;
    let text = folder.path().join("notes.txt");
    fs::write(&text, "Not a database, but long enough to be mistaken for one. ".repeat(100)).expect("a file");
    let refused = Database::restore(&text, &target);
    assert!(matches!(refused, Err(Error::NotADatabase { .. })), "{refused:?}");
    let missing = Database::restore(&folder.path().join("none.db"), &target);
    assert!(matches!(missing, Err(Error::File { .. })), "{missing:?}");
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").expect("a file");
    let foreign = Database::restore(&empty, &target);
    assert!(matches!(foreign, Err(Error::Foreign { .. })), "{foreign:?}");
}

/// Names of columns come from the file: they may be no text, and they may be more than a name.
#[test]
fn a_backup_with_other_columns_is_refused() {
    let folder = Folder::new("columns");
    let place = |name: &str| folder.path().join(name);
    let database = Database::open(&Location::File(place("source.db"))).expect("a database");
    fill_every_table(&database).expect("rows");
    database.backup(&place("copy.db")).expect("a backup");
    let backup = fs::read(place("copy.db")).expect("the backup");
    let written = b"    value TEXT NOT NULL,\n    version BIGINT";
    let at =
        backup.windows(written.len()).position(|bytes| bytes == written).expect("the table of settings") + 4;
    for other in [b"v\xcflue", b"Valu3", b"\"(;)\""] {
        let (edited, target) = (place("edited.db"), place("target.db"));
        let _ = fs::remove_file(&target);
        let mut bytes = backup.clone();
        bytes[at..at + other.len()].copy_from_slice(other);
        fs::write(&edited, bytes).expect("a file");
        let answer = Database::restore(&edited, &Location::File(target));
        assert!(answer.is_err(), "{other:?}: {answer:?}");
    }
}

#[test]
fn a_journal_that_was_changed_in_the_backup_is_not_restored() {
    let folder = Folder::new("changed");
    let path = folder.path().join("copy.db");
    let database = Database::open(&Location::Memory).expect("memory is there");
    fill_every_table(&database).expect("rows");
    database
        .write(|transaction| {
            without_triggers(transaction, "journal")?;
            transaction.execute("UPDATE journal SET actor = 'nobody' WHERE seq = 7", &[])
        })
        .expect("nobody checks");
    database.backup(&path).expect("a copy");
    let message = Database::restore(&path, &Location::Memory).expect_err("broken").to_string();
    assert!(message.contains("entry 7 of the journal: its content does not fit its hash"), "{message}");
}
