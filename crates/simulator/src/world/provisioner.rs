//! The provisioner at work in a cluster: shows it what it may see and does what it decides.

use super::SimulatedWorld;
use super::agenda::Event;
use super::cluster::Cluster;
use super::eviction::Drainer;
use super::pods::{Phase, PodRecord};
use crate::autoscaler::{ClusterView, GroupId, GroupView, NodeView, Removing};
use crate::provisioner::{
    Batch, Catalogue, Command, Ladder, Ladders, Launch, Offering, OfferingId, PodDisruption,
    ProvisionerConfig, ProvisionerMemory, ProvisionerView, disrupt, provision,
};
use crate::scenario::{AutoscalerSpec, ClusterSpec, KarpenterSpec, PoolSpec};
use crate::scheduler::{NodeId, PodId, TemplateId};
use model::names::NodeName;
use model::time::{Period, Timestamp};
use std::sync::Arc;

#[cfg(test)]
mod tests;

const DO_NOT_DISRUPT: &str = "karpenter.sh/do-not-disrupt";
/// What disrupting a pod costs: the first that is there.
const COSTS: [&str; 2] = ["karpenter.sh/disruption-cost", "controller.kubernetes.io/pod-deletion-cost"];
/// Tells apart nodes that the provider may take back.
const CAPACITY_TYPE: &str = "karpenter.sh/capacity-type";
/// Pods that come or go within this time after another are one event, as upstream spares its API server.
const SAME_EVENT: Period = Period::from_secs(10);

#[derive(Clone, Debug)]
pub(crate) struct Provisioner {
    config: ProvisionerConfig,
    catalogue: Arc<Catalogue>,
    memory: ProvisionerMemory,
    ladders: Ladders,
    batch: Option<Batch>,
    /// Whether a look at pods that still wait is planned.
    retries: bool,
    operations: Vec<Operation>,
}

/// Nodes that go when another is ready.
#[derive(Clone, Debug)]
struct Operation {
    nodes: Vec<NodeName>,
    /// The pool of the replacement, and how many nodes it must have booted.
    pool: usize,
    booted: u64,
    give_up_at: Timestamp,
}

impl Provisioner {
    pub(crate) fn new(spec: &KarpenterSpec, pools: &[PoolSpec]) -> Self {
        let managed = pools.iter().zip(&spec.node_pools).enumerate();
        let offerings = managed.filter_map(|(index, (pool, node_pool))| Some((index, pool, (*node_pool)?)));
        Self {
            config: spec.config.clone(),
            catalogue: Arc::new(Catalogue {
                offerings: offerings
                    .flat_map(|(index, pool, node_pool)| offerings_of(index, pool, node_pool))
                    .collect(),
            }),
            memory: ProvisionerMemory::default(),
            ladders: Ladders::new(),
            batch: None,
            retries: false,
            operations: Vec::new(),
        }
    }

    pub(crate) const fn poll_every(&self) -> Period {
        self.config.poll_every
    }

    /// Whether nodes of this pool come and go as the provisioner decides.
    pub(crate) fn manages(&self, pool: usize) -> bool {
        self.catalogue.offerings.iter().any(|offering| offering.group.index() == pool)
    }
}

/// One for each zone of a pool.
fn offerings_of(index: usize, pool: &PoolSpec, node_pool: usize) -> Vec<Offering> {
    let zones: Vec<Option<u32>> =
        if pool.zones.is_empty() { vec![None] } else { (0..pool.zones.len() as u32).map(Some).collect() };
    let offering = |zone| Offering {
        group: GroupId(index as u32),
        zone,
        node: pool.in_zone(zone),
        node_pool,
        price_per_hour: pool.price_per_hour,
        spot: pool.spot.is_some(),
    };
    zones.into_iter().map(offering).collect()
}

/// The pools of a cluster. Nodes that the provisioner orders say whether they are spot nodes, as Karpenter's do.
pub(super) fn labelled_pools(spec: &ClusterSpec) -> Vec<PoolSpec> {
    let mut pools = spec.pools.clone();
    if let Some(AutoscalerSpec::Karpenter(karpenter)) = &spec.autoscaler {
        let managed = pools.iter_mut().zip(&karpenter.node_pools).filter(|(_, owner)| owner.is_some());
        for (pool, _) in managed {
            let kind = if pool.spot.is_some() { "spot" } else { "on-demand" };
            pool.node.metadata.labels.insert(CAPACITY_TYPE.to_owned(), kind.to_owned());
        }
    }
    pools
}

impl SimulatedWorld {
    /// Pods found no node: the provisioner waits a moment for more of them.
    pub(super) fn open_batches(&mut self) {
        for index in 0..self.clusters.len() {
            if std::mem::take(&mut self.clusters[index].newly_unschedulable) {
                self.await_more_pods(index);
            }
        }
    }

    fn await_more_pods(&mut self, index: usize) {
        let Some(provisioner) = &mut self.clusters[index].provisioner else { return };
        let batch = Batch::after_pod(provisioner.batch, self.agenda.now(), &provisioner.config);
        if provisioner.batch.map(Batch::closes) != Some(batch.closes()) {
            self.agenda.at(batch.closes(), Event::ProvisionerBatches { cluster: index });
        }
        provisioner.batch = Some(batch);
    }

    /// Orders nodes for the pods that wait, unless more pods came and the batch closes later.
    pub(super) fn provision(&mut self, index: usize) {
        let now = self.agenda.now();
        let Some(provisioner) = &mut self.clusters[index].provisioner else { return };
        if provisioner.batch.is_none_or(|batch| batch.closes() > now) {
            return;
        }
        provisioner.batch = None;
        let done = self.consult(index, |config, view, memory| provision(now, config, view, memory));
        for launch in &done.launch {
            self.launch(index, *launch);
        }
        let cluster = &mut self.clusters[index];
        let Some(provisioner) = &mut cluster.provisioner else { return };
        let waits = done.fit_already + done.helped + done.not_helped > 0;
        if waits && !std::mem::replace(&mut provisioner.retries, true) {
            self.agenda.after(provisioner.config.retry_every, Event::ProvisionerRetries { cluster: index });
        }
    }

    pub(super) fn retry_provisioning(&mut self, index: usize) {
        let cluster = &mut self.clusters[index];
        let Some(provisioner) = &mut cluster.provisioner else { return };
        provisioner.retries = false;
        if !cluster.unschedulable(is_no_daemon).is_empty() {
            self.await_more_pods(index);
        }
    }

    /// Looks for nodes to give up, and follows what is under way.
    pub(super) fn disrupt(&mut self, index: usize) {
        let now = self.agenda.now();
        self.follow_operations(index);
        while let Some(command) =
            self.consult(index, |config, view, memory| disrupt(now, config, view, memory).0)
        {
            self.begin_operation(index, &command);
        }
        let Some(provisioner) = &self.clusters[index].provisioner else { return };
        let next = provisioner.memory.validates_at().unwrap_or(now + provisioner.poll_every());
        self.agenda.at(next, Event::ProvisionerDisrupts { cluster: index });
    }

    pub(super) fn node_booted(&mut self, index: usize, pool: usize) {
        self.clusters[index].node_booted(&mut self.agenda, pool);
        self.follow_operations(index);
    }

    fn launch(&mut self, index: usize, launch: Launch) -> u64 {
        let (cluster, boots) = (&mut self.clusters[index], &mut self.chance.boots);
        cluster.order(&mut self.agenda, boots, launch.group.index(), launch.zone)
    }

    /// Without a replacement the nodes go at once; else they take no more pods and wait for it.
    fn begin_operation(&mut self, index: usize, command: &Command) {
        let Some(replacement) = command.replacement else {
            for &node in &command.nodes {
                self.clusters[index].drain(&mut self.agenda, node, Drainer::Provisioner);
            }
            return;
        };
        let booted = self.launch(index, replacement);
        let cluster = &mut self.clusters[index];
        for &node in &command.nodes {
            cluster.mark(node);
        }
        let names = command.nodes.iter().filter_map(|node| Some(cluster.node(*node)?.name.clone()));
        let nodes = names.collect();
        let Some(provisioner) = &mut cluster.provisioner else { return };
        let give_up_at = self.agenda.now() + provisioner.config.replaced_within;
        let pool = replacement.group.index();
        provisioner.operations.push(Operation { nodes, pool, booted, give_up_at });
    }

    /// Drains nodes whose replacement is ready, and lets those be whose replacement does not come.
    fn follow_operations(&mut self, index: usize) {
        let now = self.agenda.now();
        let cluster = &mut self.clusters[index];
        let Some(provisioner) = &mut cluster.provisioner else { return };
        let operations = std::mem::take(&mut provisioner.operations);
        for operation in operations {
            if cluster.pools[operation.pool].booted >= operation.booted {
                for node in cluster.still_there(&operation.nodes) {
                    // Somebody may have made the pool smaller meanwhile.
                    if cluster.may_lose(node) {
                        cluster.drain(&mut self.agenda, node, Drainer::Provisioner);
                    } else {
                        cluster.unmark(now, node);
                    }
                }
            } else if now >= operation.give_up_at {
                for node in cluster.still_there(&operation.nodes) {
                    cluster.unmark(now, node);
                }
            } else if let Some(provisioner) = &mut cluster.provisioner {
                provisioner.operations.push(operation);
            }
        }
    }

    /// Shows the cluster to the provisioner.
    fn consult<R>(
        &mut self,
        index: usize,
        ask: impl FnOnce(&ProvisionerConfig, &ProvisionerView<'_>, &mut ProvisionerMemory) -> R,
    ) -> R
    where
        R: Default,
    {
        let daemons = self.daemon_templates(index);
        let cluster = &mut self.clusters[index];
        let Some(mut provisioner) = cluster.provisioner.take() else { return R::default() };
        cluster.learn_preferences(&mut provisioner.ladders);
        let answer = cluster.show(self.agenda.now(), &mut provisioner, &daemons, ask);
        cluster.provisioner = Some(provisioner);
        answer
    }
}

impl Cluster {
    fn show<R>(
        &self,
        now: Timestamp,
        provisioner: &mut Provisioner,
        daemons: &[TemplateId],
        ask: impl FnOnce(&ProvisionerConfig, &ProvisionerView<'_>, &mut ProvisionerMemory) -> R,
    ) -> R {
        let Provisioner { config, catalogue, memory, ladders, .. } = provisioner;
        let templates = self.node_templates();
        let groups = self.pools.iter().zip(&templates);
        let groups: Vec<GroupView<'_>> =
            groups.map(|(pool, templates)| pool.as_group(daemons, &[], templates)).collect();
        let nodes = self.nodes_with_marks();
        let marked: Vec<u32> = (0..self.pools.len()).map(|pool| self.marked_in(pool)).collect();
        let coming: Vec<OfferingId> = self.coming(catalogue);
        let unschedulable = self.unschedulable(is_no_daemon);
        let view = ProvisionerView {
            cluster: ClusterView {
                state: &self.state,
                groups: &groups,
                nodes: &nodes,
                unschedulable: &unschedulable,
                pod: &|id| self.traits(now, id),
                budgets: &self.budgets.allowed(),
                unused_pods_from: self.pods.unused_from(),
            },
            catalogue,
            coming: &coming,
            marked: &marked,
            daemons,
            ladders,
            disruption: &|id| self.disruption(now, id),
            quiet_since: &|id| self.quiet_since(id),
            version: self.changes,
        };
        ask(config, &view, memory)
    }

    fn nodes_with_marks(&self) -> Vec<NodeView> {
        let mut nodes = self.autoscaled_nodes();
        for one in &mut nodes {
            if self.node(one.node).is_some_and(|record| record.marked) {
                one.removing = Some(Removing::Draining);
            }
        }
        nodes
    }

    fn marked_in(&self, pool: usize) -> u32 {
        let records = self.node_ids().filter_map(|id| self.node(id));
        records.filter(|record| record.pool == pool && record.marked && !record.is_draining()).count() as u32
    }

    fn coming(&self, catalogue: &Catalogue) -> Vec<OfferingId> {
        let pools = self.pools.iter().enumerate();
        let zones = pools.flat_map(|(index, pool)| pool.coming_zones().map(move |zone| (index, zone)));
        zones.filter_map(|(index, zone)| catalogue.find(GroupId(index as u32), zone)).collect()
    }

    /// Works out once per shape how pods are tried.
    fn learn_preferences(&mut self, ladders: &mut Ladders) {
        let nodes: Vec<_> = self.pools.iter().map(|pool| &pool.spec.node).collect();
        for record in self.pods.iter() {
            ladders
                .entry(record.template)
                .or_insert_with(|| Ladder::new(&record.spec.pod, nodes.iter().copied(), &mut self.state));
        }
    }

    fn disruption(&self, now: Timestamp, id: PodId) -> PodDisruption {
        let record = self.pods.by_id(id).expect("a pod on a node exists");
        let metadata = &record.spec.pod.metadata;
        let owner = metadata.controller().map_or("", |owner| owner.kind.as_str());
        let active = record.phase != Phase::Stopping;
        let cost = COSTS.iter().find_map(|name| metadata.annotations.get(*name));
        PodDisruption {
            do_not_disrupt: metadata
                .annotations
                .get(DO_NOT_DISRUPT)
                .is_some_and(|value| still_forbids(value, now, record.created_at)),
            deletion_cost: cost.and_then(|cost| cost.parse().ok()).unwrap_or(0),
            reschedulable: owner != "DaemonSet" && (active || owner == "StatefulSet"),
            active,
        }
    }

    fn quiet_since(&self, id: NodeId) -> Timestamp {
        let record = self.node(id).expect("the provisioner knows nodes that exist");
        record.last_pod_event.unwrap_or(record.created_at)
    }

    /// A pod was bound, ended or told to stop.
    pub(super) fn note_pod_event(&mut self, now: Timestamp, pod: PodId) {
        self.changes += 1;
        if self.provisioner.is_none() {
            return;
        }
        let Some(record) = self.pods.by_id(pod).filter(|record| is_no_daemon(record)) else { return };
        let Some(node) = record.node.and_then(|node| self.node_mut(node)) else { return };
        if node.last_pod_event.is_none_or(|last| now.since(last) >= SAME_EVENT) {
            node.last_pod_event = Some(now);
        }
    }

    /// The scheduler found no node for a pod.
    pub(super) fn note_failure(&mut self, pod: PodId) {
        self.newly_unschedulable |= self.queue.attempts(pod) == Some(1);
    }

    fn still_there(&self, names: &[NodeName]) -> Vec<NodeId> {
        names.iter().filter_map(|name| self.state.node_by_name(name.as_str())).collect()
    }

    fn may_lose(&self, id: NodeId) -> bool {
        let pool = self.node(id).map(|record| &self.pools[record.pool]);
        pool.is_some_and(|pool| pool.target() > pool.spec.minimum.max(pool.floor))
    }

    fn mark(&mut self, id: NodeId) {
        let Some(record) = self.node_mut(id) else { return };
        record.marked = true;
        self.changes += 1;
        self.refresh(id);
    }

    fn unmark(&mut self, now: Timestamp, id: NodeId) {
        let Some(record) = self.node_mut(id).filter(|record| record.marked && !record.is_draining()) else {
            return;
        };
        record.marked = false;
        let closed = self.state.node_facts(id);
        self.refresh(id);
        self.node_opened(now, &closed, id);
    }
}

pub(super) fn is_no_daemon(record: &PodRecord) -> bool {
    record.spec.pod.metadata.controller().is_none_or(|owner| owner.kind != "DaemonSet")
}

/// For ever, or for a time after the pod came; anything else says nothing.
fn still_forbids(value: &str, now: Timestamp, since: Timestamp) -> bool {
    let until = value.parse::<Period>().ok().map(|period| since + period);
    value == "true" || until.is_some_and(|until| until > now)
}
