//! `drover replay`: does this build still decide as the journal says?

use crate::failure::{Failure, Outcome};
use crate::output::print;
use anyhow::Context;
use clap::Args;
use control::journal::{JournalError, JournalReader};
use control::replay::{Divergence, replay};
use lab::run::Header;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;

/// Feed a journal's inputs to a fresh control loop and find the first difference.
#[derive(Args)]
#[command(
    after_help = "Example:\n  drover replay runs/demo/journal.jsonl\n\nExit code 1 means that the decisions differ, 2 that the journal is damaged."
)]
pub(crate) struct Arguments {
    /// The journal.jsonl of a run.
    journal: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let shown = arguments.journal.display();
    let file = File::open(&arguments.journal)
        .map_err(|error| Failure::Input(format!("{shown}: cannot be opened: {error}")))?;
    let damaged = |error: JournalError| match error {
        JournalError::Io { .. } => Failure::Machine(error.into()),
        _ => Failure::Input(format!("{shown}: {error}")),
    };
    let (mut reader, header) = JournalReader::begin::<Header>(BufReader::new(file)).map_err(damaged)?;
    let result = replay(&mut reader, &mut header.control_loop()).map_err(damaged)?;
    if arguments.json {
        let value = serde_json::json!({
            "entries": result.entries,
            "journal_sha256": result.journal_hash,
            "agrees": result.divergence.is_none(),
            "divergence": result.divergence.as_ref().map(as_json),
        });
        print(&serde_json::to_string_pretty(&value).context("the result could not be written as JSON")?)?;
    } else {
        print(&text(&header, &result))?;
    }
    Ok(if result.divergence.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn as_json(divergence: &Divergence) -> serde_json::Value {
    serde_json::json!({
        "seq": divergence.seq,
        "at": divergence.at,
        "effect": divergence.effect,
        "recorded": divergence.recorded,
        "replayed": divergence.replayed,
    })
}

fn text(header: &Header, result: &control::replay::Replay) -> String {
    let run = format!("{} with {}, seed {}", header.scenario, header.strategy, header.seed);
    let Some(divergence) = &result.divergence else {
        return format!(
            "agrees: {run}: {} inputs, every effect as recorded\njournal {}",
            result.entries, result.journal_hash
        );
    };
    let side =
        |value: &Option<serde_json::Value>| value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    format!(
        "differs: {run}\nfirst at entry {} ({}), effect {}\n  recorded: {}\n  replayed: {}",
        divergence.seq,
        divergence.at,
        divergence.effect,
        side(&divergence.recorded),
        side(&divergence.replayed),
    )
}
