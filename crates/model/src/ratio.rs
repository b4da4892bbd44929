//! Shares of a whole in integer parts per million, so that limits compare exactly and print the same everywhere.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

const PARTS: u64 = 1_000_000;

/// A non-negative share; `1` is the whole, values above one are allowed (requested over capacity).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ratio(u64);

impl Ratio {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(PARTS);

    /// `part / whole`, rounded down; an empty whole with something in it counts as completely full.
    pub fn of(part: u64, whole: u64) -> Self {
        if whole == 0 {
            return if part == 0 { Self::ZERO } else { Self::ONE };
        }
        let parts = u128::from(part) * u128::from(PARTS) / u128::from(whole);
        Self(u64::try_from(parts).unwrap_or(u64::MAX))
    }

    pub const fn from_parts_per_million(parts: u64) -> Self {
        Self(parts)
    }

    pub const fn from_percent(percent: u64) -> Self {
        Self(percent * (PARTS / 100))
    }

    pub const fn parts_per_million(self) -> u64 {
        self.0
    }

    /// This share of `whole`, rounded down.
    pub fn share_of(self, whole: u64) -> u64 {
        let share = u128::from(whole) * u128::from(self.0) / u128::from(PARTS);
        u64::try_from(share).unwrap_or(u64::MAX)
    }

    pub fn as_f64(self) -> f64 {
        self.0 as f64 / PARTS as f64
    }

    /// The nearest share for a finite, non-negative number.
    pub fn from_f64(value: f64) -> Option<Self> {
        let parts = value * PARTS as f64;
        // 2^53 is where whole numbers stop being exact in f64.
        (0.0..9_007_199_254_740_992.0).contains(&parts).then(|| Self(parts.round() as u64))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{} %", self.0 / 10_000, self.0 % 10_000 / 1_000)
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::from_f64(value).ok_or_else(|| {
            serde::de::Error::custom(format!("{value} is not a share; write a number such as 0.8"))
        })
    }
}

impl schemars::JsonSchema for Ratio {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ratio".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "number",
            "minimum": 0,
            "description": "A share: 0.8 is eighty per cent."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        assert_eq!(Ratio::of(61_000, 76_500).to_string(), "79.7 %");
        assert!(Ratio::of(8, 10) <= Ratio::from_percent(80));
        assert_eq!(Ratio::from_percent(80).share_of(76_500), 61_200);
        assert_eq!(Ratio::of(0, 0), Ratio::ZERO);
        assert_eq!(Ratio::of(1, 0), Ratio::ONE);
        assert_eq!(Ratio::from_f64(0.8), Some(Ratio::from_percent(80)));
        assert_eq!(Ratio::from_f64(f64::NAN), None);
        assert_eq!(Ratio::from_f64(-0.1), None);
    }

    #[test]
    fn text_form_survives_a_round_trip() {
        for parts in [0, 1, 123_456, 999_999, 1_000_000, 2_091_503] {
            let ratio = Ratio::from_parts_per_million(parts);
            let text = serde_json::to_string(&ratio).unwrap();
            assert_eq!(serde_json::from_str::<Ratio>(&text).unwrap(), ratio, "{text}");
        }
    }
}
