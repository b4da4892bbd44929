//! What is wrong in the world at this moment, and what was.
//!
//! Episodes are planned before the run. Episodes of one fault follow each other, those of different faults may overlap: whoever
//! asks gets an answer from all that are there, so nothing is mended before the last has ended.

use super::SimulatedWorld;
use super::agenda::Event;
use crate::faults::{Episode, Fault, FaultSpec, episodes};
use crate::randomness::Randomness;
use crate::scenario::{Delay, WorldSpec};
use model::names::{NodeName, WorkloadRef};
use model::ratio::Ratio;
use model::snapshot::{ClusterView, PlacementView};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which faults are there now. Nobody asks for [`Fault::Model`] yet: the simulator has no model that could answer late.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    faults: Vec<FaultSpec>,
    pub(super) episodes: Arc<Vec<Episode>>,
    active: Vec<bool>,
    /// Clusters that no client can reach.
    pub(super) cut_off: Vec<bool>,
    /// Clusters that the federation cannot reach, as they were last seen.
    pub(super) last_seen: BTreeMap<usize, Arc<LastSeen>>,
    /// The nodes that an episode has stopped.
    crashed: BTreeMap<usize, Vec<NodeName>>,
    /// Every episode that has begun, in words, and its end if that has come.
    begun: Vec<(usize, String, bool)>,
}

/// A cluster at the moment when it was last seen.
#[derive(Clone, Debug)]
pub(crate) struct LastSeen {
    pub(super) at: Timestamp,
    pub(super) view: ClusterView,
    pub(super) placements: BTreeMap<WorkloadRef, PlacementView>,
}

impl Trouble {
    pub(super) fn new(spec: &WorldSpec, randomness: Randomness) -> Self {
        Self {
            faults: spec.faults.clone(),
            episodes: Arc::new(episodes(&spec.faults, spec.duration, randomness)),
            active: vec![false; spec.faults.len()],
            cut_off: vec![false; spec.clusters.len()],
            last_seen: BTreeMap::new(),
            crashed: BTreeMap::new(),
            begun: Vec::new(),
        }
    }

    /// Whether scrapes of a cluster do not arrive: nothing is measured, or nothing gets through.
    pub(super) fn metrics_lost(&self, index: usize) -> bool {
        self.hidden(index)
            || self.any(|fault| matches!(fault, Fault::LostMetrics { cluster } if *cluster == index))
    }

    /// Whether the federation can neither see the cluster nor order anything there.
    pub(super) fn hidden(&self, index: usize) -> bool {
        self.any(|fault| matches!(fault, Fault::Partition { cluster, .. } if *cluster == index))
    }

    pub(super) fn nobody_reviews(&self) -> bool {
        self.any(|fault| matches!(fault, Fault::Reviewer))
    }

    /// How much longer orders to these clusters take, and which share fails, fault by fault.
    pub(super) fn slow_orders(&self, clusters: &[usize]) -> Vec<(Delay, Ratio)> {
        let slow = |fault: &Fault| match fault {
            Fault::Api { cluster, delay, fails } if clusters.contains(cluster) => Some((*delay, *fails)),
            _ => None,
        };
        self.active_faults().filter_map(slow).collect()
    }

    fn any(&self, is: impl Fn(&Fault) -> bool) -> bool {
        self.active_faults().any(is)
    }

    fn active_faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().zip(&self.active).filter(|(_, active)| **active).map(|(spec, _)| &spec.fault)
    }
}

impl SimulatedWorld {
    /// What went wrong so far, in words: what, since when, and until when, which is now for what is still there.
    pub fn troubles(&self) -> Vec<(String, Timestamp, Timestamp)> {
        let lasted = |(episode, what, over): &(usize, String, bool)| {
            let Episode { from, until, .. } = self.trouble.episodes[*episode];
            (what.clone(), from, if *over { until } else { self.agenda.now() })
        };
        self.trouble.begun.iter().map(lasted).collect()
    }

    pub(super) fn plan_next_fault(&mut self, episode: usize) {
        if let Some(next) = self.trouble.episodes.get(episode) {
            self.agenda.at(next.from, Event::FaultBegins { episode });
        }
    }

    pub(super) fn fault_begins(&mut self, index: usize) {
        self.plan_next_fault(index + 1);
        let episode = self.trouble.episodes[index];
        self.agenda.at(episode.until, Event::FaultEnds { episode: index });
        let fault = self.trouble.faults[episode.fault].fault.clone();
        // What is seen last is seen before anything is wrong.
        if let Fault::Partition { cluster, .. } = fault
            && !self.trouble.hidden(cluster)
        {
            let last_seen = Arc::new(self.look_at(cluster));
            self.trouble.last_seen.insert(cluster, last_seen);
        }
        self.trouble.active[episode.fault] = true;
        let mut nodes = Vec::new();
        if let Fault::NodeCrash { cluster, pool, nodes: count } = fault {
            nodes = self.crash_nodes(cluster, pool, count);
        }
        self.follow_cuts(&fault);
        let what = self.describe(&fault, &nodes);
        self.trouble.begun.push((index, what, false));
        self.trouble.crashed.insert(index, nodes);
    }

    pub(super) fn fault_ends(&mut self, index: usize) {
        let fault = self.trouble.episodes[index].fault;
        self.trouble.active[fault] = false;
        let fault = self.trouble.faults[fault].fault.clone();
        let nodes = self.trouble.crashed.remove(&index).unwrap_or_default();
        if let Fault::NodeCrash { cluster, .. } = fault {
            for name in &nodes {
                self.clusters[cluster].node_returns(&mut self.agenda, name);
            }
        }
        if let Fault::Partition { cluster, .. } = fault
            && !self.trouble.hidden(cluster)
        {
            self.trouble.last_seen.remove(&cluster);
            self.continue_waiting_orders();
        }
        self.follow_cuts(&fault);
        if let Some(record) = self.trouble.begun.iter_mut().find(|(episode, ..)| *episode == index) {
            record.2 = true;
        }
    }

    /// Works out anew which clusters clients can reach.
    fn follow_cuts(&mut self, fault: &Fault) {
        let Fault::Partition { cluster: index, clients: true } = *fault else { return };
        let cuts =
            |fault: &Fault| matches!(fault, Fault::Partition { cluster, clients: true } if *cluster == index);
        self.trouble.cut_off[index] = self.trouble.any(cuts);
        self.changed_services.extend(0..self.services.len());
    }

    fn describe(&self, fault: &Fault, nodes: &[NodeName]) -> String {
        let name = |cluster: &usize| &self.clusters[*cluster].name;
        match fault {
            Fault::NodeCrash { cluster, .. } if nodes.is_empty() => {
                format!("no node of {} was there to crash", name(cluster))
            }
            Fault::NodeCrash { cluster, .. } => {
                let names: Vec<&str> = nodes.iter().map(NodeName::as_str).collect();
                format!("crash of {} in {}", names.join(", "), name(cluster))
            }
            Fault::Partition { cluster, clients: false } => format!("{} is out of sight", name(cluster)),
            Fault::Partition { cluster, clients: true } => format!("{} is cut off", name(cluster)),
            Fault::Api { cluster, .. } => format!("{} takes orders badly", name(cluster)),
            Fault::LostMetrics { cluster } => format!("{} measures nothing", name(cluster)),
            Fault::Model { .. } => "models answer late".to_owned(),
            Fault::Reviewer => "nobody reviews".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
