//! What a check has to say about one place.

use std::fmt;

/// A problem, where it is, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// A path relative to the repository, or the name of a dependency.
    place: String,
    /// Absent when the finding is about the whole place.
    line: Option<usize>,
    message: String,
}

impl Finding {
    pub(crate) fn at(place: &str, line: usize, message: impl Into<String>) -> Self {
        Self { place: place.to_owned(), line: Some(line), message: message.into() }
    }

    pub(crate) fn about(place: &str, message: impl Into<String>) -> Self {
        Self { place: place.to_owned(), line: None, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}: {}", self.place, self.message),
            None => write!(formatter, "{}: {}", self.place, self.message),
        }
    }
}

/// The one way tests compare findings: as the lines a person would read.
#[cfg(test)]
pub(crate) fn assert_found(found: &[Finding], expected: &[&str]) {
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected);
}
