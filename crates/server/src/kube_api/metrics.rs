//! What nodes and pods use, as the metrics server would say it.

use super::answer::Refusal;
use super::calendar::Calendar;
use super::kinds::{About, Resource};
use super::register::Register;
use super::thing::{Facts, Thing};
use crate::clock::wall_ms;
use model::quantity::{Bytes, MilliCpu};
use model::time::Timestamp;
use serde_json::{Value, json};
use simulator::world::{UseObject, Uses};
use std::collections::BTreeMap;

/// A metrics server looks at the last minute; the simulator knows the moment. The interval is what clients expect to be told.
const WINDOW: &str = "60s";

/// Whom a measurement is about: the same things as elsewhere, with what they use.
pub(super) fn measured(
    register: &Register,
    uses: &Uses,
    about: &About,
    namespace: Option<&str>,
) -> Vec<Value> {
    let now = Calendar::starting(wall_ms()).date(Timestamp::EPOCH);
    if about.resource == Resource::NodeMetrics {
        let used: BTreeMap<&str, _> = uses.nodes.iter().map(|used| (used.of.as_str(), used)).collect();
        let rows = register.list(Resource::Nodes, None).into_iter().filter_map(|entry| {
            let used = used.get(entry.thing.name.as_str())?;
            let mut row = head(&entry.thing, about, &now);
            row["usage"] = usage(used.cpu, used.memory);
            Some(row)
        });
        return rows.collect();
    }
    let used: BTreeMap<u64, &UseObject<u64>> = uses.pods.iter().map(|used| (used.of, used)).collect();
    let pods = register.list(Resource::Pods, namespace).into_iter();
    pods.filter_map(|entry| pod(&entry.thing, &used, head(&entry.thing, about, &now))).collect()
}

/// What a pod uses is known as a whole; it is told of its first container.
fn pod(thing: &Thing, used: &BTreeMap<u64, &UseObject<u64>>, mut row: Value) -> Option<Value> {
    let Facts::Pod(facts) = &thing.facts else { return None };
    let used = used.get(&facts.pod.uid)?;
    let containers = facts.pod.template.0.pod.spec.containers.iter().enumerate();
    let of = |at| if at == 0 { usage(used.cpu, used.memory) } else { usage(MilliCpu(0), Bytes(0)) };
    row["containers"] = containers.map(|(at, one)| json!({ "name": one.name, "usage": of(at) })).collect();
    Some(row)
}

/// One of them.
pub(super) fn find(all: Vec<Value>, about: &About, name: &str) -> Result<Value, Refusal> {
    let found = all.into_iter().find(|row| row["metadata"]["name"] == name);
    found.ok_or_else(|| Refusal::not_found(&about.full_name(), name))
}

fn head(thing: &Thing, about: &About, now: &str) -> Value {
    let mut metadata = json!({ "name": thing.name, "creationTimestamp": now });
    if !thing.namespace.is_empty() {
        metadata["namespace"] = json!(thing.namespace);
    }
    if !thing.labels.is_empty() {
        metadata["labels"] = json!(thing.labels);
    }
    json!({
        "kind": about.kind, "apiVersion": about.api_version(), "metadata": metadata,
        "timestamp": now, "window": WINDOW,
    })
}

fn usage(cpu: MilliCpu, memory: Bytes) -> Value {
    json!({ "cpu": cpu.to_string(), "memory": memory.to_string() })
}
