//! Where one more value will lie, which is wider than where the mean lies: what happens is a single value.

use super::bootstrap::Interval;
use super::distribution::{standard_deviation, student_quantile};
use super::estimate::{mean, sorted};
use libm::sqrt;

/// The 95 % interval of the next value after so many: computed once, used for any number of samples of that size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextValue {
    count: usize,
    /// How many standard deviations of the sample to both sides of its mean; none for fewer than two values.
    reach: Option<f64>,
}

impl NextValue {
    /// The share of next values that lie inside.
    pub const CONFIDENCE: f64 = 0.95;

    pub fn after(count: usize) -> Self {
        let reach = |count: f64| student_quantile(Self::CONFIDENCE, count - 1.0) * sqrt(1.0 + 1.0 / count);
        Self { count, reach: (count > 1).then(|| reach(count as f64)) }
    }

    /// The mean and the interval, which is the mean alone for a single value. None for another number of values than
    /// was announced, or one that is not a number: nothing is averaged over a hole.
    pub fn of(self, values: &[f64]) -> Option<(f64, Interval)> {
        if values.is_empty() || values.len() != self.count || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let sorted = sorted(values);
        let mean = mean(&sorted);
        let half = self.reach.map_or(0.0, |reach| reach * standard_deviation(&sorted, mean));
        Some((mean, Interval { low: mean - half, high: mean + half }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simulator::randomness::Randomness;

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // Student's 97.5 % quantile with four degrees of freedom is 2.776445, the deviation of 1 to 5 is the root of 2.5.
        let (mean, interval) = NextValue::after(5).of(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!(mean, 3.0);
        let half = 2.776_445_105 * (2.5_f64 * 1.2).sqrt();
        assert!((interval.high - 3.0 - half).abs() < 1e-8 && (3.0 - interval.low - half).abs() < 1e-8);
    }

    #[test]
    fn equal_values_are_a_point_and_holes_are_nothing() {
        let point = |value| Some((value, Interval { low: value, high: value }));
        assert_eq!(NextValue::after(3).of(&[0.1; 3]), point(0.1));
        assert_eq!(NextValue::after(1).of(&[7.0]), point(7.0));
        assert_eq!(NextValue::after(0).of(&[]), None);
        assert_eq!(NextValue::after(2).of(&[1.0, f64::NAN]), None);
        assert_eq!(NextValue::after(2).of(&[1.0]), None);
    }

    #[test]
    fn nineteen_of_twenty_next_values_lie_inside() {
        let field = Randomness::new(11).field("next values");
        let next = NextValue::after(5);
        let inside = (0..10_000_u64).filter(|round| {
            let values: Vec<f64> = (0..6).map(|index| field.normal_at(round * 6 + index)).collect();
            let (_, interval) = next.of(&values[..5]).unwrap();
            (interval.low..=interval.high).contains(&values[5])
        });
        // Three standard errors of 10,000 draws are 65.
        let inside = inside.count();
        assert!(inside.abs_diff(9_500) <= 65, "{inside} of 10,000");
    }
}
