//! What the record says of the recommendations of a run, for a desk that is opened again: a row of the lists that says something else was
//! changed by hand, and is written anew.

use super::engine::Step;
use super::lists;
use super::record;
use crate::storage::tables::journal::NewEntry;
use crate::storage::tables::recommendations::{self, Whole};
use crate::storage::{Connection, Database, Error, JsonText};
use control::review_desk::ReviewDesk;
use control::world::Effect;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::Stage;
use model::time::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;

/// Recommendations and how they stand, as far as the record was taken again. Before a checkpoint only what is open is known.
#[derive(Default)]
pub(super) struct Standing(BTreeMap<RecommendationId, (Recommendation, Stage)>);

impl Standing {
    /// What a loop knows that begins at a checkpoint.
    pub(super) fn of(desk: &ReviewDesk) -> Self {
        Self(desk.open().map(|(plan, stage)| (plan.id, (plan.clone(), stage))).collect())
    }

    pub(super) fn observe(&mut self, step: &Step) {
        for effect in &step.effects {
            match effect {
                Effect::Submit(new) => drop(self.0.insert(new.id, (new.clone(), Stage::Pending))),
                Effect::Settle { id, stage, .. } => {
                    if let Some((_, known)) = self.0.get_mut(id) {
                        *known = *stage;
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes the rows anew that say something else, and notes which they were.
    pub(super) fn correct(
        &self,
        database: &Database,
        run: &str,
        (at, wall_ms): (Timestamp, i64),
    ) -> Result<(), Error> {
        for Wrong { id, right, differs } in database.read(|connection| self.wrong(connection, run))? {
            let differs = differs.join(" and ");
            crate::log::error(&format!(
                "somebody changed {differs} of {id} in the database; it is written anew from the record"
            ));
            let note = NewEntry {
                run: Some(run.to_owned()),
                at_ms: at.0 as i64,
                wall_ms,
                kind: "table.corrected".to_owned(),
                actor: "desk".to_owned(),
                subject: id.to_string(),
                body: JsonText::of(&json!({ "differed": differs })),
                via: None,
            };
            database.write(|transaction| {
                recommendations::put_whole(transaction, &right)?;
                record::note(transaction, &note).map(drop)
            })?;
        }
        Ok(())
    }

    fn wrong(&self, connection: &mut dyn Connection, run: &str) -> Result<Vec<Wrong>, Error> {
        let mut wrong = Vec::new();
        for (plan, stage) in self.0.values() {
            let found = lists::find(connection, run, plan.id)?;
            wrong.extend(corrected(run, plan, *stage, found));
        }
        Ok(wrong)
    }
}

/// A row that is not what the record says.
struct Wrong {
    id: RecommendationId,
    /// As it should be.
    right: Whole,
    differs: Vec<&'static str>,
}

fn corrected(run: &str, plan: &Recommendation, stage: Stage, found: Option<Whole>) -> Option<Wrong> {
    let entered = lists::entered(run, plan);
    let mut differs = if found.is_none() { vec!["everything"] } else { Vec::new() };
    let mut right = found.unwrap_or_else(|| entered.clone());
    if right.item.stage != stage {
        differs.push("the stage");
        right.item.stage = stage;
        right.item.settled_at_ms = right.item.settled_at_ms.filter(|_| stage.is_final());
    }
    if !lists::show_the_same(&right.item, &entered.item) {
        differs.push("what lists show");
        lists::restore(&mut right.item, entered.item);
    }
    if right.documents.body != entered.documents.body {
        differs.push("the plan");
        right.documents.body = entered.documents.body;
    }
    (!differs.is_empty()).then_some(Wrong { id: plan.id, right, differs })
}
