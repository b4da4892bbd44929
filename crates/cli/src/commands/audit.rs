//! `drover audit`: the record of a desk, read, taken away and checked.

use crate::client::{Connection, Request};
use crate::desk::storage::{Place, existing, in_use};
use crate::failure::{FINDINGS, Failure, Outcome, UNREACHABLE};
use crate::files;
use crate::output::{note, print, print_while_read};
use crate::terminal::{Moment, Table, clean, clock, utc};
use anyhow::Context;
use clap::{Args, Subcommand};
use model::hash::ContentHash;
use serde::Deserialize;
use serde_json::{Value, json};
use server::api::wire::{AuditEntry, AuditPage};
use server::audit::Chain;
use server::clock::wall_ms;
use server::storage::tables::journal::{self, Verification};
use server::storage::{self, Database, Location};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// An entry that is longer is none of ours.
const LONGEST_LINE: u64 = 256 << 20;

/// Which column of a list tells the run.
const RUN: usize = 2;

/// Read the record of a desk, take it away, and check that nobody changed it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover audit list --actor person:anna
  drover audit export --out record.jsonl
  drover audit verify
  drover audit verify record.jsonl
  drover audit verify --storage sqlite:drover.db

Every entry carries a hash over itself and all entries before it. verify exits with 8 if one is not
what it was.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show entries, newest first.
    #[command(after_help = "\
Examples:
  drover audit list --kind reviewed,ordered --limit 20
  drover audit list --since 2h
  drover audit list --since 2026-11-16 --until 2026-11-16T12:00Z")]
    List(List),
    /// Take the whole record away, one JSON line per entry, and check it on the way.
    #[command(after_help = "Example:\n  drover audit export --out record.jsonl")]
    Export(Export),
    /// Check that every entry is what it was when it was written.
    #[command(after_help = "\
Examples:
  drover audit verify                                   by the desk
  drover audit verify record.jsonl --noted 5f2c…09      an export, here, without a desk
  drover audit verify --storage sqlite:drover.db        the data of a desk that does not run

Whoever cuts off the end of a record leaves no trace in it: note the hash of its end elsewhere, and
give it as --noted.")]
    Verify(Verify),
}

#[derive(Args)]
struct List {
    /// Who: person:anna, agent:keep-headroom, rule:…, world, desk.
    #[arg(long)]
    actor: Option<String>,
    /// One or several kinds, with commas.
    #[arg(long)]
    kind: Option<String>,
    /// What it was done to: R-42, F-1 …
    #[arg(long)]
    subject: Option<String>,
    /// Written then or later: so long ago, such as 2h, or a moment in UTC, such as 2026-11-16T07:30Z.
    #[arg(long, value_name = "MOMENT")]
    since: Option<Moment>,
    /// Written before that moment.
    #[arg(long, value_name = "MOMENT")]
    until: Option<Moment>,
    /// How many at most.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: u32,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Export {
    /// The file to write; standard output by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Verify {
    /// An exported record.
    #[arg(conflicts_with_all = ["config", "storage"])]
    file: Option<PathBuf>,
    /// A hash that was noted before: the record must contain it.
    #[arg(long, value_name = "HASH", requires = "file")]
    noted: Option<ContentHash>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::List(arguments) => list(arguments),
        Command::Export(arguments) => export(arguments),
        Command::Verify(arguments) => verify(arguments),
    }
}

fn list(arguments: &List) -> Outcome {
    let client = arguments.connection.client()?;
    let now = wall_ms();
    let request = Request::get(&["audit"])
        .query("actor", arguments.actor.as_ref())
        .query("kind", arguments.kind.as_ref())
        .query("subject", arguments.subject.as_ref())
        .query("from", arguments.since.map(|moment| moment.wall_ms(now)))
        .query("until", arguments.until.map(|moment| moment.wall_ms(now)))
        .query("limit", Some(arguments.limit));
    let answer = client.send(&request)?;
    client.tell_table(&answer, "Nothing fits.", |page: &AuditPage| entries(&page.items))
}

/// Every run has a time and recommendations of its own, so where there are several it is said of which one they are.
fn entries(items: &[AuditEntry]) -> Table {
    let runs: BTreeSet<&str> = items.iter().filter_map(|entry| entry.run.as_deref()).collect();
    let is_told = |column: usize| column != RUN || runs.len() > 1;
    let told = |cells: [&str; 8]| {
        let told = cells.into_iter().enumerate().filter(|(column, _)| is_told(*column));
        told.map(|(_, cell)| cell.to_owned()).collect::<Vec<_>>()
    };
    let headings = told(["seq", "when", "run", "virtual", "kind", "actor", "subject", "via"]);
    let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for entry in items {
        let (seq, when, at) = (entry.seq.to_string(), utc(entry.at_wall), clock(entry.at.max(0) as u64));
        let (run, via) = (entry.run.as_deref().unwrap_or_default(), entry.via.as_deref().unwrap_or_default());
        table.row(told([&seq, &when, run, &at, &kind(entry), &entry.actor, &entry.subject, via]));
    }
    table
}

/// The kind of an entry, and for orders and answers which: `ordered: unfreeze`, `reviewed: reject`.
fn kind(entry: &AuditEntry) -> String {
    let which = match entry.kind.as_str() {
        "ordered" => "/input/ordered/what/order",
        "reviewed" => "/input/reviewed/verdict",
        _ => return entry.kind.clone(),
    };
    let body: Value = serde_json::from_str(entry.body.get()).unwrap_or_default();
    // A verdict with a time to it is an object with one key.
    let name = body.pointer(which).and_then(|found| match found {
        Value::Object(fields) => fields.keys().next().map(String::as_str),
        other => other.as_str(),
    });
    name.map_or_else(|| entry.kind.clone(), |name| format!("{}: {}", entry.kind, name.replace('_', " ")))
}

fn export(arguments: &Export) -> Outcome {
    let client = arguments.connection.client()?;
    let source = client.open(&Request::get(&["audit", "export"]), &[]).map_err(Failure::from)?;
    let chain = match &arguments.out {
        None => copy(source, print_while_read)?,
        Some(path) => files::write_new(path, |file| copy(source, |line| write(file, line)))?,
    };
    // Whoever reads only the beginning is told nothing about the whole.
    let Some(chain) = chain else { return Ok(ExitCode::SUCCESS) };
    let end = chain.end();
    note(&format!(
        "{} entries, all as they were written. Note the hash of the end elsewhere: {}",
        end.seq, end.hash
    ));
    Ok(ExitCode::SUCCESS)
}

fn write(file: &mut impl Write, line: &str) -> Result<bool, Failure> {
    writeln!(file, "{line}").context("the record could not be written")?;
    Ok(true)
}

/// Copies a record line by line and follows its hashes on the way. `write` says whether somebody reads on; nothing is left to follow
/// once nobody does.
fn copy(
    source: impl Read,
    mut write: impl FnMut(&str) -> Result<bool, Failure>,
) -> Result<Option<Chain>, Failure> {
    let (mut lines, mut chain) = (BufReader::new(source), Chain::default());
    while let Some(line) = next_line(&mut lines).map_err(|error| broken_off(&error))? {
        chain.follow(&line).map_err(|finding| found(chain.end().seq + 1, &finding))?;
        if !write(&line)? {
            return Ok(None);
        }
    }
    Ok(Some(chain))
}

fn broken_off(error: &std::io::Error) -> Failure {
    Failure::refused(UNREACHABLE, format!("drover: the record broke off: {error}; try again"))
}

fn next_line(lines: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = lines.take(LONGEST_LINE).read_line(&mut line)?;
    if read > 0 && line.ends_with('\n') {
        line.pop();
    }
    Ok((read > 0).then_some(line))
}

/// Something that should not be.
fn found(seq: i64, finding: &str) -> Failure {
    let text = format!("drover: the record is not what it was: entry {seq}: {}", clean(finding));
    Failure::refused(FINDINGS, text)
}

fn verify(arguments: &Verify) -> Outcome {
    match &arguments.file {
        Some(path) => intact(verify_file(path, arguments.noted)?, &arguments.connection),
        None if arguments.place.is_given() => {
            intact(verify_storage(&arguments.place)?, &arguments.connection)
        }
        None => verify_remotely(&arguments.connection),
    }
}

fn verify_file(path: &Path, noted: Option<ContentHash>) -> Result<Intact, Failure> {
    let shown = files::shown(path);
    let file =
        File::open(path).map_err(|error| Failure::Input(format!("{shown}: cannot be opened: {error}")))?;
    let (mut lines, mut chain) = (BufReader::new(file), Chain::default());
    let mut is_noted = noted.is_none();
    let unreadable = |error: std::io::Error| Failure::Input(format!("{shown}: cannot be read: {error}"));
    while let Some(line) = next_line(&mut lines).map_err(unreadable)? {
        let end = chain.follow(&line).map_err(|finding| found(chain.end().seq + 1, &finding))?;
        is_noted |= noted == Some(end.hash);
    }
    if !is_noted {
        return Err(found(
            chain.end().seq + 1,
            "the hash that was noted does not occur; entries are missing at the end",
        ));
    }
    Ok(Intact { entries: chain.end().seq, hash: chain.end().hash.to_string() })
}

/// A record in which everything is as it was written.
struct Intact {
    entries: i64,
    /// Of the end.
    hash: String,
}

/// Says so, to programs in the words of a desk. Every desk's record has a first entry, so one without any is what is left of one.
fn intact(Intact { entries, hash }: Intact, connection: &Connection) -> Outcome {
    if entries == 0 {
        let text = "drover: there is no entry in it, and every desk's record has one. An export that failed is empty, and so is a \
                    database file that was copied without the -wal file beside it.";
        return Err(Failure::refused(FINDINGS, text.to_owned()));
    }
    if connection.is_for_programs() {
        print(&json!({ "intact": true, "entries": entries, "hash": hash }).to_string())?;
    } else {
        print(&format!("intact: {entries} entries, each as it was written\nthe end: {}", clean(&hash)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn verify_storage(place: &Place) -> Result<Intact, Failure> {
    match verified(&place.location()?)? {
        Verification::Intact { entries, end } => Ok(Intact { entries, hash: end.hash.to_string() }),
        Verification::Broken { seq, finding } => Err(found(seq, &finding)),
    }
}

/// Checks the data; a copy that may not be written is read all the same.
fn verified(location: &Location) -> Result<Verification, Failure> {
    match (location, existing(location)?) {
        (_, Ok(database)) => Ok(database.read(journal::verify_whole)?),
        (Location::File(path), Err(storage::Error::ReadOnly { .. })) => {
            Ok(Database::read_copy(path, journal::verify_whole)?)
        }
        (_, Err(error)) => Err(in_use(error)),
    }
}

/// What a desk says about its own record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    intact: bool,
    entries: i64,
    hash: Option<String>,
    broken_at: Option<i64>,
    finding: Option<String>,
}

fn verify_remotely(connection: &Connection) -> Outcome {
    let client = connection.client()?;
    let answer = client.send(&Request::get(&["audit", "verification"]).patiently())?;
    let checked: Checked = answer.read()?;
    if client.is_for_programs() {
        client.tell(&answer, |_: &Checked| String::new())?;
        return Ok(if checked.intact { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) });
    }
    if checked.intact {
        let hash = checked.hash.unwrap_or_default();
        return intact(Intact { entries: checked.entries, hash }, connection);
    }
    Err(found(checked.broken_at.unwrap_or_default(), &checked.finding.unwrap_or_default()))
}
