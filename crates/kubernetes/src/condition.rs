//! What an object of ours says about itself: one condition, written where that may be written and not more often than needed.

use crate::clock::Wall;
use crate::fence::Fence;
use crate::settings::Settings;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::runtime::Handle;

/// The same answer is written again after so long at the earliest, if the object still does not carry it.
const PATIENCE_MS: u64 = 30_000;

/// What a server takes in one message.
const LONGEST_MESSAGE: usize = 4_096;

/// What is said on the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) holds: bool,
    pub(crate) reason: String,
    pub(crate) message: String,
}

impl Answer {
    pub(crate) fn new(holds: bool, reason: &str, message: impl Into<String>) -> Self {
        let message: String = message.into();
        let message = match message.char_indices().nth(LONGEST_MESSAGE - 1) {
            Some((end, _)) => format!("{}…", &message[..end]),
            None => message,
        };
        Self { holds, reason: reason.to_owned(), message }
    }

    /// What an object says already.
    pub(crate) fn on(object: &DynamicObject, kind: &str) -> Option<Self> {
        let conditions = object.data.pointer("/status/conditions").and_then(Value::as_array)?;
        let own = conditions.iter().find(|one| one["type"] == kind)?;
        let text = |key: &str| own[key].as_str().unwrap_or_default();
        Some(Self::new(text("status") == "True", text("reason"), text("message")))
    }
}

/// Which object, in which state.
pub(crate) struct About<'a> {
    pub(crate) name: &'a str,
    pub(crate) generation: i64,
}

/// Writes answers on objects of one kind.
pub(crate) struct Answering {
    api: Api<DynamicObject>,
    /// The type of the condition.
    kind: &'static str,
    /// Nothing is written where nothing may be changed.
    may_answer: bool,
    fence: Fence,
    given: BTreeMap<String, (Answer, Wall)>,
}

impl Answering {
    pub(crate) fn new(api: Api<DynamicObject>, kind: &'static str, settings: &Settings) -> Self {
        Self { api, kind, may_answer: settings.act, fence: settings.fence.clone(), given: BTreeMap::new() }
    }

    /// Whether this is said for the first time.
    pub(crate) fn answer(&mut self, about: &About<'_>, answer: &Answer, now: Wall, runtime: &Handle) -> bool {
        let lately = self.given.get(about.name);
        let is_new = lately.is_none_or(|(former, _)| former != answer);
        if !is_new && lately.is_some_and(|(_, at)| now.since(*at) < PATIENCE_MS) {
            return false;
        }
        self.given.insert(about.name.to_owned(), (answer.clone(), now));
        if self.may_answer && self.fence.is_open() {
            let patch = patch(self.kind, about.generation, answer, now);
            let (api, name) = (self.api.clone(), about.name.to_owned());
            runtime.spawn(async move {
                // What was not taken is written again later.
                let _ = api.patch_status(&name, &PatchParams::default(), &Patch::Merge(&patch)).await;
            });
        }
        is_new
    }

    /// Objects that are gone need no memory.
    pub(crate) fn forget(&mut self, is_there: impl Fn(&str) -> bool) {
        self.given.retain(|name, _| is_there(name));
    }
}

fn patch(kind: &str, generation: i64, answer: &Answer, now: Wall) -> Value {
    let at = Timestamp::from_millisecond(now.0).ok().map(Time);
    json!({ "status": { "conditions": [{
        "type": kind,
        "status": if answer.holds { "True" } else { "False" },
        "reason": answer.reason,
        "message": answer.message,
        "lastTransitionTime": at,
        "observedGeneration": generation,
    }] } })
}
