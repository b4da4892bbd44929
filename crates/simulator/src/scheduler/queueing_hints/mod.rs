//! Queueing hints: may this change in the cluster help a pod that this plugin rejected?
//!
//! Where a rejected pod's affinity terms choose namespaces by label, upstream compares them with no labels at all and
//! can miss a change that helps; here the labels of the namespace count.

mod changes;
mod facts;
mod hints;

pub use changes::{Changes, listening_to, listens_to};
pub use facts::{Change, NodeFacts, PodFacts};
pub use hints::{has_grown_for, may_help};
