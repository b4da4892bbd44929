//! What asking models took, as a summary tells it.

use super::rounded;
use crate::models::Account;
use control::question::{Failure, FaultKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The questions of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelMeters {
    /// Those that ask for a better answer included.
    pub questions: u64,
    pub repairs: u64,
    pub calls: u64,
    pub failed_calls: u64,
    /// The same by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<Failure, u64>,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    #[serde(serialize_with = "rounded")]
    pub cost_usd: f64,
    #[serde(serialize_with = "rounded")]
    pub seconds_mean: f64,
    #[serde(serialize_with = "rounded")]
    pub seconds_max: f64,
    /// Decisions in which another strategy took the place of models.
    pub fallbacks: u64,
    /// What was wrong with answers, mended or not, by kind.
    pub faults: BTreeMap<FaultKind, u64>,
}

impl ModelMeters {
    /// Nothing if nobody was asked.
    pub fn of(account: &Account) -> Option<Self> {
        (!account.is_empty()).then(|| Self {
            questions: account.questions,
            repairs: account.repairs,
            calls: account.calls,
            failed_calls: account.failed_calls.values().sum(),
            failures: account.failed_calls.clone(),
            prompt_tokens: account.prompt_tokens,
            completion_tokens: account.completion_tokens,
            cost_usd: account.cost.as_dollars_float(),
            seconds_mean: account.took.as_seconds_float() / account.calls.max(1) as f64,
            seconds_max: account.longest.as_seconds_float(),
            fallbacks: account.fallbacks,
            faults: account.faults.clone(),
        })
    }
}
