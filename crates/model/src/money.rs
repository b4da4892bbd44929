//! Money in millionths of a US dollar: exact integers, rounded once when a cost is worked out.

use crate::reading::{self, Problem, Proposal, ReadError, split_digits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

/// Decimal places that are kept.
const PLACES: usize = 6;
const MICRO_DOLLARS_PER_DOLLAR: i64 = 1_000_000;
const MILLISECONDS_PER_HOUR: u128 = 3_600_000;

/// An amount of money in millionths of a US dollar, written in dollars: `0.2688`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroDollars(pub i64);

impl MicroDollars {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// The sum, or nothing if it does not fit.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or nothing if it does not fit.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The sum, at most the largest amount there is.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, at least the smallest amount there is.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The amount in dollars, for statistics.
    pub fn as_dollars_float(self) -> f64 {
        self.0 as f64 / MICRO_DOLLARS_PER_DOLLAR as f64
    }
}

/// What `node_milliseconds` of use cost at a price per hour, rounded half up once. Add up the time, not the costs, and
/// no rounding piles up.
///
/// ```
/// use model::money::{MicroDollars, cost_of};
/// let price: MicroDollars = "0.2688".parse()?;
/// assert_eq!(cost_of(price, 90 * 60 * 1000).to_string(), "0.4032");
/// # Ok::<(), model::reading::ReadError>(())
/// ```
pub fn cost_of(price_per_hour: MicroDollars, node_milliseconds: u128) -> MicroDollars {
    let price = i128::from(price_per_hour.0);
    let hours = i128::try_from(node_milliseconds / MILLISECONDS_PER_HOUR)
        .expect("2^128 ms are less than 2^127 hours");
    let rest = (node_milliseconds % MILLISECONDS_PER_HOUR) as i128;
    let hour = MILLISECONDS_PER_HOUR as i128;
    // Whole hours cost a whole number of micro-dollars, so only the rest of an hour is rounded.
    let part = (price * rest + hour / 2).div_euclid(hour);
    let total = price.saturating_mul(hours).saturating_add(part);
    let clamped = total.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    MicroDollars(i64::try_from(clamped).expect("clamped to the range"))
}

impl Sum for MicroDollars {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for MicroDollars {
    /// Dollars with as many decimal places as are needed.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let unit = MICRO_DOLLARS_PER_DOLLAR.unsigned_abs();
        let (dollars, micros) = (self.0.unsigned_abs() / unit, self.0.unsigned_abs() % unit);
        let text = format!("{sign}{dollars}.{micros:06}");
        out.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for MicroDollars {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        read_money(text)
            .map(Self)
            .map_err(|problem| ReadError::new("money", text, problem).with_proposals(money_proposals(text)))
    }
}

fn read_money(text: &str) -> Result<i64, Problem> {
    reading::refuse_junk(text)?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = split_digits(unsigned);
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), split_digits);
    if whole.is_empty() && fraction.is_empty() {
        return Err(Problem::NoNumber);
    }
    if !rest.is_empty() {
        return Err(Problem::Malformed(reading::shown(rest)));
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > PLACES {
        return Err(Problem::TooFine("one millionth of a dollar"));
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    format!("{sign}{whole}{fraction:0<PLACES$}").parse().map_err(|_| Problem::TooLarge)
}

/// The bare number, if only a currency or white space is in the way.
fn money_proposals(text: &str) -> Vec<Proposal> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let bare = bare.trim_start_matches('$').trim_end_matches('$');
    let bare = bare.strip_prefix("USD").or(bare.strip_suffix("USD")).unwrap_or(bare);
    let readable = read_money(bare).is_ok();
    readable.then(|| Proposal { text: bare.to_owned(), note: None }).into_iter().collect()
}

impl Serialize for MicroDollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MicroDollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        reading::deserialize_text(deserializer, "an amount of US dollars such as `0.2688`", str::parse)
    }
}

impl JsonSchema for MicroDollars {
    fn schema_name() -> Cow<'static, str> {
        "MicroDollars".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An amount of US dollars with at most six decimal places: 0.2688.",
            "type": ["string", "number"],
            "pattern": r"^[+-]?([0-9]+(\.[0-9]{0,6}0*)?|\.[0-9]{1,6}0*)$",
            "x-drover-parse": "money",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_and_printed_exactly() {
        let check = |text: &str, micros: i64, canonical: &str| {
            assert_eq!(text.parse(), Ok(MicroDollars(micros)), "{text}");
            assert_eq!(MicroDollars(micros).to_string(), canonical, "{text}");
            assert_eq!(canonical.parse(), Ok(MicroDollars(micros)), "{text}");
        };
        check("0.2688", 268_800, "0.2688");
        check("12", 12_000_000, "12");
        check("100.0", 100_000_000, "100");
        check("+.5", 500_000, "0.5");
        check("-0.000001", -1, "-0.000001");
        check("0.2500000000", 250_000, "0.25");
        check("-0", 0, "0");
        check("9223372036854.775807", i64::MAX, "9223372036854.775807");
        check("-9223372036854.775808", i64::MIN, "-9223372036854.775808");
    }

    #[test]
    fn refused_money_says_why_and_proposes() {
        let check = |text: &str, want: &str| {
            assert_eq!(text.parse::<MicroDollars>().expect_err(text).to_string(), want);
        };
        check("", "money ``: is empty");
        check(".", "money `.`: does not start with a number");
        check("$0.27", "money `$0.27`: does not start with a number; did you mean `0.27`?");
        check("0.27 USD", "money `0.27 USD`: contains white space; did you mean `0.27`?");
        check("inf", "money `inf`: is not a finite number");
        check("0.0000001", "money `0.0000001`: is finer than one millionth of a dollar");
        check("1e3", "money `1e3`: cannot be understood from `e3` on");
        check("9223372036854.775808", "money `9223372036854.775808`: is too large");
    }

    #[test]
    fn money_travels_as_text_and_is_read_from_numbers() {
        assert_eq!(serde_json::to_string(&MicroDollars(268_800)).unwrap(), "\"0.2688\"");
        for text in ["\"0.2688\"", "0.2688"] {
            assert_eq!(serde_json::from_str::<MicroDollars>(text).unwrap(), MicroDollars(268_800), "{text}");
        }
        assert_eq!(serde_json::from_str::<MicroDollars>("3").unwrap(), MicroDollars(3_000_000));
    }

    #[test]
    fn a_cost_is_rounded_half_up_once() {
        let check = |price: i64, milliseconds: u128, want: i64| {
            assert_eq!(
                cost_of(MicroDollars(price), milliseconds),
                MicroDollars(want),
                "{price} × {milliseconds}"
            );
        };
        check(268_800, 3_600_000, 268_800);
        check(268_800, 0, 0);
        check(1, 1_799_999, 0);
        check(1, 1_800_000, 1);
        check(-1, 1_800_000, 0);
        check(-1, 1_800_001, -1);
        check(3, 3_600_000 * 1_000_000_007 + 600_000, 3_000_000_022);
        check(i64::MAX, u128::MAX, i64::MAX);
        check(i64::MIN, u128::MAX, i64::MIN);
    }
}
