//! The normal distribution, computed with `libm` only, so that every platform gets the same bits.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The probability of a value below `x`.
pub(crate) fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The value that is undercut with this probability; probabilities outside 0 to 1 count as the nearest inside.
pub(crate) fn quantile(probability: f64) -> f64 {
    // The smallest probability with a full mantissa; its quantile is about −37.5, far beyond any draw.
    let probability = probability.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
    if probability > 0.5 { -lower_quantile(1.0 - probability) } else { lower_quantile(probability) }
}

/// A first guess that is off by less than 0.0005 (Hastings, in Abramowitz and Stegun 26.2.23), then two steps of Halley's
/// method, each of which triples the number of right digits.
fn lower_quantile(probability: f64) -> f64 {
    let t = (-2.0 * libm::log(probability)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below_line = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = above / below_line - t;
    for _ in 0..2 {
        let density = libm::exp(-x * x / 2.0) / (2.0 * PI).sqrt();
        let step = (below(x) - probability) / density.max(f64::MIN_POSITIVE);
        x -= step / (1.0 + x * step / 2.0);
    }
    x
}

/// A normal distribution cut off at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Truncated {
    mean: f64,
    deviation: f64,
    least: f64,
    most: f64,
    /// Probabilities of both ends, taken on the side where they are small and therefore exact.
    ends: (f64, f64),
    mirrored: bool,
}

impl Truncated {
    /// Expects finite numbers, a deviation that is not negative and bounds in order.
    pub(crate) fn new(mean: f64, deviation: f64, least: f64, most: f64) -> Self {
        let spread = deviation.max(f64::MIN_POSITIVE);
        let (low, high) = ((least - mean) / spread, (most - mean) / spread);
        let mirrored = low > 0.0;
        let ends = if mirrored { (below(-high), below(-low)) } else { (below(low), below(high)) };
        Self { mean, deviation, least, most, ends, mirrored }
    }

    /// The share of values below `x`; for a distribution that is a point, everything below what is above it.
    pub(crate) fn share_below(&self, x: f64) -> f64 {
        let (low, high) = self.ends;
        if high - low < f64::MIN_POSITIVE {
            return if x >= self.mean.clamp(self.least, self.most) { 1.0 } else { 0.0 };
        }
        let z = (x - self.mean) / self.deviation.max(f64::MIN_POSITIVE);
        let passed = if self.mirrored { high - below(-z) } else { below(z) - low };
        (passed / (high - low)).clamp(0.0, 1.0)
    }

    /// The value of a draw strictly between zero and one.
    pub(crate) fn value(&self, draw: f64) -> f64 {
        let (low, high) = self.ends;
        if high - low < f64::MIN_POSITIVE {
            return self.mean.clamp(self.least, self.most);
        }
        let share = draw * (high - low);
        let z = if self.mirrored { -quantile(high - share) } else { quantile(low + share) };
        (self.mean + self.deviation * z).clamp(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, want) in [
            (0.5, 0.0),
            (0.95, 1.644_853_626_951_472),
            (0.99, 2.326_347_874_040_841),
            (0.001, -3.090_232_306_167_813),
            (1e-10, -6.361_340_902_404_056),
        ] {
            let got = quantile(probability);
            assert!((got - want).abs() < 1e-9, "{probability}: {got}");
        }
        for extreme in [0.0, 1.0, -1.0, 2.0, 5e-324] {
            assert!(quantile(extreme).is_finite(), "{extreme}");
        }
    }

    #[test]
    fn a_quantile_undoes_the_distribution() {
        for step in 1..1000 {
            let probability = f64::from(step) / 1000.0;
            assert!((below(quantile(probability)) - probability).abs() < 1e-14, "{probability}");
        }
    }

    #[test]
    fn truncation_keeps_the_bounds_even_where_there_is_hardly_any_mass() {
        for (mean, deviation, least, most) in
            [(12.0, 20.0, 1.0, 60.0), (0.0, 1.0, 8.0, 9.0), (0.0, 1.0, 50.0, 60.0), (5.0, 0.0, 1.0, 9.0)]
        {
            let law = Truncated::new(mean, deviation, least, most);
            for step in 0..100 {
                let value = law.value((f64::from(step) + 0.5) / 100.0);
                assert!((least..=most).contains(&value), "{mean} {deviation}: {value}");
            }
        }
        let upper_tail = Truncated::new(0.0, 1.0, 8.0, 9.0);
        let (low, high) = (upper_tail.value(0.01), upper_tail.value(0.99));
        assert!(low < 8.01 && 8.4 < high, "spread over the interval, not piled up at its end: {low} {high}");
    }
}
