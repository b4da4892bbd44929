//! A simulated world and the loop that watches it, taken forward moment by moment.
//!
//! Everything here is a pure function of the scenario, the seed and what people did when. So a desk that was killed rebuilds its
//! world: it takes the same course again and finds the same steps that it wrote down.

use super::watch::{Judged, Watches};
use crate::live::History;
use control::control_loop::ControlLoop;
use control::world::{Effect, Input, World};
use model::review::Stage;
use model::time::Timestamp;
use simulator::world::SimulatedWorld;
use std::sync::Arc;

/// One input and what the loop did about it.
#[derive(Clone, Debug)]
pub struct Step {
    pub at: Timestamp,
    pub input: Input,
    pub effects: Vec<Effect>,
}

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Nothing happens before this moment; the world stands there.
    Moment,
    /// The world has ended.
    End,
}

/// A world and its loop.
pub struct Engine {
    world: SimulatedWorld,
    control: ControlLoop,
    ended: bool,
    watches: Watches,
    history: Arc<History>,
}

impl Engine {
    pub fn new(world: SimulatedWorld, control: ControlLoop) -> Self {
        Self { world, control, ended: false, watches: Watches::default(), history: Arc::default() }
    }

    pub const fn now(&self) -> Timestamp {
        self.world.now()
    }

    pub const fn world(&self) -> &SimulatedWorld {
        &self.world
    }

    pub const fn control(&self) -> &ControlLoop {
        &self.control
    }

    /// How the clusters stood over time.
    pub fn history(&self) -> Arc<History> {
        Arc::clone(&self.history)
    }

    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// The next step at or before `until`. The world has not yet heard of its effects: [`Self::start`] tells it, after they were
    /// written down.
    pub fn next_step(&mut self, until: Timestamp) -> Result<Step, Reached> {
        let wake_at = self.control.wake_at();
        let deadline = wake_at.min(until).max(self.world.now());
        let Ok(next) = self.world.next_input(deadline);
        let Some((at, input)) = next else {
            self.ended = true;
            return Err(Reached::End);
        };
        // Time passed up to `until`, and the loop did not want to be woken there.
        if matches!(input, Input::WakeUp) && at < wake_at {
            return Err(Reached::Moment);
        }
        let effects = self.control.handle(at, &input);
        Ok(Step { at, input, effects })
    }

    /// Takes something from outside. The world must stand at this moment, with nothing left to happen before it.
    pub fn take(&mut self, input: Input) -> Step {
        let at = self.world.now();
        let effects = self.control.handle(at, &input);
        Step { at, input, effects }
    }

    /// Predictions whose time is over, with what was measured instead.
    pub(super) fn judged(&mut self) -> Vec<Judged> {
        self.watches.due(&mut self.world)
    }

    /// Starts what was decided.
    pub fn start(&mut self, step: &Step) {
        self.history.observe(&step.input);
        match &step.input {
            Input::Predicted { id, prediction } => self.watches.predicted(*id, prediction),
            Input::Scored { id, .. } => self.watches.forget(*id),
            _ => {}
        }
        for effect in step.effects.iter().cloned() {
            match &effect {
                Effect::Apply(approved) => self.watches.begun(&mut self.world, approved.recommendation()),
                Effect::Settle {
                    id, stage: Stage::Rejected | Stage::Expired | Stage::Superseded, ..
                } => {
                    self.watches.forget(*id);
                }
                _ => {}
            }
            let Ok(()) = self.world.start(effect);
        }
    }
}
