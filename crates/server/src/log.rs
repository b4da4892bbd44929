//! What the desk says on the error stream: one line each, never a secret.

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
    let _ = writeln!(std::io::stderr().lock(), "drover {level}: {clean}");
}
