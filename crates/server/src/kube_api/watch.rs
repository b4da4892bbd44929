//! Watching: changes of a resource, one line each, as they come.

use super::answer::Refusal;
use super::calendar::Calendar;
use super::kinds::About;
use super::read::is_seen;
use super::register::{Change, Entry};
use super::request::{Form, Place};
use super::selector::Selector;
use super::serve::Visit;
use super::table::{Carried, Lines, only_metadata};
use super::{KubeApi, Watching, render};
use crate::access::{Caller, Seat, Sight};
use crate::clock;
use crate::desk::Desk;
use crate::live::Subscription;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch::Receiver;

/// Who does not say how long is sent away after this time and comes again; upstream does so after 30 to 60 minutes.
const USUAL_WATCH: Duration = Duration::from_mins(30);
/// Nobody watches longer in one piece.
const LONGEST_WATCH: Duration = Duration::from_hours(1);
/// Whoever wants it is told so often how far they are, as upstream does.
const BOOKMARK_EVERY: Duration = Duration::from_mins(1);

/// What is watched, and how it is shown.
struct Sieve {
    about: &'static About,
    namespace: Option<String>,
    sight: Sight,
    selector: Selector,
    form: Form,
    carried: Carried,
    calendar: Calendar,
}

struct Watcher {
    desk: Desk,
    api: Arc<KubeApi>,
    cluster: usize,
    caller: Caller,
    sieve: Sieve,
    newest: Receiver<u64>,
    closing: Subscription,
    /// Everything up to this version was told.
    version: u64,
    ready: VecDeque<Bytes>,
    /// The columns of a table were told.
    has_columns: bool,
    bookmarks: bool,
    bookmark_at: Instant,
    ends_at: Instant,
    ended: bool,
    _watching: Watching,
    _seat: Seat,
}

pub(super) async fn watch(visit: Visit, place: Place) -> Result<Response, Refusal> {
    let about = place.about;
    if !about.can("watch") {
        return Err(Refusal::not_allowed(format!("{} cannot be watched", about.full_name())));
    }
    if let Some(namespace) = &place.namespace {
        visit.must_see(namespace)?;
    }
    let mut watcher = Watcher::new(&visit, &place)?;
    visit.look().await?;
    watcher.begin(visit.question.version()?, visit.question.wants_initial_events());
    let stream = futures_util::stream::unfold(watcher, Watcher::next);
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from_stream(stream)).into_response())
}

/// A name in the address narrows a watch as a selector would.
fn fields(visit: &Visit, place: &Place) -> Option<String> {
    let asked = visit.question.field_selector.clone();
    match &place.name {
        Some(name) => Some(
            [Some(format!("metadata.name={name}")), asked]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(","),
        ),
        None => asked,
    }
}

impl Watcher {
    fn new(visit: &Visit, place: &Place) -> Result<Self, Refusal> {
        let question = &visit.question;
        let (labels, fields) = (question.label_selector.as_deref(), fields(visit, place));
        let sieve = Sieve {
            about: place.about,
            namespace: place.namespace.clone(),
            sight: visit.caller.sight(),
            selector: Selector::parse(place.about.resource, labels, fields.as_deref())?,
            form: visit.form,
            carried: Carried::of(question.include_object.as_deref()),
            calendar: visit.api.calendar(),
        };
        let lasts = question.timeout_seconds()?.map_or(USUAL_WATCH, Duration::from_secs).min(LONGEST_WATCH);
        let now = clock::now();
        Ok(Self {
            desk: visit.desk.clone(),
            api: Arc::clone(&visit.api),
            cluster: visit.cluster,
            caller: visit.caller.clone(),
            sieve,
            newest: visit.cluster().newest.subscribe(),
            closing: visit.desk.subscribe(),
            version: 0,
            ready: VecDeque::new(),
            has_columns: false,
            bookmarks: question.wants_bookmarks(),
            bookmark_at: now + BOOKMARK_EVERY,
            ends_at: now + lasts,
            ended: false,
            // From now on the world is looked at after each step.
            _watching: KubeApi::watch(&visit.api, visit.cluster),
            _seat: visit.desk.rooms().watch(&visit.caller.actor())?,
        })
    }

    /// Without a version, everything that is there comes first.
    fn begin(&mut self, version: Option<u64>, initial: bool) {
        if let Some(version) = version.filter(|_| !initial) {
            self.version = version;
            return self.hear();
        }
        let (entries, newest) = {
            let register = self.api.clusters[self.cluster].register();
            let namespace = self.sieve.namespace.as_deref();
            (register.list(self.sieve.about.resource, namespace), register.newest())
        };
        for entry in &entries {
            if let Some(object) = self.sieve.pass(Some(entry)) {
                self.tell("ADDED", &object);
            }
        }
        self.version = newest;
        if initial && self.bookmarks {
            self.bookmark(true);
        }
    }

    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Some((Ok(line), self));
            }
            if self.ended {
                return None;
            }
            let version = self.version;
            let wake_at = self.ends_at.min(self.bookmark_at);
            let has_changed = tokio::select! {
                changed = self.newest.wait_for(|newest| *newest > version) => changed.map(|_| true).ok()?,
                () = tokio::time::sleep_until(wake_at.into()) => false,
                _ = self.closing.beyond(i64::MAX) => return None,
            };
            // Rights may have been taken away since.
            if !self.desk.still_welcomes(&self.caller).await {
                return None;
            }
            if has_changed {
                self.hear();
            } else {
                self.mark_time();
            }
        }
    }

    fn mark_time(&mut self) {
        let now = clock::now();
        if self.bookmarks {
            self.bookmark(false);
        }
        self.bookmark_at = now + BOOKMARK_EVERY;
        self.ended = now >= self.ends_at;
    }

    /// Tells what has changed since.
    fn hear(&mut self) {
        let (changes, newest) = {
            let register = self.api.clusters[self.cluster].register();
            (register.since(self.sieve.about.resource, self.version), register.newest())
        };
        match changes {
            Ok(changes) => {
                for change in &changes {
                    if let Some((kind, object)) = self.sieve.sift(change) {
                        self.tell(kind, &object);
                    }
                }
                self.version = newest;
            }
            Err(forgotten) => {
                self.write(&json!({ "type": "ERROR", "object": Refusal::gone(forgotten.oldest).object() }));
                self.ended = true;
            }
        }
    }

    fn tell(&mut self, kind: &str, object: &Value) {
        let shown = match self.sieve.form {
            Form::Table => {
                let lines = self.sieve.lines(self.desk.now().at);
                let metadata = json!({ "resourceVersion": object["metadata"]["resourceVersion"] });
                let with_columns = !std::mem::replace(&mut self.has_columns, true);
                lines.table(std::slice::from_ref(object), &metadata, with_columns)
            }
            Form::Metadata => only_metadata(object),
            Form::Object | Form::Aggregated => object.clone(),
        };
        self.write(&json!({ "type": kind, "object": shown }));
    }

    /// Says how far everything was told.
    fn bookmark(&mut self, is_first: bool) {
        let mut metadata = json!({ "resourceVersion": self.version.to_string(), "creationTimestamp": null });
        if is_first {
            metadata["annotations"] = json!({ "k8s.io/initial-events-end": "true" });
        }
        let about = self.sieve.about;
        let object = match self.sieve.form {
            Form::Table => self.sieve.lines(self.desk.now().at).table(&[], &metadata, false),
            Form::Metadata => only_metadata(&json!({ "metadata": metadata })),
            Form::Object | Form::Aggregated => {
                json!({ "kind": about.kind, "apiVersion": about.api_version(), "metadata": metadata })
            }
        };
        self.write(&json!({ "type": "BOOKMARK", "object": object }));
    }

    fn write(&mut self, event: &Value) {
        let mut line = serde_json::to_vec(event).unwrap_or_default();
        line.push(b'\n');
        self.ready.push_back(Bytes::from(line));
    }
}

impl Sieve {
    fn lines(&self, now: model::time::Timestamp) -> Lines {
        Lines { resource: self.about.resource, calendar: self.calendar, now, carried: self.carried }
    }

    /// An object, if it is one of those that are watched.
    fn pass(&self, entry: Option<&Entry>) -> Option<Value> {
        let entry = entry.filter(|entry| is_seen(&self.sight, entry))?;
        let inside = self.namespace.as_ref().is_none_or(|namespace| entry.thing.namespace == *namespace);
        let named = self.selector.name().is_none_or(|name| entry.thing.name == name);
        let object = (inside && named)
            .then(|| render::object(&entry.thing, entry.version, self.about, self.calendar))?;
        self.selector.fits(&object).then_some(object)
    }

    /// What a change means to whoever sees only what passes: who no longer fits is gone.
    fn sift(&self, change: &Change) -> Option<(&'static str, Value)> {
        match (self.pass(change.before.as_ref()), self.pass(change.after.as_ref())) {
            (None, None) => None,
            (None, Some(after)) => Some(("ADDED", after)),
            (Some(_), Some(after)) => Some(("MODIFIED", after)),
            (Some(mut before), None) => {
                before["metadata"]["resourceVersion"] = json!(change.version.to_string());
                Some(("DELETED", before))
            }
        }
    }
}
