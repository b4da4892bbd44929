//! Running an experiment from the front door: files in, cells on all cores, results out.

mod archive;
mod folder;
mod manifest;
pub(crate) mod pack;
mod patience;
mod settings;
mod store;

pub(crate) use archive::MOST_BYTES;
pub(crate) use folder::{ExperimentFolder, pixel_files, result_files};
pub(crate) use settings::{Setting, load, load_from};
pub(crate) use store::{FolderStore, fingerprint};

use crate::failure::Failure;
use crate::output::print;
use crate::progress::CellProgress;
use anyhow::Context;
use lab::experiment::cell::Cell;
use lab::experiment::layout;
use lab::experiment::results::Results;
use lab::experiment::runner::{self, CellStore, Crew, NoStore};
use lab::experiment::spec::Experiment;
use lab::models::Models;
use patience::Stopwatch;
use std::num::NonZeroUsize;

/// How to run.
pub(crate) struct Means<'a> {
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Seconds after which a run is given up.
    pub(crate) time_limit: Option<u64>,
    /// Where finished cells are; none if they need not outlive this process.
    pub(crate) store: Option<&'a FolderStore>,
    /// Who answers what strategies ask of models.
    pub(crate) models: Option<&'a Models>,
}

/// All cells: setting by setting, strategy by strategy, seed by seed.
pub(crate) fn cells(
    experiment: &Experiment,
    settings: &[Setting],
    build: &str,
    models: Option<&Models>,
) -> Vec<Cell> {
    layout::cells(experiment, &columns(settings), build, models)
}

fn columns(settings: &[Setting]) -> Vec<layout::Setting<'_>> {
    let columns = settings.iter().map(|setting| {
        let Setting { name, scenario, digest, .. } = setting;
        layout::Setting { name, scenario, digest: *digest }
    });
    columns.collect()
}

/// Runs what is not known yet, and computes all numbers.
pub(crate) fn run(
    experiment: &Experiment,
    settings: &[Setting],
    means: &Means<'_>,
) -> Result<Results, Failure> {
    let build = fingerprint()?;
    let cells = cells(experiment, settings, &build, means.models);
    let progress = CellProgress::new(cells.len());
    let store: &dyn CellStore = match means.store {
        Some(store) => store,
        None => &NoStore,
    };
    let crew = Crew {
        jobs: means.jobs.unwrap_or_else(all_cores),
        store,
        patience: &Stopwatch::new(means.time_limit),
        told: &|now| progress.at(now),
    };
    let results = runner::run_all(&cells, &crew);
    progress.done();
    let results = results.context("a finished run could not be kept")?;
    Ok(layout::gathered(experiment, &columns(settings), results))
}

fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The table, or all of it for programs.
pub(crate) fn show(results: &Results, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let value = lab::experiment::export::json::results(results);
        return print(&serde_json::to_string_pretty(&value).context("results are plain data")?);
    }
    print(&lab::experiment::export::text::tables(results))
}
