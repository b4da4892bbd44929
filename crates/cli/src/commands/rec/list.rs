//! `drover rec list`.

use crate::client::{Client, Connection, Request};
use crate::failure::{Failure, Outcome};
use crate::output::{note, print};
use crate::terminal::{Table, clean_json, clock, span};
use anyhow::Context;
use clap::Args;
use model::review::Stage;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use server::api::wire::RecommendationItem;
use std::process::ExitCode;

/// The desk gives at most so many at once.
const LONGEST_PAGE: u32 = 500;

/// What is not over yet.
const OPEN: &str = "pending,approved,applying";

/// List recommendations: those that are open, or those you ask for.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover rec list
  drover rec list --stage pending --risk high --sort expires_at
  drover rec list --all --agent keep-headroom --json")]
pub(super) struct Arguments {
    /// One or several stages, with commas: pending, approved, applying, applied, rejected, expired, superseded, failed, rolled_back.
    #[arg(long, value_name = "STAGES", conflicts_with = "all")]
    stage: Option<String>,
    /// In whatever stage.
    #[arg(long)]
    all: bool,
    /// Of this agent.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// On either side of the action.
    #[arg(long, value_name = "NAME")]
    cluster: Option<String>,
    /// About workloads of this namespace.
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// Part of a workload's name.
    #[arg(long, value_name = "TEXT")]
    workload: Option<String>,
    /// migrate, move, scale, resize_pool or hold.
    #[arg(long)]
    kind: Option<String>,
    /// This risk or a higher one: low, medium or high.
    #[arg(long)]
    risk: Option<String>,
    /// Of this run, as drover status and drover audit list call it; of the one that goes on now by default.
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// What to sort by, with a minus for descending: -raised_at, expires_at, risk, benefit, workload, agent, stage.
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    sort: Option<String>,
    /// How many at most.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    #[command(flatten)]
    connection: Connection,
}

/// A page whose rows are passed on as they came.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    items: Vec<Box<RawValue>>,
    total: i64,
    next_cursor: Option<String>,
    as_of: u64,
}

/// All pages together.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    items: Vec<Box<RawValue>>,
    total: i64,
    as_of: u64,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let listed = fetch(&client, arguments)?;
    if client.is_for_programs() {
        let text = serde_json::to_string(&listed).context("the list could not be written as JSON")?;
        print(&clean_json(&text))?;
    } else {
        // Another run has a time of its own, and from there nothing is so long ago.
        show(&listed, arguments.run.is_none().then_some(listed.as_of))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn fetch(client: &Client, arguments: &Arguments) -> Result<Listed, Failure> {
    let (mut items, mut cursor) = (Vec::new(), None);
    loop {
        let left = arguments.limit - items.len() as u32;
        let page: Page = client.ask(&request(arguments, left.min(LONGEST_PAGE), cursor.as_deref()))?;
        items.extend(page.items);
        items.truncate(arguments.limit as usize);
        cursor = page.next_cursor.filter(|_| items.len() < arguments.limit as usize);
        if cursor.is_none() {
            return Ok(Listed { items, total: page.total, as_of: page.as_of });
        }
    }
}

fn request(arguments: &Arguments, limit: u32, cursor: Option<&str>) -> Request {
    let stage = arguments.stage.clone().or_else(|| (!arguments.all).then(|| OPEN.to_owned()));
    Request::get(&["recommendations"])
        .query("stage", stage)
        .query("agent", arguments.agent.as_ref())
        .query("cluster", arguments.cluster.as_ref())
        .query("namespace", arguments.namespace.as_ref())
        .query("workload_contains", arguments.workload.as_ref())
        .query("kind", arguments.kind.as_ref())
        .query("risk", arguments.risk.as_ref())
        .query("run", arguments.run.as_ref())
        .query("sort", arguments.sort.as_ref())
        .query("limit", Some(limit))
        .query("cursor", cursor)
}

fn show(listed: &Listed, now: Option<u64>) -> Result<(), Failure> {
    let mut table = Table::new(&["id", "stage", "risk", "action", "agent", "raised", "expires", "benefit"]);
    for item in &listed.items {
        let item: RecommendationItem =
            serde_json::from_str(item.get()).context("a row was not understood")?;
        table.row(row(&item, now));
    }
    table.show("Nothing fits. Without --stage or --all only what is open is listed.")?;
    if listed.total > listed.items.len() as i64 {
        note(&format!("{} of {} are shown; --limit shows more.", listed.items.len(), listed.total));
    }
    Ok(())
}

/// `now` is the federation's own time; without it, moments are told.
fn row(item: &RecommendationItem, now: Option<u64>) -> [String; 8] {
    let (raised_at, expires_at) = (item.raised_at.max(0) as u64, item.expires_at.max(0) as u64);
    let raised =
        now.map_or_else(|| clock(raised_at), |now| format!("{} ago", span(now.saturating_sub(raised_at))));
    let expires =
        now.map_or_else(|| clock(expires_at), |now| format!("in {}", span(expires_at.saturating_sub(now))));
    let is_pending = item.stage == Stage::Pending.as_str();
    [
        item.id.clone(),
        item.stage.clone(),
        item.risk.clone(),
        item.action.clone(),
        item.agent.clone(),
        raised,
        if is_pending { expires } else { String::new() },
        benefit(item).unwrap_or_default(),
    ]
}

/// `+3.2 pods placed (+1.0 to +5.5)`.
fn benefit(item: &RecommendationItem) -> Option<String> {
    let mean = format!("{:+.1} pods placed", item.benefit?);
    let interval = item.benefit_low.zip(item.benefit_high);
    Some(interval.map_or_else(|| mean.clone(), |(low, high)| format!("{mean} ({low:+.1} to {high:+.1})")))
}
