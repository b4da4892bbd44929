//! Nodes.

use super::{Writer, amounts};
use serde_json::{Value, json};
use simulator::kube::{Taint, TaintEffect};
use simulator::world::NodeObject;

/// What Kubernetes puts on a node that takes no pods.
pub(in crate::kube_api) const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";

pub(in crate::kube_api) const OS_IMAGE: &str = "simulated by Drover";
pub(in crate::kube_api) const KERNEL: &str = "simulated";
pub(in crate::kube_api) const RUNTIME: &str = concat!("drover://", env!("CARGO_PKG_VERSION"));
pub(in crate::kube_api) const VERSION: &str = concat!("drover-", env!("CARGO_PKG_VERSION"));

/// What a node says of how full it is; no simulated one is ever too full.
pub(in crate::kube_api) const PRESSURES: [&str; 3] = ["MemoryPressure", "DiskPressure", "PIDPressure"];

/// Where a node comes from.
pub(in crate::kube_api) fn provider(node: &NodeObject) -> String {
    format!("drover://{}/{}", node.pool, node.name)
}

impl Writer<'_> {
    pub(super) fn node(&self, node: &NodeObject) -> Value {
        json!({ "spec": node_spec(node), "status": self.node_status(node) })
    }

    fn node_status(&self, node: &NodeObject) -> Value {
        json!({
            "capacity": amounts(&node.node.status.capacity),
            "allocatable": amounts(&node.node.status.allocatable),
            "conditions": self.node_conditions(node.ready),
            "addresses": [{ "type": "Hostname", "address": node.name.as_str() }],
            "nodeInfo": {
                "architecture": "amd64", "operatingSystem": "linux", "osImage": OS_IMAGE,
                "kernelVersion": KERNEL, "containerRuntimeVersion": RUNTIME,
                "kubeletVersion": VERSION, "kubeProxyVersion": VERSION,
                "machineID": "", "systemUUID": "", "bootID": "",
            },
        })
    }

    fn node_conditions(&self, ready: bool) -> Value {
        let since = self.date(self.thing.created_at);
        let one = |kind: &str, status: &str, reason: &str, message: &str| {
            json!({
                "type": kind, "status": status, "reason": reason, "message": message,
                "lastHeartbeatTime": since, "lastTransitionTime": since,
            })
        };
        if !ready {
            let silent = |kind: &str| {
                one(kind, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
            };
            return PRESSURES.into_iter().chain(["Ready"]).map(silent).collect();
        }
        json!([
            one(
                "MemoryPressure",
                "False",
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available"
            ),
            one("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
            one("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
            one("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
        ])
    }
}

fn node_spec(node: &NodeObject) -> Value {
    let mut taints: Vec<Value> = node.node.spec.taints.iter().map(taint).collect();
    let mut spec = json!({ "providerID": provider(node) });
    if node.node.spec.unschedulable {
        spec["unschedulable"] = json!(true);
        taints.push(json!({ "key": UNSCHEDULABLE, "effect": "NoSchedule" }));
    }
    if !taints.is_empty() {
        spec["taints"] = json!(taints);
    }
    spec
}

fn taint(taint: &Taint) -> Value {
    let mut written = json!({ "key": taint.key, "effect": effect(taint.effect) });
    if !taint.value.is_empty() {
        written["value"] = json!(taint.value);
    }
    written
}

pub(in crate::kube_api) const fn effect(effect: TaintEffect) -> &'static str {
    match effect {
        TaintEffect::NoSchedule => "NoSchedule",
        TaintEffect::PreferNoSchedule => "PreferNoSchedule",
        TaintEffect::NoExecute => "NoExecute",
    }
}
