//! Reads `Agent` and `Guardrail` objects and says on them whether they are in force, where that may be written. What follows from them is
//! in `definitions`.

use crate::clock::Wall;
use crate::condition::{About, Answering};
use crate::crd::Kind;
use crate::definitions::{self, CONDITION, DefinitionFact, Ledger};
use crate::log;
use crate::observe::cache::Cache;
use crate::observe::watch::Watch;
use crate::settings::{DefinitionSettings, Settings};
use control::supply::Supply;
use kube::Client;
use kube::api::{Api, DynamicObject};
use std::collections::BTreeMap;
use tokio::runtime::Handle;

const KINDS: [Kind; 2] = [Kind::Agent, Kind::Guardrail];

/// The objects, and what the desk makes of them.
pub(crate) struct DefinitionDesk {
    kinds: BTreeMap<Kind, Followed>,
    ledger: Ledger,
}

struct Followed {
    cache: Cache<DefinitionFact>,
    answering: Answering,
}

impl DefinitionDesk {
    /// Begins to follow the objects of a namespace; must be called within the runtime.
    pub(crate) fn follow(client: &Client, found: &DefinitionSettings, settings: &Settings) -> Self {
        let follow = |kind: Kind| {
            let (cache, resource) = (Cache::default(), kind.resource());
            let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), &found.namespace, &resource);
            let watch = Watch {
                api: api.clone(),
                place: format!("namespace {}", found.namespace),
                plural: resource.plural,
                fact: definitions::fact,
                cache: cache.clone(),
                timeouts: settings.timeouts,
                optional: false,
            };
            tokio::spawn(watch.run());
            (kind, Followed { cache, answering: Answering::new(api, CONDITION, settings) })
        };
        Self { kinds: KINDS.map(follow).into(), ledger: Ledger::new(found.reader.clone()) }
    }

    pub(crate) fn told(&mut self, supply: &Supply) {
        self.ledger.told(supply);
    }

    /// What the desk is to take over, if anything. Before all objects of both kinds were read once, nothing is missing.
    pub(crate) fn next_supply(&mut self, runtime: &Handle) -> Option<Supply> {
        if self.kinds.values().any(|kind| kind.cache.pulse().in_sync_since.is_none()) {
            return None;
        }
        self.ledger.take(&self.kinds.iter().map(|(kind, one)| (*kind, one.cache.facts())).collect());
        let now = Wall::now();
        for (kind, fact, answer) in self.ledger.answers() {
            let about = About { name: &fact.name, generation: fact.generation };
            let Some(followed) = self.kinds.get_mut(&kind) else { continue };
            let is_new = followed.answering.answer(&about, &answer, now, runtime);
            if is_new && !answer.holds {
                let (kind, name) = (kind.name(), &fact.name);
                log::note(&format!("the {kind} object {name} has no effect: {}", answer.message));
            }
        }
        for followed in self.kinds.values_mut() {
            let facts = followed.cache.facts();
            followed.answering.forget(|name| facts.iter().any(|fact| fact.name == name));
        }
        self.ledger.next_supply()
    }
}
