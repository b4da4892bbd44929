//! Compiles a pod's requests: what must be free, what it takes, and what scoring adds.

use super::nodes::ResourceId;
use super::profile::ResourceWeight;
use super::requests::{self, RequestOptions, pod_requests};
use super::state::{ClusterState, is_other_resource};
use super::symbol::{Interner, Symbol};
use super::template::Requests;
use crate::kube::{CPU, EPHEMERAL_STORAGE, MEMORY, Pod, ResourceList};

/// More other resources in one pod than a [`super::status::Shortage`] can name.
pub const MOST_OTHER_RESOURCES: usize = 60;

impl ResourceId {
    pub(super) fn of(symbol: Symbol) -> Self {
        Self(symbol)
    }
}

impl Interner {
    pub(super) fn intern_resource(&mut self, name: &str) -> ResourceId {
        ResourceId::of(self.intern(name))
    }
}

/// A pod's amounts in every form the plugins need.
pub(super) struct Amounts {
    pub(super) requests: Requests,
    pub(super) occupied: Requests,
    pub(super) scored_cpu: i64,
    pub(super) scored_memory: i64,
    pub(super) fit_score: Vec<i64>,
    pub(super) balanced: Vec<i64>,
}

impl ClusterState {
    pub(super) fn compile_amounts(&mut self, pod: &Pod) -> Amounts {
        let features = self.profile.features;
        let skip_pod_level = !features.pod_level_resources;
        let asked = pod_requests(pod, &RequestOptions { skip_pod_level, ..Default::default() });
        let granted =
            RequestOptions { use_status: features.in_place_resize, skip_pod_level, ..Default::default() };
        let occupied = pod_requests(pod, &granted);
        let scored = scored_requests(pod, &occupied, &granted);
        // The scorer of NodeResourcesFit never looks at pod-level resources, whatever the feature switch says.
        let defaults = requests::scoring_defaults();
        let fit_score =
            pod_requests(pod, &RequestOptions { skip_pod_level: true, defaults, ..Default::default() });
        let mut requests = self.split_amounts(&asked);
        requests.others.retain(|&(resource, amount)| amount != 0 && !self.is_ignored(resource));
        assert!(
            requests.others.len() <= MOST_OTHER_RESOURCES,
            "a pod asks for more resources than can be reported"
        );
        Amounts {
            requests,
            scored_cpu: scored.get(CPU).unwrap_or(0),
            scored_memory: scored.get(MEMORY).unwrap_or(0),
            fit_score: amounts_of(&fit_score, self.profile.fit_scoring.resources()),
            balanced: amounts_of(&occupied, &self.profile.balanced_resources),
            occupied: self.split_amounts(&occupied),
        }
    }

    fn split_amounts(&mut self, list: &ResourceList) -> Requests {
        let others = list.0.iter().filter(|(name, _)| is_other_resource(name));
        Requests {
            cpu: list.get(CPU).unwrap_or(0),
            memory: list.get(MEMORY).unwrap_or(0),
            ephemeral: list.get(EPHEMERAL_STORAGE).unwrap_or(0),
            others: others
                .map(|(name, &amount)| (self.resource_names.intern_resource(name), amount))
                .collect(),
        }
    }

    fn is_ignored(&self, resource: ResourceId) -> bool {
        let name = self.resource_names.text(resource.0);
        let group = name.split('/').next().unwrap_or_default();
        let is_extended = name.contains('/') && !name.contains("kubernetes.io/");
        is_extended
            && (self.profile.ignored_resources.iter().any(|one| one == name)
                || self.profile.ignored_resource_groups.iter().any(|one| one == group))
    }
}

fn amounts_of(list: &ResourceList, resources: &[ResourceWeight]) -> Vec<i64> {
    resources.iter().map(|resource| list.get(&resource.name).unwrap_or(0)).collect()
}

/// What the pod adds to its node's scored amounts: containers without a request count for the default, unless the pod
/// as a whole names the resource.
fn scored_requests(pod: &Pod, occupied: &ResourceList, granted: &RequestOptions) -> ResourceList {
    let mut defaults = requests::scoring_defaults();
    if !granted.skip_pod_level && requests::has_pod_level_requests(pod) {
        defaults.0.retain(|name, _| occupied.get(name).is_none());
    }
    pod_requests(pod, &RequestOptions { defaults, ..granted.clone() })
}
