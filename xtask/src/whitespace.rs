//! White space that no one sees but every diff shows, and the sentence every Rust file begins with.

use crate::files::has_extension;
use crate::finding::Finding;

pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Not `lines()`: it would swallow the carriage return that is to be found.
    for (number, line) in (1..).zip(text.split('\n')) {
        if line.ends_with(char::is_whitespace) {
            findings.push(Finding::at(path, number, "white space at the end of the line"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        findings.push(Finding::about(path, "the last line does not end"));
    }
    if has_extension(path, "rs") && !text.starts_with("//! ") {
        findings
            .push(Finding::about(path, "begin with `//!` and one sentence: what it is, and what it is not"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    #[test]
    fn rows() {
        for (path, text, expected) in [
            ("a.md", "fine\n\nfine\n", &[][..]),
            ("a.md", "", &[]),
            (
                "a.md",
                "one \ntwo\t\n",
                &["a.md:1: white space at the end of the line", "a.md:2: white space at the end of the line"],
            ),
            ("a.md", "one\r\n", &["a.md:1: white space at the end of the line"]),
            ("a.md", "one", &["a.md: the last line does not end"]),
            ("a.rs", "//! What it is.\n", &[]),
            (
                "a.rs",
                "use b;\n//! Late.\n",
                &["a.rs: begin with `//!` and one sentence: what it is, and what it is not"],
            ),
        ] {
            assert_found(&check(path, text), expected);
        }
    }
}
