//! `drover check`: everything that is wrong with a file, at once.

use crate::desk::DeskFile;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::laboratory;
use crate::output::{note, print};
use clap::Args;
use lab::wording::count;
use model::document::{Document, Node};
use server::config::{ModelsConfig, SecretPlace};
use simulator::wasp;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check a file without running it: a scenario, an experiment, a desk's file, one that names models, or one of WASP's files.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  drover check my-scenario.yaml\n  drover check desks/three-waves.yaml\n  drover check config.yaml input.json"
)]
pub(crate) struct Arguments {
    /// The files to check.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut all_good = true;
    for path in &arguments.files {
        match check(path) {
            Ok(verdict) => print(&format!("{}: {verdict}", path.display()))?,
            Err(Failure::Input(text)) => {
                all_good = false;
                note(text.trim_end());
            }
            Err(other) => return Err(other),
        }
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn check(path: &Path) -> Result<String, Failure> {
    let (name, bytes) = (files::shown(path), files::read(path)?);
    Ok(match kind(&name, &bytes) {
        Kind::Scenario => {
            let checked = files::scenario_at(path)?;
            let world = &checked.world;
            let clusters = count(world.clusters.len() as u64, "cluster");
            format!("a scenario with {clusters} and {}", count(world.workloads.len() as u64, "workload"))
        }
        Kind::Experiment => experiment(path, &name, &bytes)?,
        Kind::Desk => desk(path)?,
        Kind::Models => models(&server::config::read_models(&name, &bytes)?),
        Kind::WaspConfig => notices("WASP's configuration", &wasp::read_config(&name, &bytes)?.notices),
        Kind::WaspInput => notices("WASP's events", &wasp::read_input(&name, &bytes)?.notices),
        Kind::WaspMetrics => notices("WASP's snapshots", &wasp::read_metrics(&name, &bytes)?.notices),
    })
}

/// An experiment is right only if all its scenarios are.
fn experiment(path: &Path, name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let mut experiment = lab::experiment::spec::read(name, bytes)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    super::experiment::resolve(&mut experiment, &|name| files::read_beside(&folder.join(name)))?;
    let settings = laboratory::load(&experiment, folder)?;
    let (scenarios, arms, seeds) = (settings.len(), experiment.arms.len(), experiment.seeds.len());
    let strategies = if arms == 1 { "1 strategy".to_owned() } else { format!("{arms} strategies") };
    let [scenarios, seeds, runs] =
        [(scenarios, "scenario"), (seeds, "seed"), (scenarios * arms * seeds, "run")]
            .map(|(number, noun)| count(number as u64, noun));
    Ok(format!("an experiment with {scenarios}, {strategies} and {seeds}: {runs}"))
}

/// A desk is right only if its scenario is.
fn desk(path: &Path) -> Result<String, Failure> {
    let DeskFile { config, scenario, notes, .. } = DeskFile::at(path)?;
    let asks = scenario.agents.iter().find(|agent| agent.decide.asks_models());
    if let Some(agent) = asks.filter(|_| config.models.is_none()) {
        return Err(Failure::Input(format!(
            "{}: agent {} asks models, and nobody answers; say under models: who is asked",
            path.display(),
            agent.name
        )));
    }
    let name = &scenario.world.name;
    let mut verdict = format!(
        "a desk for {name} that listens on {} and keeps everything in {}",
        config.listen, config.storage
    );
    for note in notes {
        let _ = write!(verdict, "\n  note: {note}");
    }
    Ok(verdict)
}

fn models(config: &ModelsConfig) -> String {
    let key = match &config.key {
        Some(SecretPlace::Environment(name)) => format!("with the key in the variable {name}"),
        Some(SecretPlace::File(path)) => format!("with the key in {}", path.display()),
        None => "without a key".to_owned(),
    };
    format!("models of {}, {key}", config.endpoint)
}

enum Kind {
    Scenario,
    Experiment,
    Desk,
    Models,
    WaspConfig,
    WaspInput,
    WaspMetrics,
}

/// A file is what its top-level keys say; when in doubt it is meant to be a scenario.
fn kind(name: &str, bytes: &[u8]) -> Kind {
    let Ok(salvage) = Document::salvage(name, bytes) else { return Kind::Scenario };
    let root = salvage.document.root();
    let has = |key: &str| root.get(key).is_some();
    let is_archive = root.entries().first().is_some_and(|first| first.value.get("cluster_info").is_some());
    let format = root.get("drover").and_then(Node::scalar).unwrap_or_default();
    match () {
        () if format.starts_with("experiment") => Kind::Experiment,
        () if format.starts_with("desk") => Kind::Desk,
        () if format.starts_with("models") => Kind::Models,
        () if has("drover") => Kind::Scenario,
        () if has("ai-engine") || has("actuator") => Kind::WaspConfig,
        () if has("data") && !has("clusters") => Kind::WaspInput,
        () if is_archive => Kind::WaspMetrics,
        () => Kind::Scenario,
    }
}

fn notices(what: &str, notices: &[wasp::Notice]) -> String {
    let mut text = format!("{what}, readable");
    for notice in notices {
        // Some say it themselves, for places where nobody says it before them.
        let notice = notice.to_string();
        let _ = write!(text, "\n  ignored: {}", notice.strip_suffix("; ignored").unwrap_or(&notice));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_said_once() {
        let notice = |message: &str| wasp::Notice {
            line: 17,
            path: "federation.name".to_owned(),
            message: message.to_owned(),
        };
        let shown =
            notices("WASP's events", &[notice("nobody reads it; ignored"), notice("nobody reads it")]);
        let line = "\n  ignored: 17: federation.name: nobody reads it";
        assert_eq!(shown, format!("WASP's events, readable{line}{line}"));
    }
}
