//! How many of how many, with the exact interval of the share behind it.

use super::bootstrap::Interval;
use super::distribution::incomplete_beta;
use serde::{Deserialize, Serialize};

/// Outside of an interval at either end.
const TAIL: f64 = 0.025;

/// A count out of a number of independent trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proportion {
    pub count: u64,
    pub of: u64,
    /// Clopper and Pearson's: it never covers less than 95 %. Nothing if there was nothing to count.
    pub interval: Option<Interval>,
}

impl Proportion {
    pub fn new(count: u64, of: u64) -> Self {
        assert!(count <= of, "a part is not more than the whole");
        Self { count, of, interval: (of > 0).then(|| exact(count, of)) }
    }

    /// Nothing if there was nothing to count.
    pub fn share(&self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }
}

fn exact(count: u64, of: u64) -> Interval {
    let (count, rest) = (count as f64, (of - count) as f64);
    let low = if count == 0.0 { 0.0 } else { quantile(TAIL, count, rest + 1.0) };
    let high = if rest == 0.0 { 1.0 } else { quantile(1.0 - TAIL, count + 1.0, rest) };
    Interval { low, high }
}

/// Where so much of a beta distribution lies below.
fn quantile(below: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Sixty halvings are as fine as a number near one can be.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if incomplete_beta(a, b, middle) < below {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_textbook() {
        let check = |count: u64, of: u64, low: f64, high: f64| {
            let found = Proportion::new(count, of).interval.unwrap();
            let near = (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5;
            assert!(near, "{count} of {of}: {found:?}");
        };
        // None and all have closed forms: 1 - 0.025^(1/n) and its mirror image.
        check(0, 10, 0.0, 0.3085);
        check(10, 10, 0.6915, 1.0);
        check(5, 10, 0.1871, 0.8129);
        check(1, 20, 0.0013, 0.2487);
        check(0, 1, 0.0, 0.975);
        assert_eq!(Proportion::new(0, 0).interval, None);
        assert_eq!(Proportion::new(1, 4).share(), Some(0.25));
    }

    #[test]
    fn an_interval_covers_the_share_at_least_as_often_as_it_says() {
        let (of, share) = (30_u64, 0.2_f64);
        let mut probability = libm::pow(1.0 - share, of as f64);
        let mut covered = 0.0;
        for count in 0..=of {
            let Interval { low, high } = exact(count, of);
            covered += if (low..=high).contains(&share) { probability } else { 0.0 };
            probability *= (of - count) as f64 / (count + 1) as f64 * share / (1.0 - share);
        }
        assert!(covered >= 0.95, "{covered}");
    }
}
