//! Names, labels and owners that every object carries.

use super::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The part of `metadata` that decides anything here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMeta {
    pub name: String,
    pub namespace: String,
    pub uid: String,
    #[serde(deserialize_with = "super::nullable")]
    pub labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "super::nullable")]
    pub annotations: BTreeMap<String, String>,
    pub creation_timestamp: Option<Timestamp>,
    pub deletion_timestamp: Option<Timestamp>,
    #[serde(deserialize_with = "super::nullable")]
    pub owner_references: Vec<OwnerReference>,
}

impl ObjectMeta {
    /// The owner that manages the object, if one says so.
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller)
    }
}

/// A pointer to the object that created this one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    pub uid: String,
    pub controller: bool,
}
