//! One run of an experiment: what identifies it, and what is kept of it.

use super::metric::METRICS;
use crate::run::{Outcome, Plan};
use crate::timeline::Life;
use model::action::Action;
use model::hash::ContentHash;
use model::review::Stage;
use model::series::{Sample, Series};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How finely the course of a run is kept.
const MOST_POINTS: usize = 200;

/// A run to be made, and where it belongs.
#[derive(Clone, Debug)]
pub struct Cell {
    pub setting: usize,
    pub arm: usize,
    pub seed: u64,
    pub plan: Plan,
    pub key: CellKey,
}

/// Everything a result depends on, as one hash: a cell with a known key need never run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellKey(pub ContentHash);

/// What goes into a key.
#[derive(Serialize)]
pub struct Ingredients<'a> {
    /// The very program: results of another build are not taken over.
    pub build: &'a str,
    /// The scenario with all that it reads.
    pub scenario: ContentHash,
    pub plan: &'a crate::run::Header,
    /// What the answers of models depend on; nothing where none is asked.
    pub models: Option<ContentHash>,
}

impl CellKey {
    pub fn of(ingredients: &Ingredients<'_>) -> Self {
        Self(ContentHash::of(ingredients))
    }
}

/// What became of a cell. Only completed ones have values; the others are counted, never averaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum CellResult {
    Completed(Box<Measured>),
    Failed { why: String },
    TimedOut { after_s: u64 },
}

/// What is kept of a completed run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The journal tells everything else, and this tells the journal.
    pub journal_sha256: String,
    /// By the keys of metrics; what has no meaning in the scenario is not there.
    pub values: BTreeMap<String, f64>,
    pub course: Course,
    pub moves: Vec<Move>,
    pub forecasts: Vec<Forecast>,
}

/// How a run went over time, at equal steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    pub step_s: f64,
    pub pending_pods: Vec<f64>,
    /// Requests of placed pods as a share of all capacity.
    pub cpu_load: Vec<f64>,
    pub nodes: Vec<f64>,
}

/// A change that was carried out, as a bar in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    pub what: String,
    /// In which cluster it ends up.
    pub cluster: String,
    pub from: Option<String>,
    pub start_s: f64,
    pub end_s: f64,
    pub succeeded: bool,
}

/// What an applied recommendation promised for one cluster, and what was seen when it was done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    pub load_before: f64,
    pub load_predicted: f64,
    pub load_observed: f64,
}

impl Measured {
    pub fn of(outcome: &Outcome) -> Self {
        let value =
            |metric: &super::metric::Metric| Some((metric.key.to_owned(), metric.of(&outcome.summary)?));
        Self {
            journal_sha256: outcome.summary.journal_sha256.clone(),
            values: METRICS.iter().filter_map(value).collect(),
            course: Course::of(&outcome.series),
            moves: outcome.timeline.recommendations().filter_map(Move::of).collect(),
            forecasts: outcome
                .timeline
                .recommendations()
                .flat_map(|life| forecasts(life, &outcome.series))
                .collect(),
        }
    }
}

impl Course {
    fn of(series: &Series) -> Self {
        let count = series.clusters.iter().map(|(_, samples)| samples.len()).min().unwrap_or(0);
        let stride = count.div_ceil(MOST_POINTS).max(1);
        let mut course = Self { step_s: series.every.as_seconds_float() * stride as f64, ..Self::default() };
        for index in (0..count).step_by(stride) {
            let total = |of: fn(&Sample) -> u64| -> u64 {
                series.clusters.iter().map(|(_, samples)| of(&samples[index])).sum()
            };
            course.pending_pods.push(total(|sample| u64::from(sample.pods_pending)) as f64);
            course.nodes.push(total(|sample| u64::from(sample.nodes)) as f64);
            let capacity = total(|sample| sample.capacity.cpu.0);
            let allocated = total(|sample| sample.allocated.cpu.0);
            course.cpu_load.push(share(allocated, capacity));
        }
        course
    }
}

/// Four decimal places are more than a figure shows, and read back as they were written.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { libm::round(part as f64 / whole as f64 * 1e4) / 1e4 }
}

impl Move {
    fn of(life: &Life) -> Option<Self> {
        let (start, end) = (life.started_at?, life.ended_at?);
        let (what, from, cluster) = match &life.action {
            Action::Migrate { workload, from, to, .. } => {
                (workload.to_string(), Some(from.to_string()), to.to_string())
            }
            action => (life.summary.clone(), None, action.clusters().first()?.to_string()),
        };
        Some(Self {
            what,
            cluster,
            from,
            start_s: seconds(start),
            end_s: seconds(end),
            succeeded: life.stage == Stage::Applied,
        })
    }
}

fn forecasts(life: &Life, series: &Series) -> Vec<Forecast> {
    let Some(end) = life.ended_at.filter(|_| life.stage == Stage::Applied) else { return Vec::new() };
    let clusters = life.expected.clusters.iter();
    let forecast = |(name, impact): (&model::names::ClusterName, &model::impact::ClusterImpact)| {
        let (_, samples) = series.clusters.iter().find(|(other, _)| other == name)?;
        let after = samples.iter().find(|sample| sample.at >= end)?;
        let load = |part: u64, whole: u64| share(part, whole);
        let observed = load(after.allocated.cpu.0, after.capacity.cpu.0)
            .max(load(after.allocated.memory.0, after.capacity.memory.0));
        let plain = |ratio: model::ratio::Ratio| libm::round(ratio.as_f64() * 1e4) / 1e4;
        Some(Forecast {
            load_before: plain(impact.load_before),
            load_predicted: plain(impact.load_after),
            load_observed: observed,
        })
    };
    clusters.filter_map(forecast).collect()
}

fn seconds(at: Timestamp) -> f64 {
    at.as_millis() as f64 / 1_000.0
}
