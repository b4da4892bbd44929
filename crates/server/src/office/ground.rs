//! The world that the office works on: a simulated one, whose course it decides, or real clusters, which go on by themselves.

use super::rehearsing::{Beginning, Heard, Rehearsing};
use control::review_desk::Approved;
use control::supply::Supply;
use control::world::{Applied, Effect, Input, Outside, World};
use lab::twin::Twin;
use model::execution::Progress;
use model::order::StandingFreeze;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use simulator::scenario::WorldSpec;
use simulator::world::SimulatedWorld;
use std::sync::Arc;

/// A world, and where it stands in time.
pub enum Ground {
    Simulated(Box<SimulatedWorld>),
    Real(Real),
}

/// Real clusters.
pub struct Real {
    clusters: Box<dyn Outside>,
    /// How far the office has come.
    now: Timestamp,
    /// What is said about them that they do not tell themselves, such as prices.
    spec: Arc<WorldSpec>,
    /// Asks them before what a rule approved is begun; none if they cannot be asked.
    rehearsing: Option<Rehearsing>,
}

impl Real {
    pub fn new(clusters: Box<dyn Outside>, spec: Arc<WorldSpec>) -> Self {
        let rehearsing = clusters.rehearsal().and_then(Rehearsing::new);
        Self { clusters, now: Timestamp::EPOCH, spec, rehearsing }
    }

    /// What has happened by now, or that nothing has.
    fn next_input(&mut self, deadline: Timestamp) -> (Timestamp, Input) {
        self.now = self.now.max(deadline);
        let input = self.rehearsed().or_else(|| self.clusters.poll(self.now));
        (self.now, input.unwrap_or(Input::WakeUp))
    }

    /// Begins what they have nothing against; the first thing that is not begun.
    fn rehearsed(&mut self) -> Option<Input> {
        while let Some(heard) = self.rehearsing.as_mut().and_then(Rehearsing::heard) {
            match heard {
                Heard::Begin(beginning) => self.begin(beginning),
                Heard::Leave(id, reason) => {
                    return Some(Input::Applied { id, outcome: Applied::Failed { reason } });
                }
            }
        }
        None
    }

    fn begin(&mut self, beginning: Beginning) {
        match beginning {
            Beginning::Start(approved) => self.clusters.start(self.now, &Effect::Apply(*approved)),
            Beginning::TakeUp(approved, known) => self.clusters.take_up(self.now, &approved, &known),
        }
    }

    /// Begins something, after a question where no person has asked it.
    fn begin_or_ask(&mut self, approved: &Approved, beginning: Beginning) {
        let left = match self.rehearsing.as_mut().filter(|_| Rehearsing::concerns(approved)) {
            Some(rehearsing) => rehearsing.ask(beginning),
            None => Some(beginning),
        };
        if let Some(beginning) = left {
            self.begin(beginning);
        }
    }

    fn start(&mut self, effect: Effect) {
        match effect {
            Effect::Apply(approved) => {
                self.begin_or_ask(&approved.clone(), Beginning::Start(Box::new(approved)));
            }
            Effect::Abort { id } if self.rehearsing.as_mut().is_some_and(|one| one.abort(id)) => {}
            other => self.clusters.start(self.now, &other),
        }
    }

    /// Whatever was ordered goes on; what was not is asked about first, as if it had been approved now.
    fn take_up(&mut self, approved: &Approved, known: &Progress) {
        if known.steps.is_empty() {
            self.begin_or_ask(approved, Beginning::TakeUp(Box::new(approved.clone()), known.clone()));
        } else {
            self.clusters.take_up(self.now, approved, known);
        }
    }
}

impl From<SimulatedWorld> for Ground {
    fn from(world: SimulatedWorld) -> Self {
        Self::Simulated(Box::new(world))
    }
}

impl Ground {
    pub const fn now(&self) -> Timestamp {
        match self {
            Self::Simulated(world) => world.now(),
            Self::Real(real) => real.now,
        }
    }

    pub const fn is_real(&self) -> bool {
        matches!(self, Self::Real(_))
    }

    /// The next thing that happens up to `deadline`; nothing at the end of the world.
    pub fn next_input(&mut self, deadline: Timestamp) -> Option<(Timestamp, Input)> {
        match self {
            Self::Simulated(world) => {
                let Ok(next) = world.next_input(deadline);
                next
            }
            Self::Real(real) => Some(real.next_input(deadline)),
        }
    }

    /// What stands still at the desk, and what is in force besides its files.
    pub(super) fn stands(&mut self, freezes: &[StandingFreeze], supply: &Supply) {
        if let Self::Real(real) = self {
            real.clusters.stands(freezes);
            real.clusters.in_force(supply);
        }
    }

    pub fn start(&mut self, effect: Effect) {
        match self {
            Self::Simulated(world) => {
                let Ok(()) = world.start(effect);
            }
            Self::Real(real) => real.start(effect),
        }
    }

    /// How far actions have come, those that somebody wants to know about.
    pub fn progress(&self, wanted: impl Fn(&Progress) -> bool) -> Vec<Progress> {
        match self {
            Self::Simulated(world) => world.progress_of_all().filter(|one| wanted(one)).cloned().collect(),
            Self::Real(real) => real.clusters.progress().into_iter().filter(wanted).collect(),
        }
    }

    pub(super) fn give_back(self) -> Option<Box<dyn Outside>> {
        match self {
            Self::Simulated(_) => None,
            Self::Real(real) => Some(real.clusters),
        }
    }

    /// The office was here before, in a run that is taken again. A simulated world gets there by itself.
    pub(super) fn was_at(&mut self, moment: Timestamp) {
        if let Self::Real(real) = self {
            real.now = real.now.max(moment);
        }
    }

    /// Goes on with what was approved before the desk was opened.
    pub(super) fn take_up(&mut self, approved: &Approved, known: &Progress) {
        if let Self::Real(real) = self {
            real.take_up(approved, known);
        }
    }

    pub const fn simulated(&self) -> Option<&SimulatedWorld> {
        match self {
            Self::Simulated(world) => Some(world),
            Self::Real(_) => None,
        }
    }

    pub(super) const fn simulated_mut(&mut self) -> Option<&mut SimulatedWorld> {
        match self {
            Self::Simulated(world) => Some(world),
            Self::Real(_) => None,
        }
    }

    /// A world in which plans can be tried without touching anything: a copy of the simulated one, or one built like the real clusters
    /// as they were last observed.
    pub fn twin(&self, latest: Option<&Arc<Snapshot>>) -> Option<Twin> {
        match self {
            Self::Simulated(world) => Some(Twin::Copy(world.clone())),
            Self::Real(real) => latest.map(|seen| Twin::Like(Arc::clone(seen), Arc::clone(&real.spec))),
        }
    }
}
