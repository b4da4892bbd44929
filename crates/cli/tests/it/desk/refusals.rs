//! What is refused: by the program, by the desk, or by nobody being there; each with its exit code.

use super::Desk;
use serde_json::Value;
use std::net::TcpListener;

const OTHER_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn every_refusal_has_its_exit_code() {
    let desk = Desk::open("desk-refusals");
    desk.advance("2m");
    let hash = desk.plan_hash("R-1");
    let rows: [(&str, &str, &[&str], i32); 15] = [
        ("a rejection without a reason", "otto", &["rec", "reject", "R-1"], 2),
        ("a rejection with an empty one", "otto", &["rec", "reject", "R-1", "--reason", "  "], 2),
        ("an approval of something that was not read", "otto", &["rec", "approve", "R-1"], 2),
        ("a hash that is none", "otto", &["rec", "approve", "R-1", "--plan-hash", "abc"], 2),
        ("a stage that does not exist", "vera", &["rec", "list", "--stage", "done"], 2),
        ("a kind of action that does not exist", "vera", &["rec", "list", "--kind", "foo"], 2),
        ("a sort key that does not exist", "vera", &["rec", "list", "--sort", "beauty"], 2),
        ("a freeze of nothing", "otto", &["freeze", "--reason", "because"], 2),
        ("a recommendation that does not exist", "vera", &["rec", "show", "R-99"], 3),
        ("something that is no recommendation", "vera", &["rec", "show", "../tokens"], 3),
        (
            "another plan than the one on the desk",
            "otto",
            &["rec", "approve", "R-1", "--plan-hash", OTHER_HASH],
            4,
        ),
        ("a viewer who decides", "vera", &["rec", "approve", "R-1", "--plan-hash", &hash], 6),
        ("an auditor who stops things", "udo", &["freeze", "--all", "--reason", "because"], 6),
        ("an operator who reads the record", "otto", &["audit", "list"], 6),
        ("a viewer who makes tokens", "vera", &["token", "create", "--name", "eve", "--role", "admin"], 6),
    ];
    for (what, person, arguments, code) in rows {
        let said = desk.ask(person, arguments);
        assert_eq!((said.code, said.text.as_str()), (Some(code), ""), "{what}: {}", said.errors);
        assert!(!said.errors.is_empty(), "{what}: nothing was said");
    }
    assert_eq!(desk.waiting(), ["R-1", "R-2"], "nothing happened");
    desk.approve("R-1");
    let late = desk.ask("anna", &["rec", "approve", "R-1", "--plan-hash", &hash]);
    assert_eq!(late.code, Some(4), "somebody else has decided: {}", late.errors);
    let again = desk.ask("otto", &["rec", "approve", "R-1", "--plan-hash", &hash]);
    assert_eq!(again.code, Some(0), "whoever did not hear the answer may ask again: {}", again.errors);
}

#[test]
fn an_expired_plan_is_refused() {
    let desk = Desk::open_with("desk-expired", ("expires_after: 10m", "expires_after: 20s"));
    desk.advance("2m");
    let hash = desk.plan_hash("R-1");
    desk.advance("25s");
    assert_eq!(desk.json("vera", &["rec", "show", "R-1"])["stage"], "expired");
    let said = desk.ask("otto", &["rec", "approve", "R-1", "--plan-hash", &hash]);
    assert_eq!(said.code, Some(4), "{}", said.errors);
}

#[test]
fn problems_are_json_where_answers_are() {
    let desk = Desk::open("desk-problems");
    let rows: [(&[&str], i32, &str); 2] = [
        (&["rec", "show", "R-99", "--json"], 3, "not-found"),
        (&["rec", "list", "--limit", "1", "--stage", "done", "--json"], 2, "malformed"),
    ];
    for (arguments, code, name) in rows {
        let said = desk.ask("vera", arguments);
        assert_eq!((said.code, said.text.as_str()), (Some(code), ""), "{}", said.errors);
        let problem: Value = serde_json::from_str(&said.errors).unwrap();
        assert_eq!((&problem["code"], problem["title"].is_string()), (&Value::from(name), true), "{problem}");
    }
}

/// What the program refuses before any desk is asked is told to programs in the same way.
#[test]
fn problems_of_the_program_itself_are_json_where_answers_are() {
    let desk = Desk::open("desk-own-problems");
    desk.scratch.write("ed.jsonl", "{}\n");
    desk.scratch.write("there.db", "");
    let rows: [(&[&str], i32, &str, &str); 8] = [
        (&["rec", "approve", "R-2"], 2, "input", "--plan-hash"),
        (&["audit", "verify", "ed.jsonl"], 8, "findings", "entry 1"),
        (&["backup", "--to", "there.db"], 4, "conflict", "exists already"),
        (&["status", "--token-file", "/nonexistent"], 2, "input", "/nonexistent"),
        (&["status", "--server", "http://desk.example.org"], 2, "input", "--plain-http"),
        (&["rec", "list", "--limit", "0"], 2, "input", "--limit"),
        (&["rec", "lst"], 2, "input", "list"),
        (&["agent", "bench", "--cassette", "none.jsonl"], 2, "input", "none.jsonl"),
    ];
    for (arguments, code, name, part) in rows {
        let said = desk.ask("anna", &[arguments, &["--json"]].concat());
        assert_eq!((said.code, said.text.as_str()), (Some(code), ""), "{arguments:?}: {}", said.errors);
        let problem: Value = serde_json::from_str(&said.errors)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", said.errors));
        assert_eq!(problem["code"], name, "{arguments:?}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(part)), "{problem}");
        let words = desk.ask("anna", arguments);
        assert_eq!(words.code, Some(code), "{arguments:?}: {}", words.errors);
        assert!(!words.errors.starts_with('{'), "{arguments:?}: {}", words.errors);
    }
    let help = desk.ask("anna", &["rec", "list", "--json", "--help"]);
    assert_eq!((help.code, help.errors.as_str()), (Some(0), ""), "{}", help.text);
}

#[test]
fn nobody_and_somebody_unknown_are_sent_away() {
    let desk = Desk::open("desk-nobody");
    let mut nobody = desk.command("anna", &["status"]);
    let said = nobody.env_remove("DROVER_TOKEN_FILE").env_remove("DROVER_TOKEN").output().unwrap();
    let text = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(6), "{text}");
    assert!(text.contains("--token-file") && text.contains("drover token create"), "{text}");

    desk.scratch.write_private("eve.token", "drover_this-was-never-made-by-anybody\n");
    let said = desk.ask("eve", &["status"]);
    assert_eq!(said.code, Some(6), "{}", said.errors);
    assert!(!said.errors.contains("never-made"), "a secret is not repeated: {}", said.errors);
    desk.scratch.write_private("torn.token", "two\nlines\n");
    assert_eq!(desk.ask("torn", &["status"]).code, Some(2));
    assert_eq!(desk.ask("missing", &["status"]).code, Some(2));

    let secret = String::from_utf8(desk.scratch.read("vera.token")).unwrap();
    let mut by_variable = desk.command("vera", &["status"]);
    by_variable.env_remove("DROVER_TOKEN_FILE").env("DROVER_TOKEN", secret.trim());
    assert!(by_variable.output().unwrap().status.success(), "a token may come from the environment");
}

#[cfg(unix)]
#[test]
fn a_token_that_others_can_read_is_noticed() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::open("desk-readable");
    let path = desk.scratch.path("vera.token");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let said = desk.ask("vera", &["freezes"]);
    assert_eq!(said.code, Some(0));
    assert!(said.errors.contains("chmod 600"), "{}", said.errors);
}

#[test]
fn where_no_desk_is_nobody_waits_long() {
    let desk = Desk::closed("desk-nowhere");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (server, code, part) in [
        (format!("http://{free}"), 7, "cannot be reached"),
        ("http://127.0.0.1:1/".to_owned(), 7, "drover serve starts one"),
        ("http://desk.example.org".to_owned(), 2, "could read the token"),
        ("127.0.0.1:8080".to_owned(), 2, "scheme and host"),
    ] {
        let said = desk.ask("vera", &["status", "--server", &server]);
        assert_eq!(said.code, Some(code), "{server}: {}", said.errors);
        assert!(said.errors.contains(part), "{server}: {}", said.errors);
    }
    let said = desk.ask("vera", &["status", "--json", "--server", &format!("http://{free}")]);
    let problem: Value = serde_json::from_str(&said.errors).unwrap();
    assert_eq!((said.text.as_str(), &problem["code"]), ("", &Value::from("unreachable")));
}

#[test]
fn whoever_is_no_desk_is_recognised() {
    use std::io::{Read, Write};
    let desk = Desk::closed("desk-stranger");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", listener.local_addr().unwrap());
    let answers = [
        "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>",
        "HTTP/1.1 302 Found\r\nlocation: http://else.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    ];
    let stranger = std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    for part in ["status 502 is no desk", "points to http://else.example/"] {
        let said = desk.ask("vera", &["freezes", "--server", &server]);
        assert_eq!(said.code, Some(7), "{}", said.errors);
        assert!(said.errors.contains(part), "{}", said.errors);
    }
    stranger.join().unwrap();
}
