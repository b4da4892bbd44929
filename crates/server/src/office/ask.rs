//! Having models asked, and taking what they answer as something from outside: it is written down, and taken again after a restart.

use super::engine::Step;
use super::record;
use super::work::{Office, OfficeError};
use crate::clock;
use crate::storage::Error;
use crate::storage::tables::journal::{self, Entry, Filter};
use crate::storage::tables::page::Direction;
use control::question::Usage;
use control::world::{Effect, Input};
use model::time::Timestamp;
use std::time::Duration;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Entries that are read at a time.
const CHUNK: u32 = 200;

/// Time that stands still waits so long for an answer; providers give up long before.
const PATIENCE: Duration = Duration::from_mins(5);

impl Office {
    /// Sends off what a step asks.
    pub(super) fn send_questions(&mut self, step: &Step) {
        for effect in &step.effects {
            if let Effect::Ask { agent, question } = effect {
                self.correspondence.ask(agent.clone(), question, (step.at, clock::now()));
            }
        }
    }

    /// Says what was used today already, as the record tells it: a desk that is opened again has no new budget.
    pub(super) fn count_today(&self) -> Result<(), Error> {
        let midnight = (self.wall)() / DAY_MS * DAY_MS;
        let filter =
            Filter { kinds: vec!["answered".to_owned()], wall_from_ms: Some(midnight), ..Filter::default() };
        let (mut today, mut after) = (Usage::default(), None);
        loop {
            let page = self.database.read(|connection| {
                journal::list(connection, &filter, Direction::Ascending, after.as_deref(), CHUNK)
            })?;
            page.rows.iter().for_each(|entry| add(&mut today, entry));
            after = page.next;
            if after.is_none() {
                self.correspondence.used_before(today);
                return Ok(());
            }
        }
    }

    /// What was asked before the desk was opened again, and not answered.
    pub(super) fn send_open_questions(&mut self) {
        let now = (self.engine.now(), clock::now());
        for (agent, question) in self.engine.open_questions() {
            self.correspondence.ask(agent.clone(), question, now);
        }
    }

    /// Takes the answers that count by now. Where time stands still, all of them are waited for first.
    pub(super) fn take_answers(&mut self) -> Result<(), OfficeError> {
        while let Some(input) = self.next_answer() {
            self.settle_moment()?;
            if self.engine.has_ended() {
                return Ok(());
            }
            let step = self.engine.take(input);
            self.keep(step, None)?;
        }
        Ok(())
    }

    fn next_answer(&mut self) -> Option<Input> {
        let (patient, is_real) = (self.patience.is_some(), self.engine.is_real());
        let letters = &mut self.correspondence;
        letters.collect();
        while patient && letters.is_awaiting() && letters.wait(PATIENCE) {}
        let now = if is_real { Timestamp(u64::MAX) } else { self.engine.now() };
        letters.take(now).map(|letter| Input::Answered { agent: letter.agent, answer: letter.answer })
    }

    /// The moment up to which the world may go before the next answer counts, or is known.
    pub(super) fn before_answers(&self, reach: Timestamp) -> Timestamp {
        if self.engine.is_real() {
            return reach;
        }
        let letters = &self.correspondence;
        let ends = letters.horizon(clock::now()).into_iter().chain(letters.next_due());
        ends.fold(reach, Timestamp::min).max(self.engine.now())
    }

    pub(super) fn an_answer_is_due(&self) -> bool {
        self.correspondence.next_due().is_some_and(|due| due <= self.engine.now())
    }

    pub(super) fn waits_for_answers(&self) -> bool {
        self.correspondence.is_awaiting()
    }
}

/// Adds what the calls of an answer used.
fn add(today: &mut Usage, entry: &Entry) {
    let Some(Input::Answered { answer, .. }) = record::plain_input(entry) else { return };
    for reply in answer.replies {
        today.prompt_tokens += reply.usage.prompt_tokens;
        today.completion_tokens += reply.usage.completion_tokens;
        today.cost = today.cost.saturating_add(reply.usage.cost);
    }
}
