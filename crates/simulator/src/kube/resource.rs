//! Resource amounts as integers: CPU in thousandths of a core, everything else in whole units.

use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

pub const CPU: &str = "cpu";
pub const MEMORY: &str = "memory";
pub const EPHEMERAL_STORAGE: &str = "ephemeral-storage";
pub const PODS: &str = "pods";
pub const HUGE_PAGES_PREFIX: &str = "hugepages-";

/// Amounts by resource name. A name that is present with 0 differs from one that is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceList(pub BTreeMap<String, i64>);

/// An amount that is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{resource}: \"{text}\" is not a quantity")]
pub struct ResourceListError {
    pub resource: String,
    pub text: String,
}

impl ResourceList {
    pub fn get(&self, name: &str) -> Option<i64> {
        self.0.get(name).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds every amount of `other`.
    pub fn add(&mut self, other: &Self) {
        for (name, amount) in &other.0 {
            *self.0.entry(name.clone()).or_insert(0) += amount;
        }
    }

    /// Raises every amount to at least that of `other`.
    pub fn raise(&mut self, other: &Self) {
        for (name, &amount) in &other.0 {
            let entry = self.0.entry(name.clone()).or_insert(amount);
            *entry = amount.max(*entry);
        }
    }
}

impl<'a> FromIterator<(&'a str, i64)> for ResourceList {
    fn from_iter<I: IntoIterator<Item = (&'a str, i64)>>(amounts: I) -> Self {
        Self(amounts.into_iter().map(|(name, amount)| (name.to_owned(), amount)).collect())
    }
}

impl<'de> Deserialize<'de> for ResourceList {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Text(String),
            Integer(i64),
            Real(f64),
        }
        let written = Option::<BTreeMap<String, Written>>::deserialize(source)?.unwrap_or_default();
        let amounts = written.into_iter().map(|(name, amount)| {
            let text = match amount {
                Written::Text(text) => text,
                Written::Integer(number) => number.to_string(),
                Written::Real(number) => number.to_string(),
            };
            parse_amount(&name, &text).map(|amount| (name, amount))
        });
        amounts.collect::<Result<_, _>>().map(Self).map_err(de::Error::custom)
    }
}

/// Reads the quantity `text` of `resource`, rounding up: CPU to thousandths, everything else to units.
pub fn parse_amount(resource: &str, text: &str) -> Result<i64, ResourceListError> {
    let scale = if resource == CPU { 1000 } else { 1 };
    quantity(text, scale)
        .ok_or_else(|| ResourceListError { resource: resource.to_owned(), text: text.to_owned() })
}

fn quantity(text: &str, scale: i128) -> Option<i64> {
    let split =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-'))).unwrap_or(text.len());
    let (number, suffix) = text.split_at(split);
    let (numerator, denominator) = multiplier(suffix)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let negative = whole.starts_with('-');
    let digits = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let value = digits.parse::<i128>().ok()?.checked_mul(numerator)?.checked_mul(scale)?;
    let divisor = denominator.checked_mul(10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?)?;
    let rounded = value / divisor + i128::from(value % divisor != 0);
    i64::try_from(if negative { -rounded } else { rounded }).ok()
}

fn multiplier(suffix: &str) -> Option<(i128, i128)> {
    let decimal = |exponent: u32| 10_i128.pow(exponent);
    Some(match suffix {
        "n" => (1, decimal(9)),
        "u" => (1, decimal(6)),
        "m" => (1, decimal(3)),
        "" => (1, 1),
        "k" => (decimal(3), 1),
        "M" => (decimal(6), 1),
        "G" => (decimal(9), 1),
        "T" => (decimal(12), 1),
        "P" => (decimal(15), 1),
        "E" => (decimal(18), 1),
        "Ki" => (1 << 10, 1),
        "Mi" => (1 << 20, 1),
        "Gi" => (1 << 30, 1),
        "Ti" => (1 << 40, 1),
        "Pi" => (1 << 50, 1),
        "Ei" => (1 << 60, 1),
        _ => return scientific(suffix),
    })
}

fn scientific(suffix: &str) -> Option<(i128, i128)> {
    let exponent = suffix.strip_prefix(['e', 'E'])?.parse::<i32>().ok()?;
    let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
    Some(if exponent < 0 { (1, power) } else { (power, 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_round_up_to_their_unit() {
        let rows = [
            (CPU, "1", Some(1000)),
            (CPU, "100m", Some(100)),
            (CPU, "1500u", Some(2)),
            (CPU, "4k", Some(4_000_000)),
            (MEMORY, "200Mi", Some(209_715_200)),
            (MEMORY, "1.5Gi", Some(1_610_612_736)),
            (MEMORY, "1500m", Some(2)),
            (MEMORY, "1e3", Some(1000)),
            (MEMORY, "-5", Some(-5)),
            (MEMORY, "5 apples", None),
            (MEMORY, "", None),
        ];
        for (resource, text, want) in rows {
            assert_eq!(parse_amount(resource, text).ok(), want, "{resource} {text}");
        }
    }
}
