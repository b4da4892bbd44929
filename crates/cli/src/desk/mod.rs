//! Opening a desk on this machine: its file, its data, and serving it until somebody says stop.

pub(crate) mod clusters;
mod definitions;
mod leading;
mod page;
mod secrets;
mod serving;
mod shelf;
pub(crate) mod storage;

pub(crate) use serving::{GUEST, INVITATION, OpenDesk, guest, signal, tell};

use crate::failure::Failure;
use crate::files::{self, beside};
use lab::run::Scenario;
use server::config::{self, DeskConfig};
use server::service::Keys;
use server::storage::Location;
use std::path::{Path, PathBuf};

/// What to do about data that cannot be reached.
pub(crate) const STORAGE_HELP: &str =
    "check the folder, or the server's address, user and password, under storage";

/// A desk's file with the scenario that it names.
pub(crate) struct DeskFile {
    pub(crate) config: DeskConfig,
    pub(crate) scenario: Scenario,
    /// The scenario as it is written.
    pub(crate) text: Vec<u8>,
    /// What the file names by its place.
    pub(crate) keys: Keys,
    /// Where the file lies.
    pub(crate) path: PathBuf,
}

impl DeskFile {
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        let config = config_at(path)?;
        let (scenario, text) = files::scenario_and_text_at(&beside(path, Path::new(&config.scenario)))?;
        let keys = secrets::find(&config, path)?;
        Ok(Self { config, scenario, text, keys, path: path.to_owned() })
    }
}

/// A desk's file alone. Everything it names lies where its own folder says, wherever the command was started.
pub(crate) fn config_at(path: &Path) -> Result<DeskConfig, Failure> {
    let mut config = config::read(&files::shown(path), &files::read(path)?)?;
    if let Some(place) = &config.storage_at {
        config.storage = secrets::location(place, path)?;
    }
    if let Location::File(file) = &mut config.storage {
        *file = beside(path, file);
    }
    Ok(config)
}

/// A secret by the place that a file names, with whose it is.
pub(crate) use secrets::named as secret_of;
