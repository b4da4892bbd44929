//! An agent: a name, when it decides, what it may touch, and the strategy it decides with.

use crate::strategy::Strategy;
use model::action::Action;
use model::names::{AgentName, ClusterName};
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// When an agent decides. It decides on the first observation that arrives at or after its due time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cadence {
    pub every: Period,
    /// When it decides for the first time.
    pub first_at: Timestamp,
}

/// What an agent may touch. Empty means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub clusters: BTreeSet<ClusterName>,
    pub namespaces: BTreeSet<String>,
}

impl Scope {
    pub fn allows(&self, action: &Action) -> bool {
        let clusters =
            self.clusters.is_empty() || action.clusters().iter().all(|name| self.clusters.contains(*name));
        let namespaces = self.namespaces.is_empty()
            || action.workload().is_none_or(|workload| self.namespaces.contains(workload.namespace()));
        clusters && namespaces
    }
}

/// Something that recommends. It can never approve.
pub struct Agent {
    pub name: AgentName,
    pub cadence: Cadence,
    /// How far back the history goes that its strategy sees.
    pub lookback: Period,
    pub scope: Scope,
    pub strategy: Box<dyn Strategy>,
}
