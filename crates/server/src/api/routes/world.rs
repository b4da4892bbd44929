//! The federation as it was last observed.

use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Names;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{ClusterDetail, ClusterItem, Status};
use crate::desk::Desk;
use crate::live::Now;
use crate::storage::tables::recommendations;
use axum::extract::State;
use model::names::ClusterName;
use model::snapshot::{GapSubject, Snapshot};
use std::borrow::Cow;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/status", "getStatus", status)
            .does("How the desk and its federation stand")
            .needs(Right::SeeWorld)
            .narrowed()
            .answers::<Status>(),
        get("/api/v1/clusters", "listClusters", clusters)
            .does("All clusters as they were last observed")
            .needs(Right::SeeWorld)
            .narrowed()
            .answers::<Vec<ClusterItem>>(),
        get("/api/v1/clusters/{cluster}", "getCluster", cluster)
            .does("One cluster with its pools and nodes")
            .needs(Right::SeeWorld)
            .narrowed()
            .answers::<ClusterDetail>(),
    ]
}

async fn status(State(desk): State<Desk>, caller: Caller) -> Result<Json<Status>, Problem> {
    let (now, sight) = (desk.now(), caller.sight());
    let status = Status::new(&now, desk.scenario());
    if sight.is_whole() {
        return Ok(Json(status));
    }
    let (run, within) = (now.run.clone(), sight.within());
    let counts = desk.read(move |connection| recommendations::counts(connection, &run, &within)).await?;
    Ok(Json(status.narrowed(&now, &sight, &counts)))
}

/// The newest snapshot, as far as somebody sees it.
pub(super) fn snapshot<'a>(now: &'a Now, caller: &Caller) -> Result<Cow<'a, Snapshot>, Problem> {
    let missing = || Problem::new(Kind::NotFound, "Nothing was observed yet; try again in a moment.");
    let snapshot = now.snapshot.as_deref().ok_or_else(missing)?;
    Ok(caller.sight().snapshot(snapshot))
}

async fn clusters(State(desk): State<Desk>, caller: Caller) -> Json<Vec<ClusterItem>> {
    let now = desk.now();
    let Ok(snapshot) = snapshot(&now, &caller) else { return Json(Vec::new()) };
    Json(
        snapshot
            .clusters
            .iter()
            .map(|(name, view)| item(&snapshot, name, view))
            .chain(hidden(&snapshot))
            .collect(),
    )
}

fn item(snapshot: &Snapshot, name: &ClusterName, view: &model::snapshot::ClusterView) -> ClusterItem {
    let mut item = ClusterItem::new(name, view);
    if let Some(gap) = snapshot.gap_of_cluster(name) {
        item.hidden_because = Some(gap.reason.clone());
        item.last_seen_at = gap.known_at.map(|at| at.0);
    }
    item
}

/// Clusters of which nothing at all is known at the moment.
fn hidden(snapshot: &Snapshot) -> impl Iterator<Item = ClusterItem> + '_ {
    snapshot.gaps.iter().filter_map(|gap| {
        let GapSubject::Cluster(name) = &gap.subject else { return None };
        if snapshot.clusters.contains_key(name) {
            return None;
        }
        let mut item = ClusterItem::new(name, &model::snapshot::ClusterView::default());
        item.hidden_because = Some(gap.reason.clone());
        item.last_seen_at = gap.known_at.map(|at| at.0);
        Some(item)
    })
}

async fn cluster(
    State(desk): State<Desk>,
    caller: Caller,
    Names(name): Names<String>,
) -> Result<Json<ClusterDetail>, Problem> {
    let now = desk.now();
    let snapshot = snapshot(&now, &caller)?;
    let found = ClusterName::new(&name).ok().and_then(|name| {
        let view = snapshot.clusters.get(&name)?;
        Some(ClusterDetail::new(item(&snapshot, &name, view), view, snapshot.taken_at.0))
    });
    found.map(Json).ok_or_else(|| Problem::not_found(format_args!("cluster {name:?}")))
}
