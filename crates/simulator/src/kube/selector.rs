//! Label and node selectors as written; they are compiled where they are matched.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Chooses objects by their labels; an empty selector chooses everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelector {
    #[serde(deserialize_with = "super::nullable")]
    pub match_labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "super::nullable")]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct LabelSelectorRequirement {
    #[serde(default)]
    pub key: String,
    pub operator: LabelSelectorOperator,
    #[serde(default, deserialize_with = "super::nullable")]
    pub values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum LabelSelectorOperator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

/// Chooses nodes: terms are alternatives; no terms, or only empty ones, choose nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelector {
    #[serde(deserialize_with = "super::nullable")]
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}

/// All requirements of a term must hold; a term without any holds for no node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelectorTerm {
    #[serde(deserialize_with = "super::nullable")]
    pub match_expressions: Vec<NodeSelectorRequirement>,
    #[serde(deserialize_with = "super::nullable")]
    pub match_fields: Vec<NodeSelectorRequirement>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct NodeSelectorRequirement {
    #[serde(default)]
    pub key: String,
    pub operator: NodeSelectorOperator,
    #[serde(default, deserialize_with = "super::nullable")]
    pub values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum NodeSelectorOperator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    Gt,
    Lt,
}
