//! Deployments and ReplicaSets: sets of equal pods, rolled from one template to the next.

use super::{Site, Wanted};
use crate::controllers::deployment::{
    self, Command, DeploymentSpec, ReplicaSetKey, ReplicaSetView, SizeMarks, Strategy,
};
use crate::controllers::pod::{NodeKey, PodView};
use crate::controllers::replica_set::{self, Plan};
use crate::scenario::{ControllerSpec, PodTemplate};
use crate::scheduler::TemplateId;
use crate::world::objects::{SetObject, Template};
use crate::world::pods::PodKey;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The label upstream gives the pods of each replica set.
const TEMPLATE_HASH: &str = "pod-template-hash";

/// Every sync is one step; a change that needs more steps than this at one moment goes on at the next event.
const MOST_STEPS: u32 = 64;

#[derive(Clone, Debug, Default)]
pub(super) struct ReplicaSets {
    sets: Vec<Set>,
    next_key: u32,
}

#[derive(Clone, Debug)]
struct Set {
    key: u32,
    /// The revision of the workload's template it was made from.
    made_from: u64,
    revision: u64,
    marks: Option<SizeMarks>,
    replicas: u32,
    created: Timestamp,
    template: Arc<PodTemplate>,
    id: TemplateId,
    pods: Vec<PodKey>,
}

impl ReplicaSets {
    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        for set in &mut self.sets {
            site.prune(&mut set.pods);
        }
        for _ in 0..MOST_STEPS {
            let resized = match wanted.spec.controller {
                ControllerSpec::Deployment { max_surge, max_unavailable } => {
                    let strategy = Strategy::RollingUpdate { max_surge, max_unavailable };
                    self.roll(
                        wanted,
                        &DeploymentSpec { replicas: wanted.replicas, strategy, ..DeploymentSpec::default() },
                        site,
                    )
                }
                _ => self.resize_only_set(wanted, site),
            };
            if !self.fill(site) && !resized {
                return None;
            }
        }
        None
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        let mut left = false;
        for set in &mut self.sets {
            set.replicas = 0;
            left |= site.stop_all(&mut set.pods);
        }
        left
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.sets.iter().flat_map(|set| set.pods.iter().copied()).collect()
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = SetObject> + '_ {
        self.sets.iter().map(|set| SetObject {
            key: set.key,
            made_from: set.made_from,
            revision: set.revision,
            replicas: set.replicas,
            created_at: set.created,
            template: Template(Arc::clone(&set.template)),
        })
    }

    /// One step of the deployment controller; returns whether it changed anything.
    fn roll(&mut self, wanted: &Wanted<'_>, spec: &DeploymentSpec, site: &mut Site<'_>) -> bool {
        let views: Vec<ReplicaSetView> = self.sets.iter().map(|set| set.view(site)).collect();
        let is_new = |view: &ReplicaSetView| self.made_from(view.key) == wanted.revision;
        let new = deployment::find_new(&views, is_new).copied();
        let old: Vec<ReplicaSetView> =
            views.iter().filter(|view| Some(view.key) != new.map(|new| new.key)).copied().collect();
        let commands = deployment::sync(spec, new.as_ref(), &old);
        let mut changed = false;
        for command in commands {
            changed |= self.carry_out(command, wanted, site);
        }
        changed
    }

    fn carry_out(&mut self, command: Command, wanted: &Wanted<'_>, site: &mut Site<'_>) -> bool {
        match command {
            Command::CreateReplicaSet { replicas, revision, marks } => {
                let set = self.add(wanted, site);
                (set.replicas, set.revision, set.marks) = (replicas, revision, Some(marks));
            }
            Command::SetRevision { set, revision } => self.set_mut(set).revision = revision,
            Command::Scale { set, replicas, marks } => {
                let set = self.set_mut(set);
                let same = (set.replicas, set.marks) == (replicas, Some(marks));
                (set.replicas, set.marks) = (replicas, Some(marks));
                return !same;
            }
            Command::DeleteReplicaSet { set } => self.sets.retain(|other| other.key != set.0),
        }
        true
    }

    fn resize_only_set(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> bool {
        if self.sets.is_empty() {
            self.add(wanted, site);
        }
        let set = &mut self.sets[0];
        let changed = set.replicas != wanted.replicas;
        set.replicas = wanted.replicas;
        changed
    }

    fn add(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> &mut Set {
        self.next_key += 1;
        let template = Arc::new(labelled(wanted.template, wanted.revision));
        let id = site.intern_selected(&template);
        self.sets.push(Set {
            key: self.next_key,
            made_from: wanted.revision,
            revision: 1,
            marks: None,
            replicas: 0,
            created: site.now(),
            template,
            id,
            pods: Vec::new(),
        });
        self.sets.last_mut().expect("just added")
    }

    /// Brings every set to its size; returns whether a pod came or went.
    fn fill(&mut self, site: &mut Site<'_>) -> bool {
        let siblings = self.siblings(site);
        let mut changed = false;
        for set in &mut self.sets {
            let views = set.pod_views(site);
            let on_node = |node: NodeKey| siblings.get(&node).copied().unwrap_or(0);
            match replica_set::plan(set.replicas, &views, on_node, site.now()) {
                Plan::Nothing => continue,
                Plan::Create(count) => {
                    for _ in 0..count {
                        let key = site.create(set.key, 0, set.id, &set.template);
                        set.pods.push(key);
                    }
                }
                Plan::Delete(victims) => {
                    for victim in victims {
                        let key = site.key(victim);
                        site.stop(key);
                    }
                    site.prune(&mut set.pods);
                }
            }
            changed = true;
        }
        changed
    }

    fn siblings(&self, site: &Site<'_>) -> BTreeMap<NodeKey, u32> {
        let mut siblings = BTreeMap::new();
        // Only a set that must shrink asks; most of the time none does.
        if self.sets.iter().all(|set| set.pods.len() <= set.replicas as usize) {
            return siblings;
        }
        for view in self.sets.iter().flat_map(|set| set.pod_views(site)).filter(PodView::is_active) {
            if let Some(node) = view.node {
                *siblings.entry(node).or_insert(0) += 1;
            }
        }
        siblings
    }

    fn made_from(&self, key: ReplicaSetKey) -> u64 {
        self.sets.iter().find(|set| set.key == key.0).map_or(0, |set| set.made_from)
    }

    fn set_mut(&mut self, key: ReplicaSetKey) -> &mut Set {
        self.sets.iter_mut().find(|set| set.key == key.0).expect("the controller names sets it was shown")
    }
}

/// A set selects its own pods only, so they carry a label that tells the templates of a workload apart.
fn labelled(template: &PodTemplate, revision: u64) -> PodTemplate {
    let mut labelled = template.clone();
    labelled.pod.metadata.labels.insert(TEMPLATE_HASH.to_owned(), revision.to_string());
    labelled
}

impl Set {
    fn pod_views(&self, site: &Site<'_>) -> Vec<PodView> {
        self.pods.iter().filter_map(|key| site.get(*key)).map(crate::world::pods::PodRecord::view).collect()
    }

    fn view(&self, site: &Site<'_>) -> ReplicaSetView {
        ReplicaSetView {
            key: ReplicaSetKey(self.key),
            created: self.created,
            revision: self.revision,
            marks: self.marks,
            replicas: self.replicas,
            status: replica_set::status(&self.pod_views(site), Period::ZERO, site.now()),
            observed: true,
            deleting: false,
        }
    }
}
