//! The federation as it was last observed.

use crate::access::{Caller, Right};
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Names, Query};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{ClusterDetail, ClusterItem, Status, WorkloadItem, WorkloadPage};
use crate::desk::Desk;
use crate::live::Now;
use crate::storage::tables::recommendations;
use axum::Json;
use axum::extract::State;
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{GapSubject, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;
use std::borrow::Cow;

const LONGEST_PAGE: usize = 500;

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
        get("/api/v1/workloads", "listWorkloads", workloads)
            .does("Workloads as they were last observed")
            .needs(Right::SeeWorld)
            .narrowed()
            .query::<WorkloadQuery>()
            .answers::<WorkloadPage>(),
        get("/api/v1/workloads/{kind}/{namespace}/{name}", "getWorkload", workload)
            .does("One workload with its placements")
            .needs(Right::SeeWorld)
            .narrowed()
            .answers::<WorkloadItem>(),
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
fn snapshot<'a>(now: &'a Now, caller: &Caller) -> Result<Cow<'a, Snapshot>, Problem> {
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WorkloadQuery {
    /// Only those with pods here.
    cluster: Option<String>,
    namespace: Option<String>,
    /// Part of the name.
    search: Option<String>,
    /// Only those with pods that wait for a node.
    pending: Option<bool>,
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

impl WorkloadQuery {
    fn fits(&self, name: &WorkloadRef, view: &model::snapshot::WorkloadView) -> bool {
        let here = |cluster: &String| view.placements.keys().any(|name| name.as_str() == cluster);
        self.cluster.as_ref().is_none_or(here)
            && self.namespace.as_ref().is_none_or(|namespace| name.namespace() == namespace)
            && self.search.as_ref().is_none_or(|text| name.to_string().contains(text.as_str()))
            && self.pending.is_none_or(|wanted| (view.pods_pending() > 0) == wanted)
    }
}

async fn workloads(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<WorkloadQuery>,
) -> Result<Json<WorkloadPage>, Problem> {
    let now = desk.now();
    let limit = page_length(query.limit)?;
    let after = query.cursor.as_deref().map(cursor).transpose()?;
    let Ok(snapshot) = snapshot(&now, &caller) else {
        return Ok(Json(WorkloadPage { items: Vec::new(), total: 0, next_cursor: None, as_of: now.at.0 }));
    };
    let fitting = || snapshot.workloads.iter().filter(|(name, view)| query.fits(name, view));
    let behind = fitting().skip_while(|(name, _)| after.as_ref().is_some_and(|after| *name <= after));
    let mut items: Vec<WorkloadItem> =
        behind.take(limit + 1).map(|(name, view)| WorkloadItem::new(name, view)).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| more).map(|item| item.workload.clone());
    Ok(Json(WorkloadPage { total: fitting().count(), items, next_cursor, as_of: snapshot.taken_at.0 }))
}

fn page_length(limit: Option<usize>) -> Result<usize, Problem> {
    match limit.unwrap_or(100) {
        limit @ 1..=LONGEST_PAGE => Ok(limit),
        _ => Err(Problem::new(Kind::Malformed, format!("limit is a number from 1 to {LONGEST_PAGE}."))),
    }
}

fn cursor(text: &str) -> Result<WorkloadRef, Problem> {
    let wrong = |_| Problem::new(Kind::Malformed, "The cursor is not one of ours; begin again without one.");
    text.parse().map_err(wrong)
}

async fn workload(
    State(desk): State<Desk>,
    caller: Caller,
    Names((kind, namespace, name)): Names<(String, String, String)>,
) -> Result<Json<WorkloadItem>, Problem> {
    let now = desk.now();
    let snapshot = snapshot(&now, &caller)?;
    let text = format!("{kind}/{namespace}/{name}");
    let reference: Option<WorkloadRef> = text.parse().ok();
    let found = reference.and_then(|name| snapshot.workloads.get_key_value(&name));
    found
        .map(|(name, view)| Json(WorkloadItem::new(name, view)))
        .ok_or_else(|| Problem::not_found(format_args!("workload {text:?}")))
}
