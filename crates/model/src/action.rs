//! What can be done to the federation. An action is complete: whoever carries it out has no choice left.

use crate::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One change, with the state it starts from, so that it can be checked again and undone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Moves all replicas a workload has in one cluster to another.
    Migrate { workload: WorkloadRef, from: ClusterName, to: ClusterName, replicas: u32 },
    /// Moves a workload's pods within a cluster, from one node or pool to another.
    Move { workload: WorkloadRef, cluster: ClusterName, from: Spot, to: Spot },
    /// Changes how many replicas a workload has in one cluster.
    Scale { workload: WorkloadRef, cluster: ClusterName, from: u32, to: u32 },
    /// Changes how many nodes a pool has.
    ResizePool { cluster: ClusterName, pool: PoolName, from: u32, to: u32 },
    /// Leaves a workload where it is, on purpose: "we looked, and it should stay".
    Hold { workload: WorkloadRef, cluster: ClusterName },
}

/// A place within a cluster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    Node(NodeName),
    Pool(PoolName),
}

impl Action {
    /// The action that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = self.clone();
        match &mut inverse {
            Self::Migrate { from, to, .. } => std::mem::swap(from, to),
            Self::Move { from, to, .. } => std::mem::swap(from, to),
            Self::Scale { from, to, .. } | Self::ResizePool { from, to, .. } => std::mem::swap(from, to),
            Self::Hold { .. } => {}
        }
        inverse
    }

    /// The workload it changes, if it changes one.
    pub const fn workload(&self) -> Option<&WorkloadRef> {
        match self {
            Self::Migrate { workload, .. }
            | Self::Move { workload, .. }
            | Self::Scale { workload, .. }
            | Self::Hold { workload, .. } => Some(workload),
            Self::ResizePool { .. } => None,
        }
    }

    /// The clusters it touches, source first.
    pub fn clusters(&self) -> Vec<&ClusterName> {
        match self {
            Self::Migrate { from, to, .. } => vec![from, to],
            Self::Move { cluster, .. }
            | Self::Scale { cluster, .. }
            | Self::ResizePool { cluster, .. }
            | Self::Hold { cluster, .. } => vec![cluster],
        }
    }

    /// How many replicas it moves, adds or removes.
    pub const fn changed_replicas(&self) -> u32 {
        match self {
            Self::Migrate { replicas, .. } => *replicas,
            Self::Scale { from, to, .. } => from.abs_diff(*to),
            Self::Move { .. } | Self::ResizePool { .. } | Self::Hold { .. } => 0,
        }
    }

    /// Whether carrying it out would change nothing.
    pub fn is_idle(&self) -> bool {
        match self {
            Self::Migrate { from, to, replicas, .. } => from == to || *replicas == 0,
            Self::Move { from, to, .. } => from == to,
            Self::Scale { from, to, .. } | Self::ResizePool { from, to, .. } => from == to,
            Self::Hold { .. } => true,
        }
    }

    /// Whether two actions touch the same thing, so that only one of them may be under way.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::ResizePool { cluster, pool, .. },
                Self::ResizePool { cluster: other_cluster, pool: other_pool, .. },
            ) => cluster == other_cluster && pool == other_pool,
            (Self::Hold { .. }, _) | (_, Self::Hold { .. }) => false,
            _ => self.workload().is_some() && self.workload() == other.workload(),
        }
    }

    /// Whether a workload changes its place.
    pub const fn is_relocation(&self) -> bool {
        matches!(self, Self::Migrate { .. } | Self::Move { .. })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(name) => write!(formatter, "node {name}"),
            Self::Pool(name) => write!(formatter, "pool {name}"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Migrate { workload, from, to, replicas } => {
                write!(formatter, "migrate {workload} ({replicas} replicas) from {from} to {to}")
            }
            Self::Move { workload, cluster, from, to } => {
                write!(formatter, "move {workload} in {cluster} from {from} to {to}")
            }
            Self::Scale { workload, cluster, from, to } => {
                write!(formatter, "scale {workload} in {cluster} from {from} to {to}")
            }
            Self::ResizePool { cluster, pool, from, to } => {
                write!(formatter, "resize pool {pool} of {cluster} from {from} to {to} nodes")
            }
            Self::Hold { workload, cluster } => write!(formatter, "keep {workload} in {cluster}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<Action> {
        let workload: WorkloadRef = "default/web".parse().unwrap();
        let cluster = |name: &str| ClusterName::new(name).unwrap();
        let pool = |name: &str| Spot::Pool(PoolName::new(name).unwrap());
        vec![
            Action::Migrate { workload: workload.clone(), from: cluster("a"), to: cluster("b"), replicas: 2 },
            Action::Move {
                workload: workload.clone(),
                cluster: cluster("a"),
                from: pool("x"),
                to: pool("y"),
            },
            Action::Scale { workload: workload.clone(), cluster: cluster("a"), from: 1, to: 3 },
            Action::ResizePool { cluster: cluster("a"), pool: PoolName::new("x").unwrap(), from: 2, to: 5 },
            Action::Hold { workload, cluster: cluster("a") },
        ]
    }

    #[test]
    fn undoing_twice_is_the_action_itself() {
        for action in examples() {
            assert_eq!(action.inverse().inverse(), action);
            assert_eq!(action.is_idle(), matches!(action, Action::Hold { .. }));
        }
    }

    #[test]
    fn actions_survive_their_text_form() {
        for action in examples() {
            let text = serde_json::to_string(&action).unwrap();
            assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), action, "{text}");
        }
    }

    #[test]
    fn only_what_touches_the_same_thing_conflicts() {
        let all = examples();
        assert!(all[0].conflicts_with(&all[2]));
        assert!(!all[0].conflicts_with(&all[3]));
        assert!(all[3].conflicts_with(&all[3].inverse()));
        assert!(!all[4].conflicts_with(&all[0]));
    }
}
