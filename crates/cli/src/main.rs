//! The front door: one binary, one file per subcommand; wires everything. The only crate that reads arguments, files
//! and the environment.

mod asking;
mod cassette;
mod client;
mod commands;
mod desk;
mod failure;
mod files;
mod laboratory;
mod output;
mod progress;
mod run_directory;
mod terminal;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Decide where workloads run in a federation of Kubernetes clusters, and see what would happen first.
#[derive(Parser)]
#[command(name = "drover", version, about, long_about = None, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  drover demo                                              see it work, and decide yourself
  drover run scenarios/three-waves.yaml --out runs/demo    simulate, decide, review, report
  drover run --wasp-config config.yaml --wasp-input input.json --strategy threshold
  drover compare scenarios/varying-load.yaml --strategies hold,planner --seeds 1..10
  drover check my-scenario.yaml                            all problems of a file at once
  drover replay runs/demo/journal.jsonl                    does this build still decide the same?
  drover serve --config desks/three-waves.yaml             open a desk; drover rec list shows what waits
  drover doctor --config desk.yaml                         what is missing before a desk can work";

#[derive(Subcommand)]
enum Command {
    Run(commands::run::Arguments),
    Compare(commands::compare::Arguments),
    Experiment(commands::experiment::Arguments),
    Check(commands::check::Arguments),
    Replay(commands::replay::Arguments),
    Import(commands::import::Arguments),
    Schema(commands::schema::Arguments),
    Demo(commands::demo::Arguments),
    Serve(commands::serve::Arguments),
    Token(commands::token::Arguments),
    Status(commands::status::Arguments),
    Rec(commands::rec::Arguments),
    Exec(commands::exec::Arguments),
    Freeze(commands::freeze::Freeze),
    Freezes(commands::freeze::Freezes),
    Unfreeze(commands::freeze::Unfreeze),
    Mode(commands::mode::Arguments),
    Clock(commands::clock::Arguments),
    Kubeconfig(commands::kubeconfig::Arguments),
    Agent(commands::agent::Arguments),
    Audit(commands::audit::Arguments),
    Broker(commands::broker::Arguments),
    Doctor(commands::doctor::Arguments),
    Record(commands::record::Arguments),
    Overlay(commands::overlay::Arguments),
    Backup(commands::backup::Backup),
    Restore(commands::backup::Restore),
    #[command(after_help = "Example:\n  drover bench --out target/bench.json")]
    Bench(commands::bench::Arguments),
    #[cfg(target_os = "linux")]
    Testbed(commands::testbed::Arguments),
    Completions(commands::completions::Arguments),
}

fn main() -> ExitCode {
    match Arguments::try_parse().map_err(failure::Failure::from).and_then(|arguments| run(&arguments)) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(arguments: &Arguments) -> failure::Outcome {
    match &arguments.command {
        Command::Run(arguments) => commands::run::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Experiment(arguments) => commands::experiment::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Replay(arguments) => commands::replay::run(arguments),
        Command::Import(arguments) => commands::import::run(arguments),
        Command::Schema(arguments) => commands::schema::run(arguments),
        Command::Demo(arguments) => commands::demo::run(arguments),
        Command::Serve(arguments) => commands::serve::run(arguments),
        Command::Token(arguments) => commands::token::run(arguments),
        Command::Status(arguments) => commands::status::run(arguments),
        Command::Rec(arguments) => commands::rec::run(arguments),
        Command::Exec(arguments) => commands::exec::run(arguments),
        Command::Freeze(arguments) => commands::freeze::freeze(arguments),
        Command::Freezes(arguments) => commands::freeze::list(arguments),
        Command::Unfreeze(arguments) => commands::freeze::unfreeze(arguments),
        Command::Mode(arguments) => commands::mode::run(arguments),
        Command::Clock(arguments) => commands::clock::run(arguments),
        Command::Kubeconfig(arguments) => commands::kubeconfig::run(arguments),
        Command::Agent(arguments) => commands::agent::run(arguments),
        Command::Audit(arguments) => commands::audit::run(arguments),
        Command::Broker(arguments) => commands::broker::run(arguments),
        Command::Doctor(arguments) => commands::doctor::run(arguments),
        Command::Record(arguments) => commands::record::run(arguments),
        Command::Overlay(arguments) => commands::overlay::run(arguments),
        Command::Backup(arguments) => commands::backup::backup(arguments),
        Command::Restore(arguments) => commands::backup::restore(arguments),
        Command::Bench(arguments) => commands::bench::run(arguments),
        #[cfg(target_os = "linux")]
        Command::Testbed(arguments) => commands::testbed::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments),
    }
}
