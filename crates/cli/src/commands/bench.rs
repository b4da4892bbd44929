//! `drover bench`: how fast this build simulates.

use crate::failure::Outcome;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure this build on generated clusters.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Also write the numbers to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let _ = &arguments.out;
    Ok(ExitCode::SUCCESS)
}
