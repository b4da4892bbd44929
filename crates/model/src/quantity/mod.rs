//! Kubernetes quantities: the exact general [`Quantity`], and the two small integers [`MilliCpu`] and [`Bytes`] that
//! everything else counts in.

mod amount;
mod decimal;
mod parse;
mod print;

pub use amount::{Bytes, MilliCpu};
pub use parse::{Parts, split};

use crate::reading::{self, ReadError};
use decimal::Decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The finest power of ten a text can express; finer numbers are rounded up to it.
const NANO: i32 = -9;

/// The power of ten of one thousandth, in which CPU is counted.
const MILLI: i32 = -3;

/// How a quantity was written, and is therefore printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `12e6`.
    DecimalExponent,
    /// `12Mi`, that is 12 × 2^20.
    BinarySi,
    /// `12M`, that is 12 × 10^6.
    DecimalSi,
}

/// An exact number in the syntax Kubernetes uses for resources, for example `1500m`, `16Gi` or `12e6`.
///
/// Reading and printing follow Kubernetes, including what looks odd: a fraction finer than nano is rounded up, a value
/// with a binary suffix is cut at the largest 64-bit integer, and a short text without digits (`.`, `Mi`) is zero.
/// Two quantities are equal if their numbers are, however they are written.
///
/// Unlike Kubernetes, which keeps any number of digits, a quantity has at most 38 significant ones; more are refused.
///
/// ```
/// use model::quantity::Quantity;
/// let memory: Quantity = "1.5Gi".parse()?;
/// assert_eq!(memory.to_string(), "1536Mi");
/// assert_eq!(memory.value(), Some(1_610_612_736));
/// # Ok::<(), model::reading::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Quantity {
    amount: Decimal,
    format: Format,
    /// The text it was read from, where Kubernetes would repeat it.
    written: Option<Box<str>>,
}

impl Quantity {
    /// `mantissa × 10^exponent`.
    pub fn new(mantissa: i128, exponent: i32, format: Format) -> Self {
        Self::of(Decimal { mantissa, exponent }, format)
    }

    fn of(amount: Decimal, format: Format) -> Self {
        Self { amount, format, written: None }
    }

    /// How it is printed.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The integer that, times ten to the [`exponent`](Self::exponent), is the number.
    pub fn mantissa(&self) -> i128 {
        self.amount.mantissa
    }

    /// The power of ten of the [`mantissa`](Self::mantissa).
    pub fn exponent(&self) -> i32 {
        self.amount.exponent
    }

    /// The canonical text. [`Display`](fmt::Display) prints the same, except where Kubernetes repeats what was written.
    pub fn canonical(&self) -> String {
        print::canonical(self)
    }

    /// The number in units of `10^exponent`, rounded away from zero; nothing if it does not fit.
    pub fn scaled_value(&self, exponent: i32) -> Option<i64> {
        i64::try_from(self.wide_scaled_value(exponent)?).ok()
    }

    fn wide_scaled_value(&self, exponent: i32) -> Option<i128> {
        let (rounded, _) = self.amount.round_up(exponent);
        Some(rounded.at_exponent(exponent)?.mantissa)
    }

    /// The number rounded away from zero to an integer; nothing if it does not fit.
    pub fn value(&self) -> Option<i64> {
        self.scaled_value(0)
    }

    /// The number of thousandths, rounded away from zero; nothing if it does not fit.
    pub fn milli_value(&self) -> Option<i64> {
        self.scaled_value(MILLI)
    }

    /// Rounded away from zero to a multiple of `10^exponent`, and whether nothing was lost.
    #[must_use]
    pub fn round_up(&self, exponent: i32) -> (Self, bool) {
        if self.amount.exponent >= exponent {
            return (self.clone(), true);
        }
        let (amount, exact) = self.amount.round_up(exponent);
        (Self::of(amount, self.format), exact)
    }

    /// The sum. Zero takes over the other's format. Nothing if the sum has too many digits.
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        let format = if self.amount.mantissa == 0 { other.format } else { self.format };
        Some(Self::of(self.amount.checked_add(other.amount)?, format))
    }

    /// The difference. Zero takes over the other's format. Nothing if it has too many digits.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_add(&other.checked_neg()?)
    }

    /// The number with the opposite sign; nothing for the one mantissa (−2^127) that has no opposite.
    pub fn checked_neg(&self) -> Option<Self> {
        Some(Self::of(self.amount.checked_neg()?, self.format))
    }

    /// The product with an integer; nothing if it has too many digits.
    pub fn checked_mul(&self, factor: i64) -> Option<Self> {
        let mantissa = self.amount.mantissa.checked_mul(i128::from(factor))?;
        Some(Self::of(Decimal { mantissa, ..self.amount }, self.format))
    }

    /// The nearest float. Kubernetes' slow conversion rounds twice and misses it by one unit in rare cases.
    pub fn nearest_float(&self) -> f64 {
        float_from_text(&format!("{}e{}", self.amount.mantissa, self.amount.exponent))
    }

    /// A float that may be off in its last digit, with exactly the error Kubernetes makes: the mantissa times a rounded
    /// power of ten. Use it where upstream compares such floats. Above 10^29 the error may differ.
    pub fn approximate_float(&self) -> f64 {
        let mantissa = self.amount.mantissa as f64;
        if self.amount.exponent == 0 {
            mantissa
        } else {
            mantissa * rounded_power_of_ten(self.amount.exponent)
        }
    }
}

/// Go's `math.Pow10`, which multiplies or divides two rounded table entries 32 powers apart.
fn rounded_power_of_ten(exponent: i32) -> f64 {
    const LARGEST: i32 = 308;
    const SMALLEST: i32 = -323;
    let power = |steps: i32| float_from_text(&format!("1e{steps}"));
    match exponent {
        0..=LARGEST => power(exponent / 32 * 32) * power(exponent % 32),
        SMALLEST..0 => power(exponent / 32 * 32) / power(-exponent % 32),
        _ if exponent > LARGEST => f64::INFINITY,
        _ => 0.0,
    }
}

fn float_from_text(text: &str) -> f64 {
    text.parse().expect("an integer with an exponent is a float")
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.compare(other.amount)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.written {
            Some(written) => out.pad(written),
            None => out.pad(&self.canonical()),
        }
    }
}

impl FromStr for Quantity {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        parse::parse(text, true).map_err(|problem| ReadError::new("quantity", text, problem))
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    /// A string, white space around it allowed as in Kubernetes, or a number.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        reading::deserialize_text(deserializer, "a quantity such as `500m` or `16Gi`", |text| {
            text.trim().parse()
        })
    }
}

impl JsonSchema for Quantity {
    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number as a Kubernetes quantity: 100, 500m (thousandths), 12k, 16Gi, 12e6.",
            "type": ["string", "number"],
            "x-drover-parse": "quantity",
        })
    }
}

#[cfg(test)]
mod tests;
