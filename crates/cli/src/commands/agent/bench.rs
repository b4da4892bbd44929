//! `drover agent bench`: how good a decider is, on small federations whose best answer is known.

use crate::asking::{Asked, Asking};
use crate::failure::{FINDINGS, Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use crate::progress::DecisionProgress;
use crate::terminal::clean;
use anyhow::{Context, anyhow};
use clap::Args;
use lab::golden::{Bench, CASES, Case, Evaluation, show};
use lab::models::{Cassette, Player};
use lab::wording;
use model::document;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategies::catalogue::StrategyConfig;
use strategies::language::LanguageConfig;

/// Measure how good a decider is: golden cases with known best answers, faults of models, hostile names, money and time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover agent bench --stand-in wasp-like --repetitions 5
  drover agent bench --stand-in careful --cases over-load,overflow --json
  drover agent bench --agent specialists.yaml --stand-in wasp-like \\
    --cassette stand-in.jsonl --out bench
  drover agent bench --agent specialists.yaml --cassette stand-in.jsonl

A file for --agent is what a scenario has under decide:, for instance
  strategy: language-model
  model: openai/gpt-5-mini
  specialists: [{ name: performance, weight: 2 }, { name: cost }]

With --cassette alone nobody is asked and every answer comes from the file; with somebody to ask,
answers that are not in it are added. The exit code is 8 if anything forbidden came out of a
decision.")]
pub(super) struct Arguments {
    /// The model to ask, as the provider calls it; other settings as usual.
    #[arg(long, value_name = "NAME", conflicts_with = "agent")]
    model: Option<String>,
    /// How to decide, from a file.
    #[arg(long, value_name = "FILE")]
    agent: Option<PathBuf>,
    /// Decisions of each case.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    repetitions: u32,
    /// Only these cases, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    cases: Vec<String>,
    /// How many decisions at the same time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    jobs: NonZeroUsize,
    /// Print all numbers as JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Where to write bench.txt, bench.md and bench.json; nothing is written without it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let cases = cases(&arguments.cases)?;
    let decide = decide(arguments)?;
    let asked = arguments.asking.open(decide.asks_models(), None)?;
    let nobody = Player::replay(Cassette::default());
    let player = asked.as_ref().map_or(&nobody, |asked| &*asked.player);
    let progress = DecisionProgress::default();
    let bench = Bench {
        cases,
        decide: &decide,
        correspondent: player,
        answered_by: &|| player.answered_by(),
        repetitions: arguments.repetitions,
        jobs: arguments.jobs.get(),
        told: &|done| progress.at(done),
    };
    progress.begin(bench.decisions());
    let evaluation = bench.run();
    progress.done();
    asked.as_ref().map_or(Ok(()), Asked::finish)?;
    complete(&evaluation)?;
    answered(&evaluation, player, &arguments.asking)?;
    if let Some(folder) = &arguments.out {
        write(folder, &evaluation)?;
    }
    print(if arguments.json { show::json(&evaluation) } else { show::text(&evaluation) }.trim_end())?;
    Ok(verdict(&evaluation))
}

fn verdict(evaluation: &Evaluation) -> ExitCode {
    match evaluation.forbidden() {
        0 => ExitCode::SUCCESS,
        forbidden => {
            note(&format!("drover: {forbidden} actions that the guardrails forbid came out of decisions"));
            ExitCode::from(FINDINGS)
        }
    }
}

/// A bench with holes says nothing about anybody.
fn complete(evaluation: &Evaluation) -> Result<(), Failure> {
    if evaluation.missing == 0 {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "drover: {} calls are not on the cassette; was it recorded with the same --agent, --cases and --repetitions? Add --models \
         or --stand-in to have what is missing asked",
        evaluation.missing
    )))
}

/// What others decided because no model answered says nothing about models.
fn answered(evaluation: &Evaluation, player: &Player, asking: &Asking) -> Result<(), Failure> {
    if !evaluation.is_unanswered() {
        return Ok(());
    }
    let calls = wording::calls(evaluation.spending.calls, &evaluation.spending.failed_calls);
    let first = evaluation.trouble.as_deref().map(|message| format!("\n  the first: {}", clean(message)));
    let (tried, check) = (player.asks().unwrap_or("a cassette"), asking.to_check());
    Err(Failure::Machine(anyhow!(
        "not a single call was answered by {tried}: {calls}, so there is nothing to judge{}\n{check}",
        first.unwrap_or_default()
    )))
}

fn cases(names: &[String]) -> Result<Vec<&'static Case>, Failure> {
    if names.is_empty() {
        return Ok(CASES.iter().collect());
    }
    let mut problems = Vec::new();
    let mut found: Vec<&'static Case> = Vec::new();
    for name in names {
        match Case::named(name) {
            Some(case) if found.contains(&case) => {
                problems.push(format!("--cases: {name} is there twice; name it once"));
            }
            Some(case) => found.push(case),
            None => problems.push(format!("--cases: there is no case {name:?}; {}", proposal(name))),
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(Failure::Input(problems.join("\n"))) }
}

fn proposal(name: &str) -> String {
    let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    document::nearest(name, names.iter().copied())
        .map_or_else(|| format!("there are {}", names.join(", ")), |near| format!("did you mean {near:?}?"))
}

fn decide(arguments: &Arguments) -> Result<StrategyConfig, Failure> {
    let Some(path) = &arguments.agent else {
        let mut config = LanguageConfig::default();
        config.model = arguments.model.clone().unwrap_or(config.model);
        let decide = StrategyConfig::LanguageModel(Box::new(config));
        return checked("--model", decide);
    };
    let (decide, _) = document::read::<StrategyConfig>(&files::shown(path), &files::read(path)?)?;
    checked(&files::shown(path), decide)
}

fn checked(place: &str, decide: StrategyConfig) -> Result<StrategyConfig, Failure> {
    match decide.check() {
        Ok(()) => Ok(decide),
        Err(refusal) => {
            let proposal = refusal.proposal.map(|text| format!("; {text}")).unwrap_or_default();
            Err(Failure::Input(format!("{place}: {}{proposal}", refusal.message)))
        }
    }
}

fn write(folder: &Path, evaluation: &Evaluation) -> Result<(), Failure> {
    fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
    let files = [
        ("bench.txt", show::text(evaluation)),
        ("bench.md", show::markdown(evaluation)),
        ("bench.json", show::json(evaluation)),
    ];
    for (name, content) in files {
        let path = folder.join(name);
        fs::write(&path, content).with_context(|| format!("{} could not be written", path.display()))?;
    }
    Ok(())
}
