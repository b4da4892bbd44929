//! The experiment file as a person writes it. Nothing here is trusted until [`super::spec`] has checked it. The doc comments are the
//! descriptions in the published schema.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use strategies::catalogue::StrategyConfig;

/// Scenarios, strategies and seeds to be compared.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawExperiment {
    /// The format of this file.
    pub drover: Format,
    /// A short name, used for folders and reports.
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// What this experiment is to find out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Scenario files, relative to this one.
    #[schemars(length(min = 1))]
    pub scenarios: Vec<String>,
    /// Who decides: names of strategies, or strategies with parameters.
    #[schemars(length(min = 1))]
    pub strategies: Vec<RawArm>,
    /// Which seeds: from 1..10, or a list.
    pub seeds: RawSeeds,
    /// The strategy that the others are compared with; the first by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Who answers recommendations; as the scenario says by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<RawReview>,
    /// What tables show; the usual metrics by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Keys of the scenarios with the values to try, all combinations: reviewer.delay or clusters[0].pools[0].nodes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grid: BTreeMap<String, Vec<Value>>,
    /// The file with recorded answers of models, relative to this one; without it, strategies that ask models need somebody to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cassette: Option<String>,
    /// Rows that others published, shown beside ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<RawPublished>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Format {
    #[serde(rename = "experiment/v1")]
    ExperimentV1,
}

/// A strategy to be tried.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawArm {
    /// With its default parameters.
    Name(String),
    Full(RawFullArm),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawFullArm {
    /// What it is called in tables; the strategy's name by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The strategy and its parameters.
    pub decide: StrategyConfig,
    /// Parameters with the values to try, all combinations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grid: BTreeMap<String, Vec<Value>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawSeeds {
    /// The first and the last: 1..10.
    Range(String),
    List(Vec<u64>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawReview {
    /// A granted rule approves what the guardrails let through.
    Auto,
    /// A simulated person answers after a while.
    Simulated,
    /// Nobody answers; everything expires.
    Hold,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPublished {
    /// The name of the scenario it belongs to.
    pub scenario: String,
    /// What it is called in tables.
    pub name: String,
    /// Where it was published.
    pub source: String,
    /// By metric.
    pub values: BTreeMap<String, f64>,
}
