//! Models that agents ask, in virtual time: an answer takes as long as the respondent says, longer while a fault slows models
//! down, and never comes while one silences them.

use super::SimulatedWorld;
use super::agenda::Event;
use control::question::{Answer, Question};
use control::world::Input;
use model::names::AgentName;
use model::time::Period;
use std::sync::Arc;

/// Somebody who answers questions. The same question always gets the same answer after the same time.
pub trait Respondent: Send + Sync {
    /// The answer and how long it takes; nothing if there is none.
    fn answer(&self, question: &Question) -> Option<(Answer, Period)>;
}

impl SimulatedWorld {
    /// Lets somebody answer what agents ask. Without, questions stay open.
    #[must_use]
    pub fn with_respondent(mut self, respondent: Arc<dyn Respondent>) -> Self {
        self.respondent = Some(respondent);
        self
    }

    pub(super) fn ask_model(&mut self, agent: AgentName, question: &Question) {
        let Some((answer, takes)) = self.respondent.as_ref().and_then(|one| one.answer(question)) else {
            return;
        };
        let slowdowns = self.trouble.slow_models();
        if !slowdowns.is_empty() {
            self.trouble.note_slow_model();
        }
        let mut at = self.agenda.now() + takes;
        for slowdown in slowdowns {
            let Some(longer) = slowdown else { return };
            at += longer.draw(&mut self.chance.models);
        }
        let input = Box::new(Input::Answered { agent, answer });
        self.agenda.at(at, Event::Arrives { input });
    }
}
