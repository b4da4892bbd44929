//! What is wrong with the text of a rule, where, and what to write instead.

use super::limits::MAX_PROBLEMS;
use serde::Serialize;
use std::fmt;

/// One thing that is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Bytes before it within the text of the rule.
    pub offset: usize,
    /// Counts from 1.
    pub line: u32,
    /// Counts from 1, in characters.
    pub column: u32,
    pub message: String,
    /// What to write instead. There always is one.
    pub proposal: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}; {}", self.line, self.column, self.message, self.proposal)
    }
}

impl std::error::Error for Problem {}

/// All problems of one text.
pub(super) struct Problems<'a> {
    text: &'a str,
    found: Vec<Problem>,
}

impl<'a> Problems<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { text, found: Vec::new() }
    }

    /// Adds a problem, unless there are many or one at the same place already says why.
    pub(super) fn add(&mut self, offset: usize, message: impl Into<String>, proposal: impl Into<String>) {
        if self.found.len() >= MAX_PROBLEMS || self.found.iter().any(|known| known.offset == offset) {
            return;
        }
        let (line, column) = position(self.text, offset);
        let (message, proposal) = (message.into(), proposal.into());
        self.found.push(Problem { offset, line, column, message, proposal });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// In the order of the text.
    pub(super) fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| problem.offset);
        self.found
    }
}

fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line as u32, column as u32)
}
