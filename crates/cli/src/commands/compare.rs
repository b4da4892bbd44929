//! `drover compare`: strategies on the same scenarios and seeds, with statistics.

use super::run::ReviewChoice;
use crate::asking::{Asked, Asking};
use crate::failure::{Failure, Outcome};
use crate::laboratory::{self, ExperimentFolder, Means};
use crate::output::print;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum as _};
use lab::experiment::command::Compare;
use lab::experiment::metric::Metric;
use lab::experiment::spec::{Arm, Experiment, Variant, metric, seeds, usual};
use lab::run::Review;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;

/// Compare strategies on the same scenarios and seeds: a table with intervals and tests, figures, a report.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover compare scenarios/varying-load.yaml --strategies hold,threshold,planner --seeds 1..10
  drover compare scenarios/*-load.yaml --strategies hold,planner --seeds 1..5 --out runs/loads
  drover compare scenarios/varying-load.yaml --strategies planner,language-model \\
    --stand-in wasp-like --seeds 1..3
  drover compare scenarios/heartbeat.yaml --strategies hold --seeds 1..10 \\
    --metrics theta_under,theta_over --json

The folder of --out holds report.html, figures/ as SVG and with --png as PNG too, results.csv,
results.json, cells.csv, values.parquet, table.md and table.tex. Runs that are finished are kept in
it, under cells/: after Ctrl-C the same command goes on where it was. The exit code is 1 if some
runs failed or took too long.")]
pub(crate) struct Arguments {
    /// The scenario files.
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// Strategies, separated by commas: hold, threshold, planner, karmada-native, wasp-heuristic, language-model.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    strategies: Vec<String>,
    /// From 1..10, or a list as 1,2,7.
    #[arg(long, default_value = "1..10")]
    seeds: String,
    /// The strategy that the others are compared with; the first by default.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// What the table shows, separated by commas; `all` for everything that is measured.
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Who answers recommendations; the scenario says by default.
    #[arg(long, value_enum)]
    review: Option<ReviewChoice>,
    #[command(flatten)]
    how: HowToRun,
    /// Where to write report, figures and tables; nothing is written without it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the figures in pixels too: figures/*.png beside figures/*.svg.
    #[arg(long, requires = "out")]
    png: bool,
    /// Print all results as JSON instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    asking: Asking,
}

/// Whether any strategy of an experiment asks models.
pub(crate) fn asks_models(experiment: &Experiment) -> bool {
    experiment.arms.iter().any(|arm| arm.decide.asks_models())
}

/// What running cells needs, whichever command asks for it.
#[derive(Args)]
pub(crate) struct HowToRun {
    /// How many runs at the same time; one for each core by default.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Give up a run after so many seconds; it is counted as timed out.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let experiment = experiment(arguments)?;
    let settings = laboratory::load(&experiment, Path::new(""))?;
    let asked = arguments.asking.open(asks_models(&experiment), None)?;
    let folder =
        arguments.out.as_deref().map(|path| ExperimentFolder::open(path, &experiment)).transpose()?;
    let means = Means {
        jobs: arguments.how.jobs,
        time_limit: arguments.how.time_limit,
        store: folder.as_ref().map(ExperimentFolder::store),
        models: asked.as_ref().map(|asked| &asked.models),
    };
    let results = laboratory::run(&experiment, &settings, &means)?;
    asked.as_ref().map_or(Ok(()), Asked::finish)?;
    if let Some(folder) = &folder {
        folder.write_results(&results)?;
        if arguments.png {
            folder.write_pixels(&results)?;
        }
    }
    laboratory::show(&results, arguments.json)?;
    if let (Some(path), false) = (&arguments.out, arguments.json) {
        print(&format!("report: {}", path.join("report.html").display()))?;
    }
    Ok(if results.troubled() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn experiment(arguments: &Arguments) -> Result<Experiment, Failure> {
    let mut problems = Vec::new();
    let arms = arms(&arguments.strategies, &mut problems);
    let seeds = seeds(&arguments.seeds).unwrap_or_else(|message| {
        problems.push(format!("--seeds: {message}; write for instance 1..10"));
        Vec::new()
    });
    let baseline = arguments.baseline.as_deref().map_or(Some(0), |name| {
        let tidy = StrategyConfig::by_name(name).map_or(name.to_owned(), |config| config.name().to_owned());
        arms.iter().position(|arm| arm.name == tidy)
    });
    if baseline.is_none() {
        let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        problems.push(format!("--baseline: is not among the strategies; take one of {}", names.join(", ")));
    }
    let metrics = metrics(&arguments.metrics, &mut problems);
    if !problems.is_empty() {
        return Err(Failure::Input(problems.join("\n")));
    }
    Ok(Experiment {
        name: "comparison".to_owned(),
        description: String::new(),
        command: command(arguments, &arms),
        scenarios: arguments.scenarios.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        arms,
        seeds,
        baseline: baseline.unwrap_or(0),
        review: arguments.review.map(Review::from),
        metrics,
        variants: vec![Variant::new()],
        cassette: None,
        published: BTreeMap::new(),
    })
}

/// The command that gives the same results again, without what changes nothing in them.
fn command(arguments: &Arguments, arms: &[Arm]) -> String {
    let scenarios: Vec<String> =
        arguments.scenarios.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let strategies: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    let review = arguments.review.and_then(|review| review.to_possible_value());
    let compare = Compare {
        scenarios: &scenarios,
        strategies: &strategies,
        seeds: &arguments.seeds,
        baseline: arguments.baseline.as_deref(),
        metrics: &arguments.metrics,
        review: review.as_ref().map(PossibleValue::get_name),
    };
    compare.line()
}

fn arms(names: &[String], problems: &mut Vec<String>) -> Vec<Arm> {
    let mut arms: Vec<Arm> = Vec::new();
    for name in names {
        match StrategyConfig::by_name(name) {
            Ok(decide) if arms.iter().any(|arm| arm.name == decide.name()) => {
                problems.push(format!("--strategies: {name} is there twice; name it once"));
            }
            Ok(decide) => arms.push(Arm { name: decide.name().to_owned(), decide }),
            Err(error) => problems.push(format!("--strategies: {error}")),
        }
    }
    arms
}

fn metrics(keys: &[String], problems: &mut Vec<String>) -> Vec<&'static Metric> {
    if keys.is_empty() {
        return usual();
    }
    if keys == ["all"] {
        return lab::experiment::metric::METRICS.iter().collect();
    }
    let mut found = Vec::new();
    for key in keys {
        match metric(key) {
            Ok(metric) => found.push(metric),
            Err(proposal) => problems.push(format!("--metrics: there is no metric {key:?}; {proposal}")),
        }
    }
    found
}
