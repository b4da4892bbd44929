//! `drover completions`: for the shell.

use crate::failure::Outcome;
use crate::output::print;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a completion script for your shell.
#[derive(Args)]
#[command(
    after_help = "Example:\n  drover completions bash > ~/.local/share/bash-completion/completions/drover"
)]
pub(crate) struct Arguments {
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut command = crate::Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "drover", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
