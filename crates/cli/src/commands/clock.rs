//! `drover clock`: the time of a simulated federation.

use super::status::pace;
use crate::client::{Connection, Request};
use crate::failure::Outcome;
use clap::{Args, Subcommand};
use model::time::Period;
use serde_json::{Value, json};
use server::api::wire::Status;

/// Let virtual time run, stand still, go faster, or go on for a while.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover clock pause
  drover clock advance 10m
  drover clock speed 60 --while-waiting 10
  drover clock run")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let time run.
    #[command(after_help = "Example:\n  drover clock run")]
    Run(Simple),
    /// Let time stand still. What is decided meanwhile has its effect when it runs again.
    #[command(after_help = "Example:\n  drover clock pause")]
    Pause(Simple),
    /// Set how many virtual seconds pass in a real one.
    #[command(after_help = "Example:\n  drover clock speed 60 --while-waiting 10")]
    Speed(Speed),
    /// Go on for so long at once, then stand still.
    #[command(after_help = "Example:\n  drover clock advance 10m")]
    Advance(Advance),
}

#[derive(Args)]
struct Simple {
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Speed {
    /// Virtual seconds in a real one.
    #[arg(value_name = "SPEED")]
    usual: f64,
    /// The same while somebody has something to decide.
    #[arg(long, value_name = "SPEED")]
    while_waiting: Option<f64>,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Advance {
    /// For how long; a day at most.
    period: Period,
    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Run(simple) => order(&simple.connection, &json!({ "order": "run" }), |_| {
            "To stop it: drover clock pause".to_owned()
        }),
        Command::Pause(simple) => order(&simple.connection, &json!({ "order": "pause" }), |_| {
            "To go on: drover clock run".to_owned()
        }),
        Command::Speed(speed) => {
            let mut wish = json!({ "order": "speed", "speed": speed.usual });
            if let Some(slow) = speed.while_waiting {
                wish["speedWhileWaiting"] = slow.into();
            }
            order(&speed.connection, &wish, former_speed)
        }
        Command::Advance(advance) => {
            let seconds = advance.period.as_seconds_float();
            let wish = json!({ "order": "advance", "seconds": seconds });
            order(&advance.connection, &wish, |_| {
                "Time does not go back. To let it run: drover clock run".to_owned()
            })
        }
    }
}

/// Gives an order and says how things stand then, and how to undo it. `undo` is told how they stood before.
fn order(connection: &Connection, wish: &Value, undo: impl FnOnce(&Status) -> String) -> Outcome {
    let client = connection.client()?;
    let before: Status = client.ask(&Request::get(&["status"]))?;
    let answer = client.send(&Request::post(&["clock"], wish).patiently())?;
    client.tell(&answer, |after| format!("{}\n{}", pace(after), undo(&before)))
}

fn former_speed(before: &Status) -> String {
    let slow = before.speed_while_waiting.map(|slow| format!(" --while-waiting {slow}")).unwrap_or_default();
    format!("To undo this: drover clock speed {}{slow}", before.speed)
}
