//! The scheduler's queue holds exactly the pods that wait.

use super::ensure;
use crate::scheduler::queue::Place;
use crate::world::SimulatedWorld;
use crate::world::pods::Phase;

pub(super) fn holds_the_waiting(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        let mut waiting = 0;
        for pod in cluster.pods.iter() {
            let place = cluster.queue.place(pod.key.id);
            let right = match pod.phase {
                Phase::Waiting => place.is_some_and(|place| place != Place::InFlight),
                _ => place.is_none(),
            };
            ensure(right, || format!("{place:?} in the queue of {}: {pod:?}", cluster.name))?;
            waiting += usize::from(pod.phase == Phase::Waiting);
        }
        let queued = cluster.queue.len();
        ensure(queued == waiting, || format!("{queued} queued, {waiting} waiting in {}", cluster.name))?;
    }
    Ok(())
}

pub(super) fn promises(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for nomination in cluster.node_ids().flat_map(|node| cluster.state.nominations(node)) {
            let pod = cluster.pods.by_id(nomination.pod);
            let waits =
                pod.is_some_and(|pod| pod.phase == Phase::Waiting && pod.template == nomination.template);
            ensure(waits, || format!("{nomination:?} in {}: {pod:?}", cluster.name))?;
        }
    }
    Ok(())
}
