//! A vertical autoscaler as a person writes it.

use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Recommends what a pod should request, from what it used. It changes nothing by itself: its update mode is `Off`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawVertical {
    /// The least that is recommended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_allowed: Option<RawAllowed>,
    /// The most that is recommended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_allowed: Option<RawAllowed>,
    /// The target is more than was used in this share of the time; 0.9 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 1))]
    pub target_percentile: Option<Ratio>,
    /// The same for the lower bound; 0.5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 1))]
    pub lower_percentile: Option<Ratio>,
    /// The same for the upper bound; 0.95 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 1))]
    pub upper_percentile: Option<Ratio>,
    /// What is recommended beyond what was used, as a share of it; 0.15 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = 10))]
    pub margin: Option<Ratio>,
    /// After this long a sample counts half; 24h by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_life: Option<Period>,
}

/// Amounts of one pod; what is not said is not bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawAllowed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<MilliCpu>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
}
