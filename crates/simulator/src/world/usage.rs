//! How much CPU pods really use, node by node, and what their hosts draw for it. Requests are promises; this is what
//! meters and metrics see. Kept only in worlds that measure something.

use super::cluster::Cluster;
use super::pods::PodKey;
use crate::scheduler::{NodeId, PodId};
use crate::telemetry::Gauge;
use model::energy::Milliwatts;
use model::quantity::MilliCpu;
use model::ratio::Ratio;
use model::signal::Milli;
use model::time::Timestamp;

/// Use in one cluster. Thousandths of a core and of a watt are also thousandths of the signals' units.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    pods: Vec<PodUse>,
    nodes: Vec<NodeUse>,
    cpu: Gauge,
    power: Gauge,
}

#[derive(Clone, Copy, Debug, Default)]
struct PodUse {
    cpu: Gauge,
    node: Option<NodeId>,
}

/// One node's CPU and power.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeUse {
    pub(crate) cpu: Gauge,
    pub(crate) power: Gauge,
}

impl Usage {
    pub(crate) fn pod(&self, pod: PodId) -> Option<&Gauge> {
        self.pods.get(pod.0 as usize).filter(|one| one.node.is_some()).map(|one| &one.cpu)
    }

    pub(crate) fn node(&self, node: NodeId) -> NodeUse {
        self.nodes.get(node.index()).copied().unwrap_or_default()
    }

    pub(crate) const fn cpu(&self) -> &Gauge {
        &self.cpu
    }

    /// Sets what a pod uses and returns the node whose use changed with it.
    fn set_pod(&mut self, now: Timestamp, pod: PodId, node: Option<NodeId>, cpu: Milli) -> Option<NodeId> {
        let index = pod.0 as usize;
        if self.pods.len() <= index {
            self.pods.resize(index + 1, PodUse::default());
        }
        let one = &mut self.pods[index];
        let (before, host) = (one.cpu.value(), node.or(one.node)?);
        match node {
            Some(_) if one.node == node => one.cpu.set(now, cpu),
            _ => {
                *one = PodUse { cpu: Gauge::default(), node };
                one.cpu.set(now, cpu);
            }
        }
        let NodeUse { cpu: on_node, .. } = self.node_mut(host);
        // What the pod used is part of both sums, so neither falls below zero.
        on_node.set(now, Milli(on_node.value().0 + cpu.0 - before.0));
        self.cpu.set(now, Milli(self.cpu.value().0 + cpu.0 - before.0));
        Some(host)
    }

    fn set_power(&mut self, now: Timestamp, node: NodeId, power: Milliwatts) {
        let on_node = &mut self.node_mut(node).power;
        let before = on_node.value();
        on_node.set(now, Milli(power.0));
        self.power.set(now, Milli(self.power.value().0 + power.0 - before.0));
    }

    fn node_mut(&mut self, node: NodeId) -> &mut NodeUse {
        if self.nodes.len() <= node.index() {
            self.nodes.resize(node.index() + 1, NodeUse::default());
        }
        &mut self.nodes[node.index()]
    }
}

impl Cluster {
    /// A pod on a node uses this much from now on.
    pub(crate) fn uses(&mut self, now: Timestamp, pod: PodKey, cpu: MilliCpu) {
        let record = self.pods.get(pod);
        let node = record.and_then(|record| record.node);
        if let (Some(record), Some(node), Some(shares)) = (record, node, &mut self.power_shares) {
            shares.join(node, pod.id, record.owner.workload, record.spec.each.cpu);
        }
        self.set_use(now, pod.id, node, cpu);
    }

    /// A pod uses nothing any more.
    pub(crate) fn uses_nothing(&mut self, now: Timestamp, pod: PodId) {
        self.set_use(now, pod, None, MilliCpu(0));
    }

    fn set_use(&mut self, now: Timestamp, pod: PodId, node: Option<NodeId>, cpu: MilliCpu) {
        let Some(usage) = &mut self.usage else { return };
        if let Some(host) = usage.set_pod(now, pod, node, Milli(cpu.0)) {
            if let (None, Some(shares)) = (node, &mut self.power_shares) {
                shares.leave(now, host, pod);
            }
            self.host_changed(now, host);
        }
    }

    /// A node came, went, or is used differently: what it draws is another.
    pub(crate) fn host_changed(&mut self, now: Timestamp, node: NodeId) {
        let Some(usage) = &self.usage else { return };
        let used = MilliCpu(usage.node(node).cpu.value().0);
        let power = self.node(node).map_or(Milliwatts(0), |record| {
            let host = &self.pools[record.pool].spec.host;
            if record.crashed { Milliwatts(0) } else { host.power(used) }
        });
        if let Some(usage) = &mut self.usage {
            usage.set_power(now, node, power);
        }
        if let Some(shares) = &mut self.power_shares {
            shares.host_changed(node);
        }
    }

    /// Whether it is known what any of its hosts draws.
    pub(crate) fn has_power(&self) -> bool {
        self.usage.is_some() && self.pools.iter().any(|pool| pool.spec.host.power.is_some())
    }

    /// What all nodes draw, those that are booting included.
    pub(crate) fn power(&self) -> Milliwatts {
        let Some(usage) = &self.usage else { return Milliwatts(0) };
        let booting = |pool: &super::nodes::Pool| pool.spec.host.idle().0 * pool.booting.len() as u64;
        Milliwatts(usage.power.value().0 + self.pools.iter().map(booting).sum::<u64>())
    }
}

impl crate::scenario::HostSpec {
    /// What one host draws while pods on it use this much; nothing if that is not known.
    pub(crate) fn power(&self, used: MilliCpu) -> Milliwatts {
        let busy = (used.0 + self.background.0).min(self.cpu.0);
        self.power.as_ref().map_or(Milliwatts(0), |model| model.power(Ratio::of(busy, self.cpu.0)))
    }

    pub(crate) fn idle(&self) -> Milliwatts {
        self.power(MilliCpu(0))
    }
}
