//! What the record says of the recommendations of a run, for a desk that is opened again: a row of the lists that says something else was
//! changed by hand, and is written anew.

use super::engine::Step;
use super::lists::{self, KeptReview};
use super::record;
use crate::storage::tables::executions::{self, Execution};
use crate::storage::tables::journal::{self, NewEntry};
use crate::storage::tables::recommendations::{self, Whole};
use crate::storage::{Connection, Database, Error, JsonText};
use control::review_desk::ReviewDesk;
use control::world::{Effect, Input};
use model::hash::ContentHash;
use model::prediction::Prediction;
use model::recommendation::{Recommendation, RecommendationId};
use model::review::Stage;
use model::time::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Recommendations and how they stand, as far as the record was taken again. Before a checkpoint only what is open is known.
#[derive(Default)]
pub(super) struct Standing(BTreeMap<RecommendationId, Known>);

struct Known {
    plan: Recommendation,
    stage: Stage,
    /// What else the record tells of it; nothing of what a checkpoint tells.
    story: Option<Story>,
}

#[derive(Default)]
struct Story {
    outcome: Option<JsonText>,
    answers: Vec<KeptReview>,
    predicted: Option<Foretold>,
    begun: bool,
}

/// Predictions are large, so only what they are known by is kept.
struct Foretold {
    seq: i64,
    text: ContentHash,
}

impl Standing {
    /// What a loop knows that begins at a checkpoint.
    pub(super) fn of(desk: &ReviewDesk) -> Self {
        let known = |(plan, stage): (&Recommendation, Stage)| {
            (plan.id, Known { plan: plan.clone(), stage, story: None })
        };
        Self(desk.open().map(known).collect())
    }

    /// A step of the record, the number of its entry, and when it was written.
    pub(super) fn observe(&mut self, step: &Step, (seq, wall_ms): (i64, i64)) {
        if let Input::Predicted { id, prediction } = &step.input
            && let Some(story) = self.story(*id)
        {
            let text = JsonText::of(prediction.as_ref());
            story.predicted = Some(Foretold { seq, text: ContentHash::of_bytes(text.as_str().as_bytes()) });
        }
        for effect in &step.effects {
            match effect {
                Effect::Submit(new) => {
                    let story = Some(Story::default());
                    self.0.insert(new.id, Known { plan: new.clone(), stage: Stage::Pending, story });
                }
                Effect::Settle { id, stage, reason } => {
                    if let Some(known) = self.0.get_mut(id) {
                        known.stage = *stage;
                    }
                    self.tell(*id, |story| story.outcome = Some(JsonText::of(reason)));
                }
                Effect::Apply(approved) => {
                    self.tell(approved.recommendation().id, |story| story.begun = true);
                }
                _ => {}
            }
            if let Some(id) = answered(effect)
                && let Some(kept) = lists::kept_review(step, wall_ms, id)
            {
                self.tell(id, |story| story.answers.push(kept));
            }
        }
    }

    fn story(&mut self, id: RecommendationId) -> Option<&mut Story> {
        self.0.get_mut(&id)?.story.as_mut()
    }

    fn tell(&mut self, id: RecommendationId, tell: impl FnOnce(&mut Story)) {
        if let Some(story) = self.story(id) {
            tell(story);
        }
    }

    /// Writes the rows anew that say something else, and notes which they were.
    pub(super) fn correct(
        &self,
        database: &Database,
        run: &str,
        (at, wall_ms): (Timestamp, i64),
    ) -> Result<(), Error> {
        for Wrong { id, right, execution, differs } in
            database.read(|connection| self.wrong(connection, run))?
        {
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
                execution.iter().try_for_each(|execution| executions::put(transaction, execution))?;
                record::note(transaction, &note).map(drop)
            })?;
        }
        Ok(())
    }

    fn wrong(&self, connection: &mut dyn Connection, run: &str) -> Result<Vec<Wrong>, Error> {
        let mut wrong = Vec::new();
        for known in self.0.values() {
            let found = lists::find(connection, run, known.plan.id)?;
            let mut row = Wrong::of_plan(run, known, found);
            if let Some(story) = &known.story {
                row.compare_story(connection, story)?;
                row.compare_execution(connection, (run, known))?;
            }
            wrong.extend((!row.differs.is_empty()).then_some(row));
        }
        Ok(wrong)
    }
}

/// About whom an effect is that is an answer.
const fn answered(effect: &Effect) -> Option<RecommendationId> {
    match effect {
        Effect::Settle { id, .. } | Effect::Defer { id, .. } | Effect::Endorse { id, .. }
            if lists::is_answer(effect) =>
        {
            Some(*id)
        }
        _ => None,
    }
}

/// A row, and in what it is not what the record says.
struct Wrong {
    id: RecommendationId,
    /// As it should be.
    right: Whole,
    execution: Option<Execution>,
    differs: Vec<&'static str>,
}

impl Wrong {
    fn of_plan(run: &str, Known { plan, stage, .. }: &Known, found: Option<Whole>) -> Self {
        let entered = lists::entered(run, plan);
        let mut differs = if found.is_none() { vec!["everything"] } else { Vec::new() };
        let mut right = found.unwrap_or_else(|| entered.clone());
        if right.item.stage != *stage {
            differs.push("the stage");
            right.item.stage = *stage;
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
        Self { id: plan.id, right, execution: None, differs }
    }

    /// What was said, what came of it, and what was predicted.
    fn compare_story(&mut self, connection: &mut dyn Connection, story: &Story) -> Result<(), Error> {
        let documents = &mut self.right.documents;
        let answers = (!story.answers.is_empty()).then(|| JsonText::of(&story.answers));
        if documents.reviews != answers {
            self.differs.push("who said what");
            documents.reviews = answers;
        }
        if documents.outcome != story.outcome {
            self.differs.push("the outcome");
            documents.outcome.clone_from(&story.outcome);
        }
        let hash = |text: &JsonText| ContentHash::of_bytes(text.as_str().as_bytes());
        if documents.prediction.as_ref().map(hash) != story.predicted.as_ref().map(|told| told.text) {
            self.differs.push("the prediction");
            documents.prediction = None;
            self.right.item.predicted = 0;
            if let Some(prediction) = told(connection, story.predicted.as_ref())? {
                lists::foretell(&mut self.right, &prediction);
            }
        }
        Ok(())
    }

    fn compare_execution(
        &mut self,
        connection: &mut dyn Connection,
        (run, known): (&str, &Known),
    ) -> Result<(), Error> {
        if !known.story.as_ref().is_some_and(|story| story.begun) {
            return Ok(());
        }
        let found = executions::get(connection, run, self.id.0 as i64)?;
        let wrong = found.filter(|execution| execution.stage != known.stage.as_str());
        if let Some(mut execution) = wrong {
            self.differs.push("how it was carried out");
            known.stage.as_str().clone_into(&mut execution.stage);
            self.execution = Some(execution);
        }
        Ok(())
    }
}

/// The prediction as the record tells it.
fn told(
    connection: &mut dyn Connection,
    foretold: Option<&Foretold>,
) -> Result<Option<Arc<Prediction>>, Error> {
    let Some(Foretold { seq, .. }) = foretold else { return Ok(None) };
    let input = journal::get(connection, *seq)?.and_then(|entry| record::plain_input(&entry));
    Ok(match input {
        Some(Input::Predicted { prediction, .. }) => Some(prediction),
        _ => None,
    })
}
