//! `drover serve`: a desk where people and agents meet, over HTTP.

use crate::desk::{self, DeskFile, Opening};
use crate::failure::Outcome;
use crate::files;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Open a desk: run its federation, keep what happens, and let people decide over HTTP.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover serve --config desks/three-waves.yaml
  drover serve --config desks/three-waves.yaml --listen 127.0.0.1:9000

The desk goes on where it stopped, also after a crash. Ctrl-C stops it; what was decided is kept.")]
pub(crate) struct Arguments {
    /// The desk's file.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Where to listen instead of where the file says; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Write the address here as soon as requests are answered.
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut desk = DeskFile::at(&arguments.config)?;
    if let Some(address) = arguments.listen {
        desk.config.listen = address;
    }
    let file = files::shown(&arguments.config);
    desk::serve(Opening {
        desk,
        ready_file: arguments.ready_file.clone(),
        token_command: format!("drover token create --config {file} --name <your-name> --role admin"),
    })?;
    Ok(ExitCode::SUCCESS)
}
