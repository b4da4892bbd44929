//! One sample described: mean with its interval, median, interquartile mean, spread.

use super::FEWEST_SEEDS;
use super::bootstrap::Interval;
use super::distribution::{standard_deviation, student_quantile};
use libm::sqrt;
use serde::Serialize;

/// What a set of values says. Only finite values can be in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub count: usize,
    pub mean: f64,
    /// The 95 % Student interval of the mean; none for fewer than two values.
    pub interval: Option<Interval>,
    pub standard_deviation: f64,
    pub median: f64,
    /// The mean of the middle half.
    pub interquartile_mean: f64,
    pub least: f64,
    pub most: f64,
}

impl Estimate {
    /// None if there is no value, or one that is not a number: nothing is averaged over a hole.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let sorted = sorted(values);
        let count = sorted.len();
        let mean = mean(&sorted);
        let deviation = standard_deviation(&sorted, mean);
        Some(Self {
            count,
            mean,
            interval: (count > 1).then(|| student_interval(mean, deviation, count)),
            standard_deviation: deviation,
            median: quantile(&sorted, 0.5),
            interquartile_mean: interquartile_mean(&sorted),
            least: sorted[0],
            most: sorted[count - 1],
        })
    }

    pub const fn too_few(&self) -> bool {
        self.count < FEWEST_SEEDS
    }
}

/// The mean, clamped to the range of the values so that equal values have exactly their own mean.
pub(super) fn mean(sorted: &[f64]) -> f64 {
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    mean.clamp(sorted[0], sorted[sorted.len() - 1])
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn student_interval(mean: f64, deviation: f64, count: usize) -> Interval {
    let half = student_quantile(0.95, (count - 1) as f64) * deviation / sqrt(count as f64);
    Interval { low: mean - half, high: mean + half }
}

/// The value below which this share of the sorted values lies, interpolated between neighbours.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The mean without the lowest and the highest quarter; whole values are cut, as many as fit into a quarter.
fn interquartile_mean(sorted: &[f64]) -> f64 {
    let cut = sorted.len() / 4;
    mean(&sorted[cut..sorted.len() - cut])
}
