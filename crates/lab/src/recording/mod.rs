//! What happened in a federation that was watched, as a series, as traces of pods, and as a scenario that a simulation replays.
//!
//! Snapshots and lives of pods in, texts out; whoever calls watches and writes. What a cluster does not tell is not made up: how
//! workloads are measured, disruption budgets and affinities are left out.

mod course;
mod pods;
mod scenario;
#[cfg(test)]
mod tests;

use course::{ClusterCourse, Stretch};
use model::life::PodLife;
use model::names::{ClusterName, WorkloadRef};
use model::series::Series;
use model::snapshot::{GapSubject, Snapshot};
use model::time::{Period, Timestamp};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The first key of `recording.json`, by which a folder is known as a recording.
pub const FORMAT: u32 = 1;

/// More times without an answer than this are counted and not listed.
const MOST_GAPS: usize = 1_000;

/// Somebody who is told of every observation and keeps what matters.
#[derive(Debug, Default)]
pub struct Recorder {
    every: Period,
    clusters: BTreeMap<ClusterName, ClusterCourse>,
    stretches: Vec<Stretch>,
    /// Which stretch goes on where.
    open: BTreeMap<(WorkloadRef, ClusterName), usize>,
    gaps: Vec<GapSpan>,
    silent: BTreeMap<ClusterName, usize>,
    gaps_left_out: u64,
    last: Timestamp,
    noted: u64,
}

/// A time in which a cluster was not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapSpan {
    pub cluster: ClusterName,
    #[serde(rename = "from_ms")]
    pub from: Timestamp,
    /// Nothing if it lasted to the end.
    #[serde(rename = "until_ms")]
    pub until: Option<Timestamp>,
    pub reason: String,
}

/// What a recording says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    pub drover_recording: u32,
    pub name: String,
    /// When it began, in wall time: as people read it, and in milliseconds since 1970.
    pub begun_at: String,
    pub begun_at_ms: i64,
    pub lasted: Period,
    pub observations: u64,
    pub clusters: Vec<ClusterName>,
    pub workloads: usize,
    pub events: usize,
    pub pods: usize,
    pub gaps: Vec<GapSpan>,
    /// What the scenario cannot say, or says in another way.
    pub notes: Vec<String>,
}

/// Everything that is written.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub about: About,
    pub series: Series,
    /// The scenario, or why there is none.
    pub scenario: Result<String, String>,
    /// Traces by their path beside the scenario.
    pub files: Vec<(String, String)>,
}

impl Recorder {
    /// One who expects an observation this often.
    pub fn new(every: Period) -> Self {
        Self { every, ..Self::default() }
    }

    /// How many workloads were seen so far, and how many pods wait now.
    pub fn standing(&self) -> (usize, u32) {
        let pending = self.clusters.values().filter_map(|course| course.samples.last());
        (self.open.len(), pending.map(|sample| sample.pods_pending).sum())
    }

    /// Takes an observation. Clusters that did not answer are left as they were.
    pub fn note(&mut self, snapshot: &Snapshot) {
        let now = snapshot.taken_at.max(self.last);
        let silent = self.note_gaps(snapshot, now);
        let known = |name: &ClusterName| snapshot.clusters.contains_key(name) && !silent.contains(name);
        for (name, view) in snapshot.clusters.iter().filter(|(name, _)| known(name)) {
            self.clusters.entry(name.clone()).or_default().note(now, view);
        }
        let mut seen = BTreeSet::new();
        for (workload, view) in &snapshot.workloads {
            for (cluster, placement) in view.placements.iter().filter(|(cluster, _)| known(cluster)) {
                let key = (workload.clone(), cluster.clone());
                let between = (self.last, now);
                if let Some(stretch) = self.open.get(&key) {
                    self.stretches[*stretch].go_on(between, view, placement);
                } else {
                    self.open.insert(key.clone(), self.stretches.len());
                    let first = self.noted == 0;
                    self.stretches.push(Stretch::begin(&key, between, first, view, placement));
                }
                seen.insert(key);
            }
        }
        let is_over = |key: &(WorkloadRef, ClusterName)| known(&key.1) && !seen.contains(key);
        let over: Vec<_> = self.open.keys().filter(|key| is_over(key)).cloned().collect();
        for key in over {
            if let Some(stretch) = self.open.remove(&key) {
                self.stretches[stretch].end((self.last, now));
            }
        }
        self.last = now;
        self.noted += 1;
    }

    /// Begins and ends gaps; says who is silent now.
    fn note_gaps(&mut self, snapshot: &Snapshot, now: Timestamp) -> BTreeSet<ClusterName> {
        let mut silent = BTreeSet::new();
        for gap in &snapshot.gaps {
            let GapSubject::Cluster(name) = &gap.subject else { continue };
            silent.insert(name.clone());
            if self.silent.contains_key(name) {
                continue;
            }
            if self.gaps.len() >= MOST_GAPS {
                self.gaps_left_out += 1;
                continue;
            }
            self.silent.insert(name.clone(), self.gaps.len());
            let reason = gap.reason.clone();
            self.gaps.push(GapSpan { cluster: name.clone(), from: now, until: None, reason });
        }
        let back: Vec<_> = self.silent.keys().filter(|name| !silent.contains(*name)).cloned().collect();
        for name in back {
            if let Some(gap) = self.silent.remove(&name) {
                self.gaps[gap].until = Some(now);
            }
        }
        silent
    }

    /// Ends the recording at `until` with the lives of all pods that were seen.
    pub fn finish(
        mut self,
        name: &str,
        begun_at: (&str, i64),
        until: Timestamp,
        lives: &[PodLife],
    ) -> Recorded {
        let until = until.max(self.last.saturating_add(Period::from_millis(1)));
        let moments = pods::moments(lives);
        for stretch in &mut self.stretches {
            stretch.sharpen(&moments);
        }
        let mut notes = Vec::new();
        if self.gaps_left_out > 0 {
            notes.push(format!("{} more times without an answer are not listed", self.gaps_left_out));
        }
        let mut files = pods::traces(lives, until);
        let others = pods::others(lives, until);
        let draft = scenario::Draft {
            name,
            until,
            clusters: &self.clusters,
            stretches: &self.stretches,
            others: &others,
            times: pods::times(lives),
        };
        let written = scenario::write(&draft, &mut notes);
        files.extend(others.into_iter().map(|(_, path, text)| (path, text)));
        let scenario = scenario::checked(&written, &files).map(|()| written);
        let about = About {
            drover_recording: FORMAT,
            name: name.to_owned(),
            begun_at: begun_at.0.to_owned(),
            begun_at_ms: begun_at.1,
            lasted: until.since(Timestamp::EPOCH),
            observations: self.noted,
            clusters: self.clusters.keys().cloned().collect(),
            workloads: self.stretches.len(),
            events: self.stretches.iter().map(|stretch| stretch.changes.len()).sum(),
            pods: lives.len(),
            gaps: self.gaps,
            notes,
        };
        let clusters = self.clusters.into_iter().map(|(name, course)| (name, course.samples)).collect();
        let series = Series { every: self.every, clusters, services: Vec::new() };
        Recorded { about, series, scenario, files }
    }
}
