//! The scenarios that can be tried. Whoever opens a desk puts them here; all of them were read and checked.

use crate::api::wire::ScenarioItem;
use lab::run::Scenario;
use model::hash::ContentHash;
use std::sync::Arc;

/// A scenario that can be tried.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its file, as a command line names it.
    pub file: String,
    pub scenario: Scenario,
    /// Of the text.
    pub digest: ContentHash,
    /// Whether it is the one that runs at this desk.
    pub is_own: bool,
}

impl Sample {
    pub fn name(&self) -> &str {
        &self.scenario.world.name
    }
}

/// All of them, in the order in which they are offered.
#[derive(Clone, Debug, Default)]
pub struct Shelf(Vec<Arc<Sample>>);

impl Shelf {
    /// Adds one behind the others. Whoever names a scenario means exactly one, so of two with the same name the first stays.
    pub fn put(&mut self, sample: Sample) {
        if self.find(sample.name()).is_none() {
            self.0.push(Arc::new(sample));
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|sample| sample.name())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Arc<Sample>> {
        self.0.iter().find(|sample| sample.name() == name)
    }

    pub(crate) fn items(&self) -> Vec<ScenarioItem> {
        self.0.iter().map(|sample| item(sample)).collect()
    }
}

fn item(sample: &Sample) -> ScenarioItem {
    let world = &sample.scenario.world;
    ScenarioItem {
        name: world.name.clone(),
        description: world.description.clone(),
        clusters: world.clusters.len(),
        workloads: world.workloads.len(),
        lasts_ms: world.duration.as_millis(),
        is_own: sample.is_own,
    }
}
