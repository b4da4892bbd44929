//! What must hold for every step of every loop, whatever it is told: watches effects and panics when the law is broken.

use crate::world::{Effect, Input};
use model::hash::ContentHash;
use model::recommendation::RecommendationId;
use model::review::{Review, Reviewer, Stage, Verdict};
use std::collections::BTreeMap;

/// What was seen so far.
#[derive(Default)]
pub(crate) struct Law {
    known: BTreeMap<RecommendationId, Seen>,
    /// Those that rules and grants answer as.
    pub(crate) granted: Vec<Reviewer>,
}

struct Seen {
    hash: ContentHash,
    stage: Stage,
    approved_by: Option<Reviewer>,
}

impl Law {
    pub(crate) fn watch(&mut self, input: &Input, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Submit(new) => {
                    assert!(new.is_intact(), "{} was submitted unsealed", new.id);
                    let seen = Seen { hash: new.hash, stage: Stage::Pending, approved_by: None };
                    assert!(self.known.insert(new.id, seen).is_none(), "{} was submitted twice", new.id);
                }
                Effect::Settle { id, stage, .. } => self.settle(*id, *stage, input),
                Effect::Apply(approved) => {
                    let id = approved.recommendation().id;
                    let seen = &self.known[&id];
                    assert_eq!(seen.stage, Stage::Applying, "{id} is applied too early");
                    assert_eq!(seen.hash, approved.recommendation().hash, "{id} is not what was submitted");
                    let by = approved.reviewer();
                    let granted = self.granted.contains(by);
                    assert!(granted || seen.approved_by.as_ref() == Some(by), "{id} has no approval");
                }
                _ => {}
            }
        }
    }

    fn settle(&mut self, id: RecommendationId, stage: Stage, input: &Input) {
        let seen = self.known.get_mut(&id).expect("only what was submitted changes its stage");
        assert!(seen.stage.may_become(stage), "{id} went from {:?} to {stage:?}", seen.stage);
        seen.stage = stage;
        if let Input::Reviewed(Review { recommendation, hash, verdict: Verdict::Approve, reviewer, .. }) =
            input
            && (*recommendation, *hash, stage) == (id, seen.hash, Stage::Approved)
        {
            seen.approved_by = Some(reviewer.clone());
        }
    }

    pub(crate) fn hash_of(&self, id: RecommendationId) -> ContentHash {
        self.known.get(&id).map_or(ContentHash::ZERO, |seen| seen.hash)
    }

    pub(crate) fn counts(&self) -> BTreeMap<Stage, u64> {
        let mut counts = BTreeMap::new();
        self.known.values().for_each(|seen| *counts.entry(seen.stage).or_default() += 1);
        counts
    }
}
