//! `drover freeze`, `freezes` and `unfreeze`: stopping things, and letting them go on.

use super::status::frozen;
use crate::client::{Client, Connection, Request};
use crate::failure::{Failure, Outcome};
use crate::output::print;
use crate::terminal::{Table, clean, clock};
use clap::{ArgGroup, Args};
use model::time::Period;
use serde_json::json;
use server::api::wire::{FreezeAnswer, FreezeItem};
use std::process::ExitCode;

/// Stop everything, a cluster, a namespace, a workload or an agent. What is under way comes to its end.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true), after_help = "\
Examples:
  drover freeze --all --reason \"incident 4711\"
  drover freeze --cluster member2 --reason \"new nodes today\" --for 2h
  drover freeze --agent keep-headroom --reason \"it contradicts itself\"")]
pub(crate) struct Freeze {
    /// Everything.
    #[arg(long, group = "what")]
    all: bool,
    /// Whatever touches this cluster.
    #[arg(long, group = "what", value_name = "NAME")]
    cluster: Option<String>,
    /// Whatever touches workloads of this namespace.
    #[arg(long, group = "what", value_name = "NAME")]
    namespace: Option<String>,
    /// As namespace/name, or kind/namespace/name.
    #[arg(long, group = "what", value_name = "NAME")]
    workload: Option<String>,
    /// Whatever this agent wants.
    #[arg(long, group = "what", value_name = "NAME")]
    agent: Option<String>,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// For how long, in the federation's own time; until somebody lifts it by default.
    #[arg(long = "for", value_name = "PERIOD")]
    period: Option<Period>,
    #[command(flatten)]
    connection: Connection,
}

/// List what stands still.
#[derive(Args)]
#[command(after_help = "Example:\n  drover freezes")]
pub(crate) struct Freezes {
    #[command(flatten)]
    connection: Connection,
}

/// Let something go on. What was granted to rules there goes back to people.
#[derive(Args)]
#[command(after_help = "Example:\n  drover unfreeze F-1 --reason \"the incident is over\"")]
pub(crate) struct Unfreeze {
    /// The freeze's number.
    id: String,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: Connection,
}

impl Freeze {
    fn scope(&self) -> (&'static str, Option<&str>) {
        let named = [
            ("cluster", &self.cluster),
            ("namespace", &self.namespace),
            ("workload", &self.workload),
            ("agent", &self.agent),
        ];
        let named = named.into_iter().find_map(|(scope, name)| Some((scope, name.as_deref()?)));
        named.map_or(("everything", None), |(scope, name)| (scope, Some(name)))
    }
}

/// What the desk has to say about a change, each on a line of its own.
pub(super) fn lines(notes: &[String]) -> String {
    notes.iter().flat_map(|note| [clean(note), "\n".to_owned()]).collect()
}

/// The flag that names a part of the federation.
pub(super) fn flag(scope: &str, name: Option<&str>) -> String {
    name.map_or_else(|| "--all".to_owned(), |name| format!("--{scope} {name}"))
}

pub(crate) fn freeze(arguments: &Freeze) -> Outcome {
    let client = arguments.connection.client()?;
    let (scope, name) = arguments.scope();
    let seconds = arguments.period.map(|period| period.as_millis().div_ceil(1000));
    let mut wish = json!({ "scope": scope, "reason": arguments.reason });
    if let Some(name) = name {
        wish["name"] = name.into();
    }
    if let Some(seconds) = seconds {
        wish["seconds"] = seconds.into();
    }
    let answer = client.send(&Request::post(&["freezes"], &wish))?;
    client.tell(&answer, |FreezeAnswer { freeze, notes }: &FreezeAnswer| {
        let undo = format!("To let it go on: drover unfreeze {} --reason …", clean(&freeze.id));
        format!("{}\n{}{undo}", frozen(freeze), lines(notes))
    })
}

pub(crate) fn list(arguments: &Freezes) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["freezes"]))?;
    client.tell_table(&answer, "Nothing stands still.", |freezes: &Vec<FreezeItem>| {
        let mut table = Table::new(&["id", "what", "by", "since", "until", "reason"]);
        for FreezeItem { id, scope, name, by, reason, since, until } in freezes {
            let what = name.as_ref().map_or_else(|| scope.clone(), |name| format!("{scope} {name}"));
            let until = until.map_or_else(|| "until lifted".to_owned(), clock);
            table.row([id, &what, by, &clock(*since), &until, reason]);
        }
        table
    })
}

pub(crate) fn unfreeze(arguments: &Unfreeze) -> Outcome {
    let client = arguments.connection.client()?;
    let undo = undo(&client, &arguments.id)?;
    let path = ["freezes", &arguments.id, "lift"];
    client.send(&Request::post(&path, &json!({ "reason": arguments.reason })))?;
    if !client.is_for_programs() {
        print(&format!("{} is lifted.\nTo stop it again: {undo}", clean(&arguments.id)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command that would bring a freeze back.
fn undo(client: &Client, id: &str) -> Result<String, Failure> {
    let standing: Vec<FreezeItem> = client.ask(&Request::get(&["freezes"]))?;
    let found = standing.iter().find(|freeze| freeze.id == id);
    let flag = found.map_or_else(|| "--all".to_owned(), |freeze| flag(&freeze.scope, freeze.name.as_deref()));
    Ok(clean(&format!("drover freeze {flag} --reason …")))
}
