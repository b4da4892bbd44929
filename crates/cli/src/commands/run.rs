//! `drover run`: simulate a scenario, let agents decide, review, and report.

use super::import::Decider;
use super::import::trace::TraceFormat;
use crate::asking::Asking;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use crate::progress::Progress;
use crate::run_directory::{Kind, RunDirectory};
use anyhow::Context;
use clap::{Args, ValueEnum};
use control::world::{Effect, Input};
use lab::report::{Limits, ReportInput};
use lab::run::{Plan, Review, Scenario};
use lab::wasp_export::WaspExport;
use model::time::Timestamp;
use simulator::traces::export::{self, past_pods};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;

/// Simulate a scenario in virtual time and report what the agents made of it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover run scenarios/three-waves.yaml
  drover run scenarios/varying-load.yaml --strategy threshold --seed 7 --json
  drover run --wasp-config config.yaml --wasp-input input.json --review auto --out runs/wasp
  drover run scenarios/three-waves.yaml --export-pods pods.csv
  drover run scenarios/three-waves.yaml --strategy language-model --stand-in careful
  drover run scenarios/three-waves.yaml --strategy language-model \\
    --models models.yaml --cassette answers.jsonl
  drover run --wasp-config config.yaml --wasp-input input.json --wasp-prompts prompts \\
    --models models.yaml

The run directory holds journal.jsonl, summary.json, series.csv, report.html and figures/, and
services.csv if the scenario has services.")]
pub(crate) struct Arguments {
    /// The scenario file.
    #[arg(required_unless_present_all = ["wasp_config", "wasp_input"], conflicts_with_all = ["wasp_config", "wasp_input"])]
    scenario: Option<PathBuf>,
    /// WASP's config.yaml, as it is.
    #[arg(long, value_name = "FILE", requires = "wasp_input")]
    wasp_config: Option<PathBuf>,
    /// WASP's input.json, as it is.
    #[arg(long, value_name = "FILE", requires = "wasp_config")]
    wasp_input: Option<PathBuf>,
    /// The folder with WASP's prompts, which its config.yaml names; used where models are asked.
    #[arg(long, value_name = "DIR", requires = "wasp_config")]
    wasp_prompts: Option<PathBuf>,
    /// Let every agent decide with this strategy: hold, threshold, planner, karmada-native, wasp-heuristic, language-model.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// The same seed gives the same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who answers recommendations; the scenario says by default.
    #[arg(long, value_enum)]
    review: Option<ReviewChoice>,
    /// Where to write the run directory; nothing is written without it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write a run directory as WASP does, for its analysis scripts.
    #[arg(long, value_name = "DIR")]
    wasp_out: Option<PathBuf>,
    /// Also write what became of every pod, as a trace that `drover import trace` reads.
    #[arg(long, value_name = "FILE")]
    export_pods: Option<PathBuf>,
    /// The form of that trace; by default swf for a file of that ending, csv otherwise.
    #[arg(long, value_name = "FORMAT", requires = "export_pods")]
    export_format: Option<TraceFormat>,
    /// Write the figures in pixels too: figures/*.png beside figures/*.svg.
    #[arg(long, requires = "out")]
    png: bool,
    /// Print summary.json instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    asking: Asking,
}

impl Arguments {
    /// WASP's engine asks models; whoever names some gets that, everybody else the planner.
    fn wasp_decider(&self) -> Decider<'_> {
        if self.asking.is_empty() { Decider::Planner } else { Decider::Models(self.wasp_prompts.as_deref()) }
    }
}

/// Who answers recommendations, as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReviewChoice {
    /// A granted rule approves what the guardrails let through.
    Auto,
    /// A simulated person answers after a while.
    Simulated,
    /// Nobody answers; everything expires.
    Hold,
}

impl From<ReviewChoice> for Review {
    fn from(choice: ReviewChoice) -> Self {
        match choice {
            ReviewChoice::Auto => Self::Auto,
            ReviewChoice::Simulated => Self::Simulated,
            ReviewChoice::Hold => Self::Hold,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut plan = plan(arguments)?;
    let asks = plan.header.agents.iter().any(|agent| agent.decide.asks_models());
    let asked = arguments.asking.open(asks, None)?;
    plan.models = asked.as_ref().map(|asked| asked.models.clone());
    plan.record_pods = arguments.export_pods.is_some();
    let directory = arguments.out.as_deref().map(|path| RunDirectory::begin(path, Kind::Run)).transpose()?;
    let archive =
        arguments.wasp_out.as_deref().map(|path| RunDirectory::begin(path, Kind::Wasp)).transpose()?;
    let mut export = archive.as_ref().map(|_| WaspExport::default());
    let outcome = simulate(&plan, directory.as_ref(), export.as_mut())?;
    asked.map_or(Ok(()), |asked| asked.finish())?;
    if let Some(directory) = directory {
        write_reports(&directory, &plan, &outcome, arguments)?;
        directory.finish()?;
    }
    if let (Some(export), Some(archive)) = (export, archive) {
        for (name, content) in export.files(&plan.world) {
            archive.write(name, content)?;
        }
        archive.finish()?;
    }
    if let Some(path) = &arguments.export_pods {
        let format = arguments.export_format.unwrap_or_else(|| TraceFormat::of(path));
        let pods = past_pods(&plan.world, &outcome.pods);
        let text = export::write(format.into(), &pods, Timestamp::EPOCH + plan.world.duration);
        std::fs::write(path, text).with_context(|| format!("{} could not be written", path.display()))?;
    }
    if arguments.json {
        print(&outcome.summary.to_json().context("the summary could not be written as JSON")?)?;
    } else {
        print(&outcome.summary.to_text())?;
        if let Some(path) = &arguments.out {
            print(&format!("report: {}", path.join("report.html").display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let strategy = arguments.strategy.as_deref().map(StrategyConfig::by_name).transpose();
    let strategy = strategy.map_err(|error| Failure::Input(format!("--strategy: {error}")))?;
    let scenario = match (&arguments.scenario, &arguments.wasp_config, &arguments.wasp_input) {
        (Some(path), ..) => files::scenario_at(path)?,
        (None, Some(config), Some(input)) => from_wasp(config, input, arguments.wasp_decider())?,
        _ => {
            return Err(Failure::Input("give a scenario, or both --wasp-config and --wasp-input".to_owned()));
        }
    };
    let mut plan = Plan::new(scenario, arguments.seed);
    if let Some(strategy) = &strategy {
        plan = plan.with_strategy(strategy);
    }
    Ok(match arguments.review {
        None => plan,
        Some(choice) => plan.with_review(choice.into()),
    })
}

/// WASP's files as one of our scenarios; what they say without effect is named on standard error.
fn from_wasp(config: &Path, input: &Path, decider: Decider<'_>) -> Result<Scenario, Failure> {
    let (text, notes) = super::import::convert(config, input, decider)?;
    for text in notes {
        note(&format!("note: {text}"));
    }
    Ok(files::scenario("converted from WASP", text.as_bytes())?)
}

fn simulate(
    plan: &Plan,
    directory: Option<&RunDirectory>,
    mut export: Option<&mut WaspExport>,
) -> Result<lab::run::Outcome, Failure> {
    let progress = Progress::new(plan.world.duration);
    let mut observer = |now: Timestamp, input: &Input, effects: &[Effect]| {
        progress.at(now);
        if let Some(export) = export.as_deref_mut() {
            export.observe(now, input, effects);
        }
    };
    let outcome = match directory {
        None => plan.run(io::sink(), &mut observer),
        Some(directory) => {
            let path = directory.path("journal.jsonl");
            let file =
                File::create(&path).with_context(|| format!("{} could not be created", path.display()))?;
            plan.run(BufWriter::new(file), &mut observer)
        }
    };
    progress.done();
    outcome.map_err(failure_of)
}

/// A cassette without the answers is the user's to mend; everything else is this machine's.
fn failure_of(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound => Failure::Input(format!("drover: {error}")),
        _ => Failure::Machine(anyhow::Error::new(error).context("the journal could not be written")),
    }
}

fn write_reports(
    directory: &RunDirectory,
    plan: &Plan,
    outcome: &lab::run::Outcome,
    arguments: &Arguments,
) -> Result<(), Failure> {
    directory.write(
        "summary.json",
        outcome.summary.to_json().context("the summary could not be written as JSON")? + "\n",
    )?;
    let mut csv = Vec::new();
    lab::series::write_csv(&outcome.series, &mut csv).context("the series could not be written")?;
    directory.write("series.csv", csv)?;
    if !outcome.series.services.is_empty() {
        let mut csv = Vec::new();
        lab::series::write_services_csv(&outcome.series, &mut csv)
            .context("the series of services could not be written")?;
        directory.write("services.csv", csv)?;
    }
    let limits = plan.world.limits;
    let report = ReportInput {
        description: &plan.world.description,
        duration: plan.world.duration,
        limits: Limits { max_load: limits.max_load, max_pending: limits.max_pending },
        series: &outcome.series,
        timeline: &outcome.timeline,
        summary: &outcome.summary,
        command: &command_line(arguments, plan),
    };
    for figure in report.figures().all() {
        directory.write(&format!("figures/{}.svg", figure.key), figure.to_svg() + "\n")?;
        if arguments.png {
            let name = format!("figures/{}.png", figure.key);
            directory.write(&name, figure.to_png().with_context(|| format!("{name} could not be drawn"))?)?;
        }
    }
    directory.write("report.html", lab::report::html::render(&report))
}

/// The command that gives the same run again.
fn command_line(arguments: &Arguments, plan: &Plan) -> String {
    let source = match (&arguments.scenario, &arguments.wasp_config, &arguments.wasp_input) {
        (None, Some(config), Some(input)) => {
            format!("--wasp-config {} --wasp-input {}", config.display(), input.display())
        }
        (path, ..) => path.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
    };
    let strategy = arguments.strategy.as_ref().map(|name| format!(" --strategy {name}")).unwrap_or_default();
    let answers = arguments.asking.words();
    format!(
        "drover run {source}{strategy}{answers} --seed {} --review {}",
        plan.header.seed, plan.header.review
    )
}
