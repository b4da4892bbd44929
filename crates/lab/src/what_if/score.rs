//! A prediction beside what happened.

use super::instrument;
use model::prediction::{Basis, Confounder, Millionths, Observation, Outlook, Prediction, Score, Subject};
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use simulator::world::{SimulatedWorld, Window, WindowId};
use std::collections::BTreeSet;

/// Begins to measure what a prediction is about, from now on. Call it when the plan is begun: the rehearsed plans were
/// begun at that moment, too. None if the world has too many windows open.
pub fn watch(world: &mut SimulatedWorld, prediction: &Prediction) -> Option<WindowId> {
    let subjects = prediction.alone.measures.iter().map(|one| &one.subject);
    let mut workloads: Vec<_> = subjects
        .filter_map(|subject| match subject {
            Subject::Workload(reference) => Some(reference.clone()),
            Subject::Federation | Subject::Cluster(_) => None,
        })
        .collect();
    workloads.dedup();
    let until: Timestamp = world.now() + prediction.horizon;
    world.open_window(until, &workloads)
}

/// Compares a prediction with what was measured after its plans were begun.
pub fn score(prediction: &Prediction, window: &Window) -> Score {
    let (outlook, compared_with, plans) = basis(prediction, window);
    let observe = |one: &model::prediction::PredictedMeasure| {
        let observed = Millionths::nearest(instrument::read(window, one.measure, &one.subject)?);
        Some(Observation::new(one.measure, one.subject.clone(), one.with, observed))
    };
    let plans = plans.into_iter().map(|id| Confounder::Plan { id });
    let changes = |count: u64, what: fn(u64) -> Confounder| (count > 0).then(|| what(count));
    let workloads = changes(window.happenings, |changes| Confounder::Workloads { changes });
    let faults = changes(window.faults, |changes| Confounder::Faults { changes });
    Score {
        of: prediction.of.clone(),
        from: window.from,
        to: window.to,
        age: window.from.since(prediction.made_at),
        complete: window.whole && window.to.since(window.from) == prediction.horizon,
        compared_with,
        observations: outlook.measures.iter().filter_map(observe).collect(),
        confounded_by: plans.chain(workloads).chain(faults).collect(),
    }
}

/// The future that was rehearsed with the plans that were really begun, and the plans that this does not explain.
fn basis<'a>(prediction: &'a Prediction, window: &Window) -> (&'a Outlook, Basis, Vec<RecommendationId>) {
    let others: Vec<RecommendationId> =
        window.started.iter().copied().filter(|id| !prediction.of.contains(id)).collect();
    let same = |one: &[RecommendationId], other: &[RecommendationId]| {
        one.iter().collect::<BTreeSet<_>>() == other.iter().collect::<BTreeSet<_>>()
    };
    match &prediction.jointly {
        Some(jointly) if same(&others, &prediction.together_with) => (jointly, Basis::Jointly, Vec::new()),
        _ => (&prediction.alone, Basis::Alone, others),
    }
}
