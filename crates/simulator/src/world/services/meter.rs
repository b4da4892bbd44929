//! What a service did for its clients, over the whole run.

use super::elasticity::{BUSIEST, Elasticity, ElasticityTotals};
use super::histogram::Histogram;
use crate::scenario::Objective;
use crate::service::{Counts, Outcome};
use crate::world::windows::ServiceSpan;
use model::energy::Microjoules;
use model::names::ClusterName;
use model::time::Period;

/// Below this many requests per second a service is asked for nothing.
const NOTHING: f64 = 1e-9;

/// Integrals since the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServiceMeter {
    latency: Histogram,
    elapsed: Period,
    down: Period,
    violated: Period,
    overloaded: Period,
    /// Requests that were too slow for the objective, or got no answer.
    bad: f64,
    unreachable: f64,
    core_seconds: f64,
    replica_seconds: f64,
    most_replicas: u32,
    elasticity: Elasticity,
}

/// What holds while time passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    /// Replicas that are ready.
    pub(crate) replicas: u32,
    /// Replicas that are needed.
    pub(crate) needed: u32,
    /// What the ready replicas request together, in cores.
    pub(crate) requested_cores: f64,
    /// The share of the demand that reaches no cluster.
    pub(crate) unreachable: f64,
}

/// The results of one service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceTotals {
    pub requests: f64,
    pub completed: f64,
    pub time_outs: f64,
    /// Refused because too many waited.
    pub queue_full: f64,
    /// Refused because no replica was ready, or none could be reached.
    pub nobody_ready: f64,
    /// Lost with the replica that worked on them.
    pub broken: f64,
    /// Time in which somebody asked and no replica was ready or reachable.
    pub downtime: Period,
    pub latency_mean_ms: f64,
    pub latency_p50_ms: f64,
    pub latency_p95_ms: f64,
    pub latency_p99_ms: f64,
    /// The share of time in which the objective was missed, and the share of requests; zero without an objective.
    pub objective_missed_time: f64,
    pub objective_missed_requests: f64,
    /// The share of time in which the replicas used more than nine tenths of what they request.
    pub overloaded_time: f64,
    pub core_hours: f64,
    pub replica_hours: f64,
    pub replicas_max: u32,
    pub replica_changes: u64,
    pub elasticity: ElasticityTotals,
    /// Its part of what its hosts drew; not known without a power model.
    pub energy: Option<Microjoules>,
    /// What clients were promised.
    pub objective: Option<Objective>,
    /// How often the horizontal autoscaler changed the number of replicas; none without an autoscaler.
    pub rescales: Option<u64>,
    /// Where it had ready replicas at some time, in the order of the scenario.
    pub clusters: Vec<ClusterName>,
}

impl ServiceMeter {
    /// Accounts for one step.
    pub(crate) fn account(
        &mut self,
        passed: Period,
        outcome: &Outcome,
        standing: Standing,
        objective: Option<Objective>,
    ) {
        let seconds = passed.as_seconds_float();
        let add = |total: &mut Period, when: bool| {
            if when {
                *total = total.saturating_add(passed);
            }
        };
        self.elapsed = self.elapsed.saturating_add(passed);
        let asked = outcome.counts.arrivals > NOTHING * seconds || standing.unreachable > 0.0;
        add(&mut self.down, asked && (standing.replicas == 0 || standing.unreachable >= 1.0));
        add(&mut self.overloaded, outcome.cores_used > BUSIEST * standing.requested_cores);
        for group in &outcome.groups {
            self.latency.add(group.counts.completed, group);
        }
        if let Some(objective) = objective {
            let missed = objective.missed_by(outcome, standing.unreachable);
            add(&mut self.violated, asked && missed.violated);
            self.bad += missed.requests;
        }
        self.core_seconds += outcome.cores_used * seconds;
        self.replica_seconds += f64::from(standing.replicas) * seconds;
        self.most_replicas = self.most_replicas.max(standing.replicas);
        self.elasticity.add(standing.needed, standing.replicas, passed);
    }

    /// Requests that reached no cluster at all.
    pub(crate) fn lost_on_the_way(&mut self, requests: f64) {
        self.unreachable += requests;
        self.bad += requests;
    }

    /// What was accounted for since an earlier state of the same meter; `counts` are those of that time.
    pub(crate) fn since(&self, earlier: &Self, counts: Counts, promised: bool) -> ServiceSpan {
        let unreachable = self.unreachable - earlier.unreachable;
        let requests = counts.arrivals + unreachable;
        let lost = counts.errors() + counts.time_outs + unreachable;
        let passed = self.elapsed.saturating_sub(earlier.elapsed).as_seconds_float();
        let violated = self.violated.saturating_sub(earlier.violated).as_seconds_float();
        ServiceSpan {
            requests,
            latency_p95_ms: self
                .latency
                .since(&earlier.latency)
                .quantile(0.95)
                .map(|seconds| seconds * 1_000.0),
            lost: if requests > 0.0 { (lost / requests).clamp(0.0, 1.0) } else { 0.0 },
            objective_missed: promised.then(|| if passed > 0.0 { violated / passed } else { 0.0 }),
        }
    }

    pub(crate) fn totals(&self, counts: Counts) -> ServiceTotals {
        let share = |time: Period| time.as_seconds_float() / self.elapsed.as_seconds_float().max(1e-3);
        let milliseconds = |seconds: Option<f64>| seconds.unwrap_or(0.0) * 1_000.0;
        let requests = counts.arrivals + self.unreachable;
        ServiceTotals {
            requests,
            completed: counts.completed,
            time_outs: counts.time_outs,
            queue_full: counts.queue_full,
            nobody_ready: counts.nobody_ready + self.unreachable,
            broken: counts.broken,
            downtime: self.down,
            latency_mean_ms: milliseconds(self.latency.mean()),
            latency_p50_ms: milliseconds(self.latency.quantile(0.5)),
            latency_p95_ms: milliseconds(self.latency.quantile(0.95)),
            latency_p99_ms: milliseconds(self.latency.quantile(0.99)),
            objective_missed_time: share(self.violated),
            objective_missed_requests: if requests > 0.0 { (self.bad / requests).min(1.0) } else { 0.0 },
            overloaded_time: share(self.overloaded),
            core_hours: self.core_seconds / 3_600.0,
            replica_hours: self.replica_seconds / 3_600.0,
            replicas_max: self.most_replicas,
            replica_changes: self.elasticity.supply_changes(),
            elasticity: self.elasticity.totals(),
            ..ServiceTotals::default()
        }
    }
}

/// How far a step was from its objective.
struct Missed {
    violated: bool,
    requests: f64,
}

impl Objective {
    /// `unreachable` is the share of the demand that reached nobody and is not among the arrivals.
    fn missed_by(&self, outcome: &Outcome, unreachable: f64) -> Missed {
        let failed = outcome.counts.errors() + outcome.counts.time_outs;
        let arrivals = outcome.counts.arrivals;
        let allowed = self.errors.as_f64();
        let share = if arrivals > 0.0 { failed / arrivals } else { 0.0 };
        let failing = failed > allowed * arrivals || unreachable + (1.0 - unreachable) * share > allowed;
        let Some(limit) = self.latency_p95 else {
            return Missed { violated: failing, requests: failed };
        };
        let limit = limit.as_seconds_float();
        let slow = |group: &crate::service::GroupOutcome| group.counts.completed * group.share_above(limit);
        let late: f64 = outcome.groups.iter().map(slow).sum();
        Missed { violated: failing || outcome.latency.p95 > limit, requests: failed + late }
    }
}
