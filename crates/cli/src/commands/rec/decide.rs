//! `drover rec approve`, `reject` and `defer`: answers to exactly the plan that was read.

use super::show::{page, together};
use super::{Read, now, read};
use crate::client::{Answer, Client, Connection, Request};
use crate::failure::{CONFLICT, Failure, Outcome};
use crate::output::note;
use crate::terminal::ask::{ask, is_yes, somebody_is_there};
use crate::terminal::{clean, clock, width_of_questions, wrapped};
use clap::Args;
use model::review::Stage;
use model::risk::Risk;
use model::time::Period;
use serde::{Deserialize, Serialize};
use serde_json::json;
use server::api::wire::{PredictionItem, RecommendationDetail, ReviewItem};
use std::process::ExitCode;

/// Approve plans. With a terminal, each is shown and you are asked; without one, say which plan you have read. Before several are
/// approved, what they would bring together is shown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover rec approve R-3
  drover rec approve R-3 R-4
  drover rec approve R-3 --plan-hash 9c41…e7 --note \"before the evening peak\"
  drover rec approve R-7 --plan-hash 04fe…1a --confirm member2      (high risk)")]
pub(super) struct Approve {
    /// The recommendations' numbers.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The hash of the plan that you have read; with several recommendations once for each, in their order. Exactly this plan is
    /// approved, or nothing. What is known about it, such as its predicted effect, may have changed since you read it: the newest
    /// version of the page goes along. The desk asks every guardrail again, and a risk that is high by now still needs --confirm.
    #[arg(long = "plan-hash", value_name = "HASH")]
    plan_hashes: Vec<String>,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The target cluster's name, which plans of high risk need when nobody can be asked.
    #[arg(long, value_name = "CLUSTER")]
    confirm: Option<String>,
    #[command(flatten)]
    connection: Connection,
}

/// Reject a plan. Agents and colleagues see the reason.
#[derive(Args)]
#[command(after_help = "Example:\n  drover rec reject R-3 --reason \"the sale begins at noon\"")]
pub(super) struct Reject {
    /// The recommendation's number.
    id: String,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

/// Decide later: put a plan aside for a while.
#[derive(Args)]
#[command(after_help = "Example:\n  drover rec defer R-3 --for 10m --note \"ask Ben first\"")]
pub(super) struct Defer {
    /// The recommendation's number.
    id: String,
    /// For how long, in the federation's own time; a day at most.
    #[arg(long = "for", value_name = "PERIOD")]
    period: Period,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    #[command(flatten)]
    connection: Connection,
}

/// How often a plan that was named by its hash is answered anew because more became known about it meanwhile.
const TRIES: u8 = 4;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Decision<'a> {
    verdict: &'static str,
    plan_hash: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defer_seconds: Option<u64>,
}

fn decide(client: &Client, found: &Read, decision: &Decision<'_>) -> Result<Answer, Failure> {
    let path = ["recommendations", &found.detail.item.id, "decisions"];
    client.send(&Request::post(&path, decision).if_version(found.answer.version.as_deref()))
}

pub(super) fn approve(arguments: &Approve) -> Outcome {
    let plans = plans(arguments)?;
    let client = arguments.connection.client()?;
    show_together(&client, &plans.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let mut worst = None;
    for (id, hash) in plans {
        match approve_one(&client, arguments, id, hash, TRIES) {
            Ok(true) => {}
            Ok(false) => worst = worst.or(Some(ExitCode::FAILURE)),
            Err(failure) => {
                let code = failure.report();
                worst = worst.or(Some(code));
            }
        }
    }
    Ok(worst.unwrap_or(ExitCode::SUCCESS))
}

/// Shows what several plans would bring together, before anybody says yes to one of them. Where that cannot be computed, it is said,
/// and each plan is answered by itself.
fn show_together(client: &Client, ids: &[&str]) {
    if ids.len() < 2 {
        return;
    }
    let request = Request::post(&["previews"], &json!({ "ids": ids })).patiently();
    match client.ask::<PredictionItem>(&request) {
        Ok(prediction) => {
            note(&format!("{}\n", wrapped(&together(&prediction), width_of_questions(), 0)));
        }
        Err(failure) => {
            note("What these plans would bring together is not known:");
            failure.report();
        }
    }
}

/// A recommendation, and the plan that was read, if that was before now.
type Plan<'a> = (&'a str, Option<&'a String>);

/// What is to be answered, each once however often it is named.
fn plans(arguments: &Approve) -> Result<Vec<Plan<'_>>, Failure> {
    let mut plans: Vec<Plan<'_>> = Vec::new();
    for (id, hash) in arguments.ids.iter().map(String::as_str).zip(hashes(arguments)?) {
        match plans.iter().find(|(named, _)| *named == id) {
            None => plans.push((id, hash)),
            Some((_, read)) if *read == hash => {}
            Some(_) => {
                let text = format!(
                    "drover: {id} is named twice with two plans; name it once, with the one that you have read"
                );
                return Err(Failure::Input(text));
            }
        }
    }
    Ok(plans)
}

/// What was read of each recommendation, if that was before now.
fn hashes(arguments: &Approve) -> Result<Vec<Option<&String>>, Failure> {
    let (ids, hashes) = (arguments.ids.len(), &arguments.plan_hashes);
    if hashes.is_empty() && !somebody_is_there() {
        let text = "drover: nobody can be asked here, so say which plan you have read: --plan-hash, from drover rec show";
        return Err(Failure::Input(text.to_owned()));
    }
    if !hashes.is_empty() && hashes.len() != ids {
        let text = format!("drover: {ids} recommendations need {ids} times --plan-hash, in the same order");
        return Err(Failure::Input(text));
    }
    Ok(if hashes.is_empty() { vec![None; ids] } else { hashes.iter().map(Some).collect() })
}

/// Whether it was approved, or somebody thought better of it.
fn approve_one(
    client: &Client,
    arguments: &Approve,
    id: &str,
    hash: Option<&String>,
    tries: u8,
) -> Result<bool, Failure> {
    let found = read(client, id)?;
    let risky = found.detail.item.risk == Risk::High.as_str();
    say_if_unpredicted(client, &found.detail, hash.is_some());
    match hash {
        Some(_) if risky => confirmed(&found.detail, arguments.confirm.as_deref())?,
        Some(_) => {}
        None if says_yes(client, &found.detail, risky)? => {}
        None => {
            note(&format!("{}: nothing was done.", clean(id)));
            return Ok(false);
        }
    }
    let plan_hash = hash.map_or(found.detail.item.plan_hash.as_str(), String::as_str);
    let note = arguments.note.as_deref();
    let decision = Decision { verdict: "approve", plan_hash, note, defer_seconds: None };
    let before = own_approval(client, &found.detail)?;
    match decide(client, &found, &decision) {
        Err(Failure::Refused { code: CONFLICT, .. })
            if hash.is_some() && tries > 1 && is_only_richer(client, &found)? =>
        {
            approve_one(client, arguments, id, hash, tries - 1)
        }
        answer => client
            .tell(&answer?, |detail| match before {
                Some(review) => approved_before(detail, review, note.is_some()),
                None => approved(detail),
            })
            .map(|_| true),
    }
}

/// Whoever names a plan by its hash does not see the page again, so what is missing on it is said here.
fn say_if_unpredicted(client: &Client, detail: &RecommendationDetail, named: bool) {
    let open = detail.item.stage == Stage::Pending.as_str();
    if named && open && !detail.item.is_predicted && !client.is_for_programs() {
        note(&format!(
            "{}: its effect is not predicted; you decide without knowing it.",
            clean(&detail.item.id)
        ));
    }
}

/// The part of what a desk says to whoever wants to know who they are.
#[derive(Deserialize)]
struct Asking {
    name: String,
}

/// What whoever asks has said yes with before: the desk takes the same answer again, and keeps the first one.
fn own_approval<'a>(
    client: &Client,
    detail: &'a RecommendationDetail,
) -> Result<Option<&'a ReviewItem>, Failure> {
    let approvals: Vec<&ReviewItem> =
        detail.reviews.iter().filter(|review| review.verdict == "approve").collect();
    if approvals.is_empty() || client.is_for_programs() {
        return Ok(None);
    }
    let asking: Asking = client.ask(&Request::get(&["session"]))?;
    let by = format!("person:{}", asking.name);
    Ok(approvals.into_iter().find(|review| review.by == by))
}

/// Whether the plan is the one that was read, and only what is known about it has grown: its predicted effect, say. Whoever named
/// the plan by its hash has read it before and answers all the same.
fn is_only_richer(client: &Client, before: &Read) -> Result<bool, Failure> {
    let now = read(client, &before.detail.item.id)?;
    let (old, new) = (&before.detail.item, &now.detail.item);
    Ok(now.answer.version != before.answer.version
        && new.plan_hash == old.plan_hash
        && new.stage == old.stage)
}

/// What has to be typed for a plan of high risk: the name of the cluster that it leads to.
fn target(detail: &RecommendationDetail) -> &str {
    let item = &detail.item;
    item.to.as_deref().or(item.from.as_deref()).unwrap_or(&item.id)
}

fn confirmed(detail: &RecommendationDetail, said: Option<&str>) -> Result<(), Failure> {
    if said == Some(target(detail)) {
        return Ok(());
    }
    let (id, target) = (clean(&detail.item.id), clean(target(detail)));
    Err(Failure::Input(format!("drover: {id} has a high risk; if you are sure, add --confirm {target}")))
}

/// Shows the plan and asks. High risk takes more than a letter.
fn says_yes(client: &Client, detail: &RecommendationDetail, risky: bool) -> Result<bool, Failure> {
    note(&page(detail, now(client)?, width_of_questions()));
    let unknown = if detail.item.is_predicted { "" } else { "Its effect is not predicted. " };
    if risky {
        let target = target(detail);
        let question = format!("\n{unknown}This has a high risk. Type {} to approve it:", clean(target));
        return Ok(ask(&question)?.as_deref() == Some(target));
    }
    Ok(is_yes(ask(&format!("\n{unknown}Approve this plan? [y/N]"))?.as_deref()))
}

fn approved(detail: &RecommendationDetail) -> String {
    let (id, action) = (clean(&detail.item.id), clean(&detail.item.action));
    if detail.item.stage == Stage::Pending.as_str() {
        let (given, needed) = (detail.approvers_given, detail.approvers_needed);
        return format!(
            "{id}: you have said yes to: {action}\n{given} of {needed} have; nothing happens before.\nTo stop it: drover rec reject {id} --reason …"
        );
    }
    format!(
        "{id} is approved: {action}\nIt is {}. To give it up: drover exec abort {id} --reason …\nTo take it back afterwards: drover exec rollback {id} --reason …",
        clean(&detail.item.stage)
    )
}

/// Whoever approves again learns that the first answer stands.
fn approved_before(detail: &RecommendationDetail, review: &ReviewItem, has_note: bool) -> String {
    let stands = if detail.item.stage == Stage::Pending.as_str() {
        let (given, needed) = (detail.approvers_given, detail.approvers_needed);
        format!("{given} of {needed} have said yes; nothing happens before.")
    } else {
        format!("It is {}.", detail.item.stage)
    };
    let kept = if has_note { ", and the new note was not kept" } else { "" };
    let said = clean(&format!("{} was approved already{}", detail.item.id, said(review)));
    format!("{said}\nNothing was changed{kept}. {}", clean(&stands))
}

/// Who said it, when and why.
fn said(review: &ReviewItem) -> String {
    let why = review.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
    format!(" by {} at {}{why}", review.by, clock(review.at))
}

pub(super) fn reject(arguments: &Reject) -> Outcome {
    if arguments.reason.trim().is_empty() {
        return Err(Failure::Input(
            "drover: --reason is empty; agents and colleagues learn from it".to_owned(),
        ));
    }
    let client = arguments.connection.client()?;
    let found = read(&client, &arguments.id)?;
    let (plan_hash, note) = (found.detail.item.plan_hash.as_str(), Some(arguments.reason.as_str()));
    let answer =
        decide(&client, &found, &Decision { verdict: "reject", plan_hash, note, defer_seconds: None })?;
    client.tell(&answer, |detail: &RecommendationDetail| {
        if found.detail.item.stage == Stage::Rejected.as_str() {
            return rejected_before(&found.detail);
        }
        let (id, action) = (clean(&detail.item.id), clean(&detail.item.action));
        format!("{id} is rejected: {action}\nThis is final; agents may recommend the same again after review.ask_again_after of the desk's file.")
    })
}

/// Whoever rejects again learns that the first reason stands.
fn rejected_before(detail: &RecommendationDetail) -> String {
    let rejection = detail.reviews.iter().rev().find(|review| review.verdict == "reject");
    let said = rejection.map(said).unwrap_or_default();
    clean(&format!("{} was rejected already{said}", detail.item.id))
        + "\nNothing was changed, and the new reason was not kept."
}

pub(super) fn defer(arguments: &Defer) -> Outcome {
    let client = arguments.connection.client()?;
    let found = read(&client, &arguments.id)?;
    let decision = Decision {
        verdict: "defer",
        plan_hash: &found.detail.item.plan_hash,
        note: arguments.note.as_deref(),
        defer_seconds: Some(arguments.period.as_millis().div_ceil(1000)),
    };
    let answer = decide(&client, &found, &decision)?;
    client.tell(&answer, |detail: &RecommendationDetail| {
        let item = &detail.item;
        let (id, until) = (clean(&item.id), clock(item.deferred_until.unwrap_or_default().max(0) as u64));
        format!(
            "{id} is put aside until {until}: {}\nTo decide before: drover rec show {id}",
            clean(&item.action)
        )
    })
}
