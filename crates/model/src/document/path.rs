//! Where a value stands in a document, written `clusters[0].labels["app.kubernetes.io/name"]`.

use super::problem::escape;
use std::fmt;

/// Characters of one key shown in a path; keys come from the file and may be as long as it.
const SHOWN_KEY: usize = 80;

/// Steps shown of a path. Ours have at most 24; more comes only from a file that nests without end.
const SHOWN_STEPS: usize = 24;

/// One step down: into a mapping or into a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl Step<'_> {
    pub(super) fn to_owned(&self) -> OwnedStep {
        match self {
            Self::Key(key) => OwnedStep::Key((*key).to_owned()),
            Self::Index(index) => OwnedStep::Index(*index),
        }
    }
}

/// The way from the root to a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Path<'a>(pub(super) Vec<Step<'a>>);

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                _ if index == SHOWN_STEPS => return formatter.write_str("…"),
                Step::Index(number) => write!(formatter, "[{number}]")?,
                Step::Key(key) if is_plain(key) && index == 0 => formatter.write_str(key)?,
                Step::Key(key) if is_plain(key) => write!(formatter, ".{key}")?,
                Step::Key(key) => write!(formatter, "[{}]", quoted(key))?,
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !key.is_empty() && key.len() <= SHOWN_KEY && key.bytes().all(allowed)
}

fn quoted(key: &str) -> String {
    let start: String = key.chars().take(SHOWN_KEY).collect();
    let cut = if start.len() < key.len() { "…" } else { "" };
    format!("\"{}{cut}\"", escape(&start.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Appends a key to a written path.
pub fn child(path: &str, key: &str) -> String {
    match (path.is_empty(), is_plain(key)) {
        (true, true) => key.to_owned(),
        (false, true) => format!("{path}.{key}"),
        (_, false) => format!("{path}[{}]", quoted(key)),
    }
}

/// Appends an index to a written path.
pub fn item(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// A step read back from a written path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OwnedStep {
    Key(String),
    Index(usize),
}

impl OwnedStep {
    pub(super) fn as_step(&self) -> Step<'_> {
        match self {
            Self::Key(key) => Step::Key(key),
            Self::Index(index) => Step::Index(*index),
        }
    }
}

/// Reads a written path; stops at the first thing that is no step, since a path that leads nowhere still has a
/// deepest known place.
pub(super) fn parse(written: &str) -> Vec<OwnedStep> {
    let mut steps = Vec::new();
    let mut rest = written;
    while let Some((step, after)) = parse_step(rest) {
        steps.push(step);
        rest = after;
    }
    steps
}

fn parse_step(rest: &str) -> Option<(OwnedStep, &str)> {
    if let Some(quoted) = rest.strip_prefix("[\"") {
        return parse_quoted(quoted);
    }
    if let Some(bracket) = rest.strip_prefix('[') {
        let (number, after) = bracket.split_once(']')?;
        return Some((OwnedStep::Index(number.parse().ok()?), after));
    }
    let key = rest.strip_prefix('.').unwrap_or(rest);
    let end = key.find(['.', '[']).unwrap_or(key.len());
    (end > 0).then(|| (OwnedStep::Key(key[..end].to_owned()), &key[end..]))
}

fn parse_quoted(quoted: &str) -> Option<(OwnedStep, &str)> {
    let mut key = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => key.push(characters.next()?.1),
            '"' => {
                let after = quoted[index + 1..].strip_prefix(']')?;
                return Some((OwnedStep::Key(key), after));
            }
            _ => key.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_path_reads_back() {
        let check = |steps: Vec<Step<'_>>, written: &str| {
            let path = Path(steps);
            assert_eq!(path.to_string(), written);
            let owned: Vec<OwnedStep> = path.0.iter().map(Step::to_owned).collect();
            assert_eq!(parse(written), owned);
        };
        check(vec![], "");
        check(vec![Step::Key("clusters"), Step::Index(0), Step::Key("cpu")], "clusters[0].cpu");
        check(vec![Step::Index(7)], "[7]");
        check(vec![Step::Key("labels"), Step::Key("a.b/c")], "labels[\"a.b/c\"]");
        check(vec![Step::Key("a \"b\" \\"), Step::Key("c")], "[\"a \\\"b\\\" \\\\\"].c");
        check(vec![Step::Key("")], "[\"\"]");
    }
}
