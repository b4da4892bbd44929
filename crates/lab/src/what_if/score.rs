//! A prediction beside what happened.

use super::instrument;
use model::prediction::{Basis, Confounder, Millionths, Observation, Outlook, Prediction, Score, Subject};
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use simulator::world::{SimulatedWorld, Surprises, Window, WindowId};
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

/// What happened since a prediction was made that its rehearsals did not have in them.
#[derive(Clone, Debug, Default)]
pub struct Meanwhile {
    /// Every plan that was begun since, with when; those that are judged as well.
    pub begun: Vec<(RecommendationId, Timestamp)>,
    /// What else happened until the plans were begun; what happened after that is in the window.
    pub before: Surprises,
}

/// Compares a prediction with what was measured after its plans were begun.
pub fn score(prediction: &Prediction, window: &Window, meanwhile: &Meanwhile) -> Score {
    let (outlook, compared_with, plans) = basis(prediction, window, meanwhile);
    let observe = |one: &model::prediction::PredictedMeasure| {
        let observed = Millionths::nearest(instrument::read(window, one.measure, &one.subject)?);
        Some(Observation::new(one.measure, one.subject.clone(), one.with, observed))
    };
    let plans = plans.into_iter().map(|id| Confounder::Plan { id });
    let changes = |count: u64, what: fn(u64) -> Confounder| (count > 0).then(|| what(count));
    let Surprises { happenings, faults } = meanwhile.before;
    let workloads = changes(window.happenings + happenings, |changes| Confounder::Workloads { changes });
    let faults = changes(window.faults + faults, |changes| Confounder::Faults { changes });
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
fn basis<'a>(
    prediction: &'a Prediction,
    window: &Window,
    meanwhile: &Meanwhile,
) -> (&'a Outlook, Basis, Vec<RecommendationId>) {
    let others: Vec<(RecommendationId, Timestamp)> = meanwhile
        .begun
        .iter()
        .copied()
        .filter(|(id, at)| !prediction.of.contains(id) && (prediction.made_at..=window.to).contains(at))
        .collect();
    let begun: BTreeSet<RecommendationId> = others.iter().map(|(id, _)| *id).collect();
    let pending: BTreeSet<RecommendationId> = prediction.together_with.iter().copied().collect();
    let at_once = others.iter().all(|(_, at)| at_the_same_time(*at, window.from, prediction.horizon));
    match &prediction.jointly {
        Some(jointly) if at_once && begun == pending => (jointly, Basis::Jointly, Vec::new()),
        _ => (&prediction.alone, Basis::Alone, begun.into_iter().collect()),
    }
}

/// In rehearsals all plans are begun at one moment. A person needs some for each; a twentieth of what is measured changes little.
fn at_the_same_time(one: Timestamp, other: Timestamp, horizon: Period) -> bool {
    one.max(other).since(one.min(other)).as_millis() <= horizon.as_millis() / 20
}
