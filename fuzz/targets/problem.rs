//! What a client is answered by whoever says to be a desk: a refusal, and pages of what it asked for. Nothing of it may steer a terminal.
#![no_main]
#[allow(dead_code)]
#[path = "../../crates/cli/src/client/problem.rs"]
mod problem;
#[allow(dead_code)]
#[path = "../../crates/cli/src/terminal/safe.rs"]
mod terminal;
use serde_json::Value;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Some(problem) = problem::Problem::read(text) {
        let words = problem.words();
        // For some of them a line more names the request.
        let expected = 1 + problem.errors.len() + usize::from(problem.request().is_some());
        assert_eq!(words.lines().count(), expected, "somebody else's line: {words:?}");
        assert!(!words.chars().any(|letter| letter.is_control() && letter != '\n'), "{words:?}");
    }
    let safe = terminal::clean_json(text);
    assert!(!safe.chars().any(|letter| letter.is_control() && !"\n\r\t".contains(letter)), "{safe:?}");
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    if let Some(meant) = read(text) {
        assert_eq!(read(&safe), Some(meant), "it means something else now");
    }
});
