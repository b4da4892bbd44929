//! WASP's `metrics.json`: snapshots of a run, read from archives of any age and written for WASP's analyzer.

use super::civil::Civil;
use super::section::{Read, Reader, Section};
use model::document::{Document, Problems, Refusal, Value, shown};
use model::quantity::{Bytes, MilliCpu};
use model::time::Period;
use serde::{Serialize, Serializer};

const MEBIBYTE: u64 = 1024 * 1024;

/// All snapshots of a run in the order of their time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WaspMetrics {
    pub snapshots: Vec<WaspSnapshot>,
}

/// What the monitor saw at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct WaspSnapshot {
    /// Seconds since 1970. Calendar keys have no time zone and are read as UTC.
    pub unix_seconds: u64,
    /// The monitor's collection interval.
    pub interval: Period,
    pub workloads: Vec<WaspWorkloadRow>,
    pub clusters: Vec<WaspClusterRow>,
}

/// One workload in one cluster; during a migration the same workload may have a row in both.
#[derive(Debug, Clone, PartialEq)]
pub struct WaspWorkloadRow {
    /// `default/78`.
    pub workload_id: String,
    /// `deployment` or `job`, as written.
    pub kind: String,
    /// Requests of all its pods together.
    pub cpu: MilliCpu,
    pub memory: Bytes,
    pub pods_total: u64,
    pub pods_pending: u64,
    /// 0 to 100, as written; see [`percent_pending`].
    pub percent_pending: f64,
    pub cluster_label: String,
}

/// One cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaspClusterRow {
    pub cluster_label: String,
    /// Requests of scheduled pods by capacity.
    pub cpu_load: Load,
    pub memory_load: Load,
    /// Requests of scheduled and pending pods by capacity; absent in the oldest archives.
    pub cpu_requested: Option<Load>,
    pub memory_requested: Option<Load>,
    /// What pods can use: nodes less their system's share.
    pub cpu_capacity: MilliCpu,
    pub memory_capacity: Bytes,
    /// Absent in the oldest archives.
    pub nodes: Option<WaspNodes>,
}

/// Nominal size of a node and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaspNodes {
    pub cpu_cores: u64,
    pub memory_gibibytes: u64,
    pub quantity: u64,
}

/// A ratio in thousandths, cut off as WASP's monitor does: 70 of 76.5 cores are 915.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Load(pub u64);

impl Load {
    /// `part / whole`; 0 of nothing is 0.
    pub fn of(part: u64, whole: u64) -> Self {
        let thousandths = (u128::from(part) * 1000).checked_div(u128::from(whole)).unwrap_or(0);
        Self(u64::try_from(thousandths).unwrap_or(u64::MAX))
    }

    pub fn as_float(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// Written values have three decimals; rounding undoes what binary floats add to them.
    fn from_float(ratio: f64) -> Option<Self> {
        (ratio >= 0.0).then(|| Self((ratio * 1000.0).round() as u64))
    }
}

/// WASP's share of waiting pods: 0 when there are none, even if some are waiting.
pub fn percent_pending(pending: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { pending as f64 / total as f64 * 100.0 }
}

/// How a snapshot's time is written as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFormat {
    /// `"1761603773"`, until November 2025.
    UnixSeconds,
    /// `"2026-01-13 20:37:44"`, since then.
    Calendar,
}

impl KeyFormat {
    fn write(self, unix_seconds: u64) -> String {
        match self {
            Self::UnixSeconds => unix_seconds.to_string(),
            Self::Calendar => Civil::from_unix(unix_seconds).spaced(),
        }
    }
}

/// Reads an archive; both key formats may stand in one file, in any order.
pub fn read_metrics(name: &str, bytes: &[u8]) -> Result<Read<WaspMetrics>, Problems> {
    let salvage = Document::salvage(name, bytes)?;
    let mut reader = Reader::new(&salvage);
    let root = reader.root("{ \"1718000000\": { \"interval_duration\": \"30s\", … } }");
    let mut metrics = WaspMetrics::default();
    for entry in root.node().entries() {
        let path = root.path_of(&entry.key);
        let Some(unix_seconds) = read_key(&entry.key) else {
            let message = format!("{} is not a time", shown(&entry.key));
            let proposal = "write Unix seconds, or YYYY-MM-DD HH:MM:SS";
            reader.problem(&entry.value, &path, Refusal::new(message).propose(proposal));
            continue;
        };
        let section = reader.section(&entry.value, &path);
        metrics.snapshots.extend(read_snapshot(&mut reader, section, unix_seconds));
    }
    metrics.snapshots.sort_by_key(|snapshot| snapshot.unix_seconds);
    reader.finish(metrics)
}

fn read_key(key: &str) -> Option<u64> {
    key.parse().ok().or_else(|| Civil::parse(key)?.to_unix())
}

fn read_snapshot<'d>(
    reader: &mut Reader<'d>,
    mut section: Section<'d>,
    unix_seconds: u64,
) -> Option<WaspSnapshot> {
    if !matches!(section.node().value, Value::Mapping(_)) {
        return None;
    }
    let interval = section.parsed(reader, "interval_duration");
    let interval = section.require(reader, "interval_duration", interval);
    let workloads = read_rows(reader, &mut section, "workloads", read_workload);
    let clusters = read_rows(reader, &mut section, "cluster_info", read_cluster);
    section.finish(reader);
    Some(WaspSnapshot { unix_seconds, interval: interval?, workloads, clusters })
}

/// A list of mappings; Go writes an empty list as null.
fn read_rows<'d, T>(
    reader: &mut Reader<'d>,
    section: &mut Section<'d>,
    key: &'static str,
    read: fn(&mut Reader<'d>, &mut Section<'d>) -> Option<T>,
) -> Vec<T> {
    let Some(list) = section.take(key) else { return Vec::new() };
    let path = section.path_of(key);
    let mut rows = Vec::with_capacity(list.items().len());
    for (path, node) in reader.list(list, &path) {
        let mut section = reader.section(node, &path);
        if matches!(node.value, Value::Mapping(_)) {
            rows.extend(read(reader, &mut section));
            section.finish(reader);
        }
    }
    rows
}

fn read_workload<'d>(reader: &mut Reader<'d>, row: &mut Section<'d>) -> Option<WaspWorkloadRow> {
    let workload_id = needed_text(reader, row, "workload_id");
    let kind = needed_text(reader, row, "kind");
    let resources = row.section(reader, "resources");
    let amounts = row.require(reader, "resources", resources).map(|mut resources| {
        let cpu = resources.parsed(reader, "cpu");
        let memory = resources.parsed(reader, "memory");
        let amounts = (resources.require(reader, "cpu", cpu), resources.require(reader, "memory", memory));
        resources.finish(reader);
        amounts
    });
    let pods_total = needed_whole(reader, row, "pods_total");
    let pods_pending = needed_whole(reader, row, "pods_pending");
    let percent = row.float(reader, "percent_pending");
    let cluster_label = needed_text(reader, row, "cluster_label");
    let (pods_total, pods_pending) = (pods_total?, pods_pending?);
    let (cpu, memory) = amounts?;
    Some(WaspWorkloadRow {
        workload_id: workload_id?,
        kind: kind?,
        cpu: cpu?,
        memory: memory?,
        pods_total,
        pods_pending,
        percent_pending: percent.unwrap_or_else(|| percent_pending(pods_pending, pods_total)),
        cluster_label: cluster_label?,
    })
}

fn read_cluster<'d>(reader: &mut Reader<'d>, row: &mut Section<'d>) -> Option<WaspClusterRow> {
    let cluster_label = needed_text(reader, row, "cluster_label");
    let load = row.section(reader, "cluster_load");
    let mut load = row.require(reader, "cluster_load", load);
    let mut ratio = |key: &'static str| load.as_mut().and_then(|load| read_load(reader, load, key));
    let (cpu_load, memory_load) = (ratio("cpu"), ratio("memory"));
    let (cpu_requested, memory_requested) = (ratio("cpu_requested"), ratio("memory_requested"));
    if let Some(load) = load {
        load.require(reader, "cpu", cpu_load);
        load.require(reader, "memory", memory_load);
        load.finish(reader);
    }
    let cpu_capacity = row.parsed(reader, "cluster_cpu_capacity");
    let cpu_capacity = row.require(reader, "cluster_cpu_capacity", cpu_capacity);
    let memory_capacity = row.parsed(reader, "cluster_memory_capacity");
    let memory_capacity = row.require(reader, "cluster_memory_capacity", memory_capacity);
    let nodes = row.section(reader, "node_info").and_then(|nodes| read_nodes(reader, nodes));
    Some(WaspClusterRow {
        cluster_label: cluster_label?,
        cpu_load: cpu_load?,
        memory_load: memory_load?,
        cpu_requested,
        memory_requested,
        cpu_capacity: cpu_capacity?,
        memory_capacity: memory_capacity?,
        nodes,
    })
}

fn read_load<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, key: &'static str) -> Option<Load> {
    let ratio = section.float(reader, key)?;
    let load = Load::from_float(ratio);
    if let (None, Some(node)) = (load, section.take(key)) {
        reader.expected(node, &section.path_of(key), "a ratio of at least 0", Some("write for instance 0.5"));
    }
    load
}

fn read_nodes<'d>(reader: &mut Reader<'d>, mut section: Section<'d>) -> Option<WaspNodes> {
    let cpu_cores = needed_whole(reader, &mut section, "cpu");
    let memory_gibibytes = needed_whole(reader, &mut section, "memory");
    let quantity = needed_whole(reader, &mut section, "quantity");
    section.finish(reader);
    Some(WaspNodes { cpu_cores: cpu_cores?, memory_gibibytes: memory_gibibytes?, quantity: quantity? })
}

fn needed_text<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, key: &'static str) -> Option<String> {
    let text = section.text(reader, key);
    section.require(reader, key, text)
}

fn needed_whole<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, key: &'static str) -> Option<u64> {
    let whole = section.whole(reader, key);
    section.require(reader, key, whole)
}

/// The text of `metrics.json`, snapshots in the given order.
pub fn metrics_json(metrics: &WaspMetrics, keys: KeyFormat) -> String {
    let written = WrittenMetrics { metrics, keys };
    let mut text = serde_json::to_string_pretty(&written).expect("text and numbers are always JSON");
    text.push('\n');
    text
}

struct WrittenMetrics<'m> {
    metrics: &'m WaspMetrics,
    keys: KeyFormat,
}

impl<'m> Serialize for WrittenMetrics<'m> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = |snapshot: &'m WaspSnapshot| {
            (self.keys.write(snapshot.unix_seconds), WrittenSnapshot::from(snapshot))
        };
        serializer.collect_map(self.metrics.snapshots.iter().map(entry))
    }
}

#[derive(Serialize)]
struct WrittenSnapshot<'m> {
    interval_duration: String,
    workloads: Vec<WrittenWorkload<'m>>,
    cluster_info: Vec<WrittenCluster<'m>>,
}

#[derive(Serialize)]
struct WrittenWorkload<'m> {
    workload_id: &'m str,
    kind: &'m str,
    resources: WrittenResources,
    pods_total: u64,
    pods_pending: u64,
    percent_pending: WrittenNumber,
    cluster_label: &'m str,
}

#[derive(Serialize)]
struct WrittenResources {
    cpu: String,
    memory: String,
}

#[derive(Serialize)]
struct WrittenCluster<'m> {
    cluster_label: &'m str,
    cluster_load: WrittenLoads,
    cluster_cpu_capacity: String,
    cluster_memory_capacity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_info: Option<WrittenNodes>,
}

#[derive(Serialize)]
struct WrittenLoads {
    cpu: WrittenNumber,
    memory: WrittenNumber,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_requested: Option<WrittenNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_requested: Option<WrittenNumber>,
}

#[derive(Serialize)]
struct WrittenNodes {
    cpu: u64,
    memory: u64,
    quantity: u64,
}

/// Go writes a whole float without a decimal point.
#[derive(Serialize)]
#[serde(untagged)]
enum WrittenNumber {
    Whole(i64),
    Fraction(f64),
}

impl From<f64> for WrittenNumber {
    fn from(float: f64) -> Self {
        if float.fract() == 0.0 { Self::Whole(float as i64) } else { Self::Fraction(float) }
    }
}

impl From<Load> for WrittenNumber {
    fn from(load: Load) -> Self {
        load.as_float().into()
    }
}

impl<'m> From<&'m WaspSnapshot> for WrittenSnapshot<'m> {
    fn from(snapshot: &'m WaspSnapshot) -> Self {
        Self {
            interval_duration: format!("{}s", snapshot.interval.as_millis() / 1000),
            workloads: snapshot.workloads.iter().map(WrittenWorkload::from).collect(),
            cluster_info: snapshot.clusters.iter().map(WrittenCluster::from).collect(),
        }
    }
}

impl<'m> From<&'m WaspWorkloadRow> for WrittenWorkload<'m> {
    fn from(row: &'m WaspWorkloadRow) -> Self {
        Self {
            workload_id: &row.workload_id,
            kind: &row.kind,
            resources: WrittenResources { cpu: millicores(row.cpu), memory: mebibytes(row.memory) },
            pods_total: row.pods_total,
            pods_pending: row.pods_pending,
            percent_pending: row.percent_pending.into(),
            cluster_label: &row.cluster_label,
        }
    }
}

impl<'m> From<&'m WaspClusterRow> for WrittenCluster<'m> {
    fn from(row: &'m WaspClusterRow) -> Self {
        let nodes = |nodes: WaspNodes| WrittenNodes {
            cpu: nodes.cpu_cores,
            memory: nodes.memory_gibibytes,
            quantity: nodes.quantity,
        };
        Self {
            cluster_label: &row.cluster_label,
            cluster_load: WrittenLoads {
                cpu: row.cpu_load.into(),
                memory: row.memory_load.into(),
                cpu_requested: row.cpu_requested.map(WrittenNumber::from),
                memory_requested: row.memory_requested.map(WrittenNumber::from),
            },
            cluster_cpu_capacity: millicores(row.cpu_capacity),
            cluster_memory_capacity: mebibytes(row.memory_capacity),
            node_info: row.nodes.map(nodes),
        }
    }
}

/// Always in `m`, also for whole cores: WASP's readers cut the suffix off.
fn millicores(cpu: MilliCpu) -> String {
    format!("{}m", cpu.0)
}

/// Always in whole `Mi`.
fn mebibytes(memory: Bytes) -> String {
    format!("{}Mi", memory.0 / MEBIBYTE)
}

#[cfg(test)]
mod tests;
