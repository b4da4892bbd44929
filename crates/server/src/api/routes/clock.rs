//! The federation's own time, where it is simulated.

use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, post};
use crate::api::extract::Body;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::Status;
use crate::desk::Desk;
use crate::office::ClockOrder;
use crate::office::pace::{FASTEST, LONGEST_ADVANCE, Speed};
use axum::extract::State;
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        post("/api/v1/clock", "setClock", set)
            .does("Let virtual time run, stand still, go faster, or go on for a while")
            .needs(Right::Steer)
            .body::<ClockWish>()
            .slow()
            .answers::<Status>()
            .may_refuse(&[Kind::NotReady, Kind::Conflict]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ClockWish {
    order: ClockWord,
    /// With speed: virtual seconds in a real one.
    #[schemars(range(min = 0.01, max = 100_000.0))]
    speed: Option<f64>,
    /// With speed: the same while somebody has something to decide.
    #[schemars(range(min = 0.01, max = 100_000.0))]
    speed_while_waiting: Option<f64>,
    /// With advance: for how many virtual seconds.
    #[schemars(range(min = 0.001, max = 21_600.0))]
    seconds: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ClockWord {
    Run,
    Pause,
    Speed,
    Advance,
}

impl ClockWish {
    fn order(&self) -> Result<ClockOrder, Problem> {
        let wrong = |field: &str, message: &str| {
            Problem::new(Kind::Validation, format!("{field}: {message}.")).with_field(field, message)
        };
        let speed = |value: Option<f64>, field: &str| match value {
            Some(speed) if !(0.01..=FASTEST).contains(&speed) => {
                Err(wrong(field, "a number from 0.01 to 100000"))
            }
            fitting => Ok(fitting),
        };
        let usual = speed(self.speed, "speed")?;
        let while_waiting = speed(self.speed_while_waiting, "speedWhileWaiting")?;
        let longest = LONGEST_ADVANCE.as_seconds_float();
        let long = format!("a number from 0.001 to {longest}");
        if self.seconds.is_some_and(|seconds| !(0.001..=longest).contains(&seconds)) {
            return Err(wrong("seconds", &long));
        }
        Ok(match self.order {
            ClockWord::Run => ClockOrder::Run,
            ClockWord::Pause => ClockOrder::Pause,
            ClockWord::Speed => {
                let usual = usual.ok_or_else(|| wrong("speed", "say how fast"))?;
                ClockOrder::Speed(Speed { usual, while_waiting })
            }
            ClockWord::Advance => {
                let seconds = self.seconds.ok_or_else(|| wrong("seconds", &long))?;
                ClockOrder::Advance(Period::from_millis((seconds * 1000.0) as u64))
            }
        })
    }
}

async fn set(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<ClockWish>,
) -> Result<Json<Status>, Problem> {
    desk.office().clock(caller.actor(), wish.order()?).await?;
    Ok(Json(Status::new(&desk.now(), desk.scenario())))
}
