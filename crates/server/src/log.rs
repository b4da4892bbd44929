//! What the desk says on the error stream: one line each, never a secret, with the request that it is about.

use crate::attended;
use std::io::Write;

/// Something failed that an operator should know.
pub(crate) fn error(text: &str) {
    line("error", text);
}

/// Something happened that explains what follows.
pub(crate) fn note(text: &str) {
    line("note", text);
}

/// Text from requests and databases must not forge lines.
fn line(level: &str, text: &str) {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let request = attended::request().map(|id| format!(" (request {id})")).unwrap_or_default();
    let _ = writeln!(std::io::stderr().lock(), "drover {level}: {clean}{request}");
}
