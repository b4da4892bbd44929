//! The cases: the generated workload in three sizes, and the shipped scenarios.

use super::{openb, usage};
use crate::failure::Failure;
use crate::files;
use crate::progress::Progress;
use anyhow::{Context, anyhow};
use clap::ValueEnum;
use lab::run::Plan;
use lab::workload_w::{self, Size};
use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    #[value(name = "w-100")]
    Small,
    #[value(name = "w-1000")]
    Middle,
    #[value(name = "w-10000")]
    Large,
    ConstantLoad,
    ThreeWaves,
    VaryingLoad,
    Openb,
}

/// What one run of a case took, and what it came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Measurement {
    /// Nothing where the operating system does not tell.
    pub(super) cpu_seconds: Option<f64>,
    pub(super) peak_memory_bytes: Option<u64>,
    #[serde(flatten)]
    pub(super) result: CaseResult,
}

/// What must be the same in every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CaseResult {
    pub(super) simulated_seconds: u64,
    pub(super) events: u64,
    /// Of all placements, or of the whole journal.
    pub(super) fingerprint: String,
}

impl Case {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    pub(super) fn is_large(self) -> bool {
        self == Self::Large
    }

    /// Whether it needs files that are not part of the program.
    pub(super) fn needs_files(self) -> bool {
        self == Self::Openb
    }

    pub(super) fn size(self) -> Option<Size> {
        match self {
            Self::Small => Some(Size { nodes: 100, pods: 10_000 }),
            Self::Middle => Some(Size { nodes: 1_000, pods: 100_000 }),
            Self::Large => Some(Size { nodes: 10_000, pods: 1_000_000 }),
            Self::ConstantLoad | Self::ThreeWaves | Self::VaryingLoad | Self::Openb => None,
        }
    }

    /// The name of the hidden flag's value.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Small => "w-100",
            Self::Middle => "w-1000",
            Self::Large => "w-10000",
            Self::ConstantLoad => "constant-load",
            Self::ThreeWaves => "three-waves",
            Self::VaryingLoad => "varying-load",
            Self::Openb => "openb",
        }
    }

    pub(super) fn title(self) -> String {
        match self.size() {
            Some(Size { nodes, pods }) => format!("workload W, {nodes} nodes and {pods} pods"),
            None => format!("scenario {}", self.name()),
        }
    }

    /// Runs it in this process, from which nothing else may have been asked. `folder` has openb's files.
    pub(super) fn run(self, folder: Option<&Path>) -> Result<Measurement, Failure> {
        let result = match self {
            Self::Small | Self::Middle | Self::Large => workload(self.size().expect("it has one"))?,
            Self::ConstantLoad => simulate(include_str!("../../../../../scenarios/constant-load.yaml"))?,
            Self::ThreeWaves => simulate(include_str!("../../../../../scenarios/three-waves.yaml"))?,
            Self::VaryingLoad => simulate(include_str!("../../../../../scenarios/varying-load.yaml"))?,
            Self::Openb => openb::replay(folder.unwrap_or(Path::new(".")))?,
        };
        Ok(Measurement {
            cpu_seconds: usage::cpu_seconds(),
            peak_memory_bytes: usage::peak_memory_bytes(),
            result,
        })
    }
}

fn workload(size: Size) -> anyhow::Result<CaseResult> {
    let progress = Progress::new(workload_w::DURATION);
    let finished = workload_w::run(size, &mut |now| progress.at(now));
    progress.done();
    let pods = u64::from(size.pods);
    if (finished.pods_placed, finished.pods_finished) != (pods, pods) {
        let (placed, ended) = (finished.pods_placed, finished.pods_finished);
        return Err(anyhow!("of {pods} pods {placed} were placed and {ended} finished; all should have"));
    }
    Ok(CaseResult {
        simulated_seconds: finished.simulated.as_millis() / 1_000,
        events: finished.events,
        fingerprint: format!("{:016x}", finished.fingerprint),
    })
}

fn simulate(text: &str) -> Result<CaseResult, Failure> {
    let plan = Plan::new(files::scenario("a shipped scenario", text.as_bytes())?, 1);
    let progress = Progress::new(plan.world.duration);
    let outcome = plan.run(std::io::sink(), &mut |now, _, _| progress.at(now));
    progress.done();
    let summary = outcome.context("a journal that is not kept could not be written")?.summary;
    Ok(CaseResult {
        simulated_seconds: summary.duration_s as u64,
        events: summary.events,
        fingerprint: summary.journal_sha256,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_found_by_its_name() {
        for case in Case::all() {
            assert_eq!(Case::from_str(case.name(), false), Ok(case));
        }
    }
}
