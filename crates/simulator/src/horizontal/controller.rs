//! One autoscaler through time: each reconciliation adds to a history that the next one looks back on.

use super::calculator::Calculator;
use super::combine::{self, Wish};
use super::conditions::{AbleToScale, Conditions, ScalingActive, ScalingLimited, set};
use super::decision::{
    Decision, Failure, MetricError, Metrics, Proposal, Rescale, RescaleReason, Scale, Selection,
};
use super::history::{Recommendation, ScaleEvent, stabilize, stabilize_with_behavior, store_event};
use super::limits::{Bounds, Events, limit, limit_with_behavior};
use super::pods::TargetPod;
use super::settings::Settings;
use super::spec::{Behavior, HorizontalSpec};
use model::time::Timestamp;
use std::cmp::Ordering;

/// The state of one autoscaler. A new one knows nothing, as after a restart of the controller.
#[derive(Clone, Debug)]
pub struct Controller {
    settings: Settings,
    /// Nothing until the first reconciliation, which takes the present size as the first recommendation.
    recommendations: Option<Vec<Recommendation>>,
    ups: Vec<ScaleEvent>,
    downs: Vec<ScaleEvent>,
    conditions: Conditions,
    desired: Option<u32>,
    last_scaled: Option<Timestamp>,
}

/// What a reconciliation comes to, apart from status.
enum Outcome {
    /// Nothing can or may be done.
    Keep(Option<Failure>),
    Resize(u32, RescaleReason, Option<Failure>),
}

impl Controller {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            recommendations: None,
            ups: Vec::new(),
            downs: Vec::new(),
            conditions: Conditions::default(),
            desired: None,
            last_scaled: None,
        }
    }

    /// One that remembers earlier recommendations; with none at all the present size does not count as one.
    pub fn with_recommendations(settings: Settings, recommendations: Vec<Recommendation>) -> Self {
        Self { recommendations: Some(recommendations), ..Self::new(settings) }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// When it last changed the replicas.
    pub fn last_scaled(&self) -> Option<Timestamp> {
        self.last_scaled
    }

    /// Decides once. No scale means that the workload cannot be read. The caller carries the change out: it is taken
    /// as done.
    pub fn reconcile(
        &mut self,
        now: Timestamp,
        spec: &HorizontalSpec,
        scale: Option<Scale>,
        pods: &[TargetPod<'_>],
        metrics: &impl Metrics,
    ) -> Decision {
        let Some(scale) = scale else {
            set(&mut self.conditions.able_to_scale, now, AbleToScale::FailedGetScale);
            return self.answer(None, None, Vec::new(), Some(Failure::ScaleUnavailable));
        };
        set(&mut self.conditions.able_to_scale, now, AbleToScale::SucceededGetScale);
        let current = scale.spec_replicas;
        self.recommendations.get_or_insert_with(|| vec![Recommendation { replicas: current, at: now }]);
        let (outcome, proposals) = if current == 0 && spec.min_replicas != 0 {
            set(&mut self.conditions.scaling_active, now, ScalingActive::ScalingDisabled);
            self.desired = Some(0);
            (Outcome::Keep(None), Vec::new())
        } else if current > spec.max_replicas {
            (Outcome::Resize(spec.max_replicas, RescaleReason::AboveMaximum, None), Vec::new())
        } else if current < spec.min_replicas {
            (Outcome::Resize(spec.min_replicas, RescaleReason::BelowMinimum, None), Vec::new())
        } else if let Some(reason) = selection_problem(scale.selection) {
            set(&mut self.conditions.scaling_active, now, reason);
            (Outcome::Keep(Some(Failure::Selection)), Vec::new())
        } else {
            let tolerances = spec.tolerances(&self.settings);
            let calculator = Calculator { now, settings: &self.settings, tolerances, current, pods };
            let proposals = combine::proposals(&calculator, &spec.metrics, &scale, metrics);
            let failure = proposals.iter().any(Result::is_err).then_some(Failure::Metrics);
            let wish = combine::wish(&spec.metrics, &proposals, current);
            (self.follow(now, spec, current, wish, failure), proposals)
        };
        let (rescale, failure) = self.conclude(now, spec, current, &outcome);
        self.answer(Some(current), rescale, proposals, failure)
    }

    /// Turns a wish into the size that history and limits allow.
    fn follow(
        &mut self,
        now: Timestamp,
        spec: &HorizontalSpec,
        current: u32,
        wish: Result<Wish, ScalingActive>,
        failure: Option<Failure>,
    ) -> Outcome {
        let wish = match wish {
            Ok(wish) => wish,
            Err(reason) => {
                set(&mut self.conditions.scaling_active, now, reason);
                return Outcome::Keep(failure);
            }
        };
        set(&mut self.conditions.scaling_active, now, ScalingActive::ValidMetricFound);
        let bounds = Bounds { minimum: spec.min_replicas, maximum: spec.max_replicas };
        let (allowed, limited) = match &spec.behavior {
            None => self.pace_of_old(now, current, wish.replicas, bounds),
            Some(behavior) => self.pace_of(now, current, wish.replicas, bounds, behavior),
        };
        set(&mut self.conditions.scaling_limited, now, limited);
        let reason = match wish.replicas.cmp(&current) {
            Ordering::Greater => RescaleReason::MetricAboveTarget(wish.metric),
            Ordering::Less => RescaleReason::AllMetricsBelowTarget,
            Ordering::Equal => RescaleReason::EarlierRecommendation,
        };
        Outcome::Resize(allowed, reason, failure)
    }

    fn pace_of_old(
        &mut self,
        now: Timestamp,
        current: u32,
        wished: u32,
        bounds: Bounds,
    ) -> (u32, ScalingLimited) {
        let log = self.recommendations.get_or_insert_default();
        let stable = stabilize(log, now, wished, self.settings.downscale_stabilization);
        self.note_stabilized(now, wished, stable, AbleToScale::ScaleDownStabilized);
        limit(current, stable, bounds, &self.settings)
    }

    fn pace_of(
        &mut self,
        now: Timestamp,
        current: u32,
        wished: u32,
        bounds: Bounds,
        behavior: &Behavior,
    ) -> (u32, ScalingLimited) {
        let log = self.recommendations.get_or_insert_default();
        let up = behavior.scale_up.stabilization_window.unwrap_or_default();
        let down = behavior.scale_down.stabilization_window.unwrap_or(self.settings.downscale_stabilization);
        let stable = stabilize_with_behavior(log, now, current, wished, up, down);
        let reason =
            if wished >= current { AbleToScale::ScaleUpStabilized } else { AbleToScale::ScaleDownStabilized };
        self.note_stabilized(now, wished, stable, reason);
        let events = Events { ups: &self.ups, downs: &self.downs };
        limit_with_behavior(now, current, stable, bounds, behavior, events)
    }

    fn note_stabilized(&mut self, now: Timestamp, wished: u32, stable: u32, reason: AbleToScale) {
        let reason = if stable == wished { AbleToScale::ReadyForNewScale } else { reason };
        set(&mut self.conditions.able_to_scale, now, reason);
    }

    /// Remembers what is decided.
    fn conclude(
        &mut self,
        now: Timestamp,
        spec: &HorizontalSpec,
        current: u32,
        outcome: &Outcome,
    ) -> (Option<Rescale>, Option<Failure>) {
        let (to, reason, failure) = match *outcome {
            Outcome::Keep(failure) => return (None, failure),
            Outcome::Resize(to, reason, failure) => (to, reason, failure),
        };
        self.desired = Some(to);
        if to == current {
            return (None, failure);
        }
        set(&mut self.conditions.able_to_scale, now, AbleToScale::SucceededRescale);
        self.last_scaled = Some(now);
        match &spec.behavior {
            // Without policies nobody will ask.
            None => {}
            Some(behavior) if to > current => {
                store_event(&mut self.ups, &behavior.scale_up, to - current, now);
            }
            Some(behavior) => store_event(&mut self.downs, &behavior.scale_down, current - to, now),
        }
        (Some(Rescale { from: current, to, reason }), failure)
    }

    fn answer(
        &self,
        current: Option<u32>,
        rescale: Option<Rescale>,
        metrics: Vec<Result<Proposal, MetricError>>,
        failure: Option<Failure>,
    ) -> Decision {
        Decision {
            current_replicas: current,
            desired_replicas: self.desired,
            rescale,
            metrics,
            failure,
            conditions: self.conditions,
        }
    }
}

fn selection_problem(selection: Selection) -> Option<ScalingActive> {
    match selection {
        Selection::Clear => None,
        Selection::Invalid => Some(ScalingActive::InvalidSelector),
        Selection::Ambiguous => Some(ScalingActive::AmbiguousSelector),
    }
}
