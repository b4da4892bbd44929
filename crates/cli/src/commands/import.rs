//! `drover import`: other tools' files as one of our scenarios.

mod engine;
pub(crate) mod trace;

use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use anyhow::Context;
use clap::{Args, Subcommand};
use model::document::{Document, Node, child, to_yaml};
use simulator::wasp::{self, Notice};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;

/// Turn another tool's files into a scenario.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover import wasp --config config.yaml --input input.json --out my-scenario.yaml
  drover import trace --format openb pods.csv --nodes nodes.csv --out my-scenario.yaml")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    from: From,
}

#[derive(Subcommand)]
enum From {
    /// WASP's config.yaml and input.json.
    #[command(
        after_help = "Example:\n  drover import wasp --config config.yaml --input input.json --out my-scenario.yaml"
    )]
    Wasp {
        /// WASP's config.yaml.
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// WASP's input.json.
        #[arg(long, value_name = "FILE")]
        input: PathBuf,
        /// Let language models decide, one or several, as config.yaml says; otherwise the planner does.
        #[arg(long)]
        language_models: bool,
        /// The folder with WASP's prompts; without it Drover's own are used.
        #[arg(long, value_name = "DIR", requires = "language_models")]
        prompts: Option<PathBuf>,
        /// Where to write the scenario; standard output by default.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    Trace(trace::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let ((text, notes), out) = match &arguments.from {
        From::Wasp { config, input, language_models, prompts, out } => {
            let decider =
                if *language_models { Decider::Models(prompts.as_deref()) } else { Decider::Planner };
            (convert(config, input, decider)?, out)
        }
        From::Trace(arguments) => (trace::convert(arguments)?, &arguments.out),
    };
    for text in notes {
        note(&format!("note: {text}"));
    }
    match out {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("{} could not be written", path.display()))?;
        }
        None => print(text.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Who decides in a scenario made of WASP's files.
#[derive(Clone, Copy)]
pub(crate) enum Decider<'a> {
    Planner,
    /// Language models as the file says, with prompts from this folder.
    Models(Option<&'a Path>),
}

/// The scenario as text, and everything in the files that has no effect or had to be assumed.
pub(crate) fn convert(
    config: &Path,
    input: &Path,
    decider: Decider<'_>,
) -> Result<(String, Vec<String>), Failure> {
    let (config_name, input_name) = (files::shown(config), files::shown(input));
    let config_bytes = files::read(config)?;
    let input_bytes = files::read(input)?;
    let (config_read, input_read) =
        wasp::read_files((&config_name, &config_bytes), (&input_name, &input_bytes))?;
    let name = scenario_name(input, "wasp");
    let (decide, assumed) = match decider {
        Decider::Planner => {
            let planner = StrategyConfig::by_name("planner").map_err(|error| anyhow::anyhow!(error))?;
            (planner, model_settings(&config_name, &config_bytes, &config_read.notices)?)
        }
        Decider::Models(prompts) => engine::language_model(&config_read.value.engine, prompts)?,
    };
    let converted = wasp::convert(&name, &config_read.value, &input_read.value, decide);
    let value = serde_json::to_value(&converted.scenario).context("the scenario could not be written")?;
    let mut notes: Vec<String> =
        config_read.notices.iter().map(|notice| format!("{config_name}: {notice}")).collect();
    notes.extend(assumed.into_iter().map(|note| format!("{config_name}: {note}")));
    notes.extend(input_read.notices.iter().map(|notice| format!("{input_name}: {notice}")));
    notes.extend(converted.notes.iter().map(|note| format!("{input_name}: {note}")));
    let text = to_yaml(&value);
    files::scenario("converted from WASP", text.as_bytes())?;
    Ok((text, notes))
}

/// The engine's settings that mean something without a language model.
const HEEDED: [&str; 4] =
    ["scheduler_interval", "timestamp_lookback_seconds", "fetch_metrics_immediately", "listed_clusters"];

/// WASP's engine asks a language model and tells it the history; here a strategy decides, so all of that is without effect.
fn model_settings(name: &str, bytes: &[u8], known: &[Notice]) -> Result<Vec<String>, Failure> {
    let document = Document::from_bytes(name, bytes)?;
    let mut paths = Vec::new();
    for section in ["ai", "recommendation_history"] {
        let found = document.root().get("ai-engine").and_then(|engine| engine.get(section));
        if let Some(node) = found {
            leaves(node, &format!("ai-engine.{section}"), &mut paths);
        }
    }
    let is_open = |path: &String| {
        let key = path.rsplit('.').next().unwrap_or_default();
        !HEEDED.contains(&key) && !known.iter().any(|note| note.to_string().contains(&format!(": {path}: ")))
    };
    let note = |path: String| {
        let line = document.locate(&path).line;
        format!("{line}: {path}: for a language model; here a strategy decides; ignored")
    };
    Ok(paths.into_iter().filter(is_open).map(note).collect())
}

/// Paths of everything that has no keys below it.
fn leaves(node: &Node, path: &str, found: &mut Vec<String>) {
    if node.entries().is_empty() {
        found.push(path.to_owned());
    }
    for entry in node.entries() {
        leaves(&entry.value, &child(path, &entry.key), found);
    }
}

/// The file's name, as far as it can be a name here.
fn scenario_name(input: &Path, otherwise: &str) -> String {
    let stem = input.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match model::names::check_name(&stem) {
        Ok(()) => stem,
        Err(error) => error.proposal.unwrap_or_else(|| otherwise.to_owned()),
    }
}
