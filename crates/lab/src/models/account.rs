//! What asking models took in one run, counted from the same stream the journal is written from.

use control::question::{Answer, Failure, Fault, FaultKind, Told};
use control::world::{Effect, Input};
use model::money::MicroDollars;
use model::time::Period;
use std::collections::BTreeMap;

/// Everything that is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Questions, those that ask for a better answer included.
    pub questions: u64,
    /// Questions that ask for a better answer.
    pub repairs: u64,
    pub calls: u64,
    /// Calls that were not answered, by the reason.
    pub failed_calls: BTreeMap<Failure, u64>,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub cost: MicroDollars,
    pub longest: Period,
    /// How long all calls took together.
    pub took: Period,
    /// Decisions in which another strategy took the place of models.
    pub fallbacks: u64,
    /// What was wrong with answers, mended or not.
    pub faults: BTreeMap<FaultKind, u64>,
}

impl Account {
    /// Takes what the journal takes.
    pub fn observe(&mut self, input: &Input, effects: &[Effect]) {
        if let Input::Answered { answer, .. } = input {
            self.answered(answer);
        }
        for effect in effects {
            match effect {
                Effect::Ask { question, .. } => {
                    self.questions += 1;
                    self.repairs += u64::from(!question.faults.is_empty());
                    self.count(&question.faults);
                }
                Effect::Explain(explanation) => {
                    self.fallbacks += u64::from(explanation.instead.is_some());
                    self.count(&explanation.disregarded);
                }
                _ => {}
            }
        }
    }

    /// Whether anybody was asked.
    pub const fn is_empty(&self) -> bool {
        self.questions == 0
    }

    fn answered(&mut self, answer: &Answer) {
        for reply in &answer.replies {
            self.calls += 1;
            if let Told::Failed { because, .. } = reply.told {
                *self.failed_calls.entry(because).or_default() += 1;
            }
            self.prompt_tokens += reply.usage.prompt_tokens;
            self.completion_tokens += reply.usage.completion_tokens;
            self.cost = self.cost.saturating_add(reply.usage.cost);
            self.longest = self.longest.max(reply.took);
            self.took = self.took.saturating_add(reply.took);
        }
    }

    fn count(&mut self, faults: &[Fault]) {
        for fault in faults {
            *self.faults.entry(fault.kind).or_default() += 1;
        }
    }
}
