//! Workloads as they were last observed, filtered and sorted.

use super::world::snapshot;
use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Names, Query, page_length};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{WorkloadItem, WorkloadPage};
use crate::desk::Desk;
use crate::storage::tables::page::Direction;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::names::WorkloadRef;
use model::snapshot::WorkloadView;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

const LONGEST_PAGE: usize = 500;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/workloads", "listWorkloads", list)
            .does("Workloads as they were last observed")
            .needs(Right::SeeWorld)
            .narrowed()
            .query::<WorkloadQuery>()
            .answers::<WorkloadPage>(),
        get("/api/v1/workloads/{kind}/{namespace}/{name}", "getWorkload", show)
            .does("One workload with its placements")
            .needs(Right::SeeWorld)
            .narrowed()
            .answers::<WorkloadItem>(),
    ]
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
    /// What to sort by, with a minus for descending: name, the usual one, cpu, what all replicas request, or cluster, the first of them.
    sort: Option<String>,
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

impl WorkloadQuery {
    fn fits(&self, name: &WorkloadRef, view: &WorkloadView) -> bool {
        let here = |cluster: &String| view.placements.keys().any(|name| name.as_str() == cluster);
        self.cluster.as_ref().is_none_or(here)
            && self.namespace.as_ref().is_none_or(|namespace| name.namespace() == namespace)
            && self.search.as_ref().is_none_or(|text| name.to_string().contains(text.as_str()))
            && self.pending.is_none_or(|wanted| (view.pods_pending() > 0) == wanted)
    }

    fn sort(&self) -> Result<Sort, Problem> {
        let text = self.sort.as_deref().unwrap_or("name");
        let (name, direction) =
            text.strip_prefix('-').map_or((text, Direction::Ascending), |name| (name, Direction::Descending));
        let key = [SortKey::Name, SortKey::Cpu, SortKey::Cluster].into_iter().find(|key| key.name() == name);
        let detail = format!("Workloads are not sorted by {name:?}; try name, cpu or cluster.");
        let wrong = || Problem::new(Kind::Malformed, detail).with_field("sort", "unknown");
        key.map(|key| Sort { key, direction }).ok_or_else(wrong)
    }

    fn length(&self) -> Result<usize, Problem> {
        page_length(self.limit, 100, LONGEST_PAGE)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SortKey {
    Name,
    Cpu,
    Cluster,
}

impl SortKey {
    const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Cpu => "cpu",
            Self::Cluster => "cluster",
        }
    }

    fn of(self, view: &WorkloadView) -> Key {
        match self {
            Self::Name => Key::None,
            Self::Cpu => Key::Number(view.each.cpu.0.saturating_mul(u64::from(view.replicas))),
            Self::Cluster => {
                Key::Text(view.placements.keys().next().map(ToString::to_string).unwrap_or_default())
            }
        }
    }
}

/// The order of a list. Ties are broken by name, in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sort {
    key: SortKey,
    direction: Direction,
}

/// What a workload is sorted by before its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Key {
    None,
    Number(u64),
    Text(String),
}

/// Where a workload stands in a list, and what a cursor says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    key: Key,
    workload: WorkloadRef,
}

impl Sort {
    fn place(self, name: &WorkloadRef, view: &WorkloadView) -> Place {
        Place { key: self.key.of(view), workload: name.clone() }
    }

    fn compare(self, one: &Place, other: &Place) -> Ordering {
        let order = one.key.cmp(&other.key).then_with(|| one.workload.cmp(&other.workload));
        if self.direction == Direction::Ascending { order } else { order.reverse() }
    }

    fn encode(self, place: &Place) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&(self, place)).expect("a cursor is plain data"))
    }

    fn decode(self, text: &str) -> Result<Place, Problem> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok();
        let read: Option<(Self, Place)> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let wrong =
            || Problem::new(Kind::Malformed, "The cursor is not one of ours; begin again without one.");
        read.filter(|(sort, _)| *sort == self).map(|(_, place)| place).ok_or_else(wrong)
    }
}

async fn list(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<WorkloadQuery>,
) -> Result<Json<WorkloadPage>, Problem> {
    let (now, limit, sort) = (desk.now(), query.length()?, query.sort()?);
    let after = query.cursor.as_deref().map(|text| sort.decode(text)).transpose()?;
    let Ok(snapshot) = snapshot(&now, &caller) else {
        return Ok(Json(WorkloadPage { items: Vec::new(), total: 0, next_cursor: None, as_of: now.at.0 }));
    };
    let fitting = || snapshot.workloads.iter().filter(|(name, view)| query.fits(name, view));
    let mut rows: Vec<(Place, &WorkloadView)> =
        fitting().map(|(name, view)| (sort.place(name, view), view)).collect();
    let total = rows.len();
    rows.retain(|(place, _)| after.as_ref().is_none_or(|after| sort.compare(place, after).is_gt()));
    rows.sort_unstable_by(|(one, _), (other, _)| sort.compare(one, other));
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = rows.last().filter(|_| more).map(|(place, _)| sort.encode(place));
    let items = rows.iter().map(|(place, view)| WorkloadItem::new(&place.workload, view)).collect();
    Ok(Json(WorkloadPage { items, total, next_cursor, as_of: snapshot.taken_at.0 }))
}

async fn show(
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
