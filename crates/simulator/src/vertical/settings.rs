//! The recommender's settings; the upstream flag stands beside each.

use model::quantity::{Bytes, MilliCpu};
use model::time::Period;

/// The weight of every CPU sample before decay; a larger container does not count for more.
pub const MIN_SAMPLE_WEIGHT: f64 = 0.1;

const DAY: Period = Period::from_hours(24);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// `cpu-histogram-decay-half-life`.
    pub cpu_half_life: Period,
    /// `memory-histogram-decay-half-life`.
    pub memory_half_life: Period,
    /// `memory-aggregation-interval`: one memory peak is kept for each.
    pub memory_interval: Period,
    /// `memory-aggregation-interval-count`: after so many intervals without a sample everything is forgotten.
    pub memory_intervals: u32,
    /// `oom-bump-up-ratio`.
    pub oom_bump_ratio: f64,
    /// `oom-min-bump-up-bytes`.
    pub oom_min_bump: Bytes,
    /// `recommendation-margin-fraction`.
    pub margin: f64,
    /// `recommendation-lower-bound-cpu-percentile` and its memory twin.
    pub lower_percentile: f64,
    /// `target-cpu-percentile` and its memory twin.
    pub target_percentile: f64,
    /// `recommendation-upper-bound-cpu-percentile` and its memory twin.
    pub upper_percentile: f64,
    /// `confidence-interval-cpu` and its memory twin.
    pub confidence_interval: Period,
    /// `pod-recommendation-min-cpu-millicores`, shared by the containers of a pod.
    pub pod_min_cpu: MilliCpu,
    /// `pod-recommendation-min-memory-mb`, shared by the containers of a pod; upstream's 250 "MB" are 250 MiB.
    pub pod_min_memory: Bytes,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cpu_half_life: DAY,
            memory_half_life: DAY,
            memory_interval: DAY,
            memory_intervals: 8,
            oom_bump_ratio: 1.2,
            oom_min_bump: Bytes(100 << 20),
            margin: 0.15,
            lower_percentile: 0.5,
            target_percentile: 0.9,
            upper_percentile: 0.95,
            confidence_interval: DAY,
            pod_min_cpu: MilliCpu(25),
            pod_min_memory: Bytes(250 << 20),
        }
    }
}
