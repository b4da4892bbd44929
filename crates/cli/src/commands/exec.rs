//! `drover exec`: what is being carried out, giving it up, and the way back.

use crate::client::{Connection, Request};
use crate::failure::Outcome;
use crate::terminal::{Table, clean, clock};
use clap::{Args, Subcommand};
use serde_json::json;
use server::api::wire::{ExecutionItem, ExecutionPage, RecommendationDetail};

/// See what is being carried out, give it up, or take it back.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover exec list
  drover exec show R-3
  drover exec abort R-3 --reason \"the target is too slow\"
  drover exec rollback R-3 --reason \"orders are slower than before\"")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What was carried out last, newest first.
    #[command(
        after_help = "Examples:\n  drover exec list --limit 20\n  drover exec list --stage applying,failed"
    )]
    List(List),
    /// How far one plan has been carried out, step by step.
    #[command(after_help = "Example:\n  drover exec show R-3")]
    Show(Show),
    /// Give up what is under way; the federation takes back what it can.
    #[command(after_help = "Example:\n  drover exec abort R-3 --reason \"the target is too slow\"")]
    Abort(Order),
    /// Propose the way back of something that was carried out; it is approved like any other plan.
    #[command(after_help = "Example:\n  drover exec rollback R-3 --reason \"orders are slower than before\"")]
    Rollback(Order),
}

#[derive(Args)]
struct List {
    /// One or several stages, with commas: applying, applied, failed, rolled_back.
    #[arg(long, value_name = "STAGES")]
    stage: Option<String>,
    /// How many at most.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: u32,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Show {
    /// The recommendation's number.
    id: String,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Order {
    /// The recommendation's number.
    id: String,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::List(arguments) => list(arguments),
        Command::Show(arguments) => show(arguments),
        Command::Abort(arguments) => abort(arguments),
        Command::Rollback(arguments) => roll_back(arguments),
    }
}

fn list(arguments: &List) -> Outcome {
    let client = arguments.connection.client()?;
    let request = Request::get(&["executions"])
        .query("stage", arguments.stage.as_ref())
        .query("limit", Some(arguments.limit));
    let answer = client.send(&request)?;
    let nothing = if arguments.stage.is_some() { "Nothing fits." } else { "Nothing was carried out yet." };
    client.tell_table(&answer, nothing, |page: &ExecutionPage| {
        let mut table = Table::new(&["id", "stage", "action", "begun", "ended"]);
        for item in &page.items {
            table.row([&item.id, &item.stage, &item.action, &moment(item.begun_at), &moment(item.ended_at)]);
        }
        table
    })
}

fn moment(at: Option<i64>) -> String {
    at.map(|at| clock(at.max(0) as u64)).unwrap_or_default()
}

fn show(arguments: &Show) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["executions", &arguments.id]))?;
    client.tell(&answer, steps)
}

fn steps(item: &ExecutionItem) -> String {
    let head = clean(&format!("{} · {}", item.id, item.stage));
    let mut lines = vec![head, clean(&item.action)];
    lines.extend(
        item.steps
            .iter()
            .map(|step| format!("  {}  {}", clock(step.at), clean(&step.step.replace('_', " ")))),
    );
    lines.join("\n")
}

fn abort(arguments: &Order) -> Outcome {
    let client = arguments.connection.client()?;
    let path = ["executions", &arguments.id, "abort"];
    let answer = client.send(&Request::post(&path, &json!({ "reason": arguments.reason })))?;
    client.tell(&answer, |item: &ExecutionItem| {
        let (id, action) = (clean(&item.id), clean(&item.action));
        format!(
            "{id} is given up: {action}\nHow it is taken back: drover exec show {id}\nThis is final; an agent may recommend it again."
        )
    })
}

fn roll_back(arguments: &Order) -> Outcome {
    let client = arguments.connection.client()?;
    let path = ["executions", &arguments.id, "rollback"];
    let answer = client.send(&Request::post(&path, &json!({ "reason": arguments.reason })))?;
    client.tell(&answer, |new: &RecommendationDetail| {
        let (id, former) = (clean(&new.item.id), clean(&arguments.id));
        format!(
            "{id} would take {former} back: {}\nNobody has approved it yet: drover rec show {id}\nTo drop it: drover rec reject {id} --reason …",
            clean(&new.item.action)
        )
    })
}
