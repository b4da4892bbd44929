//! How numbers of an experiment are written: the same in tables, figures and reports.

use super::metric::Metric;
use super::results::Standing;
use crate::statistics::Interval;

/// How many decimal places values of this size get: about three digits that matter, four places below one.
fn places(size: f64) -> usize {
    match size.abs() {
        size if size >= 1_000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        0.0 => 0,
        _ => 4,
    }
}

/// A value of a metric as it is shown, without its unit.
pub fn value(metric: &Metric, value: f64) -> String {
    number(value * metric.shown_times)
}

/// The mean with its interval: 1.25 [1.20, 1.30]. All three have the decimal places of the mean.
pub fn estimate(metric: &Metric, standing: &Standing) -> String {
    let mean = standing.estimate.mean * metric.shown_times;
    match standing.estimate.interval {
        None => number(mean),
        Some(interval) => format!("{} {}", number(mean), bounds(metric, interval, mean)),
    }
}

/// An interval in brackets.
pub fn interval(metric: &Metric, interval: Interval) -> String {
    let size = interval.low.abs().max(interval.high.abs()) * metric.shown_times;
    bounds(metric, interval, size)
}

fn bounds(metric: &Metric, interval: Interval, size: f64) -> String {
    let places = places(size);
    let (low, high) = (interval.low * metric.shown_times, interval.high * metric.shown_times);
    format!("[{}, {}]", fixed(low, places), fixed(high, places))
}

/// Half the width of an interval, for ±.
pub fn half_width(metric: &Metric, standing: &Standing) -> Option<String> {
    let interval = standing.estimate.interval?;
    let mean = standing.estimate.mean * metric.shown_times;
    let half = (interval.high - interval.low) / 2.0 * metric.shown_times;
    Some(fixed(half, places(mean)))
}

pub fn number(value: f64) -> String {
    fixed(value, places(value))
}

/// Never "-0.00".
fn fixed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let is_zero = text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A probability: 0.012, or < 0.001.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_about_three_digits() {
        let shown = [12_345.678, 123.45, 12.345, 1.0, 0.123_45, 0.001_234, 0.0, -0.000_01].map(number);
        assert_eq!(shown, ["12346", "123.5", "12.35", "1.00", "0.1235", "0.0012", "0", "0.0000"]);
    }

    #[test]
    fn probabilities_are_not_shown_as_zero() {
        assert_eq!([0.000_4, 0.012_34, 1.0].map(probability), ["< 0.001", "0.012", "1.000"]);
    }
}
