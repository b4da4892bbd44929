//! What this crate says on the error stream, in the form in which the desk does: for what nobody else could be told.

use std::io::Write as _;

/// Names and texts of others must not forge lines.
pub(crate) fn note(text: &str) {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(std::io::stderr().lock(), "drover note: {clean}");
}
