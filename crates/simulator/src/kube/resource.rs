//! Resource amounts as integers: CPU in thousandths of a core, everything else in whole units.

use model::quantity::Quantity;
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
    let amount = text
        .parse::<Quantity>()
        .ok()
        .and_then(|quantity| if resource == CPU { quantity.milli_value() } else { quantity.value() });
    amount.ok_or_else(|| ResourceListError { resource: resource.to_owned(), text: text.to_owned() })
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
