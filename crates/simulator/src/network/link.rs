//! One way through the network: how long a question and its answer take on it.

use crate::randomness::Stream;
use model::latency::Latency;
use model::quantity::Bytes;

/// A minute: whatever takes longer has timed out. A drawn latency is cut off here, too.
pub const LONGEST_LATENCY: Latency = Latency::from_millis(60_000);

/// How much latencies vary around their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Jitter {
    #[default]
    None,
    /// Evenly within so much more or less.
    Uniform { spread: Latency },
    /// Multiplied by a log-normal factor with mean one; `sigma` is the standard deviation of its logarithm.
    LogNormal { sigma: f64 },
}

/// From an area or a cluster to a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// There and back, on average.
    pub round_trip: Latency,
    pub jitter: Jitter,
    pub bytes_per_second: Option<Bytes>,
}

impl Link {
    pub const fn of(round_trip: Latency) -> Self {
        Self { round_trip, jitter: Jitter::None, bytes_per_second: None }
    }

    /// One round trip; without jitter nothing is drawn.
    pub fn draw(&self, stream: &mut Stream) -> Latency {
        let mean = self.round_trip.0;
        let drawn = match self.jitter {
            Jitter::None => mean,
            Jitter::Uniform { spread } => {
                let spread = spread.0.min(mean);
                stream.between(mean - spread, mean.saturating_add(spread))
            }
            Jitter::LogNormal { sigma } => {
                // The mean of e^(σz) is e^(σ²/2).
                let factor = libm::exp(sigma * normal(stream) - sigma * sigma / 2.0);
                libm::round(mean as f64 * factor).clamp(0.0, LONGEST_LATENCY.0 as f64) as u64
            }
        };
        Latency(drawn).min(LONGEST_LATENCY)
    }

    /// How long so many bytes take on top of a round trip; nothing where the bandwidth is not limited.
    pub fn transfer(&self, payload: Bytes) -> Latency {
        let Some(rate) = self.bytes_per_second.filter(|rate| !rate.is_zero()) else { return Latency::ZERO };
        let microseconds = (u128::from(payload.0) * 1_000_000).div_ceil(u128::from(rate.0));
        Latency(u64::try_from(microseconds).unwrap_or(u64::MAX))
    }
}

/// A standard normal number from two uniform ones (Box and Muller).
fn normal(stream: &mut Stream) -> f64 {
    // 53 bits, moved by half a step so that zero, which has no logarithm, never comes.
    let mut uniform = || ((stream.next_u64() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0;
    let (radius, angle) = (libm::sqrt(-2.0 * libm::log(uniform())), 2.0 * std::f64::consts::PI * uniform());
    radius * libm::cos(angle)
}
