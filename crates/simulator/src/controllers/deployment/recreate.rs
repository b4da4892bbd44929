//! Recreate: all old pods go before the first new one comes.

use super::{Command, DeploymentSpec, ReplicaSetView};

pub(super) fn step(
    spec: &DeploymentSpec,
    new: Option<&ReplicaSetView>,
    old: &[ReplicaSetView],
    commands: &mut Vec<Command>,
) {
    let active = old.iter().filter(|set| set.is_active());
    let mut scaled_down = false;
    for set in active {
        super::resize(spec, set, 0, commands);
        scaled_down = true;
    }
    if scaled_down || old.iter().any(still_runs_pods) {
        return;
    }
    match new {
        None => commands.push(super::create(spec, old, spec.replicas)),
        Some(set) => super::resize(spec, set, spec.replicas, commands),
    }
    super::clean_up_if_complete(spec, new, old, commands);
}

fn still_runs_pods(set: &ReplicaSetView) -> bool {
    set.status.replicas > 0 || set.status.terminating > 0
}
