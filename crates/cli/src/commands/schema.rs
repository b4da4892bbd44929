//! `drover schema`: the formats as JSON Schema, for editors.

use crate::failure::Outcome;
use crate::output::print;
use anyhow::Context;
use clap::{Args, ValueEnum};
use lab::experiment::raw::RawExperiment;
use server::config::raw::{RawDesk, RawModelsFile};
use simulator::scenario::raw::RawScenario;
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;

/// Print the JSON Schema of a file format, for editors that complete and check.
#[derive(Args)]
#[command(after_help = "Example:\n  drover schema scenario > scenario.schema.json")]
pub(crate) struct Arguments {
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The scenario file.
    Scenario,
    /// The experiment file.
    Experiment,
    /// The desk's file.
    Desk,
    /// The file that says which models are asked.
    Models,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let schema = match arguments.format {
        Format::Scenario => schemars::schema_for!(RawScenario<StrategyConfig>),
        Format::Experiment => schemars::schema_for!(RawExperiment),
        Format::Desk => schemars::schema_for!(RawDesk),
        Format::Models => schemars::schema_for!(RawModelsFile),
    };
    print(&serde_json::to_string_pretty(&schema).context("the schema could not be written")?)?;
    Ok(ExitCode::SUCCESS)
}
