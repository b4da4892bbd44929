//! A world and the loop that watches it, taken forward moment by moment.
//!
//! In a simulated world everything here is a pure function of the scenario, the seed and what people did when. So a desk that was
//! killed rebuilds its world: it takes the same course again and finds the same steps that it wrote down. Real clusters go on by
//! themselves: there the loop takes again what was written down, and meets them where they are.

use super::ground::Ground;
use super::watch::{Judged, KeptWatches, Mark, Watches};
use crate::access::Departed;
use crate::live::History;
use control::checkpoint::Checkpoint;
use control::control_loop::ControlLoop;
use control::question::Question;
use control::review_desk::Approved;
use control::world::{Applied, Effect, Input, Outside};
use lab::twin::Twin;
use model::execution::Progress;
use model::hash::ContentHash;
use model::names::AgentName;
use model::recommendation::RecommendationId;
use model::review::Stage;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use simulator::world::{Intervention, Refused, SimulatedWorld};
use std::collections::BTreeMap;
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
    ground: Ground,
    control: ControlLoop,
    ended: bool,
    /// What was approved and of which no end was seen.
    begun: BTreeMap<RecommendationId, Approved>,
    watches: Watches,
    history: Arc<History>,
    /// What was observed last, and what was before and is not any more.
    seen: Option<Arc<Snapshot>>,
    departed: Arc<Departed>,
    /// What agents asked models and was not answered.
    asked: BTreeMap<AgentName, Question>,
}

impl Engine {
    pub fn new(ground: impl Into<Ground>, control: ControlLoop) -> Self {
        Self {
            ground: ground.into(),
            control,
            ended: false,
            begun: BTreeMap::new(),
            watches: Watches::default(),
            history: Arc::default(),
            seen: None,
            departed: Arc::default(),
            asked: BTreeMap::new(),
        }
    }

    pub const fn now(&self) -> Timestamp {
        self.ground.now()
    }

    /// Whether there are real clusters behind it.
    pub const fn is_real(&self) -> bool {
        self.ground.is_real()
    }

    /// The simulated world, if it is one.
    pub const fn simulated(&self) -> Option<&SimulatedWorld> {
        self.ground.simulated()
    }

    /// A world in which plans can be tried; nothing before anything was observed.
    pub fn twin(&self) -> Option<Twin> {
        self.ground.twin(self.control.latest())
    }

    /// Somebody begins to reckon what these would bring.
    pub(super) fn asked_about(&mut self, ids: &[RecommendationId]) {
        if let Some(mark) = self.mark() {
            self.watches.asked(ids, &mark);
        }
    }

    /// How the world stands, so that one can say later what has changed; nothing before anything was observed.
    fn mark(&self) -> Option<Mark> {
        match self.simulated() {
            Some(world) => Some(Mark::Counted(world.surprises())),
            None => self.control.latest().cloned().map(Mark::Seen),
        }
    }

    /// How far actions have come, those that somebody wants to know about.
    pub fn progress(&self, wanted: impl Fn(&Progress) -> bool) -> Vec<Progress> {
        self.ground.progress(wanted)
    }

    pub const fn control(&self) -> &ControlLoop {
        &self.control
    }

    /// How the clusters stood over time.
    pub fn history(&self) -> Arc<History> {
        Arc::clone(&self.history)
    }

    /// All workloads that were ever observed in this run.
    pub(super) fn ever_seen(&self) -> Departed {
        self.departed.with_all_of(self.seen.as_deref())
    }

    /// Those that are not observed any more.
    pub fn departed(&self) -> Arc<Departed> {
        Arc::clone(&self.departed)
    }

    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// The next step at or before `until`. The world has not yet heard of its effects: [`Self::start`] tells it, after they were
    /// written down.
    pub fn next_step(&mut self, until: Timestamp) -> Result<Step, Reached> {
        let wake_at = self.control.wake_at();
        let deadline = wake_at.min(until).max(self.now());
        self.ground.stands(self.control.freezes(), self.control.supply());
        let Some((at, input)) = self.ground.next_input(deadline) else {
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
        let at = self.now();
        let effects = self.control.handle(at, &input);
        Step { at, input, effects }
    }

    /// The office was here before.
    pub(super) fn was_at(&mut self, moment: Timestamp) {
        self.ground.was_at(moment);
    }

    /// The real clusters, for another engine.
    pub(super) fn give_back(self) -> Option<Box<dyn Outside>> {
        self.ground.give_back()
    }

    /// What is being measured, as it is written down. `name` says under which name an observation is kept.
    pub(super) fn keep_watches(&self, name: impl FnMut(&Arc<Snapshot>) -> ContentHash) -> KeptWatches {
        self.watches.keep(name)
    }

    /// Knows what another one knew that watched the same real clusters, and goes on measuring what it measured. Returns whether it
    /// understood.
    pub(super) fn restore(
        &mut self,
        checkpoint: Checkpoint,
        history: Vec<Arc<Snapshot>>,
        (watches, seen): (KeptWatches, &BTreeMap<ContentHash, Arc<Snapshot>>),
        known: Departed,
    ) -> bool {
        if self.control.restore(checkpoint, history).is_err() {
            return false;
        }
        self.departed = Arc::new(known);
        let desk = self.control.desk();
        let begun = desk.begun().into_iter();
        self.begun = begun.map(|approved| (approved.recommendation().id, approved)).collect();
        self.watches = watches.resume(seen, |id| desk.prediction(id).cloned());
        self.remember_predictions();
        true
    }

    /// What waits is measured when it is begun, whoever predicted it, also where a checkpoint of an older version says nothing of it.
    fn remember_predictions(&mut self) {
        let desk = self.control.desk();
        for id in desk.waiting() {
            if let Some(prediction) = desk.prediction(id).filter(|_| !self.watches.expects(id)) {
                self.watches.predicted(id, &Arc::new(prediction.clone()), self.mark());
            }
        }
        // When they were begun is not known any more; whatever is judged later was disturbed by them.
        for id in self.begun.keys() {
            if !self.watches.knows_begun(*id) {
                self.watches.was_begun(*id, self.now());
            }
        }
    }

    /// Takes something again that was written down of real clusters.
    pub(super) fn take_again(&mut self, at: Timestamp, input: Input) -> Step {
        self.ground.was_at(at);
        self.take(input)
    }

    /// Whether something could be done to the world from outside.
    pub fn could(&self, intervention: &Intervention) -> Result<(), Refused> {
        self.simulated().ok_or_else(not_simulated)?.could(intervention)
    }

    /// Does something to the world from outside. It must stand at this moment, as for [`Self::take`].
    pub fn intervene(&mut self, intervention: &Intervention) -> Result<(), Refused> {
        self.ground.simulated_mut().ok_or_else(not_simulated)?.intervene(intervention)
    }

    /// Whether the time of a prediction is over.
    pub(super) fn has_to_judge(&self) -> bool {
        self.watches.has_due(&self.ground)
    }

    /// A prediction whose time is over, with what was measured instead.
    pub(super) fn judged(&mut self) -> Option<Judged> {
        self.watches.due(&mut self.ground)
    }

    /// Starts what was decided.
    pub fn start(&mut self, step: &Step) {
        self.remember(step);
        for effect in step.effects.iter().cloned() {
            self.ground.start(effect);
        }
    }

    /// Knows what was decided without starting it, because that was done before.
    pub(super) fn remember(&mut self, step: &Step) {
        self.history.observe(&step.input);
        match &step.input {
            Input::Predicted { id, prediction } => self.watches.predicted(*id, prediction, self.mark()),
            Input::Scored { id, .. } => self.watches.forget(*id),
            Input::Observed(seen) => {
                self.watches.look(seen);
                Departed::look(&mut self.departed, self.seen.as_deref(), seen);
                self.seen = Some(Arc::clone(seen));
            }
            Input::Applied { id, outcome } => {
                if *outcome == Applied::Done {
                    self.watches.done(*id);
                }
                self.begun.remove(id);
            }
            Input::Answered { agent, answer } => {
                self.asked.retain(|whose, question| whose != agent || question.number != answer.number);
            }
            _ => {}
        }
        for effect in &step.effects {
            self.remember_effect(effect);
        }
    }

    fn remember_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Apply(approved) => {
                let plan = approved.recommendation();
                self.watches.begun(&mut self.ground, self.control.latest(), plan);
                self.begun.insert(plan.id, approved.clone());
            }
            Effect::Ask { agent, question } => drop(self.asked.insert(agent.clone(), question.clone())),
            // Whoever has decided does not wait any more.
            Effect::Explain(explanation) => drop(self.asked.remove(&explanation.agent)),
            Effect::Settle { id, stage: Stage::Rejected | Stage::Expired | Stage::Superseded, .. } => {
                self.watches.forget(*id);
            }
            _ => {}
        }
    }

    /// What agents asked models and was not answered.
    pub(super) fn open_questions(&self) -> impl Iterator<Item = (&AgentName, &Question)> {
        self.asked.iter()
    }

    /// Goes on with everything that was approved and of which no end was seen. `known` tells how far each had come.
    pub(super) fn take_up<E>(
        &mut self,
        mut known: impl FnMut(RecommendationId) -> Result<Progress, E>,
    ) -> Result<(), E> {
        for (id, approved) in &self.begun {
            self.ground.take_up(approved, &known(*id)?);
        }
        for id in self.control.desk().aborting() {
            self.ground.start(Effect::Abort { id });
        }
        Ok(())
    }
}

/// Real clusters have an API of their own.
fn not_simulated() -> Refused {
    Refused::NoSuch { what: "simulated federation".to_owned() }
}
