//! Small clusters for the tests of this room and of the provisioner.

use super::*;
use crate::kube;
use crate::scheduler::{ClusterState, NodeId, PodDetails, PodId, Profile, TemplateId};
use model::money::MicroDollars;
use model::time::Period;
use serde_json::json;

/// A [`GroupView`] that owns what it shows.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) template: kube::Node,
    /// One for each zone, where there are any.
    pub(crate) zonal: Vec<kube::Node>,
    pub(crate) daemons: Vec<TemplateId>,
    pub(crate) target: u32,
    pub(crate) minimum: u32,
    pub(crate) maximum: u32,
    pub(crate) booting: Vec<Timestamp>,
    pub(crate) price_per_hour: MicroDollars,
    pub(crate) priority: Option<i32>,
}

impl Group {
    /// CPU in thousandths, memory in MiB.
    pub(crate) fn new(name: &str, cpu: i64, memory: i64) -> Self {
        let amounts = json!({ "cpu": format!("{cpu}m"), "memory": format!("{memory}Mi"), "pods": "110" });
        let node = json!({ "status": { "capacity": amounts, "allocatable": amounts } });
        Self {
            name: name.to_owned(),
            template: serde_json::from_value(node).unwrap(),
            zonal: Vec::new(),
            daemons: Vec::new(),
            target: 0,
            minimum: 0,
            maximum: 1000,
            booting: Vec::new(),
            price_per_hour: MicroDollars::ZERO,
            priority: None,
        }
    }

    /// Its nodes come in these zones, one after the other.
    pub(crate) fn in_zones(&mut self, zones: &[&str]) {
        let labelled = |zone: &&str| {
            let mut node = self.template.clone();
            node.metadata.labels.insert(crate::scheduler::ZONE_LABEL.to_owned(), (*zone).to_owned());
            node
        };
        self.zonal = zones.iter().map(labelled).collect();
    }

    pub(crate) fn view(&self) -> GroupView<'_> {
        GroupView {
            name: &self.name,
            templates: if self.zonal.is_empty() { std::slice::from_ref(&self.template) } else { &self.zonal },
            daemons: &self.daemons,
            target: self.target,
            minimum: self.minimum,
            maximum: self.maximum,
            booting: &self.booting,
            price_per_hour: self.price_per_hour,
            priority: self.priority,
        }
    }
}

pub(crate) fn seconds(count: u64) -> Timestamp {
    Timestamp::EPOCH + Period::from_secs(count)
}

/// A pod of a Deployment.
pub(crate) fn replica() -> PodTraits {
    PodTraits {
        owner: PodOwner::Controller,
        system: false,
        local_storage: false,
        safe_to_evict: None,
        budget: None,
        created: Timestamp::EPOCH,
        stopping: false,
        overdue_to_stop: false,
    }
}

pub(crate) struct Cluster {
    pub(crate) state: ClusterState,
    pub(crate) groups: Vec<Group>,
    pub(crate) nodes: Vec<NodeView>,
    pub(crate) pending: Vec<PendingPods>,
    pub(crate) traits: Vec<PodTraits>,
    pub(crate) budgets: Vec<u32>,
}

impl Cluster {
    pub(crate) fn new(groups: Vec<Group>) -> Self {
        Self {
            state: ClusterState::new(Profile::default()).unwrap(),
            groups,
            nodes: Vec::new(),
            pending: Vec::new(),
            traits: Vec::new(),
            budgets: Vec::new(),
        }
    }

    pub(crate) fn add_node(&mut self, group: usize) -> NodeId {
        let mut node = self.groups[group].template.clone();
        node.metadata.name = format!("{}-{}", self.groups[group].name, self.nodes.len());
        let host = node.metadata.name.clone();
        node.metadata.labels.insert("kubernetes.io/hostname".to_owned(), host);
        let node = self.state.add_node(&node);
        self.groups[group].target += 1;
        self.nodes.push(NodeView {
            node,
            group: Some(GroupId(group as u32)),
            created: Timestamp::EPOCH,
            ready: true,
            removing: None,
            scale_down_disabled: false,
        });
        node
    }

    /// CPU in thousandths, memory in MiB.
    pub(crate) fn template(&mut self, cpu: i64, memory: i64) -> TemplateId {
        self.special_template(cpu, memory, json!({}))
    }

    /// With more fields of the pod's spec.
    pub(crate) fn special_template(&mut self, cpu: i64, memory: i64, spec: serde_json::Value) -> TemplateId {
        let requests = json!({ "cpu": format!("{cpu}m"), "memory": format!("{memory}Mi") });
        let mut spec = spec;
        spec["containers"] = json!([{ "resources": { "requests": requests } }]);
        let pod = json!({ "metadata": { "labels": { "app": "a" } }, "spec": spec });
        self.state.intern(&serde_json::from_value(pod).unwrap()).unwrap()
    }

    pub(crate) fn run(&mut self, template: TemplateId, node: NodeId, traits: PodTraits) -> PodId {
        let pod = PodId(self.traits.len() as u32);
        self.traits.push(traits);
        self.state.assign(pod, template, node, PodDetails::default());
        pod
    }

    pub(crate) fn wait(&mut self, template: TemplateId, count: u32) {
        let oldest = Timestamp::EPOCH;
        self.pending.push(PendingPods { template, controller: Some(0), count, priority: 0, oldest });
    }

    pub(crate) fn view<R>(&self, use_it: impl FnOnce(&ClusterView<'_>) -> R) -> R {
        let groups: Vec<_> = self.groups.iter().map(Group::view).collect();
        use_it(&ClusterView {
            state: &self.state,
            groups: &groups,
            nodes: &self.nodes,
            unschedulable: &self.pending,
            pod: &|pod| self.traits[pod.0 as usize],
            budgets: &self.budgets,
            unused_pods_from: PodId(self.traits.len() as u32),
        })
    }

    pub(crate) fn scan(
        &self,
        at_second: u64,
        config: &AutoscalerConfig,
        memory: &mut AutoscalerMemory,
    ) -> Decisions {
        self.view(|view| scan(seconds(at_second), config, view, memory, &mut |_| 0))
    }
}
