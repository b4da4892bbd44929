//! `drover token`: who may do what at a desk.

use crate::desk::storage::{Place, open_existing};
use crate::failure::{Failure, NOT_FOUND, Outcome};
use crate::output::{note, print};
use crate::terminal::{Table, span, utc};
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use control::agent::Scope;
use model::names::{ClusterName, ReviewerName, check_name};
use model::time::Period;
use serde::Serialize;
use server::access::{self, NewToken, Role};
use server::clock::wall_ms;
use server::config::raw::RawAccess;
use server::storage::tables::journal::{self, NewEntry};
use server::storage::tables::tokens::{self, Token};
use server::storage::{Database, JsonText, Transaction};
use std::process::ExitCode;

/// Who did it, as the record names them: whoever can write to the database without a desk.
const ACTOR: &str = "command-line";

/// Make, list and end tokens of a desk that does not run at the moment.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover token create --config desks/three-waves.yaml --name anna --role admin > anna.token
  drover token list --config desks/three-waves.yaml
  drover token revoke T-1c9f2b7a40de --config desks/three-waves.yaml

Roles: viewer reads; operator also decides and stops things; admin also says who may do what; auditor reads everything,
the record included; agent proposes and can never decide.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a token. Its secret is printed once on standard output and kept nowhere.
    #[command(after_help = "\
Examples:
  drover token create --config desks/three-waves.yaml --name anna --role operator > anna.token
  drover token create --storage sqlite:drover.db --name night-watch --role viewer --expires 7d --cluster member1")]
    Create(Create),
    /// List all tokens, ended ones too.
    #[command(after_help = "Example:\n  drover token list --config desks/three-waves.yaml")]
    List(List),
    /// End a token at once.
    #[command(after_help = "Example:\n  drover token revoke T-1c9f2b7a40de --config desks/three-waves.yaml")]
    Revoke(Revoke),
}

#[derive(Args)]
struct Create {
    #[command(flatten)]
    place: Place,
    /// The name under which its holder decides.
    #[arg(long)]
    name: ReviewerName,
    #[arg(long, value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)))]
    role: String,
    /// How long it counts.
    #[arg(long, value_name = "PERIOD", default_value = "30d")]
    expires: Period,
    /// Only decisions that touch no other cluster; may be given several times.
    #[arg(long = "cluster", value_name = "NAME")]
    clusters: Vec<ClusterName>,
    /// Only decisions about workloads in this namespace; may be given several times.
    #[arg(long = "namespace", value_name = "NAME", value_parser = namespace)]
    namespaces: Vec<String>,
}

#[derive(Args)]
struct List {
    #[command(flatten)]
    place: Place,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Revoke {
    /// The token's number, as `drover token list` shows it.
    id: String,
    #[command(flatten)]
    place: Place,
}

fn namespace(text: &str) -> Result<String, model::names::NameError> {
    check_name(text).map(|()| text.to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Create(arguments) => create(arguments),
        Command::List(arguments) => list(arguments),
        Command::Revoke(arguments) => revoke(arguments),
    }
}

impl Create {
    fn token(&self, longest: Period) -> Result<NewToken, Failure> {
        if self.expires > longest || self.expires.is_zero() {
            return Err(Failure::Input(format!(
                "--expires {}: a token of this desk counts for at most {longest}, and not for no time",
                self.expires
            )));
        }
        let created_wall_ms = wall_ms();
        Ok(NewToken {
            name: self.name.clone(),
            role: Role::parse(&self.role).ok_or_else(|| Failure::Input("--role: unknown".to_owned()))?,
            scope: Scope {
                clusters: self.clusters.iter().cloned().collect(),
                namespaces: self.namespaces.iter().cloned().collect(),
            },
            created_by: ACTOR.to_owned(),
            created_wall_ms,
            expires_wall_ms: Some(created_wall_ms + self.expires.as_millis() as i64),
        })
    }
}

fn create(arguments: &Create) -> Outcome {
    let config = arguments.place.config()?;
    let longest =
        config.map_or_else(|| RawAccess::default().longest_token, |config| config.access.longest_token);
    let new = arguments.token(longest)?;
    let database = Database::open(&arguments.place.location()?)?;
    let (id, secret) = database.write(|transaction| {
        let issued = access::issue(transaction, &new)?;
        let body = JsonText::of(&Created { name: &new.name, role: new.role, scope: &new.scope });
        record(transaction, "token.created", &issued.0, body)?;
        Ok(issued)
    })?;
    print(secret.reveal())?;
    note(&format!(
        "Token {id} for {}, {}, counts for {}. The secret above is shown only now.\nTo end it: drover token revoke {id}",
        new.name,
        new.role,
        span(arguments.expires.as_millis())
    ));
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Created<'a> {
    name: &'a ReviewerName,
    role: Role,
    scope: &'a Scope,
}

/// Writes down what was done to a token.
fn record(
    transaction: &mut dyn Transaction,
    kind: &str,
    subject: &str,
    body: JsonText,
) -> Result<(), server::storage::Error> {
    let entry = NewEntry {
        run: None,
        at_ms: 0,
        wall_ms: wall_ms(),
        kind: kind.to_owned(),
        actor: ACTOR.to_owned(),
        subject: subject.to_owned(),
        body,
    };
    journal::append(transaction, &entry).map(drop)
}

fn list(arguments: &List) -> Outcome {
    let tokens = open_existing(&arguments.place.location()?)?.read(tokens::all)?;
    if arguments.json {
        let rows: Vec<Row> = tokens.iter().map(Row::of).collect();
        print(&serde_json::to_string(&rows).context("the list could not be written as JSON")?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(&["id", "name", "role", "reaches", "expires", "last used", "state"]);
    for token in &tokens {
        let row = Row::of(token);
        let moment = |at: Option<i64>| at.map_or_else(|| "never".to_owned(), utc);
        let (expires, used) = (moment(row.expires_wall_ms), moment(row.used_wall_ms));
        table.row([row.id, row.name, row.role, &row.reaches(), &expires, &used, row.state]);
    }
    table.show("There is no token yet.")?;
    Ok(ExitCode::SUCCESS)
}

/// A token without its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: &'a str,
    name: &'a str,
    role: &'a str,
    scope: Scope,
    created_by: &'a str,
    created_wall_ms: i64,
    expires_wall_ms: Option<i64>,
    used_wall_ms: Option<i64>,
    revoked_wall_ms: Option<i64>,
    state: &'static str,
}

impl<'a> Row<'a> {
    fn of(token: &'a Token) -> Self {
        let state = match (token.revoked_wall_ms, token.expires_wall_ms) {
            (Some(_), _) => "revoked",
            (None, Some(end)) if end <= wall_ms() => "expired",
            _ => "counts",
        };
        Self {
            id: &token.id,
            name: &token.name,
            role: &token.role,
            scope: token.scope.read("a scope").unwrap_or_default(),
            created_by: &token.created_by,
            created_wall_ms: token.created_wall_ms,
            expires_wall_ms: token.expires_wall_ms,
            used_wall_ms: token.used_wall_ms,
            revoked_wall_ms: token.revoked_wall_ms,
            state,
        }
    }

    fn reaches(&self) -> String {
        let clusters = self.scope.clusters.iter().map(|name| format!("cluster {name}"));
        let namespaces = self.scope.namespaces.iter().map(|name| format!("namespace {name}"));
        let parts: Vec<String> = clusters.chain(namespaces).collect();
        if parts.is_empty() { "everything".to_owned() } else { parts.join(", ") }
    }
}

fn revoke(arguments: &Revoke) -> Outcome {
    let (id, database) = (arguments.id.as_str(), open_existing(&arguments.place.location()?)?);
    let ended = database.write(|transaction| {
        let ended = tokens::revoke(transaction, id, wall_ms())?;
        if ended {
            record(transaction, "token.revoked", id, JsonText::of(&serde_json::Map::new()))?;
        }
        Ok(ended)
    })?;
    if !ended {
        let text = format!("drover: no token {id} counts; drover token list shows all of them");
        return Err(Failure::refused(NOT_FOUND, text));
    }
    print(&format!(
        "{id} does not count any more. It cannot be brought back; drover token create makes a new one."
    ))?;
    Ok(ExitCode::SUCCESS)
}
