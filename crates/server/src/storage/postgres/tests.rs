//! A real server: what it refuses, and what happens when it goes away.

use crate::storage::tables::runs;
use crate::storage::{Database, Error, Location};
use crate::testing::postgres::{FreshDatabase, PASSWORD, Server};

fn open(url: &str) -> Result<Database, Error> {
    Database::open(&url.parse::<Location>().expect("a location"))
}

fn check_refused(url: &str, expected: &str) {
    let message = open(url).expect_err("it cannot be opened").to_string();
    assert!(message.contains(expected), "{message}");
    assert!(!message.contains(PASSWORD), "{message}");
}

#[test]
fn what_the_server_refuses_comes_with_a_proposal() {
    let fresh = FreshDatabase::new();
    let server = Server::running();
    check_refused(
        &server.url("none"),
        "database \"none\" does not exist; create it with: CREATE DATABASE none",
    );
    check_refused(
        &server.network_url(fresh.name(), "wrong"),
        "authentication failed for user \"drover\"; check user",
    );
    let nobody = format!("postgres://drover:{PASSWORD}@127.0.0.1:1/drover");
    check_refused(&nobody, "; check host and port, and that the server runs");
}

#[test]
fn somebody_elses_database_is_left_alone() {
    let fresh = FreshDatabase::new();
    let mut other = fresh.client();
    other.batch_execute("CREATE TABLE recipes (name TEXT)").expect("a new table");
    let message = Database::open(fresh.location()).expect_err("not ours").to_string();
    assert!(
        message.contains("holds other tables than Drover's; give Drover a database of its own"),
        "{message}"
    );
}

#[test]
fn somebody_without_rights_is_told_so() {
    let fresh = FreshDatabase::new();
    Server::running().administer("CREATE ROLE guest LOGIN");
    let url = Server::running().url(fresh.name()).replace("drover@", "guest@");
    check_refused(
        &url,
        "cannot be written: permission denied for schema public; give whoever runs this the right",
    );
}

#[test]
fn a_second_desk_is_refused_and_the_first_named() {
    let fresh = FreshDatabase::new();
    let first = Database::open(fresh.location()).expect("nobody else has it");
    let message = Database::open(fresh.location()).expect_err("taken").to_string();
    let holder =
        format!("is in use by another desk, \"drover {}\" from the same machine;", std::process::id());
    assert!(message.contains(&holder), "{message}");
    drop(first);
    Database::open(fresh.location()).expect("the first is gone");
}

#[test]
fn readers_and_the_writer_come_back_by_themselves() {
    let fresh = FreshDatabase::new();
    let database = Database::open(fresh.location()).expect("a fresh database opens");
    let enter = |id: &str| database.write(|transaction| runs::create(transaction, &runs::tests::run(id)));
    let count = || database.read(|connection| runs::newest(connection, 10)).map(|runs| runs.len());
    enter("a").expect("connected");
    assert_eq!(count().expect("connected"), 1);

    fresh.disconnect_all();
    assert_eq!(count().expect("a new connection"), 1);
    assert!(!database.is_writable(), "nobody has noticed yet");
    enter("b").expect("connected again");
    assert!(database.is_writable());
    assert_eq!(count().expect("connected"), 2);
    let lost = database.write(|transaction| {
        runs::create(transaction, &runs::tests::run("c"))?;
        fresh.disconnect_all();
        runs::create(transaction, &runs::tests::run("d"))
    });
    assert!(matches!(lost, Err(Error::Lost { .. })), "half of it may not be done again: {lost:?}");
    assert_eq!(count().expect("connected"), 2);
}

#[test]
fn a_server_that_is_away_is_waited_for() {
    let fresh = FreshDatabase::new();
    let database = Database::open(fresh.location()).expect("a fresh database opens");
    let let_in = |yes: bool| {
        Server::running().administer(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS {yes}", fresh.name()));
    };
    let_in(false);
    fresh.disconnect_all();
    let enter = |id: &str| database.write(|transaction| runs::create(transaction, &runs::tests::run(id)));
    let away = enter("a");
    assert!(matches!(away, Err(Error::Refused { .. })) && !database.is_writable(), "{away:?}");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| database.stay_connected());
        crate::storage::readers::wait(std::time::Duration::from_millis(300));
        let_in(true);
        waiting.join().expect("no panic").expect("it is back");
    });
    enter("a").expect("connected again");
    assert!(database.is_writable());
}

#[test]
fn a_lost_lock_is_not_taken_from_the_desk_that_has_it_now() {
    let fresh = FreshDatabase::new();
    let first = Database::open(fresh.location()).expect("a fresh database opens");
    first.take_desk().expect("the only one");
    fresh.disconnect_all();
    let second = Database::open(fresh.location()).expect("the lock went with the connection");
    let write = || first.write(|transaction| runs::create(transaction, &runs::tests::run("a")));
    let taken = write();
    assert!(matches!(taken, Err(Error::InUse { .. })) && !first.is_writable(), "{taken:?}");
    drop(second);
    write().expect("whoever had it was no desk");
    fresh.disconnect_all();
    Database::open(fresh.location()).and_then(|second| second.take_desk()).expect("a second desk");
    let overtaken = first.stay_connected();
    assert!(matches!(overtaken, Err(Error::TakenOver { .. })) && !first.is_writable(), "{overtaken:?}");
}

#[test]
fn a_missing_table_is_found_when_the_database_is_opened() {
    let fresh = FreshDatabase::new();
    drop(Database::open(fresh.location()).expect("a fresh database opens"));
    fresh.client().batch_execute("DROP TABLE snapshots").expect("our own table");
    let message = Database::open(fresh.location()).expect_err("damaged").to_string();
    assert!(message.contains("is damaged: the table snapshots is missing"), "{message}");
}

#[test]
fn commits_wait_for_the_disk() {
    // The server of the tests does not wait by default, as some real ones.
    let fresh = FreshDatabase::new();
    let database = Database::open(fresh.location()).expect("a fresh database opens");
    let setting = database.write(|transaction| {
        transaction.query("SELECT current_setting('synchronous_commit') AS setting", &[])?[0]
            .get::<String>("setting")
    });
    assert_eq!(setting.expect("an answer"), "on");
}

/// Whether the writer's connection is encrypted.
fn is_encrypted(database: &Database) -> bool {
    let sql = "SELECT CAST(ssl AS INT) AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let rows = database.write(|transaction| transaction.query(sql, &[])).expect("an answer");
    rows[0].get::<i64>("ssl").expect("yes or no") == 1
}

#[test]
fn connections_are_encrypted_as_the_url_says() {
    let fresh = FreshDatabase::new();
    let server = Server::running();
    let url = server.network_url(fresh.name(), PASSWORD);
    let certificate = server.certificate().display().to_string();
    for (parameters, encrypted) in [
        (String::new(), true),
        ("?sslmode=disable".to_owned(), false),
        ("?sslmode=prefer".to_owned(), true),
        (format!("?sslmode=require&sslrootcert={certificate}"), true),
        (format!("?sslmode=verify-full&sslrootcert={certificate}"), true),
    ] {
        let database = open(&format!("{url}{parameters}")).expect(&parameters);
        assert_eq!(is_encrypted(&database), encrypted, "{parameters}");
    }
}

#[test]
fn a_server_that_cannot_prove_who_it_is_is_refused() {
    let fresh = FreshDatabase::new();
    let server = Server::running();
    let url = server.network_url(fresh.name(), PASSWORD);
    let certificate = server.certificate().display().to_string();
    let proposal = "name the certificate of the server's authority with sslrootcert=<file>";
    let other_name = url.replace("127.0.0.1", "localhost");
    for (url, problem) in [
        // Nobody signed it but itself, and some systems trust nobody at all.
        (format!("{url}?sslmode=require"), "certificate"),
        (format!("{url}?sslmode=require&sslrootcert=none.pem"), "none.pem cannot be read"),
        (format!("{url}?sslmode=require&sslrootcert=Cargo.toml"), "has no certificate"),
        (
            format!("{other_name}?sslmode=require&sslrootcert={certificate}"),
            "certificate not valid for name \"localhost\"",
        ),
    ] {
        check_refused(&url, problem);
        check_refused(&url, proposal);
    }
}
