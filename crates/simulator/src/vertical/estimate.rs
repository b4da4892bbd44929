//! From histograms to amounts: percentile, margin, confidence, minimum, each in whole units as upstream rounds them.

use super::settings::Settings;
use model::time::Period;

/// No recommendation is larger, in millicores or bytes; without any history the upper bound is this.
const LARGEST: f64 = 1e14;

/// Which of the three amounts is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Lower,
    Target,
    Upper,
}

impl Bound {
    pub(super) fn percentile(self, settings: &Settings) -> f64 {
        match self {
            Self::Lower => settings.lower_percentile,
            Self::Target => settings.target_percentile,
            Self::Upper => settings.upper_percentile,
        }
    }

    /// Short histories widen the range: upwards in inverse proportion to the days seen, downwards for minutes only.
    fn confidence_factor(self, confidence: f64) -> f64 {
        match self {
            Self::Lower => libm::pow(1.0 + 0.001 / confidence, -2.0),
            Self::Target => 1.0,
            Self::Upper => 1.0 + 1.0 / confidence,
        }
    }
}

/// How much the history is worth: days of steady samples, one each minute.
pub(super) fn confidence(lifespan: Period, samples: u64, interval: Period) -> f64 {
    const MINUTE: f64 = 60_000.0;
    let interval = interval.as_millis() as f64;
    (lifespan.as_millis() as f64 / interval).min(samples as f64 / (interval / MINUTE))
}

/// `usage`, in units, with margin and confidence, at least `minimum`.
pub(super) fn amount(usage: f64, bound: Bound, margin: f64, confidence: f64, minimum: u64) -> u64 {
    let base = whole(usage);
    let padded = base + whole(base as f64 * margin);
    let factor = bound.confidence_factor(confidence);
    let scaled = if bound == Bound::Target { padded } else { whole(padded as f64 * factor) };
    scaled.max(minimum)
}

/// A pod's minimum shared by its containers.
pub(super) fn share(minimum: u64, containers: u32) -> u64 {
    whole(minimum as f64 * (1.0 / f64::from(containers.max(1))))
}

/// Rounded down; nothing times no history at all, which is no number, is nothing.
fn whole(amount: f64) -> u64 {
    if amount > LARGEST { LARGEST as u64 } else { amount as u64 }
}
