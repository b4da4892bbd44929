//! A checked autoscaler: what it follows, within which bounds, how fast. No field can be wrong.

use super::settings::Settings;
use crate::kube::LabelSelector;
use model::time::Period;
use std::num::NonZeroU32;

/// One autoscaler, with Kubernetes' defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct HorizontalSpec {
    pub min_replicas: u32,
    pub max_replicas: u32,
    pub metrics: Vec<MetricSpec>,
    /// Nothing is not the same as the defaults: without it the rules of old apply.
    pub behavior: Option<Behavior>,
}

/// What is measured, and what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetricSpec {
    /// A resource of whole pods.
    Resource { resource: String, target: PodTarget },
    /// A resource of one container in each pod.
    ContainerResource { resource: String, container: String, target: PodTarget },
    /// A metric that every pod has, as an average.
    Pods { metric: MetricIdentifier, average: MilliTarget },
    /// A metric of one other object.
    Object { object: ObjectReference, metric: MetricIdentifier, target: WholeTarget },
    /// A metric that belongs to no object; several series are summed up.
    External { metric: MetricIdentifier, target: WholeTarget },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodTarget {
    /// Per cent of what the pods request.
    Utilization(NonZeroU32),
    /// Usage of one pod.
    AverageValue(MilliTarget),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeTarget {
    Value(MilliTarget),
    /// The value divided by the number of pods.
    AverageValue(MilliTarget),
}

/// A target in thousandths of a unit; above zero, since everything is divided by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MilliTarget(i64);

impl MilliTarget {
    pub fn new(milli: i64) -> Option<Self> {
        (milli > 0).then_some(Self(milli))
    }

    pub const fn milli(self) -> i64 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricIdentifier {
    pub name: String,
    /// Chooses among series of the same name.
    pub selector: Option<LabelSelector>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectReference {
    pub api_version: Option<String>,
    pub kind: String,
    pub name: String,
}

/// How fast replicas may change in each direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Behavior {
    pub scale_up: ScalingRules,
    pub scale_down: ScalingRules,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScalingRules {
    /// So long the most careful recommendation is followed; nothing, possible only for scaling down, is the cluster's
    /// [`Settings::downscale_stabilization`].
    pub stabilization_window: Option<Period>,
    pub select: SelectPolicy,
    pub policies: Vec<Policy>,
    /// Overrides [`Settings::tolerance`] in this direction.
    pub tolerance: Option<f64>,
}

/// Which of several policies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectPolicy {
    /// The one that allows the largest change.
    Max,
    Min,
    /// None: this direction is closed.
    Disabled,
}

/// At most this change in any such period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub step: Step,
    pub period: Period,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Pods(u32),
    /// Of the replicas at the start of the period.
    Percent(u32),
}

/// Both default directions count changes over this time.
const DEFAULT_PERIOD: Period = Period::from_secs(15);

impl ScalingRules {
    /// Doubling or four pods, whichever is more, every 15 s, at once.
    pub fn default_up() -> Self {
        let policies =
            [Step::Pods(4), Step::Percent(100)].map(|step| Policy { step, period: DEFAULT_PERIOD });
        Self {
            stabilization_window: Some(Period::ZERO),
            select: SelectPolicy::Max,
            policies: policies.to_vec(),
            tolerance: None,
        }
    }

    /// Everything at once, after the cluster's stabilisation window.
    pub fn default_down() -> Self {
        Self {
            stabilization_window: None,
            select: SelectPolicy::Max,
            policies: vec![Policy { step: Step::Percent(100), period: DEFAULT_PERIOD }],
            tolerance: None,
        }
    }

    /// The longest period of any policy: older events can be forgotten.
    pub fn longest_period(&self) -> Period {
        self.policies.iter().map(|policy| policy.period).max().unwrap_or(Period::ZERO)
    }
}

/// How far usage over target may be from one, downwards and upwards, without consequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    pub down: f64,
    pub up: f64,
}

impl Tolerances {
    pub fn allow(self, ratio: f64) -> bool {
        1.0 - self.down <= ratio && ratio <= 1.0 + self.up
    }
}

impl HorizontalSpec {
    pub fn tolerances(&self, settings: &Settings) -> Tolerances {
        let cluster = settings.tolerance.as_f64();
        let behavior = self.behavior.as_ref().filter(|_| settings.configurable_tolerance);
        let own = |rules: fn(&Behavior) -> &ScalingRules| {
            behavior.and_then(|behavior| rules(behavior).tolerance).unwrap_or(cluster)
        };
        Tolerances { down: own(|behavior| &behavior.scale_down), up: own(|behavior| &behavior.scale_up) }
    }
}
