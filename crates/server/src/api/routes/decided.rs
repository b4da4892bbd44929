//! What agents decided, doing nothing included, read from the record: there is no other copy of it.

use crate::access::Right;
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Names, Query, page_length};
use crate::api::problem::Problem;
use crate::api::wire::{DecisionItem, DecisionPage};
use crate::desk::Desk;
use crate::storage::tables::journal::{self, Entry};
use crate::storage::{Connection, Error};
use axum::extract::State;
use control::world::Explanation;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Entries that are read at a time, and at most, to find them. An agent that has decided nothing within these was quiet for long.
const CHUNK: u32 = 100;
const FARTHEST: usize = 1_000;

/// The kinds of entries in which agents decide.
const DECIDING: [&str; 3] = ["observed", "answered", "proposed"];

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/agents/{name}/decisions", "listDecisions", list)
            .does("What an agent decided, newest first; a short or empty page need not be the last")
            .needs(Right::SeeDesk)
            .query::<DecidedQuery>()
            .answers::<DecisionPage>(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DecidedQuery {
    /// Only decisions of which something came: something new, refused or disregarded, or somebody else who decided.
    telling: Option<bool>,
    /// At this moment of the federation's own time or before, in milliseconds.
    until: Option<i64>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    cursor: Option<String>,
}

async fn list(
    State(desk): State<Desk>,
    Names(name): Names<String>,
    Query(query): Query<DecidedQuery>,
) -> Result<Json<DecisionPage>, Problem> {
    let limit = page_length(query.limit, 20, 100)?;
    if !super::agents::names(&desk).await?.contains(&name) {
        return Err(Problem::not_found(format_args!("agent {name:?}")));
    }
    let run = desk.now().run.clone();
    let page = desk
        .read(move |connection| {
            let before = begin(connection, &run, &query)?;
            let search = Search { agent: &name, telling: query.telling == Some(true) };
            search.newest(connection, &run, before, limit as usize)
        })
        .await?;
    Ok(Json(page))
}

/// The number below which entries are read.
fn begin(connection: &mut dyn Connection, run: &str, query: &DecidedQuery) -> Result<i64, Error> {
    let behind = query.cursor.as_deref().map(str::parse::<i64>).transpose();
    match (behind.map_err(|_| Error::Cursor("it is not one of ours"))?, query.until) {
        (Some(behind), _) => Ok(behind),
        (None, Some(until)) => Ok(journal::last_until(connection, run, until)?.map_or(0, |seq| seq + 1)),
        (None, None) => Ok(i64::MAX),
    }
}

/// Whose decisions are looked for, and which.
pub(super) struct Search<'a> {
    pub(super) agent: &'a str,
    /// Only those of which something came.
    pub(super) telling: bool,
}

impl Search<'_> {
    /// Decisions in entries below a number, newest first. It ends early where nothing is found for long; the page tells where to go on.
    pub(super) fn newest(
        &self,
        connection: &mut dyn Connection,
        run: &str,
        mut before: i64,
        most: usize,
    ) -> Result<DecisionPage, Error> {
        let (mut found, mut searched, mut next) = (Vec::new(), 0, before);
        while searched < FARTHEST && (found.len() < most || found.iter().any(is_blind)) {
            let entries = journal::before(connection, run, &DECIDING, before, CHUNK)?;
            let Some(last) = entries.last() else {
                return Ok(DecisionPage { items: found, next_cursor: None });
            };
            before = last.seq;
            searched += entries.len();
            for entry in &entries {
                if found.len() < most {
                    found.extend(self.decisions_in(entry));
                    next = entry.seq;
                }
                look_at(entry, &mut found);
            }
        }
        Ok(DecisionPage { items: found, next_cursor: Some(next.to_string()) })
    }

    fn decisions_in(&self, entry: &Entry) -> Vec<DecisionItem> {
        // Most entries are not about this agent, and reading them takes longer than looking for its name.
        if !entry.body.as_str().contains(self.agent) {
            return Vec::new();
        }
        let body: Value = serde_json::from_str(entry.body.as_str()).unwrap_or_default();
        let effects = body["effects"].as_array().into_iter().flatten();
        let explained = effects.filter_map(|effect| {
            let explain = effect.get("explain").filter(|explain| explain["agent"] == self.agent)?;
            serde_json::from_value::<Explanation>(explain.clone()).ok()
        });
        let place = (entry.seq, entry.at_ms, entry.wall_ms);
        let decisions = explained.map(|decision| DecisionItem::new(place, &decision));
        decisions.filter(|decision| !self.telling || decision.is_telling()).collect()
    }
}

const fn is_blind(decision: &DecisionItem) -> bool {
    decision.snapshot.is_none()
}

/// Going back in time, the first observation that is met is the newest that later decisions could see.
fn look_at(entry: &Entry, later: &mut [DecisionItem]) {
    let mut blind = later.iter_mut().rev().take_while(|decision| is_blind(decision)).peekable();
    let Some(snapshot) = blind.peek().and_then(|_| snapshot_of(entry)) else { return };
    for decision in blind {
        decision.snapshot = Some(snapshot.clone());
        decision.snapshot_seq = Some(entry.seq);
    }
}

/// The hash of what an entry says was observed.
fn snapshot_of(entry: &Entry) -> Option<String> {
    #[derive(Deserialize)]
    struct Body {
        input: Observed,
    }
    #[derive(Deserialize)]
    struct Observed {
        snapshot: String,
    }
    let body: Option<Body> = serde_json::from_str(entry.body.as_str()).ok();
    body.map(|body| body.input.snapshot)
}
