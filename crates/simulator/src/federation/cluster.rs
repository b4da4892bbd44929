//! A member cluster as the placement rules see it: its place, its labels and its taints.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// One member cluster. How many replicas it can take and how it scores depend on the binding and live on
/// [`Candidate`](super::selection::Candidate).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterView {
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<Taint>,
    #[serde(default)]
    pub health: Health,
}

impl ClusterView {
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The cluster's own taints and the one its health puts on it.
    pub fn taints_in_effect(&self) -> impl Iterator<Item = Taint> + '_ {
        self.taints.iter().cloned().chain(self.health.taint())
    }
}

/// What the control plane knows about the cluster. The scheduler has no health filter of its own: an unhealthy
/// cluster is avoided only because the cluster controller taints it, and a placement may tolerate that taint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Health {
    #[default]
    Ready,
    /// The cluster answers and says that it is not ready.
    NotReady,
    /// The cluster has not answered for the monitor's grace period.
    Unreachable,
}

impl Health {
    fn taint(self) -> Option<Taint> {
        let key = match self {
            Self::Ready => return None,
            Self::NotReady => "cluster.karmada.io/not-ready",
            Self::Unreachable => "cluster.karmada.io/unreachable",
        };
        Some(Taint { key: key.to_owned(), value: String::new(), effect: TaintEffect::NoSchedule })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Taint {
    pub key: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    pub effect: TaintEffect,
}

impl fmt::Display for Taint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_str() {
            "" => write!(formatter, "{}:{:?}", self.key, self.effect),
            value => write!(formatter, "{}={value}:{:?}", self.key, self.effect),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaintEffect {
    NoSchedule,
    PreferNoSchedule,
    NoExecute,
}

impl TaintEffect {
    /// `PreferNoSchedule` never keeps a binding away from a cluster.
    pub fn forbids_placement(self) -> bool {
        matches!(self, Self::NoSchedule | Self::NoExecute)
    }
}

/// A cluster toleration of a placement; an empty key matches every key, a missing effect every effect.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Toleration {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    #[serde(default)]
    pub operator: TolerationOperator,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<TaintEffect>,
    /// How long a placed binding stays once the taint appears; eviction reads it, placement does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toleration_seconds: Option<i64>,
}

/// Upstream refuses the comparing operators (`Lt`, `Gt`) on clusters, and so does this type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TolerationOperator {
    #[default]
    Equal,
    Exists,
}

impl Toleration {
    pub fn tolerates(&self, taint: &Taint) -> bool {
        let effect_matches = self.effect.is_none_or(|effect| effect == taint.effect);
        let key_matches = self.key.is_empty() || self.key == taint.key;
        let value_matches = match self.operator {
            TolerationOperator::Exists => true,
            TolerationOperator::Equal => self.value == taint.value,
        };
        effect_matches && key_matches && value_matches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(toleration: &str, taint: &str, expected: bool) {
        let toleration: Toleration = serde_json::from_str(toleration).expect("a toleration");
        let taint: Taint = serde_json::from_str(taint).expect("a taint");
        assert_eq!(toleration.tolerates(&taint), expected, "{toleration:?} {taint}");
    }

    #[test]
    fn tolerations() {
        let taint = r#"{"key":"gpu","value":"a","effect":"NoSchedule"}"#;
        check(r#"{"key":"gpu","value":"a"}"#, taint, true);
        check(r#"{"key":"gpu","value":"b"}"#, taint, false);
        check(r#"{"key":"gpu","operator":"Exists"}"#, taint, true);
        check(r#"{"key":"gpu","operator":"Exists","effect":"NoExecute"}"#, taint, false);
        check(r#"{"key":"other","operator":"Exists"}"#, taint, false);
        check(r#"{"operator":"Exists"}"#, taint, true);
        check(r#"{"key":"gpu","operator":"Exists","tolerationSeconds":30}"#, taint, true);
        assert!(serde_json::from_str::<Toleration>(r#"{"key":"gpu","operator":"Gt"}"#).is_err());
    }

    #[test]
    fn health_is_a_taint() {
        let taints = |health| {
            let cluster = ClusterView { health, ..ClusterView::named("a") };
            cluster.taints_in_effect().map(|taint| taint.to_string()).collect::<Vec<_>>()
        };
        assert!(taints(Health::Ready).is_empty());
        assert_eq!(taints(Health::NotReady), ["cluster.karmada.io/not-ready:NoSchedule"]);
        assert_eq!(taints(Health::Unreachable), ["cluster.karmada.io/unreachable:NoSchedule"]);
    }
}
