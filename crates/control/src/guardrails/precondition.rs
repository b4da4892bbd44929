//! The observation is fresh and complete enough, and the world still is in the state the action starts from.

use super::{Ground, Refusal, known, known_pool};
use model::action::{Action, Spot};
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{GapSubject, PlacementView, WorkloadView};

pub(super) fn fresh(ground: &Ground<'_>, _: &Action) -> Result<(), Refusal> {
    let (age, limit) = (ground.now.since(ground.snapshot.taken_at), ground.config.max_snapshot_age);
    if age > limit { Err(Refusal::StaleSnapshot { age, limit }) } else { Ok(()) }
}

/// Unknown is not absent: no step on a cluster or a workload that could not be seen.
pub(super) fn visible(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    for cluster in action.clusters() {
        if ground.snapshot.gap_of_cluster(cluster).is_some() {
            return Err(Refusal::ClusterNotVisible { cluster: cluster.clone() });
        }
        known(ground, &ground.snapshot.clusters, cluster)?;
    }
    match action.workload() {
        Some(workload) if hidden(ground, workload) => {
            Err(Refusal::WorkloadNotVisible { workload: workload.clone() })
        }
        _ => Ok(()),
    }
}

fn hidden(ground: &Ground<'_>, workload: &WorkloadRef) -> bool {
    let gaps = ground.snapshot.gaps.iter();
    gaps.map(|gap| &gap.subject).any(|subject| matches!(subject, GapSubject::Workload(of) if of == workload))
}

pub(super) fn changes_something(_: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    if action.is_idle() { Err(Refusal::ChangesNothing) } else { Ok(()) }
}

pub(super) fn still_true(ground: &Ground<'_>, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Migrate { workload, from, replicas, .. } => replicas_are(ground, workload, from, *replicas),
        Action::Scale { workload, cluster, from, .. } => replicas_are(ground, workload, cluster, *from),
        Action::Move { workload, cluster, from, to } => {
            placement(ground, workload, cluster)?;
            spot_exists(ground, cluster, from).and_then(|()| spot_exists(ground, cluster, to))
        }
        Action::ResizePool { cluster, pool, from, .. } => {
            let view = known_pool(ground, cluster, pool)?;
            same(&format!("{from} nodes"), &format!("{} nodes", view.nodes + view.booting))
        }
        Action::Hold { .. } => Ok(()),
    }
}

fn replicas_are(
    ground: &Ground<'_>,
    workload: &WorkloadRef,
    cluster: &ClusterName,
    replicas: u32,
) -> Result<(), Refusal> {
    let found = placement(ground, workload, cluster)?.map_or(0, |placement| placement.replicas);
    same(&format!("{replicas} replicas in {cluster}"), &format!("{found} replicas in {cluster}"))
}

fn placement<'a>(
    ground: &'a Ground<'_>,
    workload: &WorkloadRef,
    cluster: &ClusterName,
) -> Result<Option<&'a PlacementView>, Refusal> {
    let view: Option<&WorkloadView> = ground.snapshot.workloads.get(workload);
    let view = view.ok_or_else(|| Refusal::UnknownWorkload { workload: workload.clone() })?;
    Ok(view.placements.get(cluster))
}

fn spot_exists(ground: &Ground<'_>, cluster: &ClusterName, spot: &Spot) -> Result<(), Refusal> {
    let view = known(ground, &ground.snapshot.clusters, cluster)?;
    let known = match spot {
        Spot::Node(node) => view.nodes.contains_key(node),
        Spot::Pool(pool) => view.pools.contains_key(pool),
    };
    if known { Ok(()) } else { Err(Refusal::UnknownPool { cluster: cluster.clone() }) }
}

fn same(expected: &str, found: &str) -> Result<(), Refusal> {
    if expected == found {
        return Ok(());
    }
    Err(Refusal::PreconditionChanged { expected: expected.to_owned(), found: found.to_owned() })
}
