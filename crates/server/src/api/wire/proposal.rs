//! Plans as agents and people send them, and what became of each.

use crate::api::problem::Problem;
use model::action::{Action, Spot};
use model::names::{ClusterName, NameError, NodeName, PoolName, WorkloadRef};
use model::recommendation::{Alternative, Evidence};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What would be done, with the state it starts from.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ActionWish {
    /// Moves all replicas that a workload has in one cluster to another.
    Migrate {
        /// As `namespace/name`, a Deployment, or `kind/namespace/name`.
        workload: String,
        from: String,
        to: String,
        /// How many there are now.
        replicas: u32,
    },
    /// Moves a workload's pods within a cluster.
    Move { workload: String, cluster: String, from: SpotWish, to: SpotWish },
    /// Changes how many replicas a workload has in a cluster.
    Scale { workload: String, cluster: String, from: u32, to: u32 },
    /// Changes how many nodes a pool has.
    ResizePool { cluster: String, pool: String, from: u32, to: u32 },
    /// Leaves a workload where it is, on purpose.
    Hold { workload: String, cluster: String },
}

/// A place within a cluster: one of the two.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpotWish {
    pub node: Option<String>,
    pub pool: Option<String>,
}

/// A name that is none, and the field it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongName {
    pub field: &'static str,
    pub message: String,
}

fn named<T>(field: &'static str, read: Result<T, NameError>) -> Result<T, WrongName> {
    read.map_err(|error| WrongName { field, message: error.to_string() })
}

impl SpotWish {
    fn spot(&self, field: &'static str) -> Result<Spot, WrongName> {
        match (&self.node, &self.pool) {
            (Some(node), None) => Ok(Spot::Node(named(field, NodeName::new(node))?)),
            (None, Some(pool)) => Ok(Spot::Pool(named(field, PoolName::new(pool))?)),
            _ => Err(WrongName { field, message: "name either a node or a pool".to_owned() }),
        }
    }
}

impl ActionWish {
    pub fn action(&self) -> Result<Action, WrongName> {
        let workload = |text: &str| named("workload", text.parse::<WorkloadRef>());
        let cluster = |field, text: &str| named(field, ClusterName::new(text));
        Ok(match self {
            Self::Migrate { workload: name, from, to, replicas } => Action::Migrate {
                workload: workload(name)?,
                from: cluster("from", from)?,
                to: cluster("to", to)?,
                replicas: *replicas,
            },
            Self::Move { workload: name, cluster: place, from, to } => Action::Move {
                workload: workload(name)?,
                cluster: cluster("cluster", place)?,
                from: from.spot("from")?,
                to: to.spot("to")?,
            },
            Self::Scale { workload: name, cluster: place, from, to } => Action::Scale {
                workload: workload(name)?,
                cluster: cluster("cluster", place)?,
                from: *from,
                to: *to,
            },
            Self::ResizePool { cluster: place, pool, from, to } => Action::ResizePool {
                cluster: cluster("cluster", place)?,
                pool: named("pool", PoolName::new(pool))?,
                from: *from,
                to: *to,
            },
            Self::Hold { workload: name, cluster: place } => {
                Action::Hold { workload: workload(name)?, cluster: cluster("cluster", place)? }
            }
        })
    }
}

/// A fact that a plan rests on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceWish {
    /// What it is about: a cluster, a workload.
    pub subject: String,
    /// What was measured.
    pub signal: String,
    pub value: String,
    /// What it is measured against.
    pub limit: Option<String>,
}

/// Something else that was looked at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AlternativeWish {
    pub option: String,
    pub rejected_because: String,
}

impl From<EvidenceWish> for Evidence {
    fn from(wish: EvidenceWish) -> Self {
        let EvidenceWish { subject, signal, value, limit } = wish;
        Self { subject, signal, value, limit }
    }
}

impl From<AlternativeWish> for Alternative {
    fn from(wish: AlternativeWish) -> Self {
        let AlternativeWish { option, rejected_because } = wish;
        Self { option, rejected_because }
    }
}

/// What became of a proposal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProposalAnswer {
    /// The number that all recommendations of one agent's proposal share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<u64>,
    /// One for each draft, in their order.
    pub results: Vec<DraftResult>,
}

/// What became of one draft.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DraftResult {
    pub outcome: DraftOutcome,
    /// The recommendation that stands on the desk for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DraftOutcome {
    /// It waits for an answer.
    Accepted,
    /// The same waits already, and stays.
    Kept,
    Refused,
}
