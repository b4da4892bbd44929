//! Holding predictions against what happened: from the moment a plan is begun, what was predicted is measured, by the meters of a
//! simulated world or by looking at real clusters.

use super::ground::Ground;
use lab::what_if::{self, Sightings};
use model::names::AgentName;
use model::prediction::{Prediction, Score};
use model::recommendation::{Recommendation, RecommendationId};
use model::snapshot::Snapshot;
use simulator::world::{Window, WindowId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Plans that real clusters are looked at for at the same time. Every look is compared with the one before for each of them.
const MOST_LOOKED_AT: usize = 500;

/// Predictions of what is open, and how what was begun is measured.
#[derive(Default)]
pub(super) struct Watches {
    predictions: BTreeMap<RecommendationId, Arc<Prediction>>,
    windows: BTreeMap<RecommendationId, Watch>,
}

struct Watch {
    agent: AgentName,
    prediction: Arc<Prediction>,
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
    pub(super) fn predicted(&mut self, id: RecommendationId, prediction: &Arc<Prediction>) {
        self.predictions.insert(id, Arc::clone(prediction));
    }

    /// It was settled without being begun, or was judged.
    pub(super) fn forget(&mut self, id: RecommendationId) {
        self.predictions.remove(&id);
        self.windows.remove(&id);
    }

    /// A plan is begun: what was predicted about it is measured from now on, beginning with what was seen last.
    pub(super) fn begun(&mut self, ground: &mut Ground, seen: Option<&Arc<Snapshot>>, plan: &Recommendation) {
        let prediction = self.predictions.remove(&plan.id);
        let watch = prediction.and_then(|prediction| {
            let glass = self.glass(ground, seen, &prediction)?;
            Some(Watch { agent: plan.agent.clone(), prediction, glass })
        });
        self.windows.extend(watch.map(|watch| (plan.id, watch)));
        self.looks().for_each(|sightings| sightings.begun(plan.id, &plan.action));
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

    /// Those whose time is over, in the order of their numbers.
    pub(super) fn due(&mut self, ground: &mut Ground) -> Vec<Judged> {
        let over = |(id, watch): (&RecommendationId, &Watch)| watch.glass.is_due(ground).then_some(*id);
        let ids: Vec<RecommendationId> = self.windows.iter().filter_map(over).collect();
        ids.into_iter().filter_map(|id| self.judge(ground, id)).collect()
    }

    fn judge(&mut self, ground: &mut Ground, id: RecommendationId) -> Option<Judged> {
        let Watch { agent, prediction, glass } = self.windows.remove(&id)?;
        let window = glass.close(ground)?;
        Some(Judged { id, agent, score: what_if::score(&prediction, &window) })
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
