//! Things, written as Kubernetes objects.

mod batch;
pub(super) mod node;
pub(super) mod pod;
pub(super) mod policy;
mod workload;

use super::calendar::Calendar;
use super::kinds::{About, Resource};
use super::thing::{EventFacts, Facts, Reference, Texts, Thing};
use model::quantity::{Bytes, MilliCpu};
use serde_json::{Map, Value, json};
use simulator::controllers::int_or_percent::IntOrPercent;
use simulator::kube::{self, ResourceList};

/// One thing as an object of the API group that it was asked for in.
pub(super) fn object(thing: &Thing, version: u64, about: &About, calendar: Calendar) -> Value {
    let writer = Writer { thing, calendar };
    let body = match &thing.facts {
        Facts::Namespace => {
            json!({ "spec": { "finalizers": ["kubernetes"] }, "status": { "phase": "Active" } })
        }
        Facts::Node(node) => writer.node(node),
        Facts::Pod(facts) => writer.pod(facts),
        Facts::Deployment { workload, counts } => writer.deployment(workload, *counts),
        Facts::ReplicaSet(facts) => writer.replica_set(facts),
        Facts::StatefulSet { workload, counts } => writer.stateful_set(workload, *counts),
        Facts::DaemonSet { workload, counts } => Writer::daemon_set(workload, *counts),
        Facts::Job(facts) => writer.job(facts),
        Facts::CronJob { workload, active } => writer.cron_job(workload, active),
        Facts::Horizontal { workload, counts } => Writer::horizontal(workload, *counts),
        Facts::Budget { budget, selector } => writer.budget(budget, selector),
        Facts::Event(facts) if about.group.is_empty() => writer.event(facts),
        Facts::Event(facts) => writer.new_event(facts),
    };
    let mut object = json!({
        "apiVersion": about.api_version(),
        "kind": about.kind,
        "metadata": writer.metadata(version),
    });
    merge(&mut object, body);
    object
}

/// Adds the fields of one object to another; objects within them are joined.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

/// Writes one thing.
struct Writer<'a> {
    thing: &'a Thing,
    calendar: Calendar,
}

impl Writer<'_> {
    fn date(&self, at: model::time::Timestamp) -> String {
        self.calendar.date(at)
    }

    fn metadata(&self, version: u64) -> Value {
        let thing = self.thing;
        let mut metadata = json!({
            "name": thing.name,
            "uid": thing.uid,
            "resourceVersion": version.to_string(),
            "creationTimestamp": self.date(thing.created_at),
        });
        if !thing.namespace.is_empty() {
            metadata["namespace"] = json!(thing.namespace);
        }
        if !thing.labels.is_empty() {
            metadata["labels"] = json!(thing.labels);
        }
        if !thing.notes.is_empty() {
            metadata["annotations"] = json!(thing.notes);
        }
        if let Some(owner) = &thing.owner {
            metadata["ownerReferences"] = json!([owner_reference(owner)]);
        }
        metadata
    }

    fn event(&self, facts: &EventFacts) -> Value {
        let at = self.date(self.thing.created_at);
        json!({
            "involvedObject": pointer(&facts.about),
            "reason": facts.reason,
            "message": facts.message,
            "type": kind_of_event(facts),
            "source": { "component": facts.by },
            "reportingComponent": facts.by,
            "reportingInstance": "",
            "firstTimestamp": at,
            "lastTimestamp": at,
            "eventTime": null,
            "count": 1,
        })
    }

    /// The same in the newer group.
    fn new_event(&self, facts: &EventFacts) -> Value {
        let at = self.date(self.thing.created_at);
        json!({
            "regarding": pointer(&facts.about),
            "reason": facts.reason,
            "note": facts.message,
            "type": kind_of_event(facts),
            "reportingController": facts.by,
            "reportingInstance": "",
            "eventTime": self.calendar.precise_date(self.thing.created_at),
            "deprecatedSource": { "component": facts.by },
            "deprecatedFirstTimestamp": at,
            "deprecatedLastTimestamp": at,
            "deprecatedCount": 1,
        })
    }
}

const fn kind_of_event(facts: &EventFacts) -> &'static str {
    if facts.warns { "Warning" } else { "Normal" }
}

fn owner_reference(owner: &Reference) -> Value {
    let about = owner.resource.about();
    json!({
        "apiVersion": about.api_version(), "kind": about.kind, "name": owner.name, "uid": owner.uid,
        "controller": true, "blockOwnerDeletion": true,
    })
}

/// How one object names another.
fn pointer(to: &Reference) -> Value {
    let about = to.resource.about();
    let mut pointer = json!({
        "apiVersion": about.api_version(), "kind": about.kind, "name": to.name, "uid": to.uid,
    });
    if !to.namespace.is_empty() {
        pointer["namespace"] = json!(to.namespace);
    }
    // The events of a node carry its name in this place, and `kubectl describe node` looks for that.
    if to.resource == Resource::Nodes {
        pointer["uid"] = json!(to.name);
    }
    pointer
}

/// Amounts as texts.
fn amounts(list: &ResourceList) -> Value {
    let text = |(name, amount): (&String, &i64)| {
        let whole = u64::try_from(*amount).unwrap_or(0);
        let text = match name.as_str() {
            kube::CPU => MilliCpu(whole).to_string(),
            kube::MEMORY | kube::EPHEMERAL_STORAGE => Bytes(whole).to_string(),
            name if name.starts_with(kube::HUGE_PAGES_PREFIX) => Bytes(whole).to_string(),
            _ => amount.to_string(),
        };
        (name.clone(), Value::String(text))
    };
    Value::Object(list.0.iter().map(text).collect::<Map<_, _>>())
}

fn selector(labels: &Texts) -> Value {
    json!({ "matchLabels": labels })
}

fn count_or_share(bound: IntOrPercent) -> Value {
    match bound {
        IntOrPercent::Count(count) => json!(count),
        IntOrPercent::Percent(percent) => json!(format!("{percent}%")),
    }
}

/// A condition as every status lists them.
fn condition(kind: &str, holds: bool, reason: &str, message: &str, since: &str) -> Value {
    json!({
        "type": kind,
        "status": if holds { "True" } else { "False" },
        "reason": reason,
        "message": message,
        "lastTransitionTime": since,
        "lastUpdateTime": since,
    })
}
