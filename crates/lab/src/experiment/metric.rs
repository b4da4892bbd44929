//! What an experiment measures of each run: one list for tables, figures and exports.

use crate::summary::{ModelMeters, ServiceMeters, Summary};
use Better::{Higher, Lower, Neither};

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    Lower,
    Higher,
    /// It says something, but neither way is a merit.
    Neither,
}

/// One number of a run.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// As it is written in files.
    pub key: &'static str,
    /// As it is shown.
    pub label: &'static str,
    /// Empty for plain counts and shares of one.
    pub unit: &'static str,
    pub better: Better,
    /// What values are multiplied by before they are shown: 100 for per cent.
    pub shown_times: f64,
    read: fn(&Summary) -> Option<f64>,
}

impl Metric {
    pub fn named(key: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.key == key)
    }

    /// The value in a run; none where it has no meaning, as the energy of hosts without a power model.
    pub fn of(&self, summary: &Summary) -> Option<f64> {
        (self.read)(summary).map(rounded)
    }

    /// The label with its unit.
    pub fn title(&self) -> String {
        if self.unit.is_empty() { self.label.to_owned() } else { format!("{} ({})", self.label, self.unit) }
    }
}

/// Six decimal places, as in `summary.json`: what is computed with is exactly what can be read.
fn rounded(value: f64) -> f64 {
    let scaled = libm::round(value * 1e6) / 1e6;
    if scaled == 0.0 { 0.0 } else { scaled }
}

const fn metric(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    better: Better,
    read: fn(&Summary) -> Option<f64>,
) -> Metric {
    Metric { key, label, unit, better, shown_times: 1.0, read }
}

const fn share(
    key: &'static str,
    label: &'static str,
    better: Better,
    read: fn(&Summary) -> Option<f64>,
) -> Metric {
    Metric { key, label, unit: "%", better, shown_times: 100.0, read }
}

/// All metrics, in the order of tables.
pub static METRICS: &[Metric] = &[
    metric("pending_pods_mean", "pending pods, mean", "", Lower, |run| Some(run.meters.pending_pods_mean)),
    metric("pending_pods_max", "pending pods, most", "", Lower, |run| {
        Some(run.meters.pending_pods_max as f64)
    }),
    share("time_with_pending_ratio", "time with pending pods", Lower, |run| {
        Some(run.meters.time_with_pending_ratio)
    }),
    share("limit_violation_ratio", "time a limit was broken, worst cluster", Lower, worst_violation),
    metric("cost_usd", "cost", "USD", Lower, |run| Some(run.meters.cost_usd)),
    metric("cost_usd_per_interval", "cost per interval", "USD", Lower, |run| {
        Some(run.meters.cost_usd_per_interval)
    }),
    metric("node_hours", "node hours", "h", Lower, |run| Some(run.meters.node_hours)),
    metric("energy_kwh", "energy", "kWh", Lower, |run| run.meters.energy_kwh),
    metric("carbon_kg", "carbon dioxide", "kg", Lower, |run| run.meters.carbon_kg),
    metric("workload_moves", "moves of workloads", "", Lower, |run| Some(run.meters.workload_moves as f64)),
    metric("repeat_moves", "repeated moves", "", Lower, |run| Some(run.meters.repeat_moves as f64)),
    metric("migrated_pods", "migrated pods", "", Lower, |run| Some(run.meters.migrated_pods as f64)),
    metric("migrated_pods_per_execution", "migrated pods per execution", "", Lower, |run| {
        Some(run.meters.migrated_pods_per_execution)
    }),
    metric("evicted_pods", "evicted pods", "", Lower, |run| Some(run.meters.evicted_pods as f64)),
    metric("recommendations", "recommendations", "", Neither, |run| Some(run.recommendations.total as f64)),
    metric("applied", "applied recommendations", "", Neither, |run| Some(run.recommendations.applied as f64)),
    metric("failed", "failed recommendations", "", Lower, |run| Some(run.recommendations.failed as f64)),
    metric("model_calls", "calls to models", "", Lower, |run| asked(run, |models| models.calls as f64)),
    metric("model_cost_usd", "cost of models", "USD", Lower, |run| asked(run, |models| models.cost_usd)),
    metric("model_tokens", "tokens of models", "", Lower, |run| {
        asked(run, |models| (models.prompt_tokens + models.completion_tokens) as f64)
    }),
    metric("model_repairs", "answers asked for again", "", Lower, |run| {
        asked(run, |models| models.repairs as f64)
    }),
    metric("model_fallbacks", "decisions without models", "", Lower, |run| {
        asked(run, |models| models.fallbacks as f64)
    }),
    share("answered_ratio", "answered requests", Higher, answered),
    metric("latency_p95_ms", "95th percentile of latency, worst service", "ms", Lower, |run| {
        worst(run, |service| service.latency_p95_ms)
    }),
    share("objective_missed_request_ratio", "requests that missed their objective", Lower, missed),
    metric("downtime_s", "downtime of services", "s", Lower, |run| total(run, |service| service.downtime_s)),
    metric("broken_requests", "requests broken by stops", "", Lower, |run| {
        total(run, |service| service.broken)
    }),
    share("overloaded_time_ratio", "time above 90 % of requests, mean service", Lower, |run| {
        mean(run, |service| service.overloaded_time_ratio)
    }),
    metric("replica_hours", "replica hours", "h", Lower, |run| total(run, |service| service.replica_hours)),
    metric("replica_changes", "changes of replicas", "", Lower, |run| {
        total(run, |service| service.replica_changes as f64)
    }),
    metric("theta_under", "θ_U, missing replicas", "%", Lower, |run| {
        mean(run, |service| service.elasticity.under_provisioning_accuracy)
    }),
    metric("theta_over", "θ_O, spare replicas", "%", Lower, |run| {
        mean(run, |service| service.elasticity.over_provisioning_accuracy)
    }),
    metric("tau_under", "τ_U, time with too few", "%", Lower, |run| {
        mean(run, |service| service.elasticity.under_provisioning_time)
    }),
    metric("tau_over", "τ_O, time with too many", "%", Lower, |run| {
        mean(run, |service| service.elasticity.over_provisioning_time)
    }),
    metric("instability", "υ, time in which supply goes another way than demand", "%", Lower, |run| {
        mean(run, |service| service.elasticity.instability)
    }),
    metric("jitter_per_hour", "jitter, changes too many", "1/h", Neither, |run| {
        mean(run, |service| service.elasticity.jitter_per_hour)
    }),
];

/// What tables show unless somebody asks for something else: service, cost, stability.
pub const USUAL: [&str; 12] = [
    "pending_pods_mean",
    "time_with_pending_ratio",
    "limit_violation_ratio",
    "cost_usd",
    "energy_kwh",
    "carbon_kg",
    "migrated_pods",
    "repeat_moves",
    "evicted_pods",
    "answered_ratio",
    "latency_p95_ms",
    "objective_missed_request_ratio",
];

fn worst_violation(run: &Summary) -> Option<f64> {
    run.meters.clusters.values().map(|cluster| cluster.limit_violation_ratio).reduce(f64::max)
}

fn services(run: &Summary, of: fn(&ServiceMeters) -> f64) -> impl Iterator<Item = f64> {
    run.meters.services.values().map(of)
}

fn total(run: &Summary, of: fn(&ServiceMeters) -> f64) -> Option<f64> {
    services(run, of).reduce(|sum, value| sum + value)
}

fn worst(run: &Summary, of: fn(&ServiceMeters) -> f64) -> Option<f64> {
    services(run, of).reduce(f64::max)
}

fn mean(run: &Summary, of: fn(&ServiceMeters) -> f64) -> Option<f64> {
    total(run, of).map(|sum| sum / run.meters.services.len() as f64)
}

fn answered(run: &Summary) -> Option<f64> {
    let requests = total(run, |service| service.requests)?;
    (requests > 0.0).then(|| total(run, |service| service.completed).unwrap_or(0.0) / requests)
}

fn missed(run: &Summary) -> Option<f64> {
    let requests = total(run, |service| service.requests)?;
    let missed = total(run, |service| service.requests * service.objective_missed_request_ratio)?;
    (requests > 0.0).then(|| missed / requests)
}

/// About models, where any was asked.
fn asked(run: &Summary, of: fn(&ModelMeters) -> f64) -> Option<f64> {
    run.models.as_ref().map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_told_apart_and_the_usual_ones_exist() {
        let keys: BTreeSet<&str> = METRICS.iter().map(|metric| metric.key).collect();
        assert_eq!(keys.len(), METRICS.len());
        assert!(USUAL.iter().all(|key| Metric::named(key).is_some()));
        assert!(Metric::named("pending").is_none());
    }

    #[test]
    fn values_are_those_of_the_summary() {
        let mut summary = crate::three_waves::summary();
        summary.meters.pending_pods_mean = 1.234_567_89;
        summary.meters.energy_kwh = None;
        let value = |key: &str| Metric::named(key).unwrap().of(&summary);
        assert_eq!(value("pending_pods_mean"), Some(1.234_568));
        assert_eq!(value("energy_kwh"), None);
        assert_eq!(value("answered_ratio"), None);
    }

    #[test]
    fn services_are_weighted_by_their_requests() {
        let mut summary = crate::three_waves::summary();
        let service = |requests: f64, completed: f64, latency_p95_ms: f64| ServiceMeters {
            requests,
            completed,
            latency_p95_ms,
            objective_missed_request_ratio: 1.0 - completed / requests,
            ..ServiceMeters::default()
        };
        let name = |text: &str| text.parse().unwrap();
        summary.meters.services.insert(name("deployment/default/a"), service(100.0, 50.0, 20.0));
        summary.meters.services.insert(name("deployment/default/b"), service(300.0, 300.0, 10.0));
        let value = |key: &str| Metric::named(key).unwrap().of(&summary);
        assert_eq!(value("answered_ratio"), Some(0.875));
        assert_eq!(value("objective_missed_request_ratio"), Some(0.125));
        assert_eq!(value("latency_p95_ms"), Some(20.0));
    }
}
