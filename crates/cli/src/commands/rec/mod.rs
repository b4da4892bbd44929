//! `drover rec`: what the agents recommend, and what people say to it.

mod decide;
mod list;
mod show;
mod target;
mod watch;

use crate::client::{Answer, Client, Request};
use crate::failure::{Failure, Outcome};
use clap::{Args, Subcommand};
use server::api::wire::{RecommendationDetail, Status};

/// See what agents recommend, and decide.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover rec list
  drover rec show R-3
  drover rec approve R-3
  drover rec reject R-3 --reason \"the sale begins at noon\"
  drover rec watch

Every answer counts for exactly the plan that was read: if it changed meanwhile, nothing happens and
the exit code is 4.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Arguments),
    Show(show::Arguments),
    Approve(decide::Approve),
    Reject(decide::Reject),
    Defer(decide::Defer),
    Target(target::Arguments),
    Watch(watch::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Approve(arguments) => decide::approve(arguments),
        Command::Reject(arguments) => decide::reject(arguments),
        Command::Defer(arguments) => decide::defer(arguments),
        Command::Target(arguments) => target::run(arguments),
        Command::Watch(arguments) => watch::run(arguments),
    }
}

/// A recommendation as it was read: what is shown and the version that an answer is about come out of one answer of the desk.
struct Read {
    detail: RecommendationDetail,
    answer: Answer,
}

fn read(client: &Client, id: &str) -> Result<Read, Failure> {
    let answer = client.send(&Request::get(&["recommendations", id]))?;
    Ok(Read { detail: answer.read()?, answer })
}

/// The federation's own time.
fn now(client: &Client) -> Result<u64, Failure> {
    client.ask::<Status>(&Request::get(&["status"])).map(|status| status.at)
}
