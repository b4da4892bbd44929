//! Where demand comes from, how far it is to each cluster, and who answers it.
//!
//! [`Network::split`] gives every area's demand to clusters by a [`Policy`]; shares are parts per million that add up to
//! exactly one million, what nobody answers included. Queues, lost packets and congestion are not modelled.

mod check;
mod link;
mod partition;
pub mod raw;
mod split;
mod topology;

pub use check::{ClusterOutline, KnownAreas, KnownClusters, check, check_clients, check_traffic};
pub use link::{Jitter, LONGEST_LATENCY, Link};
pub use partition::Partition;
pub use split::{Fallback, Loss, Lost, Policy, Route, Split, Traffic, WHOLE};
pub use topology::{Area, Network};

#[cfg(test)]
mod tests;
