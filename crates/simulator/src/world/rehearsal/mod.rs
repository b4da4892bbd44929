//! A copy of the world that is run ahead to see what a plan would bring. It cannot leave: nothing in here reaches the world
//! it was copied from, and nobody gets the copy out. That is why plans may be begun here that nobody has approved.
//!
//! The copy would know the future, since the scenario tells it. A prediction must not: see [`Future::Persistent`].

mod redraw;

use super::windows::{Window, WindowId, Windows};
use super::{SimulatedWorld, Turn};
use crate::randomness::Randomness;
use control::world::{Applied, Input};
use model::action::Action;
use model::names::WorkloadRef;
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

const BUSY: &str = "another action on the same workload is under way";

/// What comes after the moment of the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Future {
    /// Nothing new: no workload comes, goes or changes from outside, no fault begins or ends, demand, networks and electricity
    /// stay as they are. What is there goes on by the laws it follows: jobs run, pods start, nodes boot, autoscalers and
    /// schedulers work, orders are carried out. How long things take and what noise is like is drawn anew from the seed, as
    /// far as it has not shown itself.
    Persistent { seed: u64 },
    /// Exactly what will happen, every draw included. Nobody can know that; it shows that the copy is one.
    AsScripted,
}

/// A copy of the world, and what is done in it.
#[derive(Clone)]
pub struct Rehearsal {
    world: SimulatedWorld,
    /// Where plans take their chance from; none if it is the world's own.
    chance: Option<Randomness>,
    began_after: u64,
    window: Option<WindowId>,
    endings: BTreeMap<RecommendationId, Ending>,
}

/// When and how an action ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub at: Timestamp,
    pub outcome: Applied,
}

/// What a rehearsal showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rehearsed {
    /// Everything from the copy to the end of the rehearsal; `whole` unless the limit of events was met before.
    pub window: Window,
    /// Actions that ended, those included that were under way before.
    pub endings: BTreeMap<RecommendationId, Ending>,
    /// How many events it took.
    pub events: u64,
}

impl Rehearsal {
    pub fn of(world: &SimulatedWorld, future: Future) -> Self {
        let mut copy = world.copied();
        let chance = match future {
            Future::AsScripted => None,
            Future::Persistent { seed } => {
                // A rehearsal with the seed of the world still draws other numbers than the world will.
                let randomness = Randomness::new(seed).branch("rehearsal");
                copy.persist(randomness);
                Some(randomness)
            }
        };
        let began_after = copy.events;
        Self { world: copy, chance, began_after, window: None, endings: BTreeMap::new() }
    }

    /// Measures from now on until a moment, and these workloads in particular.
    #[must_use]
    pub fn measuring(mut self, until: Timestamp, workloads: &[WorkloadRef]) -> Self {
        self.window = self.world.open_window(until, workloads);
        self
    }

    /// Begins an action now. One that is under way already goes on as it is; one whose workload is busy with another fails,
    /// since no guardrail would let it through.
    pub fn begin(&mut self, id: RecommendationId, action: &Action) {
        if self.world.is_busy_with_another(id, action) {
            let outcome = Applied::Failed { reason: BUSY.to_owned() };
            self.endings.insert(id, Ending { at: self.world.now(), outcome });
            return;
        }
        if let Some(chance) = self.chance {
            // Each plan has its own draws, so that one more plan does not change the others.
            self.world.chance.migration = chance.stream(&format!("migration of {id}"));
        }
        self.world.begin_undertaking(id, action);
    }

    /// Runs to the end of what is measured, or until so many events were handled.
    pub fn run(mut self, most_events: u64) -> Rehearsed {
        let id = self.window.unwrap_or_else(|| self.open_for_ever());
        let last = self.began_after.saturating_add(most_events);
        while !self.world.is_closed(id) && self.world.events < last {
            match self.world.turn(self.world.windows.next_close(self.world.end())) {
                Turn::Input(at, Input::Applied { id, outcome }) => {
                    self.endings.insert(id, Ending { at, outcome });
                }
                Turn::Event | Turn::Input(..) => {}
                Turn::End => break,
            }
        }
        let window = self.world.take_window(id).expect("it was opened above and taken by nobody");
        Rehearsed { window, endings: self.endings, events: self.world.events - self.began_after }
    }

    /// Only tests may look inside.
    #[cfg(test)]
    pub(super) fn into_world(self) -> SimulatedWorld {
        self.world
    }

    fn open_for_ever(&mut self) -> WindowId {
        let end = self.world.end();
        self.world.open_window(end, &[]).expect("the copy has no other window")
    }
}

impl SimulatedWorld {
    /// The same world without what only figures and those outside need.
    fn copied(&self) -> Self {
        // Made here once, or every copy that begins a plan would make it for itself.
        self.workload_by_name();
        Self {
            spec: Arc::clone(&self.spec),
            reviewer: self.reviewer.clone(),
            respondent: None,
            agenda: self.agenda.clone(),
            chance: self.chance.clone(),
            clusters: self.clusters.clone(),
            workloads: self.workloads.clone(),
            numbers_by_name: self.numbers_by_name.clone(),
            undertakings: self.undertakings.clone(),
            courses: self.courses.clone(),
            inbox: VecDeque::new(),
            services: self.services.iter().map(super::services::ServiceRun::without_samples).collect(),
            service_of: Arc::clone(&self.service_of),
            changed_services: self.changed_services.clone(),
            horizontals: self.horizontals.clone(),
            verticals: self.verticals.clone(),
            metrics: self.metrics.clone(),
            trouble: self.trouble.clone(),
            known_until: self.known_until,
            leaving: self.leaving.clone(),
            meter: self.meter.without_samples(),
            windows: Windows::default(),
            events: self.events,
            spent: Vec::new(),
        }
    }

    pub(in crate::world) fn is_busy_with_another(&self, id: RecommendationId, action: &Action) -> bool {
        let number = action.workload().and_then(|reference| self.workload_by_name().get(reference));
        number.and_then(|number| self.workloads[*number].busy_with).is_some_and(|busy| busy != id)
    }

    /// Forgets what the scenario says about the future, and draws anew what has not shown itself.
    fn persist(&mut self, randomness: Randomness) {
        let now = self.agenda.now();
        self.known_until = Some(now);
        self.chance = super::Chance::new(randomness);
        for cluster in &mut self.clusters {
            cluster.persist(now, randomness);
        }
        for run in &mut self.services {
            run.persist(now, &self.spec.workloads[run.workload].reference, randomness);
        }
        self.redraw_plans(&mut randomness.stream("what is under way"));
    }
}

#[cfg(test)]
mod tests;
