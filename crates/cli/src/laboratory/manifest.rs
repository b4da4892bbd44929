//! What an archive says about itself, and whether it is true.

use model::hash::ContentHash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const EXPERIMENT: &str = "experiment.yaml";

/// What an archive says about itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) drover_pack: u32,
    /// The version of the program that made it.
    pub(crate) version: String,
    /// The hash of that program.
    pub(crate) build: String,
    pub(crate) experiment: String,
    pub(crate) seeds: Vec<u64>,
    /// Where the files that the experiment reads are, by the names it reads them by.
    pub(crate) inputs: BTreeMap<String, String>,
    /// All files but this one.
    pub(crate) sha256: BTreeMap<String, String>,
}

/// An archive that was opened: every hash is right.
pub(crate) struct Pack {
    pub(crate) experiment: Vec<u8>,
    pub(crate) inputs: BTreeMap<String, Vec<u8>>,
    pub(crate) results: BTreeMap<String, Vec<u8>>,
    pub(crate) version: String,
}

/// Takes the files of an archive for a pack and checks every hash. All that is wrong is said at once.
pub(crate) fn check(mut files: BTreeMap<String, Vec<u8>>) -> Result<Pack, Vec<String>> {
    let manifest = files.remove(MANIFEST).ok_or_else(|| vec![format!("it has no {MANIFEST}")])?;
    let manifest: Manifest =
        serde_json::from_slice(&manifest).map_err(|why| vec![format!("{MANIFEST}: {why}")])?;
    let mut problems = Vec::new();
    for name in manifest.sha256.keys().filter(|name| !files.contains_key(*name)) {
        problems.push(format!("{name} is missing"));
    }
    for (name, content) in &files {
        match manifest.sha256.get(name) {
            None => problems.push(format!("{name} is not in the manifest")),
            Some(hash) if *hash != ContentHash::of_bytes(content).to_string() => {
                problems.push(format!("{name} was changed"));
            }
            Some(_) => {}
        }
    }
    let mut inputs = BTreeMap::new();
    for (name, place) in &manifest.inputs {
        match files.get(place) {
            Some(content) => {
                inputs.insert(name.clone(), content.clone());
            }
            None => problems.push(format!("{place}, which is {name}, is missing")),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let results = files
        .iter()
        .filter_map(|(name, content)| Some((name.strip_prefix("results/")?.to_owned(), content.clone())));
    let results = results.collect();
    let experiment = files.remove(EXPERIMENT).ok_or_else(|| vec![format!("it has no {EXPERIMENT}")])?;
    Ok(Pack { experiment, inputs, results, version: manifest.version })
}
