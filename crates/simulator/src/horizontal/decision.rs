//! What an autoscaler is told and what it answers.

use super::conditions::Conditions;
use super::pods::PodSamples;
use super::spec::{MetricIdentifier, ObjectReference};
use crate::controllers::pod::PodKey;
use crate::kube::MEMORY;
use model::quantity::{Format, Quantity};

/// The size of the scaled workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Replicas asked for.
    pub spec_replicas: u32,
    /// Replicas that exist.
    pub status_replicas: u32,
    pub selection: Selection,
}

/// Whether it is clear which pods belong to the workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    #[default]
    Clear,
    /// The workload has no usable selector.
    Invalid,
    /// Another autoscaler scales some of the same pods.
    Ambiguous,
}

/// Where measurements come from. An empty answer is the same as none.
pub trait Metrics {
    /// Usage of a resource by pod, of one container each if one is named.
    fn resource(&self, resource: &str, container: Option<&str>) -> Result<PodSamples, Unavailable>;

    /// A metric of the pods themselves.
    fn pods(&self, metric: &MetricIdentifier) -> Result<PodSamples, Unavailable>;

    /// A metric of another object, in thousandths.
    fn object(&self, object: &ObjectReference, metric: &MetricIdentifier) -> Result<i64, Unavailable>;

    /// All series of a metric that belongs to no object, in thousandths.
    fn external(&self, metric: &MetricIdentifier) -> Result<Vec<i64>, Unavailable>;
}

/// Nobody answers for this metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the metric is not available")]
pub struct Unavailable;

/// Why a metric says nothing about replicas.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    #[error("no metrics returned")]
    Unavailable,
    #[error("there are no pods")]
    NoPods,
    #[error("no pod that counts has a sample, all may be unready")]
    NoSamples,
    #[error("no metrics returned matched known pods")]
    NoMatchingSamples,
    #[error("missing request for {resource} in container {container} of pod {}", pod.0)]
    MissingRequest { resource: String, container: String, pod: PodKey },
    #[error("missing pod-level request for {resource} in pod {}", pod.0)]
    MissingPodRequest { resource: String, pod: PodKey },
    #[error("container {container} not found in pod {}", pod.0)]
    MissingContainer { container: String, pod: PodKey },
}

impl From<Unavailable> for MetricError {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// What one metric asks for, before limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    pub replicas: u32,
    pub current: Current,
}

/// What a metric is now; amounts in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Current {
    Utilization { percent: i32, average: i64 },
    AverageValue(i64),
    Value(i64),
}

/// An amount as `kubectl` shows it: memory with binary suffixes, everything else with decimal ones.
pub fn quantity(resource: &str, milli: i64) -> Quantity {
    let format = if resource == MEMORY { Format::BinarySi } else { Format::DecimalSi };
    Quantity::new(i128::from(milli), -3, format)
}

/// One answer of an autoscaler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Nothing if the scale could not be read.
    pub current_replicas: Option<u32>,
    /// What the autoscaler wants, or last wanted where it could not decide.
    pub desired_replicas: Option<u32>,
    /// The change to make; nothing if all stays.
    pub rescale: Option<Rescale>,
    /// One answer for each metric, in the order of the spec; empty where metrics were not looked at.
    pub metrics: Vec<Result<Proposal, MetricError>>,
    /// What went wrong, also if there was still enough to decide.
    pub failure: Option<Failure>,
    pub conditions: Conditions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    ScaleUnavailable,
    /// It is not clear which pods are meant.
    Selection,
    /// At least one of the metrics.
    Metrics,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rescale {
    pub from: u32,
    pub to: u32,
    pub reason: RescaleReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescaleReason {
    AboveMaximum,
    BelowMinimum,
    /// The metric of this index in the spec asks for more.
    MetricAboveTarget(usize),
    AllMetricsBelowTarget,
    /// The metrics ask for what is there; a recommendation of the recent past was higher.
    EarlierRecommendation,
}
