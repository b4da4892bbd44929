//! The data of a desk that does not run at the moment, opened directly.

use super::config_at;
use crate::failure::{Failure, NOT_FOUND};
use clap::Args;
use server::config::DeskConfig;
use server::storage::{Database, Location};
use std::path::PathBuf;

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
    pub(crate) fn config(&self) -> Result<Option<DeskConfig>, Failure> {
        self.config.as_deref().map(config_at).transpose()
    }

    pub(crate) fn location(&self) -> Result<Location, Failure> {
        match (&self.storage, self.config()?) {
            (Some(location), _) => Ok(location.clone()),
            (None, Some(config)) => Ok(config.storage),
            (None, None) => Err(Failure::Input("say where the data is: --config or --storage".to_owned())),
        }
    }
}

/// Opens the data of a desk that has some. Whoever mistypes a name should not get an empty database.
pub(crate) fn open_existing(location: &Location) -> Result<Database, Failure> {
    match location {
        Location::File(path) if !path.exists() => {
            Err(Failure::refused(NOT_FOUND, format!("drover: there is no database {}", path.display())))
        }
        _ => Ok(Database::open(location)?),
    }
}
