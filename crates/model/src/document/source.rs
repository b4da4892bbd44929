//! The text of a document with its lines: from hostile bytes to checked characters, and excerpts for messages.

use super::problem::{Excerpt, Position, Problem, Problems, escape};

/// Largest accepted input. The largest real file known is an archive of 30 WASP runs (146,085 workload rows of
/// about 300 bytes, 44 MB); the next power of two holds it. A caller checks the file's length before reading it.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Characters of a source line shown in a message: fits a terminal of 120 columns beside the line number.
const EXCERPT_WIDTH: usize = 100;

/// Positions reported for characters that no text may contain; one file full of them needs no more.
const LISTED_CHARACTERS: usize = 20;

/// Text whose every character may be shown, with an index of its lines.
#[derive(Debug, Clone)]
pub struct Source {
    pub(super) name: String,
    pub(super) text: String,
    line_starts: Vec<u32>,
}

/// What is wrong with the bytes, before any grammar is applied.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) at: Position,
    pub(super) message: String,
    pub(super) proposal: &'static str,
}

impl Source {
    /// Reads a text that is no tree, such as a table; its grammar is the caller's.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        let (source, refused) = Self::from_bytes(name, bytes);
        let mut problems = Problems::new(name);
        problems.extend(refused.into_iter().map(|one| source.problem(one.at, "", one.message, one.proposal)));
        problems.into_result(source)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// All lines with their numbers, without what ends them.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..=self.line_starts.len() as u32).filter_map(|number| Some((number, self.line(number)?)))
    }

    /// A problem at a place of this text.
    pub fn problem(
        &self,
        at: Position,
        path: &str,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) -> Problem {
        let (message, proposal, excerpt) = (message.into(), proposal.into(), self.excerpt(at));
        Problem { path: path.to_owned(), line: at.line, column: at.column, message, proposal, excerpt }
    }

    /// Text of which nothing is known yet; also used to show the readable part of broken bytes.
    pub(super) fn new(name: &str, text: String) -> Self {
        let line_starts = line_starts(&text);
        Self { name: name.to_owned(), text, line_starts }
    }

    /// Decodes and checks bytes; the source is returned in any case so that problems can show their line.
    pub(super) fn from_bytes(name: &str, bytes: &[u8]) -> (Self, Vec<Refused>) {
        if bytes.len() > MAX_BYTES {
            return (Self::new(name, String::new()), vec![too_large(bytes.len())]);
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return (Self::new(name, String::new()), vec![utf16()]);
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let source = Self::new(name, text.to_owned());
                let refused = source.forbidden_characters();
                (source, refused)
            }
            Err(error) => {
                let source = Self::new(name, String::from_utf8_lossy(bytes).into_owned());
                let readable = &bytes[..error.valid_up_to()];
                let at = source.position_of(readable.len());
                (source, vec![not_utf8(at, bytes[error.valid_up_to()])])
            }
        }
    }

    fn forbidden_characters(&self) -> Vec<Refused> {
        let forbidden = self.text.char_indices().filter(|(_, character)| is_forbidden_raw(*character));
        forbidden
            .take(LISTED_CHARACTERS)
            .map(|(offset, character)| Refused {
                at: self.position_of(offset),
                message: format!("the character U+{:04X} is not allowed in a text file", character as u32),
                proposal: "remove the character, or write it as an escape inside double quotes",
            })
            .collect()
    }

    /// Line and column (both from 1, columns in characters) of a byte offset that lies on a character.
    fn position_of(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start as usize <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text[start..offset].chars().count() + 1;
        Position { line: line as u32, column: column as u32 }
    }

    fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        Some(self.text[start..end].trim_end_matches(['\n', '\r']))
    }

    /// The part of a line around a column, with nothing in it that a terminal would obey.
    pub(super) fn excerpt(&self, at: Position) -> Option<Excerpt> {
        let line = self.line(at.line).filter(|line| !line.trim().is_empty())?;
        let column = (at.column as usize).saturating_sub(1);
        let skipped = (column + EXCERPT_WIDTH / 4).saturating_sub(EXCERPT_WIDTH);
        let mut characters = line.chars().skip(skipped);
        let before: String = characters.by_ref().take(column - skipped).collect();
        let room = EXCERPT_WIDTH.saturating_sub(column - skipped);
        let after: String = characters.by_ref().take(room).collect();
        let (left, right) =
            (if skipped > 0 { "…" } else { "" }, if characters.next().is_some() { "…" } else { "" });
        let before = format!("{left}{}", escape(&before));
        let caret = before.chars().count() as u32;
        let text = format!("{before}{}{right}", escape(&after));
        Some(Excerpt { text: text.trim_end().to_owned(), caret })
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, byte) in bytes.iter().enumerate() {
        let ends_line = *byte == b'\n' || (*byte == b'\r' && bytes.get(index + 1) != Some(&b'\n'));
        if ends_line {
            starts.push(index as u32 + 1);
        }
    }
    starts
}

/// Raw characters that YAML 1.2 (5.1) forbids. NUL matters most: the YAML scanner takes it for the end of the text.
fn is_forbidden_raw(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}')
        || matches!(character, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        || is_direction_override(character)
}

/// Characters that make a line read differently from what it says.
pub(super) fn is_direction_override(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn too_large(length: usize) -> Refused {
    Refused {
        at: Position::START,
        message: format!("the file has {length} bytes; at most {MAX_BYTES} are read"),
        proposal: "split it, or name another file: a scenario written by hand has some kilobytes",
    }
}

fn utf16() -> Refused {
    Refused {
        at: Position::START,
        message: "the file is encoded as UTF-16".to_owned(),
        proposal: "save it as UTF-8",
    }
}

fn not_utf8(at: Position, byte: u8) -> Refused {
    Refused {
        at,
        message: format!("the byte 0x{byte:02x} is not valid UTF-8"),
        proposal: "save the file as UTF-8",
    }
}
