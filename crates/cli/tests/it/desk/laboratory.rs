//! The laboratory of a desk gives what the command line gives.

use super::{Desk, wait_for};
use crate::support::{Said, repository};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;

/// What the desk answers somebody, without the head.
fn call(desk: &Desk, person: &str, method: &str, path: &str, body: &str) -> String {
    let token = String::from_utf8(desk.scratch.read(&format!("{person}.token"))).unwrap();
    let mut stream = TcpStream::connect(desk.place()).unwrap();
    let request = format!(
        "{method} /api/v1/lab/{path} HTTP/1.0\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        token.trim(),
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.0 2"), "{answer}");
    body.to_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_desk_compares_byte_for_byte_as_the_command_line_does() {
    let desk = Desk::open("desk-laboratory");
    let all = json(&call(&desk, "vera", "GET", "scenarios", ""));
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], &all[0]["isOwn"]), ("three-waves", &Value::Bool(true)));
    assert!(names.len() == 9 && names.contains(&"three-continents"), "{names:?}");

    let wish = r#"{"scenario":"three-waves","strategies":["hold","planner"],"seeds":3,"baseline":"planner"}"#;
    let started = json(&call(&desk, "otto", "POST", "comparisons", wish));
    let place = format!("comparisons/{}", started["id"].as_str().unwrap());
    let done = wait_for("the comparison", || {
        let shown = json(&call(&desk, "vera", "GET", &place, ""));
        (shown["state"] == "done").then_some(shown)
    });
    let results = call(&desk, "vera", "GET", &format!("{place}/results"), "");

    let command = done["command"].as_str().unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let said = Said::from(desk.scratch.command(&words).current_dir(repository()).output().unwrap());
    assert_eq!(said.code, Some(0), "{command}: {}", said.errors);
    assert_eq!(said.text, results);
}
