//! Alibaba's GPU cluster trace of 2023 ("openb"): nodes with GPUs of several models, pods that want whole GPUs or shares.
//!
//! A node has as many `nvidia.com/gpu` as it has GPUs and a thousand times as many `drover.dev/gpu-milli`. A pod with whole
//! GPUs takes of both, one with a share of a GPU only of the second. Shares are thereby an amount of the node: two
//! shares of 600 on a node with two GPUs leave 800 for others here, where in truth none of more than 400 would fit.
//! Models that a pod accepts become a node affinity. The class of service is a label and ranks nobody.

use super::numbers::{moment, seconds_text, whole};
use super::shapes::Shapes;
use super::table::{Column, Faults, Row, Table, Unknown, cell, header};
use super::{Life, PodShape, PodTrace, TracePod};
use crate::traces::export::{PastPod, name_cell};
use model::document::Refusal;
use model::names::check_name;
use model::quantity::{Bytes, MilliCpu};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Whole GPUs, as the vendor's device plugin names them.
pub const GPU: &str = "nvidia.com/gpu";
/// Thousandths of GPUs.
pub const GPU_MILLI: &str = "drover.dev/gpu-milli";
/// The label of a node that names the model of its GPUs.
pub const GPU_MODEL: &str = "drover.dev/gpu-model";
/// The label of a pod that names its class of service.
pub const QOS: &str = "drover.dev/qos";

/// One GPU has so many thousandths.
pub const WHOLE: u64 = 1_000;
/// No machine has more GPUs.
const MOST_GPUS: u64 = 1_024;
/// A million cores, in thousandths.
const MOST_CPU: u64 = 1_000_000_000;
/// A pebibyte, in mebibytes.
pub(super) const MOST_MEBIBYTES: u64 = 1 << 30;

const POD_COLUMNS: [Column; 11] = [
    Column::needed("name", "web-1"),
    Column::needed("cpu_milli", "4000"),
    Column::needed("memory_mib", "8192"),
    Column::needed("num_gpu", "1"),
    Column::needed("gpu_milli", "1000"),
    Column::optional("gpu_spec", "T4|G2"),
    Column::optional("qos", "LS"),
    Column::optional("pod_phase", "Running"),
    Column::needed("creation_time", "0"),
    Column::optional("deletion_time", "3600"),
    Column::optional("scheduled_time", "5"),
];
const NAME: usize = 0;
const POD_CPU: usize = 1;
const POD_MEMORY: usize = 2;
const NUM_GPU: usize = 3;
const POD_GPU_MILLI: usize = 4;
const GPU_SPEC: usize = 5;
const POD_QOS: usize = 6;
const CREATION: usize = 8;
const DELETION: usize = 9;
const SCHEDULED: usize = 10;

const NODE_COLUMNS: [Column; 5] = [
    Column::needed("sn", "node-1"),
    Column::needed("cpu_milli", "4000"),
    Column::needed("memory_mib", "8192"),
    Column::needed("gpu", "8"),
    Column::optional("model", "T4"),
];

pub(super) fn pods(faults: &mut Faults<'_>) -> PodTrace {
    let mut trace = PodTrace::default();
    let mut shapes = Shapes::default();
    let Some(table) = Table::open(&POD_COLUMNS, Unknown::Ignored, faults) else { return trace };
    table.each_row(faults, |row, faults| {
        let (shape, times) = (shape(row, faults), times(row, faults));
        let name = row.needed(NAME, faults, valid_name);
        if let (Some(name), Some(shape), Some((arrival, recorded_start, life))) = (name, shape, times) {
            let pod = TracePod { line: row.line, name, arrival, shape: 0, replicas: 1, life, recorded_start };
            trace.push(&mut shapes, shape, pod);
        }
    });
    trace
}

pub(super) fn valid_name(text: &str) -> Result<String, Refusal> {
    check_name(text).map(|()| text.to_owned()).map_err(|error| {
        let refusal = Refusal::new(format!("{:?} is not a name: {}", error.text, error.why));
        match error.proposal {
            Some(name) => refusal.propose(format!("write {name}")),
            None => refusal,
        }
    })
}

fn shape(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<PodShape> {
    let cpu = row.needed(POD_CPU, faults, |text| whole(text, 0, MOST_CPU));
    let memory = row.needed(POD_MEMORY, faults, |text| whole(text, 0, MOST_MEBIBYTES));
    let gpus = row.needed(NUM_GPU, faults, |text| whole(text, 0, MOST_GPUS));
    let milli = row.needed(POD_GPU_MILLI, faults, |text| whole(text, 0, WHOLE));
    let (gpus, milli) = (gpus?, milli?);
    let extended = gpu_requests(gpus, milli);
    if extended.is_none() {
        let message = format!("{milli} thousandths of each of {gpus} GPUs: only one GPU can be shared");
        let refusal = Refusal::new(message).propose("write num_gpu 1, or gpu_milli 1000");
        row.refuse(POD_GPU_MILLI, faults, refusal);
    }
    let models = row.text(GPU_SPEC).map(|text| text.split('|').map(str::to_owned).collect());
    Some(PodShape {
        cpu: MilliCpu(cpu?),
        memory: Bytes(memory? << 20),
        extended: extended?,
        node_labels: models.map(|models| (GPU_MODEL.to_owned(), models)).into_iter().collect(),
        labels: row.text(POD_QOS).map(|qos| (QOS.to_owned(), qos.to_owned())).into_iter().collect(),
        priority: 0,
    })
}

/// What a pod with so many GPUs, so much of each, asks for; nothing for a combination without meaning.
fn gpu_requests(gpus: u64, milli: u64) -> Option<BTreeMap<String, u64>> {
    let amounts: &[(&str, u64)] = match (gpus, milli) {
        (0, _) | (_, 0) => &[],
        (gpus, WHOLE) => &[(GPU, gpus), (GPU_MILLI, gpus * WHOLE)],
        (1, share) => &[(GPU_MILLI, share)],
        _ => return None,
    };
    Some(amounts.iter().map(|(name, amount)| ((*name).to_owned(), *amount)).collect())
}

/// Arrival, start and how it ends. A pod that never got a node waited until it was deleted; any other runs here as long
/// as it did there, counted from its node on.
fn times(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<(Timestamp, Option<Timestamp>, Life)> {
    let created = row.needed(CREATION, faults, moment);
    let deleted = row.optional(DELETION, faults, moment);
    let scheduled = row.optional(SCHEDULED, faults, moment);
    let (created, deleted, scheduled) = (created?, deleted?, scheduled?);
    let mut later = |column: usize, at: Option<Timestamp>, since: Timestamp, what: &str| {
        if at.is_some_and(|at| at < since) {
            row.refuse(
                column,
                faults,
                Refusal::new(format!("it lies before the {what}")).propose("let it be later"),
            );
        }
    };
    later(SCHEDULED, scheduled, created, "creation_time");
    later(DELETION, deleted, scheduled.unwrap_or(created), "scheduled_time or creation_time");
    let life = match (scheduled, deleted) {
        (_, None) => Life::ToTheEnd,
        (Some(from), Some(to)) => Life::Runs(to.checked_since(from)?),
        (None, Some(to)) => Life::Until(to),
    };
    Some((created, scheduled, life))
}

/// One row of the node list.
pub(super) struct NodeRow {
    pub(super) cpu: MilliCpu,
    pub(super) memory: Bytes,
    pub(super) gpus: u64,
    pub(super) model: Option<String>,
}

pub(super) fn nodes(faults: &mut Faults<'_>) -> Vec<NodeRow> {
    let mut rows = Vec::new();
    let Some(table) = Table::open(&NODE_COLUMNS, Unknown::Ignored, faults) else { return rows };
    table.each_row(faults, |row, faults| {
        let cpu = row.needed(1, faults, |text| whole(text, 1, MOST_CPU));
        let memory = row.needed(2, faults, |text| whole(text, 1, MOST_MEBIBYTES));
        let gpus = row.needed(3, faults, |text| whole(text, 0, MOST_GPUS));
        if let (Some(cpu), Some(memory), Some(gpus)) = (cpu, memory, gpus) {
            let model = row.text(4).map(str::to_owned);
            rows.push(NodeRow { cpu: MilliCpu(cpu), memory: Bytes(memory << 20), gpus, model });
        }
    });
    rows
}

/// The pods of a run as a pod list. Memory is rounded up to mebibytes; resources other than GPUs, priorities and labels
/// other than the class of service have no column and are left out.
pub fn write(pods: &[PastPod]) -> String {
    let mut text = header(&POD_COLUMNS) + "\n";
    for pod in pods {
        let shape = &pod.shape;
        let (gpus, milli) = gpu_columns(&shape.extended);
        let models = shape.node_labels.get(GPU_MODEL).map(|models| models.join("|")).unwrap_or_default();
        let time = |at: Option<Timestamp>| at.map(seconds_text).unwrap_or_default();
        let _ = writeln!(
            text,
            "{},{},{},{gpus},{milli},{},{},{},{},{},{}",
            name_cell(pod),
            shape.cpu.0,
            shape.memory.0.div_ceil(1 << 20),
            cell(&models),
            cell(shape.labels.get(QOS).map_or("", String::as_str)),
            phase(pod),
            seconds_text(pod.arrival),
            time(pod.end),
            time(pod.start),
        );
    }
    text
}

fn gpu_columns(extended: &BTreeMap<String, u64>) -> (u64, u64) {
    let amount = |name: &str| extended.get(name).copied().unwrap_or(0);
    match (amount(GPU), amount(GPU_MILLI)) {
        (0, 0) => (0, 0),
        (0, share) if share < WHOLE => (1, share),
        (0, several) => (several.div_ceil(WHOLE), WHOLE),
        (gpus, _) => (gpus, WHOLE),
    }
}

const fn phase(pod: &PastPod) -> &'static str {
    match (pod.start, pod.finished) {
        (None, _) => "Pending",
        (Some(_), true) => "Succeeded",
        (Some(_), false) => "Running",
    }
}
