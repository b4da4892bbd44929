//! The record: taken away, checked without a desk, copied and brought back.

use super::Desk;
use crate::support::Scratch;
use serde_json::Value;

/// A desk at which something was decided, and which is closed again.
fn decided(name: &str) -> Desk {
    let mut desk = Desk::open(name);
    desk.advance("2m");
    desk.approve("R-1");
    desk.advance("30s");
    desk.done("udo", &["audit", "export", "--out", "record.jsonl"]);
    desk.stop();
    desk
}

#[test]
fn an_export_is_checked_offline_and_a_change_is_found() {
    let desk = decided("desk-record");
    let text = String::from_utf8(desk.scratch.read("record.jsonl")).unwrap();
    let said = desk.scratch.succeed(&["audit", "verify", "record.jsonl"]);
    assert_eq!(
        said.text.lines().next().unwrap(),
        format!("intact: {} entries, each as it was written", text.lines().count())
    );
    let end = said.text.lines().last().unwrap().trim_start_matches("the end: ").to_owned();
    desk.scratch.succeed(&["audit", "verify", "record.jsonl", "--noted", &end]);

    let check = |what: &str, text: String, arguments: &[&str], part: &str| {
        desk.scratch.write("changed.jsonl", text);
        let said = desk.scratch.drover(&[&["audit", "verify", "changed.jsonl"], arguments].concat());
        assert_eq!(said.code, Some(8), "{what}: {}", said.errors);
        assert!(said.errors.contains(part), "{what}: {}", said.errors);
    };
    check("another name", text.replacen("person:otto", "person:anna", 1), &[], "does not fit its hash");
    let without = |left_out: usize| {
        let lines = text.lines().enumerate().filter(|(index, _)| *index != left_out);
        lines.map(|(_, line)| line).chain([""]).collect::<Vec<_>>().join("\n")
    };
    check("an entry less", without(5), &[], "entry 6: it is missing");
    check("no beginning", without(0), &[], "entry 1: it is missing");
    check("half a line", text[..text.len() - 40].to_owned(), &[], "it cannot be read");
    let cut = without(text.lines().count() - 1);
    desk.scratch.write("cut.jsonl", &cut);
    desk.scratch.succeed(&["audit", "verify", "cut.jsonl"]);
    check("the end cut off", cut, &["--noted", &end], "the hash that was noted does not occur");
    let missing = desk.scratch.drover(&["audit", "verify", "missing.jsonl"]);
    assert_eq!(missing.code, Some(2));
}

#[test]
fn a_closed_desk_is_checked_copied_and_brought_back() {
    let mut desk = decided("desk-backup");
    let verified = desk.scratch.succeed(&["audit", "verify", "--config", "desk.yaml"]).text;
    assert!(verified.starts_with("intact: "), "{verified}");
    let told = desk.scratch.succeed(&["audit", "verify", "--config", "desk.yaml", "--json"]).text;
    let told: Value = serde_json::from_str(&told).unwrap();
    assert!(told["intact"] == true && verified.contains(told["hash"].as_str().unwrap()), "{told}");

    // What was written last may still be in the log beside the file.
    for (from, to) in [("desk.db", "copy.db"), ("desk.db-wal", "copy.db-wal")] {
        if desk.scratch.path(from).exists() {
            std::fs::copy(desk.scratch.path(from), desk.scratch.path(to)).unwrap();
        }
    }
    let mut permissions = std::fs::metadata(desk.scratch.path("copy.db")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(desk.scratch.path("copy.db"), permissions).unwrap();
    let copied = desk.scratch.succeed(&["audit", "verify", "--storage", "sqlite:copy.db"]).text;
    assert_eq!(copied, verified, "a copy that may not be written is read all the same");

    desk.scratch.succeed(&["backup", "--config", "desk.yaml", "--to", "monday.db"]);
    let again = desk.scratch.drover(&["backup", "--config", "desk.yaml", "--to", "monday.db"]);
    assert_eq!(again.code, Some(4), "nothing is overwritten: {}", again.errors);
    let full = desk.scratch.drover(&["restore", "monday.db", "--config", "desk.yaml"]);
    assert_eq!(full.code, Some(4), "nor is a desk: {}", full.errors);
    let nothing = desk.scratch.drover(&["backup", "--storage", "sqlite:typo.db", "--to", "other.db"]);
    assert_eq!((nothing.code, desk.scratch.path("typo.db").exists()), (Some(3), false), "{}", nothing.errors);

    let file = String::from_utf8(desk.scratch.read("desk.yaml")).unwrap();
    desk.scratch.write("desk.yaml", file.replace("desk.db", "second.db"));
    desk.scratch.succeed(&["restore", "monday.db", "--config", "desk.yaml"]);
    assert_eq!(desk.scratch.succeed(&["audit", "verify", "--config", "desk.yaml"]).text, verified);
    desk.start("127.0.0.1:0");
    assert_eq!(desk.json("vera", &["rec", "show", "R-1"])["stage"], "applied", "tokens came along, too");
    assert!(desk.log().contains("the run goes on after "), "{}", desk.log());
}

#[test]
fn a_record_is_not_exported_over_another_file() {
    let mut desk = decided("desk-export");
    desk.start("127.0.0.1:0");
    let said = desk.ask("udo", &["audit", "export", "--out", "record.jsonl"]);
    assert_eq!(said.code, Some(4), "{}", said.errors);
    let to_standard_output = desk.done("udo", &["audit", "export"]);
    assert!(to_standard_output.starts_with(&String::from_utf8(desk.scratch.read("record.jsonl")).unwrap()));
}

#[test]
fn an_open_desk_is_copied_while_it_works() {
    let mut desk = decided("desk-online-backup");
    desk.start("127.0.0.1:0");
    let said = desk.done("anna", &["backup", "--to", "now.db"]);
    assert!(said.starts_with("now.db holds everything of the desk."), "{said}");
    let told = desk.done("anna", &["backup", "--to", "again.db", "--json"]);
    assert_eq!(told.trim(), r#"{"file":"again.db","of":"the desk"}"#);
    let again = desk.ask("anna", &["backup", "--to", "now.db"]);
    assert_eq!(again.code, Some(4), "nothing is overwritten: {}", again.errors);
    let operator = desk.ask("otto", &["backup", "--to", "other.db"]);
    assert_eq!(
        (operator.code, desk.scratch.path("other.db").exists()),
        (Some(6), false),
        "{}",
        operator.errors
    );
    desk.scratch.succeed(&["restore", "now.db", "--storage", "sqlite:third.db"]);
    let copied = desk.scratch.succeed(&["audit", "verify", "--storage", "sqlite:third.db"]).text;
    assert!(copied.starts_with("intact: "), "{copied}");
    let told = desk.json("udo", &["audit", "list", "--kind", "backup.taken"]);
    assert_eq!(told["items"][0]["actor"], "person:anna", "{told}");
    assert_eq!(told["items"].as_array().map(Vec::len), Some(2), "what was refused was not taken: {told}");
}

#[test]
fn what_is_no_backup_is_not_restored() {
    let scratch = Scratch::new("desk-no-backup");
    scratch
        .write("notes.txt", "what was said on Monday, and more of it than fits into the head of a database");
    scratch.write("empty.db", "");
    for (backup, part) in [
        ("nope.db", "there is no backup nope.db"),
        ("notes.txt", "notes.txt is no backup of a desk"),
        ("empty.db", "empty.db is no backup of a desk"),
    ] {
        let said = scratch.drover(&["restore", backup, "--storage", "sqlite:new.db"]);
        assert_eq!((said.code, said.text.as_str()), (Some(2), ""), "{backup}: {}", said.errors);
        assert!(said.errors.contains(part), "{backup}: {}", said.errors);
        assert!(!scratch.path("new.db").exists(), "{backup}: something was written");
    }
}

#[test]
fn an_empty_file_is_no_desk() {
    let desk = Desk::closed("desk-empty");
    desk.scratch.write("desk.db", "");
    for arguments in [&["audit", "verify"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let said = desk.scratch.drover(&[arguments, &["--config", "desk.yaml"]].concat());
        assert_eq!(said.code, Some(1), "{arguments:?}: {}{}", said.text, said.errors);
        assert!(said.errors.contains("is an empty file, and no desk leaves one"), "{}", said.errors);
    }
}
