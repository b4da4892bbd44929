//! What can go wrong with a request, sorted by what to do about it.

use kube::Error;
use kube::core::Status;
use std::error::Error as _;
use std::fmt::Write as _;
use std::time::Duration;

/// Longest text of a server that is repeated; a whole page of a proxy helps nobody.
const SHOWN_CHARACTERS: usize = 300;

/// A request that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The object changed since it was read, or is there already: look again.
    Conflict(String),
    /// Nobody answered, or the server is in trouble: wait, then look again. It may have been carried out all the same.
    Unclear(String),
    /// The server has too much to do, or a disruption budget says not now. It was not carried out; the server may say how long to
    /// stay away.
    Busy { text: String, after: Option<Duration> },
    /// A list or a watch goes on from where the server no longer remembers: begin anew.
    Expired(String),
    /// The server says no, and will say so again.
    Refused(String),
    /// There is no such thing.
    Absent(String),
}

impl Trouble {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Conflict(text)
            | Self::Unclear(text)
            | Self::Busy { text, .. }
            | Self::Expired(text)
            | Self::Refused(text)
            | Self::Absent(text) => text,
        }
    }

    pub(crate) fn of(error: &Error) -> Self {
        let Error::Api(status) = error else { return Self::Unclear(chain(error)) };
        let text = shorten(&format!("{} ({})", status.message.trim(), status.code));
        match status.code {
            404 => Self::Absent(text),
            409 => Self::Conflict(text),
            410 => Self::Expired(text),
            429 => Self::Busy { text, after: retry_after(status) },
            408 | 500..=599 => Self::Unclear(text),
            _ => Self::Refused(text),
        }
    }

    pub(crate) fn late(after: Duration) -> Self {
        Self::Unclear(format!("no answer within {} s", after.as_secs()))
    }

    /// How long the server wants to be left alone.
    pub(crate) fn pause(&self) -> Option<Duration> {
        if let Self::Busy { after, .. } = self { *after } else { None }
    }
}

/// The same number as in the header `Retry-After`, which kube-rs does not pass on.
fn retry_after(status: &Status) -> Option<Duration> {
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(u64::from(seconds)))
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

    #[test]
    fn troubles_are_sorted_by_what_to_do() {
        let of = |code: u16| {
            Trouble::of(&Error::Api(Box::new(Status { code, message: "m".to_owned(), ..Status::default() })))
        };
        assert!(matches!(of(409), Trouble::Conflict(_)));
        assert!(matches!(of(404), Trouble::Absent(_)));
        for code in [408, 500, 503, 504] {
            assert!(matches!(of(code), Trouble::Unclear(_)), "{code}");
        }
        assert!(matches!(of(410), Trouble::Expired(_)));
        assert!(matches!(of(429), Trouble::Busy { after: None, .. }));
        for code in [400, 401, 403, 405, 422] {
            assert!(matches!(of(code), Trouble::Refused(_)), "{code}");
        }
    }

    #[test]
    fn a_busy_server_says_how_long_and_an_old_watch_is_known_by_its_code() {
        let details = serde_json::from_value(serde_json::json!({ "retryAfterSeconds": 7 })).unwrap();
        let busy = Status { code: 429, details: Some(details), ..Status::default() };
        assert_eq!(Trouble::of(&Error::Api(Box::new(busy))).pause(), Some(Duration::from_secs(7)));
        // Longer than what is shown, so that the number at its end is cut off.
        let old = Status { code: 410, message: "x".repeat(2 * SHOWN_CHARACTERS), ..Status::default() };
        assert!(matches!(Trouble::of(&Error::Api(Box::new(old))), Trouble::Expired(_)));
    }
}
