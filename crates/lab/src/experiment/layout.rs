//! Which runs an experiment consists of, and how what they gave is put together: the same for a command and for a desk.

use super::cell::{Cell, CellKey, CellResult, Ingredients};
use super::results::{Outline, Results};
use super::spec::Experiment;
use crate::models::Models;
use crate::run::{Plan, Scenario};
use model::hash::ContentHash;

/// A scenario as one column of runs sees it.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub name: &'a str,
    pub scenario: &'a Scenario,
    /// Of the text and of every file it reads.
    pub digest: ContentHash,
}

/// All cells: setting by setting, strategy by strategy, seed by seed.
pub fn cells(
    experiment: &Experiment,
    settings: &[Setting<'_>],
    build: &str,
    models: Option<&Models>,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (setting, loaded) in settings.iter().enumerate() {
        // Its runs share one world, however many they are.
        let plan = Plan::new(loaded.scenario.clone(), 0);
        for (arm, strategy) in experiment.arms.iter().enumerate() {
            let mut plan = plan.clone().with_strategy(&strategy.decide);
            plan.models = models.filter(|_| strategy.decide.asks_models()).cloned();
            let plan = match experiment.review {
                Some(review) => plan.with_review(review),
                None => plan,
            };
            for seed in &experiment.seeds {
                let mut plan = plan.clone();
                plan.header.seed = *seed;
                let models = plan.models.as_ref().map(|models| models.fingerprint);
                let ingredients = Ingredients { build, scenario: loaded.digest, plan: &plan.header, models };
                let key = CellKey::of(&ingredients);
                cells.push(Cell { setting, arm, seed: *seed, plan, key });
            }
        }
    }
    cells
}

/// Results in the order of the cells, by setting and strategy.
pub fn gathered(experiment: &Experiment, settings: &[Setting<'_>], results: Vec<CellResult>) -> Results {
    let arms: Vec<String> = experiment.arms.iter().map(|arm| arm.name.clone()).collect();
    let outline = Outline {
        name: &experiment.name,
        description: &experiment.description,
        command: &experiment.command,
        seeds: &experiment.seeds,
        baseline: experiment.baseline,
        arms: &arms,
        metrics: &experiment.metrics,
    };
    let mut results = results.into_iter();
    let gathered = settings.iter().map(|setting| {
        let cells = arms.iter().map(|_| results.by_ref().take(experiment.seeds.len()).collect()).collect();
        let published = experiment.published.get(&setting.scenario.world.name).cloned().unwrap_or_default();
        (setting.name.to_owned(), cells, published)
    });
    Results::of(&outline, gathered.collect())
}
