//! What every text reader of this crate shares: one error that names the text, the problem and a repair.

use serde::Deserializer;
use serde::de::{Error, Visitor};
use std::fmt;

/// Longest piece of a refused text that is repeated in a message; a longer one is cut, so that a whole file pasted
/// into one field does not flood a terminal.
const SHOWN_CHARACTERS: usize = 40;

/// Why a text could not be read as a value.
///
/// The message is one line, for example
/// ``memory `16GB`: unknown suffix `GB`; did you mean `16G` (decimal) or `16Gi` (binary)?``
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What was being read: `cpu`, `memory`, `period`, …
    pub subject: &'static str,
    /// The refused text, with control characters escaped, cut if it is long.
    pub text: String,
    /// What is wrong with it.
    pub problem: Problem,
    /// Texts that would be accepted and are probably meant; empty if nothing is likely.
    pub proposals: Vec<Proposal>,
}

/// What is wrong with a refused text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no text.
    #[error("is empty")]
    Empty,
    /// A control character, for example a line break or a null.
    #[error("contains a control character")]
    ControlCharacter,
    /// White space around or inside the text.
    #[error("contains white space")]
    WhiteSpace,
    /// `NaN` or an infinity.
    #[error("is not a finite number")]
    NotFinite,
    /// There are no digits where the number should be.
    #[error("does not start with a number")]
    NoNumber,
    /// The number is there, but it or what follows it does not fit the syntax.
    #[error("cannot be understood from `{0}` on")]
    Malformed(String),
    /// A unit suffix that does not exist.
    #[error("unknown suffix `{0}`")]
    UnknownSuffix(String),
    /// A number without the unit it needs.
    #[error("has no unit")]
    NoUnit,
    /// Units out of order or given twice.
    #[error("`{0}` is repeated or follows a smaller unit")]
    UnitOrder(String),
    /// Less than zero, where only zero or more makes sense.
    #[error("is negative")]
    Negative,
    /// Not zero, and less than the smallest amount there is.
    #[error("is less than {0}")]
    BelowSmallest(&'static str),
    /// More digits after the point than are kept.
    #[error("is finer than {0}")]
    TooFine(&'static str),
    /// More than can be represented.
    #[error("is too large")]
    TooLarge,
    /// More significant digits than can be represented.
    #[error("has too many digits")]
    TooManyDigits,
}

/// A text that would have been accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What to write instead.
    pub text: String,
    /// What tells it from the other proposals.
    pub note: Option<&'static str>,
}

impl ReadError {
    /// An error without proposals.
    pub fn new(subject: &'static str, text: &str, problem: Problem) -> Self {
        Self { subject, text: shown(text), problem, proposals: Vec::new() }
    }

    /// The same error with what might have been meant.
    #[must_use]
    pub fn with_proposals(self, proposals: Vec<Proposal>) -> Self {
        Self { proposals, ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} `{}`: {}", self.subject, self.text, self.problem)?;
        for (index, proposal) in self.proposals.iter().enumerate() {
            out.write_str(if index == 0 { "; did you mean " } else { " or " })?;
            write!(out, "`{}`", proposal.text)?;
            if let Some(note) = proposal.note {
                write!(out, " ({note})")?;
            }
        }
        if self.proposals.is_empty() { Ok(()) } else { out.write_str("?") }
    }
}

impl std::error::Error for ReadError {}

/// `text` made safe and short enough for a one-line message.
pub(crate) fn shown(text: &str) -> String {
    let mut kept: String = text.chars().take(SHOWN_CHARACTERS).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN_CHARACTERS).is_some() {
        kept.push('…');
    }
    kept
}

/// What no reader accepts: nothing, control characters, white space, not-a-number and the infinities.
pub(crate) fn refuse_junk(text: &str) -> Result<(), Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(Problem::ControlCharacter);
    }
    if text.chars().any(char::is_whitespace) {
        return Err(Problem::WhiteSpace);
    }
    let word = text.trim_start_matches(['+', '-', '.']).to_ascii_lowercase();
    if matches!(word.as_str(), "nan" | "inf" | "infinity") {
        return Err(Problem::NotFinite);
    }
    Ok(())
}

/// The leading ASCII digits of `text`, and the rest.
pub(crate) fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len()))
}

/// Reads a string or a number with the same text reader. A number goes through its shortest decimal text, so that
/// `0.5` in a file is exactly one half.
pub(crate) fn deserialize_text<'de, D, T>(
    deserializer: D,
    expecting: &'static str,
    read: fn(&str) -> Result<T, ReadError>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(TextOrNumber { expecting, read })
}

struct TextOrNumber<T> {
    expecting: &'static str,
    read: fn(&str) -> Result<T, ReadError>,
}

impl<T> TextOrNumber<T> {
    fn finish<E: Error>(&self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

impl<T> Visitor<'_> for TextOrNumber<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expecting)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.finish(text)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.finish(&number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.finish(&number.to_string())
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<T, E> {
        self.finish(&number.to_string())
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<T, E> {
        self.finish(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.finish(&number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_or_unprintable_text_is_shown_safely() {
        let check = |text: &str, want: &str| assert_eq!(shown(text), want);
        check("16GB", "16GB");
        check("1\n2\0", "1\\n2\\0");
        check(&"9".repeat(41), &format!("{}…", "9".repeat(40)));
        check(&"ü".repeat(40), &"ü".repeat(40));
    }

    #[test]
    fn junk_is_refused_before_anything_is_read() {
        let check = |text: &str, want: Result<(), Problem>| assert_eq!(refuse_junk(text), want, "{text:?}");
        check("", Err(Problem::Empty));
        check("1\t", Err(Problem::ControlCharacter));
        check("1 Gi", Err(Problem::WhiteSpace));
        check("NaN", Err(Problem::NotFinite));
        check("-.inf", Err(Problem::NotFinite));
        check("+Infinity", Err(Problem::NotFinite));
        check("16Gi", Ok(()));
    }
}
