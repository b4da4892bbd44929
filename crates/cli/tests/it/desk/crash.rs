//! What is left of a desk that dies without a warning, and how it ends when it is asked to.

use super::{Desk, Process};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_killed_desk_goes_on_where_it_was() {
    let mut desk = Desk::open("desk-killed");
    desk.advance("3m");
    desk.approve("R-1");
    desk.done("otto", &["freeze", "--namespace", "shop", "--reason", "stop"]);
    let state = |desk: &Desk| {
        let list = desk.json("vera", &["rec", "list", "--all", "--sort", "raised_at"])["items"].clone();
        let executions = desk.json("vera", &["exec", "list"]);
        (list, executions, desk.json("vera", &["freezes"]), desk.json("vera", &["status"])["at"].clone())
    };
    let before = state(&desk);
    let record = desk.done("udo", &["audit", "export"]);
    let place = desk.place();
    desk.kill();
    desk.start(&place);
    assert!(desk.log().contains("the run goes on after "), "{}", desk.log());
    assert_eq!(state(&desk), before);
    assert!(
        desk.done("udo", &["audit", "export"]).starts_with(&record),
        "nothing that was written is lost or changed"
    );
    desk.done("udo", &["audit", "verify"]);
    desk.advance("30s");
    assert_eq!(desk.json("vera", &["rec", "show", "R-1"])["stage"], "applied", "what was under way goes on");
    desk.approve("R-2");
}

#[test]
fn a_desk_ends_politely_although_somebody_watches() {
    let mut desk = Desk::open("desk-polite");
    let mut watcher =
        desk.command("vera", &["rec", "watch"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(watcher.stdout.take().unwrap());
    let watcher = Process(watcher);
    desk.advance("2m");
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(first.contains("R-1"), "the watcher watches: {first}");
    desk.process().signal("TERM");
    let status = desk.process().end("a polite end");
    assert!(status.success(), "{status}: {}", desk.log());
    drop(watcher);
}

#[test]
fn two_desks_share_neither_their_data_nor_their_address() {
    let desk = Desk::open("desk-twice");
    let second = desk.scratch.drover(&["serve", "--config", "desk.yaml", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(4), "{}", second.errors);
    assert!(second.errors.contains("in use by another desk"), "{}", second.errors);
    let same_port = desk.scratch.drover(&["serve", "--config", "desk.yaml", "--listen", &desk.place()]);
    assert_eq!(same_port.code, Some(4), "{}", same_port.errors);
    for part in ["cannot listen on", "because: "] {
        assert!(same_port.errors.contains(part), "{}", same_port.errors);
    }
    let no_address = desk.scratch.drover(&["serve", "--config", "desk.yaml", "--listen", "192.0.2.7:0"]);
    assert_eq!(no_address.code, Some(1), "nothing is in use: {}", no_address.errors);
}
