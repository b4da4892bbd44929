//! From what the simulator shows of a cluster to the things that its API server would have: owners, names, counts.

use super::events;
use super::kinds::Resource;
use super::naming::{ending, template_hash, uid};
use super::thing::{Counts, Facts, JobFacts, PodFacts, Reference, SetFacts, Texts, Thing};
use model::names::{ClusterName, WorkloadKind};
use model::time::{Period, Timestamp};
use simulator::controllers::cron_job::job_name;
use simulator::world::{
    ControllerObject, Inventory, JobObject, PodObject, PodStage, SetObject, Template, WorkloadObject,
};
use std::collections::{BTreeMap, BTreeSet};

/// The label that tells the templates of a deployment apart.
const TEMPLATE_HASH: &str = "pod-template-hash";

/// Namespaces that every cluster has.
const ALWAYS: [&str; 2] = ["default", "kube-system"];

/// Everything in a cluster.
pub(super) fn of(cluster: &ClusterName, inventory: &Inventory) -> Vec<Thing> {
    let (mut things, _) = without_events(cluster, inventory, usize::MAX);
    let events: Vec<Thing> = things.iter().flat_map(|thing| events::about(cluster, thing)).collect();
    things.extend(events);
    things
}

/// What lasts in a cluster, and no more than so many of its pods; and how many are left out, for that or because their workload is. Pods
/// that are left out are counted all the same where something counts its pods.
pub(super) fn without_events(
    cluster: &ClusterName,
    inventory: &Inventory,
    most_pods: usize,
) -> (Vec<Thing>, usize) {
    let mut maker = Maker::new(cluster, inventory, most_pods);
    maker.namespaces();
    maker.nodes();
    for workload in &inventory.workloads {
        maker.workload(workload);
    }
    let of_nobody: usize = maker.pods.values().map(Vec::len).sum();
    (maker.things, maker.left_out + of_nobody)
}

struct Maker<'a> {
    cluster: &'a ClusterName,
    inventory: &'a Inventory,
    /// By the number of their workload; whatever is made leaves.
    pods: BTreeMap<u32, Vec<&'a PodObject>>,
    /// Nodes that are not heard from.
    lost: BTreeSet<&'a str>,
    /// How many more pods may be made.
    most_pods: usize,
    /// How many were not made for that.
    left_out: usize,
    things: Vec<Thing>,
}

/// What is the same for everything that belongs to a workload.
struct Family<'a> {
    workload: &'a WorkloadObject,
    pods: Vec<&'a PodObject>,
    labels: Texts,
}

impl<'a> Maker<'a> {
    fn new(cluster: &'a ClusterName, inventory: &'a Inventory, most_pods: usize) -> Self {
        let mut pods: BTreeMap<u32, Vec<&PodObject>> = BTreeMap::new();
        for pod in &inventory.pods {
            pods.entry(pod.workload).or_default().push(pod);
        }
        let lost = inventory.nodes.iter().filter(|node| !node.ready).map(|node| node.name.as_str()).collect();
        Self { cluster, inventory, pods, lost, most_pods, left_out: 0, things: Vec::new() }
    }

    /// Adds a thing, and says how others refer to it.
    fn add(
        &mut self,
        (resource, namespace, name): (Resource, &str, &str),
        created_at: Timestamp,
        labels: Texts,
        owner: Option<Reference>,
        facts: Facts,
    ) -> Reference {
        // A pod's number is unlike that of any other; everything else was made once at its moment.
        let once = match &facts {
            Facts::Pod(pod) => pod.pod.uid.to_string(),
            _ => created_at.as_millis().to_string(),
        };
        let plural = resource.about().plural;
        let uid = uid(&[self.cluster.as_str(), plural, namespace, name, &once]);
        let (namespace, name) = (namespace.to_owned(), name.to_owned());
        let notes = Texts::new();
        let thing = Thing { resource, namespace, name, uid, created_at, labels, notes, owner, facts };
        let reference = thing.reference();
        self.things.push(thing);
        reference
    }

    fn namespaces(&mut self) {
        let used = self.inventory.workloads.iter().map(|workload| workload.reference.namespace());
        let names: BTreeSet<&str> = used.chain(ALWAYS).collect();
        for name in names {
            let labels = Texts::from([("kubernetes.io/metadata.name".to_owned(), name.to_owned())]);
            self.add((Resource::Namespaces, "", name), Timestamp::EPOCH, labels, None, Facts::Namespace);
        }
    }

    fn nodes(&mut self) {
        for node in &self.inventory.nodes {
            let mut labels = node.node.metadata.labels.clone();
            for (key, value) in [("kubernetes.io/os", "linux"), ("kubernetes.io/arch", "amd64")] {
                labels.entry(key.to_owned()).or_insert_with(|| value.to_owned());
            }
            let place = (Resource::Nodes, "", node.name.as_str());
            self.add(place, node.created_at, labels, None, Facts::Node(Box::new(node.clone())));
        }
    }

    fn workload(&mut self, workload: &'a WorkloadObject) {
        let pods = self.pods.remove(&workload.number).unwrap_or_default();
        let labels = workload.template.0.pod.metadata.labels.clone();
        let family = Family { workload, pods, labels };
        match &workload.controller {
            ControllerObject::Deployment { sets, .. } => self.deployment(&family, sets),
            ControllerObject::ReplicaSet { set } => {
                if let Some(set) = set {
                    self.replica_set(&family, set, None);
                }
            }
            ControllerObject::StatefulSet { .. } => self.stateful_set(&family),
            ControllerObject::DaemonSet => self.daemon_set(&family),
            ControllerObject::Job(job) => {
                self.job(&family, job, workload.reference.name(), None);
            }
            ControllerObject::CronJob { jobs, .. } => self.cron_job(&family, jobs),
            ControllerObject::Pod => self.bare_pods(&family),
        }
        self.beside(&family);
    }

    fn deployment(&mut self, family: &Family<'_>, sets: &[SetObject]) {
        let newest = sets.iter().find(|set| set.made_from == family.workload.revision).map(|set| set.key);
        let counts = family.counts(|_| true, |pod| Some(pod.set) == newest);
        let facts = Facts::Deployment { workload: Box::new(family.workload.clone()), counts };
        let owner = self.add(
            family.place(Resource::Deployments),
            family.created_at(),
            family.labels.clone(),
            None,
            facts,
        );
        for set in sets {
            self.replica_set(family, set, Some(owner.clone()));
        }
    }

    fn replica_set(&mut self, family: &Family<'_>, set: &SetObject, owner: Option<Reference>) {
        let hash = template_hash(family.workload.reference.name(), set.made_from);
        let mut labels = family.labels.clone();
        let mut name = family.workload.reference.name().to_owned();
        if owner.is_some() {
            name = format!("{name}-{hash}");
            labels.insert(TEMPLATE_HASH.to_owned(), hash);
        }
        let facts = Facts::ReplicaSet(SetFacts {
            replicas: set.replicas,
            revision: set.revision,
            template: set.template.clone(),
            counts: family.counts(|pod| pod.set == set.key, |_| true),
            wanted: owner.is_some().then_some(family.workload.replicas),
        });
        let place = (Resource::ReplicaSets, family.namespace(), name.as_str());
        let owner = self.add(place, set.created_at, labels.clone(), owner, facts);
        for pod in family.pods.iter().filter(|pod| pod.set == set.key) {
            let name = format!("{name}-{}", ending(pod.number));
            self.pod(family, pod, &name, labels.clone(), Some(owner.clone()));
        }
    }

    fn stateful_set(&mut self, family: &Family<'_>) {
        let newest = family.workload.revision;
        let counts = family.counts(|_| true, |pod| u64::from(pod.set) == newest);
        let facts = Facts::StatefulSet { workload: Box::new(family.workload.clone()), counts };
        let owner = self.add(
            family.place(Resource::StatefulSets),
            family.created_at(),
            family.labels.clone(),
            None,
            facts,
        );
        for pod in &family.pods {
            let name = format!("{}-{}", owner.name, pod.ordinal);
            let revision = format!("{}-{}", owner.name, template_hash(&owner.name, u64::from(pod.set)));
            let mut labels = family.labels.clone();
            labels.insert("apps.kubernetes.io/pod-index".to_owned(), pod.ordinal.to_string());
            labels.insert("statefulset.kubernetes.io/pod-name".to_owned(), name.clone());
            labels.insert("controller-revision-hash".to_owned(), revision);
            self.pod(family, pod, &name, labels, Some(owner.clone()));
        }
    }

    fn daemon_set(&mut self, family: &Family<'_>) {
        let counts = family.counts(|_| true, |_| true);
        let facts = Facts::DaemonSet { workload: Box::new(family.workload.clone()), counts };
        let owner = self.add(
            family.place(Resource::DaemonSets),
            family.created_at(),
            family.labels.clone(),
            None,
            facts,
        );
        for pod in &family.pods {
            let name = format!("{}-{}", owner.name, ending(pod.number));
            self.pod(family, pod, &name, family.labels.clone(), Some(owner.clone()));
        }
    }

    fn job(
        &mut self,
        family: &Family<'_>,
        job: &JobObject,
        name: &str,
        owner: Option<Reference>,
    ) -> Reference {
        let mut labels = family.labels.clone();
        labels.insert("batch.kubernetes.io/job-name".to_owned(), name.to_owned());
        let facts = Facts::Job(JobFacts {
            job: job.clone(),
            parallelism: family.workload.replicas,
            template: family.workload.template.clone(),
            counts: family.counts(|pod| pod.set == job.key, |_| true),
        });
        let created = job.started_at.or(job.scheduled_at).unwrap_or(family.workload.created_at);
        let owner =
            self.add((Resource::Jobs, family.namespace(), name), created, labels.clone(), owner, facts);
        for pod in family.pods.iter().filter(|pod| pod.set == job.key) {
            let name = format!("{name}-{}", ending(pod.number));
            self.pod(family, pod, &name, labels.clone(), Some(owner.clone()));
        }
        owner
    }

    fn cron_job(&mut self, family: &Family<'_>, jobs: &[JobObject]) {
        let place = family.place(Resource::CronJobs);
        let facts = Facts::CronJob { workload: Box::new(family.workload.clone()), active: Vec::new() };
        let owner = self.add(place, family.created_at(), family.labels.clone(), None, facts);
        let at = self.things.len() - 1;
        let mut running = Vec::new();
        for job in jobs {
            let due = job.scheduled_at.unwrap_or(Timestamp::EPOCH);
            let made = self.job(family, job, &job_name(&owner.name, due, Period::ZERO), Some(owner.clone()));
            running.extend(job.finished.is_none().then_some(made));
        }
        if let Facts::CronJob { active, .. } = &mut self.things[at].facts {
            *active = running;
        }
    }

    fn bare_pods(&mut self, family: &Family<'_>) {
        let alone = family.workload.replicas <= 1;
        for pod in &family.pods {
            let name = family.workload.reference.name();
            let name = if alone { name.to_owned() } else { format!("{name}-{}", pod.ordinal) };
            self.pod(family, pod, &name, family.labels.clone(), None);
        }
    }

    fn pod(
        &mut self,
        family: &Family<'_>,
        pod: &PodObject,
        name: &str,
        labels: Texts,
        owner: Option<Reference>,
    ) {
        let Some(left) = self.most_pods.checked_sub(1) else {
            self.left_out += 1;
            return;
        };
        self.most_pods = left;
        let kind = family.workload.reference.kind();
        let facts = Facts::Pod(PodFacts {
            pod: pod.clone(),
            // Only those who wait say how many there are; for all others it would be a change that is none.
            nodes: if pod.node.is_none() { self.inventory.nodes.len() } else { 0 },
            is_lost: pod.node.as_ref().is_some_and(|node| self.lost.contains(node.as_str())),
            ends: matches!(kind, WorkloadKind::Job | WorkloadKind::CronJob | WorkloadKind::Pod),
        });
        self.add((Resource::Pods, family.namespace(), name), pod.created_at, labels, owner, facts);
    }

    /// A workload's autoscaler and its budget.
    fn beside(&mut self, family: &Family<'_>) {
        let workload = family.workload;
        if workload.horizontal.is_some() {
            let counts = family.counts(|_| true, |_| true);
            let facts = Facts::Horizontal { workload: Box::new(workload.clone()), counts };
            let place = family.place(Resource::HorizontalPodAutoscalers);
            self.add(place, family.created_at(), family.labels.clone(), None, facts);
        }
        if let Some(budget) = workload.budget {
            let facts = Facts::Budget { budget, selector: family.labels.clone() };
            let place = family.place(Resource::PodDisruptionBudgets);
            self.add(place, family.created_at(), family.labels.clone(), None, facts);
        }
    }
}

impl<'a> Family<'a> {
    fn namespace(&self) -> &'a str {
        self.workload.reference.namespace()
    }

    fn place(&self, resource: Resource) -> (Resource, &'a str, &'a str) {
        (resource, self.namespace(), self.workload.reference.name())
    }

    const fn created_at(&self) -> Timestamp {
        self.workload.created_at
    }

    fn counts(&self, belongs: impl Fn(&PodObject) -> bool, is_new: impl Fn(&PodObject) -> bool) -> Counts {
        let mut counts = Counts::default();
        let ended = |pod: &PodObject| matches!(pod.stage, PodStage::Stopping | PodStage::Succeeded);
        for pod in self.pods.iter().filter(|pod| belongs(pod) && !ended(pod)) {
            counts.active += 1;
            counts.ready += u32::from(pod.stage == PodStage::Ready);
            counts.updated += u32::from(is_new(pod));
        }
        counts
    }
}

/// The labels of a template without the one that tells templates apart.
pub(super) fn chosen_labels(template: &Template) -> Texts {
    let mut labels = template.0.pod.metadata.labels.clone();
    labels.remove(TEMPLATE_HASH);
    labels
}
