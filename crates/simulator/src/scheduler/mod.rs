//! The Kubernetes scheduler: filters, scores and the scheduling cycle over one cluster's state, queue and preemption.
//!
//! Not modelled: volumes (so VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone have nothing to decide),
//! dynamic resource allocation, extenders and declared node features.

mod amounts;
mod batch;
mod compile;
mod counters;
mod cycle;
mod intern;
mod memo;
mod nodes;
pub mod plugins;
pub mod preemption;
mod profile;
pub mod queue;
pub mod queueing_hints;
pub mod requests;
mod select;
mod selector;
mod signature;
mod standings;
mod state;
mod status;
mod symbol;
mod template;
#[cfg(test)]
mod tests;
mod topology;

pub use amounts::MOST_OTHER_RESOURCES;
pub use cycle::{Placement, PluginScores, Request, Scheduler};
pub use intern::InvalidPod;
pub use nodes::{NodeId, NodeResources, PodId, ResourceId};
pub use profile::{
    DefaultSpread, Features, FitScoring, HOSTNAME_LABEL, MAX_NODE_SCORE, Profile, ProfileError, REGION_LABEL,
    ResourceWeight, ScoringStrategy, ShapePoint, Version, ZONE_LABEL,
};
pub use select::{RankedNodes, ScoredNode, feasible_nodes_to_find};
pub use selector::{LabelMatcher, NodeTerm, SelectorError};
pub(crate) use state::is_other_resource;
pub use state::{ClusterState, Nomination, PlacedPod, PodDetails};
pub use status::{FitError, Plugin, PluginSet, PodRejection, Reason, Rejection, Shortage, message};
pub use symbol::{Interner, Labels, Symbol};
pub use template::{HostPort, NodeNames, RequiredNodes, Template, TemplateId};
