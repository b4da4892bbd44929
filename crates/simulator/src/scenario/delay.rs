//! A length of time that may vary: `5s`, or anything between two bounds: `5s..15s`.

use model::document::Refusal;
use model::reading::ReadError;
use model::time::Period;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Uniform between two bounds, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    least: Period,
    most: Period,
}

/// Why a text is not a delay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DelayError {
    #[error("{0}")]
    Bound(ReadError),
    #[error("{least}..{most} runs backwards; did you mean {most}..{least}?")]
    Backwards { least: Period, most: Period },
}

impl Delay {
    pub const fn exactly(period: Period) -> Self {
        Self { least: period, most: period }
    }

    pub const fn between(least: Period, most: Period) -> Self {
        assert!(least.as_millis() <= most.as_millis(), "a delay runs forwards");
        Self { least, most }
    }

    pub const fn least(self) -> Period {
        self.least
    }

    pub const fn most(self) -> Period {
        self.most
    }

    /// The middle: what a planner should expect.
    pub const fn typical(self) -> Period {
        Period::from_millis(self.least.as_millis().midpoint(self.most.as_millis()))
    }

    /// One draw; no draw is made when both bounds are equal.
    pub fn draw(self, stream: &mut crate::randomness::Stream) -> Period {
        if self.least == self.most {
            return self.least;
        }
        Period::from_millis(stream.between(self.least.as_millis(), self.most.as_millis()))
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            return write!(formatter, "{}", self.least);
        }
        write!(formatter, "{}..{}", self.least, self.most)
    }
}

impl FromStr for Delay {
    type Err = DelayError;

    fn from_str(text: &str) -> Result<Self, DelayError> {
        let bound = |part: &str| part.trim().parse::<Period>().map_err(DelayError::Bound);
        let (least, most) = match text.split_once("..") {
            None => (bound(text)?, bound(text)?),
            Some((least, most)) => (bound(least)?, bound(most)?),
        };
        if least > most { Err(DelayError::Backwards { least, most }) } else { Ok(Self { least, most }) }
    }
}

impl From<DelayError> for Refusal {
    fn from(error: DelayError) -> Self {
        match error {
            DelayError::Bound(error) => Self::from(error),
            DelayError::Backwards { least, most } => {
                Self::new(format!("{least}..{most} runs backwards")).propose(format!("write {most}..{least}"))
            }
        }
    }
}

impl Serialize for Delay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Delay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Delay {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Delay".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "x-drover-parse": "delay",
            "description": "A length of time such as 5s, or a range such as 5s..15s from which one is drawn."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bound_or_two() {
        for text in ["5s", "5s..15s", "0s..1m"] {
            assert_eq!(text.parse::<Delay>().unwrap().to_string(), text);
        }
        for bad in ["", "..", "5s..", "15s..5s", "5"] {
            assert!(bad.parse::<Delay>().is_err(), "{bad}");
        }
        assert_eq!("5s..15s".parse::<Delay>().unwrap().typical(), Period::from_secs(10));
    }
}
