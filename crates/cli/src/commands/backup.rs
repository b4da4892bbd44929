//! `drover backup` and `drover restore`: copies of a desk's data, and desks from copies.

use crate::client::{Connection, Request};
use crate::desk::storage::{Place, open_existing};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::print;
use anyhow::Context;
use clap::Args;
use serde_json::json;
use server::storage::{Database, Error};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Copy everything a desk keeps into a new file, checked and complete: of a desk that runs, or of one that does not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover backup --to monday.db                               from the open desk, while it works
  drover backup --storage sqlite:drover.db --to monday.db    of a desk that does not run
  drover backup --config desks/three-waves.yaml --to monday.db")]
pub(crate) struct Backup {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    connection: Connection,
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
    let of = if arguments.place.is_given() {
        let location = arguments.place.location()?;
        open_existing(&location)?.backup(&arguments.to)?;
        location.to_string()
    } else {
        from_desk(&arguments.connection, &arguments.to)?;
        "the desk".to_owned()
    };
    print(&if arguments.connection.is_for_programs() {
        json!({ "file": arguments.to, "of": of }).to_string()
    } else {
        let to = arguments.to.display();
        format!(
            "{to} holds everything of {of}.\nTo bring it back: drover restore {to} --storage <a new place>"
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// What comes over a network may be cut off on the way, so it is looked through before it counts.
fn from_desk(connection: &Connection, to: &Path) -> Result<(), Failure> {
    let client = connection.client()?;
    // A desk records every backup that it makes, so it is asked only when there is a file for it.
    files::write_new(to, |file| {
        let mut source = client.open(&Request::get(&["backup"]), &[]).map_err(Failure::from)?;
        io::copy(&mut source, file).context("the desk stopped in the middle of the backup")?;
        Ok(())
    })?;
    Database::check_backup(to).map_err(|error| {
        let _ = std::fs::remove_file(to);
        error.into()
    })
}

pub(crate) fn restore(arguments: &Restore) -> Outcome {
    let location = arguments.place.location()?;
    Database::restore(&arguments.backup, &location)
        .map_err(|error| not_restored(error, &arguments.backup))?;
    print(&format!("{location} holds everything of {}.", arguments.backup.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Whoever names a file that holds no backup can name another one.
fn not_restored(error: Error, backup: &Path) -> Failure {
    match error {
        Error::File { path, source, .. } if source.kind() == ErrorKind::NotFound => Failure::Input(format!(
            "drover: there is no backup {}; name a file that is there",
            path.display()
        )),
        Error::NotADatabase { place } | Error::Empty { place } | Error::Foreign { place }
            if Path::new(&place) == backup =>
        {
            Failure::Input(format!(
                "drover: {place} is no backup of a desk; name a file that drover backup wrote"
            ))
        }
        other => other.into(),
    }
}
