//! What happens, as it happens: server-sent events that can be taken up again where they broke off.

use crate::access::{Caller, Right, Sight};
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Query;
use crate::api::problem::{Kind, Problem};
use crate::clock::wall_ms;
use crate::desk::{Desk, Seat, Welcome};
use crate::laboratory::News;
use crate::live::{Announcement, Subscription, Told};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures_util::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Proxies close connections on which nothing is said for longer.
const HEARTBEAT: Duration = Duration::from_secs(15);

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
    let (sight, welcome) = (caller.sight(), desk.welcomes(caller));
    let watcher =
        Watcher { desk, welcome, sight, topics, subscription, laboratory, seen, skip, ready, _seat: seat };
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
    welcome: Welcome,
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
                return Some((Ok(message(&announcement)), self));
            }
            let is_record = tokio::select! {
                end = self.subscription.beyond(self.seen) => end.map(|_| true)?,
                () = self.laboratory.changed() => false,
            };
            // Rights may have been taken away since.
            self.desk.still_welcome(&mut self.welcome).await?;
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
        let (caller, sight, now) = (self.welcome.caller(), &self.sight, self.desk.now());
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
        let may = self.welcome.caller().role.may(event.right) && self.sight.is_whole();
        let hears = may && wanted(&self.topics, event.kind);
        let data = serde_json::to_string(&event).unwrap_or_default();
        hears.then(|| Message::default().event(event.kind).data(data))
    }
}

fn wanted(topics: &[String], kind: &str) -> bool {
    let name = kind.strip_prefix("io.drover.").unwrap_or(kind);
    topics.is_empty() || topics.iter().any(|topic| name.starts_with(topic.trim()))
}

fn message(announcement: &Announcement) -> Message {
    Message::default().id(&announcement.id).event(announcement.kind).data(&announcement.text)
}
