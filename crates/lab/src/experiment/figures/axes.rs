//! Axes of values that need not begin at zero.

use crate::experiment::metric::Metric;
use crate::figure::Unit;
use crate::figure::pen::{path, text};
use crate::figure::scale::{Scale, coordinate, step, tick_text, ticks_between};

/// Up to this many intervals between ticks.
const MOST_INTERVALS: f64 = 6.0;

/// From the lowest to the highest value, with some room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// None without values. The axis begins at zero unless that would press all values into its last half.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        let zero = low >= 0.0 && low <= 0.5 * high;
        let size = high.abs().max(low.abs());
        let span = match high - if zero { 0.0 } else { low } {
            flat if flat <= size * 1e-9 => {
                if size > 0.0 {
                    size
                } else {
                    1.0
                }
            }
            span => span,
        };
        let room = span * 0.06;
        let low = if zero || low >= 0.0 && low < room { 0.0 } else { low - room };
        Some(Self { low, high: high + room })
    }

    pub(super) const fn scale(self, from: f64, to: f64) -> Scale {
        Scale { value_start: self.low, value_end: self.high, from, to }
    }
}

/// What an axis of this metric says.
pub(super) fn title(metric: &Metric) -> String {
    metric.title()
}

/// Values across: lines from `top` to `bottom`, numbers and a title below.
pub(super) fn across(out: &mut String, x: Scale, top: f64, bottom: f64, title: &str) {
    let step = step(x.value_end - x.value_start, MOST_INTERVALS, Unit::Amount);
    for value in ticks_between(x.value_start, x.value_end, step) {
        let place = x.place(value);
        path(out, "grid", &format!("M{} {}V{}", coordinate(place), coordinate(top), coordinate(bottom)));
        text(out, "tick middle", place, bottom + 19.0, &tick_text(value, step, Unit::Amount));
    }
    path(out, "axis", &format!("M{} {}H{}", coordinate(x.from), coordinate(bottom), coordinate(x.to)));
    text(out, "middle", f64::midpoint(x.from, x.to), bottom + 38.0, title);
}

/// Values upwards: lines from `left` to `right`, numbers on the left.
pub(super) fn upwards(out: &mut String, y: Scale, left: f64, right: f64) {
    let step = step(y.value_end - y.value_start, 5.0, Unit::Amount);
    for value in ticks_between(y.value_start, y.value_end, step) {
        let place = y.place(value);
        let kind = if value == y.value_start { "axis" } else { "grid" };
        path(out, kind, &format!("M{} {}H{}", coordinate(left), coordinate(place), coordinate(right)));
        text(out, "tick end", left - 8.0, place + 4.0, &tick_text(value, step, Unit::Amount));
    }
    path(out, "axis", &format!("M{} {}H{}", coordinate(left), coordinate(y.from), coordinate(right)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_begin_at_zero_unless_values_are_far_from_it() {
        let check = |values: &[f64], low: f64, high: f64| {
            let range = Range::of(values.iter().copied()).unwrap();
            assert!(
                (range.low - low).abs() < 1e-9 && (range.high - high).abs() < 1e-9,
                "{values:?}: {range:?}"
            );
        };
        check(&[1.0, 10.0], 0.0, 10.6);
        check(&[90.0, 100.0], 89.4, 100.6);
        check(&[0.0, 0.0], 0.0, 0.06);
        check(&[5.0], 4.7, 5.3);
        check(&[-5.0, 5.0], -5.6, 5.6);
        assert_eq!(Range::of(std::iter::empty()), None);
    }
}
