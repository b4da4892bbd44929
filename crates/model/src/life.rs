//! The life of one pod as it was seen from outside, from its making to its end.

use crate::names::{ClusterName, WorkloadRef};
use crate::resources::Resources;
use crate::time::Timestamp;

/// A pod that was seen; moments before the watching began are its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodLife {
    pub cluster: ClusterName,
    pub namespace: String,
    pub name: String,
    /// The Deployment or StatefulSet that made it; nothing for pods of jobs and pods of nobody.
    pub workload: Option<WorkloadRef>,
    /// What it requests; `pods` is 1.
    pub requests: Resources,
    pub priority: i32,
    pub arrived_at: Timestamp,
    /// When it got a node, and which.
    pub placed: Option<(Timestamp, String)>,
    pub ready_at: Option<Timestamp>,
    /// When it was told to stop, had done its work or was seen to be gone, whichever came first.
    pub ended_at: Option<Timestamp>,
    /// When it no longer took up its node.
    pub gone_at: Option<Timestamp>,
    /// Whether it had done its work.
    pub finished: bool,
}
