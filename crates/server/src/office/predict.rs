//! Having the effect of recommendations reckoned, and judging what was reckoned before.

use super::engine::Step;
use super::foresight::{Foreseen, Foresight};
use super::unforeseen::{MOST_AT_ONCE, Standpoint, Why};
use super::watch::Judged;
use super::work::{Along, Office, OfficeError};
use crate::clock;
use crate::storage::tables::journal::{self, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::tables::{executions, track_records};
use crate::storage::{Error, JsonText};
use crate::webhooks;
use control::world::{Effect, Input};
use lab::what_if::Pending;
use model::action::Action;
use model::recommendation::RecommendationId;
use model::review::Stage;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Time that stands still waits so long for a prediction, and so long for all that can be had at a moment: meanwhile nobody is attended
/// to, and whoever ordered it waits for an answer.
const PATIENCE: Duration = Duration::from_secs(30);
const PATIENCE_FOR_ALL: Duration = Duration::from_mins(2);

/// The kind of the note that people see something without its effect.
const UNPREDICTED: &str = "unpredicted";

/// Such notes that are read when a desk opens. Each is about something that was new then, and a thousand are more than wait.
const MOST_NOTES: u32 = 1_000;

/// What such a note says.
#[derive(Serialize, Deserialize)]
struct Unpredicted {
    recommendations: Vec<String>,
    /// Those of which people were told that they are asked.
    #[serde(default)]
    asked: Vec<String>,
}

impl Office {
    /// Asks for what a step wants to know.
    pub(super) fn foresee(&mut self, step: &Step) -> Result<(), Error> {
        for effect in &step.effects {
            if let Effect::Predict { ids } = effect {
                self.ask_about(ids)?;
            }
        }
        Ok(())
    }

    /// What waits without a prediction, after a desk was opened again.
    pub(super) fn ask_again(&mut self) -> Result<(), Error> {
        let desk = self.engine.control().desk();
        let open: Vec<RecommendationId> =
            desk.waiting().into_iter().filter(|id| desk.prediction(*id).is_none()).collect();
        if open.is_empty() || self.foresight.is_none() {
            return Ok(());
        }
        let at = self.standpoint();
        for (id, was_asked) in self.told_before()?.into_iter().filter(|(id, _)| open.contains(id)) {
            self.unforeseen.put_off(id, Why::NoRoom, at);
            if was_asked {
                self.unforeseen.asked(id);
            }
        }
        open.chunks(MOST_AT_ONCE).try_for_each(|some| self.ask_about(some))
    }

    /// Of what people were told in this run that its effect is not known, and whether they were asked. What is older than so many notes
    /// waits no more.
    fn told_before(&self) -> Result<Vec<(RecommendationId, bool)>, Error> {
        let filter =
            Filter { run: Some(self.run.clone()), kinds: vec![UNPREDICTED.to_owned()], ..Filter::default() };
        let notes = self
            .database
            .read(|connection| journal::list(connection, &filter, Direction::Descending, None, MOST_NOTES))?;
        let bodies = notes.rows.iter().filter_map(|entry| entry.body.read::<Unpredicted>("a note").ok());
        let told = |Unpredicted { recommendations, asked }| {
            let read = move |name: String| Some((name.parse().ok()?, asked.contains(&name)));
            recommendations.into_iter().filter_map(read)
        };
        Ok(bodies.flat_map(told).collect())
    }

    fn ask_about(&mut self, ids: &[RecommendationId]) -> Result<(), Error> {
        let waiting = self.waiting_actions();
        let Some(foresight) = &mut self.foresight else { return Ok(()) };
        let is_new = |(id, _): &&Pending| ids.contains(id) && !foresight.is_about(*id);
        let new: Vec<Pending> = waiting.iter().filter(is_new).cloned().collect();
        let ids: Vec<RecommendationId> = new.iter().map(|(id, _)| *id).collect();
        if ids.is_empty() {
            return Ok(());
        }
        // A copy of the world takes its time, so it is made only where somebody will look at it.
        if foresight.has_room() {
            let Some(twin) = self.engine.twin() else { return self.put_off(&ids, Why::NothingSeen) };
            if foresight.ask((self.engine.now(), twin), new, waiting) {
                self.engine.asked_about(&ids);
                return Ok(());
            }
        }
        let why = if foresight.has_ended() { Why::NobodyThere } else { Why::NoRoom };
        self.put_off(&ids, why)
    }

    /// Asks about something that is without a prediction and can have one now.
    fn ask_the_rest(&mut self) -> Result<(), Error> {
        if self.unforeseen.is_empty() {
            return Ok(());
        }
        let desk = self.engine.control().desk();
        let waits = |id| desk.stage(id) == Some(Stage::Pending) && desk.prediction(id).is_none();
        self.unforeseen.keep_only(waits);
        let Some(foresight) = self.foresight.as_ref().filter(|foresight| foresight.has_room_to_spare())
        else {
            return Ok(());
        };
        let due = self.unforeseen.due(self.standpoint(), |id| !foresight.is_about(id));
        if due.is_empty() { Ok(()) } else { self.ask_about(&due) }
    }

    fn standpoint(&self) -> Standpoint {
        let seen = self.engine.control().latest().map(|seen| seen.taken_at);
        Standpoint { now: self.engine.now(), seen }
    }

    /// These are without a prediction for now; whoever has not heard of it does.
    fn put_off(&mut self, ids: &[RecommendationId], why: Why) -> Result<(), Error> {
        let new: Vec<RecommendationId> =
            ids.iter().copied().filter(|id| !self.unforeseen.holds(*id)).collect();
        let at = self.standpoint();
        for id in ids {
            self.unforeseen.put_off(*id, why, at);
        }
        if new.is_empty() {
            return Ok(());
        }
        crate::log::error(why.as_str());
        self.tell_without(&new)
    }

    /// Whoever is told when people are asked is not kept waiting for a prediction that may come late or never.
    fn tell_without(&mut self, ids: &[RecommendationId]) -> Result<(), Error> {
        let asked = webhooks::asked_without_prediction(self.engine.control(), self.engine.now(), ids);
        let (asked, news): (Vec<RecommendationId>, Vec<_>) = asked.into_iter().unzip();
        for id in &asked {
            self.unforeseen.asked(*id);
        }
        let names = |ids: &[RecommendationId]| ids.iter().map(ToString::to_string).collect();
        let note = Unpredicted { recommendations: names(ids), asked: names(&asked) };
        self.note((UNPREDICTED, "desk", ""), &json!(note), &news)
    }

    /// Everything that waits for an answer.
    pub fn waiting_actions(&self) -> Vec<(RecommendationId, Action)> {
        let desk = self.engine.control().desk();
        let action = |id| Some((id, desk.recommendation(id)?.action.clone()));
        desk.waiting().into_iter().filter_map(action).collect()
    }

    /// Takes the predictions that are there; waits for all of them where time stands still. With every answer there is room for
    /// another question.
    pub(super) fn take_predictions(&mut self) -> Result<(), OfficeError> {
        self.ask_the_rest()?;
        while let Some(foreseen) = self.next_foreseen() {
            self.take_foreseen(foreseen)?;
            self.ask_the_rest()?;
        }
        Ok(())
    }

    fn take_foreseen(&mut self, Foreseen { predictions, mut without }: Foreseen) -> Result<(), OfficeError> {
        for (id, prediction) in predictions {
            self.settle_moment()?;
            if self.engine.control().desk().stage(id) == Some(Stage::Pending) {
                let step = self.engine.take(Input::Predicted { id, prediction: Arc::new(prediction) });
                self.keep(step, None)?;
            }
        }
        without.retain(|id| self.engine.control().desk().stage(*id) == Some(Stage::Pending));
        let ended = self.foresight.as_ref().is_some_and(Foresight::has_ended);
        self.put_off(&without, if ended { Why::NobodyThere } else { Why::NoTwin })?;
        Ok(())
    }

    fn next_foreseen(&mut self) -> Option<Foreseen> {
        let patience = self.patience;
        let foresight = self.foresight.as_mut().filter(|foresight| foresight.is_busy())?;
        let left = patience.map(|until| until.saturating_duration_since(clock::now()));
        match left {
            Some(left) => foresight.wait(left.min(PATIENCE)),
            None => foresight.answer(),
        }
    }

    /// From now on predictions are waited for, together no longer than this: nobody else is heard meanwhile.
    pub(super) fn be_patient(&mut self) {
        self.patience = Some(clock::now() + PATIENCE_FOR_ALL);
    }

    /// Judges the predictions whose time is over.
    pub(super) fn judge(&mut self) -> Result<(), OfficeError> {
        loop {
            // First, since what happens now may be written down with what is being measured, and this must be among it until then.
            if self.engine.has_to_judge() {
                self.settle_moment()?;
            }
            let Some(Judged { id, agent, score }) = self.engine.judged() else { return Ok(()) };
            let (inside, predicted) = score.hits();
            // What else happened meanwhile says nothing about how well somebody predicts.
            let (predicted, inside) =
                if score.is_clean() { (predicted as u32, inside as u32) } else { (0, 0) };
            let along = self.keep_score(id, agent.as_str().to_owned(), score);
            let step = self.engine.take(Input::Scored { id, agent, predicted, inside });
            self.keep(step, Some(along))?;
        }
    }

    fn keep_score(&self, id: RecommendationId, agent: String, score: model::prediction::Score) -> Along {
        let (run, wall_ms) = (self.run.clone(), (self.wall)());
        Box::new(move |transaction, _| {
            if let Some(mut execution) = executions::get(transaction, &run, id.0 as i64)? {
                execution.score = Some(JsonText::of(&score));
                executions::put(transaction, &execution)?;
            }
            for observed in score.observations.iter().filter(|_| score.is_clean()) {
                let measure = serde_json::to_value(observed.measure).ok();
                let measure = measure.as_ref().and_then(|name| name.as_str()).unwrap_or_default();
                let error = observed.observed.minus(observed.predicted.mean).as_f64();
                let outcome = track_records::Outcome { inside: observed.inside, error };
                track_records::add(transaction, &agent, measure, outcome, wall_ms)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
