//! Percentile bootstrap of a mean, seeded: resampling that gives the same interval every time.

use super::estimate::{quantile, sorted};
use serde::{Deserialize, Serialize};
use simulator::randomness::Randomness;

/// Where a value lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// How often to resample, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    pub resamples: u32,
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 10_000, seed: 1 }
    }
}

impl Bootstrap {
    /// The interval of the mean; `name` tells draws for different questions apart.
    pub fn mean(&self, values: &[f64], name: &str) -> Option<Interval> {
        if values.len() < 2 || self.resamples == 0 {
            return None;
        }
        let mut chance = Randomness::new(self.seed).stream(&format!("bootstrap of {name}"));
        let count = values.len() as u64;
        let mut one = || {
            let sum: f64 = (0..count).map(|_| values[chance.below(count) as usize]).sum();
            sum / count as f64
        };
        let means: Vec<f64> = (0..self.resamples).map(|_| one()).collect();
        let means = sorted(&means);
        Some(Interval { low: quantile(&means, 0.025), high: quantile(&means, 0.975) })
    }
}
