//! Axes: where a value lies, and which values get a tick. Plain arithmetic, so that every machine draws the same.

use super::Unit;
use crate::wording;
use model::time::Timestamp;

/// A straight mapping from values to picture units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub value_start: f64,
    pub value_end: f64,
    pub from: f64,
    pub to: f64,
}

impl Scale {
    pub(crate) fn place(self, value: f64) -> f64 {
        self.from + (self.to - self.from) * self.share(value)
    }

    fn share(self, value: f64) -> f64 {
        ((value - self.value_start) / (self.value_end - self.value_start)).clamp(0.0, 1.0)
    }

    pub(crate) fn moment(self, at: Timestamp) -> f64 {
        self.place(at.as_millis() as f64)
    }
}

/// One or two decimal places are below what an eye or a printer resolves.
pub(crate) fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        rest => format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, (tenths / 10).abs(), rest.abs()),
    }
}

/// The step between ticks: 1, 2 or 5 times a power of ten, so that at most `most` intervals cover `end`.
pub(crate) fn step(end: f64, most: f64, unit: Unit) -> f64 {
    let mut power = if unit == Unit::Pieces { 1.0 } else { 1e-6 };
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if end <= power * factor * most {
                return power * factor;
            }
        }
        power *= 10.0;
    }
}

/// Ticks from zero up to `end`.
pub(crate) fn ticks(end: f64, step: f64) -> Vec<f64> {
    let count = (end / step + 1e-9).floor() as usize;
    (0..=count).map(|index| index as f64 * step).collect()
}

/// Ticks from `start` up to `end`, at whole multiples of the step.
pub(crate) fn ticks_between(start: f64, end: f64, step: f64) -> Vec<f64> {
    let first = (start / step - 1e-9).ceil() as i64;
    let last = (end / step + 1e-9).floor() as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

/// A value beside its tick, with the places its step needs.
pub(crate) fn tick_text(value: f64, step: f64, unit: Unit) -> String {
    let mut places = 0;
    let mut scaled = step;
    while places < 6 && (scaled - scaled.round()).abs() > 1e-9 * scaled.max(1.0) {
        scaled *= 10.0;
        places += 1;
    }
    let number = match places {
        0 => grouped(value.round() as i64),
        _ => format!("{value:.places$}"),
    };
    if unit == Unit::Dollars { format!("${number}") } else { number }
}

fn grouped(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", wording::grouped(value.unsigned_abs()))
}

/// The ticks of a time axis.
pub(crate) struct TimeAxis {
    /// What the numbers count: `s`, `min`, `h`, `d`.
    pub unit: &'static str,
    pub ticks: Vec<(Timestamp, String)>,
}

/// Picks the unit and the step that a person would: at most ten ticks.
pub(crate) fn time_axis(end: Timestamp) -> TimeAxis {
    // Unit, its milliseconds, and the steps that make sense in it. Ten minutes are still told in seconds.
    const UNITS: [(&str, u64, &[u64]); 4] = [
        ("s", 1000, &[1, 2, 5, 10, 20, 30, 60]),
        ("min", 60_000, &[1, 2, 5, 10, 15, 20]),
        ("h", 3_600_000, &[1, 2, 3, 4, 6, 8, 12]),
        ("d", 86_400_000, &[1, 2, 5, 7, 14, 28, 91, 365]),
    ];
    for (unit, size, steps) in UNITS {
        let fits = |step: &&u64| end.as_millis() <= 10 * size * **step;
        if let Some(step) = steps.iter().find(fits) {
            return TimeAxis { unit, ticks: time_ticks(end, size, *step) };
        }
    }
    // More than ten years: ten equal parts in whole days.
    let days = end.as_millis() / 86_400_000;
    TimeAxis { unit: "d", ticks: time_ticks(end, 86_400_000, days.div_ceil(10)) }
}

fn time_ticks(end: Timestamp, size: u64, step: u64) -> Vec<(Timestamp, String)> {
    let count = end.as_millis() / (size * step);
    let tick = |index: u64| (Timestamp(index * step * size), wording::grouped(index * step));
    (0..=count).map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let check = |end: f64, unit: Unit, expected: &[&str]| {
            let step = step(end, 5.0, unit);
            let texts: Vec<String> =
                ticks(end, step).into_iter().map(|value| tick_text(value, step, unit)).collect();
            assert_eq!(texts, expected, "{end}");
        };
        check(16.5, Unit::Cores, &["0", "5", "10", "15"]);
        check(1.0, Unit::Cores, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(1.0, Unit::Pieces, &["0", "1"]);
        check(0.0448, Unit::Dollars, &["$0.00", "$0.01", "$0.02", "$0.03", "$0.04"]);
        check(12_000.0, Unit::Pieces, &["0", "5,000", "10,000"]);
    }

    #[test]
    fn ticks_may_begin_anywhere() {
        let texts = |start: f64, end: f64| -> Vec<String> {
            let step = step(end - start, 4.0, Unit::Amount);
            ticks_between(start, end, step)
                .into_iter()
                .map(|value| tick_text(value, step, Unit::Amount))
                .collect()
        };
        assert_eq!(texts(94.2, 99.9), ["96", "98"]);
        assert_eq!(texts(-3.0, 5.0), ["−2", "0", "2", "4"]);
        assert_eq!(texts(0.0, 0.4), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
    }

    #[test]
    fn time_has_the_unit_a_person_would_choose() {
        let check = |seconds: u64, unit: &str, last: &str, count: usize| {
            let axis = time_axis(Timestamp(seconds * 1000));
            assert_eq!((axis.unit, axis.ticks.len()), (unit, count), "{seconds} s");
            assert_eq!(axis.ticks.last().unwrap().1, last, "{seconds} s");
        };
        check(0, "s", "0", 1);
        check(300, "s", "300", 11);
        check(600, "s", "600", 11);
        check(1_800, "min", "30", 7);
        check(86_400, "h", "24", 9);
        check(30 * 86_400, "d", "30", 7);
        check(40_000 * 86_400, "d", "40,000", 11);
    }

    #[test]
    fn coordinates_are_short() {
        for (value, text) in [(0.0, "0"), (1.04, "1"), (1.05, "1.1"), (-0.26, "-0.3"), (120.5, "120.5")] {
            assert_eq!(coordinate(value), text);
        }
    }
}
