//! How much can go wrong, computed by code from what an action touches; whoever proposed it has no say in it.

use crate::names::{ClusterName, WorkloadKind};
use crate::ratio::Ratio;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How much care an answer deserves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// One stateless workload, everything known, a way back.
    #[default]
    Low,
    /// Much moves at once, capacity is given up, or something is not known.
    Medium,
    /// It cannot be undone, touches state, or is large for the cluster.
    High,
}

impl Risk {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// The risk of one action and what raised it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    pub risk: Risk,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<RiskReason>,
}

impl Assessment {
    /// The highest of all reasons; none means low.
    pub fn of(because: Vec<RiskReason>) -> Self {
        let risk = because.iter().map(RiskReason::risk).max().unwrap_or_default();
        Self { risk, because }
    }
}

/// Something that raises the risk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum RiskReason {
    /// Its pods have identities and volumes that do not follow by themselves.
    Stateful { kind: WorkloadKind },
    /// It is stopped and begun anew elsewhere: work in progress is lost.
    Interrupts { kind: WorkloadKind },
    /// Other workloads may be preempted for it, or it for others.
    Priority { priority: i32 },
    /// So many replicas change at once.
    ManyReplicas { replicas: u32 },
    /// So large a share of what a cluster can hold.
    LargeShare { cluster: ClusterName, share: Ratio },
    /// Nothing is left running.
    ToZero,
    /// Capacity is given up.
    ScaleDown { from: u32, to: u32 },
    /// The target would be this full.
    FullTarget { cluster: ClusterName, load_after: Ratio },
    /// More pods would wait for a node than before.
    MorePending { before: u32, after: u32 },
    /// Fewer than all pods are ready now: something else is going on.
    NotReady { ready: u32, replicas: u32 },
    /// A part of the federation could not be observed.
    PartlyBlind,
}

impl RiskReason {
    /// How high it alone raises the risk.
    pub fn risk(&self) -> Risk {
        match self {
            Self::Stateful { .. } | Self::Interrupts { .. } | Self::ToZero => Risk::High,
            Self::LargeShare { share, .. } if *share >= Ratio::of(1, 2) => Risk::High,
            _ => Risk::Medium,
        }
    }
}

impl fmt::Display for RiskReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |ratio: &Ratio| format!("{:.0} %", ratio.as_f64() * 100.0);
        match self {
            Self::Stateful { kind } => write!(formatter, "a {} keeps state", kind.as_str()),
            Self::Interrupts { kind } => {
                write!(formatter, "a {} is interrupted and begins anew", kind.as_str())
            }
            Self::Priority { priority } => write!(formatter, "its priority is {priority}"),
            Self::ManyReplicas { replicas } => write!(formatter, "{replicas} replicas change at once"),
            Self::LargeShare { cluster, share } => {
                write!(formatter, "it is {} of what {cluster} can hold", percent(share))
            }
            Self::ToZero => formatter.write_str("nothing would be left running"),
            Self::ScaleDown { from, to } => {
                write!(formatter, "capacity is given up: {from} become {to}")
            }
            Self::FullTarget { cluster, load_after } => {
                write!(formatter, "{cluster} would be {} full", percent(load_after))
            }
            Self::MorePending { before, after } => {
                write!(formatter, "{after} pods would wait for a node, {before} do now")
            }
            Self::NotReady { ready, replicas } => {
                write!(formatter, "only {ready} of {replicas} replicas are ready now")
            }
            Self::PartlyBlind => formatter.write_str("a part of the federation could not be observed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_reason_decides() {
        assert_eq!(Assessment::of(Vec::new()).risk, Risk::Low);
        let several = vec![RiskReason::ManyReplicas { replicas: 12 }, RiskReason::ToZero];
        assert_eq!(Assessment::of(several).risk, Risk::High);
    }

    #[test]
    fn half_a_cluster_is_a_high_risk() {
        let share = |parts| {
            let cluster = ClusterName::new("a").unwrap();
            RiskReason::LargeShare { cluster, share: Ratio::of(parts, 100) }.risk()
        };
        assert_eq!((share(49), share(50)), (Risk::Medium, Risk::High));
    }
}
