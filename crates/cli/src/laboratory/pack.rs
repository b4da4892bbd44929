//! An experiment in one archive: what went in, what came out, and the hash of everything.

use super::archive;
use super::folder::result_files;
use super::settings::Setting;
use crate::failure::Failure;
use lab::experiment::results::Results;
use model::hash::ContentHash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const MANIFEST: &str = "manifest.json";
const EXPERIMENT: &str = "experiment.yaml";

/// What an archive says about itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    drover_pack: u32,
    /// The version of the program that made it.
    version: String,
    /// The hash of that program.
    build: String,
    experiment: String,
    seeds: Vec<u64>,
    /// Where the files that the experiment reads are, by the names it reads them by.
    inputs: BTreeMap<String, String>,
    /// All files but this one.
    sha256: BTreeMap<String, String>,
}

/// An archive that was opened: every hash is right.
pub(crate) struct Pack {
    pub(crate) experiment: Vec<u8>,
    pub(crate) inputs: BTreeMap<String, Vec<u8>>,
    pub(crate) results: BTreeMap<String, Vec<u8>>,
    pub(crate) version: String,
}

pub(crate) fn write(
    text: &[u8],
    settings: &[Setting],
    named: &BTreeMap<String, Vec<u8>>,
    results: &Results,
    build: &str,
) -> Result<Vec<u8>, Failure> {
    let mut files = BTreeMap::from([(EXPERIMENT.to_owned(), text.to_vec())]);
    let mut inputs = BTreeMap::new();
    for (name, content) in settings.iter().flat_map(|setting| &setting.inputs).chain(named) {
        let number = inputs.len() + 1;
        let place = inputs.entry(name.clone()).or_insert_with(|| format!("inputs/{number}")).clone();
        files.insert(place, content.clone());
    }
    for (name, content) in result_files(results)? {
        files.insert(format!("results/{name}"), content);
    }
    let hash =
        |(name, content): (&String, &Vec<u8>)| (name.clone(), ContentHash::of_bytes(content).to_string());
    let manifest = Manifest {
        drover_pack: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: build.to_owned(),
        experiment: results.name.clone(),
        seeds: results.seeds.clone(),
        inputs,
        sha256: files.iter().map(hash).collect(),
    };
    let manifest = serde_json::to_vec_pretty(&manifest).map_err(anyhow::Error::from)?;
    files.insert(MANIFEST.to_owned(), manifest);
    archive::write(&files)
        .map_err(|why| Failure::Machine(anyhow::anyhow!("the archive cannot be made: {why}")))
}

/// Opens an archive and checks every hash. All that is wrong is said at once.
pub(crate) fn open(bytes: &[u8]) -> Result<Pack, Vec<String>> {
    let mut files = archive::read(bytes).map_err(|why| vec![why])?;
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
