//! Traces in and out: other people's recordings as pods or demand, and a run of ours as such a recording. Text in, values
//! out; whoever calls reads and writes the files.
//!
//! ```text
//! openb | SWF | CSV ─► PodTrace ─► enact ─► workloads of a world ─► run ─► PodLife ─► export ─► openb | SWF | CSV
//! Azure LLM | CSV ─► Requests, DemandPoint
//! ```
//!
//! Left out: what happens inside one GPU (shares of it are an amount of the node, see [`openb`]), gang scheduling of
//! parallel jobs (see [`swf`]), and failures: a pod that failed in the trace ends like one that succeeded.

pub mod azure;
pub mod demand;
pub mod draft;
pub mod enact;
pub mod export;
pub mod nodes;
pub mod numbers;
pub mod openb;
pub mod pod_rows;
mod shapes;
pub mod swf;
mod table;

pub use shapes::PodShape;

use model::document::{Problems, Source};
use model::time::{Period, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shapes::Shapes;
use std::collections::BTreeMap;
use table::Faults;

/// More rows than this are refused, like more workloads of a scenario; a file is at most 64 MiB long anyway.
pub const MOST_ROWS: usize = 1_000_000;

/// A year, the longest a scenario may last; later moments are refused.
pub const LONGEST: Period = Period::from_hours(24 * 366);

/// In which form a trace of pods is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PodFormat {
    /// The pod list of Alibaba's GPU cluster trace of 2023.
    Openb,
    /// The Standard Workload Format of parallel machines' logs.
    Swf,
    /// A table with the columns name, arrival_s, cpu, memory and more; see the guide.
    Csv,
}

/// Pods that came, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodTrace {
    /// What pods ask for; each occurs once.
    pub shapes: Vec<PodShape>,
    /// In the order of the file.
    pub pods: Vec<TracePod>,
    /// Rows without effect.
    pub left_out: Vec<LeftOut>,
}

/// A row of a trace: one pod, or several equal ones that come together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePod {
    /// Where it stands in the file.
    pub line: u32,
    pub name: String,
    pub arrival: Timestamp,
    /// Index in [`PodTrace::shapes`].
    pub shape: usize,
    pub replicas: u32,
    pub life: Life,
    /// When the trace says that it got a node.
    pub recorded_start: Option<Timestamp>,
}

/// How a pod of a trace ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// So long after it got a node.
    Runs(Period),
    /// It is deleted then, whether or not it has a node.
    Until(Timestamp),
    /// With the simulation.
    ToTheEnd,
}

/// A row that says nothing that could be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub line: u32,
    pub why: &'static str,
}

/// Reads a trace of pods.
pub fn read_pods(format: PodFormat, name: &str, bytes: &[u8]) -> Result<PodTrace, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut trace = match format {
        PodFormat::Openb => openb::pods(&mut faults),
        PodFormat::Swf => swf::jobs(&mut faults),
        PodFormat::Csv => pod_rows::pods(&mut faults),
    };
    check_names(&trace.pods, &mut faults);
    trace.pods.shrink_to_fit();
    faults.into_result(trace)
}

/// A name stands for one pod.
fn check_names(pods: &[TracePod], faults: &mut Faults<'_>) {
    let mut first_lines = BTreeMap::new();
    for pod in pods {
        if let Some(first) = first_lines.insert(pod.name.as_str(), pod.line) {
            let message = format!("the name {:?} is already used in line {first}", pod.name);
            faults.refuse_line(pod.line, "name", message, "give each pod its own name");
        }
    }
}

impl PodTrace {
    /// When the last pod would end if none ever waited; those that run to the end count with their arrival.
    pub fn end(&self) -> Timestamp {
        let end = |pod: &TracePod| match pod.life {
            Life::Runs(period) => pod.arrival.max(pod.recorded_start.unwrap_or(pod.arrival)) + period,
            Life::Until(at) => at,
            Life::ToTheEnd => pod.arrival,
        };
        self.pods.iter().map(end).max().unwrap_or(Timestamp::EPOCH)
    }

    fn push(&mut self, shapes: &mut Shapes, shape: PodShape, pod: TracePod) {
        self.pods.push(TracePod { shape: shapes.number(shape, &mut self.shapes), ..pod });
    }
}

#[cfg(test)]
mod tests;
