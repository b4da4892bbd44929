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
use std::fs;
use std::path::{Path, PathBuf};

/// Under which of these a file names its scenario.
const SCENARIO_KEYS: [&str; 2] = ["world.simulate", "world.scenario"];

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
        let (bytes, name) = (files::read(path)?, files::shown(path));
        let config = config::read(&name, &bytes).map_err(Failure::from);
        let config = config.map_err(|failure| with_scenario(path, &bytes, failure))?;
        let document = Document::from_bytes(&name, &bytes)?;
        let places =
            both(&name, secrets::find(&config, &document, path), storage_of(&config, &document, path));
        let (scenario, text) = match (the_scenario(&config, &document, path), places.as_ref()) {
            (Ok(found), _) => found,
            (Err(Failure::Input(more)), Err(problems)) => {
                return Err(with(Failure::from(problems.clone()), &more));
            }
            (Err(failure), _) => return Err(failure),
        };
        let notes = config::check_names(&name, &bytes, &config, &scenario);
        let (notes, (keys, storage)) = both(&name, notes, places)?;
        let config = DeskConfig { storage, ..config };
        Ok(Self { config, scenario, text, keys, path: path.to_owned(), notes })
    }
}

/// The scenario that a desk's file names. If there is none, it is the name that is wrong.
fn the_scenario(
    config: &DeskConfig,
    document: &Document,
    path: &Path,
) -> Result<(Scenario, Vec<u8>), Failure> {
    let place = beside(path, Path::new(&config.scenario));
    if let Err(error) = fs::metadata(&place) {
        let key =
            SCENARIO_KEYS.into_iter().find(|key| document.find(key).is_some()).unwrap_or(SCENARIO_KEYS[0]);
        let message = format!("{} cannot be opened: {error}", files::shown(&place));
        let problem =
            document.problem_at(key, message, "name a scenario that lies there, as seen from this file");
        return Err(document.problems([problem]).into());
    }
    files::scenario_and_text_at(&place)
}

/// Where the data is kept: a file lies beside the desk's, and what only an environment or another file says is looked up.
fn storage_of(config: &DeskConfig, document: &Document, path: &Path) -> Result<Location, Problems> {
    let found = match &config.storage_at {
        Some(place) => secrets::location(place, path).map_err(|why| {
            let message = format!("where the data is kept is not known: {why}");
            document.problems([document.problem_at("storage", message, secrets::proposal(place))])
        })?,
        None => config.storage.clone(),
    };
    Ok(match found {
        Location::File(file) => Location::File(beside(path, &file)),
        server => server,
    })
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
    let named = SCENARIO_KEYS.into_iter().find_map(|key| {
        let scenario = salvage.as_ref()?.document.find(key)?.scalar()?;
        Some(beside(path, Path::new(scenario)))
    });
    match named.map(|scenario| files::scenario_at(&scenario)) {
        Some(Err(Failure::Input(more))) => with(Failure::Input(text), &more),
        _ => Failure::Input(text),
    }
}

/// What is wrong with one file, and behind it what is wrong with another.
fn with(failure: Failure, more: &str) -> Failure {
    match failure {
        Failure::Input(text) => Failure::Input(format!("{}\n{more}", text.trim_end())),
        other => other,
    }
}

/// A desk's file alone. Everything it names lies where its own folder says, wherever the command was started.
pub(crate) fn config_at(path: &Path) -> Result<DeskConfig, Failure> {
    let (bytes, name) = (files::read(path)?, files::shown(path));
    let config = config::read(&name, &bytes)?;
    let storage = storage_of(&config, &Document::from_bytes(&name, &bytes)?, path)?;
    Ok(DeskConfig { storage, ..config })
}

/// A secret by the place that a file names, with whose it is.
pub(crate) use secrets::named as secret_of;
