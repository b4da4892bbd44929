//! Integrals at two moments, and what lies between them.

use crate::carbon::Emissions;
use crate::world::meter::Amounts;
use model::energy::Microjoules;
use model::time::Period;

/// All integrals of a federation at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) elapsed: Period,
    pub(crate) pending_milliseconds: u128,
    pub(crate) with_pending: Period,
    pub(crate) moved_pods: u64,
    pub(crate) clusters: Vec<ClusterMark>,
}

/// Those of one cluster; parts per million, pods, nodes and millionths of dollars per hour, times milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct ClusterMark {
    pub(crate) cpu_load: u128,
    pub(crate) memory_load: u128,
    pub(crate) pending_milliseconds: u128,
    pub(crate) with_pending: Period,
    pub(crate) ready_nodes: u128,
    pub(crate) allocated: Amounts,
    pub(crate) capacity: Amounts,
    pub(crate) cost: i128,
    pub(crate) energy: Option<Microjoules>,
    pub(crate) emissions: Option<Emissions>,
    pub(crate) stopped_pods: u64,
}

/// A cluster or the whole federation over some time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// A cluster's is the mean of its load, the federation's is all requests over all capacity.
    pub cpu_load: f64,
    pub memory_load: f64,
    pub pending_pods: f64,
    /// At any moment that lasted.
    pub pending_pods_max: u64,
    /// The share of time in which any pod had no node.
    pub pending_time: f64,
    pub ready_nodes: f64,
    /// In dollars.
    pub cost_per_hour: f64,
    /// Not known without a power model.
    pub power_watts: Option<f64>,
    /// Not known without a power model and a carbon intensity.
    pub carbon_grams_per_hour: Option<f64>,
    /// Evicted, or stopped for a more important one. Not known where nobody counts them.
    pub stopped_pods: Option<u64>,
}

/// A service over some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceSpan {
    pub requests: f64,
    /// None if nothing was answered.
    pub latency_p95_ms: Option<f64>,
    /// The share of requests that failed, timed out or reached nobody.
    pub lost: f64,
    /// The share of time in which the objective was missed; none without one.
    pub objective_missed: Option<f64>,
}

/// What lies between two marks.
pub(super) struct Passed {
    pub(super) federation: Span,
    pub(super) clusters: Vec<Span>,
    pub(super) moved_pods: u64,
}

impl Mark {
    pub(super) fn until(&self, later: &Self, most_pending: &(u64, Vec<u64>)) -> Passed {
        let time = Length(later.elapsed.saturating_sub(self.elapsed));
        let pairs = || self.clusters.iter().zip(&later.clusters);
        let spans = pairs().zip(&most_pending.1).map(|((from, to), most)| from.until(to, time, *most));
        let clusters: Vec<Span> = spans.collect();
        let loads = pairs().fold(Loads::default(), |loads, (from, to)| loads.and(from, to));
        Passed {
            federation: Span {
                cpu_load: share(loads.allocated.cpu, loads.capacity.cpu),
                memory_load: share(loads.allocated.memory, loads.capacity.memory),
                pending_pods: time.mean(later.pending_milliseconds - self.pending_milliseconds),
                pending_pods_max: most_pending.0,
                pending_time: time.share(later.with_pending.saturating_sub(self.with_pending)),
                ..sums(&clusters)
            },
            clusters,
            moved_pods: later.moved_pods - self.moved_pods,
        }
    }
}

impl ClusterMark {
    fn until(&self, later: &Self, time: Length, most_pending: u64) -> Span {
        let energy = later.energy.zip(self.energy).map(|(to, from)| to.0 - from.0);
        let emissions = later.emissions.zip(self.emissions).map(|(to, from)| to.since(from).total());
        Span {
            cpu_load: time.mean(later.cpu_load - self.cpu_load) / 1e6,
            memory_load: time.mean(later.memory_load - self.memory_load) / 1e6,
            pending_pods: time.mean(later.pending_milliseconds - self.pending_milliseconds),
            pending_pods_max: most_pending,
            pending_time: time.share(later.with_pending.saturating_sub(self.with_pending)),
            ready_nodes: time.mean(later.ready_nodes - self.ready_nodes),
            cost_per_hour: (later.cost - self.cost) as f64 / time.milliseconds() / 1e6,
            // Microjoules per millisecond are thousandths of a watt.
            power_watts: energy.map(|energy| time.mean(energy) / 1e3),
            carbon_grams_per_hour: emissions.map(|mass| mass.0 as f64 / 1e6 / time.hours()),
            stopped_pods: Some(later.stopped_pods - self.stopped_pods),
        }
    }
}

/// How long it was; never zero, so that one can divide by it.
#[derive(Clone, Copy)]
struct Length(Period);

impl Length {
    fn milliseconds(self) -> f64 {
        self.0.as_millis().max(1) as f64
    }

    fn hours(self) -> f64 {
        self.milliseconds() / 3_600_000.0
    }

    fn mean(self, integral: u128) -> f64 {
        integral as f64 / self.milliseconds()
    }

    fn share(self, part: Period) -> f64 {
        part.as_millis() as f64 / self.milliseconds()
    }
}

/// What was requested and what was there, over all clusters.
#[derive(Default)]
struct Loads {
    allocated: Amounts,
    capacity: Amounts,
}

impl Loads {
    fn and(mut self, from: &ClusterMark, to: &ClusterMark) -> Self {
        self.allocated.cpu += to.allocated.cpu - from.allocated.cpu;
        self.allocated.memory += to.allocated.memory - from.allocated.memory;
        self.capacity.cpu += to.capacity.cpu - from.capacity.cpu;
        self.capacity.memory += to.capacity.memory - from.capacity.memory;
        self
    }
}

fn share(part: u128, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// What simply adds up. Power and carbon are those of the clusters that know them.
fn sums(clusters: &[Span]) -> Span {
    let known = |of: fn(&Span) -> Option<f64>| clusters.iter().filter_map(of).reduce(|all, one| all + one);
    Span {
        ready_nodes: clusters.iter().map(|span| span.ready_nodes).sum(),
        cost_per_hour: clusters.iter().map(|span| span.cost_per_hour).sum(),
        power_watts: known(|span| span.power_watts),
        carbon_grams_per_hour: known(|span| span.carbon_grams_per_hour),
        stopped_pods: clusters.iter().map(|span| span.stopped_pods).sum(),
        ..Span::default()
    }
}
