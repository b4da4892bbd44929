//! Following what happens: every event once, in order, also across a crash.

use super::{Desk, Process, wait_for};
use serde_json::Value;
use std::fs::File;

/// A watcher that writes into a file.
fn watch(desk: &Desk, name: &str, arguments: &[&str]) -> Process {
    let file = File::create(desk.scratch.path(name)).unwrap();
    let notes = File::create(desk.scratch.path(&format!("{name}.notes"))).unwrap();
    Process::start(desk.command("vera", &[&["rec", "watch"], arguments].concat()).stdout(file).stderr(notes))
}

fn lines(desk: &Desk, name: &str) -> Vec<String> {
    String::from_utf8_lossy(&desk.scratch.read(name)).lines().map(str::to_owned).collect()
}

#[test]
fn a_watcher_sees_everything_once_and_can_go_on_later() {
    let desk = Desk::open("desk-watch");
    desk.advance("2m");
    let mut all = watch(&desk, "all", &["--json", "--after", "1-0", "--limit", "4"]);
    desk.advance("60s");
    assert!(all.end("four events").success());
    let events: Vec<Value> =
        lines(&desk, "all").iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let subjects: Vec<&str> = events.iter().map(|event| event["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, ["R-1", "R-2", "R-3", "R-4"]);
    assert!(events.iter().all(|event| event["type"] == "io.drover.recommendation.created.v1"), "{events:?}");

    let after = events[1]["id"].as_str().unwrap();
    let rest = desk.done("vera", &["rec", "watch", "--after", after, "--limit", "2"]);
    let rest: Vec<&str> = rest.lines().collect();
    assert!(rest[0].starts_with("0:03:00  R-3   recommendation created: migrate "), "{rest:?}");
    assert!(rest[1].contains("R-4"), "{rest:?}");
    assert_eq!(desk.ask("vera", &["rec", "watch", "--after", "yesterday"]).code, Some(2));
}

#[test]
fn who_writes_on_ends_quietly_once_nobody_reads() {
    let desk = Desk::open("desk-unread");
    desk.advance("2m");
    for (person, arguments) in [
        ("vera", &["rec", "watch", "--after", "1-0"] as &[&str]),
        ("vera", &["rec", "watch", "--after", "1-0", "--json"]),
        ("udo", &["audit", "export"]),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let notes = File::create(desk.scratch.path("notes")).unwrap();
        let mut process = Process::start(desk.command(person, arguments).stdout(writer).stderr(notes));
        let status = process.end("the end of what nobody reads");
        assert!(status.success(), "{arguments:?}: {status}");
        assert_eq!(lines(&desk, "notes"), [] as [&str; 0], "{arguments:?}");
    }
}

#[test]
fn a_watcher_survives_the_death_of_the_desk_without_a_gap() {
    let mut desk = Desk::open("desk-gap");
    desk.advance("1m");
    let mut watcher = watch(&desk, "seen", &["--limit", "4"]);
    // Somebody who has not begun to watch cannot miss anything, so the first event has to be there.
    desk.advance("1m");
    wait_for("the first event", || lines(&desk, "seen").first().cloned());
    let place = desk.place();
    desk.kill();
    desk.start(&place);
    desk.advance("1m");
    assert!(watcher.end("the rest").success(), "{}", lines(&desk, "seen.notes").join("\n"));
    let seen = lines(&desk, "seen");
    for (line, id) in seen.iter().zip(["R-1", "R-2", "R-3", "R-4"]) {
        assert!(line.contains(&format!("  {id} ")) && line.contains("recommendation created"), "{seen:?}");
    }
    assert!(lines(&desk, "seen.notes").iter().any(|line| line.contains("lost")), "it says what happened");
}
