//! What agents get to see of the simulated world.

use super::SimulatedWorld;
use super::cluster::Cluster;
use super::trouble::LastSeen;
use super::workloads::{Placement, Workload};
use crate::scenario::WorkloadSpec;
use model::names::ClusterName;
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Readings;
use model::snapshot::{
    ClusterView, Gap, GapSubject, NodeView, PlacementView, PoolView, Snapshot, WorkloadView,
};
use model::time::Timestamp;
use std::collections::BTreeMap;

impl SimulatedWorld {
    /// The federation as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let workloads = self.spec.workloads.iter().zip(self.workloads.iter()).enumerate();
        let visible = workloads
            .filter(|(_, (spec, workload))| !workload.placements.is_empty() || self.is_remembered(spec));
        Snapshot {
            taken_at: self.agenda.now(),
            clusters: self
                .clusters
                .iter()
                .map(|cluster| (cluster.name.clone(), self.known_view(cluster)))
                .collect(),
            workloads: visible
                .filter_map(|(number, (spec, workload))| {
                    let mut view = self.workload_view(spec, workload)?;
                    view.signals = self.workload_readings(number);
                    Some((spec.reference.clone(), view))
                })
                .collect(),
            gaps: self.trouble.last_seen.iter().map(|(index, seen)| self.gap(*index, seen.at)).collect(),
        }
    }

    /// What is seen of a cluster at this moment, for the time when it cannot be seen.
    pub(super) fn look_at(&self, index: usize) -> LastSeen {
        let cluster = &self.clusters[index];
        let workloads = self.spec.workloads.iter().zip(self.workloads.iter());
        let placements = workloads.filter_map(|(spec, workload)| {
            let placement = workload.placements.get(index).filter(|placement| !placement.is_finished())?;
            Some((spec.reference.clone(), placement_view(placement, cluster)))
        });
        LastSeen { at: self.agenda.now(), view: self.cluster_view(cluster), placements: placements.collect() }
    }

    fn gap(&self, index: usize, known_at: Timestamp) -> Gap {
        Gap {
            subject: GapSubject::Cluster(self.clusters[index].name.clone()),
            reason: "the cluster cannot be reached".to_owned(),
            known_at: Some(known_at),
        }
    }

    fn known_view(&self, cluster: &Cluster) -> ClusterView {
        let last_seen = self.trouble.last_seen.get(&cluster.index);
        last_seen.map_or_else(|| self.cluster_view(cluster), |seen| seen.view.clone())
    }

    /// Whether it was in a cluster when that was last seen.
    fn is_remembered(&self, spec: &WorkloadSpec) -> bool {
        self.trouble.last_seen.values().any(|seen| seen.placements.contains_key(&spec.reference))
    }

    /// Where a workload is, as far as that can be seen, and where it was last seen.
    fn known_placements(
        &self,
        spec: &WorkloadSpec,
        workload: &Workload,
    ) -> BTreeMap<ClusterName, PlacementView> {
        let hidden = &self.trouble.last_seen;
        let seen = workload
            .placements
            .iter()
            .filter(|(index, placement)| !hidden.contains_key(*index) && !placement.is_finished())
            .map(|(index, placement)| {
                let cluster = &self.clusters[*index];
                (cluster.name.clone(), placement_view(placement, cluster))
            });
        let remembered = hidden.iter().filter_map(|(index, seen)| {
            Some((self.clusters[*index].name.clone(), *seen.placements.get(&spec.reference)?))
        });
        seen.chain(remembered).collect()
    }

    fn cluster_view(&self, cluster: &Cluster) -> ClusterView {
        let mut view = cluster.view();
        view.signals = self.cluster_readings(cluster.index);
        if self.spec.telemetry.nodes {
            for id in cluster.node_ids() {
                let node = cluster.node(id).and_then(|record| view.nodes.get_mut(&record.name));
                if let Some(node) = node {
                    node.signals = self.node_readings(cluster.index, id);
                }
            }
        }
        view
    }

    /// A workload whose work is done is no longer shown.
    fn workload_view(&self, spec: &WorkloadSpec, workload: &Workload) -> Option<WorkloadView> {
        let placements = self.known_placements(spec, workload);
        (!placements.is_empty()).then(|| WorkloadView {
            each: workload.template.each,
            replicas: workload.wanted,
            placements,
            priority: workload.template.priority,
            movable: spec.movable && super::workloads::is_relocatable(spec.reference.kind()),
            moving: workload.busy_with.is_some(),
            created_at: workload.created_at,
            last_moved_at: workload.last_moved_at,
            scaled_by: None,
            repository: None,
            disruptions_allowed: None,
            signals: Readings::default(),
        })
    }
}

fn placement_view(placement: &Placement, cluster: &Cluster) -> PlacementView {
    let counts = placement.count(cluster);
    PlacementView {
        replicas: if placement.leaving { 0 } else { placement.replicas },
        pods: counts.pods,
        pods_pending: counts.waiting,
        pods_ready: counts.ready,
        pending_since: counts.waiting_since,
    }
}

impl Cluster {
    fn view(&self) -> ClusterView {
        ClusterView {
            capacity: self.sums.capacity,
            allocated: self.sums.allocated,
            requested: self.sums.requested,
            pods_pending: self.sums.waiting as u32,
            autoscaled: self.autoscaler.is_some() || self.provisioner.is_some(),
            pools: self
                .pools
                .iter()
                .map(|pool| {
                    let view = PoolView {
                        nodes: pool.ready,
                        booting: pool.booting.len() as u32,
                        minimum: pool.spec.minimum,
                        maximum: pool.spec.maximum,
                        node_capacity: pool.spec.node_capacity,
                        price_per_hour: pool.spec.price_per_hour,
                        boot_time: pool.spec.boot_time.typical(),
                    };
                    (pool.spec.name.clone(), view)
                })
                .collect(),
            nodes: self.node_views(),
            signals: Readings::default(),
        }
    }

    fn node_views(&self) -> BTreeMap<model::names::NodeName, NodeView> {
        let view = |id| {
            let record = self.node(id)?;
            let pool = &self.pools[record.pool].spec;
            let used = self.state.node_resources(id);
            let amount = |value: i64| value.max(0) as u64;
            let allocated = Resources::new(
                MilliCpu(amount(used.requested_cpu)),
                Bytes(amount(used.requested_memory)),
                amount(used.pods),
            );
            let schedulable = !record.is_closed() && !record.unreachable;
            Some((
                record.name.clone(),
                NodeView {
                    pool: pool.name.clone(),
                    capacity: pool.node_capacity,
                    allocated,
                    schedulable,
                    signals: Readings::default(),
                },
            ))
        };
        self.node_ids().filter_map(view).collect()
    }
}
