//! The owners of pods as far as they choose pods: services and replicated workloads with their selectors.

use super::{LabelSelector, ObjectMeta};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Labels that must all be equal.
pub type LabelSet = BTreeMap<String, String>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SelectorSpec {
    pub selector: Option<LabelSelector>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MapSelectorSpec {
    /// Missing chooses nothing.
    pub selector: Option<LabelSet>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Service {
    pub metadata: ObjectMeta,
    pub spec: MapSelectorSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ReplicationController {
    pub metadata: ObjectMeta,
    pub spec: MapSelectorSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ReplicaSet {
    pub metadata: ObjectMeta,
    pub spec: SelectorSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct StatefulSet {
    pub metadata: ObjectMeta,
    pub spec: SelectorSpec,
}
