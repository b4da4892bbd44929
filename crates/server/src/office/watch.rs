//! Holding predictions against what happened: from the moment a plan is begun, what was predicted is measured, by the meters of a
//! simulated world or by looking at real clusters.

mod kept;

use super::ground::Ground;
use lab::what_if::{self, Meanwhile, Sightings};
use model::names::AgentName;
use model::prediction::{Prediction, Score};
use model::recommendation::{Recommendation, RecommendationId};
use model::snapshot::Snapshot;
use model::time::Timestamp;
use simulator::world::{Surprises, Window, WindowId};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) use kept::KeptWatches;

/// Plans that real clusters are looked at for at the same time. Every look is compared with the one before for each of them.
const MOST_LOOKED_AT: usize = 500;

/// Predictions of what is open, and how what was begun is measured.
#[derive(Default)]
pub(super) struct Watches {
    /// How the world stood when somebody began to reckon.
    asked: BTreeMap<RecommendationId, Mark>,
    predictions: BTreeMap<RecommendationId, (Arc<Prediction>, Mark)>,
    windows: BTreeMap<RecommendationId, Watch>,
    /// What was begun, and when, since the oldest of these predictions.
    begun: Vec<(RecommendationId, Timestamp)>,
}

/// How a world stood at a moment, so that one can say later what has changed.
#[derive(Clone)]
pub(super) enum Mark {
    Counted(Surprises),
    Seen(Arc<Snapshot>),
}

struct Watch {
    agent: AgentName,
    prediction: Arc<Prediction>,
    /// What happened between the prediction and the beginning.
    before: Surprises,
    glass: Glass,
}

/// How a world is measured.
enum Glass {
    Meters(WindowId),
    Looks(Box<Sightings>),
}

/// A prediction that can be judged.
pub(super) struct Judged {
    pub(super) id: RecommendationId,
    pub(super) agent: AgentName,
    pub(super) score: Score,
}

impl Watches {
    /// Somebody begins to reckon what these would bring, in a world that stands like this.
    pub(super) fn asked(&mut self, ids: &[RecommendationId], mark: &Mark) {
        self.asked.extend(ids.iter().map(|id| (*id, mark.clone())));
    }

    /// What was reckoned is known, in a world that stands like this now.
    pub(super) fn predicted(
        &mut self,
        id: RecommendationId,
        prediction: &Arc<Prediction>,
        now: Option<Mark>,
    ) {
        if let Some(mark) = self.asked.remove(&id).or(now) {
            self.predictions.insert(id, (Arc::clone(prediction), mark));
        }
    }

    /// Whether a prediction of it waits for its beginning.
    pub(super) fn expects(&self, id: RecommendationId) -> bool {
        self.predictions.contains_key(&id)
    }

    /// Whether it was begun, as far as that still matters.
    pub(super) fn knows_begun(&self, id: RecommendationId) -> bool {
        self.begun.iter().any(|(begun, _)| *begun == id)
    }

    /// It was settled without being begun, or was judged.
    pub(super) fn forget(&mut self, id: RecommendationId) {
        self.asked.remove(&id);
        self.predictions.remove(&id);
        self.windows.remove(&id);
    }

    /// A plan is begun: what was predicted about it is measured from now on, beginning with what was seen last.
    pub(super) fn begun(&mut self, ground: &mut Ground, seen: Option<&Arc<Snapshot>>, plan: &Recommendation) {
        let now = ground.now();
        self.asked.remove(&plan.id);
        let watch = self.predictions.remove(&plan.id).and_then(|(prediction, mark)| {
            let before = mark.surprises_until(ground, seen);
            let glass = self.glass(ground, seen, &prediction)?;
            Some(Watch { agent: plan.agent.clone(), prediction, before, glass })
        });
        self.windows.extend(watch.map(|watch| (plan.id, watch)));
        self.looks().for_each(|sightings| sightings.begun(plan.id, &plan.action));
        self.was_begun(plan.id, now);
    }

    /// Something was begun, by whomever. What was begun before every prediction is forgotten.
    pub(super) fn was_begun(&mut self, id: RecommendationId, at: Timestamp) {
        self.begun.push((id, at));
        let open = self.predictions.values().map(|(prediction, _)| prediction);
        let made = open.chain(self.windows.values().map(|watch| &watch.prediction)).map(|one| one.made_at);
        let oldest = made.min().unwrap_or(at);
        self.begun.retain(|(_, at)| *at >= oldest);
    }

    fn glass(
        &self,
        ground: &mut Ground,
        seen: Option<&Arc<Snapshot>>,
        prediction: &Prediction,
    ) -> Option<Glass> {
        if let Some(world) = ground.simulated_mut() {
            return what_if::watch(world, prediction).map(Glass::Meters);
        }
        let seen = seen.filter(|_| self.windows.len() < MOST_LOOKED_AT)?;
        Some(Glass::Looks(Box::new(Sightings::new(ground.now(), prediction, seen))))
    }

    /// Somebody looked at the clusters. A simulated world measures itself.
    pub(super) fn look(&mut self, seen: &Arc<Snapshot>) {
        self.looks().for_each(|sightings| sightings.look(seen));
    }

    /// A plan was seen to be done.
    pub(super) fn done(&mut self, id: RecommendationId) {
        self.looks().for_each(|sightings| sightings.done(id));
    }

    fn looks(&mut self) -> impl Iterator<Item = &mut Sightings> {
        self.windows.values_mut().filter_map(|watch| match &mut watch.glass {
            Glass::Looks(sightings) => Some(sightings.as_mut()),
            Glass::Meters(_) => None,
        })
    }

    /// Whether the time of one is over.
    pub(super) fn has_due(&self, ground: &Ground) -> bool {
        self.over(ground).next().is_some()
    }

    fn over(&self, ground: &Ground) -> impl Iterator<Item = RecommendationId> {
        self.windows.iter().filter(|(_, watch)| watch.glass.is_due(ground)).map(|(id, _)| *id)
    }

    /// One whose time is over, in the order of their numbers. One by one: what is not judged yet must still be there when somebody
    /// writes down what is known.
    pub(super) fn due(&mut self, ground: &mut Ground) -> Option<Judged> {
        let over: Vec<RecommendationId> = self.over(ground).collect();
        over.into_iter().find_map(|id| self.judge(ground, id))
    }

    fn judge(&mut self, ground: &mut Ground, id: RecommendationId) -> Option<Judged> {
        let Watch { agent, prediction, before, glass } = self.windows.remove(&id)?;
        let window = glass.close(ground)?;
        let meanwhile = Meanwhile { begun: self.begun.clone(), before };
        Some(Judged { id, agent, score: what_if::score(&prediction, &window, &meanwhile) })
    }
}

impl Mark {
    /// What happened since then that nobody had decided.
    fn surprises_until(&self, ground: &Ground, seen: Option<&Arc<Snapshot>>) -> Surprises {
        match self {
            Self::Counted(then) => ground.simulated().map_or(Surprises::default(), |world| {
                let Surprises { happenings, faults } = world.surprises();
                Surprises { happenings: happenings - then.happenings, faults: faults - then.faults }
            }),
            Self::Seen(then) => seen.map_or(Surprises::default(), |now| what_if::surprises(then, now)),
        }
    }
}

impl Glass {
    fn is_due(&self, ground: &Ground) -> bool {
        match self {
            Self::Meters(window) => ground.simulated().is_some_and(|world| world.is_closed(*window)),
            Self::Looks(sightings) => sightings.is_due(ground.now()),
        }
    }

    fn close(self, ground: &mut Ground) -> Option<Window> {
        match self {
            Self::Meters(window) => ground.simulated_mut()?.take_window(window),
            Self::Looks(sightings) => Some(sightings.close()),
        }
    }
}
