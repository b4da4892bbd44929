//! `drover clock`: the time of a simulated federation.

use super::status::pace;
use crate::client::{Connection, Request};
use crate::failure::{CONFLICT, Failure, Outcome};
use clap::{Args, Subcommand};
use model::time::Period;
use serde_json::{Value, json};
use server::api::wire::Status;
use server::office::pace::{FASTEST, LONGEST_ADVANCE};

/// Slower is standing still.
const SLOWEST: f64 = 0.01;

/// What can be done with a desk whose scenario is over.
const AT_THE_END: &str = "Everything can still be read: drover rec list --all, drover audit list. For a new run, stop the desk and open it \
                          again; its data stays, and its record goes on.";

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
    #[arg(value_name = "SPEED", value_parser = speed, allow_negative_numbers = true)]
    usual: f64,
    /// The same while somebody has something to decide.
    #[arg(long, value_name = "SPEED", value_parser = speed, allow_negative_numbers = true)]
    while_waiting: Option<f64>,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Args)]
struct Advance {
    /// For how long; six hours at most.
    #[arg(value_parser = advance)]
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

/// How many virtual seconds pass in a real one, as a desk takes it.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let fits = |speed: &f64| (SLOWEST..=FASTEST).contains(speed);
    text.parse().ok().filter(fits).ok_or_else(|| format!("a speed is a number from {SLOWEST} to {FASTEST}"))
}

/// For how long time goes on at once, as a desk takes it.
fn advance(text: &str) -> Result<Period, String> {
    let period = text.parse::<Period>().map_err(|error| error.to_string())?;
    if period.is_zero() {
        return Err("time goes on for some time or not at all".to_owned());
    }
    if period > LONGEST_ADVANCE {
        return Err(format!(
            "at once, time goes on for at most {LONGEST_ADVANCE}; for more, give the order several times"
        ));
    }
    Ok(period)
}

/// Gives an order and says how things stand then, and how to undo it. `undo` is told how they stood before.
fn order(connection: &Connection, wish: &Value, undo: impl FnOnce(&Status) -> String) -> Outcome {
    let client = connection.client()?;
    let before: Status = client.ask(&Request::get(&["status"]))?;
    if before.ended {
        let text = format!("drover: {}; its clock takes no more orders.\n{AT_THE_END}", pace(&before));
        return Err(Failure::refused(CONFLICT, text));
    }
    let answer = client.send(&Request::post(&["clock"], wish).patiently())?;
    client.tell(&answer, |after: &Status| {
        let next = if after.ended { AT_THE_END.to_owned() } else { undo(&before) };
        format!("{}\n{next}", pace(after))
    })
}

fn former_speed(before: &Status) -> String {
    let slow = before.speed_while_waiting.map(|slow| format!(" --while-waiting {slow}")).unwrap_or_default();
    format!("To undo this: drover clock speed {}{slow}", before.speed)
}
