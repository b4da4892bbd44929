//! `drover mode`: who answers, where.

use super::freeze::{flag, lines};
use crate::client::{Connection, Request};
use crate::failure::{Failure, Outcome};
use crate::terminal::{Table, clean, clock};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use model::time::Period;
use serde::Serialize;
use server::api::wire::{ModeItem, Modes};

/// See and say who answers recommendations: nobody, people, rules, or a grant within limits.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover mode show
  drover mode set observe --cluster member2 --reason \"not ours to change this week\"
  drover mode set auto --agent keep-headroom --highest-risk low --per-hour 4 --for 8h \\
    --reason \"quiet night\"
  drover mode clear --cluster member2 --reason \"ours again\"

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
  drover mode set auto --agent keep-headroom --highest-risk low --per-hour 4 --replicas 2 \\
    --reason \"it has earned it\"
  drover mode set auto --namespace batch --highest-risk medium --for 8h --reason \"quiet night\"

Mode auto needs --highest-risk, and an end (--for) or a pace (--per-hour).")]
    Set(Set),
    /// Take back what was set for an agent or a part: what holds without it holds again.
    #[command(after_help = "\
Examples:
  drover mode clear --cluster member2 --reason \"ours again\"
  drover mode clear --agent keep-headroom --namespace shop --reason \"the sale is over\"")]
    Clear(Clear),
}

#[derive(Args)]
struct Show {
    #[command(flatten)]
    connection: Connection,
}

/// Whom a mode is about.
#[derive(Args)]
#[command(group = ArgGroup::new("where"))]
struct Part {
    /// In this cluster; in all of the federation by default.
    #[arg(long, group = "where", value_name = "NAME")]
    cluster: Option<String>,
    /// In this namespace.
    #[arg(long, group = "where", value_name = "NAME")]
    namespace: Option<String>,
    /// As namespace/name, or kind/namespace/name.
    #[arg(long, group = "where", value_name = "NAME")]
    workload: Option<String>,
    /// Only for recommendations of this agent.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

#[derive(Args)]
struct Set {
    mode: Mode,
    #[command(flatten)]
    part: Part,
    /// With auto, which needs it: the highest risk that passes.
    #[arg(long, value_name = "RISK")]
    highest_risk: Option<RiskWord>,
    /// With auto: replicas, or nodes of a pool, that one action may change.
    #[arg(long)]
    replicas: Option<u32>,
    /// With auto: actions of one agent within an hour. It needs this or --for.
    #[arg(long)]
    per_hour: Option<u32>,
    /// With auto: for how long, in the federation's own time. It needs this or --per-hour.
    #[arg(long = "for", value_name = "PERIOD")]
    period: Option<Period>,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Clear {
    #[command(flatten)]
    part: Part,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
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

impl Part {
    /// The kind of part, and its name.
    fn scope(&self) -> (&'static str, Option<&str>) {
        let named =
            [("cluster", &self.cluster), ("namespace", &self.namespace), ("workload", &self.workload)];
        let named = named.into_iter().find_map(|(scope, name)| Some((scope, Some(name.as_deref()?))));
        named.unwrap_or(("everything", None))
    }

    /// What somebody set for exactly this part.
    fn find<'a>(&self, modes: &'a Modes) -> Option<&'a ModeItem> {
        let wanted = (self.scope(), self.agent.as_deref());
        modes
            .settings
            .iter()
            .find(|item| ((item.scope.as_str(), item.name.as_deref()), item.agent.as_deref()) == wanted)
    }

    /// The flags that name it, each behind a space.
    fn flags(&self) -> String {
        let (scope, name) = self.scope();
        let place = name.map(|_| format!(" {}", flag(scope, name)));
        let agent = self.agent.as_ref().map(|agent| format!(" --agent {agent}"));
        place.into_iter().chain(agent).collect()
    }
}

impl Set {
    /// Everything that a grant lacks, before anybody is asked for it.
    fn must_be_limited(&self) -> Result<(), Failure> {
        let needed = [
            (self.highest_risk.is_none(), "the highest risk that passes (--highest-risk low)"),
            (self.period.is_none() && self.per_hour.is_none(), "an end (--for 8h) or a pace (--per-hour 4)"),
        ];
        let missing: Vec<&str> =
            needed.iter().filter(|(is_missing, _)| *is_missing).map(|(_, what)| *what).collect();
        if self.mode != Mode::Auto || missing.is_empty() {
            return Ok(());
        }
        Err(Failure::Input(format!("drover: mode auto needs {}", missing.join(", and "))))
    }

    fn wish(&self) -> Wish<'_> {
        let (scope, name) = self.part.scope();
        Wish {
            mode: self.mode,
            scope,
            name,
            agent: self.part.agent.as_deref(),
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
        Command::Clear(arguments) => clear(arguments),
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
    let usual = modes.limits.as_ref().map(limits).unwrap_or_default();
    table.row(["otherwise", "all", &modes.otherwise, &usual]);
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
    arguments.must_be_limited()?;
    let client = arguments.connection.client()?;
    let before: Modes = client.ask(&Request::get(&["modes"]))?;
    let answer = client.send(&Request::put(&["modes"], &arguments.wish()))?;
    let undo = arguments
        .part
        .find(&before)
        .map_or_else(|| format!("drover mode clear{} --reason …", arguments.part.flags()), set_again);
    client.tell(&answer, |after: &Modes| {
        format!("{}\n{}To undo this: {}", table(after), lines(&after.notes), clean(&undo))
    })
}

fn clear(arguments: &Clear) -> Outcome {
    let client = arguments.connection.client()?;
    let before: Modes = client.ask(&Request::get(&["modes"]))?;
    let (scope, name) = arguments.part.scope();
    let request = Request::delete(&["modes"])
        .query("scope", Some(scope))
        .query("name", name)
        .query("agent", arguments.part.agent.as_ref())
        .query("reason", Some(&arguments.reason));
    let answer = client.send(&request)?;
    let undo = arguments.part.find(&before).map(set_again).unwrap_or_default();
    client.tell(&answer, |after| format!("{}\nTo undo this: {}", table(after), clean(&undo)))
}

/// The command that sets what was set before.
fn set_again(former: &ModeItem) -> String {
    let parts = [
        former.name.as_deref().map(|name| format!(" {}", flag(&former.scope, Some(name)))),
        former.agent.as_ref().map(|agent| format!(" --agent {agent}")),
        former.highest_risk.as_ref().map(|risk| format!(" --highest-risk {risk}")),
        former.replicas.map(|replicas| format!(" --replicas {replicas}")),
        former.per_hour.map(|number| format!(" --per-hour {number}")),
        // How much of it is left when somebody does that, only they know.
        former.until.map(|_| " --for …".to_owned()),
    ];
    let flags: String = parts.into_iter().flatten().collect();
    format!("drover mode set {}{flags} --reason …", former.mode)
}
