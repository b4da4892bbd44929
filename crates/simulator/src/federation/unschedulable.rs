//! Why a binding cannot be placed, with the numbers a person needs to see what is missing.

use super::placement::SpreadField;
use serde::Serialize;
use thiserror::Error;

/// How many replicas a cluster could take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Room {
    pub cluster: String,
    pub replicas: u64,
}

/// The reason nothing is placed. Upstream never places a part of a binding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Error)]
#[serde(tag = "reason", rename_all = "camelCase")]
pub enum Unschedulable {
    #[error("none of {clusters} clusters passes the filters")]
    NoClusterFits { clusters: usize },
    #[error("{found} groups by {field} are feasible, at least {wanted} are needed")]
    TooFewGroups { field: SpreadField, found: usize, wanted: u32 },
    #[error("no permitted combination of regions has {wanted} clusters")]
    TooFewClustersInRegions { wanted: u32 },
    #[error("no {clusters} clusters can take {wanted} replicas together{}", rooms(.available))]
    NoSelectionHasRoom { clusters: usize, wanted: u32, available: Vec<Room> },
    #[error("the spread constraints select no cluster")]
    NothingSelected,
    #[error("{wanted} replicas do not fit{}", rooms(.available))]
    NotEnoughRoom { wanted: u32, available: Vec<Room> },
}

impl Unschedulable {
    /// Whether the former result is withdrawn. Upstream does so only when no cluster passes the filters; in every
    /// other case the former result stays as it was.
    pub fn clears_former_result(&self) -> bool {
        matches!(self, Self::NoClusterFits { .. })
    }
}

fn rooms(available: &[Room]) -> String {
    let rooms: Vec<String> =
        available.iter().map(|room| format!("{} {}", room.cluster, room.replicas)).collect();
    if rooms.is_empty() { String::new() } else { format!(": {}", rooms.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_who_could_take_how_many() {
        let room = |cluster: &str, replicas| Room { cluster: cluster.to_owned(), replicas };
        let reason = Unschedulable::NotEnoughRoom { wanted: 9, available: vec![room("a", 2), room("b", 3)] };
        assert_eq!(reason.to_string(), "9 replicas do not fit: a 2, b 3");
        assert!(!reason.clears_former_result());
        assert!(Unschedulable::NoClusterFits { clusters: 3 }.clears_former_result());
    }
}
