//! `drover mode`: who answers, where.

use super::freeze::flag;
use crate::client::{Connection, Request};
use crate::failure::Outcome;
use crate::terminal::{Table, clean, clock};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use model::time::Period;
use serde::Serialize;
use server::api::wire::{ModeItem, Modes};
use std::fmt::Write as _;

/// See and say who answers recommendations: nobody, people, rules, or a grant within limits.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover mode show
  drover mode set observe --cluster member2 --reason \"not ours to change this week\"
  drover mode set auto --agent keep-headroom --highest-risk low --per-hour 4 --for 8h --reason \"quiet night\"

Where several settings fit, the most careful holds.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Who answers where.
    #[command(after_help = "Example:\n  drover mode show")]
    Show(Show),
    /// Say who answers for an agent or in a part of the federation.
    #[command(after_help = "\
Examples:
  drover mode set human --namespace shop --reason \"after the incident\"
  drover mode set auto --agent keep-headroom --highest-risk low --replicas 2 --reason \"it has earned it\"")]
    Set(Set),
}

#[derive(Args)]
struct Show {
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
#[command(group = ArgGroup::new("where"))]
struct Set {
    mode: Mode,
    /// In this cluster; in all of the federation by default.
    #[arg(long, group = "where", value_name = "NAME")]
    cluster: Option<String>,
    #[arg(long, group = "where", value_name = "NAME")]
    namespace: Option<String>,
    /// As namespace/name, or kind/namespace/name.
    #[arg(long, group = "where", value_name = "NAME")]
    workload: Option<String>,
    /// Only for recommendations of this agent.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// With auto: the highest risk that passes.
    #[arg(long, value_name = "RISK")]
    highest_risk: Option<RiskWord>,
    /// With auto: replicas that one action may change.
    #[arg(long)]
    replicas: Option<u32>,
    /// With auto: actions of one agent within an hour.
    #[arg(long)]
    per_hour: Option<u32>,
    /// With auto: for how long, in the federation's own time.
    #[arg(long = "for", value_name = "PERIOD")]
    period: Option<Period>,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Clone, Copy, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Recommendations are shown; nothing is carried out.
    Observe,
    /// A person answers each.
    Human,
    /// What a rule names passes; a person answers the rest.
    Rules,
    /// What is within the limits passes; a person answers the rest.
    Auto,
}

#[derive(Clone, Copy, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum RiskWord {
    Low,
    Medium,
    High,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wish<'a> {
    mode: Mode,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest_risk: Option<RiskWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replicas: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_hour: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
}

impl Set {
    fn wish(&self) -> Wish<'_> {
        let named =
            [("cluster", &self.cluster), ("namespace", &self.namespace), ("workload", &self.workload)];
        let named = named.into_iter().find_map(|(scope, name)| Some((scope, name.as_deref()?)));
        Wish {
            mode: self.mode,
            scope: named.map_or("everything", |(scope, _)| scope),
            name: named.map(|(_, name)| name),
            agent: self.agent.as_deref(),
            reason: &self.reason,
            highest_risk: self.highest_risk,
            replicas: self.replicas,
            per_hour: self.per_hour,
            seconds: self.period.map(|period| period.as_millis().div_ceil(1000)),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Show(arguments) => show(arguments),
        Command::Set(arguments) => set(arguments),
    }
}

fn show(arguments: &Show) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["modes"]))?;
    client.tell(&answer, table)
}

fn table(modes: &Modes) -> String {
    let mut table = Table::new(&["where", "agent", "mode", "limits"]);
    for item in &modes.settings {
        let place =
            item.name.as_ref().map_or_else(|| item.scope.clone(), |name| format!("{} {name}", item.scope));
        table.row([
            place,
            item.agent.clone().unwrap_or_else(|| "all".to_owned()),
            item.mode.clone(),
            limits(item),
        ]);
    }
    table.row(["otherwise", "all", &modes.otherwise, ""]);
    table.text()
}

fn limits(item: &ModeItem) -> String {
    let parts = [
        item.highest_risk.as_ref().map(|risk| format!("risk up to {risk}")),
        item.replicas.map(|replicas| format!("{replicas} replicas at once")),
        item.per_hour.map(|number| format!("{number} an hour")),
        item.until.map(|until| format!("until {}", clock(until))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn set(arguments: &Set) -> Outcome {
    let client = arguments.connection.client()?;
    let wish = arguments.wish();
    let before: Modes = client.ask(&Request::get(&["modes"]))?;
    let answer = client.send(&Request::put(&["modes"], &wish))?;
    client.tell(&answer, |after| format!("{}\nTo undo this: {}", table(after), undo(&before, &wish)))
}

/// The command that brings back what was true before.
fn undo(before: &Modes, wish: &Wish<'_>) -> String {
    let same = |item: &&ModeItem| {
        item.scope == wish.scope && item.name.as_deref() == wish.name && item.agent.as_deref() == wish.agent
    };
    let former = before.settings.iter().find(same);
    let mut command =
        format!("drover mode set {}", former.map_or(before.otherwise.as_str(), |item| &item.mode));
    if wish.name.is_some() {
        let _ = write!(command, " {}", flag(wish.scope, wish.name));
    }
    if let Some(agent) = wish.agent {
        let _ = write!(command, " --agent {agent}");
    }
    let limits = former.map(|item| {
        let limits = [
            item.highest_risk.as_ref().map(|risk| format!(" --highest-risk {risk}")),
            item.replicas.map(|replicas| format!(" --replicas {replicas}")),
            item.per_hour.map(|number| format!(" --per-hour {number}")),
        ];
        limits.into_iter().flatten().collect::<String>()
    });
    clean(&format!("{command}{} --reason …", limits.unwrap_or_default()))
}
