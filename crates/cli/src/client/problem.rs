//! Problem documents (RFC 9457) as a desk, or whoever says to be one, sends them.

use crate::terminal::clean;
use serde::Deserialize;
use std::fmt::Write as _;

/// The part of one that is used here. Other fields may come and go.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Problem {
    pub(crate) title: String,
    pub(crate) detail: String,
    pub(crate) code: String,
    pub(crate) errors: Vec<FieldProblem>,
    pub(crate) instance: String,
    pub(crate) retry_after: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FieldProblem {
    field: String,
    message: String,
    proposal: Option<String>,
}

impl Problem {
    /// Nothing if no desk has written it: ours have a code.
    pub(crate) fn read(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|problem| !problem.code.is_empty())
    }

    /// As a person reads it, with nothing in it that steers a terminal.
    pub(crate) fn words(&self) -> String {
        let Self { title, detail, errors, .. } = self;
        let mut words = format!("drover: {} {}", clean(&sentence(title)), clean(detail));
        for FieldProblem { field, message, proposal } in errors {
            let proposal = proposal.as_ref().map(|text| format!("; {text}")).unwrap_or_default();
            let _ = write!(words, "\n  {}: {}", clean(field), clean(&format!("{message}{proposal}")));
        }
        if let Some(id) = self.request() {
            let _ = write!(words, "\n  request: {} (the desk's log names it)", clean(id));
        }
        words
    }

    /// How the request is called, if the desk's log may say more about it than the answer does.
    pub(crate) fn request(&self) -> Option<&str> {
        let is_theirs = matches!(self.code.as_str(), "internal" | "not-ready");
        self.instance.strip_prefix("urn:drover:request:").filter(|_| is_theirs)
    }
}

/// A title with something at its end; some of them ask.
fn sentence(title: &str) -> String {
    if title.ends_with(['.', '?', '!']) { title.to_owned() } else { format!("{title}.") }
}
