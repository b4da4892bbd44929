//! Nothing is done that was not approved as it stands.

use super::ensure;
use crate::scenario::Start;
use crate::world::SimulatedWorld;
use crate::world::agenda::Event;
use control::review_desk::Approved;
use control::world::{Effect, Input};
use model::hash::ContentHash;
use model::recommendation::RecommendationId;
use model::review::{Reviewer, Verdict};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn busy(world: &SimulatedWorld) -> Result<(), String> {
    for (spec, workload) in world.spec.workloads.iter().zip(world.workloads.iter()) {
        let known = workload.busy_with.is_none_or(|id| world.undertakings.contains_key(&id));
        ensure(known, || format!("{} is busy with {:?}", spec.reference, workload.busy_with))?;
    }
    for id in world.undertakings.keys() {
        let goes_on = |event: &Event| matches!(event, Event::MigrationContinues { id: of } if of == id);
        ensure(world.agenda.planned().any(goes_on), || format!("nothing will end {id}"))?;
    }
    Ok(())
}

/// What passed between the loop and the world.
#[derive(Default)]
pub(super) struct Files {
    submitted: BTreeMap<RecommendationId, ContentHash>,
    approved: BTreeMap<RecommendationId, ContentHash>,
    open: BTreeSet<RecommendationId>,
    closed: BTreeSet<RecommendationId>,
}

impl Files {
    pub(super) fn started(&mut self, effect: &Effect) -> Result<(), String> {
        match effect {
            Effect::Submit(recommendation) => {
                let former = self.submitted.insert(recommendation.id, recommendation.hash);
                ensure(former.is_none(), || format!("{} was submitted twice", recommendation.id))
            }
            Effect::Apply(approved) => self.applied(approved),
            _ => Ok(()),
        }
    }

    fn applied(&mut self, approved: &Approved) -> Result<(), String> {
        let recommendation = approved.recommendation();
        let (id, hash) = (recommendation.id, Some(&recommendation.hash));
        ensure(recommendation.is_intact(), || format!("{id} was changed"))?;
        ensure(self.submitted.get(&id) == hash, || format!("{id} was not submitted as it is"))?;
        let granted = matches!(approved.reviewer(), Reviewer::Rule(_));
        ensure(granted || self.approved.get(&id) == hash, || format!("{id} was not approved as it is"))?;
        ensure(!self.closed.contains(&id) && self.open.insert(id), || format!("{id} was applied twice"))
    }

    pub(super) fn heard(&mut self, input: &Input) -> Result<(), String> {
        match input {
            Input::Reviewed(review) if review.verdict == Verdict::Approve => {
                self.approved.insert(review.recommendation, review.hash);
                Ok(())
            }
            Input::Applied { id, .. } => {
                self.closed.insert(*id);
                ensure(self.open.remove(id), || format!("an outcome of {id}, which is not under way"))
            }
            _ => Ok(()),
        }
    }
}

/// Where a workload should be, and how much of it.
type Place = (usize, u32);

/// Which workloads are where.
pub(super) struct Places {
    by_workload: Vec<(Vec<Place>, Option<RecommendationId>)>,
}

impl Places {
    pub(super) fn of(world: &SimulatedWorld) -> Self {
        let places = world.workloads.iter().map(|workload| {
            let present = workload.placements.iter().filter(|(_, placement)| !placement.leaving);
            (present.map(|(index, placement)| (*index, placement.replicas)).collect(), workload.busy_with)
        });
        Self { by_workload: places.collect() }
    }

    /// A workload changed its place or size: the scenario says so, an action on it was under way, or its autoscaler did it.
    pub(super) fn changed_for_a_reason(&self, now: &Self, world: &SimulatedWorld) -> Result<(), String> {
        for (number, (before, after)) in self.by_workload.iter().zip(&now.by_workload).enumerate() {
            let reason = before.1.or(after.1).is_some()
                || happens(world, number, world.now())
                || is_autoscaled(world, number, &before.0, &after.0)
                // The federation's own scheduler may place it anew at any time.
                || matches!(world.spec.workloads[number].start, Start::Policy(_));
            ensure(before.0 == after.0 || reason, || {
                let name = &world.spec.workloads[number].reference;
                format!("{name} went from {:?} to {:?} for no reason", before.0, after.0)
            })?;
        }
        Ok(())
    }
}

fn happens(world: &SimulatedWorld, workload: usize, at: Timestamp) -> bool {
    world.spec.happenings.iter().any(|happening| happening.at == at && happening.workload == workload)
}

/// An autoscaler changes the size, never the place.
fn is_autoscaled(world: &SimulatedWorld, workload: usize, before: &[Place], after: &[Place]) -> bool {
    let clusters = |places: &[Place]| places.iter().map(|(cluster, _)| *cluster).collect::<Vec<_>>();
    world.spec.workloads[workload].horizontal.is_some() && clusters(before) == clusters(after)
}
