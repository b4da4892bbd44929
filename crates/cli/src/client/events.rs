//! Reading server-sent events: the part of the format that a desk uses.

use std::io::{BufRead, BufReader, ErrorKind, Read, Result};

/// A line that is longer is no event of a desk.
const LONGEST_LINE: u64 = 4 << 20;

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// To go on behind it later.
    pub(crate) id: String,
    pub(crate) kind: String,
    /// JSON.
    pub(crate) data: String,
}

/// Events out of a stream of bytes.
pub(crate) struct EventReader<R> {
    lines: BufReader<R>,
}

impl<R: Read> EventReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { lines: BufReader::new(source) }
    }

    /// The next event; none when the stream has ended. What stands behind the last blank line is not complete and is left out.
    pub(crate) fn next_event(&mut self) -> Result<Option<Event>> {
        let mut event = Event::default();
        let mut data: Vec<String> = Vec::new();
        while let Some(line) = self.line()? {
            if line.is_empty() {
                if !data.is_empty() {
                    event.data = data.join("\n");
                    return Ok(Some(event));
                }
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "id" => value.clone_into(&mut event.id),
                "event" => value.clone_into(&mut event.kind),
                "data" => data.push(value.to_owned()),
                // Comments keep the connection alive; other fields are none of ours.
                _ => {}
            }
        }
        Ok(None)
    }

    fn line(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        if bytes.pop() != Some(b'\n') {
            let why = if read as u64 == LONGEST_LINE { "a line never ends" } else { "the stream broke off" };
            return Err(std::io::Error::new(ErrorKind::UnexpectedEof, why));
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Event>, bool) {
        let mut reader = EventReader::new(text.as_bytes());
        let mut events = Vec::new();
        loop {
            match reader.next_event() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => return (events, true),
                Err(_) => return (events, false),
            }
        }
    }

    fn event(id: &str, kind: &str, data: &str) -> Event {
        Event { id: id.to_owned(), kind: kind.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn events_come_one_by_one() {
        let text =
            "id: 7-0\nevent: a.b\ndata: {}\n\n: still here\n\nid:8-0\r\ndata: one\r\ndata: two\r\n\r\n";
        assert_eq!(read(text), (vec![event("7-0", "a.b", "{}"), event("8-0", "", "one\ntwo")], true));
    }

    #[test]
    fn half_an_event_is_none() {
        assert_eq!(read("id: 7-0\ndata: {}\n"), (vec![], true));
        assert_eq!(read("id: 7-0\ndata: {}\n\nid: 8"), (vec![event("7-0", "", "{}")], false));
    }
}
