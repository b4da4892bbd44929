//! Comparisons in the database: they outlive the desk that made them.

use super::book::{self, Entry, MOST_KEPT};
use super::findings::Findings;
use crate::api::wire::{ComparisonItem, ComparisonState};
use crate::storage::port::error::with_causes;
use crate::storage::tables::comparisons::{self, Comparison, UNDER_WAY};
use crate::storage::{Database, Error, JsonText, Transaction};
use std::sync::{Arc, Weak};

/// The database, as long as the desk has it open. Whoever still computes when the desk closes must not keep it from the next one.
#[derive(Debug)]
pub(crate) struct Archive(Weak<Database>);

impl Archive {
    pub(crate) fn new(database: &Arc<Database>) -> Self {
        Self(Arc::downgrade(database))
    }

    /// Keeps what is left of a comparison. If that fails it stands in the log, and in the list as long as the desk is open.
    pub(super) fn keep(&self, left: &Left) {
        let Some(database) = self.0.upgrade() else { return };
        if let Err(error) = database.write(|transaction| left.settle(transaction)) {
            crate::log::error(&format!("a comparison could not be kept: {}", with_causes(&error)));
        }
    }
}

/// Keeps a comparison; of those that are over, the oldest go.
fn keep(transaction: &mut dyn Transaction, row: &Comparison) -> Result<(), Error> {
    comparisons::put(transaction, row)?;
    comparisons::keep_newest(transaction, MOST_KEPT).map(drop)
}

/// What is left of a comparison: how it ended, or nothing if it is forgotten.
pub(crate) struct Left {
    number: u64,
    row: Option<Comparison>,
}

impl Left {
    /// As the book has it.
    pub(super) fn of(number: u64, known: Option<&book::Comparison>) -> Self {
        Self { number, row: known.map(|known| row(number, &known.item, known.findings.as_deref())) }
    }

    pub(super) fn row(number: u64, item: &ComparisonItem, findings: Option<&Findings>) -> Self {
        Self { number, row: Some(row(number, item, findings)) }
    }

    pub(crate) fn settle(&self, transaction: &mut dyn Transaction) -> Result<(), Error> {
        match &self.row {
            Some(row) => keep(transaction, row),
            None => comparisons::remove(transaction, self.number as i64).map(drop),
        }
    }
}

/// Notes that somebody started a comparison, so that it is not lost without a trace.
pub(crate) fn begin(transaction: &mut dyn Transaction, entry: &Entry) -> Result<(), Error> {
    comparisons::put(transaction, &row(entry.number, &entry.item(), None))
}

/// Everything an earlier desk left. What it was at when it stopped is interrupted: nobody works on it any more.
pub(crate) fn take_over(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<Vec<Comparison>, Error> {
    for former in comparisons::all(transaction)?.iter().filter(|row| row.state == UNDER_WAY) {
        if let Some((number, mut item, _)) = read(former) {
            item.state = ComparisonState::Interrupted;
            item.ended_wall = Some(wall_ms);
            keep(transaction, &row(number, &item, None))?;
        }
    }
    comparisons::all(transaction)
}

/// What the database holds of a comparison.
fn row(number: u64, item: &ComparisonItem, findings: Option<&Findings>) -> Comparison {
    let state = if item.state.is_over() { item.state.as_str() } else { UNDER_WAY };
    let mut row = Comparison {
        number: number as i64,
        state: state.to_owned(),
        item: JsonText::of(item),
        results: None,
        document: None,
        figures: None,
    };
    if let Some(findings) = findings {
        findings.store(&mut row);
    }
    row
}

/// The same the other way round; nothing if another version wrote what nobody here understands.
pub(super) fn read(row: &Comparison) -> Option<(u64, ComparisonItem, Option<Findings>)> {
    let item: ComparisonItem = row.item.read("a comparison").ok()?;
    Some((book::number(&item.id)?, item, Findings::stored(row)))
}
