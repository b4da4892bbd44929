//! The truth, integrated over time: what a run is judged by. Strategies never see it.

use super::cluster::Cluster;
use super::services::ServiceTotals;
use super::vertical::VerticalTotals;
use super::windows::{ClusterMark, Mark};
use crate::carbon::Emissions;
use crate::scenario::Limits;
use model::energy::{Micrograms, Microjoules};
use model::money::{MicroDollars, cost_of};
use model::names::{ClusterName, WorkloadRef};
use model::quantity::MilliCpu;
use model::ratio::Ratio;
use model::resources::Resources;
use model::series::{Sample, Series};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// At most this many samples per cluster are kept for figures.
const MOST_SAMPLES: u64 = 2_000;

/// Integrals and extremes since the start.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    limits: Limits,
    sample_every: Period,
    next_sample: Timestamp,
    pending_milliseconds: u128,
    pending_max: u64,
    /// The most that waited since somebody last asked.
    lately_pending: u64,
    with_pending: Period,
    elapsed: Period,
    clusters: Vec<ClusterMeter>,
    pub(crate) moves: MoveMeter,
}

/// What was moved.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveMeter {
    pub(crate) workload_moves: u64,
    pub(crate) repeat_moves: u64,
    pub(crate) migrated_pods: u64,
    pub(crate) evicted_pods: u64,
    pub(crate) preempted_pods: u64,
}

#[derive(Clone, Debug, Default)]
struct ClusterMeter {
    /// Parts per million times milliseconds.
    cpu_load: u128,
    memory_load: u128,
    cpu_load_max: Ratio,
    memory_load_max: Ratio,
    violated: Period,
    pending_milliseconds: u128,
    lately_pending: u64,
    with_pending: Period,
    ready_nodes: u128,
    /// What pods that have a node request and what there is, times milliseconds.
    allocated: Amounts,
    capacity: Amounts,
    pool_milliseconds: Vec<u128>,
    /// Millicores times milliseconds, used and there.
    cpu_used: u128,
    host_cpu: u128,
    energy: Microjoules,
    emissions: Emissions,
    samples: Vec<Sample>,
}

/// CPU and memory, times milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amounts {
    pub(crate) cpu: u128,
    pub(crate) memory: u128,
}

impl Amounts {
    fn add(&mut self, resources: Resources, milliseconds: u128) {
        self.cpu += u128::from(resources.cpu.0) * milliseconds;
        self.memory += u128::from(resources.memory.0) * milliseconds;
    }
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Totals {
    pub elapsed: Period,
    pub pending_pods_mean: f64,
    pub pending_pods_max: u64,
    pub time_with_pending_ratio: f64,
    pub workload_moves: u64,
    pub repeat_moves: u64,
    pub migrated_pods: u64,
    pub evicted_pods: u64,
    pub preempted_pods: u64,
    pub node_hours: f64,
    pub cost: MicroDollars,
    pub services: BTreeMap<WorkloadRef, ServiceTotals>,
    pub verticals: BTreeMap<WorkloadRef, VerticalTotals>,
    pub clusters: BTreeMap<ClusterName, ClusterTotals>,
}

/// The results of one cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterTotals {
    pub cpu_load_mean: f64,
    pub cpu_load_max: f64,
    pub cpu_load_final: f64,
    pub memory_load_mean: f64,
    pub memory_load_max: f64,
    pub memory_load_final: f64,
    pub limit_violation_ratio: f64,
    pub pods_pending_final: u64,
    /// The share of the capacity that was really used; not known where nothing is measured.
    pub cpu_used_mean: Option<f64>,
    /// Not known without a power model.
    pub energy: Option<Microjoules>,
    /// Not known without a power model and a carbon intensity.
    pub emissions: Option<Micrograms>,
}

/// The time between two samples: whole seconds, so that samples fall on the times people name.
pub(super) fn sample_every(duration: Period) -> Period {
    Period::from_secs((duration.as_millis() / 1_000).div_ceil(MOST_SAMPLES).max(1))
}

impl Meter {
    pub(crate) fn new(limits: Limits, duration: Period, clusters: &[Cluster]) -> Self {
        let sample_every = sample_every(duration);
        let pools = |cluster: &Cluster| vec![0; cluster.pools.len()];
        Self {
            limits,
            sample_every,
            next_sample: Timestamp::EPOCH,
            pending_milliseconds: 0,
            pending_max: 0,
            lately_pending: 0,
            with_pending: Period::ZERO,
            elapsed: Period::ZERO,
            clusters: clusters
                .iter()
                .map(|cluster| ClusterMeter { pool_milliseconds: pools(cluster), ..ClusterMeter::default() })
                .collect(),
            moves: MoveMeter::default(),
        }
    }

    /// Accounts for the time from `from` to `to`, in which nothing changed. States that last no time do not count.
    pub(crate) fn account(&mut self, from: Timestamp, to: Timestamp, clusters: &[Cluster]) {
        let passed = to.since(from);
        if passed.is_zero() {
            return;
        }
        while self.next_sample < to {
            self.sample(self.next_sample, from, clusters);
            self.next_sample += self.sample_every;
        }
        let milliseconds = u128::from(passed.as_millis());
        let pending: u64 = clusters.iter().map(|cluster| cluster.sums.waiting).sum();
        self.pending_milliseconds += u128::from(pending) * milliseconds;
        self.pending_max = self.pending_max.max(pending);
        self.lately_pending = self.lately_pending.max(pending);
        if pending > 0 {
            self.with_pending = self.with_pending.saturating_add(passed);
        }
        self.elapsed = self.elapsed.saturating_add(passed);
        for (meter, cluster) in self.clusters.iter_mut().zip(clusters) {
            meter.account(cluster, passed, self.limits);
            meter.account_use(cluster, from, to);
        }
    }

    pub(crate) fn totals(&self, clusters: &[Cluster]) -> Totals {
        let elapsed = self.elapsed.as_millis().max(1) as f64;
        let pools = || self.clusters.iter().zip(clusters).flat_map(|(meter, cluster)| meter.pools(cluster));
        let node_milliseconds: u128 = pools().map(|(_, milliseconds)| milliseconds).sum();
        Totals {
            elapsed: self.elapsed,
            pending_pods_mean: self.pending_milliseconds as f64 / elapsed,
            pending_pods_max: self.pending_max,
            time_with_pending_ratio: self.with_pending.as_millis() as f64 / elapsed,
            workload_moves: self.moves.workload_moves,
            repeat_moves: self.moves.repeat_moves,
            migrated_pods: self.moves.migrated_pods,
            evicted_pods: self.moves.evicted_pods,
            preempted_pods: self.moves.preempted_pods,
            node_hours: node_milliseconds as f64 / 3_600_000.0,
            cost: pools().map(|(price, milliseconds)| cost_of(price, milliseconds)).sum(),
            services: BTreeMap::new(),
            verticals: BTreeMap::new(),
            clusters: clusters
                .iter()
                .zip(&self.clusters)
                .map(|(cluster, meter)| (cluster.name.clone(), meter.totals(cluster, elapsed)))
                .collect(),
        }
    }

    /// The same integrals in a meter that keeps no samples.
    pub(crate) fn without_samples(&self) -> Self {
        let clusters = self.clusters.iter().map(ClusterMeter::without_samples).collect();
        Self { clusters, next_sample: Timestamp::MAX, ..*self }
    }

    /// All integrals as they are at `at`, if nothing changes from `now` until then.
    pub(super) fn mark(&self, now: Timestamp, at: Timestamp, clusters: &[Cluster]) -> Mark {
        let mut ahead = self.without_samples();
        ahead.account(now, at, clusters);
        let marks = ahead.clusters.iter().zip(clusters).map(|(meter, cluster)| meter.mark(cluster));
        Mark {
            elapsed: ahead.elapsed,
            pending_milliseconds: ahead.pending_milliseconds,
            with_pending: ahead.with_pending,
            moved_pods: ahead.moves.migrated_pods,
            clusters: marks.collect(),
        }
    }

    /// The most pods that waited since the last call, in the federation and in each cluster. What waits from `now` until
    /// `at` counts if that is any time at all.
    pub(super) fn take_lately_pending(
        &mut self,
        now: Timestamp,
        at: Timestamp,
        clusters: &[Cluster],
    ) -> (u64, Vec<u64>) {
        let waiting = |cluster: &Cluster| if at > now { cluster.sums.waiting } else { 0 };
        let all = clusters.iter().map(waiting).sum();
        let pairs = self.clusters.iter_mut().zip(clusters);
        let each =
            pairs.map(|(meter, cluster)| std::mem::take(&mut meter.lately_pending).max(waiting(cluster)));
        (std::mem::take(&mut self.lately_pending).max(all), each.collect())
    }

    pub(crate) fn series(&self, clusters: &[Cluster]) -> Series {
        let rows = clusters.iter().zip(&self.clusters);
        let rows = rows.map(|(cluster, meter)| (cluster.name.clone(), meter.samples.clone()));
        Series { every: self.sample_every, clusters: rows.collect(), services: Vec::new() }
    }

    fn sample(&mut self, at: Timestamp, from: Timestamp, clusters: &[Cluster]) {
        for (meter, cluster) in self.clusters.iter_mut().zip(clusters) {
            let since = at.since(from).as_millis();
            let pool_cost = |(index, pool): (usize, &super::nodes::Pool)| {
                let milliseconds =
                    meter.pool_milliseconds[index] + u128::from(pool.existing()) * u128::from(since);
                cost_of(pool.spec.price_per_hour, milliseconds)
            };
            let cost = cluster.pools.iter().enumerate().map(pool_cost).sum();
            meter.samples.push(Sample {
                at,
                nodes: cluster.pools.iter().map(super::nodes::Pool::existing).sum(),
                capacity: cluster.sums.capacity,
                allocated: cluster.sums.allocated,
                requested: cluster.sums.requested,
                pods_pending: cluster.sums.waiting as u32,
                pods_running: cluster.sums.allocated.pods as u32,
                cost,
                cpu_used: cluster.usage.as_ref().map(|usage| MilliCpu(usage.cpu().value().0)),
                power: cluster.has_power().then(|| cluster.power()),
            });
        }
    }
}

impl ClusterMeter {
    fn account(&mut self, cluster: &Cluster, passed: Period, limits: Limits) {
        let sums = &cluster.sums;
        let milliseconds = u128::from(passed.as_millis());
        let cpu = Ratio::of(sums.allocated.cpu.0, sums.capacity.cpu.0);
        let memory = Ratio::of(sums.allocated.memory.0, sums.capacity.memory.0);
        self.cpu_load += u128::from(cpu.parts_per_million()) * milliseconds;
        self.memory_load += u128::from(memory.parts_per_million()) * milliseconds;
        self.cpu_load_max = self.cpu_load_max.max(cpu);
        self.memory_load_max = self.memory_load_max.max(memory);
        let pending = Ratio::of(sums.waiting, sums.requested.pods);
        if cpu.max(memory) > limits.max_load || pending > limits.max_pending {
            self.violated = self.violated.saturating_add(passed);
        }
        self.pending_milliseconds += u128::from(sums.waiting) * milliseconds;
        self.lately_pending = self.lately_pending.max(sums.waiting);
        if sums.waiting > 0 {
            self.with_pending = self.with_pending.saturating_add(passed);
        }
        self.allocated.add(sums.allocated, milliseconds);
        self.capacity.add(sums.capacity, milliseconds);
        for (total, pool) in self.pool_milliseconds.iter_mut().zip(&cluster.pools) {
            *total += u128::from(pool.existing()) * milliseconds;
            self.ready_nodes += u128::from(pool.ready) * milliseconds;
        }
    }

    fn account_use(&mut self, cluster: &Cluster, from: Timestamp, to: Timestamp) {
        let Some(usage) = &cluster.usage else { return };
        let passed = to.since(from);
        let milliseconds = u128::from(passed.as_millis());
        self.cpu_used += u128::from(usage.cpu().value().0) * milliseconds;
        self.host_cpu += u128::from(cluster.sums.capacity.cpu.0) * milliseconds;
        let power = cluster.power();
        self.energy = self.energy.saturating_add(power.over(passed));
        if let Some(carbon) = &cluster.carbon {
            self.emissions.add(power, carbon, from, to);
        }
    }

    fn without_samples(&self) -> Self {
        Self { samples: Vec::new(), pool_milliseconds: self.pool_milliseconds.clone(), ..*self }
    }

    fn mark(&self, cluster: &Cluster) -> ClusterMark {
        let price = |(price, milliseconds): (MicroDollars, u128)| i128::from(price.0) * milliseconds as i128;
        ClusterMark {
            cpu_load: self.cpu_load,
            memory_load: self.memory_load,
            pending_milliseconds: self.pending_milliseconds,
            with_pending: self.with_pending,
            ready_nodes: self.ready_nodes,
            allocated: self.allocated,
            capacity: self.capacity,
            cost: self.pools(cluster).map(price).sum(),
            energy: cluster.has_power().then_some(self.energy),
            emissions: (cluster.has_power() && cluster.carbon.is_some()).then_some(self.emissions),
            stopped_pods: cluster.evictions + cluster.preemptions,
        }
    }

    fn pools<'a>(&'a self, cluster: &'a Cluster) -> impl Iterator<Item = (MicroDollars, u128)> + 'a {
        let prices = cluster.pools.iter().map(|pool| pool.spec.price_per_hour);
        prices.zip(self.pool_milliseconds.iter().copied())
    }

    fn totals(&self, cluster: &Cluster, elapsed: f64) -> ClusterTotals {
        let sums = &cluster.sums;
        let mean = |sum: u128| sum as f64 / 1_000_000.0 / elapsed;
        ClusterTotals {
            cpu_load_mean: mean(self.cpu_load),
            cpu_load_max: self.cpu_load_max.as_f64(),
            cpu_load_final: Ratio::of(sums.allocated.cpu.0, sums.capacity.cpu.0).as_f64(),
            memory_load_mean: mean(self.memory_load),
            memory_load_max: self.memory_load_max.as_f64(),
            memory_load_final: Ratio::of(sums.allocated.memory.0, sums.capacity.memory.0).as_f64(),
            limit_violation_ratio: self.violated.as_millis() as f64 / elapsed,
            pods_pending_final: sums.waiting,
            cpu_used_mean: cluster
                .usage
                .is_some()
                .then(|| self.cpu_used as f64 / (self.host_cpu as f64).max(1.0)),
            energy: cluster.has_power().then_some(self.energy),
            emissions: (cluster.has_power() && cluster.carbon.is_some()).then(|| self.emissions.total()),
        }
    }
}
