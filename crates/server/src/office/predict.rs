//! Having the effect of recommendations reckoned, and judging what was reckoned before.

use super::engine::Step;
use super::foresight::Foreseen;
use super::watch::Judged;
use super::work::{Along, Office, OfficeError};
use crate::storage::tables::{executions, track_records};
use crate::storage::{Error, JsonText};
use crate::webhooks;
use control::world::{Effect, Input};
use model::action::Action;
use model::recommendation::RecommendationId;
use model::review::Stage;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Time that stands still waits so long for predictions.
const PATIENCE: Duration = Duration::from_secs(30);

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
        if open.is_empty() { Ok(()) } else { self.ask_about(&open) }
    }

    fn ask_about(&mut self, ids: &[RecommendationId]) -> Result<(), Error> {
        let waiting = self.waiting_actions();
        let new = waiting.iter().filter(|(id, _)| ids.contains(id)).cloned().collect();
        let Some(foresight) = &mut self.foresight else { return Ok(()) };
        let Some(twin) = self.engine.twin() else {
            crate::log::error("too little is known of the clusters to predict anything");
            return self.tell_without(ids);
        };
        if foresight.ask((self.engine.now(), twin), new, waiting) {
            self.engine.asked_about(ids);
            return Ok(());
        }
        crate::log::error("too many predictions wait; the newest recommendations are shown without");
        self.tell_without(ids)
    }

    /// Whoever is told when people are asked would wait for ever for a prediction that does not come.
    fn tell_without(&mut self, ids: &[RecommendationId]) -> Result<(), Error> {
        let news = webhooks::asked_without_prediction(self.engine.control(), self.engine.now(), ids);
        let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        self.note(("unpredicted", "desk", ""), &json!({ "recommendations": names }), &news)
    }

    /// Everything that waits for an answer.
    pub fn waiting_actions(&self) -> Vec<(RecommendationId, Action)> {
        let desk = self.engine.control().desk();
        let action = |id| Some((id, desk.recommendation(id)?.action.clone()));
        desk.waiting().into_iter().filter_map(action).collect()
    }

    /// Takes the predictions that are there; waits for all of them where time stands still.
    pub(super) fn take_predictions(&mut self) -> Result<(), OfficeError> {
        while let Some(Foreseen { predictions, mut without }) = self.next_foreseen() {
            for (id, prediction) in predictions {
                self.settle_moment()?;
                if self.engine.control().desk().stage(id) == Some(Stage::Pending) {
                    let step = self.engine.take(Input::Predicted { id, prediction: Arc::new(prediction) });
                    self.keep(step, None)?;
                }
            }
            without.retain(|id| self.engine.control().desk().stage(*id) == Some(Stage::Pending));
            if !without.is_empty() {
                self.tell_without(&without)?;
            }
        }
        Ok(())
    }

    fn next_foreseen(&mut self) -> Option<Foreseen> {
        let patient = self.patient;
        let foresight = self.foresight.as_mut().filter(|foresight| foresight.is_busy())?;
        if patient { foresight.wait(PATIENCE) } else { foresight.answer() }
    }

    /// Judges the predictions whose time is over.
    pub(super) fn judge(&mut self) -> Result<(), OfficeError> {
        for Judged { id, agent, score } in self.engine.judged() {
            let (inside, predicted) = score.hits();
            // What else happened meanwhile says nothing about how well somebody predicts.
            let (predicted, inside) =
                if score.is_clean() { (predicted as u32, inside as u32) } else { (0, 0) };
            self.settle_moment()?;
            let along = self.keep_score(id, agent.as_str().to_owned(), score);
            let step = self.engine.take(Input::Scored { id, agent, predicted, inside });
            self.keep(step, Some(along))?;
        }
        Ok(())
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
