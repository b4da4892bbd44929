//! A run as WASP would have archived it: snapshots and the actuator's log, for WASP's own analysis scripts.

use control::world::{Applied, Effect, Input};
use model::action::Action;
use model::names::{ClusterName, WorkloadKind};
use model::recommendation::{Recommendation, RecommendationId};
use model::snapshot::{ClusterView, Snapshot};
use model::time::{Period, Timestamp};
use simulator::scenario::{Change, WorldSpec};
use simulator::wasp::{
    KeyFormat, Load, METRICS_FILE, MigratedPods, WaspClusterRow, WaspKind, WaspMetrics, WaspNodes,
    WaspSnapshot, WaspWorkloadRow, metrics_json, mixed_summary_line, percent_pending, summary_line,
    updated_line,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// WASP's clocks show calendar time; a simulated run begins at this one, 2026-01-01T00:00:00Z.
const BEGINNING: u64 = 1_767_225_600;

/// Collects what WASP's monitor and actuator would have written.
#[derive(Clone, Debug, Default)]
pub struct WaspExport {
    snapshots: Vec<WaspSnapshot>,
    former: Option<Timestamp>,
    under_way: BTreeMap<RecommendationId, Recommendation>,
    batches: BTreeMap<u64, Batch>,
    actuator: Vec<String>,
    monitor: String,
    engine: String,
    /// The nodes of the last cluster as last seen: WASP lists those of the public one.
    nodes: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    pods: MigratedPods,
    total: u64,
}

impl WaspExport {
    pub fn observe(&mut self, now: Timestamp, input: &Input, effects: &[Effect]) {
        match input {
            Input::Observed(snapshot) => self.snapshot(snapshot),
            Input::Applied { id, outcome: Applied::Done } => self.applied(*id),
            _ => {}
        }
        for effect in effects {
            match effect {
                Effect::Apply(approved) => {
                    let recommendation = approved.recommendation();
                    self.under_way.insert(recommendation.id, recommendation.clone());
                }
                Effect::Explain(decision) => {
                    let _ = writeln!(
                        self.engine,
                        "{}s batch {}: {} recommendations, {} refused",
                        seconds(now),
                        decision.batch,
                        decision.submitted,
                        decision.refused.len()
                    );
                }
                _ => {}
            }
        }
    }

    /// Every file of the run directory with its content.
    pub fn files(&self, world: &WorldSpec) -> Vec<(&'static str, String)> {
        let metrics = WaspMetrics { snapshots: self.snapshots.clone() };
        let mut actuator = self.actuator.join("\n");
        for (number, batch) in &self.batches {
            let named = batch.pods.to_private + batch.pods.to_public == batch.total;
            let line = if named {
                summary_line(*number, batch.pods)
            } else {
                mixed_summary_line(*number, batch.total)
            };
            actuator.push('\n');
            actuator.push_str(&line);
        }
        vec![
            (METRICS_FILE, metrics_json(&metrics, KeyFormat::Calendar)),
            ("logs/actuator.log", actuator.trim_start().to_owned() + "\n"),
            ("logs/broker.log", broker_log(world)),
            ("logs/monitor.log", self.monitor.clone()),
            ("logs/ai-engine.log", self.engine.clone()),
            ("logs/kubectl.log", self.nodes.clone()),
        ]
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        let (workloads, at) = (snapshot.workloads.len(), seconds(snapshot.taken_at));
        let _ = writeln!(self.monitor, "{at}s {workloads} workloads in {} clusters", snapshot.clusters.len());
        if let Some(last) = snapshot.clusters.values().next_back() {
            self.nodes.clear();
            for name in last.nodes.keys() {
                let _ = writeln!(self.nodes, "{name} Ready");
            }
        }
        let interval = self.former.map_or(Period::ZERO, |former| snapshot.taken_at.since(former));
        self.former = Some(snapshot.taken_at);
        let interval = if interval.is_zero() { snapshot.taken_at.since(Timestamp::EPOCH) } else { interval };
        self.snapshots.push(wasp_snapshot(snapshot, interval));
    }

    fn applied(&mut self, id: RecommendationId) {
        let Some(recommendation) = self.under_way.remove(&id) else { return };
        let Action::Migrate { workload, to, replicas, .. } = &recommendation.action else { return };
        let kind = if workload.kind() == WorkloadKind::Job { WaspKind::Job } else { WaspKind::Deployment };
        let name = format!("{}/{}", workload.namespace(), workload.name());
        self.actuator.push(updated_line(kind, &name, to.as_str()));
        let batch = self.batches.entry(recommendation.batch).or_default();
        let pods = u64::from(*replicas);
        batch.total += pods;
        match to.as_str() {
            "private" => batch.pods.to_private += pods,
            "public" => batch.pods.to_public += pods,
            _ => {}
        }
    }
}

/// One observation as WASP's monitor shows it, when it looks every `interval`.
pub fn wasp_snapshot(snapshot: &Snapshot, interval: Period) -> WaspSnapshot {
    WaspSnapshot {
        unix_seconds: BEGINNING + snapshot.taken_at.as_millis() / 1_000,
        interval,
        workloads: workload_rows(snapshot),
        clusters: snapshot.clusters.iter().map(|(name, view)| cluster_row(name, view)).collect(),
    }
}

/// What was submitted when.
fn broker_log(world: &WorldSpec) -> String {
    let mut log = String::new();
    for happening in &world.happenings {
        let change = match happening.change {
            Change::Create => "create",
            Change::Delete => "delete",
            Change::Scale { .. } | Change::Update { .. } => "update",
        };
        let workload = &world.workloads[happening.workload].reference;
        let _ =
            writeln!(log, "{}s {change} {}/{}", seconds(happening.at), workload.namespace(), workload.name());
    }
    log
}

const fn seconds(at: Timestamp) -> u64 {
    at.as_millis() / 1_000
}

fn workload_rows(snapshot: &Snapshot) -> Vec<WaspWorkloadRow> {
    let mut rows = Vec::new();
    for (name, view) in &snapshot.workloads {
        for (cluster, placement) in &view.placements {
            let pods = u64::from(placement.pods);
            let sum = view.each.times(pods);
            let pods_pending = u64::from(placement.pods_pending);
            rows.push(WaspWorkloadRow {
                workload_id: format!("{}/{}", name.namespace(), name.name()),
                kind: name.kind().as_str().to_owned(),
                cpu: sum.cpu,
                memory: sum.memory,
                pods_total: pods,
                pods_pending,
                percent_pending: percent_pending(pods_pending, pods),
                cluster_label: cluster.to_string(),
            });
        }
    }
    rows
}

/// WASP knows one kind of node per cluster; the first pool stands for all.
fn cluster_row(name: &ClusterName, view: &ClusterView) -> WaspClusterRow {
    let (capacity, allocated, requested) = (view.capacity, view.allocated, view.requested);
    let nodes = view.pools.values().next().map(|pool| WaspNodes {
        cpu_cores: pool.node_capacity.cpu.0.div_ceil(1_000),
        memory_gibibytes: pool.node_capacity.memory.0.div_ceil(1 << 30),
        quantity: view.pools.values().map(|pool| u64::from(pool.nodes)).sum(),
    });
    WaspClusterRow {
        cluster_label: name.to_string(),
        cpu_load: Load::of(allocated.cpu.0, capacity.cpu.0),
        memory_load: Load::of(allocated.memory.0, capacity.memory.0),
        cpu_requested: Some(Load::of(requested.cpu.0, capacity.cpu.0)),
        memory_requested: Some(Load::of(requested.memory.0, capacity.memory.0)),
        cpu_capacity: capacity.cpu,
        memory_capacity: capacity.memory,
        nodes,
    }
}
