//! What is reported done can be seen in the world.

use super::ensure;
use crate::world::SimulatedWorld;
use crate::world::pods::{Phase, PodRecord};
use control::world::Applied;
use model::action::{Action, Spot};
use model::names::{ClusterName, WorkloadRef};

/// Only relocations: a size may have been changed again by the scenario.
pub(super) fn is_seen(world: &SimulatedWorld, action: &Action, outcome: &Applied) -> Result<(), String> {
    if *outcome != Applied::Done {
        return Ok(());
    }
    let seen = match action {
        Action::Migrate { workload, from, to, .. } => {
            !is_in(world, workload, from) && is_in(world, workload, to)
        }
        Action::Move { workload, cluster, to, .. } => pods_are_at(world, workload, cluster, to),
        Action::Scale { .. } | Action::ResizePool { .. } | Action::Hold { .. } => true,
    };
    ensure(seen, || {
        let number = action.workload().map(|workload| world.workload_by_name()[workload] as u32);
        let pods = world.clusters.iter().flat_map(|cluster| cluster.pods.iter());
        let pods: Vec<_> = pods.filter(|pod| Some(pod.owner.workload) == number).collect();
        format!("at {}: it is not true that this is done: {action}: {pods:?}", world.now())
    })
}

fn is_in(world: &SimulatedWorld, workload: &WorkloadRef, cluster: &ClusterName) -> bool {
    let placements = &world.workloads[world.workload_by_name()[workload]].placements;
    placements.iter().any(|(index, _)| world.clusters[*index].name == *cluster)
}

fn pods_are_at(world: &SimulatedWorld, workload: &WorkloadRef, cluster: &ClusterName, spot: &Spot) -> bool {
    let number = world.workload_by_name()[workload] as u32;
    let cluster = world.clusters.iter().find(|known| known.name == *cluster).expect("it was acted on");
    let is_there = |pod: &PodRecord| {
        let node = pod.node.and_then(|node| cluster.node(node));
        node.is_some_and(|node| match spot {
            Spot::Node(name) => node.name == *name,
            Spot::Pool(name) => cluster.pools[node.pool].spec.name == *name,
        })
    };
    let mut mine = cluster.pods.iter().filter(|pod| pod.owner.workload == number);
    // Somebody else may have stopped a pod at the same moment; the one that replaces it has no place yet.
    mine.all(|pod| matches!(pod.phase, Phase::Waiting | Phase::Stopping) || is_there(pod))
}
