//! Workloads while the simulation runs: their placements, and the controllers that keep pods in line with them.

mod bare;
mod batch;
mod daemon;
mod few;
mod paged;
mod placements;
mod replicas;
mod stateful;

pub(crate) use paged::Paged;

use super::agenda::Agenda;
use super::cluster::Cluster;
use super::objects::ControllerObject;
use super::pods::{Owner, Phase, PodKey, PodRecord};
use crate::controllers::pod;
use crate::kube::LabelSelector;
use crate::scenario::{ControllerSpec, PodTemplate, WorkloadSpec};
use crate::scheduler::TemplateId;
use model::names::WorkloadKind;
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use placements::Placements;
use std::sync::Arc;

/// A workload, wherever its pods are.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    pub(crate) exists: bool,
    /// Replicas that were asked for.
    pub(crate) wanted: u32,
    /// The affinity group that took it, when placement rules put it somewhere.
    pub(crate) affinity: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) template: Arc<PodTemplate>,
    /// Grows with every change of the template.
    pub(crate) revision: u64,
    /// By the index of the cluster.
    pub(crate) placements: Placements,
    /// The action on it that is under way.
    pub(crate) busy_with: Option<RecommendationId>,
    pub(crate) last_moved_at: Option<Timestamp>,
    pub(crate) moves: u32,
}

/// A workload's share in one cluster.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) replicas: u32,
    controller: Controller,
    /// Told to go; it is forgotten when its last pod is gone.
    pub(crate) leaving: bool,
}

#[derive(Clone, Debug)]
enum Controller {
    Replicas(replicas::ReplicaSets),
    // Boxed, since they are larger than the others and every workload has a controller.
    Stateful(Box<stateful::StatefulPods>),
    Daemon(Box<daemon::DaemonPods>),
    Job(Box<batch::JobRun>),
    CronJob(Box<batch::CronRun>),
    Bare(bare::BarePods),
}

/// Pods of one placement, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PodCounts {
    /// All that exist, finished ones left out.
    pub(crate) pods: u32,
    pub(crate) waiting: u32,
    pub(crate) ready: u32,
    pub(crate) waiting_since: Option<Timestamp>,
}

impl Workload {
    pub(crate) fn new(spec: &WorkloadSpec) -> Self {
        Self {
            exists: false,
            wanted: spec.replicas,
            affinity: None,
            created_at: Timestamp::EPOCH,
            template: Arc::clone(&spec.pod),
            revision: 1,
            placements: Placements::default(),
            busy_with: None,
            last_moved_at: None,
            moves: 0,
        }
    }

    /// Puts replicas into a cluster, or changes how many there are.
    pub(crate) fn place(&mut self, spec: &WorkloadSpec, cluster: usize, replicas: u32, now: Timestamp) {
        let placement = self.placements.get_or_insert(cluster, || Placement {
            replicas,
            controller: Controller::new(spec, now),
            leaving: false,
        });
        placement.replicas = replicas;
        placement.leaving = false;
    }

    /// Takes a new template. An update changes no selectors, so one that an action has set since stays.
    pub(crate) fn update(&mut self, template: &Arc<PodTemplate>) {
        let pinned = &self.template.pod.spec.node_selector;
        let mut template = Arc::clone(template);
        if template.pod.spec.node_selector != *pinned {
            Arc::make_mut(&mut template).pod.spec.node_selector.clone_from(pinned);
        }
        self.template = template;
        self.revision += 1;
    }

    /// Replicas that should run in the whole federation.
    pub(crate) fn replicas(&self) -> u32 {
        self.placements
            .values()
            .filter(|placement| !placement.leaving)
            .map(|placement| placement.replicas)
            .sum()
    }

    /// Brings the pods in one cluster in line with what is wanted. Returns when to look again by itself.
    pub(crate) fn sync(
        &mut self,
        spec: &WorkloadSpec,
        number: usize,
        cluster: &mut Cluster,
        agenda: &mut Agenda,
    ) -> Option<Timestamp> {
        let placement = self.placements.get_mut(cluster.index)?;
        let mut site = Site { cluster, agenda, workload: number as u32 };
        let wanted =
            Wanted { spec, replicas: placement.replicas, template: &self.template, revision: self.revision };
        if placement.leaving {
            let left = placement.controller.stop(&mut site);
            if !left {
                self.placements.remove(cluster.index);
            }
            return None;
        }
        placement.controller.sync(&wanted, &mut site)
    }
}

impl Placement {
    pub(crate) fn count(&self, cluster: &Cluster) -> PodCounts {
        let mut counts = PodCounts::default();
        for record in self.controller.pods().into_iter().filter_map(|key| cluster.pods.get(key)) {
            counts.add(record);
        }
        counts
    }

    pub(crate) fn pods(&self) -> Vec<PodKey> {
        self.controller.pods()
    }

    /// What its controller has made, for whoever looks from outside.
    pub(crate) fn shown(&self, spec: &WorkloadSpec) -> ControllerObject {
        match &self.controller {
            Controller::Replicas(sets) => match spec.controller {
                ControllerSpec::Deployment { max_surge, max_unavailable } => {
                    ControllerObject::Deployment { sets: sets.shown().collect(), max_surge, max_unavailable }
                }
                _ => ControllerObject::ReplicaSet { set: sets.shown().next() },
            },
            Controller::Stateful(pods) => ControllerObject::StatefulSet { current: pods.current() },
            Controller::Daemon(_) => ControllerObject::DaemonSet,
            Controller::Job(run) => ControllerObject::Job(run.shown(0, None)),
            Controller::CronJob(run) => run.shown(),
            Controller::Bare(_) => ControllerObject::Pod,
        }
    }

    /// The pods of a CronJob with the jobs that they belong to.
    pub(crate) fn children(&self) -> Vec<(PodKey, u32)> {
        match &self.controller {
            Controller::CronJob(run) => run.children(),
            _ => Vec::new(),
        }
    }

    /// Whether its work is done for good (Jobs and bare pods).
    pub(crate) fn is_finished(&self) -> bool {
        match &self.controller {
            Controller::Job(run) => run.is_finished(),
            Controller::Bare(pods) => pods.is_finished(),
            _ => false,
        }
    }
}

impl PodCounts {
    fn add(&mut self, record: &PodRecord) {
        if record.phase == Phase::Succeeded {
            return;
        }
        self.pods += 1;
        self.ready += u32::from(record.phase == Phase::Ready);
        if record.phase == Phase::Waiting {
            self.waiting += 1;
            let since = self.waiting_since.map_or(record.created_at, |since| since.min(record.created_at));
            self.waiting_since = Some(since);
        }
    }
}

/// What a controller should bring about.
pub(super) struct Wanted<'a> {
    spec: &'a WorkloadSpec,
    replicas: u32,
    template: &'a Arc<PodTemplate>,
    revision: u64,
}

/// Where a controller works.
pub(super) struct Site<'a> {
    cluster: &'a mut Cluster,
    agenda: &'a mut Agenda,
    workload: u32,
}

impl Site<'_> {
    fn now(&self) -> Timestamp {
        self.agenda.now()
    }

    fn intern(&mut self, template: &Arc<PodTemplate>) -> TemplateId {
        self.cluster.intern(template)
    }

    /// For pods of a set with a selector: the scheduler spreads them over hosts and zones unless they say otherwise.
    fn intern_selected(&mut self, template: &PodTemplate) -> TemplateId {
        let labels = template.pod.metadata.labels.clone();
        let selector = LabelSelector { match_labels: labels, ..LabelSelector::default() };
        self.cluster.state.intern_selected(&template.pod, &selector).expect("the scenario was checked")
    }

    fn create(&mut self, set: u32, ordinal: u32, id: TemplateId, template: &Arc<PodTemplate>) -> PodKey {
        let owner = Owner { workload: self.workload, set, ordinal };
        self.cluster.create_pod(self.agenda, owner, id, template)
    }

    fn stop(&mut self, key: PodKey) {
        self.cluster.stop_pod(self.agenda, key);
    }

    fn get(&self, key: PodKey) -> Option<&PodRecord> {
        self.cluster.pods.get(key)
    }

    /// The pod behind a controller's dense number.
    fn key(&self, key: pod::PodKey) -> PodKey {
        self.cluster
            .pods
            .by_id(crate::scheduler::PodId(key.0))
            .expect("controllers name pods they were shown")
            .key
    }

    /// Drops keys of pods that are gone.
    fn prune(&self, pods: &mut Vec<PodKey>) {
        pods.retain(|key| self.get(*key).is_some());
    }

    /// Stops all; returns whether any is left.
    fn stop_all(&mut self, pods: &mut Vec<PodKey>) -> bool {
        for key in pods.iter() {
            match self.get(*key).map(|record| record.phase) {
                Some(Phase::Succeeded) => self.cluster.discard(*key),
                _ => self.stop(*key),
            }
        }
        self.prune(pods);
        !pods.is_empty()
    }
}

impl Controller {
    fn new(spec: &WorkloadSpec, now: Timestamp) -> Self {
        match &spec.controller {
            ControllerSpec::Deployment { .. } | ControllerSpec::ReplicaSet => {
                Self::Replicas(replicas::ReplicaSets::default())
            }
            ControllerSpec::StatefulSet => Self::Stateful(Box::default()),
            ControllerSpec::DaemonSet => Self::Daemon(Box::default()),
            ControllerSpec::Job { completions } => Self::Job(Box::new(batch::JobRun::new(*completions))),
            ControllerSpec::CronJob { schedule, completions } => {
                Self::CronJob(Box::new(batch::CronRun::new(**schedule, *completions, now)))
            }
            ControllerSpec::Pod => Self::Bare(bare::BarePods::default()),
        }
    }

    fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        match self {
            Self::Replicas(sets) => sets.sync(wanted, site),
            Self::Stateful(pods) => pods.sync(wanted, site),
            Self::Daemon(pods) => pods.sync(wanted, site),
            Self::Job(run) => run.sync(wanted, site),
            Self::CronJob(run) => run.sync(wanted, site),
            Self::Bare(pods) => pods.sync(wanted, site),
        }
    }

    /// Stops everything; returns whether something is left.
    fn stop(&mut self, site: &mut Site<'_>) -> bool {
        match self {
            Self::Replicas(sets) => sets.stop(site),
            Self::Stateful(pods) => pods.stop(site),
            Self::Daemon(pods) => pods.stop(site),
            Self::Job(run) => run.stop(site),
            Self::CronJob(run) => run.stop(site),
            Self::Bare(pods) => pods.stop(site),
        }
    }

    fn pods(&self) -> Vec<PodKey> {
        match self {
            Self::Replicas(sets) => sets.pods(),
            Self::Stateful(pods) => pods.pods(),
            Self::Daemon(pods) => pods.pods(),
            Self::Job(run) => run.pods(),
            Self::CronJob(run) => run.pods(),
            Self::Bare(pods) => pods.pods(),
        }
    }
}

/// Whether agents can send a workload of this kind to another cluster.
pub(crate) const fn is_relocatable(kind: WorkloadKind) -> bool {
    !matches!(kind, WorkloadKind::DaemonSet)
}
