//! What went wrong in the world, as plain data.

use super::rounded;
use model::names::ClusterName;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use simulator::faults::FaultKind;
use simulator::world::Mishap;

/// One time that something went wrong. A summary has them in the order in which they began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    pub kind: FaultKind,
    /// None if it happened to people or models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterName>,
    #[serde(serialize_with = "rounded")]
    pub from_s: f64,
    /// Its end, or the end of the run.
    #[serde(serialize_with = "rounded")]
    pub to_s: f64,
    /// Whether it ended before the run did.
    pub ended: bool,
    /// Whether clients could not reach the cluster either.
    pub clients: bool,
    pub hit: Hit,
}

/// Whom a fault hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Nodes that stopped.
    pub nodes: u64,
    /// Pods that were on them.
    pub pods: u64,
    /// Changes whose orders had to wait, took longer or got lost.
    pub orders: u64,
    /// Measurements of the cluster that did not arrive.
    pub measurements: u64,
    /// Recommendations that nobody looked at.
    pub reviews: u64,
    /// Questions that a model answered late, or not at all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub questions: u64,
}

impl From<&Mishap> for FaultRecord {
    fn from(mishap: &Mishap) -> Self {
        let seconds = |at: Timestamp| at.as_millis() as f64 / 1000.0;
        Self {
            kind: mishap.kind,
            cluster: mishap.cluster.clone(),
            from_s: seconds(mishap.from),
            to_s: seconds(mishap.until),
            ended: mishap.over,
            clients: mishap.clients,
            hit: Hit {
                nodes: mishap.nodes.len() as u64,
                pods: mishap.pods,
                orders: mishap.orders,
                measurements: mishap.scrapes,
                reviews: mishap.reviews,
                questions: mishap.questions,
            },
        }
    }
}

impl FaultRecord {
    pub fn from(&self) -> Timestamp {
        moment(self.from_s)
    }

    pub fn until(&self) -> Timestamp {
        moment(self.to_s)
    }
}

/// A summary has seconds with three decimal places at most: nothing is lost.
fn moment(seconds: f64) -> Timestamp {
    Timestamp((seconds * 1000.0).round() as u64)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
