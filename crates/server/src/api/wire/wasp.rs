//! What WASP's engine is answered, in the way of its own services.

use schemars::JsonSchema;
use serde::Serialize;

/// What became of a list. The engine looks at the status alone; people and programs that look further learn the rest.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WaspAnswer {
    /// success.
    pub status: String,
    pub message: String,
    /// The number that all recommendations of this list share.
    pub batch: u64,
    pub accepted: Vec<WaspResult>,
    /// Those that waited already.
    pub kept: Vec<WaspResult>,
    pub refused: Vec<WaspResult>,
    /// Entries that want nothing changed.
    pub staying: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WaspResult {
    /// `deployment/namespace/name`.
    pub workload: String,
    /// The recommendation that stands on the desk for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}
