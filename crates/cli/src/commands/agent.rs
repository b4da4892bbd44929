//! `drover agent`: those who recommend.

mod bench;

use crate::client::{Connection, Request};
use crate::failure::Outcome;
use crate::terminal::{Sheet, Table, clean, clock, span};
use clap::{Args, Subcommand};
use server::api::wire::{AgentDetail, AgentItem, BudgetItem, BudgetWord, DecisionItem};

/// See who recommends, how they decide and what became of it; measure how good they are.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  drover agent list\n  drover agent show keep-headroom\n  drover agent bench --stand-in wasp-like"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everybody who recommends.
    #[command(after_help = "Example:\n  drover agent list")]
    List(List),
    /// One agent with its parameters and last decisions, doing nothing included.
    #[command(after_help = "Example:\n  drover agent show keep-headroom")]
    Show(Show),
    Bench(bench::Arguments),
}

#[derive(Args)]
struct List {
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Show {
    /// The agent's name.
    name: String,
    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::List(arguments) => list(arguments),
        Command::Show(arguments) => show(arguments),
        Command::Bench(arguments) => bench::run(arguments),
    }
}

fn list(arguments: &List) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["agents"]))?;
    client.tell_table(&answer, "Nobody recommends anything here.", |agents: &Vec<AgentItem>| {
        let mut table =
            Table::new(&["name", "decides by", "every", "recommendations", "predicted right", ""]);
        for agent in agents {
            let frozen = if agent.frozen { "frozen" } else { "" };
            table.row([&agent.name, &how(agent), &often(agent), &counts(agent), &record(agent), frozen]);
        }
        table
    })
}

fn how(agent: &AgentItem) -> String {
    agent.strategy.clone().unwrap_or_else(|| "itself, outside".to_owned())
}

fn often(agent: &AgentItem) -> String {
    agent.every.map(span).unwrap_or_default()
}

fn counts(agent: &AgentItem) -> String {
    let parts: Vec<String> =
        agent.recommendations.iter().map(|(stage, number)| format!("{number} {stage}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn record(agent: &AgentItem) -> String {
    let record = agent.track_record.as_ref().filter(|record| record.predicted > 0);
    record.map_or_else(String::new, |record| format!("{} of {}", record.inside, record.predicted))
}

fn show(arguments: &Show) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["agents", &arguments.name]))?;
    client.tell(&answer, text)
}

fn text(detail: &AgentDetail) -> String {
    let agent = &detail.agent;
    let mut sheet = Sheet::default();
    sheet.part("Decides", [format!("by {}", how(agent))]);
    sheet.part("Every", agent.every.map(span));
    sheet.part(
        "Reaches",
        detail.scope.as_ref().map(|scope| {
            let names: Vec<&str> =
                scope.clusters.iter().chain(&scope.namespaces).map(String::as_str).collect();
            if names.is_empty() { "everything".to_owned() } else { names.join(", ") }
        }),
    );
    sheet.part("Fate", [counts(agent)]);
    sheet.part(
        "Record",
        Some(record(agent))
            .filter(|text| !text.is_empty())
            .map(|text| format!("{text} predictions were right")),
    );
    sheet.part("Limits", detail.budgets.iter().map(budget));
    sheet.part("Settings", detail.parameters.as_ref().map(ToString::to_string));
    sheet.part("Last", detail.decisions.iter().map(decision));
    let frozen = if agent.frozen { " · frozen" } else { "" };
    format!("{}{frozen}\n{}", clean(&agent.name), sheet.text())
}

fn budget(budget: &BudgetItem) -> String {
    let used = format!("{} of {} used within the hour", budget.used, budget.most);
    match budget.limit {
        BudgetWord::MovesPerHour => format!("moves of everybody: {used}"),
        BudgetWord::Grant => {
            let scope = budget.scope.as_deref().unwrap_or_default();
            let name = budget.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            format!("without a person in {scope}{name}: {used}")
        }
    }
}

fn decision(decision: &DecisionItem) -> String {
    let at = clock(decision.at.max(0) as u64);
    let held = decision.held.as_ref().map(|why| format!("; did nothing: {why}")).unwrap_or_default();
    let refused: Vec<String> =
        decision.refused.iter().map(|refused| format!("{} ({})", refused.action, refused.because)).collect();
    let refused =
        if refused.is_empty() { String::new() } else { format!("; refused: {}", refused.join(", ")) };
    format!("{at}  recommended {}, {} waited already{held}{refused}", decision.submitted, decision.kept)
}
