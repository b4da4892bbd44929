//! Measuring as a person writes it. The doc comments are the descriptions in the published schema.

use super::TelemetrySpec;
use crate::scenario::Delay;
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How clusters are measured, and how late agents and autoscalers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawMetrics {
    /// The time between two scrapes.
    pub every: Period,
    /// From a scrape until it can be read, `1s` or anything between two bounds: `1s..30s`.
    pub lag: Delay,
    /// Values are averages over this long; the time between two scrapes by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Period>,
    /// The share of scrapes that are lost.
    #[schemars(extend("maximum" = 1))]
    pub loss: Ratio,
    /// Whether agents see every node; sums over clusters are always seen.
    pub nodes: bool,
}

impl Default for RawMetrics {
    /// What a usual metrics server does.
    fn default() -> Self {
        Self {
            every: Period::from_secs(15),
            lag: Delay::exactly(Period::from_secs(1)),
            window: None,
            loss: Ratio::ZERO,
            nodes: false,
        }
    }
}

impl RawMetrics {
    /// The checked form; `every` must not be zero.
    pub fn spec(&self) -> TelemetrySpec {
        let Self { every, lag, window, loss, nodes } = *self;
        TelemetrySpec { every, lag, window: window.unwrap_or(every), loss, nodes }
    }
}
