//! Every simulated cluster through a part of the Kubernetes API, for an unmodified `kubectl` and for programs that speak it.
//!
//! ```text
//!  world ──inventory──► things ──compared──► register (versions, changes) ──► render ──► objects, tables, watches
//!    ▲                                                                                        │
//!    └── office, noted in the record ◄── intervention ◄── what a patch, scale, delete or eviction means
//! ```
//!
//! Nothing here is part of the desk's own API: the description of that names none of it.

mod age;
mod answer;
mod calendar;
mod change;
mod columns;
mod discovery;
mod events;
#[cfg(any(test, feature = "testing"))]
pub mod hostile;
mod kinds;
mod metrics;
mod naming;
mod patch;
mod read;
mod register;
mod render;
mod request;
mod selector;
mod serve;
pub(crate) mod state;
mod table;
mod thing;
mod things;
mod watch;

pub(crate) use answer::as_status;
pub(crate) use serve::{INDEX, endpoints};

use crate::entrance::encryption::{Encryption, EncryptionError};
use crate::office::Onlooker;
use calendar::Calendar;
use model::names::ClusterName;
use register::Register;
use simulator::scenario::WorldSpec;
use simulator::world::SimulatedWorld;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thing::{Key, Texts};
use tokio::sync::watch as channel;

/// The Kubernetes API of all clusters.
pub(crate) struct KubeApi {
    /// In the order of the scenario.
    clusters: Vec<ClusterApi>,
    /// As `/version` says it: 1.35.
    version: String,
    /// How long the scenario is, in milliseconds.
    duration_ms: i64,
    /// When the run began, in milliseconds since 1970.
    began_ms: AtomicI64,
    /// Without it `kubectl` says nobody's name.
    encryption: Encryption,
}

/// One cluster as it was last looked at.
pub(crate) struct ClusterApi {
    name: ClusterName,
    register: Mutex<Register>,
    /// The newest version, for those who watch.
    newest: channel::Sender<u64>,
    /// How many watch. While nobody does, nobody looks at the world after each step.
    watchers: AtomicUsize,
}

/// Somebody who watches a cluster, until it is dropped.
struct Watching(Arc<KubeApi>, usize);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.clusters[self.1].watchers.fetch_sub(1, Ordering::AcqRel);
    }
}

impl KubeApi {
    pub(crate) fn new(world: &WorldSpec) -> Result<Self, EncryptionError> {
        let version = serde_json::to_value(world.kubernetes).ok();
        let version = version.and_then(|version| version.as_str().map(str::to_owned)).unwrap_or_default();
        let cluster = |name: &ClusterName| ClusterApi {
            name: name.clone(),
            register: Mutex::default(),
            newest: channel::Sender::new(0),
            watchers: AtomicUsize::new(0),
        };
        Ok(Self {
            clusters: world.clusters.iter().map(|spec| cluster(&spec.name)).collect(),
            version,
            duration_ms: i64::try_from(world.duration.as_millis()).unwrap_or(i64::MAX),
            began_ms: AtomicI64::new(0),
            encryption: Encryption::new()?,
        })
    }

    /// How connections to it are encrypted.
    pub(crate) fn encryption(&self) -> Encryption {
        self.encryption.clone()
    }

    /// The run began at this time of the real clock.
    pub(crate) fn began(&self, wall_ms: i64) {
        self.began_ms.store(wall_ms, Ordering::Release);
    }

    /// Looks at the clusters that somebody watches whenever the world may have changed.
    pub(crate) fn onlooker(api: &Arc<Self>) -> Onlooker {
        let api = Arc::clone(api);
        Arc::new(move |world| {
            for cluster in api.clusters.iter().filter(|one| one.watchers.load(Ordering::Acquire) > 0) {
                cluster.look(world);
            }
        })
    }

    /// The clusters' clock. It ends when the run began, so that nothing lies in the future of whoever looks, however fast time runs.
    fn calendar(&self) -> Calendar {
        Calendar::starting(self.began_ms.load(Ordering::Acquire).saturating_sub(self.duration_ms))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.clusters.iter().position(|cluster| cluster.name.as_str() == name)
    }

    fn watch(api: &Arc<Self>, cluster: usize) -> Watching {
        api.clusters[cluster].watchers.fetch_add(1, Ordering::AcqRel);
        Watching(Arc::clone(api), cluster)
    }
}

impl ClusterApi {
    /// Notes what has changed since the last look.
    fn look(&self, world: &SimulatedWorld) {
        let mut register = self.register();
        if register.has_seen(world.events()) {
            return;
        }
        let Some(inventory) = world.inventory(&self.name) else { return };
        let things = things::of(&self.name, &inventory);
        register.note(world.events(), world.now(), things);
        self.newest.send_replace(register.newest());
    }

    /// Writes something on a thing that somebody read.
    fn annotate(&self, key: &Key, version: Option<u64>, notes: Texts) -> bool {
        let mut register = self.register();
        let done = register.annotate(key, version, notes);
        self.newest.send_replace(register.newest());
        done
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
