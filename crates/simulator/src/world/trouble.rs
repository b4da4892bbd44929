//! What is wrong in the world at this moment, and what was.
//!
//! Episodes are planned before the run. Episodes of one fault follow each other, those of different faults may overlap: whoever
//! asks gets an answer from all that are there, so nothing is mended before the last has ended.

use super::SimulatedWorld;
use super::agenda::Event;
use crate::faults::{Episode, Fault, FaultKind, FaultSpec, episodes};
use crate::randomness::Randomness;
use crate::scenario::{Delay, WorldSpec};
use model::names::{ClusterName, NodeName, WorkloadRef};
use model::ratio::Ratio;
use model::recommendation::RecommendationId;
use model::snapshot::{ClusterView, PlacementView};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which faults are there now.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    faults: Vec<FaultSpec>,
    pub(super) episodes: Arc<Vec<Episode>>,
    /// For each fault that is there, the place of its record.
    active: Vec<Option<usize>>,
    /// Clusters that no client can reach.
    pub(super) cut_off: Vec<bool>,
    /// Clusters that the federation cannot reach, as they were last seen.
    pub(super) last_seen: BTreeMap<usize, Arc<LastSeen>>,
    /// Every episode that has begun, in the order of their beginnings.
    records: Vec<Record>,
}

/// What is known about one episode.
#[derive(Clone, Debug)]
struct Record {
    episode: usize,
    over: bool,
    /// The nodes that it has stopped.
    nodes: Vec<NodeName>,
    pods: u64,
    orders: BTreeSet<RecommendationId>,
    scrapes: u64,
    reviews: u64,
    questions: u64,
}

/// Something that went wrong, and whom it hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mishap {
    pub kind: FaultKind,
    /// None if it happened to people or models.
    pub cluster: Option<ClusterName>,
    pub from: Timestamp,
    /// Its end, which is now for what is still there.
    pub until: Timestamp,
    pub over: bool,
    /// Whether clients could not reach the cluster either.
    pub clients: bool,
    /// Nodes that stopped.
    pub nodes: Vec<NodeName>,
    /// Pods that were on them.
    pub pods: u64,
    /// Changes whose orders had to wait, took longer or got lost.
    pub orders: u64,
    /// Measurements of the cluster that did not arrive.
    pub scrapes: u64,
    /// Recommendations that nobody looked at.
    pub reviews: u64,
    /// Questions that a model answered late, or not at all.
    pub questions: u64,
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
            active: vec![None; spec.faults.len()],
            cut_off: vec![false; spec.clusters.len()],
            last_seen: BTreeMap::new(),
            records: Vec::new(),
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

    /// How much longer models take to answer, fault by fault; none for a fault in which they never do.
    pub(super) fn slow_models(&self) -> Vec<Option<Delay>> {
        let slow = |fault: &Fault| match fault {
            Fault::Model { delay } => Some(*delay),
            _ => None,
        };
        self.active_faults().filter_map(slow).collect()
    }

    fn any(&self, is: impl Fn(&Fault) -> bool) -> bool {
        self.active_faults().any(is)
    }

    fn active_faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults
            .iter()
            .zip(&self.active)
            .filter(|(_, active)| active.is_some())
            .map(|(spec, _)| &spec.fault)
    }

    /// Writes something down about all faults of a sort that are there now.
    fn note(&mut self, is: impl Fn(&Fault) -> bool, write: impl Fn(&mut Record)) {
        for (spec, active) in self.faults.iter().zip(&self.active) {
            if let Some(record) = active.filter(|_| is(&spec.fault)) {
                write(&mut self.records[record]);
            }
        }
    }

    /// A scrape of a cluster did not arrive.
    pub(super) fn note_lost_scrape(&mut self, index: usize) {
        let hides = |fault: &Fault| matches!(fault, Fault::LostMetrics { cluster } | Fault::Partition { cluster, .. } if *cluster == index);
        self.note(hides, |record| record.scrapes += 1);
    }

    /// A recommendation was submitted to nobody.
    pub(super) fn note_lost_review(&mut self) {
        self.note(|fault| matches!(fault, Fault::Reviewer), |record| record.reviews += 1);
    }

    /// A model was asked that answers late, or never.
    pub(super) fn note_slow_model(&mut self) {
        self.note(|fault| matches!(fault, Fault::Model { .. }), |record| record.questions += 1);
    }

    /// An order to clusters has to wait until all of them can be reached.
    pub(super) fn note_waiting_order(&mut self, id: RecommendationId, clusters: &[usize]) {
        let hides =
            |fault: &Fault| matches!(fault, Fault::Partition { cluster, .. } if clusters.contains(cluster));
        self.note(hides, |record| record.orders.extend([id]));
    }

    /// An order meets an ill API.
    pub(super) fn note_slow_order(&mut self, id: RecommendationId, clusters: &[usize]) {
        let slows = |fault: &Fault| matches!(fault, Fault::Api { cluster, .. } if clusters.contains(cluster));
        self.note(slows, |record| record.orders.extend([id]));
    }
}

impl SimulatedWorld {
    /// What went wrong so far, in the order of the beginnings.
    pub fn troubles(&self) -> Vec<Mishap> {
        self.trouble.records.iter().map(|record| self.mishap(record)).collect()
    }

    fn mishap(&self, record: &Record) -> Mishap {
        let Episode { fault, from, until } = self.trouble.episodes[record.episode];
        let fault = &self.trouble.faults[fault].fault;
        Mishap {
            kind: fault.kind(),
            cluster: fault.cluster().map(|cluster| self.clusters[cluster].name.clone()),
            from,
            until: if record.over { until } else { self.agenda.now() },
            over: record.over,
            clients: matches!(fault, Fault::Partition { clients: true, .. }),
            nodes: record.nodes.clone(),
            pods: record.pods,
            orders: record.orders.len() as u64,
            scrapes: record.scrapes,
            reviews: record.reviews,
            questions: record.questions,
        }
    }

    pub(super) fn plan_next_fault(&mut self, episode: usize) {
        if let Some(next) = self.trouble.episodes.get(episode) {
            self.agenda.at(next.from, Event::FaultBegins { episode });
        }
    }

    pub(super) fn fault_begins(&mut self, index: usize) {
        self.windows.note_fault();
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
            self.plan_failover(cluster);
        }
        self.trouble.active[episode.fault] = Some(self.trouble.records.len());
        let (mut nodes, mut pods) = (Vec::new(), 0);
        if let Fault::NodeCrash { cluster, pool, nodes: count } = fault {
            (nodes, pods) = self.crash_nodes(cluster, pool, count);
        }
        self.follow_cuts(&fault);
        let (over, orders) = (false, BTreeSet::new());
        self.trouble.records.push(Record {
            episode: index,
            over,
            nodes,
            pods,
            orders,
            scrapes: 0,
            reviews: 0,
            questions: 0,
        });
    }

    pub(super) fn fault_ends(&mut self, index: usize) {
        self.windows.note_fault();
        let fault = self.trouble.episodes[index].fault;
        let record = self.trouble.active[fault].take();
        let fault = self.trouble.faults[fault].fault.clone();
        if let Some(record) = record.map(|place| &mut self.trouble.records[place]) {
            record.over = true;
            if let Fault::NodeCrash { cluster, .. } = fault {
                for name in &record.nodes {
                    self.clusters[cluster].node_returns(&mut self.agenda, name);
                }
            }
        }
        if let Fault::Partition { cluster, .. } = fault
            && !self.trouble.hidden(cluster)
        {
            self.trouble.last_seen.remove(&cluster);
            self.continue_waiting_orders();
        }
        self.follow_cuts(&fault);
    }

    /// Works out anew which clusters clients can reach.
    fn follow_cuts(&mut self, fault: &Fault) {
        let Fault::Partition { cluster: index, clients: true } = *fault else { return };
        let cuts =
            |fault: &Fault| matches!(fault, Fault::Partition { cluster, clients: true } if *cluster == index);
        self.trouble.cut_off[index] = self.trouble.any(cuts);
        self.changed_services.extend(0..self.services.len());
    }
}

#[cfg(test)]
mod tests;
