//! What services did for their clients.

use super::{rounded, rounded_option};
use model::energy::Microjoules;
use model::names::ClusterName;
use serde::{Deserialize, Serialize};
use simulator::scenario::Objective;
use simulator::world::{ElasticityTotals, ServiceTotals};

/// A promise about 95 of 100 answers lets five be late.
const SLOWEST: f64 = 0.05;

/// One service over the whole run. Requests are expected values, so they need not be whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServiceMeters {
    /// Where it had ready replicas at some time.
    #[serde(default)]
    pub clusters: Vec<ClusterName>,
    #[serde(serialize_with = "rounded")]
    pub requests: f64,
    #[serde(serialize_with = "rounded")]
    pub completed: f64,
    #[serde(serialize_with = "rounded")]
    pub time_outs: f64,
    /// Refused because too many waited.
    #[serde(serialize_with = "rounded")]
    pub queue_full: f64,
    /// Refused because no replica was ready, or none could be reached.
    #[serde(serialize_with = "rounded")]
    pub nobody_ready: f64,
    /// Lost with the replica that worked on them.
    #[serde(serialize_with = "rounded")]
    pub broken: f64,
    #[serde(serialize_with = "rounded")]
    pub downtime_s: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_mean_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p50_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p95_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub latency_p99_ms: f64,
    /// The share of time, and of requests, for which the objective was missed.
    #[serde(serialize_with = "rounded")]
    pub objective_missed_time_ratio: f64,
    #[serde(serialize_with = "rounded")]
    pub objective_missed_request_ratio: f64,
    /// The share of time in which replicas used more than nine tenths of what they request.
    #[serde(serialize_with = "rounded")]
    pub overloaded_time_ratio: f64,
    #[serde(serialize_with = "rounded")]
    pub core_hours: f64,
    #[serde(serialize_with = "rounded")]
    pub replica_hours: f64,
    pub replicas_max: u32,
    pub replica_changes: u64,
    pub elasticity: ElasticityMeters,
    /// Its part of what its hosts drew.
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub energy_kwh: Option<f64>,
    /// What clients were promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<ObjectiveMeters>,
    /// How often the horizontal autoscaler changed the number of replicas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescales: Option<u64>,
}

/// What clients were promised: 95 of 100 answers within a time, and a largest share of failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObjectiveMeters {
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub latency_p95_ms: Option<f64>,
    #[serde(serialize_with = "rounded")]
    pub errors_ratio: f64,
}

/// How closely ready replicas followed needed ones, in per cent; jitter in changes per hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElasticityMeters {
    #[serde(serialize_with = "rounded")]
    pub under_provisioning_accuracy: f64,
    #[serde(serialize_with = "rounded")]
    pub over_provisioning_accuracy: f64,
    #[serde(serialize_with = "rounded")]
    pub under_provisioning_time: f64,
    #[serde(serialize_with = "rounded")]
    pub over_provisioning_time: f64,
    #[serde(serialize_with = "rounded")]
    pub instability: f64,
    #[serde(serialize_with = "rounded")]
    pub jitter_per_hour: f64,
}

impl From<&ServiceTotals> for ServiceMeters {
    fn from(totals: &ServiceTotals) -> Self {
        Self {
            clusters: totals.clusters.clone(),
            requests: totals.requests,
            completed: totals.completed,
            time_outs: totals.time_outs,
            queue_full: totals.queue_full,
            nobody_ready: totals.nobody_ready,
            broken: totals.broken,
            downtime_s: totals.downtime.as_seconds_float(),
            latency_mean_ms: totals.latency_mean_ms,
            latency_p50_ms: totals.latency_p50_ms,
            latency_p95_ms: totals.latency_p95_ms,
            latency_p99_ms: totals.latency_p99_ms,
            objective_missed_time_ratio: totals.objective_missed_time,
            objective_missed_request_ratio: totals.objective_missed_requests,
            overloaded_time_ratio: totals.overloaded_time,
            core_hours: totals.core_hours,
            replica_hours: totals.replica_hours,
            replicas_max: totals.replicas_max,
            replica_changes: totals.replica_changes,
            elasticity: ElasticityMeters::from(&totals.elasticity),
            energy_kwh: totals.energy.map(Microjoules::as_kilowatt_hours_float),
            objective: totals.objective.map(ObjectiveMeters::from),
            rescales: totals.rescales,
        }
    }
}

impl From<Objective> for ObjectiveMeters {
    fn from(objective: Objective) -> Self {
        Self {
            latency_p95_ms: objective.latency_p95.map(|limit| limit.as_seconds_float() * 1000.0),
            errors_ratio: objective.errors.as_f64(),
        }
    }
}

impl ServiceMeters {
    /// Requests that got no answer in time.
    pub fn failed(&self) -> f64 {
        self.time_outs + self.queue_full + self.nobody_ready + self.broken
    }

    pub fn failed_ratio(&self) -> f64 {
        if self.requests > 0.0 { (self.failed() / self.requests).min(1.0) } else { 0.0 }
    }

    /// The share of requests that was answered; what is still worked on at the end counts as answered.
    pub fn answered_ratio(&self) -> f64 {
        1.0 - self.failed_ratio()
    }

    /// Whether the promise was kept over the whole run; none without a promise.
    pub fn kept(&self) -> Option<bool> {
        let objective = self.objective?;
        let fast = objective.latency_p95_ms.is_none() || self.late_ratio() <= SLOWEST;
        Some(fast && self.failed_ratio() <= objective.errors_ratio)
    }

    /// The response time that 95 of 100 answers did not exceed. The meter rounds it up by at most five per cent; where so few
    /// answers were late that the promise was kept, it was not above the promise.
    pub fn p95_ms(&self) -> f64 {
        let limit = self.objective.and_then(|objective| objective.latency_p95_ms);
        limit
            .filter(|_| self.late_ratio() <= SLOWEST)
            .map_or(self.latency_p95_ms, |limit| self.latency_p95_ms.min(limit))
    }

    /// The share of answers that came later than promised.
    fn late_ratio(&self) -> f64 {
        let late = self.objective_missed_request_ratio * self.requests - self.failed();
        if self.completed > 0.0 { (late / self.completed).max(0.0) } else { 0.0 }
    }

    /// Whether it was down for longer than a start takes: a minute, or a hundredth of the run.
    pub fn was_down(&self, duration_s: f64) -> bool {
        self.downtime_s > 0.0 && (self.downtime_s >= 60.0 || self.downtime_s >= duration_s / 100.0)
    }

    /// The largest share of anything bad: requests that failed, time in which the promise was missed, time without a replica.
    pub fn badness(&self, duration_s: f64) -> f64 {
        let down = if duration_s > 0.0 { self.downtime_s / duration_s } else { 0.0 };
        self.failed_ratio().max(self.objective_missed_time_ratio).max(down)
    }
}

impl From<&ElasticityTotals> for ElasticityMeters {
    fn from(totals: &ElasticityTotals) -> Self {
        Self {
            under_provisioning_accuracy: totals.under_provisioning_accuracy,
            over_provisioning_accuracy: totals.over_provisioning_accuracy,
            under_provisioning_time: totals.under_provisioning_time,
            over_provisioning_time: totals.over_provisioning_time,
            instability: totals.instability,
            jitter_per_hour: totals.jitter_per_hour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand requests of which some failed and some answers were late.
    fn meters(failed: f64, late: f64, p95: f64) -> ServiceMeters {
        ServiceMeters {
            requests: 1_000.0,
            completed: 1_000.0 - failed,
            time_outs: failed,
            latency_p95_ms: p95,
            objective_missed_request_ratio: (failed + late) / 1_000.0,
            objective: Some(ObjectiveMeters { latency_p95_ms: Some(500.0), errors_ratio: 0.01 }),
            ..ServiceMeters::default()
        }
    }

    #[test]
    fn an_objective_is_kept_or_missed_over_the_whole_run() {
        let check = |meters: ServiceMeters, kept: Option<bool>, p95: f64| {
            assert_eq!((meters.kept(), meters.p95_ms()), (kept, p95), "{meters:?}");
        };
        check(meters(0.0, 0.0, 200.0), Some(true), 200.0);
        check(meters(10.0, 40.0, 490.0), Some(true), 490.0);
        // The meter rounds up; few enough were late.
        check(meters(0.0, 49.0, 510.0), Some(true), 500.0);
        check(meters(0.0, 60.0, 510.0), Some(false), 510.0);
        check(meters(11.0, 0.0, 200.0), Some(false), 200.0);
        check(ServiceMeters { objective: None, ..meters(500.0, 0.0, 200.0) }, None, 200.0);
    }

    #[test]
    fn a_start_is_no_outage() {
        let down = |downtime_s: f64, duration_s: f64| {
            ServiceMeters { downtime_s, ..meters(0.0, 0.0, 1.0) }.was_down(duration_s)
        };
        assert!(!down(0.0, 0.0) && !down(2.0, 3_600.0));
        assert!(down(2.0, 100.0) && down(60.0, 1e9));
    }
}
