//! The journal: every input and the effects it caused, one JSON line each, chained by hashes.
//!
//! The first line is the header, the last says that the run ended; a journal without it was cut off. Each line ends with a
//! hash over the line before and its own content, so no line can be changed, dropped or swapped unnoticed.

use crate::world::{Effect, Input};
use model::hash::{ContentHash, Hasher};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// The version of the line format.
pub const VERSION: u32 = 1;

/// A line longer than this is not ours: a snapshot of 10,000 nodes and workloads takes about 8 MB.
const MAX_LINE: u64 = 256 * 1024 * 1024;

/// What a line ends with: `,"hash":"`, 64 digits, `"}` and a newline.
const TAIL: usize = 9 + 64 + 2 + 1;

/// The end of a line whose content has this hash, together with the lines before it.
fn tail(hash: ContentHash) -> String {
    format!(",\"hash\":\"{hash}\"}}\n")
}

/// Where the loop writes before anything happens.
pub trait Journal {
    type Error;

    fn append(&mut self, now: Timestamp, input: &Input, effects: &[Effect]) -> Result<(), Self::Error>;
}

/// Forgets everything: for runs nobody will ask about.
pub struct NoJournal;

impl Journal for NoJournal {
    type Error = std::convert::Infallible;

    fn append(&mut self, _: Timestamp, _: &Input, _: &[Effect]) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[derive(Serialize)]
struct HeaderLine<'a, H> {
    drover_journal: u32,
    header: &'a H,
}

#[derive(Serialize)]
struct EntryLine<'a> {
    seq: u64,
    at: Timestamp,
    input: &'a Input,
    effects: &'a [Effect],
}

#[derive(Serialize)]
struct EndLine {
    seq: u64,
    end: bool,
}

/// Writes JSON lines to any writer.
pub struct JournalWriter<W> {
    writer: W,
    hash: ContentHash,
    /// Over all bytes written, as `sha256sum` would give it.
    written: Hasher,
    seq: u64,
    buffer: Vec<u8>,
}

impl<W: Write> JournalWriter<W> {
    /// Begins a journal with a header that holds all that is needed to build the same loop again.
    pub fn begin<H: Serialize>(writer: W, header: &H) -> io::Result<Self> {
        let mut journal =
            Self { writer, hash: ContentHash::ZERO, written: Hasher::default(), seq: 0, buffer: Vec::new() };
        journal.line(&HeaderLine { drover_journal: VERSION, header })?;
        Ok(journal)
    }

    /// Writes the last line and returns the writer with the SHA-256 of all that was written.
    pub fn end(mut self) -> io::Result<(W, ContentHash)> {
        let line = EndLine { seq: self.seq + 1, end: true };
        self.line(&line)?;
        self.writer.flush()?;
        Ok((self.writer, self.written.so_far()))
    }

    /// How many inputs were journalled.
    pub const fn entries(&self) -> u64 {
        self.seq
    }

    fn line<T: Serialize>(&mut self, content: &T) -> io::Result<()> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, content)?;
        self.hash = self.hash.chain(&self.buffer);
        self.buffer.pop();
        self.buffer.extend(tail(self.hash).into_bytes());
        self.written.update(&self.buffer);
        self.writer.write_all(&self.buffer)
    }
}

impl<W: Write> Journal for JournalWriter<W> {
    type Error = io::Error;

    fn append(&mut self, now: Timestamp, input: &Input, effects: &[Effect]) -> io::Result<()> {
        self.seq += 1;
        let line = EntryLine { seq: self.seq, at: now, input, effects };
        self.line(&line)
    }
}

/// One journalled step, read back. Effects stay data: only the loop can make real ones.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Entry {
    pub seq: u64,
    pub at: Timestamp,
    pub input: Input,
    pub effects: Vec<serde_json::Value>,
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the journal could not be read at line {line}")]
    Io { line: u64, source: io::Error },
    #[error("line {line} is not a line of a Drover journal: {why}")]
    Malformed { line: u64, why: String },
    #[error(
        "line {line} was changed, or a line before it is missing: its hash does not follow from the line before"
    )]
    BrokenChain { line: u64 },
    #[error("this journal has format version {found}; this build reads version {VERSION}")]
    Version { found: u32 },
    #[error("the journal ends after line {line} without its closing line: the run was cut off")]
    CutOff { line: u64 },
}

/// Reads a journal line by line, checking the chain.
pub struct JournalReader<R> {
    reader: R,
    hash: ContentHash,
    /// Over all bytes read, as `sha256sum` would give it.
    read: Hasher,
    line: u64,
    ended: bool,
    max_line: u64,
}

impl<R: BufRead> JournalReader<R> {
    /// Reads the header.
    pub fn begin<H: serde::de::DeserializeOwned>(reader: R) -> Result<(Self, H), JournalError> {
        #[derive(Deserialize)]
        struct Version {
            drover_journal: u32,
        }
        #[derive(Deserialize)]
        struct Header<H> {
            header: H,
        }
        let hash = ContentHash::ZERO;
        let mut journal =
            Self { reader, hash, read: Hasher::default(), line: 0, ended: false, max_line: MAX_LINE };
        let body = journal.body()?.ok_or(JournalError::CutOff { line: 0 })?;
        let found = journal.parse::<Version>(&body)?.drover_journal;
        if found != VERSION {
            return Err(JournalError::Version { found });
        }
        let header = journal.parse::<Header<H>>(&body)?.header;
        Ok((journal, header))
    }

    /// The next step, or nothing after the closing line.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, JournalError> {
        if self.ended {
            return Ok(None);
        }
        let body = self.body()?.ok_or(JournalError::CutOff { line: self.line })?;
        if body.windows(11).any(|window| window == b"\"end\":true}") && body.len() < 64 {
            self.ended = true;
            return match self.body()? {
                None => Ok(None),
                Some(_) => Err(self.malformed("there is something after the closing line")),
            };
        }
        self.parse(&body).map(Some)
    }

    /// The SHA-256 of what was read so far.
    pub fn sha256(&self) -> ContentHash {
        self.read.so_far()
    }

    /// The content of the next line without its hash, after checking that hash.
    fn body(&mut self) -> Result<Option<Vec<u8>>, JournalError> {
        let mut text = Vec::new();
        let mut limited = io::Read::take(&mut self.reader, self.max_line);
        let read = limited.read_until(b'\n', &mut text);
        let length = read.map_err(|source| JournalError::Io { line: self.line + 1, source })?;
        if length == 0 {
            return Ok(None);
        }
        if text.last() != Some(&b'\n') && (length as u64) < self.max_line {
            return Err(JournalError::CutOff { line: self.line });
        }
        self.line += 1;
        if text.last() != Some(&b'\n') {
            return Err(self.malformed(&format!("it is longer than {} bytes", self.max_line)));
        }
        if text.len() < TAIL || !text[text.len() - TAIL..].starts_with(b",\"hash\":\"") {
            return Err(self.malformed("it does not end with its hash"));
        }
        self.read.update(&text);
        let found = text.split_off(text.len() - TAIL);
        text.push(b'}');
        self.hash = self.hash.chain(&text);
        if found != tail(self.hash).as_bytes() {
            return Err(JournalError::BrokenChain { line: self.line });
        }
        Ok(Some(text))
    }

    fn parse<T: serde::de::DeserializeOwned>(&self, body: &[u8]) -> Result<T, JournalError> {
        serde_json::from_slice(body).map_err(|error| self.malformed(&error.to_string()))
    }

    fn malformed(&self, why: &str) -> JournalError {
        JournalError::Malformed { line: self.line, why: why.to_owned() }
    }
}

#[cfg(test)]
mod tests;
