//! Our own table of pods: `name,arrival_s,cpu,memory` and what else is known, amounts in Kubernetes' syntax.
//!
//! Lists in a cell are separated by semicolons: `team=a;tier=web` as labels, `nvidia.com/gpu=2` as resources,
//! `drover.dev/gpu-model=T4|G2` as labels that the node must have, alternatives separated by bars.

use super::export::{PastPod, name_cell};
use super::numbers::{moment, seconds, seconds_text, whole};
use super::openb::valid_name;
use super::shapes::Shapes;
use super::table::{Column, Faults, Row, Table, Unknown, cell, header};
use super::{Life, PodShape, PodTrace, TracePod};
use model::document::{Refusal, shown};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

const COLUMNS: [Column; 13] = [
    Column::needed("name", "web-1"),
    Column::needed("arrival_s", "0"),
    Column::needed("cpu", "500m"),
    Column::needed("memory", "1Gi"),
    Column::optional("run_s", "60"),
    Column::optional("until_s", "3600"),
    Column::optional("replicas", "1"),
    Column::optional("priority", "0"),
    Column::optional("labels", "team=a;tier=web"),
    Column::optional("resources", "nvidia.com/gpu=1"),
    Column::optional("node_labels", "zone=a|b"),
    Column::optional("start_s", "5"),
    Column::optional("node", "node-1"),
];
const NAME: usize = 0;
const ARRIVAL: usize = 1;
const CPU: usize = 2;
const MEMORY: usize = 3;
const RUN: usize = 4;
const UNTIL: usize = 5;
const REPLICAS: usize = 6;
const PRIORITY: usize = 7;
const LABELS: usize = 8;
const RESOURCES: usize = 9;
const NODE_LABELS: usize = 10;
const START: usize = 11;

/// Different resources of one pod or node; the scheduler can name sixty.
const MOST_RESOURCES: usize = 32;
/// Sums over all nodes of the largest pool stay far below what an integer holds.
const MOST_OF_ONE: u64 = 1_000_000_000_000;

/// As many as one workload of a scenario may have.
const MOST_REPLICAS: u64 = 1_000_000;

pub(super) fn pods(faults: &mut Faults<'_>) -> PodTrace {
    let mut trace = PodTrace::default();
    let mut shapes = Shapes::default();
    let Some(table) = Table::open(&COLUMNS, Unknown::Refused, faults) else { return trace };
    table.each_row(faults, |row, faults| {
        let (shape, pod) = (shape(row, faults), pod(row, faults));
        if let (Some(shape), Some(pod)) = (shape, pod) {
            trace.push(&mut shapes, shape, pod);
        }
    });
    trace
}

fn shape(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<PodShape> {
    let cpu = row.needed(CPU, faults, |text| text.parse().map_err(Refusal::from));
    let memory = row.needed(MEMORY, faults, |text| text.parse().map_err(Refusal::from));
    let priority = row.optional(PRIORITY, faults, |text| {
        i32::from_str(text).map_err(|_| Refusal::new(format!("{} is not a whole number", shown(text))))
    });
    let labels = row.optional(LABELS, faults, |text| pairs(text, |value| Ok(value.to_owned())));
    let extended = row.optional(RESOURCES, faults, amounts);
    let node_labels = row.optional(NODE_LABELS, faults, |text| {
        pairs(text, |value| Ok(value.split('|').map(str::to_owned).collect()))
    });
    Some(PodShape {
        cpu: cpu?,
        memory: memory?,
        extended: extended?.unwrap_or_default(),
        node_labels: node_labels?.unwrap_or_default(),
        labels: labels?.unwrap_or_default(),
        priority: priority?.unwrap_or(0),
    })
}

fn pod(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<TracePod> {
    let name = row.needed(NAME, faults, valid_name);
    let arrival = row.needed(ARRIVAL, faults, moment);
    let run = row.optional(RUN, faults, seconds);
    let until = row.optional(UNTIL, faults, moment);
    let replicas = row.optional(REPLICAS, faults, |text| whole(text, 1, MOST_REPLICAS));
    let recorded_start = row.optional(START, faults, moment);
    let (arrival, run, until) = (arrival?, run?, until?);
    let life = match (run, until) {
        (None, None) => Life::ToTheEnd,
        (Some(run), None) => Life::Runs(run),
        (None, Some(until)) if until >= arrival => Life::Until(until),
        (None, Some(_)) => {
            row.refuse(UNTIL, faults, Refusal::new("it lies before arrival_s").propose("let it be later"));
            return None;
        }
        (Some(_), Some(_)) => {
            let refusal = Refusal::new("a pod ends after run_s or at until_s, not both");
            row.refuse(UNTIL, faults, refusal.propose("leave one of the cells empty"));
            return None;
        }
    };
    Some(TracePod {
        line: row.line,
        name: name?,
        arrival,
        shape: 0,
        replicas: replicas?.unwrap_or(1) as u32,
        life,
        recorded_start: recorded_start?,
    })
}

/// `name=amount;name=amount`, extended resources only.
pub(super) fn amounts(text: &str) -> Result<BTreeMap<String, u64>, Refusal> {
    let amounts = pairs(text, |value| whole(value, 0, MOST_OF_ONE))?;
    if amounts.len() > MOST_RESOURCES {
        return Err(Refusal::new(format!("{} resources are more than {MOST_RESOURCES}", amounts.len())));
    }
    match amounts.keys().find(|name| !name.contains('/')) {
        None => Ok(amounts),
        Some(name) => Err(Refusal::new(format!("{} is not an extended resource", shown(name)))
            .propose("write a name with a slash, such as nvidia.com/gpu=1; cpu and memory have columns")),
    }
}

/// `key=value;key=value`.
pub(super) fn pairs<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, Refusal>,
) -> Result<BTreeMap<String, T>, Refusal> {
    let mut all = BTreeMap::new();
    for part in text.split(';') {
        let pair = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let Some((key, value)) = pair.filter(|(key, _)| !key.is_empty()) else {
            let refusal = Refusal::new(format!("{} is not key=value", shown(part.trim())));
            return Err(refusal.propose("write for instance team=a;tier=web"));
        };
        if all.insert(key.to_owned(), read(value)?).is_some() {
            return Err(Refusal::new(format!("{} occurs twice", shown(key))));
        }
    }
    Ok(all)
}

/// The pods of a run as a table that [`super::read_pods`] reads. A pod that had a node when it ended is written with how
/// long it ran, one that never had one with when it was deleted.
pub fn write(pods: &[PastPod]) -> String {
    let mut text = header(&COLUMNS) + "\n";
    for pod in pods {
        let shape = &pod.shape;
        let (run, until) = match (pod.start, pod.end) {
            (Some(start), Some(end)) => (seconds_text(Timestamp::EPOCH + end.since(start)), String::new()),
            (None, Some(end)) => (String::new(), seconds_text(end)),
            (_, None) => (String::new(), String::new()),
        };
        let models = shape.node_labels.iter().map(|(key, values)| (key, values.join("|")));
        let _ = writeln!(
            text,
            "{},{},{},{},{run},{until},1,{},{},{},{},{},{}",
            name_cell(pod),
            seconds_text(pod.arrival),
            shape.cpu,
            shape.memory,
            shape.priority,
            cell(&list(shape.labels.iter())),
            cell(&list(shape.extended.iter())),
            cell(&list(models)),
            pod.start.map(seconds_text).unwrap_or_default(),
            cell(pod.node.as_deref().unwrap_or_default()),
        );
    }
    text
}

/// Kubernetes allows none of the separators in labels; what has them anyway could not be read back and is left out.
fn list<K: AsRef<str>, V: ToString>(pairs: impl Iterator<Item = (K, V)>) -> String {
    let parts = pairs.map(|(key, value)| (key.as_ref().to_owned(), value.to_string()));
    let readable = parts.filter(|(key, value)| !key.contains([';', '=']) && !value.contains(';'));
    readable.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(";")
}
