//! `drover backup` and `drover restore`: copies of a desk's data, and desks from copies.

use crate::desk::storage::{Place, open_existing};
use crate::failure::Outcome;
use crate::output::print;
use clap::Args;
use server::storage::Database;
use std::path::PathBuf;
use std::process::ExitCode;

/// Copy everything a desk keeps into a new file, checked and complete. The desk must not run.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover backup --storage sqlite:drover.db --to monday.db
  drover backup --config desks/three-waves.yaml --to monday.db")]
pub(crate) struct Backup {
    #[command(flatten)]
    place: Place,
    /// The file to write; one that exists is not overwritten.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

/// Fill a new database from a backup. One of another kind will do, too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover restore monday.db --storage sqlite:drover.db
  drover restore monday.db --storage postgres://desk@host/drover")]
pub(crate) struct Restore {
    /// The backup.
    backup: PathBuf,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn backup(arguments: &Backup) -> Outcome {
    let location = arguments.place.location()?;
    open_existing(&location)?.backup(&arguments.to)?;
    let to = arguments.to.display();
    print(&format!(
        "{to} holds everything of {location}.\nTo bring it back: drover restore {to} --storage <a new place>"
    ))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn restore(arguments: &Restore) -> Outcome {
    let location = arguments.place.location()?;
    Database::restore(&arguments.backup, &location)?;
    print(&format!("{location} holds everything of {}.", arguments.backup.display()))?;
    Ok(ExitCode::SUCCESS)
}
