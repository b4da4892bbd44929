//! Faults as a person writes them.

use crate::scenario::Delay;
use model::ratio::Ratio;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that goes wrong. Exactly one of `at`, `every` and `per_hour` says when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawFault {
    /// What goes wrong.
    pub fault: RawFaultKind,
    /// It begins at this moment, once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Period>,
    /// It begins again this long after it ended, `1h` or anything between two bounds: `1h..3h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Delay>,
    /// It begins at random, this often per hour on average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_hour: Option<Ratio>,
    /// How long it lasts.
    #[serde(rename = "for")]
    pub lasts: Delay,
}

/// Everything that can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawFaultKind {
    /// Nodes stop at once and come back empty.
    NodeCrash {
        cluster: String,
        /// Any pool, if none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pool: Option<String>,
        /// How many nodes of it.
        #[serde(default = "one")]
        #[schemars(range(min = 1, max = 100_000))]
        nodes: u32,
    },
    /// The cluster cannot be reached by the federation.
    Partition {
        cluster: String,
        /// Whether the clients of services cannot reach it either.
        #[serde(default)]
        clients: bool,
    },
    /// Orders to the cluster take longer, or fail.
    Api {
        cluster: String,
        /// How much longer an order takes.
        #[serde(default = "no_delay")]
        delay: Delay,
        /// The share of orders that fail.
        #[serde(default)]
        #[schemars(extend("maximum" = 1))]
        fails: Ratio,
    },
    /// Nothing is measured in the cluster.
    LostMetrics { cluster: String },
    /// A model that is asked answers later by `delay`, or never without it.
    Model {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delay: Option<Delay>,
    },
    /// Nobody reviews.
    Reviewer {},
}

const fn one() -> u32 {
    1
}

const fn no_delay() -> Delay {
    Delay::exactly(Period::from_millis(0))
}
