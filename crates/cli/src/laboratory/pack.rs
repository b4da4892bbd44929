//! An experiment in one archive: what went in, what came out, and the hash of everything.

use super::archive;
use super::folder::result_files;
use super::manifest::{self, EXPERIMENT, MANIFEST, Manifest};
use super::settings::Setting;
use crate::failure::Failure;
use lab::experiment::results::Results;
use model::hash::ContentHash;
use std::collections::BTreeMap;

pub(crate) use super::manifest::Pack;

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
    manifest::check(archive::read(bytes).map_err(|why| vec![why])?)
}
