//! Rolling update: the new set grows as far as the surge allows, else the old sets shrink as far as availability allows.

use super::{Command, DeploymentSpec, ReplicaSetView, Strategy};

/// An old replica set on its way down.
#[derive(Debug, Clone, Copy)]
pub struct OldSet<'a> {
    pub view: &'a ReplicaSetView,
    /// The size it will get.
    pub target: u32,
}

/// What counts of the new set, which may only just be about to exist.
#[derive(Debug, Clone, Copy)]
struct NewSet {
    replicas: u32,
    available: u32,
}

pub(super) fn step(
    spec: &DeploymentSpec,
    new: Option<&ReplicaSetView>,
    old: &[ReplicaSetView],
    commands: &mut Vec<Command>,
) {
    let old_replicas: u32 = old.iter().map(|set| set.replicas).sum();
    let new_set = if let Some(set) = new {
        let replicas = wanted_size(spec, set, old_replicas);
        if replicas != set.replicas {
            return super::resize(spec, set, replicas, commands);
        }
        NewSet { replicas, available: set.status.available }
    } else {
        let replicas = new_set_size(spec, old_replicas, 0);
        commands.push(super::create(spec, old, replicas));
        NewSet { replicas, available: 0 }
    };
    let before = commands.len();
    if old_replicas > 0 {
        shrink_old_sets(spec, new_set, old, commands);
    }
    if commands.len() == before {
        super::clean_up_if_complete(spec, new, old, commands);
    }
}

fn wanted_size(spec: &DeploymentSpec, new: &ReplicaSetView, old_replicas: u32) -> u32 {
    if new.replicas > spec.replicas {
        return spec.replicas;
    }
    new_set_size(spec, old_replicas + new.replicas, new.replicas)
}

/// The size the new set may grow to now, given all pods wanted by all sets together, itself included.
pub fn new_set_size(spec: &DeploymentSpec, all_replicas: u32, new_replicas: u32) -> u32 {
    if spec.strategy == Strategy::Recreate {
        return spec.replicas;
    }
    let room = spec.max_replicas().saturating_sub(all_replicas);
    if room == 0 { new_replicas } else { (new_replicas + room).min(spec.replicas) }
}

fn shrink_old_sets(spec: &DeploymentSpec, new: NewSet, old: &[ReplicaSetView], commands: &mut Vec<Command>) {
    let removable = removable_pods(spec, new, old);
    if removable == 0 {
        return;
    }
    let active = old.iter().filter(|set| set.is_active());
    let mut sets: Vec<OldSet> = active.map(|view| OldSet { view, target: view.replicas }).collect();
    sets.sort_unstable_by_key(|set| set.view.age_order());
    if remove_unhealthy(&mut sets, removable).is_some() {
        remove_surplus(spec, new.available, &mut sets);
    }
    for set in sets {
        super::resize(spec, set.view, set.target, commands);
    }
}

/// How many old pods may go at most: all pods but those that must stay, and but the new pods that do not serve yet.
fn removable_pods(spec: &DeploymentSpec, new: NewSet, old: &[ReplicaSetView]) -> u32 {
    let all: u32 = old.iter().map(|set| set.replicas).sum::<u32>() + new.replicas;
    let new_unavailable = i64::from(new.replicas) - i64::from(new.available);
    let removable = i64::from(all) - i64::from(spec.min_available()) - new_unavailable;
    u32::try_from(removable).unwrap_or(0)
}

/// Takes pods that are not available out of the old sets, oldest set first, at most `limit` of them. Returns how many,
/// or nothing if a set reports more available pods than it wants: it has not caught up with its last change, and
/// upstream then waits, too.
pub fn remove_unhealthy(sets: &mut [OldSet], limit: u32) -> Option<u32> {
    let mut removed = 0;
    for set in sets.iter_mut().filter(|set| set.target > 0) {
        if removed >= limit {
            break;
        }
        let unhealthy = set.target.checked_sub(set.view.status.available)?;
        let taken = unhealthy.min(limit - removed);
        set.target -= taken;
        removed += taken;
    }
    Some(removed)
}

/// Takes pods out of the old sets, oldest set first, as long as enough pods are available. Returns how many.
pub fn remove_surplus(spec: &DeploymentSpec, new_available: u32, sets: &mut [OldSet]) -> u32 {
    let available = new_available + sets.iter().map(|set| set.view.status.available).sum::<u32>();
    let surplus = available.saturating_sub(spec.min_available());
    let mut left = surplus;
    for set in sets {
        let taken = set.target.min(left);
        set.target -= taken;
        left -= taken;
    }
    surplus - left
}
