//! Scenario files of an experiment, with every variant of its grid.

use crate::failure::Failure;
use crate::files;
use lab::experiment::grid::vary;
use lab::experiment::spec::{Experiment, Variant, label};
use lab::run::Scenario;
use model::hash::ContentHash;
use simulator::scenario;
use std::collections::BTreeMap;
use std::path::Path;
use strategies::catalogue::StrategyConfig;

/// A scenario as one column of runs sees it.
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) scenario: Scenario,
    /// Of the text and of every file it reads.
    pub(crate) digest: ContentHash,
    /// The file as it was found, and the files it reads, by the names they go by.
    pub(crate) inputs: BTreeMap<String, Vec<u8>>,
}

/// Where files come from: a folder, or an archive.
pub(crate) type Source<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Reads all scenarios of an experiment whose file lies in this folder.
pub(crate) fn load(experiment: &Experiment, folder: &Path) -> Result<Vec<Setting>, Failure> {
    load_from(experiment, &|name| files::read_beside(&folder.join(name)))
}

/// Reads all scenarios of an experiment. All problems of all files are given at once.
pub(crate) fn load_from(experiment: &Experiment, source: Source<'_>) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    let mut problems = Vec::new();
    for path in &experiment.scenarios {
        for variant in &experiment.variants {
            match setting(path, source, variant) {
                Ok(setting) => settings.push(setting),
                Err(Failure::Input(text)) => problems.push(text),
                Err(other) => return Err(other),
            }
        }
    }
    problems.dedup();
    if problems.is_empty() { Ok(told_apart(settings)) } else { Err(Failure::Input(problems.join("\n"))) }
}

fn setting(path: &str, source: Source<'_>, variant: &Variant) -> Result<Setting, Failure> {
    let original = source(path).map_err(Failure::Input)?;
    let bytes = vary(path, &original, variant).map_err(|error| Failure::Input(format!("{path}: {error}")))?;
    let mut inputs = BTreeMap::from([(path.to_owned(), original)]);
    let mut digest = ContentHash::of_bytes(&bytes);
    let here = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut beside = |name: &str| {
        let name = here.join(name).to_string_lossy().into_owned();
        let bytes = source(&name)?;
        digest = digest.chain(name.as_bytes()).chain(&bytes);
        inputs.insert(name, bytes.clone());
        Ok(bytes)
    };
    let read = scenario::read_beside(path, &bytes, StrategyConfig::check, &mut beside);
    let mut scenario: Scenario = read.map_err(|problems| with_variant(Failure::from(problems), variant))?;
    files::resolve(&mut scenario, &mut beside)?;
    let name = match label(variant) {
        none if none.is_empty() => scenario.world.name.clone(),
        label => format!("{} {label}", scenario.world.name),
    };
    Ok(Setting { name, scenario, digest, inputs })
}

/// The lines are those of the changed file, which nobody has; so the change is named.
fn with_variant(failure: Failure, variant: &Variant) -> Failure {
    match failure {
        Failure::Input(text) if !variant.is_empty() => {
            Failure::Input(format!("with {}:\n{text}", label(variant)))
        }
        as_it_is => as_it_is,
    }
}

/// Two files may hold scenarios of the same name.
fn told_apart(mut settings: Vec<Setting>) -> Vec<Setting> {
    let mut seen = BTreeMap::<String, usize>::new();
    for setting in &mut settings {
        let count = seen.entry(setting.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            setting.name = format!("{} ({count})", setting.name);
        }
    }
    settings
}
