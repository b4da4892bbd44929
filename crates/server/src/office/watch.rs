//! Holding predictions against what happened: from the moment a plan is begun, the world measures what was predicted.

use lab::what_if;
use model::names::AgentName;
use model::prediction::{Prediction, Score};
use model::recommendation::{Recommendation, RecommendationId};
use simulator::world::{SimulatedWorld, WindowId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Predictions of what is open, and windows on what was begun.
#[derive(Default)]
pub(super) struct Watches {
    predictions: BTreeMap<RecommendationId, Arc<Prediction>>,
    windows: BTreeMap<RecommendationId, Watch>,
}

struct Watch {
    agent: AgentName,
    prediction: Arc<Prediction>,
    window: WindowId,
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

    /// A plan is begun: what was predicted about it is measured from now on.
    pub(super) fn begun(&mut self, world: &mut SimulatedWorld, plan: &Recommendation) {
        let Some(prediction) = self.predictions.remove(&plan.id) else { return };
        if let Some(window) = what_if::watch(world, &prediction) {
            self.windows.insert(plan.id, Watch { agent: plan.agent.clone(), prediction, window });
        }
    }

    /// Those whose time is over, in the order of their numbers.
    pub(super) fn due(&mut self, world: &mut SimulatedWorld) -> Vec<Judged> {
        let over = |(id, watch): (&RecommendationId, &Watch)| world.is_closed(watch.window).then_some(*id);
        let ids: Vec<RecommendationId> = self.windows.iter().filter_map(over).collect();
        ids.into_iter().filter_map(|id| self.judge(world, id)).collect()
    }

    fn judge(&mut self, world: &mut SimulatedWorld, id: RecommendationId) -> Option<Judged> {
        let Watch { agent, prediction, window } = self.windows.remove(&id)?;
        let window = world.take_window(window)?;
        Some(Judged { id, agent, score: what_if::score(&prediction, &window) })
    }
}
