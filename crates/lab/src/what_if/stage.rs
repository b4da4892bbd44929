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
    /// One copy per seed, in which nothing was begun.
    copies: Vec<Rehearsal>,
    done: BTreeMap<PlanSet, Vec<Rehearsed>>,
    now: Timestamp,
    horizon: Period,
    limitations: Vec<Limitation>,
}

/// How much can be done.
struct Extent {
    horizon: Period,
    seeds: u32,
    limitations: Vec<Limitation>,
}

impl Stage {
    pub(super) fn new(world: &SimulatedWorld, questions: &[Question], settings: &Settings) -> Self {
        let mut workloads: Vec<WorkloadRef> = questions.iter().flat_map(Question::workloads).collect();
        workloads.sort();
        workloads.dedup();
        let sets: BTreeSet<&PlanSet> = questions.iter().flat_map(Question::sets).collect();
        let extent = Extent::of(world, sets.len() as u64, settings);
        let until = world.now() + extent.horizon;
        let copies = seeds(world, settings)
            .take(extent.seeds as usize)
            .map(|seed| Rehearsal::of(world, Future::Persistent { seed }).measuring(until, &workloads));
        Self {
            copies: copies.collect(),
            done: BTreeMap::new(),
            now: world.now(),
            horizon: extent.horizon,
            limitations: extent.limitations,
        }
    }

    pub(super) const fn now(&self) -> Timestamp {
        self.now
    }

    pub(super) const fn horizon(&self) -> Period {
        self.horizon
    }

    pub(super) fn seeds(&self) -> u32 {
        self.copies.len() as u32
    }

    pub(super) fn limitations(&self) -> &[Limitation] {
        &self.limitations
    }

    /// Lets these plans begin in every copy, unless that was done before.
    pub(super) fn rehearse(&mut self, plans: &PlanSet) {
        if self.done.contains_key(plans) {
            return;
        }
        let one = |copy: &Rehearsal| {
            let mut rehearsal = copy.clone();
            for (id, action) in plans.iter() {
                rehearsal.begin(id, action);
            }
            rehearsal.run(u64::MAX)
        };
        let shown = self.copies.iter().map(one).collect();
        self.done.insert(plans.clone(), shown);
    }

    /// What happened then, seed by seed; nothing if it was not rehearsed.
    pub(super) fn shown(&self, plans: &PlanSet) -> &[Rehearsed] {
        self.done.get(plans).map_or(&[], Vec::as_slice)
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
