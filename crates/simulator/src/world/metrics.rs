//! Metrics in the simulated world: every cluster is scraped now and then, and agents and autoscalers read what has arrived.

use super::SimulatedWorld;
use super::agenda::Event;
use super::cluster::Cluster;
use super::pods::PodKey;
use crate::scheduler::NodeId;
use crate::telemetry::{Board, TelemetrySpec, Track};
use model::signal::{Milli, Reading, Readings, Signal};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What was scraped in one cluster, services apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterMetrics {
    whole: Board,
    nodes: BTreeMap<NodeId, Board>,
    /// CPU of pods that an autoscaler looks at.
    pub(super) pods: BTreeMap<PodKey, Track>,
}

impl SimulatedWorld {
    pub(super) fn plan_scrapes(&mut self) {
        if !self.spec.measures() {
            return;
        }
        for cluster in 0..self.clusters.len() {
            self.agenda.after(self.spec.telemetry.every, Event::MetricsScraped { cluster });
        }
    }

    /// One scrape of a cluster; a lost one leaves no trace.
    pub(super) fn scrape(&mut self, cluster: usize) {
        let now = self.agenda.now();
        let telemetry = self.spec.telemetry;
        self.agenda.after(telemetry.every, Event::MetricsScraped { cluster });
        let readable_at = telemetry.scrape(now, &mut self.chance.telemetry);
        if self.trouble.metrics_lost(cluster) {
            return self.trouble.note_lost_scrape(cluster);
        }
        let Some(readable_at) = readable_at else { return };
        self.scrape_cluster(cluster, readable_at, &telemetry);
        for run in &mut self.services {
            if let Some(board) = run.boards.get_mut(&cluster) {
                board.scrape(now, readable_at, telemetry.keep());
            }
        }
        self.scrape_pods(cluster, readable_at);
    }

    fn scrape_cluster(&mut self, index: usize, readable_at: Timestamp, telemetry: &TelemetrySpec) {
        let now = self.agenda.now();
        let (cluster, metrics) = (&self.clusters[index], &mut self.metrics[index]);
        let Some(usage) = &cluster.usage else { return };
        metrics.whole.set(now, Signal::CpuUsage, usage.cpu().value());
        if cluster.has_power() {
            metrics.whole.set(now, Signal::PowerWatts, Milli(cluster.power().0));
        }
        if let Some(carbon) = &cluster.carbon {
            metrics.whole.set(now, Signal::CarbonIntensity, Milli(carbon.at(now).0));
        }
        metrics.whole.scrape(now, readable_at, telemetry.keep());
        if telemetry.nodes {
            metrics.scrape_nodes(cluster, now, readable_at, telemetry);
        }
    }

    /// CPU of the pods of workloads with an autoscaler of their own.
    fn scrape_pods(&mut self, index: usize, readable_at: Timestamp) {
        let (now, keep) = (self.agenda.now(), self.spec.telemetry.keep());
        let cluster = &self.clusters[index];
        let Some(usage) = &cluster.usage else { return };
        let tracks = &mut self.metrics[index].pods;
        tracks.retain(|key, _| cluster.pods.get(*key).is_some());
        let horizontals = self.horizontals.iter().map(|run| run.workload);
        let watched: BTreeSet<usize> =
            horizontals.chain(self.verticals.iter().map(|run| run.workload)).collect();
        for number in watched {
            let Some(placement) = self.workloads[number].placements.get(index) else { continue };
            for key in placement.pods() {
                if let Some(gauge) = usage.pod(key.id) {
                    let track = tracks.entry(key).or_default();
                    track.note(now, readable_at, gauge.integral(now), gauge.value(), keep);
                }
            }
        }
    }

    /// What agents can read about a workload: rates are sums over clusters, response times are weighed by answers. A cluster
    /// whose newest scrape is older than another's makes the whole as old as itself.
    pub(super) fn workload_readings(&self, number: usize) -> Readings {
        let Some(run) = self.services.iter().find(|run| run.workload == number) else {
            return Readings::default();
        };
        let (now, window) = (self.agenda.now(), self.spec.telemetry.window);
        let parts: Vec<Readings> = run.boards.values().map(|board| board.read(now, window)).collect();
        let combined = Signal::ALL.into_iter().filter_map(|signal| Some((signal, combine(signal, &parts)?)));
        combined.collect()
    }

    pub(super) fn cluster_readings(&self, index: usize) -> Readings {
        let telemetry = &self.spec.telemetry;
        self.metrics
            .get(index)
            .map(|metrics| metrics.whole.read(self.agenda.now(), telemetry.window))
            .unwrap_or_default()
    }

    pub(super) fn node_readings(&self, index: usize, node: NodeId) -> Readings {
        let board = self.metrics.get(index).and_then(|metrics| metrics.nodes.get(&node));
        board.map(|board| board.read(self.agenda.now(), self.spec.telemetry.window)).unwrap_or_default()
    }
}

impl ClusterMetrics {
    fn scrape_nodes(
        &mut self,
        cluster: &Cluster,
        now: Timestamp,
        readable_at: Timestamp,
        telemetry: &TelemetrySpec,
    ) {
        let Some(usage) = &cluster.usage else { return };
        self.nodes.retain(|node, _| cluster.node(*node).is_some());
        for node in cluster.node_ids() {
            let used = usage.node(node);
            let board = self.nodes.entry(node).or_default();
            board.set(now, Signal::CpuUsage, used.cpu.value());
            if cluster.has_power() {
                board.set(now, Signal::PowerWatts, used.power.value());
            }
            board.scrape(now, readable_at, telemetry.keep());
        }
    }
}

fn combine(signal: Signal, parts: &[Readings]) -> Option<Reading> {
    let known: Vec<(Reading, &Readings)> =
        parts.iter().filter_map(|part| Some((part.get(signal)?, part))).collect();
    let at = known.iter().map(|(reading, _)| reading.at).min()?;
    let is_latency =
        matches!(signal, Signal::LatencyMean | Signal::LatencyP50 | Signal::LatencyP95 | Signal::LatencyP99);
    if !is_latency {
        let sum = known.iter().fold(0_u64, |sum, (reading, _)| sum.saturating_add(reading.value.0));
        return Some(Reading { value: Milli(sum), at });
    }
    let answers =
        |part: &Readings| part.get(Signal::ThroughputPerSecond).map_or(0, |reading| reading.value.0);
    let all: u128 = known.iter().map(|(_, part)| u128::from(answers(part))).sum();
    let weighted: u128 =
        known.iter().map(|(reading, part)| u128::from(reading.value.0) * u128::from(answers(part))).sum();
    let value = weighted.checked_div(all).and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
    Some(Reading { value: Milli(value), at })
}
