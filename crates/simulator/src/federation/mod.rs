//! The federation layer: Karmada's placement rules as pure functions over plain data.
//!
//! The reference is Karmada 1.18.2 with its default feature switches. Not modelled: API enablement (every cluster
//! serves every kind here), workload affinity and workloads of several pod templates (both off by default upstream).
//!
//! One known deviation: upstream adds replicas in 32 bits, which overflows when a workload without replicas is divided
//! afresh and makes it unschedulable there; here it is placed. Where upstream's order is that of a hash map, it is by
//! name here.

pub mod binding;
pub mod cluster;
pub mod division;
pub mod estimate;
pub mod filter;
pub mod placement;
pub mod schedule;
pub mod selection;
pub mod selector;
pub mod spread;
pub mod unschedulable;
pub mod webster;

pub use binding::{AssignmentMode, BindingState, TargetCluster};
pub use cluster::{ClusterView, Health, Taint, TaintEffect, Toleration};
pub use placement::{Affinity, Placement, ReplicaScheduling};
pub use schedule::{Explanation, Scheduled, explain, schedule};
pub use unschedulable::Unschedulable;
