//! What people order of virtual time. The record keeps it, so that it holds when a run goes on after an interruption.

use super::once::Behind;
use super::pace::Speed;
use super::work::{Office, OfficeError};
use crate::clock;
use crate::storage::tables::idempotency::{Key, mark};
use crate::storage::tables::journal;
use crate::storage::{Connection, Error};
use model::time::{Period, Timestamp};
use serde_json::{Value, json};

/// How the record calls an order.
const KIND: &str = "clock";

/// Orders that are read at a time.
const CHUNK: u32 = 100;

/// What somebody wants of virtual time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClockOrder {
    Run,
    Pause,
    Speed(Speed),
    /// Goes on for so long at once, then stands still.
    Advance(Period),
}

impl ClockOrder {
    /// As the record keeps it.
    fn body(self) -> Value {
        match self {
            Self::Run => json!({ "order": "run" }),
            Self::Pause => json!({ "order": "pause" }),
            Self::Speed(speed) => {
                json!({ "order": "speed", "speed": speed.usual, "whileWaiting": speed.while_waiting })
            }
            Self::Advance(period) => json!({ "order": "advance", "by": period }),
        }
    }
}

/// How time goes by in a run: as people ordered it last, and where nobody did as the desk's file begins.
pub(super) fn ordered(
    connection: &mut dyn Connection,
    run: &str,
    (speed, paused): (Speed, bool),
) -> Result<(Speed, bool), Error> {
    let (mut found_speed, mut found_paused, mut seq) = (None, None, i64::MAX);
    while found_speed.is_none() || found_paused.is_none() {
        let orders = journal::before(connection, run, &[KIND], seq, CHUNK)?;
        let Some(oldest) = orders.last() else { break };
        seq = oldest.seq;
        for entry in &orders {
            let body: Value = entry.body.read("an order")?;
            match body["order"].as_str() {
                Some("speed") => found_speed = found_speed.or_else(|| speed_of(&body)),
                Some("run") => found_paused = found_paused.or(Some(false)),
                _ => found_paused = found_paused.or(Some(true)),
            }
        }
    }
    Ok((found_speed.unwrap_or(speed), found_paused.unwrap_or(paused)))
}

fn speed_of(body: &Value) -> Option<Speed> {
    Some(Speed { usual: body["speed"].as_f64()?, while_waiting: body["whileWaiting"].as_f64() })
}

impl Office {
    pub(super) fn set_clock(
        &mut self,
        actor: &str,
        order: ClockOrder,
        behind: &Behind,
    ) -> Result<(), OfficeError> {
        let (at, now) = (self.engine.now(), clock::now());
        if self.engine.is_real() {
            return Err(OfficeError::RealTime);
        }
        match order {
            ClockOrder::Run => self.pace.set_paused(false, at, now),
            ClockOrder::Pause => self.pace.set_paused(true, at, now),
            ClockOrder::Speed(speed) => self.pace.set_speed(speed, at, now),
            ClockOrder::Advance(period) => {
                self.begins(behind.key.as_ref())?;
                self.pace.set_paused(true, at, now);
                self.be_patient();
                let done = self.advance_for(at + period);
                self.patience = None;
                done?;
            }
        }
        self.arrived();
        self.note_for((KIND, actor, ""), &order.body(), &[], behind)?;
        self.post();
        Ok(())
    }

    /// Whoever is killed on a long way must not go all of it again because the request is repeated.
    fn begins(&self, key: Option<&Key>) -> Result<(), Error> {
        let Some(key) = key else { return Ok(()) };
        self.database.write_patiently(|transaction| mark(transaction, key, self.seq))
    }

    fn advance_for(&mut self, reach: Timestamp) -> Result<(), OfficeError> {
        while self.advance_at_once(reach)? {}
        self.take_predictions()
    }
}
