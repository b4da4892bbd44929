//! How a scheduler is set up: Kubernetes version, feature switches, plugins, weights and plugin arguments.

use super::status::{Plugin, PluginSet};
use crate::kube::{CPU, MEMORY, NodeAffinity, TopologySpreadConstraint, UnsatisfiableConstraintAction};

/// The highest score a plugin gives one node.
pub const MAX_NODE_SCORE: i64 = 100;

/// Releases that differ in a rule modelled here; each stands for its patch releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V1_34,
    #[default]
    V1_35,
    V1_36,
    /// NodeName filters before NodeUnschedulable.
    V1_37,
}

/// Feature switches that change scheduling. Defaults are those of 1.35.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    pub pod_level_resources: bool,
    pub in_place_resize: bool,
    pub sidecar_containers: bool,
    pub spread_node_inclusion_policy: bool,
    pub spread_match_label_keys: bool,
    /// `Gt` and `Lt` tolerations.
    pub toleration_comparison: bool,
    /// Pods that are alike may take the nodes that the first of them ranked; without effect before 1.35.
    pub opportunistic_batching: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            pod_level_resources: true,
            in_place_resize: true,
            sidecar_containers: true,
            spread_node_inclusion_policy: true,
            spread_match_label_keys: true,
            toleration_comparison: false,
            opportunistic_batching: true,
        }
    }
}

/// A resource and how much it counts in a mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceWeight {
    pub name: String,
    pub weight: i64,
}

/// A point of a piecewise linear score: at this utilisation (per cent), this score (0 to 100).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapePoint {
    pub utilization: i64,
    pub score: i64,
}

/// How NodeResourcesFit ranks nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoringStrategy {
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio(Vec<ShapePoint>),
}

/// Scoring arguments that Kubernetes refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: Invalid value: {value}")]
pub struct ProfileError {
    pub path: String,
    pub value: i64,
}

/// A checked [`ScoringStrategy`] with the resources it looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitScoring {
    strategy: ScoringStrategy,
    resources: Vec<ResourceWeight>,
}

impl Default for FitScoring {
    fn default() -> Self {
        Self { strategy: ScoringStrategy::LeastAllocated, resources: cpu_and_memory() }
    }
}

impl FitScoring {
    /// Refuses an empty list of resources, weights outside 1 to 100, and a shape that is empty, does not rise in
    /// utilisation within 0 to 100, or scores outside 0 to 100.
    pub fn new(strategy: ScoringStrategy, resources: Vec<ResourceWeight>) -> Result<Self, ProfileError> {
        check_weights("scoringStrategy.resources", &resources)?;
        if let ScoringStrategy::RequestedToCapacityRatio(shape) = &strategy {
            check_shape(shape)?;
        }
        Ok(Self { strategy, resources })
    }

    pub fn strategy(&self) -> &ScoringStrategy {
        &self.strategy
    }

    pub fn resources(&self) -> &[ResourceWeight] {
        &self.resources
    }
}

fn check_weights(path: &str, resources: &[ResourceWeight]) -> Result<(), ProfileError> {
    if resources.is_empty() {
        return Err(ProfileError { path: path.to_owned(), value: 0 });
    }
    let wrong = resources.iter().position(|one| !(1..=MAX_NODE_SCORE).contains(&one.weight));
    wrong.map_or(Ok(()), |index| {
        Err(ProfileError { path: format!("{path}[{index}].weight"), value: resources[index].weight })
    })
}

fn check_shape(shape: &[ShapePoint]) -> Result<(), ProfileError> {
    let path = "scoringStrategy.requestedToCapacityRatio.shape";
    let refuse = |path: String, value| Err(ProfileError { path, value });
    if shape.is_empty() {
        return refuse(path.to_owned(), 0);
    }
    let mut last = -1;
    for (index, point) in shape.iter().enumerate() {
        if point.utilization <= last || point.utilization > 100 {
            return refuse(format!("{path}[{index}].utilization"), point.utilization);
        }
        if !(0..=MAX_NODE_SCORE).contains(&point.score) {
            return refuse(format!("{path}[{index}].score"), point.score);
        }
        last = point.utilization;
    }
    Ok(())
}

fn cpu_and_memory() -> Vec<ResourceWeight> {
    [CPU, MEMORY].map(|name| ResourceWeight { name: name.to_owned(), weight: 1 }).to_vec()
}

/// Spread constraints for pods that bring none of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DefaultSpread {
    /// Kubernetes' own: hosts with maxSkew 3 and zones with maxSkew 5, both only preferred.
    #[default]
    System,
    /// A fixed list, possibly empty; the selector comes from the pod's services and owner.
    List(Vec<TopologySpreadConstraint>),
}

pub const HOSTNAME_LABEL: &str = "kubernetes.io/hostname";
pub const ZONE_LABEL: &str = "topology.kubernetes.io/zone";
pub const REGION_LABEL: &str = "topology.kubernetes.io/region";

impl DefaultSpread {
    fn is_empty(&self) -> bool {
        matches!(self, Self::List(constraints) if constraints.is_empty())
    }

    pub fn constraints(&self) -> Vec<TopologySpreadConstraint> {
        let preferred = |topology_key: &str, max_skew| TopologySpreadConstraint {
            max_skew,
            topology_key: topology_key.to_owned(),
            when_unsatisfiable: UnsatisfiableConstraintAction::ScheduleAnyway,
            ..Default::default()
        };
        match self {
            Self::System => vec![preferred(HOSTNAME_LABEL, 3), preferred(ZONE_LABEL, 5)],
            Self::List(constraints) => constraints.clone(),
        }
    }
}

/// The set-up of one scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub version: Version,
    pub features: Features,
    /// Share of nodes to find feasible before scoring; 0 lets the cluster size decide.
    pub percentage_of_nodes_to_score: i64,
    /// Filters in use.
    pub filters: PluginSet,
    /// Score weights by plugin; a plugin that is not listed does not score.
    pub weights: Vec<(Plugin, i64)>,
    pub fit_scoring: FitScoring,
    pub ignored_resources: Vec<String>,
    pub ignored_resource_groups: Vec<String>,
    pub balanced_resources: Vec<ResourceWeight>,
    pub default_spread: DefaultSpread,
    pub added_node_affinity: Option<NodeAffinity>,
    /// Weight of an existing pod's required affinity when it matches the incoming pod.
    pub hard_pod_affinity_weight: i64,
    pub ignore_preferred_terms_of_existing_pods: bool,
}

impl Profile {
    /// Whether a plugin filters or scores.
    pub(super) fn uses(&self, plugin: Plugin) -> bool {
        self.filters.contains(plugin) || self.weights.iter().any(|(weighed, _)| *weighed == plugin)
    }

    /// Whether one pod's ranking of nodes may serve the next. Default spread constraints forbid it for every pod, so it
    /// never happens with the default profile.
    pub(super) fn batches_pods(&self) -> bool {
        self.version >= Version::V1_35
            && self.features.opportunistic_batching
            && (self.default_spread.is_empty() || !self.uses(Plugin::PodTopologySpread))
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            version: Version::default(),
            features: Features::default(),
            percentage_of_nodes_to_score: 0,
            filters: PluginSet::ALL,
            weights: vec![
                (Plugin::TaintToleration, 3),
                (Plugin::NodeAffinity, 2),
                (Plugin::NodeResourcesFit, 1),
                (Plugin::PodTopologySpread, 2),
                (Plugin::InterPodAffinity, 2),
                (Plugin::NodeResourcesBalancedAllocation, 1),
                (Plugin::ImageLocality, 1),
            ],
            fit_scoring: FitScoring::default(),
            ignored_resources: Vec::new(),
            ignored_resource_groups: Vec::new(),
            balanced_resources: cpu_and_memory(),
            default_spread: DefaultSpread::default(),
            added_node_affinity: None,
            hard_pod_affinity_weight: 1,
            ignore_preferred_terms_of_existing_pods: false,
        }
    }
}
