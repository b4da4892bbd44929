//! Those who recommend: how they decide, what became of it, and how well they predicted.

use super::access::ScopeItem;
use super::desk::{TrackRecordItem, scope};
use super::questions::FaultItem;
use control::world::Explanation;
use lab::run::AgentHeader;
use model::order::{Mode, ModeSetting};
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
    /// How much of what is limited by the hour is used up now.
    pub budgets: Vec<BudgetItem>,
    /// What it decided last, newest first.
    pub decisions: Vec<DecisionItem>,
}

/// A number that may be used up within an hour of the federation's own time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetItem {
    /// moves_per_hour, the guardrail that counts everybody's moves; or grant, what may pass of this agent without a person.
    pub limit: BudgetWord,
    pub used: u32,
    pub most: u32,
    /// Of a grant: where it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Of a grant: when it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetWord {
    MovesPerHour,
    Grant,
}

impl BudgetItem {
    /// Moves of the whole federation, of which every agent takes its share.
    pub const fn moves(used: u32, most: u32) -> Self {
        Self { limit: BudgetWord::MovesPerHour, used, most, scope: None, name: None, until: None }
    }

    /// What somebody granted by the hour; nothing if the setting is no such grant.
    pub fn grant(setting: &ModeSetting, used: u32) -> Option<Self> {
        let Mode::Auto { limits } = &setting.mode else { return None };
        let (scope, name) = scope(&setting.scope);
        let until = limits.until.map(|until| until.0);
        Some(Self { limit: BudgetWord::Grant, used, most: limits.per_hour?, scope: Some(scope), name, until })
    }
}

/// One decision, doing nothing included.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionItem {
    /// The entry of the record.
    pub seq: i64,
    pub at: i64,
    pub at_wall: i64,
    /// The hash of the newest snapshot that it saw; the snapshot is kept as long as the desk keeps them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// The entry of the record that tells of that observation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_seq: Option<i64>,
    pub batch: u64,
    pub submitted: u32,
    /// Asked for what waited already.
    pub kept: u32,
    /// Why it did nothing, if it did nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// What the guardrails did not let through, and why.
    pub refused: Vec<RefusedItem>,
    /// What models said and the agent did not take over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disregarded: Vec<FaultItem>,
    /// Who decided because no model did, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<InsteadItem>,
}

/// Decisions, newest first, and where to go on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionPage {
    pub items: Vec<DecisionItem>,
    /// The record is searched a piece at a time: as long as there is one, older decisions may follow, even after none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Somebody who decided where a model could not.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InsteadItem {
    /// The name of a strategy, or votes.
    pub by: String,
    pub why: String,
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
            snapshot: None,
            snapshot_seq: None,
            batch: decision.batch,
            submitted: decision.submitted,
            kept: decision.kept,
            held: decision.held.as_ref().map(lab::wording::held),
            refused: refused.collect(),
            disregarded: decision.disregarded.iter().map(Into::into).collect(),
            instead: decision
                .instead
                .as_ref()
                .map(|instead| InsteadItem { by: instead.by.clone(), why: instead.why.clone() }),
        }
    }

    /// Whether it changed something or should have: most decisions are to leave everything as it is.
    pub fn is_telling(&self) -> bool {
        self.submitted > 0
            || self.instead.is_some()
            || !self.refused.is_empty()
            || !self.disregarded.is_empty()
    }
}
