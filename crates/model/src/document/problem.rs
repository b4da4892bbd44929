//! What is wrong with a document, where, and what to write instead; rendered the way a compiler does.

use crate::reading::{Problem as TextProblem, Proposal, ReadError};
use serde::Serialize;
use std::fmt;

/// Problems kept and shown. A file with more is broken as a whole; the rest is only counted.
pub const LISTED_PROBLEMS: usize = 100;

/// Characters of a value shown in a message; a longer one is cut, since its line is shown below anyway.
const SHOWN_VALUE: usize = 60;

/// A place in a text; both numbers count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Position {
    pub const START: Self = Self { line: 1, column: 1 };
}

/// The source line of a problem, escaped, and how many characters stand before the fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    pub text: String,
    pub caret: u32,
}

/// One thing that is wrong: `clusters[0].nodes`, its place, what was expected and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// What to write or to do instead. There always is one: an author who is told only what is wrong has to guess.
    pub proposal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
}

impl Problem {
    pub fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }
}

/// Why one value was refused; the reader adds path and place, and an example where there is no proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub proposal: Option<String>,
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), proposal: None }
    }

    #[must_use]
    pub fn propose(mut self, proposal: impl Into<String>) -> Self {
        self.proposal = Some(proposal.into());
        self
    }

    /// The same with an example of what is right, unless something better was proposed.
    #[must_use]
    pub fn or_example(mut self, example: &str) -> Self {
        self.proposal.get_or_insert_with(|| format!("write for instance {example}"));
        self
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        let written = |proposal: &Proposal| match proposal.note {
            Some(note) => format!("{} ({note})", proposal.text),
            None => proposal.text.clone(),
        };
        let proposals: Vec<String> = error.proposals.iter().map(written).collect();
        let message = format!("{} \"{}\" {}", error.subject, error.text, said(&error.problem));
        let proposal = (!proposals.is_empty()).then(|| format!("did you mean {}?", proposals.join(" or ")));
        Self { message, proposal }
    }
}

/// Most problems are sentences about the text; those that are not get a verb.
fn said(problem: &TextProblem) -> String {
    match problem {
        TextProblem::UnknownSuffix(suffix) => format!("has the unknown suffix \"{suffix}\""),
        other => other.to_string(),
    }
}

/// Everything wrong with one file, in the order of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problems {
    pub file: String,
    #[serde(rename = "problems")]
    listed: Vec<Problem>,
    more: usize,
}

impl Problems {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), listed: Vec::new(), more: 0 }
    }

    /// Adds a problem behind those of the same place; beyond [`LISTED_PROBLEMS`] it is only counted.
    pub fn push(&mut self, problem: Problem) {
        if self.is_full() {
            self.more += 1;
            return;
        }
        let place = (problem.line, problem.column);
        let index = self.listed.partition_point(|known| (known.line, known.column) <= place);
        self.listed.insert(index, problem);
    }

    /// Counts a problem that nobody will read, without building its text.
    pub(super) fn count_one(&mut self) {
        self.more += 1;
    }

    pub(super) fn is_full(&self) -> bool {
        self.listed.len() >= LISTED_PROBLEMS
    }

    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// How many were found, including those that are not listed.
    pub fn count(&self) -> usize {
        self.listed.len() + self.more
    }

    /// Replaces the proposal at a place by a better one.
    pub fn propose(&mut self, at: Position, proposal: String) {
        if let Some(known) = self.listed.iter_mut().find(|known| known.position() == at) {
            known.proposal = proposal;
        }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.listed.iter()
    }

    /// `Ok` when nothing was found.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        for problem in problems {
            self.push(problem);
        }
    }
}

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = escape(&self.file);
        for (index, problem) in self.listed.iter().enumerate() {
            if index > 0 {
                writeln!(formatter)?;
            }
            write!(formatter, "{file}:{problem}")?;
        }
        if self.more > 0 {
            write!(formatter, "\n{file}: and {} more", self.more)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: ", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(formatter, "{}: ", escape(&self.path))?;
        }
        write!(formatter, "{}", escape(&self.message))?;
        if let Some(excerpt) = &self.excerpt {
            let number = self.line.to_string();
            let gutter = number.len().max(4);
            write!(formatter, "\n{number:>gutter$} | {}", excerpt.text)?;
            write!(formatter, "\n{:>gutter$} | {:>caret$}^", "", "", caret = excerpt.caret as usize)?;
        }
        write!(formatter, "\n  help: {}", escape(&self.proposal))
    }
}

/// A value of a file as it may appear in a message: in quotes, escaped, cut when long.
pub fn shown(value: &str) -> String {
    let mut characters = value.chars();
    let start: String = characters.by_ref().take(SHOWN_VALUE).collect();
    let cut = if characters.next().is_some() { "…" } else { "" };
    format!("\"{}{cut}\"", escape(&start))
}

/// Text without any character that moves a cursor, changes the reading direction or cannot be seen.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            _ if is_invisible(character) => escaped.extend(character.escape_unicode()),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}
