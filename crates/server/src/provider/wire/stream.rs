//! An answer that comes as server-sent events, one piece of text after the other.

use super::MOST_TEXT;
use super::answer::{Counted, Heard, Parts, Said, finish};
use super::complaint::{self, Complaint};
use serde_json::Value;

/// What a stream has said so far.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The line that has not ended.
    line: Vec<u8>,
    /// The data of the event that has not ended.
    data: Vec<u8>,
    parts: Parts,
    counted: Counted,
    complaint: Option<Complaint>,
    nonsense: Option<String>,
    /// Whether it said that nothing follows.
    done: bool,
    events: usize,
}

impl Stream {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.is_done() {
                return;
            }
            if *byte == b'\n' {
                self.end_of_line();
            } else {
                self.line.push(*byte);
            }
            if self.line.len().max(self.data.len()) > MOST_TEXT || self.parts.is_too_long() {
                self.nonsense = Some(format!("the answer is longer than {MOST_TEXT} bytes"));
            }
        }
    }

    /// Whether nothing that follows matters.
    pub(super) const fn is_done(&self) -> bool {
        self.done || self.complaint.is_some() || self.nonsense.is_some()
    }

    fn end_of_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() {
            self.end_of_event();
        } else if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
        // Anything else is a comment that keeps the connection alive, or the name of an event.
    }

    fn end_of_event(&mut self) {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() {
            return;
        }
        self.events += 1;
        if data.trim_ascii() == b"[DONE]" {
            self.done = true;
            return;
        }
        match serde_json::from_slice(&data) {
            Ok(value) => self.event(&value),
            Err(_) => self.nonsense = Some("an event of the stream is not JSON".to_owned()),
        }
    }

    fn event(&mut self, value: &Value) {
        self.counted = Counted::of(value).or(self.counted);
        self.complaint = complaint::in_value(value);
        let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else { return };
        self.complaint = self.complaint.take().or_else(|| complaint::in_value(choice));
        if let Some(delta) = choice.get("delta") {
            self.parts.add(delta);
        }
        self.parts.finish = finish(choice).or(self.parts.finish.take());
    }

    /// What was said. `whole`: whether the connection ended as it should.
    pub(super) fn finish(mut self, whole: bool) -> Heard {
        if whole && !self.is_done() {
            // The last line may lack its end.
            self.end_of_line();
            self.end_of_event();
        }
        let after = self.parts.text.len();
        // A cut that comes after the end of the text takes nothing away.
        let has_ended = self.done || self.parts.finish.is_some();
        let said = match (self.complaint, self.nonsense) {
            (Some(complaint), _) => Said::Complained(complaint),
            (None, Some(why)) => Said::Nonsense(why),
            (None, None) if whole && self.events == 0 => {
                Said::Nonsense("the answer is neither JSON nor a stream of events".to_owned())
            }
            (None, None) if !has_ended => Said::BrokenOff { after },
            (None, None) => self.parts.said(),
        };
        Heard { said, counted: self.counted }
    }
}
