//! How far the replicas may move now: between minimum and maximum, and no faster than allowed.

use super::conditions::ScalingLimited;
use super::history::{ScaleEvent, changed_within};
use super::settings::Settings;
use super::spec::{Behavior, Policy, ScalingRules, SelectPolicy, Step};
use model::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub minimum: u32,
    pub maximum: u32,
}

/// Recent changes in both directions.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    pub ups: &'a [ScaleEvent],
    pub downs: &'a [ScaleEvent],
}

impl Events<'_> {
    /// The replicas when the policy's period began: what is there, without what was done since. Below zero if
    /// somebody else removed replicas meanwhile.
    fn replicas_before(&self, current: u32, policy: &Policy, now: Timestamp) -> i64 {
        let changed = |events| i64::from(changed_within(events, policy.period, now));
        i64::from(current) - changed(self.ups) + changed(self.downs)
    }
}

/// Without `behavior`: downwards at once, upwards at most by the cluster's factor.
pub fn limit(current: u32, desired: u32, bounds: Bounds, settings: &Settings) -> (u32, ScalingLimited) {
    let grown = current.saturating_mul(settings.scale_up_limit_factor).max(settings.scale_up_limit_minimum);
    if desired < bounds.minimum {
        (bounds.minimum, ScalingLimited::TooFewReplicas)
    } else if desired > grown.min(bounds.maximum) {
        cut_above(grown, bounds)
    } else {
        (desired, ScalingLimited::DesiredWithinRange)
    }
}

/// With `behavior`: each direction at the pace of its policies. Replicas that nobody wants to change are left alone
/// even if they are out of bounds.
pub fn limit_with_behavior(
    now: Timestamp,
    current: u32,
    desired: u32,
    bounds: Bounds,
    behavior: &Behavior,
    events: Events<'_>,
) -> (u32, ScalingLimited) {
    if desired > current {
        let pace = scale_up_limit(now, current, &behavior.scale_up, events).max(current);
        if desired > pace.min(bounds.maximum) {
            return cut_above(pace, bounds);
        }
    } else if desired < current {
        let pace = scale_down_limit(now, current, &behavior.scale_down, events).min(current);
        if desired < pace.max(bounds.minimum) {
            return cut_below(pace, bounds);
        }
    }
    (desired, ScalingLimited::DesiredWithinRange)
}

fn cut_above(pace: u32, bounds: Bounds) -> (u32, ScalingLimited) {
    if bounds.maximum > pace {
        (pace, ScalingLimited::ScaleUpLimit)
    } else {
        (bounds.maximum, ScalingLimited::TooManyReplicas)
    }
}

fn cut_below(pace: u32, bounds: Bounds) -> (u32, ScalingLimited) {
    if bounds.minimum < pace {
        (pace, ScalingLimited::ScaleDownLimit)
    } else {
        (bounds.minimum, ScalingLimited::TooFewReplicas)
    }
}

/// The most replicas that the policies allow now; may be below `current` when more was added than they allow.
pub fn scale_up_limit(now: Timestamp, current: u32, rules: &ScalingRules, events: Events<'_>) -> u32 {
    let allowed = rules.policies.iter().map(|policy| {
        let before = events.replicas_before(current, policy, now);
        match policy.step {
            Step::Pods(pods) => before.saturating_add(i64::from(pods)),
            // Rounded up, or one replica could never become two by less than 100 %.
            Step::Percent(percent) => libm::ceil(before as f64 * (1.0 + f64::from(percent) / 100.0)) as i64,
        }
    });
    let chosen = match rules.select {
        SelectPolicy::Disabled => Some(i64::from(current)),
        SelectPolicy::Min => allowed.min(),
        SelectPolicy::Max => allowed.max(),
    };
    whole(chosen, current)
}

/// The fewest replicas that the policies allow now; may be above `current` when more was removed than they allow.
pub fn scale_down_limit(now: Timestamp, current: u32, rules: &ScalingRules, events: Events<'_>) -> u32 {
    let allowed = rules.policies.iter().map(|policy| {
        let before = events.replicas_before(current, policy, now);
        match policy.step {
            Step::Pods(pods) => before.saturating_sub(i64::from(pods)),
            Step::Percent(percent) => (before as f64 * (1.0 - f64::from(percent) / 100.0)) as i64,
        }
    });
    let chosen = match rules.select {
        SelectPolicy::Disabled => Some(i64::from(current)),
        // The smallest change leaves the most replicas.
        SelectPolicy::Min => allowed.max(),
        SelectPolicy::Max => allowed.min(),
    };
    whole(chosen, current)
}

/// A direction without policies, which a checked spec does not have, is closed.
fn whole(limit: Option<i64>, current: u32) -> u32 {
    limit.map_or(current, |limit| limit.clamp(0, i64::from(i32::MAX)) as u32)
}
