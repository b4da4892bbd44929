//! Where rehearsals take place: every set of plans once per seed, within the work that is allowed.

use super::sets::{PlanSet, Question};
use super::{FEWEST_SEEDS, MOST_SEEDS, Settings};
use model::names::WorkloadRef;
use model::prediction::Limitation;
use model::time::{Period, Timestamp};
use simulator::randomness::Randomness;
use simulator::world::{Future, Rehearsal, Rehearsed, SimulatedWorld};
use std::collections::{BTreeMap, BTreeSet};

/// A horizon that was cut short is a whole number of these.
const SECOND: u64 = 1_000;

/// So many pods and nodes are copied in the time that one event takes; measured with a million workloads.
const COPIED_PER_EVENT: u64 = 20;

/// One world at one moment, and what was rehearsed in its copies.
pub(super) struct Stage {
    /// Seed by seed, for every set of plans that was begun.
    shown: BTreeMap<PlanSet, Vec<Rehearsed>>,
    now: Timestamp,
    extent: Extent,
}

/// How much can be done.
struct Extent {
    horizon: Period,
    seeds: u32,
    limitations: Vec<Limitation>,
}

impl Stage {
    /// Rehearses every set of plans that the questions are about.
    pub(super) fn new(world: &SimulatedWorld, questions: &[Question], settings: &Settings) -> Self {
        let mut workloads: Vec<WorkloadRef> = questions.iter().flat_map(Question::workloads).collect();
        workloads.sort();
        workloads.dedup();
        let sets: BTreeSet<&PlanSet> = questions.iter().flat_map(Question::sets).collect();
        let extent = Extent::of(world, sets.len() as u64, settings);
        let until = world.now() + extent.horizon;
        let mut stage = Self { shown: BTreeMap::new(), now: world.now(), extent };
        for seed in seeds(world, settings).take(stage.extent.seeds as usize) {
            let copy = Rehearsal::of(world, Future::Persistent { seed }).measuring(until, &workloads);
            stage.rehearse(copy, &sets);
        }
        stage
    }

    /// One future with every set of plans. The last takes the copy itself.
    fn rehearse(&mut self, copy: Rehearsal, sets: &BTreeSet<&PlanSet>) {
        let mut copies = std::iter::repeat_n(copy, sets.len());
        for (plans, mut rehearsal) in sets.iter().zip(&mut copies) {
            for (id, action) in plans.iter() {
                rehearsal.begin(id, action);
            }
            self.shown.entry((*plans).clone()).or_default().push(rehearsal.run(u64::MAX));
        }
    }

    /// What happened when these plans were begun, seed by seed; nothing if nobody asked.
    pub(super) fn shown(&self, plans: &PlanSet) -> &[Rehearsed] {
        self.shown.get(plans).map_or(&[], Vec::as_slice)
    }

    pub(super) const fn now(&self) -> Timestamp {
        self.now
    }

    pub(super) const fn horizon(&self) -> Period {
        self.extent.horizon
    }

    pub(super) const fn seeds(&self) -> u32 {
        self.extent.seeds
    }

    pub(super) fn limitations(&self) -> &[Limitation] {
        &self.extent.limitations
    }
}

impl Extent {
    /// A first rehearsal without any plan shows how many events the horizon takes.
    fn of(world: &SimulatedWorld, sets: u64, settings: &Settings) -> Self {
        let (asked, left) = (settings.horizon, world.end().since(world.now()));
        let mut limitations = Vec::new();
        if left < asked {
            limitations.push(Limitation::WorldEnds { asked });
        }
        let mut extent = Self {
            horizon: asked.min(left),
            seeds: settings.seeds.clamp(FEWEST_SEEDS, MOST_SEEDS),
            limitations,
        };
        if extent.horizon.is_zero() {
            extent.seeds = 0;
            return extent;
        }
        extent.fit(world, sets.max(1), settings);
        extent
    }

    fn fit(&mut self, world: &SimulatedWorld, sets: u64, settings: &Settings) {
        let copying = world.size() / COPIED_PER_EVENT;
        let each = settings.budget / (u64::from(FEWEST_SEEDS) * sets);
        let most = each.saturating_sub(copying).max(1);
        let until = world.now() + self.horizon;
        let seed = seeds(world, settings).next().unwrap_or_default();
        let tried = Rehearsal::of(world, Future::Persistent { seed }).measuring(until, &[]).run(most);
        let (asked, horizon) = (self.seeds, self.horizon);
        if tried.window.whole {
            let affordable = settings.budget / (sets * (tried.events + copying).max(1));
            self.seeds = asked.min(u32::try_from(affordable).unwrap_or(u32::MAX)).max(FEWEST_SEEDS);
        } else {
            let reached = tried.window.to.since(tried.window.from).as_millis();
            self.seeds = FEWEST_SEEDS;
            self.horizon = Period::from_millis((reached / SECOND).max(1) * SECOND).min(horizon);
        }
        if self.seeds < asked {
            self.limitations.push(Limitation::FewerSeeds { asked });
        }
        if self.horizon < horizon {
            self.limitations.push(Limitation::ShorterHorizon { asked: horizon });
        }
    }
}

/// The seeds of all futures of this moment.
fn seeds(world: &SimulatedWorld, settings: &Settings) -> impl Iterator<Item = u64> + use<> {
    let mut stream = Randomness::new(settings.seed).stream(&format!("futures at {}", world.now()));
    std::iter::repeat_with(move || stream.next_u64())
}
