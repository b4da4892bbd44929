//! A record that was taken away, in which somebody wrote.
#![no_main]
use fuzz::{Desk, written_over};
use axum::body::Body;
use axum::http::Request;
use server::storage::Location;
use server::testing::Folder;
use std::sync::LazyLock;

/// The first lines of what a desk at work exports: enough to follow, and read in a moment.
static RECORD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let desk = Desk::open(&Location::File(Folder::new("fuzz").keep().join("drover.db")));
    let request = Request::get("/api/v1/audit/export").body(Body::empty()).expect("a request");
    let text = String::from_utf8(desk.send(request).1.to_vec()).expect("text");
    let lines: Vec<&str> = text.lines().filter(|line| line.len() < 2_000).take(20).collect();
    assert!(lines.len() > 3, "a desk at work has something to tell");
    lines.join("\n").into_bytes()
});

fn follow(text: &str) -> i64 {
    let mut chain = server::audit::Chain::default();
    for line in text.lines() {
        let before = chain.end().seq;
        match chain.follow(line) {
            Ok(end) => assert_eq!(end.seq, before + 1, "a line was left out"),
            Err(_) => break,
        }
    }
    chain.end().seq
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&String::from_utf8_lossy(bytes));
    let edited = written_over(&RECORD, bytes);
    follow(&String::from_utf8_lossy(&edited));
});
