//! A length of time that is drawn anew each time: a delay, or a distribution for what is mostly short and sometimes long.

use super::delay::Delay;
use crate::normal::{Truncated, below, quantile};
use crate::randomness::Stream;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Nothing takes longer than a simulation can last, however long the tail of its distribution is.
const LONGEST: Period = Period::from_hours(24 * 366);

/// How many deviations above the median of a normal distribution 95 of 100 values end.
const P95_DEVIATIONS: f64 = 1.644_853_626_951_472_2;

/// A period such as 45s, a range such as 30s..60s, or a distribution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Spread {
    Delay(Delay),
    /// Shared, because most have none and there may be a million workloads.
    Drawn(Arc<Distribution>),
}

/// What a length of time is drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Distribution {
    LogNormal(LogNormal),
    Normal(Normal),
    Empirical(Empirical),
}

/// Log-normal: half of the values lie below the median, 95 of 100 below `p95`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogNormal {
    pub median: Period,
    pub p95: Period,
}

/// Normal, without the values outside of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Normal {
    /// The mean before values are left out.
    pub mean: Period,
    /// The standard deviation before values are left out.
    pub deviation: Period,
    /// Nothing is shorter; 0s by default.
    #[serde(default)]
    pub least: Period,
    /// Nothing is longer; a year by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<Period>,
}

/// What was measured elsewhere: each value is as likely as any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Empirical {
    #[schemars(length(min = 1, max = 10_000))]
    pub samples: Vec<Period>,
}

/// Below which key something is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpreadFault {
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) proposal: String,
}

impl Spread {
    pub const fn exactly(period: Period) -> Self {
        Self::Delay(Delay::exactly(period))
    }

    pub const fn between(least: Period, most: Period) -> Self {
        Self::Delay(Delay::between(least, most))
    }

    /// The median: what a planner should expect.
    pub fn typical(&self) -> Period {
        match self {
            Self::Delay(delay) => delay.typical(),
            Self::Drawn(distribution) => distribution.value(0.5),
        }
    }

    /// One draw; no number is taken from the stream for a delay of one length.
    pub fn draw(&self, stream: &mut Stream) -> Period {
        match self {
            Self::Delay(delay) => delay.draw(stream),
            Self::Drawn(distribution) => distribution.value(stream.unit()),
        }
    }

    /// Whether every draw is the same.
    pub fn is_certain(&self) -> bool {
        matches!(self, Self::Delay(delay) if delay.least() == delay.most())
    }

    /// How long something takes altogether that has lasted for `already` and is not over yet: one draw from those that
    /// are longer.
    pub fn draw_beyond(&self, already: Period, stream: &mut Stream) -> Period {
        let drawn = match self {
            Self::Delay(delay) if already < delay.least() => delay.draw(stream),
            Self::Delay(delay) => Delay::between(already.min(delay.most()), delay.most()).draw(stream),
            Self::Drawn(distribution) => {
                let over = distribution.share_below(already);
                distribution.value(over + (1.0 - over) * stream.unit())
            }
        };
        drawn.max(already)
    }

    pub(super) fn fault(&self) -> Option<SpreadFault> {
        match self {
            Self::Delay(_) => None,
            Self::Drawn(distribution) => distribution.fault(),
        }
    }
}

impl From<Delay> for Spread {
    fn from(delay: Delay) -> Self {
        Self::Delay(delay)
    }
}

impl Distribution {
    /// The value that is undercut with this probability, in whole milliseconds.
    fn value(&self, probability: f64) -> Period {
        match self {
            Self::LogNormal(law) => law.value(probability),
            Self::Normal(law) => law.value(probability),
            Self::Empirical(law) => law.value(probability),
        }
    }

    /// The share of values that are not longer than this.
    fn share_below(&self, length: Period) -> f64 {
        match self {
            Self::LogNormal(law) => law.share_below(length),
            Self::Normal(law) => law.truncated().share_below(milliseconds(length)),
            Self::Empirical(law) => law.share_below(length),
        }
    }

    fn fault(&self) -> Option<SpreadFault> {
        match self {
            Self::LogNormal(law) => law.fault(),
            Self::Normal(law) => law.fault(),
            Self::Empirical(_) => None,
        }
    }
}

impl LogNormal {
    /// Of the logarithm.
    fn deviation(self) -> f64 {
        let (median, p95) = (milliseconds(self.median), milliseconds(self.p95));
        libm::log(p95 / median.max(1.0)).max(0.0) / P95_DEVIATIONS
    }

    fn value(self, probability: f64) -> Period {
        period(milliseconds(self.median) * libm::exp(self.deviation() * quantile(probability)))
    }

    fn share_below(self, length: Period) -> f64 {
        let deviation = self.deviation();
        if length.is_zero() || deviation <= 0.0 {
            return if length < self.median { 0.0 } else { 1.0 };
        }
        below(libm::log(milliseconds(length) / milliseconds(self.median).max(1.0)) / deviation)
    }

    fn fault(self) -> Option<SpreadFault> {
        let Self { median, p95 } = self;
        if median.is_zero() {
            let message = "a median of no length leaves no room for a distribution".to_owned();
            return Some(SpreadFault {
                key: "median",
                message,
                proposal: "write for instance 45s".to_owned(),
            });
        }
        (p95 < median).then(|| SpreadFault {
            key: "p95",
            message: format!("95 of 100 values cannot lie below {p95} when half of them are above {median}"),
            proposal: format!("write median: {p95}, p95: {median}"),
        })
    }
}

impl Normal {
    fn truncated(self) -> Truncated {
        let most = self.most.unwrap_or(LONGEST).max(self.least);
        let [mean, deviation, least, most] = [self.mean, self.deviation, self.least, most].map(milliseconds);
        Truncated::new(mean, deviation, least, most)
    }

    fn value(self, probability: f64) -> Period {
        period(self.truncated().value(probability))
    }

    fn fault(self) -> Option<SpreadFault> {
        let most = self.most.unwrap_or(LONGEST);
        if self.least > most {
            let least = self.least;
            let message = format!("the shortest, {least}, is longer than the longest, {most}");
            let proposal = format!("write least: {most}, most: {least}");
            return Some(SpreadFault { key: "least", message, proposal });
        }
        let outside = self.mean < self.least || self.mean > most;
        outside.then(|| SpreadFault {
            key: "mean",
            message: format!("the mean of {} does not lie within {} and {most}", self.mean, self.least),
            proposal: "move the mean or the bounds".to_owned(),
        })
    }
}

impl Empirical {
    /// Every sample has the same share of the probability; their median is the lower of two in the middle.
    fn value(&self, probability: f64) -> Period {
        let mut sorted = self.samples.clone();
        sorted.sort_unstable();
        let index = libm::ceil(probability * sorted.len() as f64) as usize;
        sorted.get(index.saturating_sub(1)).copied().unwrap_or(Period::ZERO)
    }

    fn share_below(&self, length: Period) -> f64 {
        let passed = self.samples.iter().filter(|sample| **sample <= length).count();
        passed as f64 / self.samples.len().max(1) as f64
    }
}

fn milliseconds(period: Period) -> f64 {
    period.as_millis() as f64
}

fn period(milliseconds: f64) -> Period {
    Period::from_millis(milliseconds.round() as u64).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::Randomness;
    use serde_json::{Value, json};

    fn spread(value: Value) -> Spread {
        serde_json::from_value(value).unwrap()
    }

    fn draws(spread: &Spread) -> Vec<u64> {
        let mut stream = Randomness::new(5).stream("spread");
        let mut draws: Vec<u64> = (0..10_000).map(|_| spread.draw(&mut stream).as_millis()).collect();
        draws.sort_unstable();
        draws
    }

    fn near(got: u64, want: u64) {
        assert!(got.abs_diff(want) * 100 <= want * 3, "{got} is not within 3 % of {want}");
    }

    #[test]
    fn delays_draw_the_numbers_they_always_drew() {
        for text in ["5s", "5s..15s"] {
            let (delay, spread): (Delay, Spread) = (text.parse().unwrap(), spread(json!(text)));
            let (mut one, mut other) =
                (Randomness::new(1).stream("boots"), Randomness::new(1).stream("boots"));
            for _ in 0..100 {
                assert_eq!(delay.draw(&mut one), spread.draw(&mut other));
            }
            assert_eq!(spread.typical(), delay.typical());
            assert_eq!(serde_json::to_value(&spread).unwrap(), json!(text));
        }
    }

    #[test]
    fn a_log_normal_has_its_median_and_its_percentile() {
        let spread = spread(json!({ "median": "45s", "p95": "2m" }));
        let draws = draws(&spread);
        near(draws[5_000], 45_000);
        near(draws[9_500], 120_000);
        assert!(draws[9_999] > 200_000, "the tail is long: {}", draws[9_999]);
        assert_eq!(spread.typical(), Period::from_secs(45));
    }

    #[test]
    fn a_normal_has_its_mean_and_keeps_its_bounds() {
        let wide = spread(json!({ "mean": "50s", "deviation": "10s", "least": "20s" }));
        let values = draws(&wide);
        near(values.iter().sum::<u64>() / 10_000, 50_000);
        near(values[8_413], 60_000);
        assert!(values[0] >= 20_000);
        let narrow = spread(json!({ "mean": "50s", "deviation": "1h", "least": "40s", "most": "60s" }));
        let values = draws(&narrow);
        assert!(values[0] >= 40_000 && values[9_999] <= 60_000);
        near(values[2_500], 45_000);
        assert_eq!(narrow.typical().as_millis().div_ceil(1_000), 50);
    }

    #[test]
    fn samples_are_drawn_alike() {
        let spread = spread(json!({ "samples": ["90s", "30s", "40s"] }));
        let draws = draws(&spread);
        for sample in [30_000, 40_000, 90_000] {
            let count = draws.iter().filter(|draw| **draw == sample).count();
            assert!((3_150..3_520).contains(&count), "{sample}: {count}");
        }
        assert_eq!(spread.typical(), Period::from_secs(40));
    }

    #[test]
    fn what_has_lasted_goes_on_like_the_draws_that_lasted_as_long() {
        for value in [
            json!("30s..90s"),
            json!({ "median": "45s", "p95": "2m" }),
            json!({ "mean": "50s", "deviation": "20s", "least": "20s" }),
            json!({ "mean": "10s", "deviation": "30s", "least": "40s", "most": "100s" }),
            json!({ "samples": ["90s", "30s", "70s", "61s"] }),
        ] {
            let spread = spread(value.clone());
            let mut stream = Randomness::new(9).stream("beyond");
            for already in [0, 10_000, 60_000] {
                let longer: Vec<u64> = draws(&spread).into_iter().filter(|draw| *draw > already).collect();
                let beyond: Vec<u64> = (0..10_000)
                    .map(|_| spread.draw_beyond(Period(already), &mut stream).as_millis())
                    .collect();
                let mean = |draws: &[u64]| draws.iter().sum::<u64>() / draws.len() as u64;
                near(mean(&beyond), mean(&longer));
                assert!(beyond.iter().all(|draw| *draw >= already), "{value}");
            }
            assert!(!spread.is_certain());
            assert_eq!(spread.draw_beyond(LONGEST, &mut stream), LONGEST, "{value}");
        }
        let exact = spread(json!("5s"));
        assert!(exact.is_certain());
        let mut stream = Randomness::new(9).stream("beyond");
        assert_eq!(exact.draw_beyond(Period(2_000), &mut stream), Period(5_000));
        assert_eq!(exact.draw_beyond(Period(7_000), &mut stream), Period(7_000));
    }

    #[test]
    fn no_tail_reaches_beyond_a_year() {
        let spread = spread(json!({ "median": "1s", "p95": "8000h" }));
        assert_eq!(draws(&spread)[9_999], LONGEST.as_millis());
    }

    #[test]
    fn what_contradicts_itself_is_a_fault() {
        for (value, key) in [
            (json!({ "median": "0s", "p95": "2m" }), "median"),
            (json!({ "median": "2m", "p95": "45s" }), "p95"),
            (json!({ "mean": "5s", "deviation": "1s", "least": "9s", "most": "8s" }), "least"),
            (json!({ "mean": "5s", "deviation": "1s", "least": "9s" }), "mean"),
        ] {
            assert_eq!(spread(value).fault().map(|fault| fault.key), Some(key));
        }
    }
}
