//! `judge PODS SEED FILE`: a long comparison, and the page with its figures. Called by `make judge`. With a fourth argument
//! it begins at that case and compares nothing but pods, to look at a disagreement again.

use judge::{
    Problem, Real, RealAutoscalers, RealRollouts, RolloutTally, Run, ScalingTally, judge, judge_autoscalers,
    judge_rollouts, page,
};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use testbed::{PRODUCTS, Workshop};

/// Each has some forty changes, and each of them takes the real controllers a fifth of a second.
const DEPLOYMENTS: u64 = 30;

const AUTOSCALERS: u64 = 500;

/// Less than this is not what is promised.
const LEAST_PERCENT: f64 = 99.9;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            say(&format!("judge: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Problem> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [pods, seed, file, rest @ ..] = arguments.as_slice() else {
        return Err(Problem::Usage(
            "say how many pods, the seed and the file: judge 10000 1 docs/judged.md".into(),
        ));
    };
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| Problem::Usage(format!("{text} is no number; for instance 10000")))
    };
    let (pods, seed) = (number(pods)?, number(seed)?);
    let first_case = rest.first().map_or(Ok(0), |text| number(text))?;
    let mut real = Real::start(&folder("placement"), &Workshop::usual(|name| env::var_os(name)), &say)?;
    let tally = judge(&mut real, seed, first_case, pods, true, say)?;
    real.stop()?;
    if arguments.len() > 3 {
        tally.disagreements.iter().for_each(|line| say(line));
        return Ok(tally.disagreements.is_empty());
    }
    let rollouts = rollouts(seed)?;
    let scaling = scaling(seed)?;
    let version =
        PRODUCTS.iter().find(|product| product.name == "kubernetes").map_or("", |found| found.version);
    fs::write(file, page(Run { seed, pods, version }, &tally, &rollouts, &scaling))?;
    let percent = tally.decisions.percent();
    say(&format!("{percent:.3} % of {} decisions agree; see {file}", tally.decisions.of));
    let all = [tally.decisions, rollouts.states, scaling.decisions];
    Ok(all.iter().all(|share| share.percent() >= LEAST_PERCENT))
}

fn scaling(seed: u64) -> Result<ScalingTally, Problem> {
    let mut real =
        RealAutoscalers::start(&folder("scaling"), &Workshop::usual(|name| env::var_os(name)), &say)?;
    let tally = judge_autoscalers(&mut real, seed, AUTOSCALERS, say)?;
    real.stop()?;
    Ok(tally)
}

fn folder(part: &str) -> PathBuf {
    env::temp_dir().join(format!("drover-judge-{part}-{}", std::process::id()))
}

fn rollouts(seed: u64) -> Result<RolloutTally, Problem> {
    let mut real =
        RealRollouts::start(&folder("rollouts"), &Workshop::usual(|name| env::var_os(name)), &say)?;
    let tally = judge_rollouts(&mut real, seed, DEPLOYMENTS, say)?;
    real.stop()?;
    Ok(tally)
}

#[expect(clippy::print_stderr, reason = "a person waits for it")]
fn say(line: &str) {
    eprintln!("{line}");
}
