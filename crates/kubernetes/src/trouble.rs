//! What can go wrong with a request, sorted by what to do about it.

use kube::Error;
use std::error::Error as _;
use std::fmt::Write as _;

/// Longest text of a server that is repeated; a whole page of a proxy helps nobody.
const SHOWN_CHARACTERS: usize = 300;

/// A request that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The object changed since it was read, or is there already: look again.
    Conflict(String),
    /// Nobody answered, or the server is too busy: wait, then look again. It may have been carried out all the same.
    Unclear(String),
    /// The server says no, and will say so again.
    Refused(String),
    /// There is no such thing.
    Absent(String),
}

impl Trouble {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Conflict(text) | Self::Unclear(text) | Self::Refused(text) | Self::Absent(text) => text,
        }
    }

    pub(crate) fn of(error: &Error) -> Self {
        let Error::Api(status) = error else { return Self::Unclear(chain(error)) };
        let text = shorten(&format!("{} ({})", status.message.trim(), status.code));
        match status.code {
            404 => Self::Absent(text),
            409 => Self::Conflict(text),
            // 410: a list or watch that is too old. 429 and 5xx: the server is busy.
            408 | 410 | 429 | 500..=599 => Self::Unclear(text),
            _ => Self::Refused(text),
        }
    }

    pub(crate) fn late(after: std::time::Duration) -> Self {
        Self::Unclear(format!("no answer within {} s", after.as_secs()))
    }
}

/// An error with all its causes in one line.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    shorten(&text)
}

fn shorten(text: &str) -> String {
    let mut kept: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::core::Status;

    #[test]
    fn troubles_are_sorted_by_what_to_do() {
        let of = |code: u16| {
            Trouble::of(&Error::Api(Box::new(Status { code, message: "m".to_owned(), ..Status::default() })))
        };
        assert!(matches!(of(409), Trouble::Conflict(_)));
        assert!(matches!(of(404), Trouble::Absent(_)));
        for code in [429, 500, 503, 504, 410] {
            assert!(matches!(of(code), Trouble::Unclear(_)), "{code}");
        }
        for code in [400, 401, 403, 405, 422] {
            assert!(matches!(of(code), Trouble::Refused(_)), "{code}");
        }
    }
}
