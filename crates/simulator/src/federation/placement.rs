//! A placement as written in a PropagationPolicy, with the API server's defaults filled in and its refusals applied.

use super::cluster::Toleration;
use super::selector::ClusterAffinity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU64;
use thiserror::Error;

/// Where a binding may go and how its replicas are divided. Read from Karmada's own field names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "RawPlacement")]
pub struct Placement {
    pub affinity: Affinity,
    pub tolerations: Vec<Toleration>,
    pub spread: Option<Spread>,
    pub scheduling: ReplicaScheduling,
}

/// The clusters that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Affinity {
    #[default]
    Any,
    One(ClusterAffinity),
    /// Groups tried in order: the first that can take the whole binding gets it. A group that can take only a part
    /// gets nothing, unless it names overflow groups. Never empty; names are unique.
    Ordered(Vec<AffinityGroup>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffinityGroup {
    pub name: String,
    pub clusters: ClusterAffinity,
    /// Further clusters for the replicas that the group's own clusters cannot take, filled in order.
    pub overflow: Vec<OverflowGroup>,
}

impl AffinityGroup {
    pub fn new(name: impl Into<String>, clusters: ClusterAffinity) -> Self {
        Self { name: name.into(), clusters, overflow: Vec::new() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverflowGroup {
    pub name: String,
    pub clusters: ClusterAffinity,
}

/// How many groups of clusters a binding must and may use. Karmada selects by `cluster` and `region`; `zone` and
/// `provider` only require that a cluster has the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    pub cluster: GroupBounds,
    pub region: Option<GroupBounds>,
    pub zone: Option<GroupBounds>,
    pub provider: Option<GroupBounds>,
}

/// At least `min` groups (1 or more) and at most `max`. A `max` of 0, which is what a policy without `maxGroups` has,
/// selects nothing: upstream does not default it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupBounds {
    pub min: u32,
    pub max: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpreadField {
    #[default]
    Cluster,
    Region,
    Zone,
    Provider,
}

impl fmt::Display for SpreadField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Cluster => "cluster",
            Self::Region => "region",
            Self::Zone => "zone",
            Self::Provider => "provider",
        })
    }
}

/// How replicas become the replicas of each cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "RawScheduling")]
pub enum ReplicaScheduling {
    /// Every cluster runs all replicas.
    #[default]
    Duplicated,
    /// Divided evenly: `Weighted` without a preference. Spread constraints do not apply.
    EqualWeight,
    /// Divided by the weight of the heaviest rule that matches a cluster; a cluster without a rule gets nothing.
    /// Spread constraints apply only if there is no rule at all (and then every cluster weighs the same).
    StaticWeight(Vec<StaticWeight>),
    /// Divided by how many replicas each cluster can take.
    DynamicWeight,
    /// Divided among as few clusters as can take them.
    Aggregated,
}

impl ReplicaScheduling {
    pub fn ignores_spread(&self) -> bool {
        match self {
            Self::EqualWeight => true,
            Self::StaticWeight(rules) => !rules.is_empty(),
            Self::Duplicated | Self::DynamicWeight | Self::Aggregated => false,
        }
    }

    /// Only a division that looks at what clusters can take knows when to overflow.
    fn allows_overflow(&self) -> bool {
        matches!(self, Self::DynamicWeight | Self::Aggregated)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticWeight {
    pub target_cluster: ClusterAffinity,
    pub weight: NonZeroU64,
}

/// Why a placement is refused, as Karmada's admission webhook would.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlacementError {
    #[error("clusterAffinity and clusterAffinities exclude each other")]
    TwoAffinities,
    #[error("affinity name `{0}` must have 1 to 32 characters")]
    AffinityName(String),
    #[error("affinity name `{0}` is used twice")]
    AffinityNameTwice(String),
    #[error("affinity `{0}` has overflowAffinities, which need DynamicWeight or Aggregated division")]
    OverflowDivision(String),
    #[error("affinity `{0}` has overflowAffinities but names no clusters of its own")]
    OverflowOnly(String),
    #[error("overflow affinity `{0}` cannot overflow itself")]
    OverflowNested(String),
    #[error("there are two spread constraints by {0}")]
    SpreadTwice(SpreadField),
    #[error("spread constraint by {field}: maxGroups {max} is less than minGroups {min}")]
    SpreadBounds { field: SpreadField, min: u32, max: u32 },
    #[error("spread constraints need one by cluster, to say how many clusters to select")]
    SpreadWithoutCluster,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawPlacement {
    cluster_affinity: Option<ClusterAffinity>,
    #[serde(default)]
    cluster_affinities: Vec<RawAffinityGroup>,
    #[serde(default)]
    cluster_tolerations: Vec<Toleration>,
    #[serde(default)]
    spread_constraints: Vec<RawSpreadConstraint>,
    replica_scheduling: Option<ReplicaScheduling>,
}

// The affinity's fields stand inline in Karmada's API; they are repeated here because serde cannot both flatten and
// refuse unknown fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawAffinityGroup {
    affinity_name: String,
    label_selector: Option<super::selector::LabelSelector>,
    field_selector: Option<super::selector::FieldSelector>,
    #[serde(default)]
    cluster_names: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    overflow_affinities: Vec<RawAffinityGroup>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawSpreadConstraint {
    #[serde(default)]
    spread_by_field: SpreadField,
    #[serde(default)]
    min_groups: u32,
    #[serde(default)]
    max_groups: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawScheduling {
    #[serde(default)]
    replica_scheduling_type: RawSchedulingType,
    #[serde(default)]
    replica_division_preference: RawDivisionPreference,
    weight_preference: Option<RawPreferences>,
}

#[derive(Deserialize, Default)]
enum RawSchedulingType {
    Duplicated,
    #[default]
    Divided,
}

#[derive(Deserialize, Default)]
enum RawDivisionPreference {
    Aggregated,
    #[default]
    Weighted,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawPreferences {
    #[serde(default)]
    static_weight_list: Vec<StaticWeight>,
    dynamic_weight: Option<RawDynamicWeight>,
}

#[derive(Deserialize)]
enum RawDynamicWeight {
    AvailableReplicas,
}

impl From<RawScheduling> for ReplicaScheduling {
    fn from(raw: RawScheduling) -> Self {
        match (raw.replica_scheduling_type, raw.replica_division_preference, raw.weight_preference) {
            (RawSchedulingType::Duplicated, _, _) => Self::Duplicated,
            (RawSchedulingType::Divided, RawDivisionPreference::Aggregated, _) => Self::Aggregated,
            (RawSchedulingType::Divided, RawDivisionPreference::Weighted, None) => Self::EqualWeight,
            (RawSchedulingType::Divided, RawDivisionPreference::Weighted, Some(preferences)) => {
                match preferences.dynamic_weight {
                    Some(RawDynamicWeight::AvailableReplicas) => Self::DynamicWeight,
                    None => Self::StaticWeight(preferences.static_weight_list),
                }
            }
        }
    }
}

impl TryFrom<RawPlacement> for Placement {
    type Error = PlacementError;

    fn try_from(raw: RawPlacement) -> Result<Self, PlacementError> {
        let scheduling = raw.replica_scheduling.unwrap_or_default();
        let affinity = match (raw.cluster_affinity, raw.cluster_affinities.is_empty()) {
            (None, true) => Affinity::Any,
            (Some(affinity), true) => Affinity::One(affinity),
            (None, false) => Affinity::Ordered(affinity_groups(raw.cluster_affinities, &scheduling)?),
            (Some(_), false) => return Err(PlacementError::TwoAffinities),
        };
        let spread = spread(&raw.spread_constraints)?;
        Ok(Self { affinity, tolerations: raw.cluster_tolerations, spread, scheduling })
    }
}

fn affinity_groups(
    raw: Vec<RawAffinityGroup>,
    scheduling: &ReplicaScheduling,
) -> Result<Vec<AffinityGroup>, PlacementError> {
    let mut names = BTreeSet::new();
    raw.into_iter().map(|group| affinity_group(group, scheduling, &mut names)).collect()
}

fn affinity_group(
    mut raw: RawAffinityGroup,
    scheduling: &ReplicaScheduling,
    names: &mut BTreeSet<String>,
) -> Result<AffinityGroup, PlacementError> {
    let raw_overflow = std::mem::take(&mut raw.overflow_affinities);
    let (name, clusters) = named_affinity(raw, names)?;
    if !raw_overflow.is_empty() && !scheduling.allows_overflow() {
        return Err(PlacementError::OverflowDivision(name));
    }
    if !raw_overflow.is_empty() && clusters.is_empty() {
        return Err(PlacementError::OverflowOnly(name));
    }
    // Overflow names need to be unique only within their group.
    let mut overflow_names = BTreeSet::from([name.clone()]);
    let overflow = raw_overflow
        .into_iter()
        .map(|group| {
            let (name, clusters) = named_affinity(group, &mut overflow_names)?;
            Ok(OverflowGroup { name, clusters })
        })
        .collect::<Result<_, _>>()?;
    Ok(AffinityGroup { name, clusters, overflow })
}

fn named_affinity(
    raw: RawAffinityGroup,
    names: &mut BTreeSet<String>,
) -> Result<(String, ClusterAffinity), PlacementError> {
    let name = raw.affinity_name;
    // The bounds of the API's own schema.
    if !(1..=32).contains(&name.chars().count()) {
        return Err(PlacementError::AffinityName(name));
    }
    if !raw.overflow_affinities.is_empty() {
        return Err(PlacementError::OverflowNested(name));
    }
    if !names.insert(name.clone()) {
        return Err(PlacementError::AffinityNameTwice(name));
    }
    let clusters = ClusterAffinity {
        label_selector: raw.label_selector,
        field_selector: raw.field_selector,
        cluster_names: raw.cluster_names,
        exclude: raw.exclude,
    };
    Ok((name, clusters))
}

fn spread(raw: &[RawSpreadConstraint]) -> Result<Option<Spread>, PlacementError> {
    if raw.is_empty() {
        return Ok(None);
    }
    let by = |field| bounds_by(raw, field);
    let cluster = by(SpreadField::Cluster)?;
    let (region, zone) = (by(SpreadField::Region)?, by(SpreadField::Zone)?);
    let provider = by(SpreadField::Provider)?;
    let cluster = cluster.ok_or(PlacementError::SpreadWithoutCluster)?;
    Ok(Some(Spread { cluster, region, zone, provider }))
}

fn bounds_by(raw: &[RawSpreadConstraint], field: SpreadField) -> Result<Option<GroupBounds>, PlacementError> {
    let mut constraints = raw.iter().filter(|constraint| constraint.spread_by_field == field);
    let Some(constraint) = constraints.next() else { return Ok(None) };
    if constraints.next().is_some() {
        return Err(PlacementError::SpreadTwice(field));
    }
    let (min, max) = (constraint.min_groups, constraint.max_groups);
    if max > 0 && max < min {
        return Err(PlacementError::SpreadBounds { field, min, max });
    }
    Ok(Some(GroupBounds { min: min.max(1), max }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Placement, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn check_scheduling(text: &str, expected: &ReplicaScheduling) {
        let placement = parse(&format!(r#"{{"replicaScheduling":{text}}}"#)).expect("a placement");
        assert_eq!(placement.scheduling, *expected, "{text}");
    }

    #[test]
    fn scheduling_and_its_defaults() {
        assert_eq!(parse("{}").expect("a placement"), Placement::default());
        check_scheduling(r#"{"replicaSchedulingType":"Duplicated"}"#, &ReplicaScheduling::Duplicated);
        check_scheduling("{}", &ReplicaScheduling::EqualWeight);
        check_scheduling(r#"{"replicaSchedulingType":"Divided"}"#, &ReplicaScheduling::EqualWeight);
        check_scheduling(r#"{"replicaDivisionPreference":"Aggregated"}"#, &ReplicaScheduling::Aggregated);
        let dynamic = r#"{"weightPreference":{"dynamicWeight":"AvailableReplicas"}}"#;
        check_scheduling(dynamic, &ReplicaScheduling::DynamicWeight);
        check_scheduling(r#"{"weightPreference":{}}"#, &ReplicaScheduling::StaticWeight(vec![]));
    }

    #[test]
    fn spread_defaults() {
        let text = r#"{"spreadConstraints":[{"maxGroups":2},{"spreadByField":"region","minGroups":2,"maxGroups":3}]}"#;
        let spread = parse(text).expect("a placement").spread.expect("a spread");
        assert_eq!(spread.cluster, GroupBounds { min: 1, max: 2 });
        assert_eq!(spread.region, Some(GroupBounds { min: 2, max: 3 }));
        assert_eq!((spread.zone, spread.provider), (None, None));
    }

    fn check_refused(text: &str, words: &str) {
        let error = parse(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }

    #[test]
    fn refused() {
        let group = |rest: &str| format!(r#"{{"clusterAffinities":[{{"affinityName":"a"{rest}}}]}}"#);
        let overflow = r#","clusterNames":["m1"],"overflowAffinities":[{"affinityName":"b"}]"#;
        check_refused(
            r#"{"clusterAffinity":{},"clusterAffinities":[{"affinityName":"a"}]}"#,
            "exclude each other",
        );
        check_refused(r#"{"clusterAffinities":[{"affinityName":""}]}"#, "1 to 32");
        check_refused(r#"{"clusterAffinities":[{"affinityName":"a"},{"affinityName":"a"}]}"#, "used twice");
        check_refused(&group(overflow), "need DynamicWeight or Aggregated");
        let aggregated = r#"{"replicaScheduling":{"replicaDivisionPreference":"Aggregated"},"#;
        let bare = group(r#","overflowAffinities":[{"affinityName":"b"}]"#).replacen('{', aggregated, 1);
        check_refused(&bare, "names no clusters of its own");
        assert!(parse(&group(overflow).replacen('{', aggregated, 1)).is_ok());
        let nested =
            group(overflow).replace(r#""b"}"#, r#""b","overflowAffinities":[{"affinityName":"c"}]}"#);
        check_refused(&nested.replacen('{', aggregated, 1), "cannot overflow itself");
        check_refused(r#"{"spreadConstraints":[{"spreadByField":"region"}]}"#, "need one by cluster");
        check_refused(r#"{"spreadConstraints":[{"maxGroups":1},{"maxGroups":1}]}"#, "two spread constraints");
        check_refused(r#"{"spreadConstraints":[{"minGroups":3,"maxGroups":1}]}"#, "less than minGroups");
        check_refused(r#"{"replicaScheduling":{"replicaSchedulingType":"Split"}}"#, "Split");
        let weightless = r#"[{"targetCluster":{},"weight":0}]"#;
        let text =
            format!(r#"{{"replicaScheduling":{{"weightPreference":{{"staticWeightList":{weightless}}}}}}}"#);
        check_refused(&text, "nonzero");
        check_refused(r#"{"clusterAfinity":{}}"#, "unknown field");
    }
}
