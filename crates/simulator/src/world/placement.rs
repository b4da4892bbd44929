//! Workloads that the federation's placement rules put into clusters, as Karmada's scheduler would.

use super::SimulatedWorld;
use super::agenda::Event;
use super::cluster::Cluster;
use crate::federation::{BindingState, ClusterView, Health, Placement, TargetCluster, schedule};
use crate::scenario::{ClusterSpec, Start};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::time::Period;
use std::sync::Arc;

/// A binding that found no place is tried again when clusters report their status, every ten seconds in Karmada.
const TRY_AGAIN: Period = Period::from_secs(10);

impl SimulatedWorld {
    /// Places a workload by its policy, or tries again later when no cluster can take it.
    pub(super) fn place_by_policy(&mut self, number: usize, placement: &Placement) {
        let spec = Arc::clone(&self.spec);
        let view = |(index, cluster): (usize, &ClusterSpec)| view(cluster, self.trouble.hidden(index));
        let views: Vec<ClusterView> = spec.clusters.iter().enumerate().map(view).collect();
        let each = self.workloads[number].template.each;
        let estimate = |view: &ClusterView| {
            let cluster = self.clusters.iter().find(|cluster| cluster.name.as_str() == view.name)?;
            Some(u32::try_from(cluster.room_for(each)).unwrap_or(u32::MAX))
        };
        match schedule(placement, &views, &self.binding(number), &estimate) {
            Ok(scheduled) => {
                self.workloads[number].affinity = scheduled.affinity;
                self.realise(number, &scheduled.targets);
            }
            Err(_) => self.agenda.after(TRY_AGAIN, Event::WorkloadWakes { workload: number }),
        }
    }

    /// A controller wants to look again, or a binding still has no place.
    pub(super) fn workload_wakes(&mut self, number: usize) {
        let spec = Arc::clone(&self.spec);
        let workload = &self.workloads[number];
        let homeless = workload.exists && workload.placements.values().all(|placement| placement.leaving);
        match &spec.workloads[number].start {
            Start::Policy(placement) if homeless => self.place_by_policy(number, placement),
            _ => self.touch_everywhere(number),
        }
    }

    fn binding(&self, number: usize) -> BindingState {
        let workload = &self.workloads[number];
        let leaves = |index: usize| self.leaving.contains_key(&(number, index));
        let present =
            workload.placements.iter().filter(|(index, placement)| !placement.leaving && !leaves(**index));
        let left = workload.placements.keys().filter(|index| leaves(**index));
        let target = |(index, placement): (&usize, &super::workloads::Placement)| {
            TargetCluster::new(self.clusters[*index].name.as_str(), placement.replicas)
        };
        BindingState {
            uid: self.spec.workloads[number].reference.to_string(),
            replicas: workload.wanted,
            has_replica_requirements: true,
            previous: present.map(target).collect(),
            graceful_evictions: left.map(|index| self.clusters[*index].name.to_string()).collect(),
            observed_affinity: workload.affinity.clone(),
            ..BindingState::default()
        }
    }

    fn realise(&mut self, number: usize, targets: &[TargetCluster]) {
        for index in 0..self.clusters.len() {
            let name = self.clusters[index].name.as_str();
            match targets.iter().find(|target| target.name == name) {
                Some(target) => self.place(number, index, target.replicas),
                // It goes when its successors are ready.
                None if self.leaving.contains_key(&(number, index)) => {}
                None => self.displace(number, index),
            }
        }
    }
}

impl Cluster {
    /// How many pods of this size the free room of the nodes holds, node by node.
    fn room_for(&self, each: Resources) -> u64 {
        let free = |id| {
            let node = self.state.node_resources(id);
            let left = |all: i64, used: i64| (all - used).max(0) as u64;
            Resources::new(
                MilliCpu(left(node.allocatable_cpu, node.requested_cpu)),
                Bytes(left(node.allocatable_memory, node.requested_memory)),
                left(node.allocatable_pods, node.pods),
            )
        };
        let usable = self
            .node_ids()
            .filter(|id| self.node(*id).is_some_and(|record| !record.is_closed()))
            .filter(|id| self.is_capacity(*id));
        usable.map(|id| free(id).how_many(each)).sum()
    }
}

fn view(cluster: &ClusterSpec, hidden: bool) -> ClusterView {
    let mut zones: Vec<String> = cluster.pools.iter().flat_map(|pool| pool.zones.iter().cloned()).collect();
    zones.sort();
    zones.dedup();
    ClusterView {
        name: cluster.name.to_string(),
        labels: cluster.labels.clone(),
        region: cluster.region.clone(),
        zones,
        provider: cluster.provider.clone(),
        health: if hidden { Health::Unreachable } else { Health::Ready },
        ..ClusterView::default()
    }
}
