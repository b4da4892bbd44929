//! The autoscaler's conditions: three statements about itself, each with a reason from a closed set.

use model::time::Timestamp;

/// A statement is true or false because of its reason; a reason never occurs with both.
pub trait Reason: Copy + PartialEq {
    fn holds(self) -> bool;

    /// The reason's name in Kubernetes.
    fn name(self) -> &'static str;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition<R> {
    pub reason: R,
    /// Since when the statement has been as true as it is.
    pub since: Timestamp,
}

/// All conditions; what was never judged is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    pub able_to_scale: Option<Condition<AbleToScale>>,
    pub scaling_active: Option<Condition<ScalingActive>>,
    pub scaling_limited: Option<Condition<ScalingLimited>>,
}

/// Makes a set of reasons with their Kubernetes names and truth.
macro_rules! reasons {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $reason:ident: $holds:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$what])* $reason,)+ }

        impl Reason for $name {
            fn holds(self) -> bool {
                match self { $(Self::$reason => $holds,)+ }
            }

            fn name(self) -> &'static str {
                match self { $(Self::$reason => stringify!($reason),)+ }
            }
        }
    };
}

reasons! {
    /// Whether the workload can be scaled at all.
    AbleToScale {
        FailedGetScale: false,
        SucceededGetScale: true,
        /// Recommended is what is there.
        ReadyForNewScale: true,
        /// A recent recommendation was higher and is followed.
        ScaleDownStabilized: true,
        /// A recent recommendation was lower and is followed.
        ScaleUpStabilized: true,
        SucceededRescale: true,
    }
}

reasons! {
    /// Whether the autoscaler scales by metrics.
    ScalingActive {
        /// Somebody set the replicas to zero, which switches the autoscaler off.
        ScalingDisabled: false,
        InvalidSelector: false,
        AmbiguousSelector: false,
        FailedGetResourceMetric: false,
        FailedGetContainerResourceMetric: false,
        FailedGetPodsMetric: false,
        FailedGetObjectMetric: false,
        FailedGetExternalMetric: false,
        ValidMetricFound: true,
    }
}

reasons! {
    /// Whether something keeps the autoscaler from the replicas it wants.
    ScalingLimited {
        DesiredWithinRange: false,
        TooFewReplicas: true,
        TooManyReplicas: true,
        ScaleUpLimit: true,
        ScaleDownLimit: true,
    }
}

/// Sets a condition; its time changes only with its truth.
pub(super) fn set<R: Reason>(condition: &mut Option<Condition<R>>, now: Timestamp, reason: R) {
    let since = match *condition {
        Some(before) if before.reason.holds() == reason.holds() => before.since,
        _ => now,
    };
    *condition = Some(Condition { reason, since });
}
