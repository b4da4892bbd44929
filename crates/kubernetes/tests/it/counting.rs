//! Somebody who counts ready replicas over both members the whole time, by watching and not by asking now and then.

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::apps::v1::Deployment;
use kube::Client;
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinHandle;

#[derive(Default)]
struct Counts {
    /// Nothing while a server is away: what was ready there before says nothing about now.
    ready: [Option<u32>; 2],
    least: Option<u32>,
}

pub(crate) struct Counter {
    counts: Arc<Mutex<Counts>>,
    watches: Vec<JoinHandle<()>>,
}

impl Counter {
    /// Begins when both members were listed.
    pub(crate) async fn begin(members: [Client; 2], namespace: &str, name: &str) -> Self {
        let counts = Arc::<Mutex<Counts>>::default();
        let mut watches = Vec::new();
        for (place, client) in members.into_iter().enumerate() {
            let api: Api<Deployment> = Api::namespaced(client, namespace);
            let listed = api.list(&ListParams::default()).await.unwrap();
            let there = listed.items.iter().find(|one| one.metadata.name.as_deref() == Some(name));
            counts.lock().unwrap().know(place, Some(there.map_or(0, ready)));
            let version = listed.metadata.resource_version.unwrap();
            watches.push(tokio::spawn(watch(api, version, name.to_owned(), place, Arc::clone(&counts))));
        }
        Self { counts, watches }
    }

    /// The fewest that were ever ready at the same time, as far as both servers could say so.
    pub(crate) fn least(&self) -> u32 {
        self.counts.lock().unwrap().least.unwrap()
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.watches.iter().for_each(JoinHandle::abort);
    }
}

impl Counts {
    fn know(&mut self, place: usize, ready: Option<u32>) {
        self.ready[place] = ready;
        if let [Some(one), Some(other)] = self.ready {
            self.least = Some(self.least.map_or(one + other, |least| least.min(one + other)));
        }
    }
}

fn ready(deployment: &Deployment) -> u32 {
    let ready = deployment.status.as_ref().and_then(|status| status.ready_replicas).unwrap_or(0);
    u32::try_from(ready).unwrap()
}

async fn watch(
    api: Api<Deployment>,
    version: String,
    name: String,
    place: usize,
    counts: Arc<Mutex<Counts>>,
) {
    let mut version = Some(version);
    loop {
        let begun = match &version {
            Some(version) => api.watch(&WatchParams::default().timeout(280), version).await.ok(),
            None => None,
        };
        match begun {
            Some(stream) => follow(stream.boxed(), &name, place, &counts).await,
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        // The server is away, or was: what it says when it is back is the next that is known.
        counts.lock().unwrap().know(place, None);
        version = api.list(&ListParams::default()).await.ok().and_then(|listed| {
            let there = listed.items.iter().find(|one| one.metadata.name.as_deref() == Some(&name));
            counts.lock().unwrap().know(place, Some(there.map_or(0, ready)));
            listed.metadata.resource_version
        });
    }
}

/// Until the watch ends.
async fn follow(
    mut stream: BoxStream<'_, kube::Result<WatchEvent<Deployment>>>,
    name: &str,
    place: usize,
    counts: &Mutex<Counts>,
) {
    while let Ok(Some(event)) = stream.try_next().await {
        let (object, gone) = match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => (object, false),
            WatchEvent::Deleted(object) => (object, true),
            WatchEvent::Error(_) => return,
            WatchEvent::Bookmark(_) => continue,
        };
        if object.metadata.name.as_deref() == Some(name) {
            counts.lock().unwrap().know(place, Some(if gone { 0 } else { ready(&object) }));
        }
    }
}
