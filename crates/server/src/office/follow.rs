//! Following what is being carried out: every step that the world shows is written down once.

use super::record;
use super::work::{Office, OfficeError};
use crate::storage::tables::executions;
use crate::storage::tables::journal::{Appended, NewEntry};
use crate::storage::{Database, Error, JsonText, Transaction};
use model::execution::{Progress, TimedStep};
use model::recommendation::RecommendationId;
use serde_json::json;
use std::collections::BTreeMap;

/// How many steps of each action were written down.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed(BTreeMap<RecommendationId, usize>);

impl Followed {
    /// What an interrupted desk had written down already.
    pub(super) fn of(all: &[Progress], database: &Database, run: &str) -> Result<Self, Error> {
        let known = |progress: &Progress| Ok((progress.id, known(database, run, progress.id)?.steps.len()));
        Ok(Self(all.iter().map(known).collect::<Result<_, Error>>()?))
    }

    fn new_steps<'a>(&self, progress: &'a Progress) -> &'a [TimedStep] {
        let seen = self.0.get(&progress.id).copied().unwrap_or(0);
        progress.steps.get(seen..).unwrap_or_default()
    }
}

/// The steps of an action that were written down.
pub(super) fn known(database: &Database, run: &str, id: RecommendationId) -> Result<Progress, Error> {
    let execution = database.read(|connection| executions::get(connection, run, id.0 as i64))?;
    let steps = execution.map_or(Ok(Vec::new()), |execution| execution.steps.read("steps"))?;
    Ok(Progress { id, steps })
}

impl Office {
    /// Writes down the steps that were not seen before.
    pub(super) fn follow(&mut self) -> Result<(), OfficeError> {
        let grown = |progress: &Progress| !self.followed.new_steps(progress).is_empty();
        for progress in self.engine.progress(grown) {
            let new = self.followed.new_steps(&progress).to_vec();
            let (run, wall_ms) = (self.run.as_str(), (self.wall)());
            let end = self
                .database
                .write_patiently(|transaction| write(transaction, run, wall_ms, &progress, &new))?;
            self.followed.0.insert(progress.id, progress.steps.len());
            self.reached(end.seq);
        }
        Ok(())
    }
}

fn write(
    transaction: &mut dyn Transaction,
    run: &str,
    wall_ms: i64,
    progress: &Progress,
    new: &[TimedStep],
) -> Result<Appended, Error> {
    if let Some(mut execution) = executions::get(transaction, run, progress.id.0 as i64)? {
        execution.steps = JsonText::of(&progress.steps);
        executions::put(transaction, &execution)?;
    }
    let mut end = Appended::START;
    for step in new {
        let entry = NewEntry {
            run: Some(run.to_owned()),
            at_ms: step.at.0 as i64,
            wall_ms,
            kind: "progress".to_owned(),
            actor: "world".to_owned(),
            subject: progress.id.to_string(),
            body: JsonText::of(&json!({ "step": step.step, "at": step.at })),
            via: None,
        };
        end = record::note(transaction, &entry)?;
    }
    Ok(end)
}
