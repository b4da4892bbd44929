//! Namespaces and disruption budgets.

use super::{LabelSelector, ObjectMeta, Timestamp};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Namespace {
    pub metadata: ObjectMeta,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodDisruptionBudget {
    pub metadata: ObjectMeta,
    pub spec: PodDisruptionBudgetSpec,
    pub status: PodDisruptionBudgetStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodDisruptionBudgetSpec {
    pub selector: Option<LabelSelector>,
    pub min_available: Option<IntOrPercent>,
    pub max_unavailable: Option<IntOrPercent>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodDisruptionBudgetStatus {
    pub disruptions_allowed: i32,
    /// Pods whose eviction was granted but not yet seen; they no longer count against the budget.
    #[serde(deserialize_with = "super::nullable")]
    pub disrupted_pods: BTreeMap<String, Timestamp>,
}

/// A number of pods, or a percentage of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOrPercent {
    Count(i32),
    Percent(i32),
}

impl<'de> Deserialize<'de> for IntOrPercent {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(i32),
            Text(String),
        }
        let text = match Written::deserialize(source)? {
            Written::Number(count) => return Ok(Self::Count(count)),
            Written::Text(text) => text,
        };
        let parsed = match text.strip_suffix('%') {
            Some(digits) => digits.parse().map(Self::Percent),
            None => text.parse().map(Self::Count),
        };
        parsed.map_err(|_| de::Error::custom(format!("\"{text}\" is neither a number nor a percentage")))
    }
}
