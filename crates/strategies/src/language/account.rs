//! How one decision came about: what was wrong with each answer, and whether somebody else had to decide.

use super::drafting::failure_in_words;
use control::question::{Call, Failure, Fault, FaultKind, Reply, Told};
use control::strategy::Instead;
use serde::{Deserialize, Serialize};

/// So many things that were wrong with the answers of one decision are written down.
const MOST_FAULTS: usize = 50;

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

impl Account {
    /// Notes what became of one call.
    pub(crate) fn note(&mut self, call: &Call, repairs: u32, reply: Option<&Reply>, faults: &[Fault]) {
        let failure = match reply.map(|reply| &reply.told) {
            Some(Told::Failed { because, .. }) => Some(*because),
            _ => None,
        };
        self.heard.push(Heard { role: call.role.clone(), repairs, failure, faults: faults.to_vec() });
    }

    /// What was wrong with the answers to earlier forms of these calls, if they were sent back.
    pub(crate) fn to_be_mended(&self, calls: &[Call], repairs: u32) -> Vec<Fault> {
        let Some(before) = repairs.checked_sub(1) else { return Vec::new() };
        let is_meant =
            |heard: &&Heard| heard.repairs == before && calls.iter().any(|call| call.role == heard.role);
        self.heard.iter().filter(is_meant).flat_map(Heard::told_faults).take(MOST_FAULTS).collect()
    }

    /// What was wrong in the end: the last word of everybody counts.
    pub(crate) fn disregarded(&self) -> Vec<Fault> {
        let is_last =
            |index: usize, one: &Heard| self.heard[index + 1..].iter().all(|later| later.role != one.role);
        let last = self.heard.iter().enumerate().filter(|(index, one)| is_last(*index, one));
        last.flat_map(|(_, heard)| heard.in_the_end()).take(MOST_FAULTS).collect()
    }

    pub(crate) fn instead(&mut self, by: &str, why: &str) {
        self.instead = Some(Instead { by: by.to_owned(), why: why.to_owned() });
    }
}

impl Heard {
    fn told_faults(&self) -> impl Iterator<Item = Fault> {
        self.faults.iter().map(|fault| Fault { role: self.role.clone(), ..fault.clone() })
    }

    fn in_the_end(&self) -> Vec<Fault> {
        let silence = self.failure.map(|failure| Fault {
            role: self.role.clone(),
            kind: FaultKind::NoAnswer,
            text: failure_in_words(failure, ""),
        });
        silence.into_iter().chain(self.told_faults()).collect()
    }
}
