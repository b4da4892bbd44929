//! A simulated world like a federation that was observed, so that plans for real clusters can be tried before anybody is asked.
//!
//! What an observation does not tell is filled in: equal nodes within a pool, placement by the simulated scheduler, and whatever the
//! scenario that describes the federation says about moves.

use model::document::to_yaml;
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{ClusterView, PoolView, Snapshot, WorkloadView};
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use simulator::scenario::{self, ReviewerSpec, Scenario, WorldSpec};
use simulator::world::SimulatedWorld;
use std::collections::BTreeSet;
use std::sync::Arc;

use control::world::World as _;

/// What is observed to run has found its node after this long, or does not find one.
const SETTLED: Timestamp = Timestamp(120_000);

/// Longer than anybody looks ahead.
const LIFE: Period = Period::from_hours(24 * 7);

/// A world to try plans in, built when it is needed: that takes time which whoever asks may not have.
#[derive(Clone)]
pub enum Twin {
    /// A copy of the simulated world.
    Copy(Box<SimulatedWorld>),
    /// A world like the observed one. The spec says what an observation does not.
    Like(Arc<Snapshot>, Arc<WorldSpec>),
}

impl Twin {
    /// The world, or why none can be built from what was observed.
    pub fn build(self) -> Result<SimulatedWorld, String> {
        match self {
            Self::Copy(world) => Ok(*world),
            Self::Like(snapshot, spec) => like(&snapshot, &spec),
        }
    }
}

fn like(snapshot: &Snapshot, spec: &WorldSpec) -> Result<SimulatedWorld, String> {
    let text = to_yaml(&scenario(snapshot));
    let read: Scenario<Value> = scenario::read("the observed federation", text.as_bytes())
        .map_err(|problems| problems.to_string())?;
    let world = WorldSpec {
        name: spec.name.clone(),
        kubernetes: spec.kubernetes,
        migration: spec.migration,
        limits: spec.limits,
        ..read.world
    };
    let reviewer = ReviewerSpec { present: false, ..read.reviewer };
    let mut world = SimulatedWorld::new(Arc::new(world), reviewer, 1);
    while world.now() < SETTLED {
        let Ok(next) = world.next_input(SETTLED);
        if next.is_none() {
            break;
        }
    }
    Ok(world)
}

fn scenario(snapshot: &Snapshot) -> Value {
    let clusters: Vec<Value> = with_nodes(snapshot).map(|(name, view)| cluster(name, view)).collect();
    let there: BTreeSet<&ClusterName> = with_nodes(snapshot).map(|(name, _)| name).collect();
    let workloads: Vec<Value> =
        snapshot.workloads.iter().filter_map(|(name, view)| workload(name, view, &there)).collect();
    json!({
        "drover": "scenario/v1", "name": "twin", "duration": LIFE, "clusters": clusters,
        "workloads": workloads,
    })
}

/// Where nothing can run there is nothing to rehearse.
fn with_nodes(snapshot: &Snapshot) -> impl Iterator<Item = (&ClusterName, &ClusterView)> {
    snapshot.clusters.iter().filter(|(_, view)| !view.pools.is_empty())
}

fn cluster(name: &ClusterName, view: &ClusterView) -> Value {
    let pools = view.pools.iter().map(|(name, view)| pool(name.as_str(), view.nodes + view.booting, view));
    json!({ "name": name, "pools": pools.collect::<Vec<_>>() })
}

/// A pool of a scenario like one that was observed, with so many nodes at the start.
pub(crate) fn pool(name: &str, nodes: u32, view: &PoolView) -> Value {
    json!({
        "name": name, "nodes": nodes, "minimum": view.minimum.min(nodes), "maximum": view.maximum.max(nodes),
        "cpu": view.node_capacity.cpu, "memory": view.node_capacity.memory,
        "pods": view.node_capacity.pods.clamp(1, 10_000), "price_per_hour": view.price_per_hour,
        "boot_time": view.boot_time,
    })
}

/// A workload with its replicas where they were seen to be wanted; nothing if nowhere.
fn workload(name: &WorkloadRef, view: &WorkloadView, there: &BTreeSet<&ClusterName>) -> Option<Value> {
    let wanted: Vec<(&ClusterName, u32)> = view
        .placements
        .iter()
        .filter(|(cluster, placement)| placement.replicas > 0 && there.contains(cluster))
        .map(|(name, placement)| (name, placement.replicas))
        .collect();
    let mut written = json!({
        "name": name.name(), "namespace": name.namespace(), "kind": name.kind(), "cpu": view.each.cpu,
        "memory": view.each.memory, "replicas": wanted.iter().map(|(_, replicas)| replicas).sum::<u32>(),
    });
    match wanted.as_slice() {
        [] => return None,
        [(cluster, _)] => written["cluster"] = json!(cluster),
        several => written["placement"] = divided(several),
    }
    Some(written)
}

/// The placement of a policy that gives each cluster its number.
fn divided(wanted: &[(&ClusterName, u32)]) -> Value {
    let names: Vec<&ClusterName> = wanted.iter().map(|(name, _)| *name).collect();
    let weight = |(name, replicas): &(&ClusterName, u32)| json!({ "targetCluster": { "clusterNames": [name] }, "weight": replicas });
    let weights: Vec<Value> = wanted.iter().map(weight).collect();
    json!({
        "clusterAffinity": { "clusterNames": names },
        "replicaScheduling": {
            "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
            "weightPreference": { "staticWeightList": weights },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::world::{Effect, Input};

    const WAVES: &str = include_str!("../../../scenarios/three-waves.yaml");

    fn waves_at(moment: Timestamp) -> (SimulatedWorld, Arc<WorldSpec>) {
        let read: Scenario<Value> = scenario::read("three-waves.yaml", WAVES.as_bytes()).unwrap();
        let spec = Arc::new(read.world);
        let mut world = SimulatedWorld::new(Arc::clone(&spec), read.reviewer, 1);
        while world.now() < moment {
            let Ok(Some(_)) = world.next_input(moment) else { panic!("the world goes on") };
        }
        (world, spec)
    }

    fn observed(world: &mut SimulatedWorld) -> Arc<Snapshot> {
        let Ok(()) = world.start(Effect::Observe);
        loop {
            let Ok(Some((_, input))) = world.next_input(world.now() + Period::from_secs(10)) else {
                panic!("the world goes on")
            };
            if let Input::Observed(snapshot) = input {
                return snapshot;
            }
        }
    }

    #[test]
    fn a_twin_shows_what_was_observed() {
        let (mut world, spec) = waves_at(Timestamp(200_000));
        let seen = observed(&mut world);
        assert!(seen.clusters.values().any(|view| view.pods_pending > 0), "the third wave does not fit");
        let mut twin = Twin::Like(Arc::clone(&seen), spec).build().expect("a twin");
        let shown = observed(&mut twin);
        for (name, view) in &seen.clusters {
            let twin = &shown.clusters[name];
            assert_eq!(
                (twin.capacity, twin.allocated, twin.requested, twin.pods_pending),
                (view.capacity, view.allocated, view.requested, view.pods_pending),
                "{name}"
            );
        }
        let placed = |snapshot: &Snapshot| -> Vec<(WorkloadRef, Vec<(ClusterName, u32)>)> {
            let of = |view: &WorkloadView| {
                view.placements.iter().map(|(name, placed)| (name.clone(), placed.replicas)).collect()
            };
            snapshot.workloads.iter().map(|(name, view)| (name.clone(), of(view))).collect()
        };
        assert_eq!(placed(&shown), placed(&seen));
    }

    #[test]
    fn a_cluster_without_nodes_does_not_keep_the_others_from_being_rehearsed() {
        let (mut world, spec) = waves_at(Timestamp(200_000));
        let mut seen = (*observed(&mut world)).clone();
        let member2 = ClusterName::new("member2").unwrap();
        let placed = |view: &WorkloadView| view.placements.contains_key(&member2);
        assert!(!seen.workloads.values().any(placed), "everything is in member1");
        let home = seen.workloads.values().next().unwrap().home().unwrap().clone();
        seen.clusters.get_mut(&home).unwrap().pools.clear();
        let twin = Twin::Like(Arc::new(seen), spec).build().expect("a twin");
        assert!(twin.now() >= SETTLED);
    }

    #[test]
    fn nothing_observed_is_nothing_to_build() {
        let (_, spec) = waves_at(Timestamp(0));
        assert!(Twin::Like(Arc::default(), spec).build().is_err());
    }
}
