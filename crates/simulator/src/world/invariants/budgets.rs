//! Disruption budgets are counted right and kept. Preemption may break them, as upstream lets it.

use super::ensure;
use crate::controllers::disruption::{CoveredPods, DisruptionBudget};
use crate::controllers::int_or_percent::IntOrPercent;
use crate::world::SimulatedWorld;
use crate::world::agenda::Event;
use crate::world::cluster::Cluster;
use crate::world::pods::Phase;

pub(super) fn counts(world: &SimulatedWorld) -> Result<(), String> {
    for (number, (spec, workload)) in world.spec.workloads.iter().zip(world.workloads.iter()).enumerate() {
        for (index, placement) in workload.placements.iter() {
            let cluster = &world.clusters[*index];
            let kept = cluster.budgets.of(number as u32).map(|guarded| guarded.pods);
            let wanted = spec.disruption_budget.map(|_| recount(cluster, number as u32, placement.replicas));
            ensure(kept == wanted, || {
                format!("{} in {}: counted {wanted:?}, kept {kept:?}", spec.reference, cluster.name)
            })?;
        }
    }
    Ok(())
}

fn recount(cluster: &Cluster, workload: u32, replicas: u32) -> CoveredPods {
    let mine = || cluster.pods.iter().filter(|pod| pod.owner.workload == workload);
    let healthy = mine().filter(|pod| pod.phase == Phase::Ready).count() as u32;
    CoveredPods { replicas, existing: mine().count() as u32, healthy }
}

pub(super) fn are_kept(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for granted in &cluster.granted {
            let spec = &world.spec.workloads[granted.workload as usize];
            let budget = spec.disruption_budget.ok_or("only budgets are noted")?;
            let needed = needed(budget, granted.replicas);
            ensure(granted.ready_left >= needed, || {
                format!("{} in {}: {granted:?}, but it needs {needed}", spec.reference, cluster.name)
            })?;
        }
    }
    Ok(())
}

/// Written down once more, to be compared.
fn needed(budget: DisruptionBudget, replicas: u32) -> u32 {
    let share = |bound: IntOrPercent| match bound {
        IntOrPercent::Count(count) => count,
        IntOrPercent::Percent(percent) => (percent * replicas).div_ceil(100),
    };
    match budget {
        DisruptionBudget::MinAvailable(least) => share(least),
        DisruptionBudget::MaxUnavailable(most) => replicas.max(share(most)) - share(most),
    }
}

pub(super) fn drains_go_on(world: &SimulatedWorld) -> Result<(), String> {
    for cluster in &world.clusters {
        for id in cluster.node_ids() {
            let Some(drain) = cluster.node(id).and_then(|record| record.drain) else { continue };
            let on_it = cluster.pods.iter().filter(|pod| pod.node == Some(id) && pod.phase == Phase::Ready);
            let goes_on = |event: &Event| matches!(event, Event::DrainContinues { cluster: at, node } if (*at, *node) == (cluster.index, id));
            let follows =
                drain.again_at.is_some_and(|at| at >= world.now()) && world.agenda.planned().any(goes_on);
            ensure(on_it.count() == 0 || follows, || format!("{drain:?} of {id:?} in {}", cluster.name))?;
        }
    }
    Ok(())
}
