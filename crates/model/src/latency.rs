//! How long a message takes, in microseconds: a network within one room is faster than the millisecond of
//! [`crate::time::Period`], and published latencies have parts of a millisecond.

use crate::scale::{Scale, measure};
use serde::{Serialize, Serializer};

const LATENCY: Scale = Scale {
    subject: "latency",
    units: &[("ms", 1_000), ("us", 1), ("µs", 1), ("s", 1_000_000)],
    bare: None,
    smallest: "one microsecond",
    repairs: &[
        (&["", "msec", "msecs", "millis", "millisecond", "milliseconds"], "ms"),
        (&["us", "usec", "micros", "microseconds"], "us"),
        (&["sec", "secs", "second", "seconds"], "s"),
    ],
};

/// A delay in millionths of a second, written `30.9ms`, `250us`, `1s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Latency(pub u64);

measure!(
    Latency,
    LATENCY,
    "string",
    "A delay with its unit, down to a microsecond: 30.9ms, 250us, 1s.",
    "a latency such as `30.9ms`"
);

impl Serialize for Latency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Latency {
    /// So many milliseconds, at most the longest delay there is.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1_000))
    }

    /// The delay in milliseconds, for statistics.
    pub fn as_millis_float(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// The delay in seconds, for models.
    pub fn as_seconds_float(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_parts_of_a_millisecond() {
        let check = |text: &str, microseconds: u64, canonical: &str| {
            assert_eq!(text.parse(), Ok(Latency(microseconds)), "{text}");
            assert_eq!(Latency(microseconds).to_string(), canonical, "{text}");
        };
        check("30.9ms", 30_900, "30.9ms");
        check("250us", 250, "0.25ms");
        check("1s", 1_000_000, "1000ms");
        check("0ms", 0, "0ms");
    }

    #[test]
    fn a_latency_needs_its_unit() {
        let refused = |text: &str| text.parse::<Latency>().expect_err(text).to_string();
        assert_eq!(refused("14"), "latency `14`: has no unit; did you mean `14ms`?");
        assert_eq!(refused("3 msec"), "latency `3 msec`: contains white space; did you mean `3ms`?");
        assert_eq!(refused("0.5us"), "latency `0.5us`: is finer than one microsecond");
    }
}
