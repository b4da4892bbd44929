//! Reads `Freeze` objects and says on them whether they hold, where that may be written. What follows from them is in `freezes`.

use crate::clock::{RunClock, Wall};
use crate::condition::{About, Answering};
use crate::crd;
use crate::freezes::{self, CONDITION, FreezeFact, Ledger, Now};
use crate::log;
use crate::observe::cache::Cache;
use crate::observe::watch::Watch;
use crate::settings::Settings;
use kube::Client;
use kube::api::{Api, DynamicObject};
use model::order::{Order, StandingFreeze};
use tokio::runtime::Handle;

/// The objects, and what the desk makes of them.
pub(crate) struct FreezeDesk {
    cache: Cache<FreezeFact>,
    ledger: Ledger,
    answering: Answering,
}

impl FreezeDesk {
    /// Begins to follow the objects of a namespace; must be called within the runtime.
    pub(crate) fn follow(client: Client, namespace: &str, settings: &Settings) -> Self {
        let (cache, resource) = (Cache::default(), crd::Kind::Freeze.resource());
        let api: Api<DynamicObject> = Api::namespaced_with(client, namespace, &resource);
        let watch = Watch {
            api: api.clone(),
            place: format!("namespace {namespace}"),
            plural: resource.plural,
            fact: freezes::fact,
            cache: cache.clone(),
            timeouts: settings.timeouts,
            optional: false,
        };
        tokio::spawn(watch.run());
        Self { cache, ledger: Ledger::default(), answering: Answering::new(api, CONDITION, settings) }
    }

    pub(crate) fn told(&mut self, standing: &[StandingFreeze]) {
        self.ledger.told(standing);
    }

    /// What the desk is to do next, if anything. Before all objects were read once, nothing is missing.
    pub(crate) fn next_order(&mut self, clock: &RunClock, runtime: &Handle) -> Option<Order> {
        self.cache.pulse().in_sync_since?;
        let (facts, now) = (self.cache.facts(), Now { wall: Wall::now(), origin: clock.origin() });
        for (fact, answer) in self.ledger.answers(&facts, now) {
            let about = About { name: &fact.name, generation: fact.generation };
            let is_new = self.answering.answer(&about, &answer, now.wall, runtime);
            if is_new && answer.reason == "Invalid" {
                log::note(&format!("the Freeze object {} has no effect: {}", fact.name, answer.message));
            }
        }
        self.answering.forget(|name| facts.iter().any(|fact| fact.name == name));
        self.ledger.next_order(&facts, now)
    }
}
