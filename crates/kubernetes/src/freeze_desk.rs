//! Reads `Freeze` objects and says on them whether they hold, where that may be written. What follows from them is in `freezes`.

use crate::clock::{RunClock, Wall};
use crate::crd::{GROUP, VERSION};
use crate::fence::Fence;
use crate::freezes::{self, Answer, CONDITION, FreezeFact, Ledger, Now};
use crate::log;
use crate::observe::cache::Cache;
use crate::observe::watch::Watch;
use crate::settings::Settings;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use model::order::{Order, StandingFreeze};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::runtime::Handle;

/// The same answer is written again after so long at the earliest, if the object still does not carry it.
const PATIENCE_MS: u64 = 30_000;

/// The objects, and what the desk makes of them.
pub(crate) struct FreezeDesk {
    cache: Cache<FreezeFact>,
    ledger: Ledger,
    api: Api<DynamicObject>,
    /// Nothing is written where nothing may be changed.
    may_answer: bool,
    fence: Fence,
    given: BTreeMap<String, (Answer, Wall)>,
}

fn resource() -> ApiResource {
    ApiResource {
        group: GROUP.to_owned(),
        version: VERSION.to_owned(),
        api_version: format!("{GROUP}/{VERSION}"),
        kind: "Freeze".to_owned(),
        plural: "freezes".to_owned(),
    }
}

impl FreezeDesk {
    /// Begins to follow the objects of a namespace; must be called within the runtime.
    pub(crate) fn follow(client: Client, namespace: &str, settings: &Settings) -> Self {
        let cache = Cache::default();
        let api: Api<DynamicObject> = Api::namespaced_with(client, namespace, &resource());
        let watch = Watch {
            api: api.clone(),
            place: format!("namespace {namespace}"),
            plural: resource().plural,
            fact: freezes::fact,
            cache: cache.clone(),
            timeouts: settings.timeouts,
        };
        tokio::spawn(watch.run());
        Self {
            cache,
            ledger: Ledger::default(),
            api,
            may_answer: settings.act,
            fence: settings.fence.clone(),
            given: BTreeMap::new(),
        }
    }

    pub(crate) fn told(&mut self, standing: &[StandingFreeze]) {
        self.ledger.told(standing);
    }

    /// What the desk is to do next, if anything. Before all objects were read once, nothing is missing.
    pub(crate) fn next_order(&mut self, clock: &RunClock, runtime: &Handle) -> Option<Order> {
        self.cache.pulse().in_sync_since?;
        let (facts, now) = (self.cache.facts(), Now { wall: Wall::now(), origin: clock.origin() });
        for (fact, answer) in self.ledger.answers(&facts, now) {
            self.answer(&fact, &answer, now.wall, runtime);
        }
        self.ledger.next_order(&facts, now)
    }

    fn answer(&mut self, fact: &FreezeFact, answer: &Answer, now: Wall, runtime: &Handle) {
        let lately = self.given.get(&fact.name);
        let is_new = lately.is_none_or(|(former, _)| former != answer);
        if !is_new && lately.is_some_and(|(_, at)| now.since(*at) < PATIENCE_MS) {
            return;
        }
        if is_new && answer.reason == "Invalid" {
            log::note(&format!("the Freeze object {} has no effect: {}", fact.name, answer.message));
        }
        self.given.insert(fact.name.clone(), (answer.clone(), now));
        if self.may_answer && self.fence.is_open() {
            let (api, name, patch) = (self.api.clone(), fact.name.clone(), patch(fact, answer, now));
            runtime.spawn(async move {
                // What was not taken is written again later.
                let _ = api.patch_status(&name, &PatchParams::default(), &Patch::Merge(&patch)).await;
            });
        }
    }
}

fn patch(fact: &FreezeFact, answer: &Answer, now: Wall) -> serde_json::Value {
    let at = Timestamp::from_millisecond(now.0).ok().map(Time);
    json!({ "status": { "conditions": [{
        "type": CONDITION,
        "status": if answer.holds { "True" } else { "False" },
        "reason": answer.reason,
        "message": answer.message,
        "lastTransitionTime": at,
        "observedGeneration": fact.generation,
    }] } })
}
