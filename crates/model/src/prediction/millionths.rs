//! A measured or predicted number in whole millionths of its unit: equal numbers are equal bytes, negative ones included.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

const PARTS: i64 = 1_000_000;

/// Up to here dividing by a million and multiplying again, each rounded to 53 bits, is off by less than half of a
/// millionth, so that the text form is exact.
const MOST: i64 = 1 << 50;

/// A number of at most a thousand million units to both sides of zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millionths(i64);

impl Millionths {
    pub const ZERO: Self = Self(0);

    /// So many millionths; what is too large is cut off.
    pub const fn from_parts(parts: i64) -> Self {
        Self(if parts > MOST {
            MOST
        } else if parts < -MOST {
            -MOST
        } else {
            parts
        })
    }

    /// So many whole units.
    pub const fn whole(units: i64) -> Self {
        Self::from_parts(units.saturating_mul(PARTS))
    }

    /// The nearest millionth of a number; what is no number counts as zero, what is too large as the most.
    pub fn nearest(value: f64) -> Self {
        // A cast from float to integer is exactly this rule.
        Self::from_parts((value * PARTS as f64).round() as i64)
    }

    pub const fn parts(self) -> i64 {
        self.0
    }

    pub fn as_f64(self) -> f64 {
        self.0 as f64 / PARTS as f64
    }

    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::from_parts(self.0 + other.0)
    }

    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self::from_parts(self.0 - other.0)
    }

    /// Its distance from zero.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }
}

impl fmt::Display for Millionths {
    /// A decimal number with as many places as are needed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) =
            (self.0.unsigned_abs() / PARTS.unsigned_abs(), self.0.unsigned_abs() % PARTS.unsigned_abs());
        let text = format!("{sign}{whole}.{rest:06}");
        formatter.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// As a number in whole units: `12.5`.
impl Serialize for Millionths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % PARTS == 0 {
            return serializer.serialize_i64(self.0 / PARTS);
        }
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Millionths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if (value * PARTS as f64).abs() <= MOST as f64 {
            return Ok(Self::nearest(value));
        }
        Err(serde::de::Error::custom(format!("{value} is not a number that can be predicted")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_text_form_and_survive_it() {
        let check = |parts: i64, text: &str| {
            let number = Millionths::from_parts(parts);
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Millionths>(&json).unwrap(), number, "{json}");
            assert_eq!(serde_json::from_str::<Millionths>(text).unwrap(), number, "{text}");
            assert_eq!(number.to_string(), text);
        };
        check(0, "0");
        check(-3_500_000, "-3.5");
        check(1, "0.000001");
        check(12_000_000, "12");
        check(MOST, "1125899906.842624");
        check(-MOST, "-1125899906.842624");
        check(MOST - 1, "1125899906.842623");
    }

    #[test]
    fn hostile_numbers_do_no_harm() {
        assert_eq!(Millionths::nearest(f64::NAN), Millionths::ZERO);
        assert_eq!(Millionths::nearest(f64::INFINITY).parts(), MOST);
        assert_eq!(Millionths::whole(i64::MIN).parts(), -MOST);
        assert_eq!(Millionths::from_parts(MOST).plus(Millionths::from_parts(MOST)).parts(), MOST);
        for hostile in ["1e300", "\"1\"", "null", "-1125899907"] {
            assert!(serde_json::from_str::<Millionths>(hostile).is_err(), "{hostile}");
        }
    }

    #[test]
    fn arithmetic_is_that_of_whole_numbers() {
        let (two, five) = (Millionths::whole(2), Millionths::whole(5));
        assert_eq!(two.minus(five), Millionths::whole(-3));
        assert_eq!(two.minus(five).abs().plus(two), five);
    }
}
