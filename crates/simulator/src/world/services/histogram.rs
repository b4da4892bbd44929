//! Response times of a whole run in buckets that grow by a fixed factor: quantiles within five per cent, in constant room.

use crate::service::GroupOutcome;
use std::sync::LazyLock;

/// The upper end of the first bucket, in seconds.
const FIRST: f64 = 1e-4;
const FACTOR: f64 = 1.05;
/// Enough for more than a quarter of an hour.
const BUCKETS: usize = 330;
/// A share of requests that no count of a run would show.
const NOTHING: f64 = 1e-9;

/// The upper ends of all buckets but the last, which has none; the same for every histogram.
static BOUNDS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    std::iter::successors(Some(FIRST), |bound| Some(bound * FACTOR)).take(BUCKETS).collect()
});

/// How many requests took how long.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    counts: Vec<f64>,
    requests: f64,
    /// Seconds of all requests together.
    sum: f64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0.0; BUCKETS + 1], requests: 0.0, sum: 0.0 }
    }
}

impl Histogram {
    /// Adds so many requests that took as long as this group's distribution says.
    pub(crate) fn add(&mut self, requests: f64, group: &GroupOutcome) {
        if requests <= 0.0 {
            return;
        }
        self.requests += requests;
        self.sum += requests * group.latency.mean;
        let mut above = 1.0;
        for (count, bound) in self.counts.iter_mut().zip(&*BOUNDS) {
            let beyond = group.share_above(*bound).min(above);
            *count += requests * (above - beyond);
            above = beyond;
            if above < NOTHING {
                return;
            }
        }
        self.counts[BUCKETS] += requests * above;
    }

    /// Mean seconds of a request; none without requests.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| self.sum / self.requests)
    }

    /// The seconds that this share of requests did not exceed: the upper end of the bucket it falls in.
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = share * self.counts.iter().sum::<f64>();
        if wanted <= 0.0 {
            return None;
        }
        let mut below = 0.0;
        let place = self.counts.iter().position(|count| {
            below += count;
            below >= wanted
        });
        let last = BOUNDS.last().copied();
        place.and_then(|place| BOUNDS.get(place).copied()).or(last)
    }

    /// What was added since an earlier state of the same histogram.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let pairs = self.counts.iter().zip(&earlier.counts);
        Self {
            counts: pairs.map(|(now, before)| (now - before).max(0.0)).collect(),
            requests: self.requests - earlier.requests,
            sum: self.sum - earlier.sum,
        }
    }
}
