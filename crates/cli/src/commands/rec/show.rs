//! `drover rec show`: everything a person needs to decide, in the order in which they ask.

mod effect;
#[cfg(test)]
mod tests;

pub(super) use effect::together;

use super::{now, read};
use crate::client::Connection;
use crate::failure::Outcome;
use crate::terminal::{HEADING_WIDTH, Sheet, clean, clock, span, width, wrapped};
use clap::Args;
use model::review::Stage;
use server::api::wire::{OpinionVerdict, PodCount, RecommendationDetail, WorkloadChange};
use std::fmt::Write as _;

/// Evidence that is told at most; the rest is in --json.
const MOST_ROWS: usize = 12;

/// Show one recommendation: what changes, why, what is expected, what could go wrong, and how to get back.
#[derive(Args)]
#[command(after_help = "Examples:\n  drover rec show R-3\n  drover rec show R-3 --json")]
pub(super) struct Arguments {
    /// The recommendation's number.
    id: String,
    #[command(flatten)]
    connection: Connection,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let found = read(&client, &arguments.id)?;
    let now = if client.is_for_programs() { 0 } else { now(&client)? };
    client.tell(&found.answer, |detail| with_command(detail, now))
}

/// The decision on one page. `now` is the federation's own time.
fn text(detail: &RecommendationDetail, now: u64) -> String {
    let mut sheet = Sheet::default();
    sheet.part("Change", changes(detail));
    sheet.part("Why", why(detail));
    sheet.part("Evidence", evidence(detail, now));
    sheet.part("Effect", effect::lines(detail, now));
    sheet.part("Checks", checks(detail));
    sheet.part("Risk", risk(detail));
    sheet.part("Way back", [detail.way_back.clone()]);
    sheet.part("People", people(detail));
    sheet.part("Outcome", detail.outcome.iter());
    sheet.part("Plan", [detail.item.plan_hash.clone()]);
    format!("{}\n{}\n\n{}", head(detail, now), clean(&detail.item.action), sheet.text())
}

/// The page in lines of so many characters.
pub(super) fn page(detail: &RecommendationDetail, now: u64, width: Option<usize>) -> String {
    wrapped(&text(detail, now), width, HEADING_WIDTH + 1)
}

/// The page as wide as the terminal, and the command that says yes to it. Whoever copies a command needs it in one piece.
fn with_command(detail: &RecommendationDetail, now: u64) -> String {
    let page = page(detail, now, width());
    if detail.item.stage != Stage::Pending.as_str() {
        return page;
    }
    let (id, hash) = (clean(&detail.item.id), clean(&detail.item.plan_hash));
    format!("{page}\n\nTo approve it: drover rec approve {id} --plan-hash {hash}")
}

fn head(detail: &RecommendationDetail, now: u64) -> String {
    let item = &detail.item;
    let mut head = format!("{} · {} · {} risk", item.id, item.stage, item.risk);
    if item.stage == Stage::Pending.as_str() {
        let left = (item.expires_at.max(0) as u64).saturating_sub(now);
        let _ = write!(head, " · expires in {}, then nothing is done", span(left));
    }
    if let Some(until) = item.deferred_until.filter(|until| *until as u64 > now) {
        let _ = write!(head, " · deferred until {}", clock(until as u64));
    }
    clean(&head)
}

fn changes(detail: &RecommendationDetail) -> Vec<String> {
    let percent = |load: f64| format!("{:.0} %", load * 100.0);
    let cluster = |change: &server::api::wire::ClusterChange| {
        let load = format!("load {} → {}", percent(change.load_before), percent(change.load_after));
        let pending = format!("pending pods {} → {}", change.pending_before, change.pending_after);
        let own = change.workload.map_or(String::new(), replicas);
        format!("{}: {own}{load}, {pending}", change.cluster)
    };
    let mut lines: Vec<String> = detail.changes.iter().map(cluster).collect();
    let cost = format!("{:.4} → {:.4} $/h", detail.cost_per_hour_before, detail.cost_per_hour_after);
    lines.push(format!("{} pods move; cost {cost}", detail.pods_moved));
    lines
}

/// The workload's own pods there, for instance "2 replicas (1 waiting) → none, ".
fn replicas(change: WorkloadChange) -> String {
    let pods = |PodCount { running, waiting }: PodCount| match (running + waiting, waiting) {
        (0, _) => "none".to_owned(),
        (1, 0) => "1 replica".to_owned(),
        (all, 0) => format!("{all} replicas"),
        (1, _) => "1 replica (waiting)".to_owned(),
        (all, waiting) => format!("{all} replicas ({waiting} waiting)"),
    };
    format!("{} → {}, ", pods(change.before), pods(change.after))
}

fn why(detail: &RecommendationDetail) -> Vec<String> {
    let mut lines = vec![
        detail.item.reason.clone(),
        format!("(in the words of {}; nobody has checked them)", detail.item.agent),
    ];
    lines.extend(detail.planned_by.iter().map(|by| format!("{by} changed or made this plan")));
    lines.extend(detail.undoes.iter().map(|id| format!("it would undo {id}")));
    let option = |other: &server::api::wire::AlternativeItem| {
        format!("instead: {}; not taken: {}", other.option, other.rejected_because)
    };
    lines.extend(short(detail.alternatives.iter().map(option).collect()));
    lines.extend(short(detail.opinions.iter().map(opinion).collect()));
    lines
}

fn opinion(said: &server::api::wire::OpinionItem) -> String {
    let verdict = match said.verdict {
        OpinionVerdict::For => "for it",
        OpinionVerdict::Against => "against it",
        OpinionVerdict::Abstained => "abstained",
    };
    let sure = said.strength.map(|share| format!(", {:.0} % sure", share * 100.0)).unwrap_or_default();
    let by = format!("{} ({}, weight {}{sure})", said.by, said.model, said.weight);
    format!("{by} {verdict}: {}", said.words)
}

fn evidence(detail: &RecommendationDetail, now: u64) -> Vec<String> {
    let row = |item: &server::api::wire::EvidenceItem| {
        let limit = item.limit.as_ref().map(|limit| format!(" (limit {limit})")).unwrap_or_default();
        format!("{}: {} {}{limit}", item.subject, item.signal, item.value)
    };
    let mut lines = short(detail.evidence.iter().map(row).collect());
    lines.push(format!(
        "observed at {}, {} ago; {} old when it was proposed",
        clock(detail.observed_at),
        span(now.saturating_sub(detail.observed_at)),
        span(detail.evidence_age_ms)
    ));
    lines
}

/// So many rows that a person can read, and how many are left.
fn short(mut rows: Vec<String>) -> Vec<String> {
    let left = rows.len().saturating_sub(MOST_ROWS);
    rows.truncate(MOST_ROWS);
    if left > 0 {
        rows.push(format!("and {left} more; --json has all of them"));
    }
    rows
}

fn checks(detail: &RecommendationDetail) -> Vec<String> {
    let holding = detail.checks.iter().filter(|check| check.holds).count();
    let mut lines: Vec<String> = detail
        .checks
        .iter()
        .filter(|check| !check.holds)
        .map(|check| format!("fails: {}: {}", check.rule, check.because.clone().unwrap_or_default()))
        .collect();
    if !detail.checks.is_empty() {
        lines.insert(0, format!("{holding} of {} hold", detail.checks.len()));
    }
    lines
}

fn risk(detail: &RecommendationDetail) -> Vec<String> {
    if detail.risk_because.is_empty() {
        return vec![format!("{}: nothing raises it", detail.item.risk)];
    }
    let mut lines = vec![format!("{}, because", detail.item.risk)];
    lines.extend(detail.risk_because.iter().map(|reason| format!("- {reason}")));
    lines
}

fn people(detail: &RecommendationDetail) -> Vec<String> {
    let mut lines = Vec::new();
    if detail.approvers_needed > 0 {
        lines.push(format!("{} of {} have said yes", detail.approvers_given, detail.approvers_needed));
    }
    lines.extend(detail.reviews.iter().map(|review| {
        let note = review.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        format!("{} said {} at {}{note}", review.by, review.verdict, clock(review.at))
    }));
    lines
}
