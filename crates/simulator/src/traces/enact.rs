//! The pods of a trace as workloads of a world: bare pods that come when the trace says and run as long as it says.

use super::{Life, PodTrace, TracePod};
use crate::scenario::{
    Change, ControllerSpec, Happening, PodTemplate, Spread, Start, WorkloadSpec, WorldSpec,
};
use model::names::{NameError, WorkloadKind, WorkloadRef};
use model::time::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where the pods of a trace come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Index of the cluster.
    pub cluster: usize,
    pub namespace: String,
    /// Whether agents may relocate them.
    pub movable: bool,
}

/// What became of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enacted {
    pub workloads: usize,
    /// Rows that arrive after the end of the world and were not added.
    pub too_late: usize,
    /// Rows whose name the world has already, by their index; they were not added either.
    pub taken: Vec<usize>,
}

/// Adds the pods of a trace to a world. Pods of equal shape share one template, so that a scheduler can remember it.
pub fn enact(trace: &PodTrace, stage: &Stage, world: &mut WorldSpec) -> Result<Enacted, NameError> {
    let templates: Vec<Arc<PodTemplate>> =
        trace.shapes.iter().map(|shape| Arc::new(shape.template())).collect();
    let known: BTreeSet<WorkloadRef> =
        world.workloads.iter().map(|workload| workload.reference.clone()).collect();
    let end = Timestamp::EPOCH + world.duration;
    let mut enacted = Enacted::default();
    for (index, pod) in trace.pods.iter().enumerate() {
        let reference = WorkloadRef::new(WorkloadKind::Pod, &stage.namespace, &pod.name)?;
        if pod.arrival > end {
            enacted.too_late += 1;
            continue;
        }
        if known.contains(&reference) {
            enacted.taken.push(index);
            continue;
        }
        happenings(pod, world);
        world.workloads.push(workload(pod, reference, stage, &templates[pod.shape]));
        enacted.workloads += 1;
    }
    world.happenings.sort_by_key(|happening| happening.at);
    Ok(enacted)
}

fn happenings(pod: &TracePod, world: &mut WorldSpec) {
    let workload = world.workloads.len();
    world.happenings.push(Happening { at: pod.arrival, workload, change: Change::Create });
    if let Life::Until(at) = pod.life {
        world.happenings.push(Happening { at, workload, change: Change::Delete });
    }
}

fn workload(
    pod: &TracePod,
    reference: WorkloadRef,
    stage: &Stage,
    template: &Arc<PodTemplate>,
) -> WorkloadSpec {
    WorkloadSpec {
        reference,
        start: Start::Cluster(stage.cluster),
        replicas: pod.replicas,
        pod: Arc::clone(template),
        controller: ControllerSpec::Pod,
        disruption_budget: None,
        run_time: match pod.life {
            Life::Runs(period) => Some(Spread::exactly(period)),
            Life::Until(_) | Life::ToTheEnd => None,
        },
        movable: stage.movable,
        service: None,
        horizontal: None,
        vertical: None,
    }
}
