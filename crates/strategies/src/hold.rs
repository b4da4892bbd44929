//! Never recommends anything: the federation as it is, the baseline every comparison needs.

use control::strategy::{Decision, HoldReason, Strategy, View};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoldConfig {}

/// The strategy that leaves everything alone.
pub struct Hold;

impl Strategy for Hold {
    fn memory(&self) -> Option<Value> {
        Some(Value::Null)
    }

    fn recall(&mut self, memory: Value) -> bool {
        memory.is_null()
    }

    fn decide(&mut self, _: &View<'_>) -> Decision {
        Decision::hold(HoldReason::Baseline)
    }
}
