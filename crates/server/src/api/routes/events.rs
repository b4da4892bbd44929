//! What happens, as it happens: server-sent events that can be taken up again where they broke off.

use crate::access::{Caller, Right, Sight};
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Query;
use crate::api::problem::{Kind, Problem};
use crate::clock::wall_ms;
use crate::desk::{Desk, Seat};
use crate::laboratory::News;
use crate::live::{Event, Subscription, events_of};
use crate::storage::tables::journal;
use crate::storage::{Connection, Error};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures_util::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

/// Proxies close connections on which nothing is said for longer.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Entries that are read at a time for somebody who has to catch up.
const CHUNK: u32 = 200;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/events", "watchEvents", watch)
            .does("What happens, as it happens; Last-Event-ID takes it up again without a gap")
            .needs(Right::SeeWorld)
            .narrowed()
            .query::<EventQuery>()
            .sends("text/event-stream")
            .may_refuse(&[Kind::NotReady]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventQuery {
    /// Beginnings of event types, with commas: recommendation,execution
    topics: Option<String>,
    /// The id of the last event that was seen; the header Last-Event-ID says the same. From now on by default.
    after: Option<String>,
}

async fn watch(
    State(desk): State<Desk>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<EventQuery>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let seat = desk.take_seat()?;
    let header = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let after = header.or(query.after.as_deref()).map(position).transpose()?;
    let (seen, skip) = after.unwrap_or((desk.end(), 0));
    let topics: Vec<String> =
        query.topics.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
    let subscription = desk.subscribe();
    let laboratory = desk.laboratory().news();
    let ready = VecDeque::new();
    let watcher = Watcher { desk, caller, topics, subscription, laboratory, seen, skip, ready, _seat: seat };
    let stream = futures_util::stream::unfold(watcher, Watcher::next);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still here")))
}

/// The entry up to which everything was seen, and how many events of the next one.
fn position(text: &str) -> Result<(i64, usize), Problem> {
    let parts = text
        .split_once('-')
        .and_then(|(seq, index)| Some((seq.parse::<i64>().ok()?, index.parse::<usize>().ok()?)));
    let (seq, index) = parts.filter(|(seq, _)| *seq > 0).ok_or_else(|| {
        Problem::new(Kind::Malformed, "An event's id is written <entry>-<number>, such as 412-0.")
    })?;
    Ok((seq - 1, index + 1))
}

struct Watcher {
    desk: Desk,
    caller: Caller,
    topics: Vec<String>,
    subscription: Subscription,
    laboratory: News,
    /// Everything up to this entry was looked at.
    seen: i64,
    /// Events of the next entry that were seen before.
    skip: usize,
    ready: VecDeque<Event>,
    _seat: Seat,
}

impl Watcher {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some((Ok(message(&event)), self));
            }
            let is_record = tokio::select! {
                end = self.subscription.beyond(self.seen) => end.map(|_| true)?,
                () = self.laboratory.changed() => false,
            };
            // Rights may have been taken away since.
            self.caller = self.desk.still_is(&self.caller).await?;
            if !is_record {
                if let Some(told) = self.of_laboratory() {
                    return Some((Ok(told), self));
                }
                continue;
            }
            let (after, skip, sight) = (self.seen, self.skip, self.caller.sight());
            let read = self.desk.read(move |connection| heard(connection, after, skip, &sight));
            let (seen, events) = read.await.ok()?;
            if seen > after {
                (self.seen, self.skip) = (seen, 0);
            }
            self.ready.extend(
                events
                    .into_iter()
                    .filter(|event| self.caller.role.may(event.right) && wanted(&self.topics, event)),
            );
        }
    }
}

/// The events of the next entries that somebody hears, and the last entry that was looked at.
fn heard(
    connection: &mut dyn Connection,
    after: i64,
    skip: usize,
    sight: &Sight,
) -> Result<(i64, Vec<Event>), Error> {
    let entries = journal::after(connection, after, CHUNK)?;
    let mut events = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        for event in events_of(entry).into_iter().skip(if index == 0 { skip } else { 0 }) {
            if event.is_within(connection, sight)? {
                events.push(event);
            }
        }
    }
    Ok((entries.last().map_or(after, |entry| entry.seq), events))
}

impl Watcher {
    /// How far comparisons are. It has no id, because nobody can take it up again: it is not in the record.
    fn of_laboratory(&mut self) -> Option<Message> {
        let at_ms = self.desk.now().at.0 as i64;
        let event = self.laboratory.take(self.desk.laboratory(), wall_ms(), at_ms);
        let sees = self.caller.sight().is_whole();
        let hears = sees && self.caller.role.may(event.right) && wanted(&self.topics, &event);
        let data = serde_json::to_string(&event).unwrap_or_default();
        hears.then(|| Message::default().event(event.kind).data(data))
    }
}

fn wanted(topics: &[String], event: &Event) -> bool {
    let name = event.kind.strip_prefix("io.drover.").unwrap_or(event.kind);
    topics.is_empty() || topics.iter().any(|topic| name.starts_with(topic.trim()))
}

fn message(event: &Event) -> Message {
    let data = serde_json::to_string(event).unwrap_or_default();
    Message::default().id(&event.id).event(event.kind).data(data)
}
