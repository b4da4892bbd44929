//! The cluster autoscaler at work in a cluster: shows it what it may see and does what it decides.

use super::SimulatedWorld;
use super::agenda::Event;
use super::cluster::Cluster;
use super::eviction::Drainer;
use super::nodes::Pool;
use super::pods::{Phase, PodRecord};
use crate::autoscaler::{
    AutoscalerConfig, AutoscalerMemory, BudgetId, ClusterView, Decisions, GroupId, GroupView, NodeView,
    PendingPods, PodOwner, PodTraits, Removing, scan,
};
use crate::kube;
use crate::randomness::Stream;
use crate::scenario::ClusterAutoscalerSpec;
use crate::scheduler::{PodId, TemplateId};
use model::names::WorkloadKind;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// The annotation with which a pod's owner forbids or allows its eviction.
const SAFE_TO_EVICT: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";

#[derive(Clone, Debug)]
pub(crate) struct Autoscaler {
    config: AutoscalerConfig,
    memory: AutoscalerMemory,
    chance: Stream,
}

impl Autoscaler {
    pub(crate) fn new(spec: &ClusterAutoscalerSpec, chance: Stream) -> Self {
        let config = AutoscalerConfig {
            scan_interval: spec.scan_every,
            scale_down_below: spec.scale_down_below,
            unneeded_for: spec.unneeded_for,
            delay_after_add: spec.delay_after_add,
            expanders: spec.expanders.clone(),
            ..AutoscalerConfig::default()
        };
        Self { config, memory: AutoscalerMemory::default(), chance }
    }

    pub(super) fn renew(&mut self, chance: Stream) {
        self.chance = chance;
    }

    /// A node could not be emptied.
    pub(crate) fn removal_failed(&mut self, now: Timestamp) {
        self.memory.removal_failed(now);
    }

    pub(crate) const fn scan_every(&self) -> Period {
        self.config.scan_interval
    }
}

impl SimulatedWorld {
    /// One look of a cluster's autoscaler.
    pub(super) fn autoscale(&mut self, index: usize) {
        let daemons = self.daemon_templates(index);
        let cluster = &mut self.clusters[index];
        let Some(mut autoscaler) = cluster.autoscaler.take() else { return };
        let decisions = cluster.decide(self.agenda.now(), &mut autoscaler, &daemons);
        self.agenda.after(autoscaler.scan_every(), Event::AutoscalerScans { cluster: index });
        cluster.autoscaler = Some(autoscaler);
        for increase in &decisions.increase {
            let pool = increase.group.index();
            let to = cluster.pools[pool].target() + increase.by;
            cluster.resize(&mut self.agenda, &mut self.chance.boots, pool, to);
        }
        for given_up in &decisions.give_up {
            cluster.withdraw(given_up.group.index(), given_up.nodes);
        }
        for removal in &decisions.remove {
            cluster.drain(&mut self.agenda, removal.node, Drainer::Autoscaler);
        }
    }

    pub(super) fn daemon_templates(&mut self, index: usize) -> Vec<TemplateId> {
        let here = |(number, spec): (usize, &crate::scenario::WorkloadSpec)| {
            let workload = &self.workloads[number];
            let present =
                spec.reference.kind() == WorkloadKind::DaemonSet && workload.placements.contains_key(index);
            present.then(|| std::sync::Arc::clone(&workload.template))
        };
        let templates: Vec<_> = self.spec.workloads.iter().enumerate().filter_map(here).collect();
        let state = &mut self.clusters[index].state;
        templates
            .iter()
            .map(|template| state.intern(&template.pod).expect("the scenario was checked"))
            .collect()
    }
}

impl Pool {
    /// The pool as those see it who order and give up nodes.
    pub(super) fn as_group<'a>(
        &'a self,
        daemons: &'a [TemplateId],
        booting: &'a [Timestamp],
        templates: &'a [kube::Node],
    ) -> GroupView<'a> {
        GroupView {
            name: self.spec.name.as_str(),
            templates,
            daemons,
            target: self.target(),
            minimum: self.spec.minimum.max(self.floor),
            maximum: self.spec.maximum,
            booting,
            price_per_hour: self.spec.price_per_hour,
            priority: self.spec.priority,
        }
    }
}

impl Cluster {
    fn decide(&self, now: Timestamp, autoscaler: &mut Autoscaler, daemons: &[TemplateId]) -> Decisions {
        let booting: Vec<Vec<Timestamp>> =
            self.pools.iter().map(|pool| pool.booting.iter().copied().collect()).collect();
        let templates = self.node_templates();
        let groups = self.pools.iter().zip(&booting).zip(&templates);
        let groups: Vec<GroupView<'_>> =
            groups.map(|((pool, booting), templates)| pool.as_group(daemons, booting, templates)).collect();
        let view = ClusterView {
            state: &self.state,
            groups: &groups,
            nodes: &self.autoscaled_nodes(),
            unschedulable: &self.unschedulable(|_| true),
            pod: &|id| self.traits(now, id),
            budgets: &self.budgets.allowed(),
            unused_pods_from: self.pods.unused_from(),
        };
        let Autoscaler { config, memory, chance } = autoscaler;
        scan(now, config, &view, memory, &mut |bound| chance.below(bound))
    }

    /// By pool: what the nodes look like that come next.
    pub(super) fn node_templates(&self) -> Vec<Vec<kube::Node>> {
        self.pools.iter().map(Pool::coming_nodes).collect()
    }

    pub(super) fn autoscaled_nodes(&self) -> Vec<NodeView> {
        let view = |id| {
            let record = self.node(id)?;
            let removing =
                if self.state.pods_on(id).is_empty() { Removing::Empty } else { Removing::Draining };
            Some(NodeView {
                node: id,
                group: Some(GroupId(record.pool as u32)),
                created: record.created_at,
                ready: !record.unreachable,
                removing: record.is_draining().then_some(removing),
                scale_down_disabled: false,
            })
        };
        self.node_ids().filter_map(view).collect()
    }

    /// Pods that were tried and found no node, grouped by shape and owner.
    pub(super) fn unschedulable(&self, counts: impl Fn(&PodRecord) -> bool) -> Vec<PendingPods> {
        if self.sums.waiting == 0 {
            return Vec::new();
        }
        let mut groups: BTreeMap<(TemplateId, u32), PendingPods> = BTreeMap::new();
        for record in self.pods.iter().filter(|record| self.found_no_node(record) && counts(record)) {
            let key = (record.template, record.owner.workload);
            let group = groups.entry(key).or_insert(PendingPods {
                template: record.template,
                controller: Some(record.owner.workload),
                count: 0,
                priority: record.spec.priority,
                oldest: record.created_at,
            });
            group.count += 1;
            group.oldest = group.oldest.min(record.created_at);
        }
        groups.into_values().collect()
    }

    fn found_no_node(&self, record: &PodRecord) -> bool {
        let id = record.key.id;
        let tried = self.queue.attempts(id).is_some_and(|attempts| attempts > 0);
        record.phase == Phase::Waiting && tried && self.state.nominated_node(id).is_none()
    }

    pub(super) fn traits(&self, now: Timestamp, id: PodId) -> PodTraits {
        let record = self.pods.by_id(id).expect("a pod on a node exists");
        let metadata = &record.spec.pod.metadata;
        let owner = match metadata.controller().map(|owner| owner.kind.as_str()) {
            None => PodOwner::Nobody,
            Some("DaemonSet") => PodOwner::Daemon,
            Some(_) => PodOwner::Controller,
        };
        let overdue = |since: Timestamp| now.since(since) > Period::from_minutes(1);
        PodTraits {
            owner,
            system: metadata.namespace == "kube-system",
            local_storage: false,
            safe_to_evict: metadata.annotations.get(SAFE_TO_EVICT).map(|value| value == "true"),
            budget: self.budgets.place(record.owner.workload).map(|place| BudgetId(place as u32)),
            created: record.created_at,
            stopping: record.phase == Phase::Stopping,
            overdue_to_stop: record.phase == Phase::Stopping && record.ended_at.is_some_and(overdue),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, Scenario};
    use model::document::to_yaml;
    use serde_json::{Value, json};
    use std::sync::Arc;

    /// How many nodes each of two empty pools has after ten minutes for one pod with this selector.
    fn ordered(selector: &Value) -> [u32; 2] {
        let pool = |name: &str, zones: &[&str]| {
            json!({ "name": name, "nodes": 0, "maximum": 5, "cpu": "4", "memory": "16Gi", "boot_time": "30s",
                "zones": zones, "labels": { "disk": name } })
        };
        let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "10m",
            "clusters": [{ "name": "one", "autoscaler": {}, "pools": [pool("x", &["a", "b"]), pool("y", &[])] }],
            "workloads": [{ "name": "web", "cluster": "one", "cpu": "1", "memory": "1Gi",
                "pod": { "nodeSelector": selector } }] }));
        let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let mut world = SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1);
        while world.agenda.next_at().is_some_and(|next| next <= Timestamp::EPOCH + Period::from_minutes(10)) {
            world.step();
        }
        let pools: Vec<u32> = world.clusters[0].pools.iter().map(|pool| pool.ready).collect();
        assert_eq!(world.clusters[0].sums.waiting == 0, pools != [0, 0], "a node came, so the pod has one");
        [pools[0], pools[1]]
    }

    #[test]
    fn selectors_on_pools_and_zones_bring_nodes() {
        let zone = crate::scheduler::ZONE_LABEL;
        let pool = crate::world::POOL_LABEL;
        for (selector, nodes) in [
            (json!({ (pool): "y" }), [0, 1]),
            (json!({ (pool): "x" }), [1, 0]),
            (json!({ (zone): "a" }), [1, 0]),
            (json!({ (zone): "b" }), [2, 0]),
            (json!({ (zone): "b", "disk": "x" }), [2, 0]),
            (json!({ (zone): "c" }), [0, 0]),
            (json!({ (pool): "y", (zone): "a" }), [0, 0]),
        ] {
            assert_eq!(ordered(&selector), nodes, "{selector}");
        }
    }
}
