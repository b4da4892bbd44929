//! Who decides, who reviews, and what nobody may do: the part of the file about control.

use crate::scenario::Spread;
use control::guardrails::Owner;
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawGuardrails {
    /// Whether the limits are enforced on every action.
    pub enforce_limits: bool,
    /// Observations older than this are not acted on.
    pub max_snapshot_age: Period,
    /// A workload that moved stays at least this long.
    pub cool_down: Period,
    /// Relocations per hour over the whole federation.
    pub moves_per_hour: Option<u32>,
    /// Times in which nothing is relocated.
    pub freezes: Vec<RawFreeze>,
    /// Whose say may be overridden; otherwise a plan against them is refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub despite: Vec<RawOwner>,
}

/// Somebody else who has a say about a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawOwner {
    /// An autoscaler that sets the replicas.
    Autoscaler,
    /// A tool that brings back what is written in a repository, such as Argo CD or Flux.
    Repository,
    /// A disruption budget that allows no disruption now.
    Budget,
}

impl From<RawOwner> for Owner {
    fn from(raw: RawOwner) -> Self {
        match raw {
            RawOwner::Autoscaler => Self::Autoscaler,
            RawOwner::Repository => Self::Repository,
            RawOwner::Budget => Self::Budget,
        }
    }
}

impl Default for RawGuardrails {
    fn default() -> Self {
        Self {
            enforce_limits: true,
            max_snapshot_age: Period::from_secs(90),
            cool_down: Period::from_minutes(10),
            moves_per_hour: None,
            freezes: Vec::new(),
            despite: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawFreeze {
    pub from: Period,
    pub until: Period,
    #[serde(default)]
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawReview {
    pub mode: RawReviewMode,
    pub expiry: RawExpiry,
    /// How long an unanswered recommendation lives when it has a lifetime of its own.
    pub expires_after: Period,
}

impl Default for RawReview {
    fn default() -> Self {
        Self {
            mode: RawReviewMode::Simulated,
            expiry: RawExpiry::Lifetime,
            expires_after: Period::from_minutes(10),
        }
    }
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawReviewMode {
    /// A granted rule approves everything the guardrails let through.
    Auto,
    /// The simulated reviewer answers after a while.
    Simulated,
    /// Nobody answers: everything expires.
    Hold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawExpiry {
    /// Each item has its own lifetime; an identical plan keeps its place.
    Lifetime,
    /// A new batch ends what is unreviewed.
    NextBatch,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawReviewer {
    /// How long the reviewer takes for one answer.
    pub delay: Spread,
    /// The share of recommendations that are rejected.
    #[schemars(extend("maximum" = 1))]
    pub rejects: Ratio,
    /// The share of recommendations that are never answered.
    #[schemars(extend("maximum" = 1))]
    pub ignores: Ratio,
}

impl Default for RawReviewer {
    fn default() -> Self {
        let delay = Spread::between(Period::from_secs(5), Period::from_secs(15));
        Self { delay, rejects: Ratio::ZERO, ignores: Ratio::ZERO }
    }
}

/// Somebody who recommends.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawAgent<D> {
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// When it decides.
    #[serde(default)]
    pub when: RawTrigger,
    /// What it sees.
    #[serde(default)]
    pub observe: RawAgentView,
    /// How it decides.
    pub decide: D,
    /// What it may touch; everything by default.
    #[serde(default)]
    pub scope: RawScope,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawTrigger {
    pub every: Period,
    /// When it decides for the first time; after one full period by default.
    pub first_at: Option<Period>,
}

impl Default for RawTrigger {
    fn default() -> Self {
        Self { every: Period::from_secs(60), first_at: None }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawAgentView {
    /// How far back its history goes.
    pub lookback: Period,
}

impl Default for RawAgentView {
    fn default() -> Self {
        Self { lookback: Period::from_minutes(10) }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawScope {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
}
