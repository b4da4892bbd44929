//! What goes wrong, and when: a fault is something that begins and ends, by schedule or by rate, the same for every
//! strategy that is run with the same seed.
//!
//! This room only says when; what a fault does to the world is the world's business.

mod calendar;
pub mod raw;

pub(crate) use calendar::exponential;
pub use calendar::{Episode, episodes};

use crate::scenario::Delay;
use model::ratio::Ratio;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};

/// One kind of trouble and when it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSpec {
    pub fault: Fault,
    pub when: When,
    /// How long one episode lasts.
    pub lasts: Delay,
}

/// Everything that can go wrong, on one screen. Clusters and pools are named by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nodes stop at once, with everything on them, and come back empty when the episode ends.
    NodeCrash { cluster: usize, pool: Option<usize>, nodes: u32 },
    /// A cluster cannot be reached by the federation, and by its clients if `clients` says so.
    Partition { cluster: usize, clients: bool },
    /// Orders to a cluster take longer or fail.
    Api { cluster: usize, delay: Delay, fails: Ratio },
    /// Nothing is measured in a cluster.
    LostMetrics { cluster: usize },
    /// A model that is asked answers late, or never.
    Model { delay: Option<Delay> },
    /// Nobody reviews.
    Reviewer,
}

/// A fault without its particulars; the names are those of the scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    NodeCrash,
    Partition,
    Api,
    LostMetrics,
    Model,
    Reviewer,
}

impl Fault {
    pub const fn kind(&self) -> FaultKind {
        match self {
            Self::NodeCrash { .. } => FaultKind::NodeCrash,
            Self::Partition { .. } => FaultKind::Partition,
            Self::Api { .. } => FaultKind::Api,
            Self::LostMetrics { .. } => FaultKind::LostMetrics,
            Self::Model { .. } => FaultKind::Model,
            Self::Reviewer => FaultKind::Reviewer,
        }
    }

    /// Index of the cluster in which it happens; none if it happens to people or models.
    pub const fn cluster(&self) -> Option<usize> {
        match self {
            Self::NodeCrash { cluster, .. }
            | Self::Partition { cluster, .. }
            | Self::Api { cluster, .. }
            | Self::LostMetrics { cluster } => Some(*cluster),
            Self::Model { .. } | Self::Reviewer => None,
        }
    }
}

/// When the episodes of a fault begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Once(Timestamp),
    /// Again and again, this long after the end of the one before; the first after one such time.
    Every(Delay),
    /// At random, this often per hour on average while no episode is under way.
    Rate {
        per_hour: Ratio,
    },
}

/// A scenario with more episodes than this of one fault is refused by the calendar, which simply stops.
pub const MOST_EPISODES: usize = 10_000;

/// Episodes are no shorter than this, so that a calendar always moves on.
pub const SHORTEST: Period = Period::from_millis(1);
