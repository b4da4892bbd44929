//! Spot nodes: the provider takes them back with two minutes' notice.

use super::SimulatedWorld;
use super::agenda::{Agenda, Event};
use super::cluster::Cluster;
use super::eviction::Drainer;
use crate::faults::{SHORTEST, exponential};
use model::names::NodeName;
use model::time::Period;

/// What AWS and others give a node that is about to be taken.
const NOTICE: Period = Period::from_minutes(2);

impl Cluster {
    /// Draws how long a new node of a spot pool lives.
    pub(super) fn plan_interruption(&mut self, agenda: &mut Agenda, pool: usize, name: &NodeName) {
        let Some(spot) = self.pools[pool].spec.spot else { return };
        let life = exponential(spot.interruptions_per_hour.as_f64(), &mut self.spot_chance);
        if let Some(life) = life {
            // Time must pass, or nodes that boot at once would come and go for ever.
            agenda.after(life.max(SHORTEST), Event::SpotNotice { cluster: self.index, node: name.clone() });
        }
    }
}

impl SimulatedWorld {
    /// The node is drained while there is time. A group of nodes orders another at once; a provisioner waits for pods.
    pub(super) fn spot_notice(&mut self, index: usize, name: NodeName) {
        let cluster = &mut self.clusters[index];
        let Some(id) = cluster.state.node_by_name(name.as_str()) else { return };
        let record = cluster.node(id).expect("a node of the cluster is known");
        let (pool, was_draining) = (record.pool, record.is_draining());
        self.agenda.after(NOTICE, Event::SpotTaken { cluster: index, node: name });
        if was_draining {
            return;
        }
        cluster.drain(&mut self.agenda, id, Drainer::Provisioner);
        let keeps_size = cluster.provisioner.as_ref().is_none_or(|provisioner| !provisioner.manages(pool));
        let short =
            cluster.pools[pool].target() < cluster.pools[pool].spec.minimum.max(cluster.pools[pool].floor);
        if keeps_size || short {
            cluster.order(&mut self.agenda, &mut self.chance.boots, pool, None);
        }
    }

    /// The node goes with whatever is still on it.
    pub(super) fn spot_taken(&mut self, index: usize, name: &NodeName) {
        let cluster = &mut self.clusters[index];
        let Some(id) = cluster.state.node_by_name(name.as_str()) else { return };
        for pod in cluster.state.pods_on(id).to_vec() {
            let key = cluster.pods.by_id(pod).expect("a pod on a node exists").key;
            cluster.pod_gone(&mut self.agenda, key);
        }
    }
}
