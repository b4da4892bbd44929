//! Those who recommend: how they decide, what became of it, and how well they predicted.

use super::access::ScopeItem;
use super::desk::TrackRecordItem;
use control::world::Explanation;
use lab::run::AgentHeader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// An agent in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentItem {
    pub name: String,
    /// Whether it decides inside the desk; others propose from outside.
    pub inside: bool,
    /// Inside: how it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Inside: how often, in milliseconds of the federation's own time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Whether somebody froze it, or everything.
    pub frozen: bool,
    /// Recommendations of this run by stage; stages without any are left out.
    pub recommendations: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track_record: Option<TrackRecordItem>,
}

/// An agent with everything that is known about it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentDetail {
    #[serde(flatten)]
    pub agent: AgentItem,
    /// Inside: the part of the federation that it may touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeItem>,
    /// Inside: how far back it sees, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookback: Option<u64>,
    /// Inside: its strategy with all parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// What it decided last, newest first.
    pub decisions: Vec<DecisionItem>,
}

/// One decision, doing nothing included.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionItem {
    /// The entry of the record.
    pub seq: i64,
    pub at: i64,
    pub at_wall: i64,
    pub batch: u64,
    pub submitted: u32,
    /// Asked for what waited already.
    pub kept: u32,
    /// Why it did nothing, if it did nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// What the guardrails did not let through, and why.
    pub refused: Vec<RefusedItem>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RefusedItem {
    pub action: String,
    pub because: String,
}

impl AgentItem {
    pub fn new(name: &str, header: Option<&AgentHeader>) -> Self {
        Self {
            name: name.to_owned(),
            inside: header.is_some(),
            strategy: header.map(|header| header.decide.name().to_owned()),
            every: header.map(|header| header.cadence.every.as_millis()),
            frozen: false,
            recommendations: BTreeMap::new(),
            track_record: None,
        }
    }
}

impl DecisionItem {
    pub fn new((seq, at, at_wall): (i64, i64, i64), decision: &Explanation) -> Self {
        let refused = decision.refused.iter().map(|refused| RefusedItem {
            action: refused.draft.action.to_string(),
            because: lab::wording::refused(&refused.refusal),
        });
        Self {
            seq,
            at,
            at_wall,
            batch: decision.batch,
            submitted: decision.submitted,
            kept: decision.kept,
            held: decision.held.as_ref().map(lab::wording::held),
            refused: refused.collect(),
        }
    }
}
