//! Databases of other versions, changed steps, and steps that are cut off in the middle.

use super::*;
use crate::storage::Location;
use crate::storage::database::open_session;
use crate::testing::on_each_location;
use std::process::Command;

const FIRST: Migration = Migration { number: 1, name: "0001-first", text: "CREATE TABLE first (a TEXT);" };
const SECOND: Migration = Migration {
    number: 2,
    name: "0002-second",
    text: "CREATE TABLE second (a BIGINT);\n-- only sqlite\nCREATE TABLE file (a TEXT);\n-- only postgres\n\
           CREATE TABLE server (a TEXT);\n-- both\nINSERT INTO first VALUES ('moved');",
};

fn migrate(location: &Location, known: &[Migration]) -> Result<Vec<String>, Error> {
    let mut session = open_session(location)?;
    bring_up_to_date(&mut *session, "here", known, &mut |_| {})?;
    tables(&mut *session)
}

#[test]
fn the_list_is_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let files =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").file_name());
    let mut files: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    files.sort();
    let listed: Vec<String> = MIGRATIONS.iter().map(|migration| format!("{}.sql", migration.name)).collect();
    assert_eq!(listed, files);
    for (number, migration) in (1..).zip(MIGRATIONS) {
        assert_eq!(migration.number, number);
        assert!(migration.name.starts_with(&format!("{number:04}-")), "{}", migration.name);
    }
}

#[test]
fn missing_steps_are_taken_once() {
    on_each_location(|location| {
        assert_eq!(migrate(location, &[FIRST])?, ["first", "schema_migrations"]);
        let own = if matches!(location, Location::Server(_)) { "server" } else { "file" };
        let mut expected = ["first", own, "schema_migrations", "second"];
        expected.sort_unstable();
        for _ in 0..2 {
            assert_eq!(migrate(location, &[FIRST, SECOND])?, expected);
        }
        Ok(())
    });
}

#[test]
fn a_newer_database_and_a_changed_step_are_refused() {
    on_each_location(|location| {
        migrate(location, &[FIRST, SECOND])?;
        let newer = migrate(location, &[FIRST]).expect_err("newer").to_string();
        assert!(newer.contains("it has version 2, this build knows up to 1; use the newer build"), "{newer}");
        let changed = Migration { text: "CREATE TABLE first (a TEXT, b TEXT);", ..FIRST };
        let message = migrate(location, &[changed, SECOND]).expect_err("changed").to_string();
        assert!(message.contains("migration 1 of the database here is 0001-first ("), "{message}");
        Ok(())
    });
}

#[test]
fn a_failing_step_leaves_nothing() {
    let broken =
        Migration { text: "CREATE TABLE second (a BIGINT); INSERT INTO nowhere VALUES (1);", ..SECOND };
    on_each_location(|location| {
        migrate(location, &[FIRST])?;
        let message = migrate(location, &[FIRST, broken]).expect_err("broken").to_string();
        assert_eq!(message, "migration 0002-second failed, and the database here is as it was before");
        assert_eq!(migrate(location, &[FIRST])?, ["first", "schema_migrations"]);
        Ok(())
    });
}

/// How the test below tells its child where the database is.
const VICTIM: &str = "DROVER_TEST_VICTIM";

/// Not a test by itself: the process that the test below starts to see it die in the middle of a step.
#[test]
#[expect(clippy::disallowed_methods, reason = "the parent process tells where")]
fn dies_in_the_middle() {
    let Ok(location) = std::env::var(VICTIM) else { return };
    let mut session = open_session(&location.parse().expect("a location")).expect("a database");
    let dying = bring_up_to_date(&mut *session, "here", &[FIRST, SECOND], &mut |_| std::process::abort());
    panic!("still alive: {dying:?}");
}

#[test]
fn a_process_that_dies_in_the_middle_leaves_the_former_version() {
    on_each_location(|location| {
        migrate(location, &[FIRST])?;
        let victim = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "storage::migrations::tests::dies_in_the_middle"])
            .env(VICTIM, location.to_string())
            .output()
            .expect("the victim starts");
        assert!(!victim.status.success());
        let last_words = String::from_utf8_lossy(&victim.stderr);
        assert!(!last_words.contains("still alive"), "{last_words}");
        assert_eq!(migrate(location, &[FIRST])?, ["first", "schema_migrations"]);
        migrate(location, &[FIRST, SECOND]).map(drop)
    });
}

#[test]
fn somebody_elses_tables_are_left_alone() {
    on_each_location(|location| {
        open_session(location)?.batch("CREATE TABLE recipes (name TEXT)")?;
        let refused = migrate(location, &[FIRST]);
        assert!(matches!(refused, Err(Error::Foreign { .. })), "{refused:?}");
        Ok(())
    });
}

#[test]
fn texts_sort_by_their_bytes() {
    on_each_location(|location| {
        let mut session = open_session(location)?;
        let text = "CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('b'), ('B'), ('a'), ('ä'), ('_'), ('A');";
        bring_up_to_date(&mut *session, "here", &[Migration { text, ..FIRST }], &mut |_| {})?;
        let rows = session.query("SELECT word FROM words ORDER BY word", &[])?;
        let words: Vec<String> = rows.iter().map(|row| row.get("word")).collect::<Result<_, Error>>()?;
        assert_eq!(words, ["A", "B", "_", "a", "b", "ä"]);
        Ok(())
    });
}

#[test]
fn recommendations_of_an_older_desk_keep_their_documents() {
    on_each_location(|location| {
        let mut session = open_session(location)?;
        bring_up_to_date(&mut *session, "older", &MIGRATIONS[..8], &mut |_| {})?;
        session.batch(
            "INSERT INTO runs VALUES ('a', 'real', 's', 'h', '1', 'b', '{}', 1, NULL, 'ended', 0); \
             INSERT INTO recommendations VALUES ('a', 7, 3, 'applied', 'Planner', 'migrate', 'deployment/shop/web', 'shop', \
             'north', 'south', 1, 1, 2, 3, NULL, 'h', 0.5, 'Full.', 'anna', '{\"id\":7}', NULL, '[1]', NULL, NULL)",
        )?;
        bring_up_to_date(&mut *session, "older", MIGRATIONS, &mut |_| {})?;
        let sql = "SELECT action, predicted, haystack, body, prediction FROM recommendations \
                   JOIN recommendation_documents ON recommendation_documents.id = recommendations.id";
        let rows = session.query(sql, &[])?;
        let text = |name: &str| rows[0].get::<String>(name);
        assert_eq!(text("action")?, "migrate deployment/shop/web from north to south");
        assert_eq!(text("haystack")?, "deployment/shop/web\nplanner\nfull.");
        assert_eq!((text("body")?.as_str(), text("prediction")?.as_str()), ("{\"id\":7}", "[1]"));
        assert_eq!((rows.len(), rows[0].get::<i64>("predicted")?), (1, 1));
        let bounds = session.query("SELECT benefit, benefit_low, benefit_high FROM recommendations", &[])?;
        let number = |name: &str| bounds[0].get::<Option<f64>>(name);
        assert_eq!(
            (number("benefit")?, number("benefit_low")?, number("benefit_high")?),
            (Some(0.5), None, None)
        );
        Ok(())
    });
}
