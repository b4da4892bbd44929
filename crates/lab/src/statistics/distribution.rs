//! The two distributions that intervals and tests need. Series and continued fractions, accurate to about 1e-12.

use libm::{erfc, exp, fabs, lgamma, log, sqrt};

const MOST_TERMS: u32 = 500;
const TINY: f64 = 1e-300;
const CLOSE: f64 = 1e-15;

/// The probability that a standard normal variable is above `z`.
pub(super) fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

/// The value that a Student variable exceeds in absolute terms with probability `1 - confidence`.
pub(super) fn student_quantile(confidence: f64, degrees: f64) -> f64 {
    let outside = |t: f64| student_outside(t, degrees);
    let (mut low, mut high) = (0.0, 1.0);
    while outside(high) > 1.0 - confidence && high < 1e12 {
        high *= 2.0;
    }
    // Halving a range of this size ends well before the limit.
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if outside(middle) > 1.0 - confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The probability that a Student variable is further from zero than `t`.
fn student_outside(t: f64, degrees: f64) -> f64 {
    incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The regularised incomplete beta function.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x));
    // The fraction converges fast on one side of the mean; the other side is its mirror image.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, 1.0 - x) / b
    }
}

/// Lentz's method for the incomplete beta function's continued fraction.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| if fabs(value) < TINY { TINY } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = lower;
    for term in 1..=MOST_TERMS {
        let number = f64::from(term);
        let twice = a + 2.0 * number;
        let even = number * (b - number) * x / ((twice - 1.0) * twice);
        let odd = -(a + number) * (a + b + number) * x / (twice * (twice + 1.0));
        let before = fraction;
        for step in [even, odd] {
            lower = 1.0 / away_from_zero(1.0 + step * lower);
            upper = away_from_zero(1.0 + step / upper);
            fraction *= lower * upper;
        }
        if fabs(fraction - before) <= CLOSE * fabs(fraction) {
            break;
        }
    }
    fraction
}

/// The square root of the sample variance; zero for fewer than two values.
pub(super) fn standard_deviation(values: &[f64], mean: f64) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    sqrt(squares / (values.len() - 1) as f64)
}
