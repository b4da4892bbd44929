//! Feeds a journal's inputs to a fresh loop and finds the first place where it acts differently.

use crate::control_loop::ControlLoop;
use crate::journal::{JournalError, JournalReader};
use model::hash::ContentHash;
use model::time::Timestamp;
use std::io::BufRead;

/// What a replay found.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Inputs that were replayed with equal effects.
    pub entries: u64,
    pub journal_hash: ContentHash,
    pub divergence: Option<Divergence>,
}

/// The first difference between the journal and this build.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    pub seq: u64,
    pub at: Timestamp,
    /// Which effect of that input, counted from 0.
    pub effect: usize,
    /// What the journal holds there; nothing if this build does more.
    pub recorded: Option<serde_json::Value>,
    /// What this build does there; nothing if it does less.
    pub replayed: Option<serde_json::Value>,
}

/// Replays all entries, or up to the first divergence.
pub fn replay<R: BufRead>(
    journal: &mut JournalReader<R>,
    control: &mut ControlLoop,
) -> Result<Replay, JournalError> {
    let mut entries = 0;
    while let Some(entry) = journal.next_entry()? {
        let effects = control.handle(entry.at, &entry.input);
        let replayed: Vec<serde_json::Value> = effects
            .iter()
            .map(|effect| serde_json::to_value(effect).expect("effects are plain data"))
            .collect();
        if let Some(effect) = first_difference(&entry.effects, &replayed) {
            let divergence = Divergence {
                seq: entry.seq,
                at: entry.at,
                effect,
                recorded: entry.effects.get(effect).cloned(),
                replayed: replayed.get(effect).cloned(),
            };
            return Ok(Replay { entries, journal_hash: journal.sha256(), divergence: Some(divergence) });
        }
        entries += 1;
    }
    Ok(Replay { entries, journal_hash: journal.sha256(), divergence: None })
}

fn first_difference<T: PartialEq>(left: &[T], right: &[T]) -> Option<usize> {
    let common = left.iter().zip(right).position(|(one, other)| one != other);
    common.or_else(|| (left.len() != right.len()).then_some(left.len().min(right.len())))
}
