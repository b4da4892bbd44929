//! What is kept: runs, snapshots, and what agents learned.

use crate::storage::JsonText;
use crate::storage::tables::models::Model;
use crate::storage::tables::runs::Run;
use crate::storage::tables::snapshots::Snapshot;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// One run of the loop.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunItem {
    pub id: String,
    /// simulated or real.
    pub kind: String,
    pub scenario: String,
    pub scenario_hash: String,
    pub seed: String,
    /// The version of the program that decided.
    pub build: String,
    /// running, ended or abandoned.
    pub status: String,
    pub started_wall: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_wall: Option<i64>,
    /// The last entry of the record that belongs to it.
    pub last_seq: i64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunPage {
    pub items: Vec<RunItem>,
    /// All of them, on whatever page.
    pub total: i64,
    /// To be given back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl From<Run> for RunItem {
    fn from(run: Run) -> Self {
        Self {
            id: run.id,
            kind: run.kind,
            scenario: run.scenario,
            scenario_hash: run.scenario_hash.to_string(),
            seed: run.seed,
            build: run.build,
            status: run.status,
            started_wall: run.started_wall_ms,
            ended_wall: run.ended_wall_ms,
            last_seq: run.last_seq,
        }
    }
}

fn parsed(text: &JsonText) -> Value {
    serde_json::from_str(text.as_str()).unwrap_or_default()
}

/// What the federation looked like at a moment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotItem {
    pub hash: String,
    pub run: String,
    pub taken_at: i64,
    pub stored_wall: i64,
    /// As agents see it.
    pub snapshot: Value,
}

impl From<Snapshot> for SnapshotItem {
    fn from(kept: Snapshot) -> Self {
        Self {
            hash: kept.hash.to_string(),
            snapshot: parsed(&kept.body),
            run: kept.run,
            taken_at: kept.taken_at_ms,
            stored_wall: kept.stored_wall_ms,
        }
    }
}

/// Something learned, without its bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelItem {
    /// The SHA-256 of its bytes.
    pub hash: String,
    pub name: String,
    pub kind: String,
    /// What it was trained on and how well it did.
    pub card: Value,
    /// In bytes.
    pub size: i64,
    pub created_by: String,
    pub created_wall: i64,
}

impl From<Model> for ModelItem {
    fn from(model: Model) -> Self {
        Self {
            hash: model.hash.to_string(),
            card: parsed(&model.card),
            name: model.name,
            kind: model.kind,
            size: model.size,
            created_by: model.created_by,
            created_wall: model.created_wall_ms,
        }
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelDetail {
    #[serde(flatten)]
    pub model: ModelItem,
    /// Its bytes as base64.
    pub content: String,
}
