//! How long requests take: distributions of response times, and what is reported of them.

use super::root::crossing;
use crate::normal;

/// Response times in seconds, network included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
}

/// The distribution of the part that depends on chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// Always the same.
    Fixed { seconds: f64 },
    /// An exponential time on a server; a share of the requests waits an exponential time before, never longer than
    /// `longest_wait`. Exact for M/M/c.
    Exponentials { service: f64, wait_share: f64, wait: f64, longest_wait: f64 },
    /// A gamma distribution by mean and shape, after Wilson and Hilferty: the cube root is nearly normal.
    Gamma { mean: f64, shape: f64 },
}

impl Law {
    /// `mean_wait` is over all requests, those that do not wait included.
    pub(super) fn exponentials(service: f64, wait_share: f64, mean_wait: f64, longest_wait: f64) -> Self {
        let waits = wait_share > 1e-12 && mean_wait > 0.0;
        let (wait_share, wait) = if waits { (wait_share, mean_wait / wait_share) } else { (0.0, 0.0) };
        Self::Exponentials { service, wait_share, wait, longest_wait }
    }

    /// The gamma distribution of a mean and a variance. Below a shape of a half the approximation is poor; response times of
    /// stations with many users are never that irregular.
    pub(super) fn gamma(mean: f64, variance: f64) -> Self {
        if variance <= 1e-12 * mean * mean {
            return Self::Fixed { seconds: mean };
        }
        Self::Gamma { mean, shape: (mean * mean / variance).clamp(0.5, 1e12) }
    }

    fn mean(&self) -> f64 {
        match *self {
            Self::Fixed { seconds } => seconds,
            Self::Exponentials { service, wait_share, wait, .. } => service + wait_share * wait,
            Self::Gamma { mean, .. } => mean,
        }
    }

    /// The share of requests that take longer.
    fn above(&self, seconds: f64) -> f64 {
        if seconds < 0.0 {
            return 1.0;
        }
        match *self {
            Self::Fixed { seconds: fixed } => f64::from(u8::from(fixed > seconds)),
            Self::Exponentials { service, wait_share, wait, longest_wait } => {
                let served = libm::exp(-seconds / service);
                let waited = served + wait_share * both_above(seconds, service, wait, served);
                let bound = seconds - longest_wait;
                if bound > 0.0 { waited.min(libm::exp(-bound / service)) } else { waited }
            }
            Self::Gamma { mean, shape } => {
                let root = libm::cbrt(seconds / mean);
                normal::below(-(root - 1.0 + 1.0 / (9.0 * shape)) * 3.0 * shape.sqrt())
            }
        }
    }

    fn quantile(&self, probability: f64) -> f64 {
        match *self {
            Self::Fixed { seconds } => seconds,
            Self::Exponentials { service, wait_share, .. } if wait_share <= 0.0 => {
                -service * libm::log1p(-probability)
            }
            Self::Exponentials { service, wait, .. } => {
                let rest = 1.0 - probability;
                // Waiting only adds; and both times together exceed the end only if one of them exceeds its half.
                let least = -service * libm::log(rest);
                let most = 2.0 * service.max(wait) * libm::log(2.0 / rest);
                // The logarithm of the tail is nearly a straight line.
                let excess = |seconds: f64| libm::log(rest / self.above(seconds).max(f64::MIN_POSITIVE));
                crossing(least, most, excess)
            }
            Self::Gamma { mean, shape } => {
                let spread = normal::quantile(probability) / (3.0 * shape.sqrt());
                let root = (1.0 - 1.0 / (9.0 * shape) + spread).max(0.0);
                mean * root * root * root
            }
        }
    }
}

/// By how much the probability that two exponential times together exceed `seconds` is above that of the first alone, which
/// is `first_above`.
fn both_above(seconds: f64, first: f64, second: f64, first_above: f64) -> f64 {
    if second <= 0.0 {
        return 0.0;
    }
    let gap = 1.0 / first - 1.0 / second;
    let turns = gap * seconds;
    if turns.abs() < 1e-4 {
        // The series of the quotient below, which is nearly 0/0 here.
        return first_above * (seconds / first) * (1.0 + turns / 2.0 + turns * turns / 6.0);
    }
    (libm::exp(-seconds / second) - first_above) / (gap * first)
}

/// The whole way of a request: over the network, a fixed part, a part that depends on chance, and noise on all but the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sojourn {
    network: f64,
    fixed: f64,
    law: Law,
    noise: f64,
}

impl Sojourn {
    pub(super) const fn new(fixed: f64, law: Law) -> Self {
        Self { network: 0.0, fixed, law, noise: 1.0 }
    }

    pub(super) const fn seen_from(self, network: f64, noise: f64) -> Self {
        Self { network, noise, ..self }
    }

    fn mean(&self) -> f64 {
        self.network + self.noise * (self.fixed + self.law.mean())
    }

    /// The share of requests that take longer.
    pub(super) fn above(&self, seconds: f64) -> f64 {
        self.law.above((seconds - self.network) / self.noise - self.fixed).clamp(0.0, 1.0)
    }

    fn quantile(&self, probability: f64) -> f64 {
        self.network + self.noise * (self.fixed + self.law.quantile(probability))
    }

    pub(super) fn latency(&self) -> Latency {
        let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|probability| self.quantile(probability));
        let p95 = p95.max(p50);
        Latency { mean: self.mean(), p50, p95, p99: p99.max(p95) }
    }
}

/// The latency over several groups. Each has its share of the requests, its own latency and its distribution.
pub(super) fn mixed(groups: &[(f64, Latency, Sojourn)]) -> Latency {
    let total: f64 = groups.iter().map(|(share, ..)| share).sum();
    match groups {
        [] => return Latency::default(),
        [(_, only, _)] => return *only,
        [(_, first, _), ..] if total <= 0.0 => return *first,
        _ => {}
    }
    let mean = groups.iter().map(|(share, latency, _)| share * latency.mean).sum::<f64>() / total;
    // A quantile of the whole lies between the quantiles of the parts.
    let quantile = |probability: f64, of: fn(&Latency) -> f64| {
        let parts = || groups.iter().filter(|(share, ..)| *share > 0.0).map(|(_, latency, _)| of(latency));
        let (low, high) = (parts().fold(f64::INFINITY, f64::min), parts().fold(0.0, f64::max));
        crossing(low, high, |seconds| {
            let above: f64 = groups.iter().map(|(share, _, sojourn)| share * sojourn.above(seconds)).sum();
            (1.0 - probability) - above / total
        })
    };
    let p50 = quantile(0.5, |latency| latency.p50);
    // At a jump of the distribution the search stops somewhere within rounding; the order must not depend on that.
    let p95 = quantile(0.95, |latency| latency.p95).max(p50);
    let p99 = quantile(0.99, |latency| latency.p99).max(p95);
    Latency { mean, p50, p95, p99 }
}
