//! How one decision came about: what was wrong with each answer, and whether somebody else had to decide.

use control::question::{Call, Failure, Reply, Told};
use serde::{Deserialize, Serialize};

/// One thing that is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    /// In words, for people and for the model itself.
    pub text: String,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// What kind of thing, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// No object, several, or not the fields that were asked for.
    Form,
    /// It ends in the middle.
    Cut,
    InventedId,
    WrongNumber,
    /// Two answers about the same thing.
    Contradiction,
    /// It would break a limit, or there is no room.
    Limit,
}

impl FaultKind {
    pub const ALL: [Self; 6] =
        [Self::Form, Self::Cut, Self::InventedId, Self::WrongNumber, Self::Contradiction, Self::Limit];
}

/// The last decision of a strategy that asks models, from the first question on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Every answer in the order in which they came.
    pub heard: Vec<Heard>,
    /// Who decided instead of the model that was asked last, if somebody had to.
    pub instead: Option<Instead>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// `decider`, `consolidator`, or the name of a specialist.
    pub role: String,
    /// How often it had been sent back before.
    pub repairs: u32,
    /// Why there was no answer at all.
    pub failure: Option<Failure>,
    pub faults: Vec<Fault>,
}

/// Somebody who decides where a model could not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// The name of a strategy, or `votes`.
    pub by: String,
    pub why: String,
}

impl Account {
    /// Notes what became of one call.
    pub(crate) fn note(&mut self, call: &Call, repairs: u32, reply: Option<&Reply>, faults: &[Fault]) {
        let failure = match reply.map(|reply| &reply.told) {
            Some(Told::Failed { because, .. }) => Some(*because),
            _ => None,
        };
        self.heard.push(Heard { role: call.role.clone(), repairs, failure, faults: faults.to_vec() });
    }

    pub(crate) fn instead(&mut self, by: &str, why: &str) {
        self.instead = Some(Instead { by: by.to_owned(), why: why.to_owned() });
    }
}
