//! Which clusters an affinity names: by name, by label and by field.

use super::cluster::ClusterView;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Every part that is given must match; an affinity with no part matches every cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterAffinity {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_selector: Option<LabelSelector>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_selector: Option<FieldSelector>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cluster_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl ClusterAffinity {
    pub fn names<const COUNT: usize>(names: [&str; COUNT]) -> Self {
        Self { cluster_names: names.map(str::to_owned).to_vec(), ..Self::default() }
    }

    pub fn matches(&self, cluster: &ClusterView) -> bool {
        !self.exclude.contains(&cluster.name)
            && self.label_selector.as_ref().is_none_or(|selector| selector.matches(&cluster.labels))
            && self.field_selector.as_ref().is_none_or(|selector| selector.matches(cluster))
            && (self.cluster_names.is_empty() || self.cluster_names.contains(&cluster.name))
    }

    /// True if the affinity restricts nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LabelSelector {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<LabelRequirement>,
}

impl LabelSelector {
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.match_expressions.iter().all(|requirement| requirement.matches(labels))
    }
}

/// One expression over labels; the values belong to the operators that compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawRequirement", into = "RawRequirement")]
pub struct LabelRequirement {
    pub key: String,
    pub test: LabelTest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelTest {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    DoesNotExist,
}

impl LabelRequirement {
    fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        let value = labels.get(&self.key);
        match &self.test {
            LabelTest::In(values) => value.is_some_and(|value| values.contains(value)),
            LabelTest::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            LabelTest::Exists => value.is_some(),
            LabelTest::DoesNotExist => value.is_none(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldSelector {
    #[serde(default)]
    pub match_expressions: Vec<FieldRequirement>,
}

impl FieldSelector {
    fn matches(&self, cluster: &ClusterView) -> bool {
        self.match_expressions.iter().all(|requirement| requirement.matches(cluster))
    }
}

/// One expression over a cluster's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawRequirement", into = "RawRequirement")]
pub struct FieldRequirement {
    pub field: ClusterField,
    pub included: bool,
    pub values: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterField {
    Provider,
    Region,
    Zone,
}

impl FieldRequirement {
    /// A cluster in several zones is in the list if any of its zones is; a cluster without the field never is.
    fn matches(&self, cluster: &ClusterView) -> bool {
        let listed = |value: &String| self.values.contains(value);
        let found = match self.field {
            ClusterField::Provider => cluster.provider.as_ref().is_some_and(listed),
            ClusterField::Region => cluster.region.as_ref().is_some_and(listed),
            ClusterField::Zone => cluster.zones.iter().any(listed),
        };
        found == self.included
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRequirement {
    key: String,
    operator: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
}

/// Why a selector expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectorError {
    #[error("operator `{operator}` is not known; use {known}")]
    Operator { operator: String, known: &'static str },
    #[error("operator `{0}` needs at least one value")]
    NoValues(String),
    #[error("operator `{0}` takes no values")]
    Values(String),
    #[error("field `{0}` is not known; use provider, region or zone")]
    Field(String),
}

impl TryFrom<RawRequirement> for LabelRequirement {
    type Error = SelectorError;

    fn try_from(raw: RawRequirement) -> Result<Self, SelectorError> {
        let test = match (raw.operator.as_str(), raw.values.is_empty()) {
            ("In", false) => LabelTest::In(raw.values),
            ("NotIn", false) => LabelTest::NotIn(raw.values),
            ("Exists", true) => LabelTest::Exists,
            ("DoesNotExist", true) => LabelTest::DoesNotExist,
            ("In" | "NotIn", true) => return Err(SelectorError::NoValues(raw.operator)),
            ("Exists" | "DoesNotExist", false) => return Err(SelectorError::Values(raw.operator)),
            _ => {
                let known = "In, NotIn, Exists or DoesNotExist";
                return Err(SelectorError::Operator { operator: raw.operator, known });
            }
        };
        Ok(Self { key: raw.key, test })
    }
}

impl From<LabelRequirement> for RawRequirement {
    fn from(requirement: LabelRequirement) -> Self {
        let (operator, values) = match requirement.test {
            LabelTest::In(values) => ("In", values),
            LabelTest::NotIn(values) => ("NotIn", values),
            LabelTest::Exists => ("Exists", Vec::new()),
            LabelTest::DoesNotExist => ("DoesNotExist", Vec::new()),
        };
        Self { key: requirement.key, operator: operator.to_owned(), values }
    }
}

impl TryFrom<RawRequirement> for FieldRequirement {
    type Error = SelectorError;

    fn try_from(raw: RawRequirement) -> Result<Self, SelectorError> {
        let field = match raw.key.as_str() {
            "provider" => ClusterField::Provider,
            "region" => ClusterField::Region,
            "zone" => ClusterField::Zone,
            _ => return Err(SelectorError::Field(raw.key)),
        };
        let included = match raw.operator.as_str() {
            "In" => true,
            "NotIn" => false,
            _ => return Err(SelectorError::Operator { operator: raw.operator, known: "In or NotIn" }),
        };
        if raw.values.is_empty() {
            return Err(SelectorError::NoValues(raw.operator));
        }
        Ok(Self { field, included, values: raw.values })
    }
}

impl From<FieldRequirement> for RawRequirement {
    fn from(requirement: FieldRequirement) -> Self {
        let key = match requirement.field {
            ClusterField::Provider => "provider",
            ClusterField::Region => "region",
            ClusterField::Zone => "zone",
        };
        let operator = if requirement.included { "In" } else { "NotIn" };
        Self { key: key.to_owned(), operator: operator.to_owned(), values: requirement.values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster() -> ClusterView {
        ClusterView {
            labels: BTreeMap::from([("tier".to_owned(), "gold".to_owned())]),
            region: Some("eu".to_owned()),
            zones: vec!["eu-1".to_owned(), "eu-2".to_owned()],
            ..ClusterView::named("member1")
        }
    }

    fn check(affinity: &str, expected: bool) {
        let parsed: ClusterAffinity = serde_json::from_str(affinity).expect("an affinity");
        assert_eq!(parsed.matches(&cluster()), expected, "{affinity}");
        let written = serde_json::to_string(&parsed).expect("an affinity can be written");
        assert_eq!(serde_json::from_str::<ClusterAffinity>(&written).expect("and read again"), parsed);
    }

    fn label(operator: &str, key: &str, values: &str) -> String {
        format!(
            r#"{{"labelSelector":{{"matchExpressions":[{{"key":"{key}","operator":"{operator}","values":{values}}}]}}}}"#
        )
    }

    fn field(operator: &str, key: &str, values: &str) -> String {
        label(operator, key, values).replace("labelSelector", "fieldSelector")
    }

    #[test]
    fn names_and_labels() {
        check("{}", true);
        check(r#"{"labelSelector":{}}"#, true);
        check(r#"{"clusterNames":["member1"]}"#, true);
        check(r#"{"clusterNames":["member2"]}"#, false);
        check(r#"{"clusterNames":["member1"],"exclude":["member1"]}"#, false);
        check(r#"{"labelSelector":{"matchLabels":{"tier":"gold"}}}"#, true);
        check(r#"{"labelSelector":{"matchLabels":{"tier":"gold"}},"clusterNames":["member2"]}"#, false);
        check(&label("In", "tier", r#"["gold","silver"]"#), true);
        check(&label("In", "absent", r#"["gold"]"#), false);
        check(&label("NotIn", "absent", r#"["gold"]"#), true);
        check(&label("NotIn", "tier", r#"["gold"]"#), false);
        check(&label("Exists", "tier", "[]"), true);
        check(&label("DoesNotExist", "tier", "[]"), false);
    }

    #[test]
    fn fields() {
        check(&field("In", "region", r#"["eu"]"#), true);
        check(&field("NotIn", "region", r#"["eu"]"#), false);
        check(&field("In", "provider", r#"["acme"]"#), false);
        check(&field("NotIn", "provider", r#"["acme"]"#), true);
        check(&field("In", "zone", r#"["eu-2","eu-9"]"#), true);
        check(&field("NotIn", "zone", r#"["eu-2"]"#), false);
    }

    #[test]
    fn refused() {
        let refused = |text: String| serde_json::from_str::<ClusterAffinity>(&text).is_err();
        assert!(refused(label("In", "tier", "[]")));
        assert!(refused(label("Exists", "tier", r#"["gold"]"#)));
        assert!(refused(label("Near", "tier", r#"["gold"]"#)));
        assert!(refused(field("Exists", "zone", "[]")));
        assert!(refused(field("In", "rack", r#"["a"]"#)));
        assert!(refused(r#"{"clusters":["a"]}"#.to_owned()));
    }
}
