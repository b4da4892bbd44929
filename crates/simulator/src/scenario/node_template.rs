//! Turns a pool's description into the node that all its nodes are copies of.

use super::raw::{RawPool, RawTaint, RawTaintEffect};
use crate::kube;

/// A node without its name and zone; `cpu` and `memory` are what the system on it leaves for workloads.
pub(super) fn build(raw: &RawPool, cpu: u64, memory: u64) -> kube::Node {
    let amounts = |cpu: u64, memory: u64| -> kube::ResourceList {
        let pods = i64::from(raw.pods);
        let named = [(kube::CPU, cpu as i64), (kube::MEMORY, memory as i64), (kube::PODS, pods)];
        let further = raw.resources.iter().map(|(name, amount)| (name.as_str(), *amount as i64));
        further.chain(named).collect()
    };
    let taint = |taint: &RawTaint| kube::Taint {
        key: taint.key.clone(),
        value: taint.value.clone(),
        effect: match taint.effect {
            RawTaintEffect::NoSchedule => kube::TaintEffect::NoSchedule,
            RawTaintEffect::PreferNoSchedule => kube::TaintEffect::PreferNoSchedule,
            RawTaintEffect::NoExecute => kube::TaintEffect::NoExecute,
        },
    };
    let mut node = kube::Node::default();
    node.metadata.labels.clone_from(&raw.labels);
    node.spec.taints = raw.taints.iter().map(taint).collect();
    node.status.capacity = amounts(raw.cpu.0, raw.memory.0);
    node.status.allocatable = amounts(cpu, memory);
    node
}
