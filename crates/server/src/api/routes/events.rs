//! What happens, as it happens: server-sent events that can be taken up again where they broke off.

use crate::access::{Caller, Right, Seat, Sight};
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Query;
use crate::api::problem::{Kind, Problem};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::laboratory::News;
use crate::live::{Announcement, Event, FAMILIES, Subscription, Told, Touched};
use crate::storage::Connection;
use crate::storage::tables::journal;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures_util::Stream;
use model::document::nearest;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Proxies close connections on which nothing is said for longer.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Stands before the first event.
const BEGINNING: &str = "0-0";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/events", "watchEvents", watch)
            .does(
                "What happens, as it happens; Last-Event-ID takes it up again without a gap, and a stream.reset event says that \
                 this is not possible",
            )
            .needs(Right::SeeWorld)
            .narrowed()
            .query::<EventQuery>()
            .sends("text/event-stream")
            .resumable()
            .may_refuse(&[Kind::NotReady]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventQuery {
    /// Beginnings of event types, with commas: recommendation,execution
    topics: Option<String>,
    /// The id of the last event that was seen, 0-0 for none; the header Last-Event-ID says the same. From now on by default.
    after: Option<String>,
}

async fn watch(
    State(desk): State<Desk>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<EventQuery>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let topics = topics(query.topics.as_deref())?;
    let seat = desk.rooms().watch(&caller.actor())?;
    let header = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let after = header.or(query.after.as_deref()).map(position).transpose()?;
    let mut ready = VecDeque::new();
    let (seen, skip) = match after {
        None => (desk.end(), 0),
        Some(position) => match end_without(&desk, &position).await? {
            Some(end) => {
                ready.push_back(reset(&desk, end));
                (end, 0)
            }
            None => (position.seen, position.skip),
        },
    };
    let subscription = desk.subscribe();
    let laboratory = desk.laboratory().news();
    let sight = caller.sight();
    let watcher =
        Watcher { desk, caller, sight, topics, subscription, laboratory, seen, skip, ready, _seat: seat };
    let stream = futures_util::stream::unfold(watcher, Watcher::next);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still here")))
}

/// How far somebody has come.
#[derive(Debug, PartialEq, Eq)]
struct Position {
    /// The entry up to which everything was seen.
    seen: i64,
    /// How many events of the next one.
    skip: usize,
    /// What that next one is known by, if they say.
    mark: Option<String>,
}

/// Reads the id of an event. Entries are counted from 1, so nothing at all was seen at 0-0.
fn position(text: &str) -> Result<Position, Problem> {
    if text == BEGINNING {
        return Ok(Position { seen: 0, skip: 0, mark: None });
    }
    let mut parts = text.splitn(3, '-');
    let seq = parts.next().and_then(|seq| seq.parse::<i64>().ok()).filter(|seq| *seq > 0);
    let index = parts.next().and_then(|index| index.parse::<usize>().ok());
    let position = seq.zip(index).map(|(seq, index)| Position {
        seen: seq - 1,
        skip: index.saturating_add(1),
        mark: parts.next().map(ToOwned::to_owned),
    });
    position.ok_or_else(|| {
        let detail =
            "An event's id is written <entry>-<number>-<mark>, such as 412-0-5f2c09ab; 0-0 is before the first.";
        Problem::new(Kind::Malformed, detail)
    })
}

/// The end of the record, if it does not have what somebody has seen last: an entry behind its end, or another one in its place. Otherwise
/// they would never hear what came instead.
async fn end_without(desk: &Desk, Position { seen, skip, mark }: &Position) -> Result<Option<i64>, Problem> {
    let (entry, is_near) = (seen + 1, *seen < desk.end());
    if *skip == 0 || (is_near && mark.is_none()) {
        return Ok(None);
    }
    // Others may have written meanwhile, and the record knows it first.
    let read = move |connection: &mut dyn Connection| {
        Ok((journal::get(connection, entry)?.map(|entry| entry.hash), journal::head(connection)?.seq))
    };
    let (found, end) = desk.read(read).await?;
    let is_there = found.is_some_and(|hash| mark.as_ref().is_none_or(|mark| *mark == hash.short()));
    Ok((!is_there).then_some(end))
}

/// Tells a watcher to begin anew.
fn reset(desk: &Desk, end: i64) -> Arc<Announcement> {
    let event = Event::reset(end, wall_ms(), desk.now().at.0 as i64);
    Arc::new(Announcement::of(&event, Touched::Nothing))
}

/// The kinds of events that somebody wants to hear of; all of them if nothing is named. A kind that is none would be silent for ever.
fn topics(text: Option<&str>) -> Result<Vec<String>, Problem> {
    let named = text.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|topic| !topic.is_empty());
    named.map(topic).collect()
}

fn topic(text: &str) -> Result<String, Problem> {
    let family = text.split('.').next().unwrap_or_default();
    let begins = |known: &str| known.starts_with(text) || known == family;
    if FAMILIES.iter().any(|known| begins(known)) {
        return Ok(text.to_owned());
    }
    let proposal = match nearest(family, FAMILIES) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("write some of {}", FAMILIES.join(", ")),
    };
    let problem = Problem::new(Kind::Malformed, format!("No event is called {text:?}; {proposal}"));
    Err(problem.with_proposal("topics", format!("no event is called {text:?}"), proposal))
}

struct Watcher {
    desk: Desk,
    caller: Caller,
    sight: Sight,
    topics: Vec<String>,
    subscription: Subscription,
    laboratory: News,
    /// Everything up to this entry was looked at.
    seen: i64,
    /// Events of the next entry that were seen before.
    skip: usize,
    ready: VecDeque<Arc<Announcement>>,
    _seat: Seat,
}

impl Watcher {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(announcement) = self.ready.pop_front() {
                return Some((Ok(message(&announcement, &self.sight)), self));
            }
            let is_record = tokio::select! {
                end = self.subscription.beyond(self.seen) => end.map(|_| true)?,
                () = self.laboratory.changed() => false,
            };
            self.desk.take_turn().await;
            // Rights may have been taken away since.
            if !self.desk.still_welcomes(&self.caller).await {
                return None;
            }
            if !is_record {
                if let Some(told) = self.of_laboratory() {
                    return Some((Ok(told), self));
                }
                continue;
            }
            for told in self.desk.told_after(self.seen).await.ok()? {
                self.hear(&told);
            }
        }
    }

    /// Takes what is meant for this watcher, and has seen the entry then.
    fn hear(&mut self, told: &Told) {
        let skip = std::mem::take(&mut self.skip);
        let (caller, sight, now) = (&self.caller, &self.sight, self.desk.now());
        let meant = |announcement: &&Arc<Announcement>| {
            caller.role.may(announcement.right)
                && announcement.touched.is_within(sight, now.snapshot.as_deref())
                && wanted(&self.topics, announcement.kind)
        };
        self.ready.extend(told.announcements.iter().skip(skip).filter(meant).cloned());
        self.seen = told.seq;
    }

    /// How far comparisons are. It has no id, because nobody can take it up again: it is not in the record.
    fn of_laboratory(&mut self) -> Option<Message> {
        let at_ms = self.desk.now().at.0 as i64;
        let event = self.laboratory.take(self.desk.laboratory(), wall_ms(), at_ms);
        // Whoever sees a part of the federation sees nothing of the laboratory, which is about all of it.
        let may = self.caller.role.may(event.right) && self.sight.is_whole();
        let hears = may && wanted(&self.topics, event.kind);
        let data = serde_json::to_string(&event).unwrap_or_default();
        hears.then(|| Message::default().event(event.kind).data(data))
    }
}

fn wanted(topics: &[String], kind: &str) -> bool {
    let name = kind.strip_prefix("io.drover.").unwrap_or(kind);
    topics.is_empty() || topics.iter().any(|topic| name.starts_with(topic.trim()))
}

fn message(announcement: &Announcement, sight: &Sight) -> Message {
    Message::default().id(&announcement.id).event(announcement.kind).data(announcement.told_to(sight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_what_was_seen() {
        for (text, expected) in [
            ("0-0", Some((0, 0, None))),
            ("1-0", Some((0, 1, None))),
            ("412-2", Some((411, 3, None))),
            ("412-2-5f2c", Some((411, 3, Some("5f2c")))),
            ("1-18446744073709551615", Some((0, usize::MAX, None))),
            ("0-1", None),
            ("-1-0", None),
            ("412", None),
            ("", None),
        ] {
            let read = position(text).ok();
            let read = read.as_ref().map(|it| (it.seen, it.skip, it.mark.as_deref()));
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn topics_are_beginnings_of_kinds() {
        let check = |text: &str, expected: Result<&[&str], &str>| {
            let read = topics(Some(text)).map_err(|problem| problem.detail);
            let expected = expected.map(|list| list.iter().map(|&topic| topic.to_owned()).collect());
            assert_eq!(read, expected.map_err(str::to_owned), "{text}");
        };
        check("", Ok(&[]));
        check("recommendation, execution.started", Ok(&["recommendation", "execution.started"]));
        check("recomm", Ok(&["recomm"]));
        check(
            "freeze,recomendation",
            Err("No event is called \"recomendation\"; did you mean recommendation?"),
        );
        check(
            "xyzzyx",
            Err("No event is called \"xyzzyx\"; write some of agent, audit, clock, decision, \
            execution, freeze, laboratory, mode, order, recommendation, snapshot, stream"),
        );
    }
}
