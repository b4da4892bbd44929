//! Scenario files of an experiment, with every variant of its grid.

use crate::failure::Failure;
use crate::files;
use lab::experiment::grid::vary;
use lab::experiment::spec::{Experiment, label};
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

/// Reads all scenarios of an experiment whose file lies in this folder. All problems of all files are given at once.
pub(crate) fn load(experiment: &Experiment, folder: &Path) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    let mut problems = Vec::new();
    for path in &experiment.scenarios {
        for variant in &experiment.variants {
            match setting(path, folder, variant) {
                Ok(setting) => settings.push(setting),
                Err(Failure::Input(text)) => problems.push(text),
                Err(other) => return Err(other),
            }
        }
    }
    problems.dedup();
    if problems.is_empty() { Ok(told_apart(settings)) } else { Err(Failure::Input(problems.join("\n"))) }
}

fn setting(path: &str, folder: &Path, variant: &lab::experiment::spec::Variant) -> Result<Setting, Failure> {
    let file = folder.join(path);
    let original = files::read(&file)?;
    let bytes = vary(&files::shown(&file), &original, variant)
        .map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    let mut inputs = BTreeMap::from([(path.to_owned(), original)]);
    let mut digest = ContentHash::of_bytes(&bytes);
    let here = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut beside = |name: &str| {
        let name = here.join(name);
        let bytes = files::read_beside(&folder.join(&name))?;
        digest = digest.chain(name.to_string_lossy().as_bytes()).chain(&bytes);
        inputs.insert(name.to_string_lossy().into_owned(), bytes.clone());
        Ok(bytes)
    };
    let read = scenario::read_beside(&files::shown(&file), &bytes, StrategyConfig::check, &mut beside);
    let scenario: Scenario = read.map_err(|problems| match variant.is_empty() {
        true => Failure::from(problems),
        false => with_variant(Failure::from(problems), variant),
    })?;
    let name = match label(variant) {
        none if none.is_empty() => scenario.world.name.clone(),
        label => format!("{} {label}", scenario.world.name),
    };
    Ok(Setting { name, scenario, digest, inputs })
}

/// The lines are those of the changed file, which nobody has; so the change is named.
fn with_variant(failure: Failure, variant: &lab::experiment::spec::Variant) -> Failure {
    match failure {
        Failure::Input(text) => Failure::Input(format!("with {}:\n{text}", label(variant))),
        other => other,
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
