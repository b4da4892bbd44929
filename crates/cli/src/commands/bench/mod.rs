//! `drover bench`: how fast this build simulates, and with how much memory. Every case runs in a process of its own, so that
//! what is measured belongs to the case alone.

mod case;
mod instructions;
mod openb;
mod report;
mod table;
mod usage;

use crate::failure::{Failure, Outcome};
use crate::output::{note, print};
use anyhow::{Context, anyhow, bail};
use case::{Case, Measurement};
use clap::Args;
use instructions::Counter;
use report::Report;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Measure the speed of this build: a generated workload in growing sizes, and the shipped scenarios.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover bench                           two sizes of a generated workload, and three scenarios
  drover bench --large --repeat 1        also 10,000 nodes and a million pods
  drover bench --large --count-large     also count its instructions, whatever it takes
  drover bench --out target/bench.json   also write the numbers to a file
  drover bench --openb traces/           also replay Alibaba's GPU trace of 2023")]
pub(crate) struct Arguments {
    /// Also measure 10,000 nodes and 1,000,000 pods.
    #[arg(long)]
    large: bool,
    /// Count the instructions of the largest size even where that takes minutes.
    #[arg(long, requires = "large")]
    count_large: bool,
    /// Also write the numbers to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also replay the trace in this folder: openb_pod_list_default.csv on openb_node_list_all_node.csv.
    #[arg(long, value_name = "DIR")]
    openb: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Run every case this often; the table shows the median.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Run one case in this process and print what it took.
    #[arg(long, value_name = "NAME", hide = true)]
    case: Option<Case>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(case) = arguments.case {
        let measured = case.run(arguments.openb.as_deref())?;
        print(&serde_json::to_string(&measured).context("the measurement has no JSON form")?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_wanted = |case: &Case| {
        (arguments.large || !case.is_large()) && (arguments.openb.is_some() || !case.needs_files())
    };
    let cases: Vec<Case> = Case::all().filter(is_wanted).collect();
    let counter = Counter::find();
    let mut report = Report::new(arguments.repeat, &counter);
    for case in cases {
        let runs = measure(case, arguments)?;
        let counted = counter.as_ref().ok().map(|counter| count(*counter, case, arguments));
        report.add(case, &runs, counted)?;
    }
    let json = serde_json::to_string_pretty(&report).context("the numbers have no JSON form")?;
    if let Some(path) = &arguments.out {
        std::fs::write(path, format!("{json}\n"))
            .with_context(|| format!("{} could not be written", path.display()))?;
    }
    if arguments.json {
        print(&json)?;
    } else {
        print(table::render(&report).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a case so often, one after the other, each in its own process.
fn measure(case: Case, arguments: &Arguments) -> Result<Vec<Measurement>, Failure> {
    let repeat = arguments.repeat;
    let mut measured = Vec::new();
    for number in 1..=repeat {
        note(&format!("measuring {} ({number} of {repeat})", case.title()));
        measured.push(in_own_process(case, arguments.openb.as_deref())?);
    }
    Ok(measured)
}

/// Runs a case once more to count its instructions, or says why that did not work.
fn count(counter: Counter, case: Case, arguments: &Arguments) -> Result<u64, String> {
    if case.is_large() && counter.is_slow() && !arguments.count_large {
        return Err(format!("{} takes minutes; ask for it with --count-large", counter.name()));
    }
    note(&format!("counting the instructions of {}", case.title()));
    counter.count(case, arguments.openb.as_deref())
}

fn in_own_process(case: Case, openb: Option<&Path>) -> anyhow::Result<Measurement> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut command = Command::new(program);
    command.args(["bench", "--case", case.name()]).stderr(Stdio::inherit());
    if let Some(folder) = openb {
        command.arg("--openb").arg(folder);
    }
    let output = command.output().context("a second process could not be started")?;
    if !output.status.success() {
        bail!("the case {} failed: {}", case.name(), output.status);
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| anyhow!("the case {} printed no measurement: {error}", case.name()))
}
