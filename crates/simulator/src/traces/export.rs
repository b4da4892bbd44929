//! The pods of a run, as they came, started and ended, in a form that the writers of traces take.

use super::table::cell;
use super::{PodFormat, PodShape, openb, pod_rows, swf};
use crate::scenario::WorldSpec;
use crate::world::PodLife;
use model::names::WorkloadKind;
use model::time::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A pod of a run that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastPod {
    /// Unique in the run: the workload's for a single bare pod, the workload's and a number otherwise.
    pub name: String,
    pub kind: WorkloadKind,
    pub workload: String,
    pub arrival: Timestamp,
    /// When it got a node.
    pub start: Option<Timestamp>,
    /// When it had done its work or was told to stop.
    pub end: Option<Timestamp>,
    /// Whether it had done its work.
    pub finished: bool,
    pub node: Option<String>,
    pub shape: Arc<PodShape>,
}

/// The pods of a run in the order they were made.
pub fn past_pods(world: &WorldSpec, lives: &[PodLife]) -> Vec<PastPod> {
    let mut names = Names::default();
    let mut shapes: BTreeMap<usize, Arc<PodShape>> = BTreeMap::new();
    let pod = |life: &PodLife| {
        let workload = &world.workloads[life.workload];
        // Only ever looked up, so the order of addresses decides nothing; the lives keep the templates where they are.
        let address = Arc::as_ptr(&life.template).addr();
        let shape = shapes.entry(address).or_insert_with(|| Arc::new(PodShape::of(&life.template)));
        let is_single = workload.reference.kind() == WorkloadKind::Pod && workload.replicas == 1;
        PastPod {
            name: names.next(workload.reference.name(), is_single),
            kind: workload.reference.kind(),
            workload: workload.reference.name().to_owned(),
            arrival: life.created_at,
            start: life.placed.as_ref().map(|placed| placed.at),
            end: life.ended.map(|ended| ended.at),
            finished: life.ended.is_some_and(|ended| ended.finished),
            node: life.placed.as_ref().map(|placed| placed.node.to_string()),
            shape: Arc::clone(shape),
        }
    };
    lives.iter().map(pod).collect()
}

/// The run as a trace; `until` is when it ended.
pub fn write(format: PodFormat, pods: &[PastPod], until: Timestamp) -> String {
    match format {
        PodFormat::Openb => openb::write(pods),
        PodFormat::Swf => swf::write(pods, until),
        PodFormat::Csv => pod_rows::write(pods),
    }
}

pub(super) fn name_cell(pod: &PastPod) -> Cow<'_, str> {
    cell(&pod.name)
}

/// Names that are all different.
#[derive(Default)]
struct Names {
    used: BTreeSet<String>,
    made: BTreeMap<String, u64>,
}

impl Names {
    fn next(&mut self, workload: &str, is_single: bool) -> String {
        if is_single && self.used.insert(workload.to_owned()) {
            return workload.to_owned();
        }
        let made = self.made.entry(workload.to_owned()).or_default();
        loop {
            *made += 1;
            let name = format!("{workload}-{made}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}
