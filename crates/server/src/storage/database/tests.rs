//! What both databases promise: all or nothing, one moment, one writer, and nothing lost that was answered.

use super::*;
use crate::storage::JsonText;
use crate::storage::Value;
use crate::storage::tables::{journal, runs, settings};
use crate::testing::{on_both, on_each_location};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Barrier;

fn enter(database: &Database, id: &str) -> Result<(), Error> {
    database.write(|transaction| runs::create(transaction, &runs::tests::run(id)))
}

fn count(database: &Database) -> Result<usize, Error> {
    database.read(|connection| runs::newest(connection, 1_000)).map(|runs| runs.len())
}

#[derive(Debug, thiserror::Error)]
enum OfficeError {
    #[error("changed my mind")]
    ChangedMyMind,
    #[error(transparent)]
    Storage(#[from] Error),
}

#[test]
fn work_that_fails_keeps_nothing() {
    on_both(|database| {
        let refused: Result<(), OfficeError> = database.try_write(|transaction| {
            runs::create(transaction, &runs::tests::run("a"))?;
            Err(OfficeError::ChangedMyMind)
        });
        assert!(matches!(refused, Err(OfficeError::ChangedMyMind)), "{refused:?}");
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            database.write(|transaction| -> Result<(), Error> {
                runs::create(transaction, &runs::tests::run("a"))?;
                panic!("a mistake of ours")
            })
        }));
        assert!(panicked.is_err());
        assert_eq!(count(database)?, 0);
        enter(database, "a")
    });
}

#[test]
fn a_failed_statement_cannot_be_overlooked() {
    on_both(|database| {
        let overlooked = database.write(|transaction| {
            runs::create(transaction, &runs::tests::run("a"))?;
            let twice = runs::create(transaction, &runs::tests::run("a"));
            assert!(matches!(twice, Err(Error::Duplicate { .. })), "{twice:?}");
            Ok(())
        });
        assert!(matches!(overlooked, Err(Error::Doomed)), "{overlooked:?}");
        assert_eq!(count(database)?, 0);
        Ok(())
    });
}

#[test]
fn writing_inside_writing_is_refused_instead_of_waiting_for_ever() {
    on_both(|database| {
        let nested = database.write(|_| enter(database, "a"));
        assert!(matches!(nested, Err(Error::Nested)), "{nested:?}");
        enter(database, "a")
    });
}

#[test]
fn readers_change_nothing() {
    on_both(|database| {
        let sql = "INSERT INTO settings VALUES ('a', '1', 1) RETURNING name";
        let refused = database.read(|connection| connection.query(sql, &[]));
        assert!(matches!(refused, Err(Error::ReadOnly { .. })), "{refused:?}");
        Ok(())
    });
}

#[test]
fn one_read_is_about_one_moment() {
    on_both(|database| {
        let mut counts = Vec::new();
        database.read(|connection| {
            counts.push(runs::newest(connection, 10)?.len());
            enter(database, "a")?;
            counts.push(runs::newest(connection, 10)?.len());
            Ok(())
        })?;
        assert_eq!(counts, [0, 0]);
        assert_eq!(count(database)?, 1);
        Ok(())
    });
}

#[test]
fn threads_can_share_it() {
    fn shared<T: Send + Sync>() {}
    shared::<Database>();
}

/// More threads than connections, all at once.
#[test]
fn many_threads_read_and_write() {
    on_both(|database| {
        let together = Barrier::new(24);
        std::thread::scope(|scope| {
            for number in 0..24 {
                let together = &together;
                scope.spawn(move || {
                    together.wait();
                    for step in 0..5 {
                        enter(database, &format!("{number}-{step}")).expect("writers take turns");
                        assert!(count(database).expect("readers take turns") > step);
                    }
                });
            }
        });
        assert_eq!(count(database)?, 120);
        Ok(())
    });
}

#[test]
fn values_come_back_as_they_went() {
    on_both(|database| {
        let texts = ["", " ", "ä\u{1F404}\n\t'\"\\%_$1?1", "9223372036854775807", "NULL"];
        let insert = "INSERT INTO track_records VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let numbers = [f64::MIN, f64::MAX, f64::MIN_POSITIVE, 0.1, 1.0, -0.0, 5e-324];
        for (index, number) in numbers.into_iter().enumerate() {
            let text = texts[index % texts.len()];
            let agent = format!("{index}{text}");
            let row = [
                agent.into(),
                text.into(),
                i64::MIN.into(),
                i64::MAX.into(),
                number.into(),
                3.into(),
                0.into(),
            ];
            database.write(|transaction| transaction.execute(insert, &row))?;
            let sql = "SELECT * FROM track_records WHERE agent = $1 AND error_sum = $2";
            let found =
                database.read(|connection| connection.query(sql, &[row[0].clone(), row[4].clone()]))?;
            let mut expected = row.to_vec();
            expected[5] = Value::Real(3.0);
            assert_eq!(found[0].values(), expected);
        }
        for odd in [Value::Real(f64::NAN), Value::from("a\0b")] {
            let refused = database.read(|connection| {
                connection.query("SELECT * FROM runs WHERE id = $1", std::slice::from_ref(&odd))
            });
            assert!(matches!(refused, Err(Error::Unstorable(_))), "{refused:?}");
        }
        Ok(())
    });
}

#[test]
fn a_check_finds_a_whole_database_whole() {
    on_both(|database| {
        enter(database, "a")?;
        database.check_integrity()
    });
}

/// How the test below tells its child where the database is.
const VICTIM: &str = "DROVER_TEST_WRITER";

/// Not a test by itself: the process that the test below kills while it writes.
#[test]
#[expect(clippy::disallowed_methods, reason = "the parent process tells where")]
fn writes_until_it_is_killed() {
    let Ok(location) = std::env::var(VICTIM) else { return };
    let database = Database::open(&location.parse().expect("a location")).expect("a database");
    for number in 1.. {
        let value = JsonText::of(&number);
        let written = database.write(|transaction| {
            settings::put(transaction, "answered", &value)?;
            journal::append(transaction, &journal::NewEntry { run: None, ..journal::tests::entry(number) })
        });
        println!("answered {}", written.expect("it is written").seq);
    }
}

#[test]
fn what_was_answered_survives_a_killed_process() {
    on_each_location(|location| {
        let mut victim = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "--nocapture", "storage::database::tests::writes_until_it_is_killed"])
            .env(VICTIM, location.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the victim starts");
        let lines = BufReader::new(victim.stdout.take().expect("a pipe")).lines();
        let mut answered: i64 = 0;
        for line in lines {
            let line = line.expect("text");
            // The test harness prints its own begin before the first answer.
            let Some((_, number)) = line.split_once("answered ") else { continue };
            answered = number.parse().expect("a number");
            if answered == 50 {
                victim.kill().expect("it runs");
            }
        }
        victim.wait().expect("it is dead");
        assert!(answered >= 50);
        let database = Database::open(location)?;
        let end = database.read(journal::head)?.seq;
        assert!(end == answered || end == answered + 1, "{answered} were answered, {end} are there");
        let setting = database.read(|connection| settings::get(connection, "answered"))?;
        assert_eq!(setting.map(|setting| setting.version), Some(end), "both tables or none");
        Ok(())
    });
}
