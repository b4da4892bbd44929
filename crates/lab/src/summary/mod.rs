//! The numbers of one run, for machines (`summary.json`) and for a terminal.

mod faults;
mod models;
mod services;
mod text;
mod vertical;

pub use faults::{FaultRecord, Hit};
pub use models::ModelMeters;
pub use services::{ElasticityMeters, ObjectiveMeters, ServiceMeters};
pub(crate) use text::decimal;
pub use vertical::{Advice, VerticalAdvice};

use crate::timeline::Timeline;
use control::strategy::LimitKind;
use model::names::{ClusterName, WorkloadRef};
use model::review::Stage;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// One run. Fractions are written with at most six decimal places, whole numbers without any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub scenario: String,
    pub strategy: String,
    pub seed: u64,
    /// Who answered recommendations: the review mode in a few words.
    pub review: String,
    #[serde(serialize_with = "rounded")]
    pub duration_s: f64,
    pub events: u64,
    pub journal_sha256: String,
    pub meters: Meters,
    /// What vertical autoscalers recommend.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vertical: Vec<VerticalAdvice>,
    pub recommendations: StageCounts,
    pub infeasible: Vec<Infeasible>,
    /// What went wrong, in the order in which it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// What asking models took; nothing if none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<ModelMeters>,
}

/// What the world measured, whatever the agents saw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meters {
    #[serde(serialize_with = "rounded")]
    pub pending_pods_mean: f64,
    pub pending_pods_max: u64,
    /// The share of time in which at least one pod was pending.
    #[serde(serialize_with = "rounded")]
    pub time_with_pending_ratio: f64,
    pub workload_moves: u64,
    /// Moves of workloads that had been moved before.
    pub repeat_moves: u64,
    pub migrated_pods: u64,
    #[serde(serialize_with = "rounded")]
    pub migrated_pods_per_execution: f64,
    pub evicted_pods: u64,
    #[serde(serialize_with = "rounded")]
    pub node_hours: f64,
    #[serde(serialize_with = "rounded")]
    pub cost_usd: f64,
    #[serde(serialize_with = "rounded")]
    pub cost_usd_per_interval: f64,
    /// Of all clusters whose hosts have a power model.
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub energy_kwh: Option<f64>,
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub carbon_kg: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<WorkloadRef, ServiceMeters>,
    pub clusters: BTreeMap<ClusterName, ClusterMeters>,
}

/// One cluster's loads, as shares of its capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterMeters {
    #[serde(serialize_with = "rounded")]
    pub cpu_load_mean: f64,
    #[serde(serialize_with = "rounded")]
    pub cpu_load_max: f64,
    #[serde(serialize_with = "rounded")]
    pub cpu_load_final: f64,
    #[serde(serialize_with = "rounded")]
    pub memory_load_mean: f64,
    #[serde(serialize_with = "rounded")]
    pub memory_load_max: f64,
    #[serde(serialize_with = "rounded")]
    pub memory_load_final: f64,
    /// The share of time in which a limit was broken.
    #[serde(serialize_with = "rounded")]
    pub limit_violation_ratio: f64,
    /// CPU that was really used, as a share of the capacity.
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub cpu_used_mean: Option<f64>,
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub energy_kwh: Option<f64>,
    #[serde(default, serialize_with = "rounded_option", skip_serializing_if = "Option::is_none")]
    pub carbon_kg: Option<f64>,
}

/// How many recommendations stand or ended at each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageCounts {
    pub total: u64,
    pub pending: u64,
    pub approved: u64,
    pub rejected: u64,
    pub expired: u64,
    pub superseded: u64,
    pub applying: u64,
    pub applied: u64,
    pub failed: u64,
    pub rolled_back: u64,
}

/// A limit that no set of moves could restore.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Infeasible {
    pub limit: LimitKind,
    pub cluster: ClusterName,
    pub reason: String,
    #[serde(serialize_with = "rounded")]
    pub first_at_s: f64,
    #[serde(serialize_with = "rounded")]
    pub last_at_s: f64,
    pub count: u64,
}

impl StageCounts {
    pub fn of(counts: &BTreeMap<Stage, u64>) -> Self {
        let mut result = Self { total: counts.values().sum(), ..Self::default() };
        for (stage, count) in counts {
            *result.field(*stage) = *count;
        }
        result
    }

    pub fn at(mut self, stage: Stage) -> u64 {
        *self.field(stage)
    }

    const fn field(&mut self, stage: Stage) -> &mut u64 {
        match stage {
            Stage::Pending => &mut self.pending,
            Stage::Approved => &mut self.approved,
            Stage::Rejected => &mut self.rejected,
            Stage::Expired => &mut self.expired,
            Stage::Superseded => &mut self.superseded,
            Stage::Applying => &mut self.applying,
            Stage::Applied => &mut self.applied,
            Stage::Failed => &mut self.failed,
            Stage::RolledBack => &mut self.rolled_back,
        }
    }
}

impl Timeline {
    /// How many recommendations stand or ended at each stage.
    pub fn stage_counts(&self) -> StageCounts {
        let mut counts = BTreeMap::new();
        for life in self.recommendations() {
            *counts.entry(life.stage).or_default() += 1;
        }
        StageCounts::of(&counts)
    }

    /// The limits that could not be met, as a summary lists them.
    pub fn infeasible(&self) -> Vec<Infeasible> {
        let seconds = |at: model::time::Timestamp| at.as_millis() as f64 / 1000.0;
        let unmet = self.unmet().map(|unmet| Infeasible {
            limit: unmet.limit,
            cluster: unmet.cluster.clone(),
            reason: unmet.reason.clone(),
            first_at_s: seconds(unmet.first_at),
            last_at_s: seconds(unmet.last_at),
            count: unmet.count,
        });
        unmet.collect()
    }
}

impl Summary {
    /// Indented JSON with a final line break: the content of `summary.json`.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// All services, the worst first; equally bad ones by name.
    pub fn worst_services(&self) -> Vec<(&WorkloadRef, &ServiceMeters)> {
        let mut services: Vec<_> = self.meters.services.iter().collect();
        let bad = |meters: &ServiceMeters| meters.badness(self.duration_s);
        services.sort_by(|a, b| bad(b.1).total_cmp(&bad(a.1)).then_with(|| a.0.cmp(b.0)));
        services
    }
}

/// Six decimal places; a whole number is written as one.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Above 2^53 / 10^6 six decimal places are no longer exact.
    const EXACT: f64 = 9_007_199_254.0;
    if !value.is_finite() {
        return Err(serde::ser::Error::custom(format!("{value} is not a number a summary can hold")));
    }
    let nearest = if value.abs() < EXACT { (value * 1e6).round() / 1e6 } else { value.round() };
    if nearest.fract() == 0.0 && nearest.abs() < 9e15 {
        return serializer.serialize_i64(nearest as i64);
    }
    serializer.serialize_f64(nearest)
}

/// As [`rounded`], where there is something to write.
#[expect(clippy::ref_option, reason = "serde calls it with a reference")]
fn rounded_option<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => rounded(value, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::three_waves;
    use expect_test::expect_file;

    #[test]
    fn numbers_are_rounded_once() {
        #[derive(Serialize)]
        struct One(#[serde(serialize_with = "rounded")] f64);
        let check = |value: f64, text: &str| assert_eq!(serde_json::to_string(&One(value)).unwrap(), text);
        check(0.0, "0");
        check(-0.000_000_1, "0");
        check(300.0, "300");
        check(14.0 / 15.3, "0.915033");
        check(0.1 + 0.2, "0.3");
        check(1e300, "1e+300");
        assert!(serde_json::to_string(&One(f64::NAN)).is_err());
    }

    #[test]
    fn the_file_has_its_fields_and_reads_back() {
        let summary = three_waves::summary();
        let json = summary.to_json().unwrap();
        expect_file!["three_waves.json"].assert_eq(&json);
        let again: Summary = serde_json::from_str(&json).unwrap();
        assert_eq!(again.to_json().unwrap(), json);
    }

    #[test]
    fn services_and_faults_read_back_and_have_their_fields() {
        let summary = crate::bad_day::summary();
        let json = summary.to_json().unwrap();
        let again: Summary = serde_json::from_str(&json).unwrap();
        assert_eq!(again.to_json().unwrap(), json);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let crash = serde_json::json!({ "kind": "node_crash", "cluster": "member2", "from_s": 60, "to_s": 120, "ended": true,
            "clients": false, "hit": { "nodes": 1, "pods": 3, "orders": 0, "measurements": 0, "reviews": 0 } });
        assert_eq!(value["faults"][1], crash);
        assert!(value["faults"][3].get("cluster").is_none(), "nobody reviews in any cluster");
        let web = &value["meters"]["services"]["deployment/default/web"];
        assert_eq!(web["objective"], serde_json::json!({ "latency_p95_ms": 500, "errors_ratio": 0.01 }));
        assert_eq!(web["rescales"], 7);
    }

    #[test]
    fn the_worst_service_comes_first() {
        let summary = crate::bad_day::summary();
        let names: Vec<&str> = summary.worst_services().iter().map(|(name, _)| name.name()).collect();
        assert_eq!(names, ["web", "search", "login"]);
    }

    #[test]
    fn every_stage_is_counted_in_its_own_place() {
        let mut counts = BTreeMap::new();
        for (number, stage) in Stage::ALL.into_iter().enumerate() {
            counts.insert(stage, number as u64 + 1);
        }
        let result = StageCounts::of(&counts);
        assert_eq!(result.total, 45);
        for (stage, count) in counts {
            assert_eq!(result.at(stage), count);
        }
    }
}
