//! What is being measured in real clusters, as it stands in a checkpoint: a desk that is opened again goes on measuring. A simulated
//! world is taken again from its beginning and measures itself once more.

use super::{Glass, Mark, Watch, Watches};
use lab::what_if::Sightings;
use model::hash::ContentHash;
use model::names::AgentName;
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use simulator::world::Surprises;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Observations stand in it by name.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::office) struct KeptWatches {
    /// What was seen when the predictions of what waits were made.
    marks: BTreeMap<RecommendationId, ContentHash>,
    windows: Vec<KeptWatch>,
    begun: Vec<(RecommendationId, Timestamp)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptWatch {
    id: RecommendationId,
    agent: AgentName,
    prediction: Prediction,
    before: Surprises,
    seen: ContentHash,
    sightings: Sightings,
}

impl KeptWatches {
    /// The observations that are needed to go on.
    pub(in crate::office) fn observations(&self) -> impl Iterator<Item = ContentHash> {
        let seen = self.windows.iter().map(|window| window.seen);
        self.marks.values().copied().chain(seen)
    }

    /// Goes on measuring. What needs an observation that is gone is not judged.
    pub(in crate::office) fn resume(
        self,
        seen: &BTreeMap<ContentHash, Arc<Snapshot>>,
        prediction: impl Fn(RecommendationId) -> Option<Prediction>,
    ) -> Watches {
        let expected = self.marks.iter().filter_map(|(id, name)| {
            Some((*id, (Arc::new(prediction(*id)?), Mark::Seen(Arc::clone(seen.get(name)?)))))
        });
        Watches {
            asked: BTreeMap::new(),
            predictions: expected.collect(),
            windows: self.windows.into_iter().filter_map(|window| window.resume(seen)).collect(),
            begun: self.begun,
        }
    }
}

impl KeptWatch {
    fn of(
        id: RecommendationId,
        watch: &Watch,
        name: impl FnOnce(&Arc<Snapshot>) -> ContentHash,
    ) -> Option<Self> {
        let Glass::Looks(sightings) = &watch.glass else { return None };
        Some(Self {
            id,
            agent: watch.agent.clone(),
            prediction: (*watch.prediction).clone(),
            before: watch.before,
            seen: name(sightings.last_seen()),
            sightings: (**sightings).clone(),
        })
    }

    fn resume(self, seen: &BTreeMap<ContentHash, Arc<Snapshot>>) -> Option<(RecommendationId, Watch)> {
        let last = Arc::clone(seen.get(&self.seen)?);
        let glass = Glass::Looks(Box::new(self.sightings.having_seen(last)));
        let Self { id, agent, prediction, before, .. } = self;
        Some((id, Watch { agent, prediction: Arc::new(prediction), before, glass }))
    }
}

impl Watches {
    /// What has to be written down to go on. `name` says under which name an observation is kept.
    pub(in crate::office) fn keep(&self, mut name: impl FnMut(&Arc<Snapshot>) -> ContentHash) -> KeptWatches {
        let mut marks = BTreeMap::new();
        for (id, (_, mark)) in &self.predictions {
            if let Mark::Seen(seen) = mark {
                marks.insert(*id, name(seen));
            }
        }
        let windows = self.windows.iter().filter_map(|(id, watch)| KeptWatch::of(*id, watch, &mut name));
        KeptWatches { marks, windows: windows.collect(), begun: self.begun.clone() }
    }
}
