//! CPU and memory as plain integers, read and printed as Kubernetes quantities.

use super::{Format, MILLI, Quantity, parse, split};
use crate::reading::{self, Problem, Proposal, ReadError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

/// What a string must look like to be read; finer rules (an upper limit) are the reader's.
const PATTERN: &str = r"^\+?([0-9]+\.?[0-9]*|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$";

/// Suffixes that do not exist, lower case, with those they may stand for and what tells these apart.
type Repair = (&'static [&'static str], &'static [(&'static str, Option<&'static str>)]);

/// Suffixes people write for memory.
const MEMORY_REPAIRS: [Repair; 9] = [
    (&["b", "byte", "bytes"], &[("", Some("bytes"))]),
    (&["k", "kb"], &[("k", Some("decimal")), ("Ki", Some("binary"))]),
    (&["m", "mb"], &[("M", Some("decimal")), ("Mi", Some("binary"))]),
    (&["g", "gb"], &[("G", Some("decimal")), ("Gi", Some("binary"))]),
    (&["t", "tb"], &[("T", Some("decimal")), ("Ti", Some("binary"))]),
    (&["ki", "kib"], &[("Ki", None)]),
    (&["mi", "mib"], &[("Mi", None)]),
    (&["gi", "gib"], &[("Gi", None)]),
    (&["ti", "tib"], &[("Ti", None)]),
];

/// The same for CPU.
const CPU_REPAIRS: [Repair; 2] = [
    (&["c", "cpu", "cpus", "core", "cores", "vcpu", "vcpus"], &[("", None)]),
    (
        &["mc", "mcpu", "mcpus", "mcore", "mcores", "milli", "millicpu", "millicore", "millicores"],
        &[("m", None)],
    ),
];

/// CPU in thousandths of a core: `350m` is 350, `8` is 8000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MilliCpu(pub u64);

/// Memory or storage in bytes: `562Mi`, `16Gi`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// What the two amounts differ in.
struct Kind {
    subject: &'static str,
    /// The power of ten of one unit.
    unit: i32,
    /// Set if a part of a unit is refused and not rounded up.
    smallest: Option<&'static str>,
    repairs: &'static [Repair],
}

const CPU: Kind = Kind { subject: "cpu", unit: MILLI, smallest: None, repairs: &CPU_REPAIRS };

// Memory below one byte is always the slip `512m` for `512Mi`; Kubernetes warns about it, a scenario refuses it.
const MEMORY: Kind =
    Kind { subject: "memory", unit: 0, smallest: Some("one byte"), repairs: &MEMORY_REPAIRS };

impl Kind {
    fn read(&self, text: &str) -> Result<u64, ReadError> {
        self.try_read(text).map_err(|problem| {
            ReadError::new(self.subject, text, problem).with_proposals(self.proposals(text))
        })
    }

    fn try_read(&self, text: &str) -> Result<u64, Problem> {
        reading::refuse_junk(text)?;
        let quantity = parse::parse(text, false)?;
        if !split(text).has_digits() {
            return Err(Problem::NoNumber);
        }
        let units = self.units(&quantity)?;
        match self.smallest {
            Some(smallest) if units == 1 && quantity < Quantity::new(1, self.unit, Format::DecimalSi) => {
                Err(Problem::BelowSmallest(smallest))
            }
            _ => Ok(units),
        }
    }

    fn units(&self, quantity: &Quantity) -> Result<u64, Problem> {
        if quantity.mantissa() < 0 {
            return Err(Problem::Negative);
        }
        let units = quantity.wide_scaled_value(self.unit).and_then(|units| u64::try_from(units).ok());
        units.ok_or(Problem::TooLarge)
    }

    fn convert(&self, quantity: &Quantity) -> Result<u64, ReadError> {
        self.units(quantity).map_err(|problem| ReadError::new(self.subject, &quantity.to_string(), problem))
    }

    /// Texts close to `text` that can be read.
    fn proposals(&self, text: &str) -> Vec<Proposal> {
        let dense: String =
            text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && *c != '_').collect();
        let tidy = if dense.matches(',').count() == 1 { dense.replace(',', ".") } else { dense };
        let parts = split(&tidy);
        let written = parts.suffix.to_lowercase();
        let meant = self.repairs.iter().find(|(slips, _)| slips.contains(&written.as_str()));
        let repaired = meant
            .into_iter()
            .flat_map(|(_, meant)| meant.iter())
            .map(|(suffix, note)| Proposal { text: format!("{}{suffix}", parts.number), note: *note });
        let as_is = Proposal { text: tidy.clone(), note: None };
        let all: Vec<_> = if self.try_read(&tidy).is_ok() { vec![as_is] } else { repaired.collect() };
        all.into_iter().filter(|proposal| self.try_read(&proposal.text).is_ok()).collect()
    }
}

/// What an integer amount can do, written once for both.
macro_rules! amount {
    ($name:ident, $kind:expr, $format:expr, $about:literal, $expecting:literal) => {
        impl $name {
            /// Nothing.
            pub const ZERO: Self = Self(0);

            /// The sum, or nothing if it does not fit.
            pub fn checked_add(self, other: Self) -> Option<Self> {
                self.0.checked_add(other.0).map(Self)
            }

            /// The difference, or nothing if the other is larger.
            pub fn checked_sub(self, other: Self) -> Option<Self> {
                self.0.checked_sub(other.0).map(Self)
            }

            /// The sum, at most the largest amount there is.
            #[must_use]
            pub fn saturating_add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }

            /// The difference, zero if the other is larger.
            #[must_use]
            pub fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// The product, at most the largest amount there is.
            #[must_use]
            pub fn saturating_mul(self, factor: u64) -> Self {
                Self(self.0.saturating_mul(factor))
            }

            /// Whether there is nothing.
            pub fn is_zero(self) -> bool {
                self.0 == 0
            }
        }

        impl From<$name> for Quantity {
            fn from(amount: $name) -> Self {
                Self::new(i128::from(amount.0), $kind.unit, $format)
            }
        }

        impl TryFrom<&Quantity> for $name {
            type Error = ReadError;

            /// Rounds up to whole units, as Kubernetes does.
            fn try_from(quantity: &Quantity) -> Result<Self, ReadError> {
                $kind.convert(quantity).map(Self)
            }
        }

        impl FromStr for $name {
            type Err = ReadError;

            fn from_str(text: &str) -> Result<Self, ReadError> {
                $kind.read(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&Quantity::from(*self), out)
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
                amounts.fold(Self::ZERO, Self::saturating_add)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                reading::deserialize_text(deserializer, $expecting, str::parse)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": $about,
                    "type": ["string", "number"],
                    "pattern": PATTERN,
                    "minimum": 0,
                    "x-drover-parse": $kind.subject,
                })
            }
        }
    };
}

amount!(
    MilliCpu,
    CPU,
    Format::DecimalSi,
    "CPU as a Kubernetes quantity: cores (8, 0.5) or thousandths of a core (350m).",
    "an amount of CPU such as `8`, `0.5` or `350m`"
);
amount!(
    Bytes,
    MEMORY,
    Format::BinarySi,
    "Bytes as a Kubernetes quantity: 16Gi and 562Mi are binary, 16G and 562M decimal, a bare number is bytes.",
    "an amount of memory such as `562Mi` or `16Gi`"
);
