//! Follows one kind of object in one cluster: a list, then every change, begun anew when the connection ends.
//!
//! The watcher of kube-rs keeps bookmarks to itself; here they count, because they are how a quiet cluster says that it is still
//! there.

use super::cache::{Cache, Key};
use crate::clock::Wall;
use crate::settings::Timeouts;
use crate::trouble::Trouble;
use futures_util::{StreamExt as _, TryStreamExt as _};
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use kube::{Client, Resource, ResourceExt as _};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// Objects in one page of a list: the size client-go uses, small enough for any server.
const PAGE: u32 = 500;

/// Waits between attempts double from the first to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What a busy server asks for is granted up to this; a cluster that is not heard for longer is a gap anyway.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// What is followed, and what is kept of it.
pub(crate) struct Watch<K, F> {
    pub(crate) api: Api<K>,
    /// For messages: `cluster member1`.
    pub(crate) place: String,
    /// For messages: `pods`.
    pub(crate) plural: String,
    pub(crate) fact: fn(&K) -> Option<F>,
    pub(crate) cache: Cache<F>,
    pub(crate) timeouts: Timeouts,
    /// Whether a server may not know the kind at all: there are none then.
    pub(crate) optional: bool,
}

impl<K, F> Watch<K, F>
where
    K: Resource + Clone + DeserializeOwned + Debug + Send + Sync + 'static,
    F: Send + Sync + 'static,
{
    pub(crate) fn of_all(
        client: Client,
        place: &str,
        fact: fn(&K) -> Option<F>,
        cache: Cache<F>,
        timeouts: Timeouts,
    ) -> Self
    where
        K::DynamicType: Default,
    {
        let plural = K::plural(&K::DynamicType::default()).into_owned();
        Self {
            api: Api::all(client),
            place: place.to_owned(),
            plural,
            fact,
            cache,
            timeouts,
            optional: false,
        }
    }

    /// Of a kind that not every server has.
    pub(crate) fn or_none(self) -> Self {
        Self { optional: true, ..self }
    }

    /// Goes on for as long as the world is watched.
    pub(crate) async fn run(self) {
        let mut wait = FIRST_WAIT;
        loop {
            match self.list().await {
                Ok(version) => {
                    wait = FIRST_WAIT;
                    self.follow(version).await;
                }
                Err(Trouble::Absent(_)) if self.optional => {
                    self.cache.replace(Wall::now(), BTreeMap::new());
                    tokio::time::sleep(Duration::from_millis(self.timeouts.watch.as_millis())).await;
                }
                Err(trouble) => {
                    self.cache.lost(self.told("list", &trouble));
                    tokio::time::sleep(wait.max(pause(&trouble))).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
    }

    /// All of them, page by page; the version to follow from.
    async fn list(&self) -> Result<String, Trouble> {
        let mut facts = BTreeMap::new();
        let mut parameters = ListParams::default().limit(PAGE);
        loop {
            let page = self.in_time(self.api.list(&parameters)).await?;
            for object in &page.items {
                facts.extend((self.fact)(object).map(|fact| (key(object), Arc::new(fact))));
            }
            let Some(token) = page.metadata.continue_.filter(|token| !token.is_empty()) else {
                self.cache.replace(Wall::now(), facts);
                return Ok(page.metadata.resource_version.unwrap_or_default());
            };
            parameters = ListParams::default().limit(PAGE).continue_token(&token);
        }
    }

    /// Watches again and again from where the last one ended, until the server no longer knows that place.
    async fn follow(&self, mut version: String) {
        let mut wait = FIRST_WAIT;
        loop {
            match self.watch_once(&mut version).await {
                Ok(()) => wait = FIRST_WAIT,
                Err(Trouble::Expired(_)) => return,
                Err(trouble) => {
                    self.cache.lost(self.told("watch", &trouble));
                    tokio::time::sleep(wait.max(pause(&trouble))).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
    }

    async fn watch_once(&self, version: &mut String) -> Result<(), Trouble> {
        let seconds = (self.timeouts.watch.as_millis() / 1_000).max(1) as u32;
        let parameters = WatchParams::default().timeout(seconds);
        let stream = self.in_time(self.api.watch(&parameters, version)).await?;
        self.cache.heard(Wall::now());
        let mut stream = stream.boxed();
        while let Some(event) = stream.try_next().await.map_err(|error| Trouble::of(&error))? {
            self.take(event, version)?;
        }
        Ok(())
    }

    fn take(&self, event: WatchEvent<K>, version: &mut String) -> Result<(), Trouble> {
        let now = Wall::now();
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                self.cache.put(now, key(&object), (self.fact)(&object));
                *version = object.resource_version().unwrap_or_default();
            }
            WatchEvent::Deleted(object) => {
                self.cache.put(now, key(&object), None);
                *version = object.resource_version().unwrap_or_default();
            }
            WatchEvent::Bookmark(bookmark) => {
                self.cache.heard(now);
                *version = bookmark.metadata.resource_version;
            }
            WatchEvent::Error(status) => return Err(Trouble::of(&kube::Error::Api(status))),
        }
        Ok(())
    }

    async fn in_time<T>(&self, request: impl Future<Output = Result<T, kube::Error>>) -> Result<T, Trouble> {
        let limit = Duration::from_millis(self.timeouts.request.as_millis());
        match tokio::time::timeout(limit, request).await {
            Ok(answer) => answer.map_err(|error| Trouble::of(&error)),
            Err(_) => Err(Trouble::late(limit)),
        }
    }

    fn told(&self, verb: &str, trouble: &Trouble) -> String {
        format!("cannot {verb} {} in {}: {}", self.plural, self.place, trouble.text())
    }
}

/// How long the server asked to be left alone, within reason.
fn pause(trouble: &Trouble) -> Duration {
    trouble.pause().unwrap_or_default().min(LONGEST_PAUSE)
}

fn key<K: Resource>(object: &K) -> Key {
    let metadata = object.meta();
    (metadata.namespace.clone().unwrap_or_default(), metadata.name.clone().unwrap_or_default())
}
