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
use model::document::{Document, Problems};
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
    /// What is not wrong, and yet worth a second look.
    pub(crate) notes: Vec<String>,
}

impl DeskFile {
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        let bytes = files::read(path)?;
        let config = config_of(path, &bytes).map_err(|failure| with_scenario(path, &bytes, failure))?;
        let (scenario, text) = files::scenario_and_text_at(&beside(path, Path::new(&config.scenario)))?;
        let (name, document) = (files::shown(path), Document::from_bytes(&files::shown(path), &bytes)?);
        let notes = config::check_names(&name, &bytes, &config, &scenario);
        let keys = secrets::find(&config, &document, path);
        let (notes, keys) = both(&name, notes, keys)?;
        Ok(Self { config, scenario, text, keys, path: path.to_owned(), notes })
    }
}

/// What two looks at one file found, or all that either says is wrong with it.
fn both<A, B>(name: &str, one: Result<A, Problems>, other: Result<B, Problems>) -> Result<(A, B), Problems> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => {
            let mut all = Problems::new(name);
            all.extend(one.err().iter().chain(&other.err()).flatten().cloned());
            Err(all)
        }
    }
}

/// What is wrong with a desk's file, and behind it what is wrong with the scenario that it names: nobody mends one to hear of the other.
fn with_scenario(path: &Path, bytes: &[u8], failure: Failure) -> Failure {
    let Failure::Input(text) = failure else { return failure };
    let salvage = Document::salvage(&files::shown(path), bytes).ok();
    let named = ["world.simulate", "world.scenario"].into_iter().find_map(|key| {
        let scenario = salvage.as_ref()?.document.find(key)?.scalar()?;
        Some(beside(path, Path::new(scenario)))
    });
    match named.map(|scenario| files::scenario_at(&scenario)) {
        Some(Err(Failure::Input(more))) => Failure::Input(format!("{}\n{more}", text.trim_end())),
        _ => Failure::Input(text),
    }
}

/// A desk's file alone. Everything it names lies where its own folder says, wherever the command was started.
pub(crate) fn config_at(path: &Path) -> Result<DeskConfig, Failure> {
    config_of(path, &files::read(path)?)
}

fn config_of(path: &Path, bytes: &[u8]) -> Result<DeskConfig, Failure> {
    let mut config = config::read(&files::shown(path), bytes)?;
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
