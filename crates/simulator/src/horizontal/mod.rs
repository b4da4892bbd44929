//! The horizontal pod autoscaler (`autoscaling/v2`): how many replicas a workload should have, from what is measured.
//!
//! ```text
//! file ─► raw ─► check ─► HorizontalSpec ─┐
//!                                         ▼
//! scale, pods, metrics ─► proposal per metric ─► largest ─► stabilised ─► limited ─► Decision
//!                                                             ▲ history of the Controller
//! ```
//!
//! The rules are those of Kubernetes 1.35 (`pkg/controller/podautoscaler`), metric by metric and in its integers:
//! amounts are thousandths of a unit, utilisation is whole per cent.
//!
//! Left out: who reads metrics, who writes the scale, and that writing may fail; two autoscalers on the same pods are
//! only reported, through [`Selection::Ambiguous`].

mod calculator;
mod check;
mod combine;
mod conditions;
mod controller;
mod decision;
mod history;
mod limits;
mod pods;
pub mod raw;
mod requests;
mod settings;
mod spec;
mod usage;

pub use calculator::Calculator;
pub use check::{check, read};
pub use conditions::{AbleToScale, Condition, Conditions, Reason, ScalingActive, ScalingLimited};
pub use controller::Controller;
pub use decision::{
    Current, Decision, Failure, MetricError, Metrics, Proposal, Rescale, RescaleReason, Scale, Selection,
    Unavailable, quantity,
};
pub use history::{
    Recommendation, ScaleEvent, changed_within, stabilize, stabilize_with_behavior, store_event,
};
pub use limits::{Bounds, Events, limit, limit_with_behavior, scale_down_limit, scale_up_limit};
pub use pods::{Groups, PodSamples, Readiness, Sample, TargetPod, group};
pub use requests::{pod_request, pod_requests};
pub use settings::Settings;
pub use spec::{
    Behavior, HorizontalSpec, MetricIdentifier, MetricSpec, MilliTarget, ObjectReference, PodTarget, Policy,
    ScalingRules, SelectPolicy, Step, Tolerances, WholeTarget,
};

#[cfg(test)]
mod tests;
