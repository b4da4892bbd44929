//! What the cluster decides for all of its autoscalers; the flag of kube-controller-manager stands beside each.

use model::ratio::Ratio;
use model::time::Period;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `horizontal-pod-autoscaler-sync-period`: how often every autoscaler is asked.
    pub sync_period: Period,
    /// `horizontal-pod-autoscaler-tolerance`: how far a metric may be from its target before anything happens.
    pub tolerance: Ratio,
    /// `horizontal-pod-autoscaler-cpu-initialization-period`: so long after its start a pod's CPU samples are doubted.
    pub cpu_initialization_period: Period,
    /// `horizontal-pod-autoscaler-initial-readiness-delay`: a pod whose readiness last changed within this time of its
    /// start has never been ready.
    pub initial_readiness_delay: Period,
    /// `horizontal-pod-autoscaler-downscale-stabilization`.
    pub downscale_stabilization: Period,
    /// Without `behavior`, replicas grow at most by this factor at a time. Not a flag.
    pub scale_up_limit_factor: u32,
    /// Without `behavior`, so many replicas are always allowed. Not a flag.
    pub scale_up_limit_minimum: u32,
    /// Whether `behavior` may set tolerances (feature gate `HPAConfigurableTolerance`, on since 1.35).
    pub configurable_tolerance: bool,
}

impl Default for Settings {
    /// Kubernetes 1.35.
    fn default() -> Self {
        Self {
            sync_period: Period::from_secs(15),
            tolerance: Ratio::from_percent(10),
            cpu_initialization_period: Period::from_minutes(5),
            initial_readiness_delay: Period::from_secs(30),
            downscale_stabilization: Period::from_minutes(5),
            scale_up_limit_factor: 2,
            scale_up_limit_minimum: 4,
            configurable_tolerance: true,
        }
    }
}
