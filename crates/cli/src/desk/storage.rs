//! The data of a desk that does not run at the moment, opened directly.

use super::config_at;
use crate::failure::{CONFLICT, Failure, NOT_FOUND};
use clap::Args;
use server::storage::{Database, Error, Location};
use std::path::{Path, PathBuf};

/// Where a desk keeps its data: in its file, or said directly.
#[derive(Args)]
#[group(id = "place", multiple = false)]
pub(crate) struct Place {
    /// The desk's file, which says where the data is.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the data is: sqlite:<file> or postgres://<user>@<host>/<database>.
    #[arg(long, value_name = "LOCATION")]
    storage: Option<Location>,
}

impl Place {
    pub(crate) const fn is_given(&self) -> bool {
        self.config.is_some() || self.storage.is_some()
    }

    /// The desk's file, if it was named.
    pub(crate) fn config_path(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The same place again, for a command line.
    pub(crate) fn words(&self) -> String {
        match (&self.config, &self.storage) {
            (Some(path), _) => format!(" --config {}", path.display()),
            (None, Some(location)) => format!(" --storage {location}"),
            (None, None) => String::new(),
        }
    }

    pub(crate) fn location(&self) -> Result<Location, Failure> {
        match (&self.storage, self.config_path()) {
            (Some(location), _) => Ok(location.clone()),
            (None, Some(path)) => Ok(config_at(path)?.storage),
            (None, None) => Err(Failure::Input("say where the data is: --config or --storage".to_owned())),
        }
    }
}

/// Opens the data of a desk that has some. Whoever mistypes a name should not get an empty database.
pub(crate) fn open_existing(location: &Location) -> Result<Database, Failure> {
    existing(location)?.map_err(in_use)
}

/// The same for whoever can do something about data that cannot be opened.
pub(crate) fn existing(location: &Location) -> Result<Result<Database, Error>, Failure> {
    match location {
        Location::File(path) if !path.exists() => {
            Err(Failure::refused(NOT_FOUND, format!("drover: there is no database {}", path.display())))
        }
        _ => Ok(Database::open(location)),
    }
}

/// Whoever finds the data in use can ask the desk that uses it.
pub(crate) fn in_use(error: Error) -> Failure {
    match error {
        Error::InUse { .. } => {
            let way =
                "What can be asked of a desk that runs takes --server instead of --config and --storage.";
            Failure::refused(CONFLICT, format!("drover: {error}\n{way}"))
        }
        other => other.into(),
    }
}
