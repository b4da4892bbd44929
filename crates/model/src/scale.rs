//! A decimal number with one unit, kept as a whole number of the smallest unit; what power, latency and carbon
//! intensity share. Lengths of time have units of their own in [`crate::time`].

use crate::reading::{self, Problem, Proposal, ReadError, split_digits};

/// What the measures differ in.
pub(crate) struct Scale {
    pub(crate) subject: &'static str,
    /// Units and how many of the smallest each holds; the first is the one that is printed.
    pub(crate) units: &'static [(&'static str, u64)],
    /// What a number without a unit counts in, where that is allowed.
    pub(crate) bare: Option<u64>,
    /// The smallest amount, for a message.
    pub(crate) smallest: &'static str,
    /// What people write, lower case, and the unit it stands for.
    pub(crate) repairs: &'static [(&'static [&'static str], &'static str)],
}

impl Scale {
    pub(crate) fn read(&self, text: &str) -> Result<u64, ReadError> {
        self.try_read(text).map_err(|problem| {
            ReadError::new(self.subject, text, problem).with_proposals(self.proposals(text))
        })
    }

    fn try_read(&self, text: &str) -> Result<u64, Problem> {
        reading::refuse_junk(text)?;
        if text.starts_with('-') {
            return Err(Problem::Negative);
        }
        let (number, unit) = cut(text);
        if !number.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(Problem::NoNumber);
        }
        whole(number, self.size(unit)?, self.smallest)
    }

    fn size(&self, unit: &str) -> Result<u64, Problem> {
        if unit.is_empty() {
            return self.bare.ok_or(Problem::NoUnit);
        }
        if !unit.chars().all(char::is_alphabetic) {
            return Err(Problem::Malformed(reading::shown(unit)));
        }
        let known = self.units.iter().find(|(name, _)| *name == unit);
        known.map(|(_, size)| *size).ok_or_else(|| Problem::UnknownSuffix(reading::shown(unit)))
    }

    /// Texts close to `text` that can be read.
    fn proposals(&self, text: &str) -> Vec<Proposal> {
        let dense: String =
            text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && *c != '_').collect();
        let tidy = if dense.matches(',').count() == 1 { dense.replace(',', ".") } else { dense };
        let (number, unit) = cut(&tidy);
        let written = unit.to_lowercase();
        let meant = self.repairs.iter().find(|(slips, _)| slips.contains(&written.as_str()));
        let repaired = meant.map(|(_, unit)| format!("{number}{unit}"));
        let texts = if self.try_read(&tidy).is_ok() { Some(tidy.clone()) } else { repaired };
        let readable = texts.into_iter().filter(|text| self.try_read(text).is_ok());
        readable.map(|text| Proposal { text, note: None }).collect()
    }

    /// In the first unit, with as many decimal places as are needed.
    pub(crate) fn print(&self, amount: u128) -> String {
        let (unit, size) = self.units.first().copied().unwrap_or(("", self.bare.unwrap_or(1)));
        format!("{}{unit}", decimal(amount, size))
    }
}

/// `amount / size` written out, for a size that is a power of ten.
pub(crate) fn decimal(amount: u128, size: u64) -> String {
    let (whole, rest) = (amount / u128::from(size), amount % u128::from(size));
    let places = size.ilog10() as usize;
    if rest == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{rest:0places$}").trim_end_matches('0').to_owned()
    }
}

/// The number at the front, and the rest.
fn cut(text: &str) -> (&str, &str) {
    let (whole, rest) = split_digits(text);
    let Some(after) = rest.strip_prefix('.') else { return (whole, rest) };
    let (fraction, _) = split_digits(after);
    text.split_at(whole.len() + 1 + fraction.len())
}

fn whole(number: &str, size: u64, smallest: &'static str) -> Result<u64, Problem> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| Problem::TooLarge)? };
    let fraction = fraction.trim_end_matches('0');
    // The largest size is 10^9, so a part with more digits than that is never a whole number.
    let places = u32::try_from(fraction.len()).ok().filter(|places| *places <= 9);
    let one = 10_u64.pow(places.ok_or(Problem::TooFine(smallest))?);
    let parts = u128::from(size) * u128::from(fraction.parse::<u64>().unwrap_or(0));
    if !parts.is_multiple_of(u128::from(one)) {
        return Err(Problem::TooFine(smallest));
    }
    let total = u128::from(whole) * u128::from(size) + parts / u128::from(one);
    u64::try_from(total).map_err(|_| Problem::TooLarge)
}

/// What a measure can do, written once for all of them.
macro_rules! measure {
    ($name:ident, $scale:expr, $kinds:expr, $about:literal, $expecting:literal) => {
        impl $name {
            /// Nothing.
            pub const ZERO: Self = Self(0);

            /// The sum, at most the largest amount there is.
            #[must_use]
            pub const fn saturating_add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }

            /// The difference, zero if the other is larger.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// Whether there is nothing.
            pub const fn is_zero(self) -> bool {
                self.0 == 0
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::reading::ReadError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $scale.read(text).map(Self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(&$scale.print(u128::from(self.0)))
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
                amounts.fold(Self::ZERO, Self::saturating_add)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::reading::deserialize_text(deserializer, $expecting, str::parse)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": $about,
                    "type": $kinds,
                    "x-drover-parse": $scale.subject,
                })
            }
        }
    };
}

pub(crate) use measure;
