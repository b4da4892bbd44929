//! Scaling a deployment: the only set in use takes it all; during a rollout each set takes its share.

use super::{Command, DeploymentSpec, ReplicaSetView, Strategy};
use std::cmp::Reverse;

pub(super) fn scale(
    spec: &DeploymentSpec,
    new: Option<&ReplicaSetView>,
    old: &[ReplicaSetView],
    commands: &mut Vec<Command>,
) {
    let active: Vec<&ReplicaSetView> = old.iter().chain(new).filter(|set| set.is_active()).collect();
    match active.as_slice() {
        [] => {
            let latest = new.or_else(|| old.iter().max_by_key(|set| set.age_order()));
            if let Some(set) = latest {
                super::resize(spec, set, spec.replicas, commands);
            }
        }
        [only] => super::resize(spec, only, spec.replicas, commands),
        _ if new.is_some_and(|set| is_saturated(spec, set)) => {
            for set in old {
                super::resize(spec, set, 0, commands);
            }
        }
        _ if spec.strategy == Strategy::Recreate => {}
        _ => {
            let reported = old.iter().chain(new).map(|set| set.status.replicas).sum();
            share_out(spec, active, reported, commands);
        }
    }
}

/// The new set alone carries the whole deployment.
fn is_saturated(spec: &DeploymentSpec, set: &ReplicaSetView) -> bool {
    let marked = set.marks.is_some_and(|marks| marks.desired == spec.replicas);
    marked && set.replicas == spec.replicas && set.status.available == spec.replicas
}

/// Grows or shrinks each set by its share; what rounding leaves over goes to the largest set.
fn share_out(
    spec: &DeploymentSpec,
    mut sets: Vec<&ReplicaSetView>,
    reported: u32,
    commands: &mut Vec<Command>,
) {
    let allowed = if spec.replicas > 0 { spec.max_replicas() } else { 0 };
    let total: u32 = sets.iter().map(|set| set.replicas).sum();
    let change = i64::from(allowed) - i64::from(total);
    sort_for_change(&mut sets, change);
    let mut left = change;
    let mut targets: Vec<i64> = Vec::with_capacity(sets.len());
    for set in &sets {
        let share = share_of(spec, set, reported, left);
        targets.push(i64::from(set.replicas) + share);
        left -= share;
    }
    targets[0] = (targets[0] + left).max(0);
    for (set, target) in sets.iter().zip(targets) {
        let replicas = u32::try_from(target).expect("a share never takes more pods than a set has");
        if replicas != set.replicas || set.marks != Some(spec.size_marks()) {
            commands.push(Command::Scale { set: set.key, replicas, marks: spec.size_marks() });
        }
    }
}

/// Large sets first; among equals newer ones grow and older ones shrink first.
fn sort_for_change(sets: &mut [&ReplicaSetView], change: i64) {
    if change > 0 {
        sets.sort_by_key(|set| Reverse((set.replicas, set.age_order())));
    } else {
        sets.sort_by_key(|set| (Reverse(set.replicas), set.age_order()));
    }
}

/// What one set takes of the change that is `left`, never more than that.
fn share_of(spec: &DeploymentSpec, set: &ReplicaSetView, reported: u32, left: i64) -> i64 {
    match left {
        0 => 0,
        1.. => fraction(spec, set, reported).min(left),
        _ => fraction(spec, set, reported).max(left),
    }
}

/// By how much a set changes to keep its share of the deployment. The size before comes from the set's marks; where
/// they are missing or zero, from the pods the deployment `reported`.
pub fn fraction(spec: &DeploymentSpec, set: &ReplicaSetView, reported: u32) -> i64 {
    let size = i64::from(set.replicas);
    if spec.replicas == 0 {
        return -size;
    }
    let marked = set.marks.map(|marks| marks.max).filter(|max| *max > 0);
    let before = i64::from(marked.unwrap_or(reported));
    if before == 0 {
        return 0;
    }
    let after = i64::from(spec.max_replicas());
    // Halves round up: ⌊x + ½⌋ with x = size · after / before.
    (2 * size * after + before) / (2 * before) - size
}
