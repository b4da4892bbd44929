//! Tells on the workloads themselves what is recommended, approved and done to them: events of `events.k8s.io`, which
//! `kubectl describe` shows. Only made where acting is allowed; few, and never in the way of anything else.

use crate::act::order::Kind;
use crate::clock::{Tick, Wall};
use crate::connect::Clients;
use crate::fence::Fence;
use crate::log;
use control::world::Applied;
use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::Client;
use kube::api::{Api, DynamicObject, PostParams};
use model::action::Action;
use model::hash::ContentHash;
use model::names::WorkloadRef;
use model::recommendation::RecommendationId;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that may come at once, as client-go's spam filter has it; then one each second.
const BURST: u64 = 25;
const REFILL_MS: u64 = 1_000;

/// Events that wait to be written. More than the burst is only kept until the next refills.
const QUEUE: usize = 64;

/// The server's own limit.
const LONGEST_NOTE: usize = 1_024;

/// Who tells.
const CONTROLLER: &str = "drover.io/desk";

/// Something that happened to a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    id: RecommendationId,
    action: Action,
    reason: &'static str,
    is_warning: bool,
    note: String,
}

impl Told {
    pub(crate) fn recommended(id: RecommendationId, action: &Action, agent: &str) -> Self {
        Self::new(id, action, ("Recommended", false), &format!("{agent} recommends to {action} ({id})"))
    }

    pub(crate) fn approved(id: RecommendationId, action: &Action) -> Self {
        Self::new(id, action, ("Approved", false), &format!("approved, and now carried out: {action} ({id})"))
    }

    pub(crate) fn applied(id: RecommendationId, action: &Action, outcome: &Applied) -> Self {
        let done = if action.is_relocation() { "Moved" } else { "Applied" };
        match outcome {
            Applied::Done => Self::new(id, action, (done, false), &format!("done: {action} ({id})")),
            Applied::Failed { reason } => {
                Self::new(id, action, ("Failed", true), &format!("not done: {action} ({id}): {reason}"))
            }
            Applied::RolledBack { reason } => {
                let note = format!("taken back: {action} ({id}): {reason}");
                Self::new(id, action, ("RolledBack", true), &note)
            }
        }
    }

    fn new(
        id: RecommendationId,
        action: &Action,
        (reason, is_warning): (&'static str, bool),
        note: &str,
    ) -> Self {
        Self { id, action: action.clone(), reason, is_warning, note: shorten(note) }
    }

    fn event(&self, workload: &WorkloadRef, object: &DynamicObject, kind: Kind, now: Wall) -> Event {
        let metadata = &object.metadata;
        // Named like the object and the moment, as others do it.
        let unique = ContentHash::of(&(self.id, self.reason, now.0)).short();
        let name: String = workload.name().chars().take(200).collect();
        Event {
            metadata: ObjectMeta {
                name: Some(format!("{name}.{unique}")),
                namespace: Some(workload.namespace().to_owned()),
                ..ObjectMeta::default()
            },
            event_time: Timestamp::from_millisecond(now.0).ok().map(MicroTime),
            reporting_controller: Some(CONTROLLER.to_owned()),
            reporting_instance: Some("drover".to_owned()),
            action: Some("Review".to_owned()),
            reason: Some(self.reason.to_owned()),
            note: Some(self.note.clone()),
            type_: Some(if self.is_warning { "Warning" } else { "Normal" }.to_owned()),
            regarding: Some(ObjectReference {
                api_version: Some(kind.api_version()),
                kind: Some(kind.name().to_owned()),
                namespace: Some(workload.namespace().to_owned()),
                name: Some(workload.name().to_owned()),
                uid: metadata.uid.clone(),
                resource_version: metadata.resource_version.clone(),
                ..ObjectReference::default()
            }),
            ..Event::default()
        }
    }
}

/// Cut where a character begins.
fn shorten(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST_NOTE.min(text.len()));
    text[..end].to_owned()
}

/// How many may be written by now.
struct Bucket {
    left: u64,
    filled_at: Tick,
}

impl Bucket {
    const fn new(now: Tick) -> Self {
        Self { left: BURST, filled_at: now }
    }

    fn take(&mut self, now: Tick) -> bool {
        let drops = now.since(self.filled_at) / REFILL_MS;
        self.left = self.left.saturating_add(drops).min(BURST);
        self.filled_at = Tick(self.filled_at.0 + drops * REFILL_MS);
        let has = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has
    }
}

/// Where things are told; nobody waits for them to be written.
pub(crate) struct Teller(Sender<Told>);

impl Teller {
    /// Begins to write; must be called within the runtime.
    pub(crate) fn begin(clients: Arc<Clients>, fence: Fence, limit: Duration) -> Self {
        let (sender, receiver) = channel(QUEUE);
        tokio::spawn(Scribe { clients, fence, limit, bucket: Bucket::new(Tick::now()) }.work(receiver));
        Self(sender)
    }

    /// What does not fit into the queue is not told: events are for convenience, the record is at the desk.
    pub(crate) fn tell(&self, told: Told) {
        let _ = self.0.try_send(told);
    }
}

struct Scribe {
    clients: Arc<Clients>,
    fence: Fence,
    limit: Duration,
    bucket: Bucket,
}

impl Scribe {
    async fn work(mut self, mut receiver: Receiver<Told>) {
        let mut complained = false;
        while let Some(told) = receiver.recv().await {
            if !self.bucket.take(Tick::now()) || !self.fence.is_open() {
                continue;
            }
            let written = tokio::time::timeout(self.limit, self.write(&told)).await;
            if let (Ok(Err(error)), false) = (written, complained) {
                log::note(&format!("events cannot be written: {error}; drover doctor says what is missing"));
                complained = true;
            }
        }
    }

    async fn write(&self, told: &Told) -> Result<(), kube::Error> {
        let Some(workload) = told.action.workload() else { return Ok(()) };
        let Some(kind) = Kind::of_workload(workload.kind()) else { return Ok(()) };
        for client in self.places(&told.action) {
            let api: Api<DynamicObject> =
                Api::namespaced_with(client.clone(), workload.namespace(), &kind.resource());
            let Some(object) = api.get_opt(workload.name()).await? else { continue };
            let events: Api<Event> = Api::namespaced(client.clone(), workload.namespace());
            // The last moment before the request leaves.
            if !self.fence.is_open() {
                return Ok(());
            }
            let event = told.event(workload, &object, kind, Wall::now());
            return events.create(&PostParams::default(), &event).await.map(drop);
        }
        Ok(())
    }

    /// Where the workload may be: its template first, then the clusters that the action names.
    fn places(&self, action: &Action) -> Vec<&Client> {
        let members = action.clusters().into_iter().filter_map(|name| self.clients.members.get(name));
        self.clients.karmada.iter().chain(members).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::names::ClusterName;

    fn action() -> Action {
        Action::Migrate {
            workload: "shop/web".parse().unwrap(),
            from: ClusterName::new("a").unwrap(),
            to: ClusterName::new("b").unwrap(),
            replicas: 3,
        }
    }

    #[test]
    fn what_happens_has_a_reason_and_a_sentence() {
        let id = RecommendationId(7);
        let failed = Applied::Failed { reason: "no room".to_owned() };
        for (told, reason, note) in [
            (Told::recommended(id, &action(), "keeper"), "Recommended", "keeper recommends to migrate"),
            (Told::approved(id, &action()), "Approved", "approved, and now carried out: migrate"),
            (Told::applied(id, &action(), &Applied::Done), "Moved", "done: migrate"),
            (Told::applied(id, &action(), &failed), "Failed", "not done: migrate"),
        ] {
            assert!(told.reason == reason && told.note.starts_with(note), "{told:?}");
            assert!(told.note.contains("(R-7)"), "{told:?}");
        }
    }

    #[test]
    fn a_long_reason_is_cut_where_a_character_begins() {
        let outcome = Applied::RolledBack { reason: "ü".repeat(2_000) };
        let told = Told::applied(RecommendationId(1), &action(), &outcome);
        assert!(told.note.len() <= LONGEST_NOTE && told.note.ends_with('ü'));
    }

    #[test]
    fn a_burst_is_written_and_then_one_each_second() {
        let mut bucket = Bucket::new(Tick(0));
        assert_eq!((0..100).filter(|_| bucket.take(Tick(0))).count(), 25);
        assert!(!bucket.take(Tick(999)) && bucket.take(Tick(1_000)) && !bucket.take(Tick(1_999)));
        assert!(bucket.take(Tick(2_000)));
    }
}
