//! `drover import`: other tools' files as one of our scenarios.

use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use anyhow::Context;
use clap::{Args, Subcommand};
use model::document::to_yaml;
use simulator::wasp;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;

/// Turn another tool's files into a scenario.
#[derive(Args)]
#[command(
    after_help = "Example:\n  drover import wasp --config config.yaml --input input.json --out my-scenario.yaml"
)]
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
        /// Where to write the scenario; standard output by default.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let From::Wasp { config, input, out } = &arguments.from;
    let (scenario, notes) = convert(config, input)?;
    for text in notes {
        note(&format!("note: {text}"));
    }
    match out {
        Some(path) => std::fs::write(path, scenario)
            .with_context(|| format!("{} could not be written", path.display()))?,
        None => print(scenario.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The scenario as text, and everything in the files that has no effect or had to be assumed.
pub(crate) fn convert(config: &Path, input: &Path) -> Result<(String, Vec<String>), Failure> {
    let (config_name, input_name) = (files::shown(config), files::shown(input));
    let config_read = wasp::read_config(&config_name, &files::read(config)?);
    let input_read = wasp::read_input(&input_name, &files::read(input)?);
    let (config_read, input_read) = match (config_read, input_read) {
        (Ok(config), Ok(input)) => (config, input),
        (config, input) => return Err(all_problems([config.err(), input.err()])),
    };
    let name = scenario_name(input);
    let decide = StrategyConfig::by_name("planner").map_err(|error| anyhow::anyhow!(error))?;
    let converted = wasp::convert(&name, &config_read.value, &input_read.value, decide);
    let value = serde_json::to_value(&converted.scenario).context("the scenario could not be written")?;
    let mut notes: Vec<String> =
        config_read.notices.iter().map(|notice| format!("{config_name}: {notice}")).collect();
    notes.extend(input_read.notices.iter().map(|notice| format!("{input_name}: {notice}")));
    notes.extend(converted.notes.iter().map(|note| format!("{input_name}: {note}")));
    Ok((to_yaml(&value), notes))
}

fn all_problems(problems: [Option<model::document::Problems>; 2]) -> Failure {
    let texts: Vec<String> = problems.into_iter().flatten().map(|problems| problems.to_string()).collect();
    Failure::Input(texts.join("\n") + "\nnothing was written")
}

/// The file's name, as far as it can be a name here.
fn scenario_name(input: &Path) -> String {
    let stem = input.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match model::names::check_name(&stem) {
        Ok(()) => stem,
        Err(error) => error.proposal.unwrap_or_else(|| "wasp".to_owned()),
    }
}
