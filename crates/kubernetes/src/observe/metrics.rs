//! What metrics-server says about nodes and pods.

use super::measured::{Measured, Value};
use super::requests;
use crate::clock::Wall;
use crate::trouble::Trouble;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use kube::Client;
use model::signal::Signal;
use serde::Deserialize;
use std::collections::BTreeMap;

const NODES: &str = "/apis/metrics.k8s.io/v1beta1/nodes";
const PODS: &str = "/apis/metrics.k8s.io/v1beta1/pods";

#[derive(Deserialize)]
pub(crate) struct List {
    #[serde(default)]
    items: Vec<Item>,
}

/// A node has its usage itself, a pod has that of its containers.
#[derive(Deserialize)]
struct Item {
    metadata: ObjectMeta,
    timestamp: Time,
    #[serde(default)]
    usage: BTreeMap<String, Quantity>,
    #[serde(default)]
    containers: Vec<ContainerUsage>,
}

#[derive(Deserialize)]
struct ContainerUsage {
    #[serde(default)]
    usage: BTreeMap<String, Quantity>,
}

/// Asks for both lists; a cluster without metrics-server measures nothing.
pub(crate) async fn ask(client: &Client) -> Result<Measured, Trouble> {
    let (nodes, pods) = tokio::join!(list(client, NODES), list(client, PODS));
    Ok(measured(&nodes?, &pods?))
}

async fn list(client: &Client, path: &str) -> Result<List, Trouble> {
    let request = http::Request::get(path).body(Vec::new()).expect("a fixed path makes a request");
    client.request(request).await.map_err(|error| Trouble::of(&error))
}

pub(crate) fn measured(nodes: &List, pods: &List) -> Measured {
    let mut measured = Measured::default();
    for item in &nodes.items {
        let values = measured.nodes.entry(item.metadata.name.clone().unwrap_or_default()).or_default();
        note(values, &item.usage, item.at());
    }
    for item in &pods.items {
        let key = (
            item.metadata.namespace.clone().unwrap_or_default(),
            item.metadata.name.clone().unwrap_or_default(),
        );
        let mut sum = BTreeMap::new();
        for container in &item.containers {
            add(&mut sum, &container.usage);
        }
        let values = measured.pods.entry(key).or_default();
        for (signal, value) in sum {
            values.note(signal, Value { value, at: item.at() });
        }
    }
    measured
}

fn note(values: &mut super::measured::Values, usage: &BTreeMap<String, Quantity>, at: Wall) {
    let mut sum = BTreeMap::new();
    add(&mut sum, usage);
    for (signal, value) in sum {
        values.note(signal, Value { value, at });
    }
}

fn add(sum: &mut BTreeMap<Signal, f64>, usage: &BTreeMap<String, Quantity>) {
    if let Some(cpu) = usage.get("cpu") {
        *sum.entry(Signal::CpuUsage).or_default() += requests::cpu(Some(cpu)).0 as f64 / 1_000.0;
    }
    if let Some(memory) = usage.get("memory") {
        *sum.entry(Signal::MemoryUsage).or_default() += requests::memory(Some(memory)).0 as f64;
    }
}

impl Item {
    fn at(&self) -> Wall {
        super::facts::wall(Some(&self.timestamp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pod_uses_what_its_containers_use() {
        let list =
            |value: serde_json::Value| serde_json::from_value::<List>(json!({ "items": [value] })).unwrap();
        let usage = |cpu: &str| json!({ "usage": { "cpu": cpu, "memory": "1Mi" } });
        let pod = list(
            json!({ "metadata": { "name": "web-1", "namespace": "shop" }, "timestamp": "1970-01-01T00:00:05Z",
            "window": "15s", "containers": [usage("250m"), usage("1")] }),
        );
        let node = list(json!({ "metadata": { "name": "n1" }, "timestamp": "1970-01-01T00:00:07Z",
            "usage": { "cpu": "1500000000n", "memory": "2Ki" } }));
        let measured = measured(&node, &pod);
        let values = &measured.pods[&("shop".to_owned(), "web-1".to_owned())];
        assert_eq!(values.get(Signal::CpuUsage), Some(Value { value: 1.25, at: Wall(5_000) }));
        assert_eq!(values.get(Signal::MemoryUsage).unwrap().value, 2_097_152.0);
        assert_eq!(measured.nodes["n1"].get(Signal::CpuUsage), Some(Value { value: 1.5, at: Wall(7_000) }));
    }
}
