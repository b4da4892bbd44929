//! Hard rules, enforced by code on every action whatever decided it: once before asking, once more before acting.

mod capacity;
mod conflict;
mod limits;
mod ownership;
mod pace;
mod permission;
mod precondition;

use crate::projection::Projection;
use model::action::Action;
use model::names::{AgentName, ClusterName, PoolName, ReviewerName, WorkloadRef};
use model::order::StandingFreeze;
use model::ratio::Ratio;
use model::recommendation::RecommendationId;
use model::snapshot::{PoolView, Snapshot};
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use ownership::sight;
pub use pace::MoveLog;

/// What the guardrails hold to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardrailConfig {
    /// A decision on older data is refused.
    pub max_snapshot_age: Period,
    /// No action may bring a cluster above this load; none means no such limit.
    pub max_load: Option<Ratio>,
    /// No action may bring a cluster above this share of pending pods; none means no such limit.
    pub max_pending: Option<Ratio>,
    /// A workload that moved stays at least this long.
    pub cool_down: Period,
    /// Relocations per hour over the whole federation; none means no such limit.
    pub moves_per_hour: Option<u32>,
    /// Times in which nothing is relocated.
    pub freezes: Vec<Freeze>,
    /// Whose say may be overridden: a person granted it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub despite: BTreeSet<Owner>,
}

/// Somebody besides us who has a say about a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Sets its number of replicas.
    Autoscaler,
    /// Brings back what is written in a repository.
    Repository,
    /// Says how many of its pods may be disrupted.
    Budget,
}

impl Owner {
    /// As the scenario writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Autoscaler => "autoscaler",
            Self::Repository => "repository",
            Self::Budget => "budget",
        }
    }
}

/// A time in which nothing is relocated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    pub from: Timestamp,
    pub until: Timestamp,
    pub reason: String,
}

/// Why an action is not allowed now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Refusal {
    /// The newest observation is too old to act on.
    StaleSnapshot {
        age: Period,
        limit: Period,
    },
    /// Nothing was observed yet.
    NothingObserved,
    /// A cluster it touches could not be observed.
    ClusterNotVisible {
        cluster: ClusterName,
    },
    /// The workload itself could not be observed.
    WorkloadNotVisible {
        workload: WorkloadRef,
    },
    UnknownCluster {
        cluster: ClusterName,
    },
    UnknownPool {
        cluster: ClusterName,
    },
    UnknownWorkload {
        workload: WorkloadRef,
    },
    /// It would change nothing.
    ChangesNothing,
    /// The world is not in the state the action starts from.
    PreconditionChanged {
        expected: String,
        found: String,
    },
    /// Its owner opted out of being moved.
    OptedOut {
        workload: WorkloadRef,
    },
    /// Somebody else sets its replicas and would undo what is set.
    ScaledByOther {
        workload: WorkloadRef,
        by: String,
    },
    /// A tool that follows a repository would bring back what is written there.
    OwnedByRepository {
        workload: WorkloadRef,
        mark: String,
    },
    /// Its budget allows no pod to be disrupted now.
    NoDisruptionAllowed {
        workload: WorkloadRef,
    },
    /// The agent may not touch it.
    OutOfScope,
    /// Another action on the same thing is approved, under way or earlier in the same batch.
    Conflict {
        with: Option<RecommendationId>,
    },
    /// Not all pods would find a node, together with all that is approved or under way.
    NoRoom {
        cluster: ClusterName,
        pods: u64,
        room: u64,
    },
    /// A pool would leave its bounds.
    OutsidePoolBounds {
        minimum: u32,
        maximum: u32,
        wanted: u32,
    },
    LoadLimit {
        cluster: ClusterName,
        load_after: Ratio,
        limit: Ratio,
    },
    PendingLimit {
        cluster: ClusterName,
        pending_after: Ratio,
        limit: Ratio,
    },
    CoolDown {
        workload: WorkloadRef,
        until: Timestamp,
    },
    TooManyMoves {
        in_last_hour: u32,
        limit: u32,
    },
    Frozen {
        /// Nothing: until somebody lifts it.
        until: Option<Timestamp>,
        reason: String,
    },
    /// A person said no to the same a short while ago.
    SaidNo {
        by: ReviewerName,
        until: Timestamp,
    },
    /// The desk holds as many open recommendations as it may.
    DeskFull {
        limit: u32,
    },
}

impl Refusal {
    /// Whether waiting may be enough: the same plan could be allowed later without anybody changing it.
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::StaleSnapshot { .. }
                | Self::NothingObserved
                | Self::ClusterNotVisible { .. }
                | Self::WorkloadNotVisible { .. }
                | Self::NoDisruptionAllowed { .. }
                | Self::Conflict { .. }
                | Self::CoolDown { .. }
                | Self::TooManyMoves { .. }
                | Self::Frozen { .. }
                | Self::SaidNo { .. }
                | Self::DeskFull { .. }
        )
    }
}

/// What a check may look at.
pub struct Ground<'a> {
    pub now: Timestamp,
    pub snapshot: &'a Snapshot,
    /// The federation after all that is approved, under way or accepted earlier in the same batch.
    pub before: &'a Projection,
    /// The same after the action in question.
    pub after: &'a Projection,
    /// Those actions themselves; without a number when still part of the batch.
    pub committed: &'a [(Option<RecommendationId>, Action)],
    pub moves: &'a MoveLog,
    /// What people froze.
    pub freezes: &'a [StandingFreeze],
    /// Who proposed the action in question.
    pub agent: &'a AgentName,
    /// Whether it takes back what was done: the rules against churn do not stand in the way of that.
    pub undoing: bool,
    pub config: &'a GuardrailConfig,
}

type Check = fn(&Ground<'_>, &Action) -> Result<(), Refusal>;

/// In this order, so that the first refusal is the most basic one: see, exist, permit, collide, pace, fit.
const CHECKS: [(&str, Check); 13] = [
    ("the data is fresh", precondition::fresh),
    ("everything it touches can be seen", precondition::visible),
    ("it changes something", precondition::changes_something),
    ("the world is in the state it starts from", precondition::still_true),
    ("the owner lets it be moved", permission::opted_in),
    ("nobody else would undo it", ownership::nobody_undoes),
    ("its budget allows disruptions", ownership::within_budget),
    ("nothing else acts on it", conflict::alone),
    ("nothing is frozen", pace::not_frozen),
    ("it has rested since its last move", pace::cooled_down),
    ("few enough moves in the last hour", pace::within_rate),
    ("all pods find a node", capacity::fits),
    ("load and pending limits hold", limits::hold),
];

/// The first rule that refuses the action, if one does.
pub fn check(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    CHECKS.iter().try_for_each(|(_, check)| check(ground, action))
}

/// What every rule says, for a person who decides.
pub fn all(ground: &Ground<'_>, action: &Action) -> Vec<Finding> {
    CHECKS
        .iter()
        .map(|(rule, check)| Finding { rule: (*rule).to_owned(), refusal: check(ground, action).err() })
        .collect()
}

/// What is known about a cluster. Each rule asks for itself: a person is shown what all of them say, also of what is gone by now.
fn known<'a, T>(
    ground: &Ground<'_>,
    clusters: &'a BTreeMap<ClusterName, T>,
    cluster: &ClusterName,
) -> Result<&'a T, Refusal> {
    clusters.get(cluster).ok_or_else(|| {
        let cluster = cluster.clone();
        match ground.snapshot.gap_of_cluster(&cluster) {
            Some(_) => Refusal::ClusterNotVisible { cluster },
            None => Refusal::UnknownCluster { cluster },
        }
    })
}

fn known_pool<'a>(
    ground: &'a Ground<'_>,
    cluster: &ClusterName,
    pool: &PoolName,
) -> Result<&'a PoolView, Refusal> {
    let pools = &known(ground, &ground.snapshot.clusters, cluster)?.pools;
    pools.get(pool).ok_or_else(|| Refusal::UnknownPool { cluster: cluster.clone() })
}

/// What one rule says about an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What should hold.
    pub rule: String,
    /// Why it does not; nothing if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}
