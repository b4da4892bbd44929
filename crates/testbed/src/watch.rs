//! Hearing of every change of a kind of objects, as it happens, without asking again and again.

use crate::api::Api;
use crate::error::Error;
use crate::wait::Stopwatch;
use serde_json::Value;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Servers end a stream after this; nobody here listens for longer.
const LONGEST: Duration = Duration::from_hours(2);

/// What happened to an object, and how it is since.
#[derive(Clone, Debug)]
pub enum Change {
    Added(Value),
    Modified(Value),
    Deleted(Value),
}

impl Change {
    pub fn object(&self) -> &Value {
        match self {
            Self::Added(object) | Self::Modified(object) | Self::Deleted(object) => object,
        }
    }
}

/// A stream of changes that is read by a thread of its own, which ends with the server.
pub struct Watch {
    what: String,
    changes: Receiver<Result<Change, Error>>,
}

impl Watch {
    /// Everything in the list at `path` that changes from now on.
    pub fn begin(api: &Api, path: &str) -> Result<Self, Error> {
        let list = api.get(&format!("{path}?limit=1"))?;
        let version = list["metadata"]["resourceVersion"].as_str().unwrap_or("0").to_owned();
        let seconds = LONGEST.as_secs();
        let lines =
            api.lines(&format!("{path}?watch=true&resourceVersion={version}&timeoutSeconds={seconds}"))?;
        let (sender, changes) = channel();
        thread::spawn(move || read(lines, &sender));
        Ok(Self { what: path.to_owned(), changes })
    }

    /// The next change; `awaited` is what an error says was waited for.
    pub fn next(&self, patience: Duration, awaited: &str) -> Result<Change, Error> {
        self.changes.recv_timeout(patience).map_err(|problem| match problem {
            RecvTimeoutError::Timeout => Error::Late {
                what: awaited.to_owned(),
                seconds: patience.as_secs(),
                seen: format!("no change in {}", self.what),
            },
            RecvTimeoutError::Disconnected => Error::Unreachable {
                attempt: format!("watching {}", self.what),
                problem: "the stream has ended".to_owned(),
            },
        })?
    }

    /// The next change that `choose` makes something of, others are passed over; all within the time given.
    pub fn find<T>(
        &self,
        patience: Duration,
        awaited: &str,
        mut choose: impl FnMut(&Change) -> Option<T>,
    ) -> Result<T, Error> {
        let stopwatch = Stopwatch::start();
        loop {
            let left = patience.saturating_sub(stopwatch.elapsed());
            if let Some(found) = choose(&self.next(left, awaited)?) {
                return Ok(found);
            }
        }
    }
}

fn read(lines: impl BufRead, sender: &Sender<Result<Change, Error>>) {
    for line in lines.lines() {
        let Ok(line) = line else { return };
        if sender.send(parse(&line)).is_err() {
            return;
        }
    }
}

fn parse(line: &str) -> Result<Change, Error> {
    let refused = |answer: String| Error::Refused { attempt: "watching".to_owned(), answer };
    let mut event: Value = serde_json::from_str(line).map_err(|problem| refused(problem.to_string()))?;
    let object = event["object"].take();
    match event["type"].as_str() {
        Some("ADDED") => Ok(Change::Added(object)),
        Some("MODIFIED") => Ok(Change::Modified(object)),
        Some("DELETED") => Ok(Change::Deleted(object)),
        _ => Err(refused(object.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_in_order_and_anything_else_is_an_error() {
        let (sender, changes) = channel();
        let text =
            "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n";
        read(text.as_bytes(), &sender);
        drop(sender);
        let watch = Watch { what: "letters".to_owned(), changes };
        let next = || watch.next(Duration::from_secs(1), "a letter");
        assert_eq!(next().unwrap().object()["a"], 1);
        assert!(next().unwrap_err().to_string().contains("410"));
        assert_eq!(next().unwrap_err().to_string(), "watching letters failed: the stream has ended");
    }

    #[test]
    fn too_late_says_what_was_awaited() {
        let (_sender, changes) = channel();
        let watch = Watch { what: "letters".to_owned(), changes };
        let late = watch.find(Duration::ZERO, "a letter from home", |_| Some(())).unwrap_err();
        assert_eq!(
            late.to_string(),
            "a letter from home did not happen within 0 s; last seen: no change in letters"
        );
    }
}
