//! `drover token`: who may do what at a desk.

mod direct;

use crate::client::{Client, Connection, Request};
use crate::desk::storage::Place;
use crate::failure::{Failure, Outcome};
use crate::output::{note, print};
use crate::terminal::{Table, clean, clean_json, span, utc};
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use model::names::{ClusterName, NameError, ReviewerName, check_name};
use model::time::Period;
use serde_json::json;
use server::access::Role;
use server::api::wire::{IssuedToken, TokenItem, TokenPage};
use server::clock::wall_ms;
use std::process::ExitCode;

/// The desk gives at most so many at once.
const LONGEST_PAGE: u32 = 500;

/// Make, list and end tokens: through a desk that runs, or directly in the data of one that does not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover token create --config desks/three-waves.yaml --name anna --role admin > anna.token
  drover token create --token-file anna.token --name ben --role operator > ben.token
  drover token list
  drover token revoke T-1c9f2b7a40de
  drover token sign-out ben

With --config or --storage the data is opened directly, which needs the desk to be stopped.

Roles: viewer reads; operator also decides and stops things; admin also says who may do what;
auditor reads everything, the record included; agent proposes and can never decide.")]
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
  drover token create --name night-watch --role viewer --expires 7d --cluster member1 \\
    > night-watch.token")]
    Create(Create),
    /// List all tokens, ended ones too.
    #[command(after_help = "Example:\n  drover token list --config desks/three-waves.yaml")]
    List(List),
    /// End a token at once, and every session that was opened with it.
    #[command(after_help = "Example:\n  drover token revoke T-1c9f2b7a40de")]
    Revoke(Revoke),
    /// End every session that somebody has at a browser, however they signed in.
    #[command(after_help = "\
Example:
  drover token sign-out ben

Tokens of the same name go on counting; drover token revoke ends them. Whoever signs in with an
identity provider can sign in again until their group there has no role any more.")]
    SignOut(SignOut),
}

#[derive(Args)]
struct Create {
    /// The name under which its holder decides or proposes.
    #[arg(long)]
    name: ReviewerName,
    /// What its holder may do.
    #[arg(long, value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)))]
    role: String,
    /// How long it counts.
    #[arg(long, value_name = "PERIOD", default_value = "30d")]
    expires: Period,
    /// Only what touches no other cluster; may be given several times.
    #[arg(long = "cluster", value_name = "NAME")]
    clusters: Vec<ClusterName>,
    /// Only what is about workloads in this namespace; may be given several times.
    #[arg(long = "namespace", value_name = "NAME", value_parser = namespace)]
    namespaces: Vec<String>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct List {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Revoke {
    /// The token's number, as `drover token list` shows it.
    id: String,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct SignOut {
    /// The name under which they are known to the desk.
    name: ReviewerName,
    #[command(flatten)]
    connection: Connection,
}

fn namespace(text: &str) -> Result<String, NameError> {
    check_name(text).map(|()| text.to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Create(arguments) => create(arguments),
        Command::List(arguments) => list(arguments),
        Command::Revoke(arguments) => revoke(arguments),
        Command::SignOut(arguments) => sign_out(arguments),
    }
}

impl Create {
    /// Asks a desk that runs.
    fn ask(&self, client: &Client) -> Result<IssuedToken, Failure> {
        let wish = json!({
            "name": self.name,
            "role": self.role,
            "scope": { "clusters": self.clusters, "namespaces": self.namespaces },
            "seconds": self.expires.as_millis().div_ceil(1000),
        });
        client.ask(&Request::post(&["tokens"], &wish).only_once())
    }
}

fn create(arguments: &Create) -> Outcome {
    let issued = if arguments.place.is_given() {
        direct::create(arguments)?
    } else {
        arguments.ask(&arguments.connection.client()?)?
    };
    let printed = if arguments.connection.is_for_programs() {
        let text = serde_json::to_string(&issued).context("the token could not be written as JSON")?;
        print(&clean_json(&text))
    } else {
        print(&clean(&issued.secret))
    };
    for text in &issued.notes {
        note(&clean(text));
    }
    let TokenItem { id, name, role, .. } = &issued.token;
    let (place, counts) = (arguments.place.words(), span(arguments.expires.as_millis()));
    note(&clean(&format!("Token {id} for {name}, {role}, counts for {counts}.")));
    // Whoever has lost the secret has a token that counts and that nobody can use: all they can do is end it.
    let secret =
        if printed.is_ok() { "is shown only now" } else { "could not be printed and is kept nowhere" };
    note(&clean(&format!("The secret {secret}. To end the token: drover token revoke {id}{place}")));
    printed.map(|()| ExitCode::SUCCESS)
}

fn list(arguments: &List) -> Outcome {
    const NOTHING: &str = "There is no token yet.";
    let items = if arguments.place.is_given() {
        direct::list(&arguments.place)?
    } else {
        all(&arguments.connection.client()?)?
    };
    if arguments.connection.is_for_programs() {
        let text = serde_json::to_string(&items).context("the list could not be written as JSON")?;
        print(&clean_json(&text))?;
    } else {
        table(&items).show(NOTHING)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All tokens that a desk lists, page by page.
fn all(client: &Client) -> Result<Vec<TokenItem>, Failure> {
    let (mut items, mut cursor): (Vec<TokenItem>, Option<String>) = (Vec::new(), None);
    loop {
        let request =
            Request::get(&["tokens"]).query("limit", Some(LONGEST_PAGE)).query("cursor", cursor.as_ref());
        let page: TokenPage = client.ask(&request)?;
        items.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(items);
        }
    }
}

fn table(items: &[TokenItem]) -> Table {
    let mut table = Table::new(&["id", "name", "role", "reaches", "expires", "last used", "state"]);
    for token in items {
        let moment = |at: Option<i64>| at.map_or_else(|| "never".to_owned(), utc);
        let (expires, used) = (moment(token.expires_wall), moment(token.used_wall));
        table.row([&token.id, &token.name, &token.role, &reaches(token), &expires, &used, state(token)]);
    }
    table
}

fn state(token: &TokenItem) -> &'static str {
    match (token.revoked_wall, token.expires_wall) {
        (Some(_), _) => "revoked",
        (None, Some(end)) if end <= wall_ms() => "expired",
        _ => "counts",
    }
}

fn reaches(token: &TokenItem) -> String {
    let clusters = token.scope.clusters.iter().map(|name| format!("cluster {name}"));
    let namespaces = token.scope.namespaces.iter().map(|name| format!("namespace {name}"));
    let parts: Vec<String> = clusters.chain(namespaces).collect();
    if parts.is_empty() { "everything".to_owned() } else { parts.join(", ") }
}

fn revoke(arguments: &Revoke) -> Outcome {
    if arguments.place.is_given() {
        direct::revoke(&arguments.place, &arguments.id)?;
    } else {
        arguments.connection.client()?.send(&Request::delete(&["tokens", &arguments.id]))?;
    }
    if !arguments.connection.is_for_programs() {
        let id = clean(&arguments.id);
        print(&format!(
            "{id} does not count any more.\nThis is final; drover token create makes a new one."
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn sign_out(arguments: &SignOut) -> Outcome {
    let SignOut { name, connection } = arguments;
    connection.client()?.send(&Request::delete(&["sessions", name.as_str()]))?;
    if !connection.is_for_programs() {
        print(&format!("{} is signed out everywhere.", clean(name.as_str())))?;
    }
    Ok(ExitCode::SUCCESS)
}
