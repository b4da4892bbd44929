//! `drover rec watch`: what happens, line by line, without a gap.

use crate::client::{Client, Connection, Event, EventReader, Request, StreamFailure, wait};
use crate::failure::{Failure, Outcome};
use crate::output::{note, print_while_read};
use crate::terminal::{clean, clean_json, clock};
use clap::Args;
use model::action::Action;
use serde::Deserialize;
use serde_json::Value;
use server::api::wire::Status;
use std::process::ExitCode;
use std::time::Duration;

/// Beginnings of the types of events that concern decisions.
const TOPICS: &str = "recommendation,decision,execution,freeze,mode";

/// Attempts to come back before it is given up, with a pause before each.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_secs(1);

/// Said by a desk that cannot go on where somebody wants to.
const RESET: &str = "io.drover.stream.reset.v1";

/// Larger than the number of events that one entry of the record tells.
const ALL_OF_THEM: usize = 999_999;

/// Follow what is recommended, decided and carried out, one line per event, until you press Ctrl-C.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover rec watch
  drover rec watch --json | jq .subject
  drover rec watch --after 412-0 --limit 10

A lost connection is taken up again where it broke off.")]
pub(super) struct Arguments {
    /// Go on behind this event, as --json shows its id; 0-0 begins with the first one. From now on by default.
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// End after so many events.
    #[arg(long)]
    limit: Option<u64>,
    #[command(flatten)]
    connection: Connection,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let last = match &arguments.after {
        Some(id) => id.clone(),
        None => from_now_on(&client)?,
    };
    let mut watch = Watch { client: &client, last, left: arguments.limit.unwrap_or(u64::MAX) };
    let mut lost = 0;
    while watch.left > 0 {
        match watch.follow() {
            Ok(told) => lost = if told { 1 } else { lost + 1 },
            Err(StreamFailure::Lost(_)) if lost < ATTEMPTS => lost += 1,
            Err(failure) => return Err(failure.into()),
        }
        if watch.left > 0 {
            if lost == 1 {
                note("The connection is lost; trying again.");
            }
            if lost >= ATTEMPTS {
                return Ok(ExitCode::from(crate::failure::UNREACHABLE));
            }
            wait(PAUSE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A place in the record, so that nothing is missed if the connection breaks before the first event.
fn from_now_on(client: &Client) -> Result<String, Failure> {
    let status: Status = client.ask(&Request::get(&["status"]))?;
    Ok(format!("{}-{ALL_OF_THEM}", status.seq.max(1)))
}

struct Watch<'a> {
    client: &'a Client,
    /// The last event that was told.
    last: String,
    left: u64,
}

impl Watch<'_> {
    /// Follows until the stream ends. Returns whether anything was told.
    fn follow(&mut self) -> Result<bool, StreamFailure> {
        let request = Request::get(&["events"]).query("topics", Some(TOPICS));
        let mut events = EventReader::new(self.client.open(&request, &[("last-event-id", &self.last)])?);
        let mut told = false;
        // An error here is a connection that broke, and that is what the end of a stream is, too.
        while self.left > 0
            && let Ok(Some(event)) = events.next_event()
        {
            if !self.tell(&event).map_err(StreamFailure::Refused)? {
                self.left = 0;
                break;
            }
            if !event.id.is_empty() {
                self.last.clone_from(&event.id);
            }
            self.left -= 1;
            told = true;
        }
        Ok(told)
    }

    /// False once nobody reads it any more.
    fn tell(&self, event: &Event) -> Result<bool, Failure> {
        if event.kind == RESET {
            note(
                "The desk's record ends before this place, as after the return to an older backup; going on from its end.",
            );
        }
        if self.client.is_for_programs() {
            return print_while_read(&clean_json(&event.data));
        }
        match serde_json::from_str::<Told>(&event.data) {
            Ok(told) => print_while_read(&line(&told)),
            Err(_) => print_while_read(&clean(&event.kind)),
        }
    }
}

/// The part of an event that is told.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    subject: String,
    #[serde(default, rename = "atms")]
    at_ms: u64,
    #[serde(default)]
    data: Value,
}

fn line(told: &Told) -> String {
    let kind = told.kind.strip_prefix("io.drover.").unwrap_or(&told.kind);
    let kind = kind.rsplit_once(".v").map_or(kind, |(kind, _)| kind).replace('.', " ");
    let (at, subject) = (clock(told.at_ms), &told.subject);
    clean(&format!("{at}  {subject:<5} {kind}{}", more(&told.data)))
}

/// What else is worth a few words.
fn more(data: &Value) -> String {
    let text = |key: &str| data[key].as_str();
    let action =
        serde_json::from_value::<Action>(data["action"].clone()).ok().map(|action| action.to_string());
    let verdict =
        data["verdict"].as_str().or_else(|| data["verdict"].as_object()?.keys().next().map(String::as_str));
    let parts = [
        verdict.map(|verdict| format!("{verdict} by {}", text("by").unwrap_or("somebody"))),
        action,
        text("agent").map(|agent| format!("by {agent}")),
        text("risk").map(|risk| format!("{risk} risk")),
        text("stage").map(str::to_owned),
        text("step").map(str::to_owned),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(event: &str, expected: &str) {
        assert_eq!(line(&serde_json::from_str(event).unwrap()), expected);
    }

    #[test]
    fn an_event_is_a_line() {
        check(
            r#"{"type":"io.drover.recommendation.created.v1","subject":"R-3","atms":150000,"data":{"agent":"keeper",
            "action":{"kind":"migrate","workload":"deployment/default/web","from":"a","to":"b","replicas":2},"risk":"low"}}"#,
            "0:02:30  R-3   recommendation created: migrate deployment/default/web (2 replicas) from a to b, by keeper, low risk",
        );
        check(
            r#"{"type":"io.drover.decision.recorded.v1","subject":"R-3","atms":150000,"data":{"by":"person:anna",
            "verdict":{"defer":{"until":1}}}}"#,
            "0:02:30  R-3   decision recorded: defer by person:anna",
        );
        check(
            r#"{"type":"io.drover.x\u001b[2J.v1","subject":"\u001b","data":{"stage":"applied"}}"#,
            "0:00:00  \u{fffd}     x\u{fffd}[2J: applied",
        );
    }
}
