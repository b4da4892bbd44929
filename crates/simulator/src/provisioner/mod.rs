//! Karpenter's decisions: orders the cheapest nodes on which waiting pods fit, and gives up or replaces nodes whose pods
//! fit elsewhere for less.
//!
//! Follows karpenter 1.15 with its default options and feature gates. A pool of the scenario in one of its zones is an
//! instance type, and a node pool is a set of them. Whether a pod fits is asked of the real scheduler's filters.
//!
//! Not modelled: drift, expiry, repair, static node pools, reservations, capacity buffers, `minValues`, schedules of
//! budgets, orders that fail, and the limits on computing time, since a decision here takes no virtual time. Pods that
//! are alike are placed one after the other. Nodes that upstream takes by name are taken by number, and node pools of
//! equal weight in the order of the file. Upstream means to keep moved pods off nodes within `consolidateAfter`, but
//! looks the node pool up by the node's name and never finds one; so it is not done here either.
//!
//! Nothing here acts: the caller orders, marks, drains and removes.

mod balanced;
mod batch;
mod candidates;
mod config;
mod consolidation;
mod disruption;
#[cfg(test)]
mod fixture;
mod launch;
mod memory;
mod preferences;
mod simulation;
#[cfg(test)]
mod tests;
mod view;

pub use batch::Batch;
pub use candidates::Kept;
pub use config::{ConsolidationPolicy, NodePool, NodePoolLimits, ProvisionerConfig};
pub use consolidation::Reason;
pub use disruption::{Command, disrupt};
pub use launch::{Launch, Provisioning, provision};
pub use memory::ProvisionerMemory;
pub use preferences::{Ladder, Ladders};
pub use view::{Catalogue, Offering, OfferingId, PodDisruption, ProvisionerView};
