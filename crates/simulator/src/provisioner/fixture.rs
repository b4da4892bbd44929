//! Small clusters for this room's tests, on top of those of the cluster autoscaler.

use super::*;
use crate::autoscaler::fixture::{Cluster, Group, replica, seconds};
use crate::autoscaler::{GroupId, PodOwner};
use crate::kube;
use crate::scheduler::{NodeId, PodId, TemplateId, ZONE_LABEL};
use model::money::MicroDollars;
use model::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// A cluster whose pools are instance types of one node pool unless said otherwise.
pub(super) struct Fleet {
    pub(super) cluster: Cluster,
    pub(super) catalogue: Catalogue,
    pub(super) config: ProvisionerConfig,
    pub(super) memory: ProvisionerMemory,
    pub(super) ladders: Ladders,
    pub(super) coming: Vec<OfferingId>,
    pub(super) disruption: BTreeMap<PodId, PodDisruption>,
    pub(super) quiet_since: BTreeMap<NodeId, Timestamp>,
    pub(super) version: u64,
}

/// A pod that says nothing about its disruption.
pub(super) const PLAIN: PodDisruption =
    PodDisruption { do_not_disrupt: false, deletion_cost: 0, reschedulable: true, active: true };

impl Fleet {
    /// Name, CPU in thousandths, memory in MiB, price in thousandths of a dollar.
    pub(super) fn new(types: &[(&str, i64, i64, i64)]) -> Self {
        let groups = types.iter().map(|&(name, cpu, memory, price)| {
            let mut group = Group::new(name, cpu, memory);
            group.price_per_hour = MicroDollars(price * 1000);
            group
        });
        let mut fleet = Self {
            cluster: Cluster::new(groups.collect()),
            catalogue: Catalogue::default(),
            config: ProvisionerConfig::default(),
            memory: ProvisionerMemory::default(),
            ladders: Ladders::new(),
            coming: Vec::new(),
            disruption: BTreeMap::new(),
            quiet_since: BTreeMap::new(),
            version: 0,
        };
        for index in 0..types.len() {
            fleet.offer(index, None, 0);
        }
        fleet
    }

    pub(super) fn offer(&mut self, group: usize, zone: Option<(u32, &str)>, node_pool: usize) {
        let mut node: kube::Node = self.cluster.groups[group].template.clone();
        if let Some((_, name)) = zone {
            node.metadata.labels.insert(ZONE_LABEL.to_owned(), name.to_owned());
        }
        self.catalogue.offerings.push(Offering {
            group: GroupId(group as u32),
            zone: zone.map(|(place, _)| place),
            node,
            node_pool,
            price_per_hour: self.cluster.groups[group].price_per_hour,
            spot: false,
        });
    }

    /// A template with its ladder.
    pub(super) fn template(&mut self, cpu: i64, memory: i64, spec: &Value) -> TemplateId {
        let id = self.cluster.special_template(cpu, memory, spec.clone());
        let requests = serde_json::json!({ "cpu": format!("{cpu}m"), "memory": format!("{memory}Mi") });
        let mut spec = spec.clone();
        spec["containers"] = serde_json::json!([{ "resources": { "requests": requests } }]);
        let pod = serde_json::json!({ "metadata": { "labels": { "app": "a" } }, "spec": spec });
        let pod: kube::Pod = serde_json::from_value(pod).unwrap();
        let nodes = self.cluster.groups.iter().map(|group| &group.template);
        let ladder = Ladder::new(&pod, nodes, &mut self.cluster.state);
        self.ladders.insert(id, ladder);
        id
    }

    /// A node of a pool with pods of these sizes, in thousandths of a core.
    pub(super) fn node(&mut self, group: usize, pods: &[i64]) -> NodeId {
        let node = self.cluster.add_node(group);
        for &cpu in pods {
            self.pod(node, cpu, PLAIN);
        }
        node
    }

    pub(super) fn pod(&mut self, node: NodeId, cpu: i64, disruption: PodDisruption) -> PodId {
        let template = self.cluster.template(cpu, 1);
        let pod = self.cluster.run(template, node, replica());
        self.disruption.insert(pod, disruption);
        pod
    }

    pub(super) fn daemon(&mut self, node: NodeId, cpu: i64) {
        let template = self.cluster.template(cpu, 1);
        let traits = crate::autoscaler::PodTraits { owner: PodOwner::Daemon, ..replica() };
        let pod = self.cluster.run(template, node, traits);
        self.disruption.insert(pod, PodDisruption { reschedulable: false, ..PLAIN });
    }

    /// Pods that wait, each as many as said, in thousandths of a core.
    pub(super) fn wait(&mut self, cpu: i64, count: u32) {
        let template = self.cluster.template(cpu, 1);
        self.cluster.wait(template, count);
    }

    pub(super) fn view<R>(&self, use_it: impl FnOnce(&ProvisionerView<'_>) -> R) -> R {
        self.cluster.view(|cluster| {
            let marked = vec![0; self.cluster.groups.len()];
            use_it(&ProvisionerView {
                cluster: *cluster,
                catalogue: &self.catalogue,
                coming: &self.coming,
                marked: &marked,
                daemons: &[],
                ladders: &self.ladders,
                disruption: &|pod| self.disruption[&pod],
                quiet_since: &|node| self.quiet_since.get(&node).copied().unwrap_or(Timestamp::EPOCH),
                version: self.version,
            })
        })
    }

    /// Names of the pools that get a node, and the zones.
    pub(super) fn provision(&mut self) -> (Vec<(String, Option<u32>)>, Provisioning) {
        let mut memory = std::mem::take(&mut self.memory);
        let done = self.view(|view| provision(seconds(100), &self.config, view, &mut memory));
        self.memory = memory;
        let named = |launch: &Launch| (self.cluster.groups[launch.group.index()].name.clone(), launch.zone);
        (done.launch.iter().map(named).collect(), done)
    }

    pub(super) fn disrupt(&mut self, at_second: u64) -> (Option<Command>, Vec<(NodeId, Kept)>) {
        let mut memory = std::mem::take(&mut self.memory);
        let done = self.view(|view| disrupt(seconds(at_second), &self.config, view, &mut memory));
        self.memory = memory;
        done
    }

    /// Looks, waits and looks again: the nodes that go and the pool of the node that comes.
    pub(super) fn consolidate(&mut self) -> Option<(Vec<NodeId>, Option<String>)> {
        assert_eq!(self.disrupt(100).0, None, "nothing happens at once");
        let command = self.disrupt(115).0?;
        let mut nodes = command.nodes.clone();
        nodes.sort();
        let name = |launch: Launch| self.cluster.groups[launch.group.index()].name.clone();
        Some((nodes, command.replacement.map(name)))
    }
}
