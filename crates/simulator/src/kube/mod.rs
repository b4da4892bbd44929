//! The Kubernetes objects the simulator knows, typed and read from API JSON; unknown fields are ignored, bad
//! values are refused.

mod affinity;
mod metadata;
mod node;
mod pod;
mod policy;
mod resource;
mod selector;
mod time;
mod workload;

pub use affinity::{
    Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, PreferredSchedulingTerm, WeightedPodAffinityTerm,
};
pub use metadata::{ObjectMeta, OwnerReference};
pub use node::{ContainerImage, Node, NodeSpec, NodeStatus, Taint, TaintEffect};
pub use pod::{
    Container, ContainerPort, ContainerStatus, NodeInclusionPolicy, Pod, PodCondition, PodSchedulingGate,
    PodSpec, PodStatus, PreemptionPolicy, Protocol, ResourceRequirements, RestartPolicy, Toleration,
    TolerationOperator, TopologySpreadConstraint, UnsatisfiableConstraintAction,
};
pub use policy::{
    IntOrPercent, Namespace, PodDisruptionBudget, PodDisruptionBudgetSpec, PodDisruptionBudgetStatus,
};
pub use resource::{
    CPU, EPHEMERAL_STORAGE, HUGE_PAGES_PREFIX, MEMORY, PODS, ResourceList, ResourceListError, parse_amount,
};
pub use selector::{
    LabelSelector, LabelSelectorOperator, LabelSelectorRequirement, NodeSelector, NodeSelectorOperator,
    NodeSelectorRequirement, NodeSelectorTerm,
};
pub use time::{Timestamp, TimestampError};
pub use workload::{
    LabelSet, MapSelectorSpec, ReplicaSet, ReplicationController, SelectorSpec, Service, StatefulSet,
};

use serde::{Deserialize, Deserializer};

/// Go writes an empty list without `omitempty` as `null`; that is the same as a missing list.
fn nullable<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(source: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(source)?.unwrap_or_default())
}
