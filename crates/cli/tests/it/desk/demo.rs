//! The first five minutes: one command, and something to decide.

use super::{Process, wait_for};
use crate::support::Scratch;
use serde_json::Value;
use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;

struct Demo {
    scratch: Scratch,
    process: Process,
    server: String,
    token_file: String,
}

impl Demo {
    fn start(scratch: Scratch, arguments: &[&str]) -> Self {
        let _ = std::fs::remove_file(scratch.path("ready"));
        let (out, notes) =
            (File::create(scratch.path("out")).unwrap(), File::create(scratch.path("notes")).unwrap());
        let all = [&["demo", "--no-open", "--ready-file", "ready"], arguments].concat();
        let mut process = Process::start(scratch.command(&all).stdout(out).stderr(notes));
        let server = wait_for("the demo", || {
            assert!(!process.is_over(), "{}", String::from_utf8_lossy(&scratch.read("notes")));
            std::fs::read_to_string(scratch.path("ready")).ok()
        });
        let notes = String::from_utf8(scratch.read("notes")).unwrap();
        let token_file = notes.split("DROVER_TOKEN_FILE=").nth(1).unwrap().lines().next().unwrap().to_owned();
        Self { scratch, process, server: server.trim().to_owned(), token_file }
    }

    fn ask(&self, arguments: &[&str]) -> Value {
        let connection = ["--server", &self.server, "--token-file", &self.token_file, "--json"];
        let said = self.scratch.succeed(&[arguments, &connection].concat());
        assert!(!said.errors.contains("chmod"), "the token is nobody else's: {}", said.errors);
        serde_json::from_str(&said.text).unwrap()
    }

    fn folder(&self) -> PathBuf {
        PathBuf::from(&self.token_file).parent().unwrap().to_owned()
    }

    fn stop(mut self) -> Scratch {
        self.process.signal("INT");
        let status = self.process.end("the end of the demo");
        assert!(status.success(), "{status}");
        self.scratch
    }
}

#[test]
fn the_first_recommendation_comes_soon_and_nothing_stays() {
    let demo = Demo::start(Scratch::new("demo"), &["--listen", "127.0.0.1:0", "--speed", "600"]);
    let said = String::from_utf8(demo.scratch.read("out")).unwrap();
    assert!(said.starts_with("live-waves is open at http://127.0.0.1:"), "{said}");
    assert!(said.contains("/#code=once_"), "{said}");
    assert!(said.contains("your name is \"you\" and your role admin:"), "{said}");
    assert!(demo.token_file.ends_with("/you.token"), "{}", demo.token_file);
    let status = wait_for("the first recommendation", || {
        Some(demo.ask(&["status"])).filter(|status| status["waiting"].as_u64() > Some(0))
    });
    let minutes = status["at"].as_u64().unwrap() / 60_000;
    assert!((15..30).contains(&minutes), "the second wave overfills member1: {minutes}");
    assert_eq!(status["factor"], 10.0, "time waits for people");
    let first = demo.ask(&["rec", "list"])["items"][0].clone();
    let hash = first["planHash"].as_str().unwrap();
    let done = demo.ask(&["rec", "approve", first["id"].as_str().unwrap(), "--plan-hash", hash]);
    assert!(["approved", "applying"].contains(&done["stage"].as_str().unwrap()), "{done}");
    let folder = demo.folder();
    assert!(folder.is_dir());
    demo.stop();
    assert!(!folder.exists(), "{} is still there", folder.display());
}

#[test]
fn a_taken_port_is_no_obstacle_and_a_kept_demo_goes_on() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let arguments = ["--listen", &port, "--keep", "kept", "--speed", "0.01", "--seed", "3"];
    let demo = Demo::start(Scratch::new("demo-kept"), &arguments);
    assert!(demo.folder().is_absolute(), "it is found from elsewhere, too: {}", demo.token_file);
    assert_ne!(demo.server, format!("http://{port}"));
    let notes = String::from_utf8(demo.scratch.read("notes")).unwrap();
    assert!(notes.contains(&format!("{port} is taken by another program")), "{notes}");
    demo.ask(&["clock", "advance", "16m"]);
    let before = demo.ask(&["rec", "list"])["items"].as_array().unwrap().len();
    assert!(before > 0);
    let demo = Demo::start(demo.stop(), &arguments);
    let said = String::from_utf8(demo.scratch.read("out")).unwrap();
    assert!(said.contains("the run goes on after ") && said.contains("kept/demo.db"), "{said}");
    assert_eq!(demo.ask(&["rec", "list"])["items"].as_array().unwrap().len(), before);
}
