//! How far the carrying out of an action has come: steps with their times, as they were seen in the world.

use crate::recommendation::RecommendationId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// One thing that happened while an action was carried out. Not every action has all of them: only a migration has a
/// source that leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The order was given.
    OrderSent,
    /// A cluster cannot be reached or its API did not take the order; it is tried again.
    OrderDelayed,
    /// All clusters that had to know have taken the order.
    OrderTaken,
    /// The wanted pods or nodes were asked for.
    TargetMaking,
    /// They were seen ready.
    TargetReady,
    /// The source was told to go.
    SourceLeaving,
    /// Nothing is left of the source.
    SourceGone,
    /// It did not succeed in time; the former state is being restored.
    TakingBack,
    /// The former state was ordered again.
    TakenBack,
    Done,
    Failed,
}

impl Step {
    pub const ALL: [Self; 11] = [
        Self::OrderSent,
        Self::OrderDelayed,
        Self::OrderTaken,
        Self::TargetMaking,
        Self::TargetReady,
        Self::SourceLeaving,
        Self::SourceGone,
        Self::TakingBack,
        Self::TakenBack,
        Self::Done,
        Self::Failed,
    ];

    /// Whether nothing comes after it.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::TakenBack | Self::Done | Self::Failed)
    }
}

/// A step and when it was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedStep {
    pub at: Timestamp,
    pub step: Step,
}

/// The course of one action so far, oldest step first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub id: RecommendationId,
    pub steps: Vec<TimedStep>,
}

impl Progress {
    pub const fn new(id: RecommendationId) -> Self {
        Self { id, steps: Vec::new() }
    }

    /// Writes down a step, unless it was seen before: whoever looks twice sees one thing. Only a delay can come again, after
    /// something else has happened.
    pub fn note(&mut self, at: Timestamp, step: Step) {
        let known = match step {
            Step::OrderDelayed => self.steps.last().is_some_and(|last| last.step == step),
            _ => self.at(step).is_some(),
        };
        if !known {
            self.steps.push(TimedStep { at, step });
        }
    }

    /// When a step was first seen.
    pub fn at(&self, step: Step) -> Option<Timestamp> {
        self.steps.iter().find(|one| one.step == step).map(|one| one.at)
    }

    pub fn is_over(&self) -> bool {
        self.steps.last().is_some_and(|last| last.step.is_final())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_noted_once() {
        let mut progress = Progress::new(RecommendationId(3));
        for (at, step) in [
            (1, Step::OrderSent),
            (2, Step::OrderDelayed),
            (3, Step::OrderDelayed),
            (4, Step::TargetReady),
            (5, Step::OrderDelayed),
            (6, Step::TargetReady),
            (7, Step::Done),
        ] {
            assert!(!progress.is_over());
            progress.note(Timestamp(at), step);
        }
        assert!(progress.is_over());
        assert_eq!(progress.at(Step::OrderDelayed), Some(Timestamp(2)));
        assert_eq!(progress.at(Step::TakenBack), None);
        assert_eq!(progress.steps.len(), 5);
        let text = serde_json::to_string(&progress).unwrap();
        assert_eq!(serde_json::from_str::<Progress>(&text).unwrap(), progress, "{text}");
        assert!(text.contains(r#"{"at":2,"step":"order_delayed"}"#), "{text}");
    }

    #[test]
    fn every_step_has_its_place() {
        for (place, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as usize, place);
        }
        assert_eq!(Step::ALL.iter().filter(|step| step.is_final()).count(), 3);
    }
}
