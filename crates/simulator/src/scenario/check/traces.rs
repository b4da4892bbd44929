//! Traces that a scenario names: their files are read through a port, their pods become workloads.

use super::workloads::MOST_WORKLOADS;
use super::{Checker, KnownNames};
use crate::scenario::WorldSpec;
use crate::scenario::raw::{RawPool, RawTrace};
use crate::traces::enact::{Stage, enact};
use crate::traces::{PodTrace, read_pods};
use model::document::{Position, Problems, Source, child};

/// Gives out the bytes of a file that is named as seen from the scenario's folder, or says why it cannot.
pub type Beside<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// Amounts of one resource on one node; sums over the largest pool stay far below what an integer holds.
const MOST_OF_ONE: u64 = 1_000_000_000_000;

/// A trace with its text, and the cluster its pods come to.
pub(super) struct ReadTrace {
    path: String,
    raw: RawTrace,
    cluster: usize,
    bytes: Vec<u8>,
    trace: PodTrace,
}

impl Checker<'_> {
    /// Reads the files of all traces; what is wrong inside of them goes to `elsewhere`.
    pub(super) fn traces(
        &mut self,
        raw: Vec<RawTrace>,
        clusters: &KnownNames<'_>,
        beside: Beside<'_>,
        elsewhere: &mut Vec<Problems>,
    ) -> Vec<ReadTrace> {
        let mut all = Vec::new();
        for (index, raw) in raw.into_iter().enumerate() {
            let path = format!("traces[{index}]");
            let cluster = self.resolve(&format!("{path}.cluster"), &raw.cluster, clusters);
            if !self.is_sure(&path, &["file", "format"]) {
                continue;
            }
            let read = self.trace(&path, &raw, &mut *beside, elsewhere);
            if let (Some(cluster), Some((bytes, trace))) = (cluster, read) {
                all.push(ReadTrace { path, raw, cluster, bytes, trace });
            }
        }
        all
    }

    fn trace(
        &mut self,
        path: &str,
        raw: &RawTrace,
        beside: Beside<'_>,
        elsewhere: &mut Vec<Problems>,
    ) -> Option<(Vec<u8>, PodTrace)> {
        let bytes = self.beside(&format!("{path}.file"), &raw.file, beside)?;
        match read_pods(raw.format, &raw.file, &bytes) {
            Ok(trace) => Some((bytes, trace)),
            Err(problems) => {
                elsewhere.push(problems);
                None
            }
        }
    }

    /// Adds the pods of all traces to the world.
    pub(super) fn enact(
        &mut self,
        traces: &[ReadTrace],
        world: &mut WorldSpec,
        elsewhere: &mut Vec<Problems>,
    ) {
        for read in traces {
            let path = format!("{}.file", read.path);
            if world.workloads.len() + read.trace.pods.len() > MOST_WORKLOADS {
                self.report(&path, format!("more than {MOST_WORKLOADS} workloads"), "split the file");
                return;
            }
            let (namespace, movable) = (read.raw.namespace.clone(), read.raw.movable);
            match enact(&read.trace, &Stage { cluster: read.cluster, namespace, movable }, world) {
                // The namespace is no name; that was said where its spelling was checked.
                Err(_) => {}
                Ok(enacted) if enacted.workloads == 0 && enacted.taken.is_empty() => {
                    let message = format!("none of its {} pods arrives before the end", enacted.too_late);
                    self.report(&path, message, "lengthen `duration`");
                }
                Ok(enacted) => elsewhere.extend(taken(read, &enacted.taken)),
            }
        }
    }

    /// Resources beside CPU, memory and pods have a slash in their names, as extended resources have.
    pub(super) fn further_resources(&mut self, path: &str, raw: &RawPool) {
        for (name, amount) in &raw.resources {
            let path = child(&format!("{path}.resources"), name);
            if !name.contains('/') {
                let proposal = "write a name with a slash, such as nvidia.com/gpu";
                self.report(&path, format!("{name:?} is not an extended resource"), proposal);
            }
            if *amount > MOST_OF_ONE {
                let proposal = format!("write at most {MOST_OF_ONE}");
                self.report(&path, format!("{amount} is more than a node can have"), proposal);
            }
        }
    }
}

/// Names that a workload of the scenario, or an earlier trace, has already.
fn taken(read: &ReadTrace, taken: &[usize]) -> Option<Problems> {
    let source = Source::read(&read.raw.file, &read.bytes).ok()?;
    let mut problems = Problems::new(&read.raw.file);
    for pod in taken.iter().map(|index| &read.trace.pods[*index]) {
        let at = Position { line: pod.line, column: 1 };
        let message = format!("the name {:?} is already used in the scenario", pod.name);
        problems.push(source.problem(at, "name", message, "give the trace a `namespace` of its own"));
    }
    (!problems.is_empty()).then_some(problems)
}
