//! What KWOK is told to do with nodes and pods: its own stages, and one of ours.

use crate::error::Error;
use crate::files;
use crate::wait::Look;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

const POD_READY: &str = include_str!("../stages/pod-ready.yaml");

/// Where KWOK listens for all of its nodes.
pub(crate) const NODE_IP: &str = "127.0.0.1";

/// One file with all of them; `assets` are KWOK's own.
pub(crate) fn text(assets: &Path, ready_after: Duration) -> Result<String, Error> {
    let milliseconds = ready_after.as_millis().to_string();
    let mut documents = vec![POD_READY.replace("READY_AFTER_MILLISECONDS", &milliseconds)];
    for file in files::entries(assets) {
        documents.push(files::read(&file)?);
    }
    Ok(documents.join("---\n"))
}

/// A node as somebody would register it who has one. It brings both of its addresses: where one of them is missing, KWOK
/// takes the other away from a node that was given up and reports again, and nobody measures it any more.
pub(crate) fn node(cluster: &str, number: u16, cpu: &str, memory: &str, pods: u16) -> Value {
    let name = node_name(cluster, number);
    let room = json!({ "cpu": cpu, "memory": memory, "pods": pods.to_string() });
    let addresses =
        json!([{ "type": "InternalIP", "address": NODE_IP }, { "type": "Hostname", "address": name }]);
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "annotations": {
                "kwok.x-k8s.io/node": "fake",
                "metrics.k8s.io/resource-metrics-path": metrics_path(&name),
            },
            "labels": {
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "topology.kubernetes.io/region": cluster,
                "type": "kwok",
            },
        },
        "status": { "addresses": addresses, "allocatable": room, "capacity": room },
    })
}

pub(crate) fn node_name(cluster: &str, number: u16) -> String {
    format!("{cluster}-node{number}")
}

/// Where KWOK tells how much the pods of a node use.
pub(crate) fn metrics_path(node: &str) -> String {
    format!("/metrics/nodes/{node}/metrics/resource")
}

/// Whether all of this many nodes can take pods. A node is closed at first, until a controller has seen it ready; whoever
/// brings workloads earlier gets them all onto the node that was first.
pub(crate) fn all_ready(list: &Value, wanted: u16) -> Look<()> {
    let nodes = list["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ready = nodes.iter().filter(|node| is_ready(node)).count();
    if ready >= usize::from(wanted) { Look::Done(()) } else { Look::NotYet(format!("{ready} of {wanted}")) }
}

fn is_ready(node: &Value) -> bool {
    let conditions = node["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let open = node["spec"]["taints"].as_array().is_none_or(Vec::is_empty);
    open && conditions.iter().any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(nodes: &Value, expected: &str) {
        let said = match all_ready(&json!({ "items": nodes }), 2) {
            Look::Done(()) => "ready".to_owned(),
            Look::NotYet(said) => said,
            Look::Never(error) => error.to_string(),
        };
        assert_eq!(said, expected, "{nodes}");
    }

    #[test]
    fn nodes_count_when_they_are_ready_and_open() {
        let ready = json!({ "status": { "conditions": [{ "type": "Ready", "status": "True" }] } });
        let late = json!({ "status": { "conditions": [{ "type": "Ready", "status": "False" }] } });
        let mut closed = ready.clone();
        closed["spec"]["taints"] = json!([{ "key": "node.kubernetes.io/not-ready" }]);
        check(&json!([]), "0 of 2");
        check(&json!([ready, late]), "1 of 2");
        check(&json!([ready, closed]), "1 of 2");
        check(&json!([ready, ready]), "ready");
    }

    #[test]
    fn the_delay_is_filled_in() {
        let text = text(Path::new("no-such-folder"), Duration::from_millis(2_500)).unwrap();
        assert!(text.contains("durationMilliseconds: 2500"), "{text}");
    }
}
