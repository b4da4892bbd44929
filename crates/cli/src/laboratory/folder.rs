//! The folder of an experiment: finished cells that stay, and results that are written anew each time.

use super::store::FolderStore;
use crate::failure::Failure;
use anyhow::Context;
use lab::experiment::export::{csv, json, latex, markdown, parquet};
use lab::experiment::results::Results;
use lab::experiment::spec::Experiment;
use lab::experiment::{figures, report};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Says that a folder is ours, so that a wrong option costs nobody their files.
const MARK: &str = ".drover-experiment";

pub(crate) struct ExperimentFolder {
    path: PathBuf,
    store: FolderStore,
}

impl ExperimentFolder {
    /// Opens a folder that is new, empty, or holds an experiment.
    pub(crate) fn open(path: &Path, experiment: &Experiment) -> Result<Self, Failure> {
        let shown = path.display();
        if path.is_file() {
            return Err(Failure::Input(format!("{shown}: is a file; name a folder that is new or empty")));
        }
        let has_anything = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if has_anything && !path.join(MARK).is_file() {
            let help = "name a folder that is new, empty, or was written by an experiment";
            return Err(Failure::Input(format!("{shown}: holds something else; {help}")));
        }
        let store = FolderStore::open(&path.join("cells"))?;
        let folder = Self { path: path.to_owned(), store };
        folder.write(MARK, format!("{}\n", experiment.name).as_bytes())?;
        Ok(folder)
    }

    pub(crate) const fn store(&self) -> &FolderStore {
        &self.store
    }

    /// Writes everything that is made of results. Each file is replaced as a whole.
    pub(crate) fn write_results(&self, results: &Results) -> Result<(), Failure> {
        self.forget_figures()?;
        for (name, content) in result_files(results)? {
            self.write(&name, &content)?;
        }
        Ok(())
    }

    /// Writes the figures in pixels too.
    pub(crate) fn write_pixels(&self, results: &Results) -> Result<(), Failure> {
        for file in pixel_files(results) {
            let (name, content) = file?;
            self.write(&name, &content)?;
        }
        Ok(())
    }

    /// Figures of strategies or scenarios that are no longer part of the experiment would be taken for its results.
    fn forget_figures(&self) -> Result<(), Failure> {
        let Ok(entries) = fs::read_dir(self.path.join("figures")) else { return Ok(()) };
        for path in entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "svg" || end == "png"))
        {
            fs::remove_file(&path).with_context(|| format!("{} could not be replaced", path.display()))?;
        }
        Ok(())
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let failed = || format!("{} could not be written", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(failed)?;
        }
        let draft = self.path.join(format!(".draft-{}", std::process::id()));
        fs::write(&draft, content).with_context(failed)?;
        Ok(fs::rename(&draft, &path).with_context(failed)?)
    }
}

/// Everything that is made of results, by the name of its file.
pub(crate) fn result_files(results: &Results) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let json =
        serde_json::to_string_pretty(&json::results(results)).context("results are plain data")? + "\n";
    let files = [
        ("results.csv", csv::results(results).into_bytes()),
        ("cells.csv", csv::cells(results).into_bytes()),
        ("values.parquet", parquet::values(results)),
        ("table.md", markdown::tables(results).into_bytes()),
        ("table.tex", latex::tables(results).into_bytes()),
        ("results.json", json.into_bytes()),
        ("report.html", report::render(results).into_bytes()),
    ];
    let drawings = figures::all(results).into_iter().flatten();
    let drawings =
        drawings.map(|drawing| (format!("figures/{}.svg", drawing.key), drawing.to_svg().into_bytes()));
    Ok(files.into_iter().map(|(name, content)| (name.to_owned(), content)).chain(drawings).collect())
}

/// The figures in pixels, by the name of their file. They are not among the files above, which packs compare byte by byte: processors may
/// differ in how they round.
pub(crate) fn pixel_files(results: &Results) -> impl Iterator<Item = Result<(String, Vec<u8>), Failure>> {
    figures::all(results).into_iter().flatten().map(|drawing| {
        let name = format!("figures/{}.png", drawing.key);
        let content = drawing.to_png().with_context(|| format!("{name} could not be drawn"))?;
        Ok((name, content))
    })
}
